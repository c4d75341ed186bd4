"""One step on either side of what the relations allow: (case, change, the rules that find it)."""

from fractions import Fraction
from typing import Any

import pytest
from manifests import GONE, Change, Manifest, add, both, foreign, grouped, put, script

from manifesto.kubernetes.quantities import read_quantity

MINIMAL, OPENSHIFT = "direct-minimal", "openshift"
INSTANCE, COMPONENT, QUEUE = "app.kubernetes.io/instance", "app.kubernetes.io/component", "kueue.x-k8s.io/queue-name"
TOKEN = "hf_" + "a" * 30

Rows = list[tuple[Change, list[str]]]


def vllm(*path: str | int, to: Any) -> Change:
    return put("vllm", *path, to=to)


def probe(kind: str = "readinessProbe", **fields: Any) -> Change:
    return both(vllm(kind, to={"tcpSocket": {"port": 8000}}), *(vllm(kind, key, to=to) for key, to in fields.items()))


def rename(name: str, *changes: Change, size: int = 2) -> Change:
    return grouped(size, put("workload", "metadata", "name", to=name), *changes)


def spec(*path: str, to: Any) -> Change:
    return put("workload", "spec", *path, to=to)


def rollout(**shares: Any) -> Change:
    return spec("rolloutStrategy", "rollingUpdateConfiguration", to=shares)


def rolling(**shares: Any) -> Change:
    return spec("strategy", "rollingUpdate", to=shares)


def gpus(count: int) -> Change:
    return both(vllm("resources", to={"limits": {"nvidia.com/gpu": count}}),
                put("workload", "metadata", "annotations", "manifesto/gpus-per-pod", to=str(count)))  # fmt: skip


def ports(*numbers: int) -> Change:
    return vllm("ports", to=[{"containerPort": number} for number in numbers])


def ask(port: int) -> Change:
    return vllm("startupProbe", to={"httpGet": {"port": port}})


def ours(kind: str, name: str, **parts: Any) -> dict[str, Any]:
    document = foreign(kind, name, **parts)
    document["metadata"]["labels"] = {"app.kubernetes.io/name": "manifesto"}
    return document


def pod_with(*volumes: Any) -> dict[str, Any]:
    mounts = [{"name": volume["name"], "mountPath": f"/{volume['name']}"} for volume in volumes]
    return {"containers": [{"name": "a", "image": "b", "volumeMounts": mounts}], "volumes": list(volumes)}


NAMES: Rows = [
    (put("pod", "containers", 1, "name", to="a" * 63), []),
    (put("pod", "containers", 1, "name", to="a" * 64), ["name"]),
    (put("pod", "containers", 1, "ports", 0, "name", to="a" * 15), []),
    (put("pod", "containers", 1, "ports", 0, "name", to="a" * 16), ["port-name"]),
    (both(*(add({"kind": "ConfigMap", "metadata": {}}) for _ in range(2))), ["name", "name"]),
    (add(foreign("ServiceEntry", "a", spec={"ports": [{"number": 1}, {"number": 1}]})), []),
    (rename("a" * 49, spec("replicas", to=10), rollout(maxSurge="10%")), []),
    (rename("a" * 50, spec("replicas", to=10), rollout(maxSurge="10%")), ["name-budget"]),
    (rename("a" * 50, spec("replicas", to=10), rollout(maxSurge=1)), ["name-budget"]),
    (rename("a" * 50, spec("replicas", to=5), rollout(maxSurge=99)), []),
    (rename("a" * 39, put("workload", "metadata", "labels", QUEUE, to="q"), size=1), []),
    (rename("a" * 40, put("workload", "metadata", "labels", QUEUE, to="q"), size=1), ["name-budget"]),
    (grouped(1, add(foreign("LeaderWorkerSet", "restricted-server-x"))), []),
    (grouped(1, add(foreign("LeaderWorkerSet", "other-0"))), []),
    (grouped(1, add(foreign("Deployment", "restricted-server-0", spec={}))), []),
    (put("template", "metadata", "labels", "a" * 253 + "/b", to="c"), []),
    (put("template", "metadata", "labels", "a" * 254 + "/b", to="c"), ["label"]),
    (put("service", "spec", "selector", INSTANCE, to="a b"), ["label", "selector"]),
    (put("template", "metadata", "annotations", to={"a": "x" * 262143}), ["apply-size"]),
]

