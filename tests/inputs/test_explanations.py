"""What a schema refuses is explained so that its reader knows what to write."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import Run

from manifesto.errors import Fault, suggest
from manifesto.inputs import schema
from manifesto.inputs.documents import read_mapping
from manifesto.inputs.merging import Composed, plain_layer
from manifesto.inputs.schema import validate

CLUSTER = """\
name: c
gpus_per_node: 8
accelerators:
  default: gpu
  profiles:
    gpu:
      allocation: {extended_resource: {resource_name: nvidia.com/gpu}}
      node_selector: {a: b}
      gpu_arch: gpu
      presence_label: p
      torch_cuda_arch_list: "9.0"
"""


def cluster(more: str) -> Composed:
    layer = plain_layer("c.yaml", read_mapping((CLUSTER + more).encode(), "c.yaml"))
    return Composed("cluster", layer.value, (layer,))


def told(more: str, verdicts: Path | None = None) -> list[str]:
    return [str(fault) for fault in validate(cluster(more), "cluster", verdicts)]


@pytest.mark.parametrize(
    ("more", "line"),
    [
        ("rdma: {resource_name: a.b/c, value: '0'}\n", "rdma.value: '0' is not accepted; write a whole number"),
        ("rdma: {resource_name: a.b/c, value: 1.0}\n", "rdma.value: 1.0 is a number; write a whole number"),
        ('openshift: {scc: "a\\n"}\n', "openshift.scc: 'a\\n' is not accepted; write lower-case letters"),
        ("kueue: {local_queue: 012}\n", 'kueue.local_queue: 012 is a whole number; write "012" in quotes'),
        ("naming: {user_prefix: 'true'}\n", "naming.user_prefix: 'true' is text; write true without quotes"),
        (
            "pod_defaults: {annotations: {a: yes}}\n",
            'pod_defaults.annotations.a: yes is a boolean; write "yes" in quotes',
        ),
        ("platform:\n", "platform: this is no choice here; write one of: kubernetes, openshift"),
        ("platform: [a]\n", "platform: this is no choice here; write one of: kubernetes, openshift"),
        (
            "fabric: {default_env: {A: {secret: s}}}\n",
            "fabric.default_env.A.key: key is missing; write key (Key in the Secret)",
        ),
    ],
)
def test_words(more: str, line: str) -> None:
    (found,) = told(more)
    assert found.startswith(line)


def test_faults_are_one_line_and_not_endless() -> None:
    (line,) = told('platform: "a\\n\\e[31m\\u2028' + "x" * 5000 + '"\n')
    assert line.isprintable()
    assert len(line) < 2000
    token = "hf_" + "a1" * 15
    (line,) = told(f"platform: {token}\n")
    assert token not in line
    assert "***" in line
    assert str(Fault("a.b", "x" * 990 + f" {token} " + "y" * 1000)).count("hf_") == 0


def test_verdicts_are_remembered_only_for_sound_documents(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert told("", tmp_path) == []
    assert told("platform: aws\n", tmp_path) != []
    assert len(list(tmp_path.iterdir())) == 1

    def judge(_: str) -> Any:
        raise AssertionError("this was judged before")

    monkeypatch.setattr(schema, "_validator", judge)
    assert told("", tmp_path) == []
    with pytest.raises(AssertionError):
        told("platform: kubernetes\n", tmp_path)


def test_a_folder_of_verdicts_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert told("", tmp_path / "file" / "verdicts") == []


def test_suggestions() -> None:
    assert suggest("replica", ["replicas", "size"]) == " (did you mean replicas?)"
    assert suggest("ab", ["abc", "abd", "abe"], most=3) == " (did you mean abe, abd or abc?)"
    assert suggest("x", ["replicas"]) == ""


def test_warnings_become_faults_with_strict(tmp_path: Path, manifesto: Callable[..., Run]) -> None:
    run = manifesto("render", "manifest", "qwen/aggregated", "--cluster", "example-h200")
    assert (run.status, run.err.startswith("warning: catalog/models/qwen/aggregated.yaml:3:10: release: ")) == (0, True)
    strict = manifesto("render", "manifest", "qwen/aggregated", "--cluster", "example-h200", "--strict")
    assert (strict.status, strict.out) == (2, "")
    assert f"warning: {strict.err}" == run.err
