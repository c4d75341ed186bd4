"""kubectl's reader sees in every golden manifest the values that Python sees, and nothing that it would rewrite."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml
from cases import list_manifests, read_manifest
from conftest import require


def read_with_kubectl(text: str, *command: str) -> list[dict[str, Any]]:
    """Return the documents of a manifest as kubectl decodes them, without a cluster.

    `label --local` keeps objects as they are read; `set env --local` decodes workloads into their types.
    """
    words = [require("kubectl"), *(command or ("label", "added=by-the-test")), "--local", "-o", "json", "-f", "-"]
    run = subprocess.run(words, input=text, capture_output=True, text=True, check=False, timeout=60)
    assert run.returncode == 0, run.stderr
    decoder, documents, rest = json.JSONDecoder(), [], run.stdout.strip()
    while rest:
        document, end = decoder.raw_decode(rest)
        documents += document["items"] if document["kind"] == "List" else [document]
        rest = rest[end:].strip()
    return documents


@pytest.mark.parametrize("path", list_manifests(), ids=lambda path: path.parent.name)
def test_kubectl_reads_what_python_reads(path: Path) -> None:
    documents = read_manifest(path)
    read = read_with_kubectl(path.read_text())
    for document in read:
        document["metadata"]["labels"].pop("added")
    assert read == documents


@pytest.mark.parametrize("path", list_manifests(), ids=lambda path: path.parent.name)
def test_workloads_are_in_canonical_form(path: Path) -> None:
    workloads = [document for document in read_manifest(path) if document["kind"] == "Deployment"]
    decoded = read_with_kubectl(yaml.safe_dump_all(workloads), "set", "env", "ADDED=1")
    assert len(decoded) == len(workloads)
    for document, typed in zip(workloads, decoded, strict=True):
        for written, kept in zip(containers(document), containers(typed), strict=True):
            assert written["resources"] == kept["resources"]
        assert sizes(document) == sizes(typed)


def containers(document: dict[str, Any]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = document["spec"]["template"]["spec"]["containers"]
    return found


def sizes(document: dict[str, Any]) -> list[str]:
    volumes = document["spec"]["template"]["spec"]["volumes"]
    return [volume["emptyDir"]["sizeLimit"] for volume in volumes if "sizeLimit" in volume.get("emptyDir", {})]
