"""What the relations let pass, on either side of a limit, and how far they judge documents of others."""

import json
from typing import Any

import pytest
from manifests import Change, Manifest, add, both, foreign, grouped, put

from manifesto.proof.references import list_outside

MINIMAL, OPENSHIFT, TWO = "direct-minimal", "openshift", "role-outside-the-pool"
INDEX, QUEUE = "leaderworkerset.sigs.k8s.io/worker-index", "kueue.x-k8s.io/queue-name"
ROLE = "llm-d.ai/role"


def changed(case: str, *changes: Change) -> Manifest:
    manifest = Manifest(case)
    both(*changes)(manifest)
    return manifest


def rename(name: str) -> Change:
    return put("workload", "metadata", "name", to=name)


def tolerate(**toleration: Any) -> Change:
    return put("pod", "tolerations", to=[toleration])


def rollout(**shares: Any) -> Change:
    return put("workload", "spec", "strategy", "rollingUpdate", to=shares)


def group_rollout(**shares: Any) -> Change:
    return put("workload", "spec", "rolloutStrategy", "rollingUpdateConfiguration", to=shares)


def replicas(count: int) -> Change:
    return put("workload", "spec", "replicas", to=count)


PASSING: dict[str, tuple[str, Change]] = {
    "a name of the greatest length": (MINIMAL, rename("a" * 253)),
    "a Service's name of the greatest length": (MINIMAL, put("service", "metadata", "name", to="a" * 63)),
    "a group's name that fits alone": (MINIMAL, grouped(1, rename("a" * 52))),
    "a group's name that fits with its index": (MINIMAL, grouped(2, rename("a" * 50))),
    "a group's name that fits with two digits": (MINIMAL, grouped(2, rename("a" * 49), replicas(11))),
    "a queued group's name": (
        MINIMAL, grouped(2, rename("a" * 39), put("workload", "metadata", "labels", QUEUE, to="q"))),
    "no replicas": (MINIMAL, grouped(2, replicas(0))),
    "a port's name of the greatest length": (MINIMAL, put("vllm", "ports", 0, "name", to="a23456789-12345")),
    "a label of the greatest length": (
        MINIMAL, put("template", "metadata", "labels", "e.com/" + "a" * 63, to="A_" * 31 + "a")),
    "an empty label": (MINIMAL, put("template", "metadata", "labels", "a", to="")),
    "an annotation with an upper-case prefix": (MINIMAL, put("workload", "metadata", "annotations", "E.com/A", to="b")),
    "a cluster-scoped object of ours": (OPENSHIFT, both(
        lambda m: m.binding["metadata"].pop("namespace"), put("binding", "kind", to="ClusterRoleBinding"))),
    "one port over TCP and UDP": (MINIMAL, put("vllm", "ports", 1, to={"containerPort": 8000, "protocol": "UDP"})),
    "a port that an init container opens before": (MINIMAL, put("pod", "initContainers", to=[
        {"name": "a", "image": "b", "ports": [{"containerPort": 8000}]}])),
    "a named target port": (MINIMAL, put("service", "spec", "ports", 0, "targetPort", to="http")),
    "a probed native sidecar": (MINIMAL, put("pod", "initContainers", to=[
        {"name": "a", "image": "b", "restartPolicy": "Always", "ports": [{"containerPort": 1}],
         "startupProbe": {"tcpSocket": {"port": 1}}}])),
    "only the leader serves": (MINIMAL, grouped(2, put("service", "spec", "selector", INDEX, to="0"))),
    "only the leader serves, by a template of its own": (
        MINIMAL, grouped(2, put("service", "spec", "selector", INDEX, to="0"), leader=True)),
    "a mount below a sub-folder of items": (OPENSHIFT, both(
        put("pod", "volumes", 1, "configMap", "items", to=[{"key": "counters.csv", "path": "a/b"}]),
        put("pod", "containers", 1, "volumeMounts", 0, "subPath", to="a"))),
    "a key by its sub-path": (OPENSHIFT, put("pod", "containers", 1, "volumeMounts", 0, "subPath", to="counters.csv")),
    "an optional reference": (MINIMAL, put("vllm", "envFrom", to=[
        {"configMapRef": {"name": "small-more", "optional": True}}])),
    "a whole limit alone": (MINIMAL, put("vllm", "resources", "limits", "example.com/rdma", to="2000m")),
    "a request equal to its limit in other words": (MINIMAL, put("vllm", "resources", "limits", "cpu", to="8000m")),
    "a limit as exponent": (MINIMAL, put("vllm", "resources", "limits", "memory", to="2e12")),
    "a surge beyond all replicas": (MINIMAL, rollout(maxSurge="200%", maxUnavailable=0)),
    "a rollout by default": (MINIMAL, put("workload", "spec", "strategy", to={"type": "RollingUpdate"})),
    "a group's rollout by default": (MINIMAL, grouped(2, put("workload", "spec", "rolloutStrategy", to={}))),
    "half of two groups": (MINIMAL, grouped(2, replicas(2), group_rollout(maxUnavailable="50%"))),
    "a hundredth of a group more": (MINIMAL, grouped(2, group_rollout(maxUnavailable=0, maxSurge="1%"))),
    "nothing to roll": (MINIMAL, grouped(2, replicas(0), group_rollout(maxUnavailable=0))),
    "every taint": (MINIMAL, tolerate(operator="Exists")),
    "a taint by value": (MINIMAL, tolerate(key="a", value="b", effect="NoExecute", tolerationSeconds=5)),
    "a variable of an earlier one": (MINIMAL, put("vllm", "env", 2, "value", to="$(TQDM_DISABLE) $(OTHER)")),
    "an escaped variable": (MINIMAL, put("vllm", "env", 1, "value", to="$$(VLLM_NO_USAGE_STATS)")),
    "a token that is a reference": (
        MINIMAL, put("vllm", "env", 4, to={"name": "VLLM_API_KEY", "value": "$(HF_TOKEN)"})),
    "an empty token": (MINIMAL, put("vllm", "env", 0, to={"name": "HF_TOKEN", "value": ""})),
    "a key out of the environment": (MINIMAL, lambda m: m.edit_script(
        "--port 8000", '--api-key "$VLLM_API_KEY" --hf-token --port 8000')),
    "a key by reference": (
        OPENSHIFT, put("pod", "containers", 1, "args", to=["--api-key", "$(KEY)", "--hf-token", "-v"])),
    "a Secret with a token": (MINIMAL, add(foreign("Secret", "a", stringData={"HF_TOKEN": "hf_" + "a" * 30}))),
}  # fmt: skip


