"""The reference of every key: the schemas of specs and profiles go in, the Markdown of docs/reference.md comes out."""

import json
import re
import textwrap
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

SCHEMAS = Path(__file__).parents[2] / "schemas" / "v1"
DOCUMENTS = {"model": "Model spec", "cluster": "Cluster profile"}
INTRO = """\
# Reference

Every key of a model spec and of a cluster profile, made from the JSON Schemas in `schemas/v1/`.
How the keys work together stands in [Model specs](model-specs.md) and [Cluster profiles](cluster-profiles.md), and
there too which keys [of a spec](model-specs.md#accepted-not-rendered-yet) and
[of a profile](cluster-profiles.md#accepted-not-rendered-yet) are accepted although this version renders nothing of
them.

`NAME` stands for a name of your own: of a role, a variable, an accelerator. `[]` stands for each entry of a list.
Roles are a list whose entries have a `name`; the paths here, as in messages, hold the name in place of an index.
A key that is not in these tables is an error, except in a mapping that is free-form or takes names of your own.
"""

Schema = dict[str, Any]
_KINDS = {"string": "text", "integer": "whole number", "number": "number", "boolean": "`true` or `false`"}


class Key(NamedTuple):
    """One key below a section: its path, its schema with every reference followed, whether it must be there."""

    path: str
    schema: Schema
    required: bool


def make_reference() -> str:
    """Return the text of docs/reference.md."""
    return INTRO + "".join(part for name, title in DOCUMENTS.items() for part in _make_document(name, title))


@cache
def load(name: str) -> Schema:
    """Return a schema of schemas/v1 by its name, every `$ref` in it with its file; callers must not change it."""
    text = (SCHEMAS / f"{name}.schema.json").read_text()
    schema: Schema = json.loads(text.replace('"#/', f'"{name}.schema.json#/'))
    return schema


def resolve(schema: Schema) -> Schema:
    """Return a schema with its `$ref` followed; what stands beside the reference is stronger."""
    if "$ref" not in schema:
        return schema
    name, _, pointer = schema["$ref"].partition(".schema.json#/$defs/")
    beside = {key: value for key, value in schema.items() if key != "$ref"}
    return {**resolve(load(name)["$defs"][pointer]), **beside, "x-beside": list(beside)}


def _make_document(name: str, title: str) -> Iterator[str]:
    root = load(name)
    word = title.split()[-1].capitalize()
    keys = [Key(key, resolve(value), key in root["required"]) for key, value in root["properties"].items()]
    sections = [key for key in keys if "properties" in key.schema or _find_entry(key.schema)]
    rest = [key for key in keys if key not in sections]
    yield f"\n## {title}\n\n{root['description']}\n"
    yield _make_section(f"{word}: top level", "", rest, [])
    for key in sections:
        about = key.schema["description"] + (" This section is required." if key.required else "")
        inner = list(_walk(key.path, key.schema))
        yield _make_section(f"{word}: {key.path}", about, inner, _find_notes([key, *inner]))


def _make_section(title: str, about: str, keys: list[Key], notes: list[str]) -> str:
    table = "".join(f"| `{key.path}` | {' | '.join(_describe_key(key))} |\n" for key in keys)
    above = f"{_wrap(_escape(about))}\n\n" if about else ""
    below = "".join(["\n", *(f"{_wrap(f'- {note}')}\n" for note in notes)]) if notes else ""
    return f"\n### {title}\n\n{above}| key | takes | default | meaning |\n|---|---|---|---|\n{table}{below}"


def _wrap(text: str) -> str:
    indent = "  " if text.startswith("- ") else ""
    return textwrap.fill(text, 120, subsequent_indent=indent, break_on_hyphens=False, break_long_words=False)


def _walk(path: str, schema: Schema) -> Iterator[Key]:
    """Yield every key below a path, parents first."""
    for name, value in schema.get("properties", {}).items():
        key = Key(f"{path}.{name}", resolve(value), name in schema.get("required", ()))
        yield key
        yield from _walk(key.path, key.schema)
    if entry := _find_entry(schema):
        yield from _walk(f"{path}[]" if schema.get("type") == "array" else f"{path}.NAME", entry)


def _find_entry(schema: Schema) -> Schema:
    """Return the schema of the entries of a list, or of a mapping by name, that have keys; else an empty one."""
    for name in ("items", "additionalProperties"):
        value = schema.get(name)
        entry = resolve(value) if isinstance(value, dict) else {}
        if entry.get("type") == "object" and "properties" in entry:
            return entry
    return {}


