"""Every golden document is what Kubernetes' own schemas accept, strictly, for the newest minor that the wheel has."""

import json
from functools import cache
from pathlib import Path
from typing import Any

import kubernetes_validate
import pytest
from cases import list_manifests, read_manifest
from jsonschema import Draft202012Validator
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT202012

FOLDER = Path(kubernetes_validate.__file__).parent / "kubernetes-json-schema"


def newest() -> Path:
    folders = FOLDER.glob("v*-local-strict")
    return max(folders, key=lambda path: [int(part) for part in path.name[1:].split("-")[0].split(".")])


@cache
def registry() -> Registry[Any]:
    definitions = json.loads((newest() / "_definitions.json").read_text())
    return Registry().with_resource("/api/_definitions.json", Resource.from_contents(definitions, DRAFT202012)).crawl()


@cache
def validator(api_version: str, kind: str) -> Draft202012Validator:
    group, _, version = api_version.rpartition("/")
    name = "-".join(part for part in (kind.lower(), group.partition(".")[0], version) if part)
    return Draft202012Validator(json.loads((newest() / f"{name}.json").read_text()), registry=registry())


def list_faults(document: dict[str, Any]) -> list[str]:
    found = validator(document["apiVersion"], document["kind"]).iter_errors(document)
    nulls = [f"{path} is null" for path, value in walk(document) if value is None]
    return [f"{error.json_path}: {error.message}" for error in found] + nulls


def walk(value: Any, path: str = "$") -> Any:
    yield path, value
    children = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, child in children:
        yield from walk(child, f"{path}.{key}")


@pytest.mark.parametrize("path", list_manifests(), ids=lambda path: path.parent.name)
def test_documents_are_valid(path: Path) -> None:
    for document in read_manifest(path):
        assert list_faults(document) == []


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda spec: spec.update(replica=1), "'replica' was unexpected"),
        (lambda spec: spec.update(replicas="1"), "'1' is not of type"),
        (lambda spec: spec.pop("selector"), "'selector' is a required property"),
        (lambda spec: spec["template"]["spec"].update(dnsConfig=None), "is null"),
        (lambda spec: spec["template"]["spec"]["containers"][0].update(image=None), "is null"),
    ],
)
def test_the_schemas_can_fail(change: Any, told: str) -> None:
    (path,) = [path for path in list_manifests() if path.parent.name == "direct-minimal"]
    document = read_manifest(path)[0]
    change(document["spec"])
    assert any(told in fault for fault in list_faults(document))