@pytest.mark.parametrize(("case", "change"), PASSING.values(), ids=PASSING)
def test_what_is_right_passes(case: str, change: Change) -> None:
    assert changed(case, change).told() == []


@pytest.mark.parametrize(
    ("shares", "stuck"), [({"maxUnavailable": "1%"}, True), ({"maxUnavailable": 0, "maxSurge": 0}, True), ({}, False)]
)
def test_a_group_rolls_when_a_share_makes_a_replica(shares: dict[str, Any], stuck: bool) -> None:
    told = changed(MINIMAL, grouped(2, replicas(99), group_rollout(**shares))).told()
    assert [line.split()[0] for line in told] == (["proof.rollout"] if stuck else [])


def test_leaders_and_workers_are_judged_each() -> None:
    manifest = changed(MINIMAL, grouped(2, leader=True))
    parts = manifest.workload["spec"]["leaderWorkerTemplate"]
    for key in ("leaderTemplate", "workerTemplate"):
        parts[key]["spec"]["containers"][0]["readinessProbe"]["periodSeconds"] = 0
    place = "spec.containers[0].readinessProbe.periodSeconds"
    assert manifest.told() == [
        f"proof.probe LeaderWorkerSet spec.leaderWorkerTemplate.{key}.{place}"
        for key in ("leaderTemplate", "workerTemplate")
    ]


@pytest.mark.parametrize("extra", [0, 1])
def test_client_side_apply_takes_262144_bytes(extra: int) -> None:
    """Kubectl stores the compact JSON of Go, a line end, under a key of 48 characters; empty annotations too."""
    document = foreign("ConfigMap", "a", data={"k": "é<>&"})
    stored = json.dumps({**document, "metadata": {**document["metadata"], "annotations": {}}}, separators=(",", ":"))
    used = len("kubectl.kubernetes.io/last-applied-configuration") + len(stored.replace("\\u00e9", "éé")) + 3 * 5 + 1
    document["data"]["k"] += "x" * (262144 - used + extra)
    manifest = changed(MINIMAL, add(document))
    assert manifest.told() == (["proof.apply-size ConfigMap"] if extra else [])


def pod(**spec: Any) -> dict[str, Any]:
    return foreign("Pod", "guest", spec={"containers": [{"name": "a", "image": "b", **spec}]})


def guest(*volumes: Any, **container: Any) -> Change:
    document = pod(**container)
    document["spec"]["volumes"] = list(volumes)
    return add(document)


