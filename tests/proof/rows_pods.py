"""What breaks a pod of a golden manifest: (case, change, the findings as `rule Kind path`)."""

from manifests import GONE, Change, both, grouped, put, script

MINIMAL, OPENSHIFT, DATA = "direct-minimal", "openshift", "internal-data-parallel"
POD = "Deployment spec.template.spec"
VLLM = f"{POD}.containers[0]"
SIDECAR = f"{POD}.containers[1]"
GROUP = "LeaderWorkerSet spec.leaderWorkerTemplate"
WORKER = f"{GROUP}.workerTemplate.spec"
SCRIPT = f"{VLLM}.args[0]"
GPU = "nvidia.com/gpu"
TOKEN = "hf_" + "a" * 30

Row = tuple[str, Change, list[str]]


def vllm(*path: str | int, to: object) -> Change:
    return put("vllm", *path, to=to)


def sidecar(*path: str | int, to: object) -> Change:
    return put("pod", "containers", 1, *path, to=to)


def gpus(count: object) -> Change:
    return both(*(vllm("resources", part, GPU, to=count) for part in ("requests", "limits")))


def variable(name: str, value: str) -> Change:
    return vllm("env", 3, to={"name": name, "value": value})


def tolerate(**toleration: object) -> Change:
    return put("pod", "tolerations", to=[toleration])


PORTS: list[Row] = [
    (MINIMAL, vllm("ports", 0, "hostPort", to=70000), [f"proof.port-range {VLLM}.ports[0].hostPort"]),
    (OPENSHIFT, sidecar("ports", 0, "containerPort", to="9400"),
     [f"proof.port-range {SIDECAR}.ports[0].containerPort"]),
    (OPENSHIFT, sidecar("ports", 0, "containerPort", to=0), [f"proof.port-range {SIDECAR}.ports[0].containerPort"]),
    (MINIMAL, vllm("readinessProbe", "httpGet", "port", to=65536),
     [f"proof.port-range {VLLM}.readinessProbe.httpGet.port", f"proof.probe-port {VLLM}.readinessProbe.httpGet.port"]),
    (MINIMAL, put("service", "spec", "ports", 0, to={"name": "http", "port": 80000, "targetPort": 8000}),
     ["proof.port-range Service spec.ports[0].port"]),
    (MINIMAL, put("service", "spec", "ports", 0, "nodePort", to=True),
     ["proof.port-range Service spec.ports[0].nodePort"]),
    (OPENSHIFT, sidecar("ports", 0, "containerPort", to=8000),
     [f"proof.duplicate-port {SIDECAR}.ports[0].containerPort"]),
    (OPENSHIFT, sidecar("ports", 1, to={"containerPort": 9400}),
     [f"proof.duplicate-port {SIDECAR}.ports[1].containerPort"]),
    (OPENSHIFT, sidecar("ports", 1, to={"containerPort": 9401, "name": "dcgm-metrics"}),
     [f"proof.duplicate-port {SIDECAR}.ports[1].name"]),
    (MINIMAL, put("service", "spec", "ports", 1, to={"name": "more", "port": 8000}),
     ["proof.duplicate-port Service spec.ports[1].port"]),
    (MINIMAL, vllm("readinessProbe", "httpGet", "port", to=8001),
     [f"proof.probe-port {VLLM}.readinessProbe.httpGet.port"]),
    (OPENSHIFT, vllm("readinessProbe", "httpGet", "port", to=9400),
     [f"proof.probe-port {VLLM}.readinessProbe.httpGet.port"]),
    (OPENSHIFT, vllm("readinessProbe", "httpGet", "port", to="dcgm-metrics"),
     [f"proof.probe-port {VLLM}.readinessProbe.httpGet.port"]),
    (MINIMAL, vllm("lifecycle", to={"preStop": {"httpGet": {"port": 8001}}}),
     [f"proof.probe-port {VLLM}.lifecycle.preStop.httpGet.port"]),
    (MINIMAL, grouped(2, vllm("readinessProbe", "httpGet", "port", to=8001)),
     [f"proof.probe-port {WORKER}.containers[0].readinessProbe.httpGet.port"]),
    (MINIMAL, put("service", "spec", "ports", 0, "port", to=8001), ["proof.service-port Service spec.ports[0].port"]),
    (MINIMAL, put("service", "spec", "ports", 0, "targetPort", to="grpc"),
     ["proof.service-port Service spec.ports[0].targetPort"]),
    (OPENSHIFT, put("service", "spec", "ports", 0, "targetPort", to=9400),
     ["proof.service-port Service spec.ports[0].targetPort"]),
    (MINIMAL, put("service", "spec", "ports", 0, "protocol", to="UDP"),
     ["proof.service-port Service spec.ports[0].port"]),
]  # fmt: skip