LIMITS: Rows = [
    (add(foreign("ConfigMap", "a", data={"k": "x" * 1048575})), ["apply-size"]),
    (add(foreign("ConfigMap", "a", data={"k": "x" * 1048576})), ["config-map-size", "apply-size"]),
    (add(foreign("Secret", "a", stringData={"k": "x" * 1048576})), ["apply-size"]),
    (spec("replicas", to="1"), ["replicas"]),
    (grouped(1, spec("leaderWorkerTemplate", "size", to="2")), ["replicas"]),
    (spec("strategy", to={"type": "Recreate"}), []),
    (rolling(maxUnavailable=200), []),
    (rolling(maxUnavailable=-1), ["rollout"]),
    (rolling(maxSurge="50 %"), ["rollout"]),
    (grouped(2, rollout(maxSurge=0)), []),
    (grouped(2, rollout(maxSurge=1, maxUnavailable=0)), []),
    (grouped(2, spec("replicas", to=GONE), rollout(maxUnavailable="50%")), ["replicas", "rollout"]),
    (vllm("resources", "requests", "cpu", to=0), []),
    (vllm("ports", 0, "hostPort", to=65535), []),
    (probe(initialDelaySeconds=0, timeoutSeconds=1, periodSeconds=1, successThreshold=1, failureThreshold=1), []),
    (probe(initialDelaySeconds=-1), ["probe"]),
    (probe(timeoutSeconds=0), ["probe"]),
    (probe(successThreshold=0), ["probe"]),
    (probe(failureThreshold=0), ["probe"]),
    (probe(periodSeconds="5"), ["probe"]),
    (probe(successThreshold=2), []),
    (probe("livenessProbe", successThreshold=1, terminationGracePeriodSeconds=5), []),
]

PORTS: Rows = [
    (add(foreign("Service", "a", spec={"selector": {INSTANCE: "restricted"}, "ports": [{"port": 1}]})), []),
    (both(ports(8000, 9000), put("service", "spec", "ports", to=[{"port": 8000}])), []),
    (both(vllm("ports", 1, to={"containerPort": 8000, "protocol": "UDP"}),
          put("service", "spec", "ports", 1, to={"name": "more", "port": 8000, "protocol": "UDP"})), []),
]  # fmt: skip

LAUNCH: Rows = [
    (both(script("--tensor-parallel-size 1", "-dp 2 -dpl 2 -dpm"), gpus(2), ports(8000, 8001, 9256), ask(9256)), []),
    (both(script("--tensor-parallel-size 1", "-dp 2 -dpl 2 -dpm"), gpus(2), ports(8000, 8002), ask(8002)),
     ["launch-port"]),
    (both(ports(8000, 9256), ask(9256)), ["launch-port"]),
    (both(ports(8000, 8001), ask(8001), script("--port 8000", "--port 8000 -dpl 1")), ["launch-port"]),
    (script("--tensor-parallel-size 1", "-dpm -dp 2 -dpl $LOCAL"), []),
    (both(script("--tensor-parallel-size 1", "-dp 4 -dpl $LOCAL")), []),
    (both(script("--tensor-parallel-size 1", "-dp $ALL -dpl 1")), []),
    (script("--tensor-parallel-size 1", "--tensor-parallel-size $TP"), []),
    (grouped(2, script("--tensor-parallel-size 1", "--tensor-parallel-size 2")), []),
    (vllm("args", to=[]), []),
    (put("workload", "metadata", "annotations", "manifesto/gpus-per-pod", to="one"), ["gpus-per-pod"]),
    (both(vllm("resources", to={"limits": {"nvidia.com/gpu": 1, "example.com/rdma": 2}}),
          put("workload", "metadata", "annotations", "manifesto/gpus-per-pod", to="2")), ["gpus-per-pod"]),
    (both(put("workload", "metadata", "labels", COMPONENT, to="epp"),
          put("workload", "metadata", "annotations", to=GONE)), []),
    (both(put("workload", "metadata", "labels", "app.kubernetes.io/name", to="other"),
          script("--port 8000", "--port 1"), put("workload", "metadata", "annotations", to=GONE)), []),
]  # fmt: skip