FOREIGN: dict[str, tuple[str, Change, list[str]]] = {
    "names": (MINIMAL, add(foreign("ConfigMap", "A")), ["proof.name ConfigMap metadata.name"]),
    "limits": (MINIMAL, guest(resources={"limits": {"cpu": "x"}}),
               ["proof.quantity Pod spec.containers[0].resources.limits.cpu"]),
    "secrets": (MINIMAL, guest(env=[{"name": "HF_TOKEN", "value": "x"}]),
                ["proof.secret Pod spec.containers[0].env[0].value"]),
    "ports within a pod": (MINIMAL, guest(ports=[{"containerPort": 1}] * 2),
                           ["proof.duplicate-port Pod spec.containers[0].ports[1].containerPort"]),
    "a probe by name": (MINIMAL, guest(readinessProbe={"tcpSocket": {"port": "a"}}),
                        ["proof.probe-port Pod spec.containers[0].readinessProbe.tcpSocket.port"]),
    "no probe by number": (MINIMAL, guest(readinessProbe={"tcpSocket": {"port": 1}}), []),
    "no unused volume": (MINIMAL, guest({"name": "a"}), []),
    "mounts": (MINIMAL, guest(volumeMounts=[{"name": "a", "mountPath": "/a"}]),
               ["proof.volume Pod spec.containers[0].volumeMounts[0].name"]),
    "no reference by a kind that is not here": (MINIMAL, guest({"name": "a", "configMap": {"name": "c"}}), []),
    "a reference by a kind that is here": (OPENSHIFT, guest({"name": "a", "configMap": {"name": "c"}}),
                                           ["proof.reference Pod spec.volumes[0].configMap.name"]),
    "no selector": (MINIMAL, add(foreign("Service", "a", spec={"selector": {"app": "a"}, "ports": [{"port": 1}]})), []),
    "no namespace": (MINIMAL, add({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}}), []),
    "no replicas": (MINIMAL, add(foreign("Deployment", "a", spec={})), []),
    "a volume of a claim template": (MINIMAL, add(foreign("StatefulSet", "a", spec={
        "volumeClaimTemplates": [{"metadata": {"name": "a"}}],
        "template": {"spec": pod(volumeMounts=[{"name": "a", "mountPath": "/a"}])["spec"]}})), []),
}  # fmt: skip


@pytest.mark.parametrize(("case", "change", "expected"), FOREIGN.values(), ids=FOREIGN)
def test_documents_of_others(case: str, change: Change, expected: list[str]) -> None:
    assert changed(case, change).told() == expected


def outside(manifest: Manifest) -> list[tuple[str, str, str, str]]:
    return [reference[2:] for reference in list_outside(manifest.documents)]


def test_what_the_cluster_must_hold() -> None:
    assert outside(Manifest("pod-defaults")) == [
        ("ConfigMap", "example-certificates", "from-the-spec", ""),
        ("PriorityClass", "serving", "", ""),
        ("Secret", "example-registry", "from-the-spec", ""),
        ("Secret", "hf-secret", "from-the-spec", "HF_TOKEN"),
    ]
    assert outside(Manifest("api-key"))[0] == ("Secret", "api-key", "default", "key")
    assert ("ClusterRole", "system:openshift:scc:nonroot-v2", "", "") in outside(Manifest(OPENSHIFT))
    claims = outside(Manifest("catalog-qwen-tp2-pp2-on-gb200"))
    assert ("PersistentVolumeClaim", "example-shared-cache", "default", "") in claims


def test_what_the_cluster_must_hold_beside_pods() -> None:
    manifest = changed(
        MINIMAL,
        put("workload", "metadata", "labels", QUEUE, to="queue"),
        put("pod", "resourceClaims", to=[{"name": "imex", "resourceClaimTemplateName": "example-imex-channel"}]),
        put("pod", "runtimeClassName", to="nvidia"),
        put("vllm", "envFrom", to=[{"configMapRef": {"name": "small-missing"}}]),
        put("pod", "volumes", 1, to={"name": "two", "secret": {"secretName": "two"}}),
        put("pod", "volumes", 2, to={"name": "all", "projected": {"sources": [{"secret": {"name": "one"}}]}}),
    )
    assert outside(manifest) == [
        ("LocalQueue", "queue", "default", ""),
        ("ResourceClaimTemplate", "example-imex-channel", "default", ""),
        ("RuntimeClass", "nvidia", "", ""),
        ("Secret", "hf-secret", "default", "HF_TOKEN"),
        ("Secret", "one", "default", ""),
        ("Secret", "two", "default", ""),
    ]


def test_what_the_manifest_holds_is_not_outside() -> None:
    manifest = changed(MINIMAL, add(foreign("Secret", "hf-secret", data={"HF_TOKEN": "eA=="})))
    assert outside(manifest) == []
    manifest.documents[-1]["data"] = {}
    assert manifest.told() == [
        "proof.key Deployment spec.template.spec.containers[0].env[0].valueFrom.secretKeyRef.key"
    ]


def test_a_cut_name_is_still_the_instance_s() -> None:
    manifest = Manifest(OPENSHIFT)
    instance = "a" * 60
    for document in manifest.documents:
        document["metadata"]["labels"]["app.kubernetes.io/instance"] = instance
    manifest.template["metadata"]["labels"]["app.kubernetes.io/instance"] = instance
    for selector in (manifest.workload["spec"]["selector"]["matchLabels"], manifest.service["spec"]["selector"]):
        selector["app.kubernetes.io/instance"] = instance
    name = "a" * 54 + "-01234567"
    manifest.pod["volumes"][1]["configMap"]["name"] = name
    assert [line.split()[0] for line in manifest.told()] == ["proof.reference"]
    manifest.config_map["metadata"]["name"] = name
    assert manifest.told() == []
