"""Documents as the relations look at them: whatever a hand has made of one, reading it never fails."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from manifesto.errors import KeyPath

Document = Mapping[str, Any]

NAME = "app.kubernetes.io/name"
INSTANCE = "app.kubernetes.io/instance"
COMPONENT = "app.kubernetes.io/component"
ROLE = "llm-d.ai/role"
QUEUE = "kueue.x-k8s.io/queue-name"
GPUS_PER_POD = "manifesto/gpus-per-pod"

_TEMPLATES: Mapping[str, tuple[KeyPath, ...]] = {
    **dict.fromkeys(("Deployment", "StatefulSet", "DaemonSet", "ReplicaSet", "Job"), (("spec", "template"),)),
    "CronJob": (("spec", "jobTemplate", "spec", "template"),),
    "LeaderWorkerSet": (
        ("spec", "leaderWorkerTemplate", "leaderTemplate"),
        ("spec", "leaderWorkerTemplate", "workerTemplate"),
    ),
    "Pod": ((),),
}

_CLUSTER_SCOPED = (
    *("ClusterRole", "ClusterRoleBinding", "CustomResourceDefinition", "DeviceClass", "GatewayClass", "Namespace"),
    *("PersistentVolume", "PriorityClass", "RuntimeClass", "StorageClass", "WorkloadPriorityClass"),
)
"""Kinds without a namespace that a team might render beside ours."""


def as_mapping(value: Any) -> Mapping[Any, Any]:
    """Return a value that is a mapping, an empty one for any other."""
    return value if isinstance(value, Mapping) else {}


def as_text(value: Any) -> str:
    """Return a value that is a string, an empty one for any other."""
    return value if isinstance(value, str) else ""


def as_count(value: Any) -> int | None:
    """Return a value that is an integer (booleans are none), None for any other."""
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def count_bytes(text: str) -> int:
    """Return how many bytes a text has as UTF-8, also one that no UTF-8 can hold."""
    return len(text.encode("utf-8", "surrogatepass"))


def dig(value: Any, *path: str) -> Any:
    """Return what stands at a path of mappings, None where nothing does."""
    for key in path:
        value = as_mapping(value).get(key)
    return value


def dig_mapping(value: Any, *path: str) -> Mapping[Any, Any]:
    """Return the mapping at a path, an empty one where there is none."""
    return as_mapping(dig(value, *path))


def each_entry(value: Any) -> Iterator[tuple[str, Any]]:
    """Yield (key, value) of a mapping; keys that are no strings become such."""
    for key, item in as_mapping(value).items():
        yield str(key), item


def each_mapping(value: Any) -> Iterator[tuple[int, Mapping[Any, Any]]]:
    """Yield (index, item) for the items of a list that are mappings."""
    for index, item in enumerate(value if isinstance(value, list) else ()):
        if isinstance(item, Mapping):
            yield index, item


def walk(value: Any, path: KeyPath = ()) -> Iterator[tuple[KeyPath, Any]]:
    """Yield (path, value) of a value and of everything in it."""
    yield path, value
    if isinstance(value, Mapping):
        for key, item in each_entry(value):
            yield from walk(item, (*path, key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from walk(item, (*path, index))


class Port(NamedTuple):
    """A port that a container opens; `number` is None where it is no port at all."""

    path: KeyPath
    number: int | None
    name: str
    protocol: str


class Container(NamedTuple):
    """A container of a pod template, with its path in the document."""

    path: KeyPath
    body: Mapping[Any, Any]

    @property
    def name(self) -> str:
        """Its name, empty where it has none."""
        return as_text(self.body.get("name"))

    @property
    def initial(self) -> bool:
        """Whether it ends before the others start: an init container that is no native sidecar."""
        return self.path[-2] == "initContainers" and self.body.get("restartPolicy") != "Always"

    def ports(self) -> Iterator[Port]:
        """Yield the ports that it opens."""
        for index, port in each_mapping(self.body.get("ports")):
            number = as_count(port.get("containerPort"))
            name = as_text(port.get("name"))
            yield Port((*self.path, "ports", index), number, name, as_text(port.get("protocol")) or "TCP")


class PodTemplate(NamedTuple):
    """A pod template of a workload: its document, the path to it, its metadata and its spec."""

    document: int
    path: KeyPath
    metadata: Mapping[Any, Any]
    spec: Mapping[Any, Any]

    @property
    def labels(self) -> Mapping[Any, Any]:
        """The labels of its pods, but for those that a controller adds."""
        return dig_mapping(self.metadata, "labels")

    def containers(self) -> Iterator[Container]:
        """Yield every init container and container."""
        for key in ("initContainers", "containers"):
            for index, body in each_mapping(self.spec.get(key)):
                yield Container((*self.path, "spec", key, index), body)


def pod_templates(documents: Sequence[Document]) -> Iterator[PodTemplate]:
    """Yield the pod templates of every workload; a LeaderWorkerSet may have one for leaders beside the workers'."""
    for index, document in enumerate(documents):
        for path in _TEMPLATES.get(as_text(document.get("kind")), ()):
            template = dig(document, *map(str, path))
            if isinstance(template, Mapping):
                yield PodTemplate(index, path, dig_mapping(template, "metadata"), dig_mapping(template, "spec"))


def name_document(document: Document) -> str:
    """Return `Kind/name` of a document."""
    return f"{document.get('kind', '?')}/{dig(document, 'metadata', 'name') or '?'}"


def own_name(document: Document) -> str:
    """Return the name in a document's metadata, empty where it has none."""
    return as_text(dig(document, "metadata", "name"))


def own_namespace(document: Document) -> str:
    """Return the namespace in a document's metadata, empty where it has none."""
    return as_text(dig(document, "metadata", "namespace"))


def own_labels(document: Document) -> Mapping[Any, Any]:
    """Return the labels in a document's metadata."""
    return dig_mapping(document, "metadata", "labels")


def is_ours(document: Document) -> bool:
    """Whether Manifesto made a document: every relation applies to it, only some do to others."""
    return bool(own_labels(document).get(NAME) == "manifesto")


def is_namespaced(kind: str) -> bool:
    """Whether objects of a kind live in a namespace."""
    return kind not in _CLUSTER_SCOPED