VOLUMES: list[Row] = [
    (MINIMAL, vllm("volumeMounts", 0, "name", to="shm"),
     [f"proof.volume {VLLM}.volumeMounts[0].name", f"proof.unused-volume {POD}.volumes[0]"]),
    (MINIMAL, put("pod", "volumes", to=GONE), [f"proof.volume {VLLM}.volumeMounts[0].name"]),
    (MINIMAL, vllm("volumeMounts", to=GONE), [f"proof.unused-volume {POD}.volumes[0]"]),
    (MINIMAL, vllm("resources", "claims", to=[{"name": "gpu"}]), [f"proof.claim {VLLM}.resources.claims[0].name"]),
    (MINIMAL, vllm("volumeMounts", 1, to={"name": "dshm", "mountPath": "/dev/shm"}),
     [f"proof.mount-path {VLLM}.volumeMounts[1].mountPath"]),
    (MINIMAL, vllm("volumeMounts", 0, "mountPath", to="dev/shm"),
     [f"proof.mount-path {VLLM}.volumeMounts[0].mountPath"]),
    (MINIMAL, vllm("volumeMounts", 0, "mountPath", to="/dev:shm"),
     [f"proof.mount-path {VLLM}.volumeMounts[0].mountPath"]),
    (MINIMAL, vllm("volumeMounts", 0, "subPath", to="a/../../b"), [f"proof.mount-path {VLLM}.volumeMounts[0].subPath"]),
]  # fmt: skip

