"""Every place of a schema that holds text: values, keys of free maps, items of lists."""

from collections.abc import Iterator, Mapping
from typing import Any

from manifesto.data import load_schema

Leaf = tuple[str, ...]
KEY = "<key>"
ANY = "<any>"
ITEM = "<item>"


def list_leaves(name: str) -> dict[Leaf, Mapping[str, Any]]:
    """Return path → schema of every text of `schemas/v1/<name>.schema.json`.

    A path step is a property's name, ANY for a key of a free map, KEY for that key's own text, ITEM for an
    item of a list. A free-form value (an open object without properties) counts as one text below it.
    """
    return dict(_walk(load_schema(name), load_schema(name), ()))


def _walk(schema: Any, root: Mapping[str, Any], path: Leaf) -> Iterator[tuple[Leaf, Mapping[str, Any]]]:
    if schema is True:
        yield (*path, ANY), {}
        return
    while "$ref" in schema:
        file, _, pointer = schema["$ref"].partition("#/")
        root = load_schema(file.removesuffix(".schema.json")) if file else root
        target: Any = root
        for part in pointer.split("/"):
            target = target[part]
        schema = {**target, **{key: value for key, value in schema.items() if key != "$ref"}}
    kinds = schema.get("type", [])
    kinds = [kinds] if isinstance(kinds, str) else kinds
    if "string" in kinds or "enum" in schema:
        yield path, schema
    for key, child in schema.get("properties", {}).items():
        yield from _walk(child, root, (*path, key))
    if "items" in schema:
        yield from _walk(schema["items"], root, (*path, ITEM))
    more = schema.get("additionalProperties")
    if isinstance(more, dict):
        names = schema.get("propertyNames", {})
        yield from _walk({**names, "type": "string"}, root, (*path, KEY))
        yield from _walk(more, root, (*path, ANY))
    elif "object" in kinds and more is not False and "properties" not in schema:
        yield (*path, ANY), {}