def _describe_key(key: Key) -> tuple[str, str, str]:
    """Return what a key takes, what holds where it is silent, what it means, as cells of a table."""
    meaning, default = key.schema["description"], "–"
    if match := re.fullmatch(r"(.*?) Default: (.*)\.", meaning):
        meaning, default = match[1], _escape(match[2])
    if "default" in key.schema:
        default = f"`{json.dumps(key.schema['default'])}`"
    return _escape(describe(key.schema)), "required" if key.required else default, _escape(meaning)


def describe(schema: Schema) -> str:
    """Return in words what a schema takes."""
    schema = resolve(schema)
    if "enum" in schema:
        return "one of " + _list_choices(schema)
    if "x-wants" in schema:
        limit = f"; here at most {schema['maxLength']}" if "maxLength" in schema.get("x-beside", ()) else ""
        return _noun(schema["x-wants"]) + limit
    kinds = schema.get("type", "object")
    return " or ".join(_describe_kind(kind, schema) for kind in ([kinds] if isinstance(kinds, str) else kinds))


def _describe_kind(kind: str, schema: Schema) -> str:
    if kind == "array":
        return f"list of {_describe_items(resolve(schema['items']))}{'; each once' if 'uniqueItems' in schema else ''}"
    if kind == "object":
        return _describe_mapping(schema)
    if kind == "integer" and "minimum" in schema:
        least, most = schema["minimum"], schema.get("maximum")
        return f"{_KINDS[kind]}, {least} to {most}" if most else f"{_KINDS[kind]}, {least} or more"
    return _KINDS[kind]


def _describe_items(entry: Schema) -> str:
    if entry.get("type") == "object":
        return "mappings" if "properties" in entry else "free-form mappings"
    if "enum" in entry:
        return _list_choices(entry)
    return f"texts, each: {describe(entry)}" if "x-wants" in entry else "texts"


def _describe_mapping(schema: Schema) -> str:
    """Return what a mapping holds; one whose entries have keys is told by their rows."""
    inner = schema.get("additionalProperties", True)
    if "properties" in schema:
        return "mapping, free-form beyond these keys" if inner is True else "mapping"
    if inner is True:
        return "mapping, free-form"
    if _find_entry(schema):
        return "mapping by name"
    entry = resolve(inner)
    told = entry["description"].rstrip(".") if isinstance(entry.get("type"), list) else describe(entry)
    return f"mapping of names to: {told[0].lower() + told[1:]}"


def _find_notes(keys: list[Key]) -> list[str]:
    """Return what holds between keys: which need each other, which are of earlier versions, what names they take."""
    notes: list[str] = []
    names: dict[str, list[str]] = {}
    for path, schema, _ in keys:
        if choices := [f"`{path}.{choice['required'][0]}`" for choice in schema.get("anyOf", ())]:
            notes.append(f"At least one of {' and '.join(choices)} is required.")
        for key, others in schema.get("dependentRequired", {}).items():
            notes += [f"`{path}.{key}` needs `{path}.{other}`." for other in others]
        notes += _tell_moved(f"{path}.NAME" if _find_entry(schema) else path, _find_entry(schema) or schema)
        if wants := resolve(schema.get("propertyNames", {})).get("x-wants"):
            names.setdefault(_noun(wants), []).append(f"`{path}`")
    return notes + [f"Names in {', '.join(paths)}: {_escape(wants)}" for wants, paths in names.items()]


def _tell_moved(path: str, schema: Schema) -> list[str]:
    moved: Mapping[str, str] = schema.get("x-moved", {})
    code = {key: re.sub(r"write ([a-z_.]+(?:: .*)?)", r"write `\1`", remedy) for key, remedy in moved.items()}
    return [f"`{path}.{key}` is a key of earlier versions: {remedy}." for key, remedy in code.items()]


def _list_choices(schema: Schema) -> str:
    return ", ".join(f"`{choice}`" for choice in schema["enum"])


def _noun(wants: str) -> str:
    """Return a remedy of the schema as the thing that it asks for."""
    return re.sub(r"^(write|give) ", "", wants)


def _escape(text: str) -> str:
    """Return a text whose placeholders, characters and mappings stand as code, for a cell of a table."""
    text = re.sub(r"'([^' ]{1,2})'", r"`\1`", text)
    return re.sub(r"((?:\w+: )?\{[^{}]+\})", r"`\1`", text).replace("|", "\\|")