LAUNCH: list[Row] = [
    (MINIMAL, script("--port 8000", "--port 8001"), [f"proof.launch-port {SCRIPT}"]),
    ("log-without-cache-cleanup", script("--port 8000", "--port=8001"), [f"proof.launch-port {SCRIPT}"]),
    (MINIMAL, both(script("--port 8000", ""), vllm("ports", 0, "containerPort", to=8001),
                   vllm("readinessProbe", "httpGet", "port", to="http"),
                   put("service", "spec", "ports", 0, "targetPort", to="http")), [f"proof.launch-port {SCRIPT}"]),
    (MINIMAL, vllm("ports", 0, "containerPort", to=8001),
     [f"proof.probe-port {VLLM}.readinessProbe.httpGet.port", "proof.service-port Service spec.ports[0].port",
      f"proof.launch-port {SCRIPT}"]),
    (MINIMAL, both(vllm("ports", 1, to={"containerPort": 8001}), vllm("readinessProbe", "httpGet", "port", to=8001)),
     [f"proof.launch-port {VLLM}.readinessProbe.httpGet.port"]),
    (MINIMAL, script("--tensor-parallel-size 1", "--tensor-parallel-size 2"), [f"proof.launch-gpus {SCRIPT}"]),
    (MINIMAL, script("--tensor-parallel-size 1", "-tp 1 --pipeline_parallel_size=2"), [f"proof.launch-gpus {SCRIPT}"]),
    (MINIMAL, both(gpus("8"), put("workload", "metadata", "annotations", "manifesto/gpus-per-pod", to="8")),
     [f"proof.launch-gpus {SCRIPT}"]),
    (MINIMAL, both(vllm("resources", to={"limits": {"example.com/accelerator": 4, "example.com/rdma": 1}}),
                   put("workload", "metadata", "annotations", "manifesto/gpus-per-pod", to="4")),
     [f"proof.launch-gpus {SCRIPT}"]),
    (DATA, script("--data-parallel-size-local 4", "--data-parallel-size-local 2"),
     [f"proof.launch-gpus {SCRIPT}", f"proof.launch-ranks {SCRIPT}"]),
    (DATA, script("--data-parallel-size 4", "--data-parallel-size 8"), [f"proof.launch-ranks {SCRIPT}"]),
    (DATA, grouped(1, put("workload", "spec", "leaderWorkerTemplate", "size", to=2)),
     [f"proof.launch-ranks {WORKER}.containers[0].args[0]"]),
    (MINIMAL, put("workload", "metadata", "annotations", "manifesto/gpus-per-pod", to="2"),
     ['proof.gpus-per-pod Deployment metadata.annotations["manifesto/gpus-per-pod"]']),
    (MINIMAL, put("workload", "metadata", "annotations", to=GONE),
     ['proof.gpus-per-pod Deployment metadata.annotations["manifesto/gpus-per-pod"]']),
    ("role-without-gpus", put("workload", "metadata", "annotations", "manifesto/gpus-per-pod", to="1"),
     ['proof.gpus-per-pod Deployment metadata.annotations["manifesto/gpus-per-pod"]']),
]  # fmt: skip

CONTAINERS: list[Row] = [
    (MINIMAL, grouped(2, put("pod", "initContainers", to=[{"name": "a"}])),
     [f"proof.container {WORKER}.initContainers[0]"]),
    (MINIMAL, vllm("image", to="vllm/vllm-openai: v1"), [f"proof.container {VLLM}.image"]),
    (MINIMAL, put("pod", "containers", to=[]),
     [f"proof.container {POD}", "proof.service-port Service spec.ports[0].port",
      f"proof.unused-volume {POD}.volumes[0]"]),
    (MINIMAL, vllm("env", 4, to={"name": "TQDM_DISABLE", "value": "0"}),
     [f"proof.duplicate-variable {VLLM}.env[4].name"]),
    (MINIMAL, vllm("env", 1, "value", to="$(VLLM_NO_USAGE_STATS)"), [f"proof.variable-order {VLLM}.env[1].value"]),
    (MINIMAL, vllm("env", 1, "value", to="a:$(TQDM_DISABLE)"), [f"proof.variable-order {VLLM}.env[1].value"]),
    (MINIMAL, vllm("readinessProbe", "periodSeconds", to=0), [f"proof.probe {VLLM}.readinessProbe.periodSeconds"]),
    (MINIMAL, vllm("readinessProbe", "exec", to={"command": ["true"]}), [f"proof.probe {VLLM}.readinessProbe"]),
    (MINIMAL, vllm("livenessProbe", to={"httpGet": {"port": 8000}, "successThreshold": 2}),
     [f"proof.probe {VLLM}.livenessProbe.successThreshold"]),
    (MINIMAL, vllm("readinessProbe", "terminationGracePeriodSeconds", to=9),
     [f"proof.probe {VLLM}.readinessProbe.terminationGracePeriodSeconds"]),
    (MINIMAL, put("pod", "initContainers", to=[{"name": "a", "image": "b", "readinessProbe": {"exec": {}}}]),
     [f"proof.probe {POD}.initContainers[0].readinessProbe"]),
    (MINIMAL, tolerate(key="gpu", operator="exists"), [f"proof.toleration {POD}.tolerations[0].operator"]),
    (MINIMAL, tolerate(key="gpu", operator="Exists", value="a"), [f"proof.toleration {POD}.tolerations[0].value"]),
    (MINIMAL, tolerate(value="a"), [f"proof.toleration {POD}.tolerations[0].operator"]),
    (MINIMAL, tolerate(key="gpu", value="a", effect="Never"), [f"proof.toleration {POD}.tolerations[0].effect"]),
    (MINIMAL, tolerate(key="gpu", value="a", effect="NoSchedule", tolerationSeconds=1),
     [f"proof.toleration {POD}.tolerations[0].tolerationSeconds"]),
]  # fmt: skip

