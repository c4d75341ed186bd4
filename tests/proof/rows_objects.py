"""What breaks a golden manifest as a whole: (case, change, the findings as `rule Kind path`)."""

from manifests import GONE, Change, Manifest, add, both, foreign, grouped, put

INSTANCE, ROLE, QUEUE = "app.kubernetes.io/instance", "llm-d.ai/role", "kueue.x-k8s.io/queue-name"
MINIMAL, OPENSHIFT, TWO = "direct-minimal", "openshift", "role-outside-the-pool"
LWS = "LeaderWorkerSet"
POD = "Deployment spec.template.spec"
SELECTED = "spec.selector.matchLabels"

Row = tuple[str, Change, list[str]]


def again(manifest: Manifest) -> None:
    manifest.documents.append(dict(manifest.service))


def label(key: str, to: object) -> Change:
    return put("workload", "metadata", "labels", key, to=to)


def annotation(key: str, to: object) -> Change:
    return put("workload", "metadata", "annotations", key, to=to)


def rename(name: str) -> Change:
    return put("workload", "metadata", "name", to=name)


def second_role(*path: str, to: object) -> Change:
    def change(manifest: Manifest) -> None:
        target = manifest.find("Deployment", 1)
        for key in path[:-1]:
            target = target[key]
        target[path[-1]] = to

    return change


NAMES: list[Row] = [
    (MINIMAL, rename("Minimal_Server"), ["proof.name Deployment metadata.name"]),
    (MINIMAL, rename("a" * 254), ["proof.name Deployment metadata.name"]),
    (MINIMAL, put("service", "metadata", "name", to=GONE), ["proof.name Service metadata.name"]),
    (MINIMAL, put("service", "metadata", "name", to="1-server"), ["proof.name Service metadata.name"]),
    (MINIMAL, put("service", "metadata", "name", to="dotted.name"), ["proof.name Service metadata.name"]),
    (MINIMAL, put("service", "metadata", "name", to="a" * 64), ["proof.name Service metadata.name"]),
    (MINIMAL, grouped(1, rename("a.b")), [f"proof.name {LWS} metadata.name"]),
    (OPENSHIFT, put("binding", "metadata", "name", to="a/b"), ["proof.name RoleBinding metadata.name"]),
    (MINIMAL, add(foreign("Job", "a" * 64)), ["proof.name Job metadata.name"]),
    (OPENSHIFT, put("pod", "containers", 1, "name", to="DCGM"), [f"proof.name {POD}.containers[1].name"]),
    (OPENSHIFT, put("pod", "volumes", 2, to={"name": "a.b"}),
     [f"proof.name {POD}.volumes[2].name", f"proof.unused-volume {POD}.volumes[2]"]),
    (OPENSHIFT, put("pod", "containers", 2, to={"name": "dcgm-exporter", "image": "busybox"}),
     [f"proof.duplicate-name {POD}.containers[2].name"]),
    (OPENSHIFT, put("pod", "volumes", 2, to={"name": "dshm"}), [f"proof.duplicate-name {POD}.volumes[2].name"]),
    (OPENSHIFT, put("pod", "containers", 1, "ports", 0, "name", to="dcgm-exporter-metrics"),
     [f"proof.port-name {POD}.containers[1].ports[0].name"]),
    (OPENSHIFT, put("pod", "containers", 1, "ports", 0, "name", to="9400"),
     [f"proof.port-name {POD}.containers[1].ports[0].name"]),
    (OPENSHIFT, put("pod", "containers", 1, "ports", 0, "name", to="dcgm--metrics"),
     [f"proof.port-name {POD}.containers[1].ports[0].name"]),
    (MINIMAL, put("service", "spec", "ports", 0, "name", to="Http"),
     ["proof.port-name Service spec.ports[0].name"]),
    (MINIMAL, put("service", "spec", "ports", 1, to={"port": 80, "targetPort": 8000}),
     ["proof.port-name Service spec.ports[1]"]),
    (MINIMAL, put("service", "spec", "ports", 1, to={"name": "http", "port": 80, "targetPort": 8000}),
     ["proof.port-name Service spec.ports[1].name"]),
    (MINIMAL, put("service", "spec", "ports", 0, "targetPort", to="http-of-the-server"),
     ["proof.port-name Service spec.ports[0].targetPort", "proof.service-port Service spec.ports[0].targetPort"]),
    (MINIMAL, again, ["proof.duplicate-object Service metadata.name"]),
    (MINIMAL, put("service", "metadata", "namespace", to=GONE),
     ["proof.namespace Service metadata", "proof.selector Service spec.selector"]),
    (MINIMAL, put("service", "metadata", "namespace", to="other"),
     ["proof.namespace Service metadata.namespace", "proof.selector Service spec.selector"]),
    (OPENSHIFT, put("binding", "subjects", 0, "namespace", to=GONE), ["proof.namespace RoleBinding subjects[0]"]),
    (MINIMAL, grouped(1, rename("a" * 53)), [f"proof.name-budget {LWS} metadata.name"]),
    (MINIMAL, grouped(2, rename("a" * 51)), [f"proof.name-budget {LWS} metadata.name"]),
    (MINIMAL, grouped(2, rename("a" * 50), put("workload", "spec", "replicas", to=11)),
     [f"proof.name-budget {LWS} metadata.name"]),
    (MINIMAL, grouped(2, rename("a" * 40), label(QUEUE, "queue")), [f"proof.name-budget {LWS} metadata.name"]),
    (MINIMAL, add(foreign("StatefulSet", "a" * 53, spec={"replicas": 1})),
     ["proof.name-budget StatefulSet metadata.name"]),
    (MINIMAL, grouped(1, put("service", "metadata", "name", to="small-server")),
     ["proof.name-clash Service metadata.name"]),
    (MINIMAL, grouped(1, add(foreign(LWS, "small-server-0"))), [f"proof.name-clash {LWS} metadata.name"]),
]  # fmt: skip

