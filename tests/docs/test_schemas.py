"""The schemas describe every key, are closed wherever nothing foreign stands, and agree with catalog/defaults.yaml."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

import pytest
import yaml
from conftest import TESTS
from reference import SCHEMAS, Key, load, resolve

NAMES = sorted(path.name.removesuffix(".schema.json") for path in SCHEMAS.glob("*.schema.json"))
BELOW = {"items": "[]", "additionalProperties": "*", "propertyNames": "NAMES"}

# What belongs to Kubernetes, vLLM or the endpoint picker is judged by them.
FREE_FORM = {
    "model": {
        "routing.plugin_config",
        "routing.epp.plugin_configs.*",
        "$defs.role.kv_transfer_config",
        "$defs.role.profiling",
        "$defs.vllm_arguments",
    },
    "cluster": {
        "$defs.volume_source",
        "pod_defaults.affinity",
        "pod_defaults.container_security_context",
        "pod_defaults.dns_config",
        "pod_defaults.extra_volumes.[]",
        "pod_defaults.extra_volume_mounts.[]",
        "pod_defaults.tolerations.[]",
    },
    "context": {
        "$defs.role.affinity",
        "$defs.role.dns_config",
        "$defs.role.env.[]",
        "$defs.role.node_selector",
        "$defs.role.pod_annotations",
        "$defs.role.ports.[]",
        "$defs.role.security_context",
    },
}


def walk(schema: Mapping[str, Any], path: str = "") -> Iterator[tuple[str, Mapping[str, Any], bool]]:
    """Yield (path, schema, whether people read its description) of a schema and of all below it."""
    for group in ("properties", "$defs"):
        for name, value in schema.get(group, {}).items():
            below = ".".join(part for part in (path, "$defs" if group == "$defs" else "", name) if part)
            yield below, value, True
            yield from walk(value, below)
    for name, mark in BELOW.items():
        if isinstance(value := schema.get(name), dict):
            below = f"{path}.{mark}"
            yield below, value, name != "propertyNames"
            yield from walk(value, below)


def walk_all(name: str) -> list[tuple[str, Mapping[str, Any], bool]]:
    return [("", load(name), True), *walk(load(name))]


@pytest.mark.parametrize("name", NAMES)
def test_every_key_is_described(name: str) -> None:
    bare = [path for path, schema, read in walk_all(name) if read and not resolve(dict(schema)).get("description")]
    assert bare == []


@pytest.mark.parametrize("name", NAMES)
def test_descriptions_are_sentences(name: str) -> None:
    texts = {path: schema["description"] for path, schema, _ in walk_all(name) if "description" in schema}
    assert [path for path, text in texts.items() if not text.endswith(".") or "  " in text] == []


@pytest.mark.parametrize("name", NAMES)
def test_objects_are_closed(name: str) -> None:
    """An object is closed, or says what its entries are; the rest stands in FREE_FORM."""
    free = {path for path, schema, _ in walk_all(name) if takes_mappings(schema) and is_open(schema)}
    assert free == FREE_FORM.get(name, set())


def takes_mappings(schema: Mapping[str, Any]) -> bool:
    kinds = schema.get("type", ())
    return "object" in ([kinds] if isinstance(kinds, str) else kinds)


def is_open(schema: Mapping[str, Any]) -> bool:
    return schema.get("additionalProperties", True) is True


@pytest.mark.parametrize("name", ["model", "cluster"])
def test_patterns_say_what_is_wanted(name: str) -> None:
    patterns = [(path, schema) for path, schema, _ in walk_all(name) if "pattern" in schema]
    assert [path for path, schema in patterns if "x-wants" not in schema] == []


def test_defaults_agree() -> None:
    """Every `default` of a schema is the one of catalog/defaults.yaml, and the other way round."""
    defaults = yaml.safe_load((TESTS.parent / "catalog" / "defaults.yaml").read_text())
    fields = defaults["fields"]
    sections = {name: flatten(section) for name, section in defaults["sections"].items()}
    model, cluster = list_defaults(load("model")), list_defaults(load("cluster"))
    assert {path: text for path, text in model.items() if not path.startswith("roles.")} == {
        **flatten(fields["model"]),
        **sections["model"],
    }
    role = {path.removeprefix("roles.*."): text for path, text in model.items() if path.startswith("roles.")}
    assert role == flatten(fields["role"])
    assert cluster == {**flatten(fields["cluster"]), **sections["cluster"]}


def list_defaults(schema: Mapping[str, Any]) -> dict[str, str]:
    """Return the defaults of a schema by path, as JSON."""
    return {key.path: json.dumps(key.schema["default"]) for key in descend(schema) if "default" in key.schema}


def descend(schema: Mapping[str, Any], path: str = "") -> Iterator[Key]:
    """Yield every key below a schema, references followed."""
    children = {**schema.get("properties", {}), "*": schema.get("additionalProperties")}
    for name, value in children.items():
        if isinstance(value, dict):
            key = Key(f"{path}.{name}".lstrip("."), resolve(value), False)
            yield key
            yield from descend(key.schema, key.path)


def flatten(value: Any, path: str = "") -> dict[str, str]:
    """Return the leaves of a mapping by path, as JSON."""
    if not isinstance(value, dict):
        return {path: json.dumps(value)}
    return {
        key: leaf for name, item in value.items() for key, leaf in flatten(item, f"{path}.{name}".lstrip(".")).items()
    }
