"""Findings name the object and hide secrets; no document, however odd, makes the proof fail."""

from collections.abc import Iterator
from copy import deepcopy
from itertools import cycle, islice
from typing import Any

import pytest
from manifests import Manifest, put

from manifesto.proof import prove
from manifesto.proof.findings import Finding

TOKEN = "hf_" + "a" * 30


def test_a_finding_reads_as_one_line() -> None:
    finding = Finding("proof.name", 0, ("spec", "ports", 0, "a.b"), "it is wrong; write it right", "Service/a")
    assert str(finding) == 'Service/a: spec.ports[0]["a.b"]: it is wrong; write it right [proof.name]'


@pytest.mark.parametrize(
    "change",
    [
        put("vllm", "env", 0, to={"name": "HF_TOKEN", "value": TOKEN}),
        put("vllm", "image", to=f"a {TOKEN}"),
        put("workload", "metadata", "labels", TOKEN + "!", to=TOKEN + "!"),
        put("workload", "metadata", "name", to=f"a {TOKEN}"),
        put("service", "spec", "ports", 0, "targetPort", to=TOKEN),
    ],
)
def test_no_finding_shows_a_token(change: Any) -> None:
    manifest = Manifest("direct-minimal")
    change(manifest)
    findings = prove(manifest.documents)
    assert findings
    assert all(TOKEN not in str(finding) for finding in findings)


@pytest.mark.parametrize("secret", ["s3cret", "s3cret $(A)"])
def test_no_finding_shows_a_secret(secret: str) -> None:
    manifest = Manifest("direct-minimal")
    manifest.vllm["env"] += [{"name": "VLLM_API_KEY", "value": secret}, {"name": "VLLM_API_KEY", "value": secret}]
    manifest.edit_script("--port 8000", "--api-key s3cret --hf-token=s3cret --port s3cret")
    findings = prove(manifest.documents)
    assert len(findings) >= 3
    assert all("s3cret" not in str(finding) for finding in findings)


def test_a_finding_of_a_whole_object_has_no_path() -> None:
    assert str(Finding("proof.name", 0, (), "it is wrong", "Service/a")) == "Service/a: it is wrong [proof.name]"


def test_long_values_are_cut() -> None:
    manifest = Manifest("direct-minimal")
    manifest.workload["metadata"]["name"] = "a" * 70 + f" {TOKEN} " + "b" * 9000
    problems = [finding.problem for finding in prove(manifest.documents) if finding.rule == "proof.name"]
    assert [len(problem) < 200 and "hf_" not in problem for problem in problems] == [True]


def test_findings_name_their_object() -> None:
    manifest = Manifest("direct-minimal")
    manifest.service["spec"]["ports"][0]["port"] = 8001
    assert [finding.name for finding in prove(manifest.documents)] == ["Service/small-server-svc"]


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    for key, item in list(value.items() if isinstance(value, dict) else enumerate(value)):
        yield value, key
        if isinstance(item, dict | list):
            yield from places(item)


ODD: list[Any] = [None, "odd", -1, 10**40, True, [], [None], ["odd"], [[]], {}, {"a": None}, {7: []}, ""]


@pytest.mark.parametrize(("size", "leader"), [(0, False), (2, True)])
def test_odd_values_never_make_the_proof_fail(size: int, leader: bool) -> None:
    manifest = Manifest("direct-minimal")
    manifest.documents.append(Manifest("openshift").config_map)
    manifest.documents.append(Manifest("openshift").binding)
    manifest.pod.update(tolerations=[{"key": "a"}], resourceClaims=[{"name": "a", "resourceClaimName": "b"}])
    manifest.vllm["env"].append({"name": "A", "valueFrom": {"configMapKeyRef": {"name": "a", "key": "b"}}})
    documents = (manifest.group(size, leader) if size else manifest).documents
    before, odd = deepcopy(documents), cycle(ODD)
    for document in documents:
        for parent, key in places(document):
            kept = parent[key]
            for value in islice(odd, 3):
                parent[key] = value
                prove(documents)
            parent[key] = kept
    assert documents == before