LABELS: list[Row] = [
    (MINIMAL, label("llm-d.ai/model", "a/b"), ['proof.label Deployment metadata.labels["llm-d.ai/model"]']),
    (MINIMAL, label("llm-d.ai/model", "a" * 64), ['proof.label Deployment metadata.labels["llm-d.ai/model"]']),
    (MINIMAL, label("llm-d.ai/model", 7), ['proof.label Deployment metadata.labels["llm-d.ai/model"]']),
    (MINIMAL, label("a/b/c", "x"), ['proof.label Deployment metadata.labels["a/b/c"]']),
    (MINIMAL, label("Example.com/a", "x"), ['proof.label Deployment metadata.labels["Example.com/a"]']),
    (MINIMAL, put("template", "metadata", "labels", "-a", to="x"),
     ["proof.label Deployment spec.template.metadata.labels.-a"]),
    (MINIMAL, put("pod", "nodeSelector", "example.com/rack", to="a b"),
     [f'proof.label {POD}.nodeSelector["example.com/rack"]']),
    (MINIMAL, grouped(2, put("template", "metadata", "labels", "a", to="b" * 64)),
     [f"proof.label {LWS} spec.leaderWorkerTemplate.workerTemplate.metadata.labels.a"]),
    (MINIMAL, annotation("a b", "x"), ['proof.annotation Deployment metadata.annotations["a b"]']),
    (MINIMAL, annotation("example.com/n", 7), ['proof.annotation Deployment metadata.annotations["example.com/n"]']),
    (MINIMAL, put("template", "metadata", "annotations", to={"a": "x" * 262144}),
     ["proof.annotations-size Deployment spec.template.metadata.annotations", "proof.apply-size Deployment"]),
]  # fmt: skip

SELECTORS: list[Row] = [
    (MINIMAL, put("workload", "spec", "selector", "matchLabels", ROLE, to="other"),
     [f'proof.selector Deployment {SELECTED}["{ROLE}"]']),
    (MINIMAL, put("workload", "spec", "selector", to=GONE), ["proof.selector Deployment spec"]),
    (MINIMAL, put("workload", "spec", "selector", "matchExpressions", to=[{"key": ROLE, "operator": "DoesNotExist"}]),
     [f'proof.selector Deployment {SELECTED}["{ROLE}"]']),
    (TWO, put("workload", "spec", "selector", "matchLabels", ROLE, to=GONE),
     [f"proof.selector Deployment {SELECTED}"]),
    (MINIMAL, put("service", "spec", "selector", ROLE, to="other"), ["proof.selector Service spec.selector"]),
    (MINIMAL, put("service", "spec", "selector", to=GONE), ["proof.selector Service spec.selector"]),
    (TWO, put("service", "spec", "selector", ROLE, to=GONE), ["proof.selector Service spec.selector"]),
    (TWO, both(put("service", "spec", "selector", ROLE, to=GONE), put("service", "metadata", "name", to="everything")),
     ["proof.selector Service spec.selector"]),
    (TWO, put("service", "spec", "selector", ROLE, to="batch"), ["proof.selector Service spec.selector"]),
    (MINIMAL, both(*(put(*path, "llm-d.ai/owner", to="dev") for path in
                     (("workload", "spec", "selector", "matchLabels"), ("service", "spec", "selector")))),
     [f'proof.selector-key Deployment {SELECTED}["llm-d.ai/owner"]',
      'proof.selector-key Service spec.selector["llm-d.ai/owner"]']),
    (MINIMAL, put("workload", "spec", "selector", "matchExpressions",
                  to=[{"key": "llm-d.ai/model", "operator": "In", "values": ["small"]}]),
     ["proof.selector-key Deployment spec.selector.matchExpressions[0].key"]),
    (MINIMAL, put("workload", "spec", "selector", "matchLabels", INSTANCE, to=GONE),
     [f"proof.selector-instance Deployment {SELECTED}"]),
    (MINIMAL, put("service", "spec", "selector", INSTANCE, to=GONE),
     ["proof.selector-instance Service spec.selector"]),
    (MINIMAL, put("service", "metadata", "labels", INSTANCE, to="other"),
     [f'proof.selector-instance Service spec.selector["{INSTANCE}"]']),
    (MINIMAL, put("service", "spec", "selector", "leaderworkerset.sigs.k8s.io/worker-index", to="0"),
     ["proof.selector Service spec.selector"]),
    (MINIMAL, grouped(2, put("service", "spec", "selector", "leaderworkerset.sigs.k8s.io/worker-index", to="2")),
     ["proof.selector Service spec.selector"]),
]  # fmt: skip

