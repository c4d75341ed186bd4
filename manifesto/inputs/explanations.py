"""Explanations: an error of a JSON Schema goes in, faults in words for people come out."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from manifesto.errors import Fault, KeyPath, suggest
from manifesto.inputs.merging import Composed
from manifesto.inputs.positions import locate, written_path
from manifesto.inputs.scalars import type_scalar

_NAMES = {
    "str": "text",
    "int": "a whole number",
    "float": "a number",
    "bool": "a boolean",
    "NoneType": "empty",
    "dict": "a mapping",
    "list": "a list",
}
_WANTED = {
    "string": "text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "object": "a mapping",
    "array": "a list",
}
_TYPES = {"integer": (int,), "number": (int, float), "boolean": (bool,)}


def explain_error(error: Any, composed: Composed) -> Iterator[Fault]:
    """Yield the faults, without places, that a jsonschema ValidationError on a composed document means.

    What a schema says under `x-wants` is the remedy, under `x-moved` the remedy for a key of earlier versions.
    """
    path: KeyPath = tuple(error.absolute_path)
    explain = _EXPLAINERS.get(error.validator)
    if "propertyNames" in error.absolute_schema_path:
        path = (*path, error.instance)
        told = f"{written_path(composed, path)[-1]!r} cannot be a key here"
        yield Fault("schema.key", told, error.schema.get("x-wants", ""), path, composed.source)
    elif explain is not None:
        for words in explain(error, path, composed):
            yield Fault(*words, composed.source)
    else:
        raise AssertionError(f"the schema keyword {error.validator} has no words for a fault")


_Words = Iterator[tuple[str, str, str, KeyPath]]


def _unknown_keys(error: Any, path: KeyPath, composed: Composed) -> _Words:
    known = error.schema.get("properties", {})
    moved: Mapping[str, str] = error.schema.get("x-moved", {})
    for key in error.instance:
        if key in moved:
            yield "schema.unknown-key", "is a key of earlier versions", moved[key], (*path, key)
        elif key not in known:
            told = f"is no key of Manifesto{suggest(key, known)}"
            yield "schema.unknown-key", told, f"known here: {', '.join(known)}", (*path, key)


def _missing_keys(error: Any, path: KeyPath, composed: Composed) -> _Words:
    moved = [remedy for key, remedy in error.schema.get("x-moved", {}).items() if key in error.instance]
    for key in error.validator_value:
        missing = key not in error.instance and f"{key!r} is a required" in error.message
        if missing and not any(remedy.startswith(f"write {key}:") for remedy in moved):
            schema = error.schema.get("properties", {}).get(key, {})
            meaning = schema.get("description", "").partition(". ")[0].rstrip(".")
            choices = " or ".join(schema.get("enum", ()))
            remedy = f"write {key}" + (f": {choices}" if choices else f" ({meaning})" if meaning else "")
            yield "schema.missing-key", f"{key} is missing", remedy, (*path, key)


def _missing_choice(error: Any, path: KeyPath, composed: Composed) -> _Words:
    names = " or ".join(choice["required"][0] for choice in error.validator_value)
    yield "schema.missing-key", f"one of {names} is missing", f"write {names}", path


def _missing_companion(error: Any, path: KeyPath, composed: Composed) -> _Words:
    for key, companions in error.validator_value.items():
        for other in companions:
            if key in error.instance and other not in error.instance:
                remedy = f"write {other} too, or leave {key} out"
                yield "schema.missing-key", f"{key} needs {other}", remedy, (*path, key)


def _wrong_type(error: Any, path: KeyPath, composed: Composed) -> _Words:
    value, wanted = error.instance, error.validator_value
    names = [wanted] if isinstance(wanted, str) else wanted
    text = locate(composed, path).text
    quoted = "string" in names and re.search(error.schema.get("pattern", ""), text)
    unquoted = type_scalar(value) if isinstance(value, str) else value
    if quoted and isinstance(value, bool | int | float):
        remedy = f'write "{text}" in quotes'
    elif isinstance(value, str) and any(type(unquoted) in _TYPES.get(name, ()) for name in names):
        remedy = f"write {value} without quotes"
    else:
        remedy = error.schema.get("x-wants") or "write " + " or ".join(_WANTED[name] for name in names)
    yield "schema.wrong-type", f"{_as_written(value, path, composed)} is {_NAMES[type(value).__name__]}", remedy, path


def _wrong_choice(error: Any, path: KeyPath, composed: Composed) -> _Words:
    choices = [str(choice) for choice in error.validator_value]
    told = f"{_as_written(error.instance, path, composed)} is no choice here{suggest(str(error.instance), choices)}"
    yield "schema.choice", told, f"write one of: {', '.join(choices)}", path


def _wrong_value(error: Any, path: KeyPath, composed: Composed) -> _Words:
    told = f"{_as_written(error.instance, path, composed)} is not accepted"
    yield "schema.value", told, error.schema.get("x-wants", ""), path


def _wrong_range(error: Any, path: KeyPath, composed: Composed) -> _Words:
    bound = "at least" if error.validator == "minimum" else "at most"
    told = f"{_as_written(error.instance, path, composed)} is out of range"
    yield "schema.range", told, f"write {bound} {error.validator_value}", path


def _wrong_length(error: Any, path: KeyPath, composed: Composed) -> _Words:
    limit, length = error.validator_value, len(error.instance)
    if error.validator == "maxLength":
        problem, remedy = f"{length} characters are too many", f"write at most {limit}"
    elif error.validator == "minLength":
        problem, remedy = "this is empty", "write something or leave the key out"
    elif "x-wants" in error.schema:
        problem, remedy = f"{length} entries stand here", error.schema["x-wants"]
    else:
        problem, remedy = "this is empty", "write an entry or leave the key out"
    yield "schema.length", problem, remedy, path


def _repeated(error: Any, path: KeyPath, composed: Composed) -> _Words:
    for index, item in enumerate(error.instance):
        if item in error.instance[:index]:
            yield "schema.repeated", f"{item!r} stands in the list already", "write it once", (*path, index)


def _as_written(value: Any, path: KeyPath, composed: Composed) -> str:
    """Return a value for a message: text in quotes, other scalars as the file has them."""
    return repr(value) if isinstance(value, str) else locate(composed, path).text or "this"


_EXPLAINERS = {
    "additionalProperties": _unknown_keys,
    "required": _missing_keys,
    "anyOf": _missing_choice,
    "dependentRequired": _missing_companion,
    "type": _wrong_type,
    "enum": _wrong_choice,
    "pattern": _wrong_value,
    "not": _wrong_value,
    "minimum": _wrong_range,
    "maximum": _wrong_range,
    "minLength": _wrong_length,
    "maxLength": _wrong_length,
    "minItems": _wrong_length,
    "minProperties": _wrong_length,
    "maxProperties": _wrong_length,
    "uniqueItems": _repeated,
}