REFERENCES: Rows = [
    (add(ours("Job", "a", spec={"template": {"spec": pod_with({"name": "a", "configMap": {"name": "b"}})}})),
     ["reference"]),
    (add(ours("Job", "a", spec={"template": {"spec": pod_with(
        {"name": "a", "configMap": {"name": "b", "optional": True}})}})), []),
    (add(ours("Job", "a", spec={"template": {"spec": pod_with(
        {"name": "a", "configMap": {"name": "b", "items": [{"key": "c", "path": "c"}, {"key": "d", "path": "d"}]}})}})),
     ["reference"]),
    (vllm("env", 0, to={"name": "A", "valueFrom": {
        "configMapKeyRef": {"name": "restricted-b", "key": "c", "optional": True}}}), []),
    (put("pod", "serviceAccountName", to="default"), []),
    (put("binding", "subjects", 1, to={"kind": "Group", "name": "everyone"}), []),
    (add(foreign("Deployment", "a", subjects=[{"kind": "ServiceAccount", "name": "b"}], spec={})), []),
    (both(put("binding", "roleRef", "name", to="mine"), add({"kind": "ClusterRole", "metadata": {"name": "mine"}})),
     []),
    (both(put("binding", "roleRef", to={"kind": "Role", "name": "mine"}), add(foreign("Role", "mine"))), []),
]  # fmt: skip

SECRETS: Rows = [
    (script("--port", f"--api-key {TOKEN} --port"), ["token"]),
    (put("config_map", "data", "HF_TOKEN", to=TOKEN), ["token"]),
    (put("config_map", "data", "HF_TOKEN", to=""), []),
    (add(foreign("Secret", "a", data={"VLLM_API_KEY": "YWJj"})), []),
]

ROWS = [*NAMES, *LIMITS, *PORTS, *LAUNCH, *REFERENCES, *SECRETS]


@pytest.mark.parametrize(("change", "rules"), ROWS, ids=[f"{at}-{'-'.join(row[1])}" for at, row in enumerate(ROWS)])
def test_a_step_decides(change: Change, rules: list[str]) -> None:
    manifest = Manifest(OPENSHIFT)
    change(manifest)
    assert sorted(line.split()[0] for line in manifest.told()) == sorted(f"proof.{rule}" for rule in rules)


@pytest.mark.parametrize(
    ("written", "amount"),
    [("1", 1), (2, 2), (1.5, Fraction(3, 2)), (".5", Fraction(1, 2)), ("5.", 5), ("-1", -1), ("+1", 1)]
    + [("1n", Fraction(1, 10**9)), ("1u", Fraction(1, 10**6)), ("1m", Fraction(1, 1000)), ("1k", 1000)]
    + [("1M", 10**6), ("1G", 10**9), ("1T", 10**12), ("1P", 10**15), ("1E", 10**18)]
    + [("1e3", 1000), ("1E-3", Fraction(1, 1000))]
    + [(f"1{letter}i", 1024**power) for power, letter in enumerate("KMGTPE", start=1)]
    + [(odd, None) for odd in ("", "e3", "1KiB", "1 Gi", "--1", "1ki", True, None, [1])],
)  # fmt: skip
def test_a_quantity_is_read_as_kubernetes_does(written: Any, amount: Any) -> None:
    assert read_quantity(written) == amount