RESOURCES: list[Row] = [
    (MINIMAL, vllm("resources", "limits", "memory", to="128GiB"), [f"proof.quantity {VLLM}.resources.limits.memory"]),
    (MINIMAL, vllm("resources", "requests", "cpu", to=-1), [f"proof.quantity {VLLM}.resources.requests.cpu"]),
    (MINIMAL, vllm("resources", "limits", "gpu", to=1), [f"proof.resource {VLLM}.resources.limits.gpu"]),
    (MINIMAL, vllm("resources", "requests", "memory", to="129Gi"), [f"proof.request {VLLM}.resources.requests.memory"]),
    (MINIMAL, vllm("resources", "limits", "cpu", to="7999m"), [f"proof.request {VLLM}.resources.requests.cpu"]),
    (MINIMAL, vllm("resources", "limits", GPU, to=GONE),
     [f'proof.extended-resource {VLLM}.resources.requests["{GPU}"]']),
    (MINIMAL, vllm("resources", "requests", GPU, to=2),
     [f'proof.extended-resource {VLLM}.resources.requests["{GPU}"]']),
    (MINIMAL, vllm("resources", "limits", "example.com/rdma", to="500m"),
     [f'proof.extended-resource {VLLM}.resources.limits["example.com/rdma"]']),
    (MINIMAL, vllm("resources", "requests", "hugepages-2Mi", to="2Mi"),
     [f"proof.extended-resource {VLLM}.resources.requests.hugepages-2Mi"]),
]  # fmt: skip

SECRETS: list[Row] = [
    (MINIMAL, vllm("env", 0, to={"name": "HF_TOKEN", "value": TOKEN}), [f"proof.token {VLLM}.env[0].value"]),
    (OPENSHIFT, put("config_map", "data", "a.sh", to=f"login {TOKEN}"), ['proof.token ConfigMap data["a.sh"]']),
    (MINIMAL, script("exec vllm", f"echo {TOKEN}\nexec vllm"), [f"proof.token {SCRIPT}"]),
    (MINIMAL, vllm("env", 0, to={"name": "HF_TOKEN", "value": "abc"}), [f"proof.secret {VLLM}.env[0].value"]),
    (MINIMAL, vllm("env", 4, to={"name": "VLLM_API_KEY", "value": "a$(B)"}), [f"proof.secret {VLLM}.env[4].value"]),
    (MINIMAL, script("--port", "--api-key abc --port"), [f"proof.secret {SCRIPT}"]),
    (MINIMAL, script("--port", "--hf_token='a b' --port"), [f"proof.secret {SCRIPT}"]),
    (MINIMAL, script("--port", "--api-key \\\n  abc --port"), [f"proof.secret {SCRIPT}"]),
    (MINIMAL, script("exec vllm", "export VLLM_API_KEY=abc; exec vllm"), [f"proof.secret {SCRIPT}"]),
    (OPENSHIFT, sidecar("args", to=["--api-key", "abc"]), [f"proof.secret {SIDECAR}.args[1]"]),
    (OPENSHIFT, put("config_map", "data", "VLLM_API_KEY", to="abc"), ["proof.secret ConfigMap data.VLLM_API_KEY"]),
]  # fmt: skip

POD_ROWS = [*PORTS, *VOLUMES, *LAUNCH, *CONTAINERS, *RESOURCES, *SECRETS]
