"""What the proof reads out of a launch script: Kubernetes' expansion, and the last `vllm serve`."""

from typing import Any

import pytest
from manifests import Manifest, both, put, script

from manifesto.proof.documents import Container
from manifesto.proof.scripts import expand, find_serve, read_environment


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("$(A)", "1"),
        ("$$(A)", "$(A)"),
        ("$$$(A)", "$1"),
        ("$(B) $A ${A} $", "$(B) $A ${A} $"),
        ("kill $$", "kill $"),
        ("$(echo $$)", "$(echo $$)"),
        ("$(A", "$(A"),
    ],
)
def test_expansion_is_that_of_kubernetes(text: str, expected: str) -> None:
    assert expand(text, {"A": "1"}) == expected


def test_variables_expand_from_earlier_ones() -> None:
    env = [
        {"name": "A", "value": "$(B)"},
        {"name": "B", "value": "b"},
        {"name": "C", "value": "$(B)$(B)"},
        {"name": "B", "valueFrom": {"fieldRef": {"fieldPath": "status.podIP"}}},
        {"name": "D"},
    ]
    container = Container(("spec", "containers", 0), {"env": env})
    assert read_environment(container) == {"A": "$(B)", "C": "bb", "D": ""}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("vllm serve m --port 1", ["m", "--port", "1"]),
        ("  exec vllm serve m \\\n    --port 1 \\\n    --seed 2\n", ["m", "--port", "1", "--seed", "2"]),
        ("vllm serve m --port 1 &\nwait", ["m", "--port", "1"]),
        ("vllm serve m --port 1; exit", ["m", "--port", "1"]),
        ("vllm serve m >log 2>&1", ["m"]),
        ("vllm serve a --port 1\nvllm serve b --port 2\n", ["b", "--port", "2"]),
        ("vllm serve m --json '{\"a b\":\n1}' --port 1\nexit", ["m", "--json", '{"a b":\n1}', "--port", "1"]),
        ("vllm serve m --paths /a,/b:c 'x & y' --tag=a#b", ["m", "--paths", "/a,/b:c", "x & y", "--tag=a#b"]),
        ("vllm serve", []),
    ],
)
def test_the_last_command_is_found(text: str, words: list[str]) -> None:
    command = find_serve(text)
    assert command is not None
    assert command.words == words


@pytest.mark.parametrize(
    "text", ["", "vllm bench serve", "echo vllm serve m", "vllm served", "vllm serve 'm", "$VLLM serve m"]
)
def test_other_commands_are_not_judged(text: str) -> None:
    assert find_serve(text) is None


@pytest.mark.parametrize(
    ("arguments", "tp"),
    [
        ("", 1),
        ("--tensor-parallel-size 2", 2),
        ("--tensor_parallel_size=2", 2),
        ("-tp 2 --tensor-parallel-size 4", 4),
        ("--tensor 2", 2),
        ("--tensor-parallel-size $TP", None),
        ("--tensor-parallel-size=$TP", None),
        ("--tensor-parallel-size", None),
        ("--seed $SEED", 1),
        ("--seed=$SEED", 1),
        ('--seed "$((SEED + 1))"', 1),
        ("$MORE", None),
        ('--seed 1 "${more[@]}"', None),
        ('"${more[@]}" -tp 2', 2),
        ("--seed $(date +%s) -tp 2", 2),
        ("--seed $(date +%s)", None),
        ("--seed `date +%s`", None),
        ("--data-parallel-size 2", 1),
        ("--seed `date`", 1),
        ("-t 2", 1),
        ("-- -tp2", 1),
    ],
)
def test_an_option_is_read_as_vllm_does(arguments: str, tp: int | None) -> None:
    command = find_serve(f'vllm serve "$MODEL" {arguments}')
    assert command is not None
    assert command.number("tp", 1) == tp


JUDGED: list[tuple[str, Any, list[str]]] = [
    ("a port given by the environment", both(script("--port 8000", "--port $(PORT)"),
                                             put("vllm", "env", 4, to={"name": "PORT", "value": "8001"})),
     ["proof.launch-port"]),
    ("a port that only bash knows", script("--port 8000", "--port $PORT"), []),
    ("a port that only the cluster knows", both(script("--port 8000", "--port $(PORT)"), put("vllm", "env", 4, to={
        "name": "PORT", "valueFrom": {"fieldRef": {"fieldPath": "metadata.name"}}})), []),
    ("no port is vLLM's own", script("--port 8000", ""), []),
    ("a port that is no number", script("--port 8000", "--max-num-seqs 8001 --port=8_001"), []),
    ("words beyond what is literal", script("vllm serve", "$LAUNCHER serve"), []),
    ("a native sidecar answers for vLLM", both(
        script("--port 8000", "--port 8200"), put("vllm", "ports", 0, to={"name": "backend", "containerPort": 8200}),
        put("pod", "initContainers", to=[{"name": "proxy", "image": "proxy", "restartPolicy": "Always",
                                          "ports": [{"name": "http", "containerPort": 8000}]}])), []),
    ("a probe by name", put("vllm", "readinessProbe", "httpGet", "port", to="http"), []),
    ("ranks with a port each", both(
        script("--tensor-parallel-size 1", "-dp 2 -dpl 2 -dpm --data-parallel-supervisor-port 8100"),
        put("vllm", "resources", "requests", "nvidia.com/gpu", to="2"),
        put("vllm", "resources", "limits", "nvidia.com/gpu", to="2"),
        put("workload", "metadata", "annotations", "manifesto/gpus-per-pod", to="2"),
        put("vllm", "ports", to=[{"name": "http", "containerPort": 8000}, {"name": "http-1", "containerPort": 8001},
                                 {"containerPort": 8100}]),
        put("vllm", "startupProbe", to={"httpGet": {"path": "/health", "port": 8100}})), []),
    ("all ranks are local unless told", both(
        script("--tensor-parallel-size 1", "--data-parallel-size 2"),
        put("vllm", "resources", to={"limits": {"nvidia.com/gpu": "2"}}),
        put("workload", "metadata", "annotations", "manifesto/gpus-per-pod", to="2")), []),
    ("one rank is local with a rank", script("--tensor-parallel-size 1", "-dpn 0 --data-parallel-size 2"),
     ["proof.launch-ranks"]),
    ("GPUs by claims", both(put("vllm", "resources", to={"claims": [{"name": "gpu"}]}),
                            put("pod", "resourceClaims", to=[{"name": "gpu", "resourceClaimName": "one"}]),
                            put("workload", "metadata", "annotations", "manifesto/gpus-per-pod", to="2")),
     ["proof.launch-gpus"]),
]  # fmt: skip


@pytest.mark.parametrize(("change", "rules"), [row[1:] for row in JUDGED], ids=[row[0] for row in JUDGED])
def test_a_launch_is_judged_as_far_as_it_is_literal(change: Any, rules: list[str]) -> None:
    manifest = Manifest("direct-minimal")
    change(manifest)
    assert [line.split()[0] for line in manifest.told()] == rules