REFERENCES: list[Row] = [
    (OPENSHIFT, put("pod", "serviceAccountName", to="other"), [f"proof.reference {POD}.serviceAccountName"]),
    (OPENSHIFT, put("binding", "subjects", 0, "name", to="other"), ["proof.reference RoleBinding subjects[0].name"]),
    (OPENSHIFT, put("binding", "subjects", 0, "namespace", to="other"),
     ["proof.reference RoleBinding subjects[0].name"]),
    (OPENSHIFT, put("binding", "roleRef", "name", to="view"), ["proof.reference RoleBinding roleRef.name"]),
    (OPENSHIFT, put("binding", "roleRef", "kind", to="Role"), ["proof.reference RoleBinding roleRef.name"]),
    (OPENSHIFT, put("config_map", "metadata", "name", to="restricted-dcgm"),
     [f"proof.reference {POD}.volumes[1].configMap.name"]),
    (OPENSHIFT, put("pod", "volumes", 1, "configMap", "items", to=[{"key": "counters", "path": "a"}]),
     [f"proof.key {POD}.volumes[1].configMap.items[0].key"]),
    (OPENSHIFT, put("pod", "containers", 1, "volumeMounts", 0, "subPath", to="counters.txt"),
     [f"proof.key {POD}.containers[1].volumeMounts[0].subPath"]),
    (OPENSHIFT, both(put("pod", "volumes", 1, "configMap", "items", to=[{"key": "counters.csv", "path": "a/b"}]),
                     put("pod", "containers", 1, "volumeMounts", 0, "subPath", to="counters.csv")),
     [f"proof.key {POD}.containers[1].volumeMounts[0].subPath"]),
    (OPENSHIFT, put("pod", "containers", 1, "env", 0, to={
        "name": "A", "valueFrom": {"configMapKeyRef": {"name": "restricted-dcgm-metrics", "key": "b"}}}),
     [f"proof.key {POD}.containers[1].env[0].valueFrom.configMapKeyRef.key"]),
    (OPENSHIFT, put("pod", "containers", 1, "envFrom", to=[{"configMapRef": {"name": "restricted-other"}}]),
     [f"proof.reference {POD}.containers[1].envFrom[0].configMapRef.name"]),
    (MINIMAL, put("pod", "resourceClaims", to=[{"name": "gpu", "resourceClaimTemplateName": "small-server-gpu-0"}]),
     [f"proof.reference {POD}.resourceClaims[0].resourceClaimTemplateName"]),
]  # fmt: skip

LIMITS: list[Row] = [
    (OPENSHIFT, put("config_map", "data", "more", to="x" * 1048576),
     ["proof.config-map-size ConfigMap data", "proof.apply-size ConfigMap"]),
    (OPENSHIFT, put("config_map", "data", "more", to="<" * 43600), ["proof.apply-size ConfigMap"]),
    (MINIMAL, put("workload", "spec", "replicas", to=GONE), ["proof.replicas Deployment spec"]),
    (MINIMAL, put("workload", "spec", "replicas", to=-1), ["proof.replicas Deployment spec.replicas"]),
    (MINIMAL, grouped(0), [f"proof.replicas {LWS} spec.leaderWorkerTemplate.size"]),
    (MINIMAL, put("workload", "spec", "strategy", "rollingUpdate", "maxUnavailable", to="0%"),
     ["proof.rollout Deployment spec.strategy.rollingUpdate.maxUnavailable"]),
    (MINIMAL, put("workload", "spec", "strategy", "rollingUpdate", "maxUnavailable", to="101%"),
     ["proof.rollout Deployment spec.strategy.rollingUpdate.maxUnavailable"]),
    (MINIMAL, put("workload", "spec", "strategy", "rollingUpdate", "maxSurge", to="one"),
     ["proof.rollout Deployment spec.strategy.rollingUpdate.maxSurge"]),
    (MINIMAL, put("workload", "spec", "strategy", "type", to="Recreate"),
     ["proof.rollout Deployment spec.strategy.rollingUpdate"]),
    (MINIMAL, grouped(2, put("workload", "spec", "rolloutStrategy", "rollingUpdateConfiguration",
                             to={"maxUnavailable": "50%"})),
     [f"proof.rollout {LWS} spec.rolloutStrategy.rollingUpdateConfiguration.maxUnavailable"]),
    (MINIMAL, grouped(2, put("workload", "spec", "rolloutStrategy", "rollingUpdateConfiguration", "maxSurge",
                             to="101%")),
     [f"proof.rollout {LWS} spec.rolloutStrategy.rollingUpdateConfiguration.maxSurge"]),
]  # fmt: skip

OBJECT_ROWS = [*NAMES, *LABELS, *SELECTORS, *REFERENCES, *LIMITS]
