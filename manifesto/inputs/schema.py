"""Schemas: a merged document goes in, every fault that its JSON Schema finds comes out at once."""

import hashlib
import json
import os
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from manifesto import __version__
from manifesto.data import SCHEMAS, load_schema
from manifesto.errors import Fault, KeyPath, format_path, suggest
from manifesto.inputs.merging import Composed
from manifesto.inputs.positions import locate

_KEPT_VERDICTS = 1000
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


def validate(composed: Composed, schema: str, verdicts: Path | None) -> list[Fault]:
    """Return the faults of a document by `schemas/v1/<schema>.schema.json`, without places.

    `verdicts` is a folder in which the digests of documents without faults are remembered, so that
    the same document need not be judged twice; None remembers nothing.
    """
    digest = _digest(composed.value, schema)
    if verdicts is not None and (verdicts / digest).exists():
        return []
    faults = [fault for error in _validator(schema).iter_errors(composed.value) for fault in _explain(error, composed)]
    if not faults and verdicts is not None:
        _remember(verdicts, digest)
    return faults


def _digest(value: Any, schema: str) -> str:
    digest = hashlib.sha256(__version__.encode())
    for name in (schema, "common"):
        digest.update((SCHEMAS / f"{name}.schema.json").read_bytes())
    digest.update(json.dumps(value, ensure_ascii=True).encode())
    return digest.hexdigest()


def _remember(folder: Path, digest: str) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        entries = os.listdir(folder)
        if len(entries) >= _KEPT_VERDICTS:
            for name in entries:
                (folder / name).unlink(missing_ok=True)
        (folder / digest).touch()
    except OSError:
        return


@cache
def _validator(name: str) -> Any:
    """Return a validator whose patterns match whole values and whose whole numbers are no floats."""
    from jsonschema import Draft202012Validator, validators
    from jsonschema.exceptions import ValidationError
    from referencing import Registry, Resource

    def pattern(_: Any, wanted: str, value: Any, __: Any) -> Iterator[ValidationError]:
        if isinstance(value, str) and not re.search(re.sub(r"\$\Z", r"\\Z", wanted), value):
            yield ValidationError(f"{value!r} does not match")

    checker = Draft202012Validator.TYPE_CHECKER.redefine(
        "integer", lambda _, value: isinstance(value, int) and not isinstance(value, bool)
    )
    extend: Any = validators.extend
    strict = extend(Draft202012Validator, {"pattern": pattern}, type_checker=checker)
    base = "file:///schemas/"
    registry = (
        Registry()
        .with_resources(
            (f"{base}{file}.schema.json", Resource.from_contents(load_schema(file))) for file in (name, "common")
        )
        .crawl()
    )
    return strict({"$ref": f"{base}{name}.schema.json"}, registry=registry)


def _explain(error: Any, composed: Composed) -> Iterator[Fault]:
    path: KeyPath = tuple(error.absolute_path)
    explain = _EXPLAINERS.get(error.validator)
    if "propertyNames" in error.absolute_schema_path:
        name = error.instance
        yield Fault(
            "schema.key",
            f"{name!r} cannot be a key here",
            error.schema.get("x-wants", ""),
            (*path, name),
            composed.source,
        )
    elif explain is not None:
        yield from explain(error, path, composed)
    else:
        raise AssertionError(f"the schema keyword {error.validator} has no words for a fault")


def _unknown_keys(error: Any, path: KeyPath, composed: Composed) -> Iterator[Fault]:
    known = error.schema.get("properties", {})
    moved: Mapping[str, str] = error.schema.get("x-moved", {})
    for key in error.instance:
        if key not in known:
            remedy = moved.get(key) or f"known here: {', '.join(known)}"
            told = "is a key of earlier versions" if key in moved else f"is no key of Manifesto{suggest(key, known)}"
            yield Fault("schema.unknown-key", told, remedy, (*path, key), composed.source)


def _missing_keys(error: Any, path: KeyPath, composed: Composed) -> Iterator[Fault]:
    for key in error.validator_value:
        if key not in error.instance and f"{key!r} is a required" in error.message:
            about = error.schema.get("properties", {}).get(key, {}).get("description", "")
            yield Fault(
                "schema.missing-key",
                f"{key} is missing",
                f"write {key}" + (f": {about}" if about else ""),
                (*path, key),
                composed.source,
            )


def _missing_choice(error: Any, path: KeyPath, composed: Composed) -> Iterator[Fault]:
    names = " or ".join(choice["required"][0] for choice in error.validator_value)
    yield Fault("schema.missing-key", f"one of {names} is missing", f"write {names}", path, composed.source)


def _missing_companion(error: Any, path: KeyPath, composed: Composed) -> Iterator[Fault]:
    for key, companions in error.validator_value.items():
        for other in companions:
            if key in error.instance and other not in error.instance:
                yield Fault(
                    "schema.missing-key",
                    f"{key} needs {other}",
                    f"write {other} too, or leave {key} out",
                    (*path, key),
                    composed.source,
                )


def _wrong_type(error: Any, path: KeyPath, composed: Composed) -> Iterator[Fault]:
    value, wanted = error.instance, error.validator_value
    names = [wanted] if isinstance(wanted, str) else wanted
    text = locate(composed, path).text
    if isinstance(value, bool | int | float) and "string" in names:
        remedy = f'write "{text}" in quotes'
    else:
        remedy = error.schema.get("x-wants") or "write " + " or ".join(_WANTED[name] for name in names)
    shown = f"{text} is" if text else "this is"
    yield Fault("schema.wrong-type", f"{shown} {_NAMES[type(value).__name__]}", remedy, path, composed.source)


def _wrong_choice(error: Any, path: KeyPath, composed: Composed) -> Iterator[Fault]:
    choices = [str(choice) for choice in error.validator_value]
    near = suggest(str(error.instance), choices)
    yield Fault(
        "schema.choice",
        f"{error.instance!r} is no choice here{near}",
        f"write one of: {', '.join(choices)}",
        path,
        composed.source,
    )


def _wrong_value(error: Any, path: KeyPath, composed: Composed) -> Iterator[Fault]:
    yield Fault(
        "schema.value", f"{error.instance!r} is not accepted", error.schema.get("x-wants", ""), path, composed.source
    )


def _wrong_range(error: Any, path: KeyPath, composed: Composed) -> Iterator[Fault]:
    bound = "at least" if error.validator == "minimum" else "at most"
    yield Fault(
        "schema.range",
        f"{error.instance} is out of range",
        f"write {bound} {error.validator_value}",
        path,
        composed.source,
    )


def _wrong_length(error: Any, path: KeyPath, composed: Composed) -> Iterator[Fault]:
    limit = error.validator_value
    if error.validator == "maxLength":
        problem, remedy = f"{len(error.instance)} characters are too many", f"write at most {limit}"
    elif error.validator == "minLength":
        problem, remedy = "this is empty", "write something or leave the key out"
    elif "x-wants" in error.schema:
        problem, remedy = f"{len(error.instance)} entries stand here", error.schema["x-wants"]
    else:
        problem, remedy = "this is empty", "write an entry or leave the key out"
    yield Fault("schema.length", problem, remedy, path, composed.source)


def _repeated(error: Any, path: KeyPath, composed: Composed) -> Iterator[Fault]:
    yield Fault(
        "schema.repeated", f"{format_path(path)} holds an entry twice", "write each once", path, composed.source
    )


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
