"""Golden manifests to break: what a test changes, and what the proof then tells."""

from collections.abc import Callable
from copy import deepcopy
from functools import cache
from typing import Any

from cases import GOLDEN, read_manifest

from manifesto.errors import format_path
from manifesto.proof import prove

GONE = object()


@cache
def read_golden(case: str) -> list[dict[str, Any]]:
    return read_manifest(GOLDEN / case / "expected.yaml")


class Manifest:
    """The documents of a golden case, with short ways to their parts."""

    def __init__(self, case: str) -> None:
        self.documents = deepcopy(read_golden(case))

    def find(self, kind: str, nth: int = 0) -> Any:
        return [document for document in self.documents if document["kind"] == kind][nth]

    def told(self) -> list[str]:
        """Return the findings as `rule Kind path`."""
        return [
            f"{finding.rule} {self.documents[finding.document]['kind']} {format_path(finding.path)}".strip()
            for finding in prove(self.documents)
        ]

    workload = property(lambda self: next(d for d in self.documents if d["kind"] in ("Deployment", "LeaderWorkerSet")))
    service = property(lambda self: self.find("Service"))
    config_map = property(lambda self: self.find("ConfigMap"))
    binding = property(lambda self: self.find("RoleBinding"))

    @property
    def template(self) -> Any:
        spec = self.workload["spec"]
        return spec["template"] if "template" in spec else spec["leaderWorkerTemplate"]["workerTemplate"]

    @property
    def pod(self) -> Any:
        return self.template["spec"]

    @property
    def vllm(self) -> Any:
        return self.pod["containers"][0]

    def edit_script(self, old: str, new: str) -> "Manifest":
        assert old in self.vllm["args"][0]
        self.vllm["args"][0] = self.vllm["args"][0].replace(old, new)
        return self

    def group(self, size: int = 1, leader: bool = False) -> "Manifest":
        """Turn the first Deployment into a LeaderWorkerSet that runs its pods in groups."""
        workload, template = self.workload, self.template
        if size > 1:
            self.edit_script("--port", f"--nnodes {size} --port")
        workload.update(apiVersion="leaderworkerset.x-k8s.io/v1", kind="LeaderWorkerSet")
        workload["spec"] = {
            "replicas": workload["spec"]["replicas"],
            "rolloutStrategy": {"rollingUpdateConfiguration": {"maxUnavailable": "100%"}},
            "leaderWorkerTemplate": {
                "size": size,
                **({"leaderTemplate": deepcopy(template)} if leader else {}),
                "workerTemplate": template,
            },
        }
        return self


Change = Callable[[Manifest], object]


def put(root: str, *path: str | int, to: Any) -> Change:
    """Return a change of one value below a part of a manifest; GONE takes it out."""

    def change(manifest: Manifest) -> None:
        target: Any = getattr(manifest, root)
        for key in path[:-1]:
            target = target[key]
        if to is GONE:
            del target[path[-1]]
        elif isinstance(target, list) and path[-1] == len(target):
            target.append(to)
        else:
            target[path[-1]] = to

    return change


def script(old: str, new: str) -> Change:
    """Return a change of the launch script's text."""
    return lambda manifest: manifest.edit_script(old, new)


def both(*changes: Change) -> Change:
    """Return a change that makes several."""
    return lambda manifest: [change(manifest) for change in changes]


def grouped(size: int, *changes: Change, leader: bool = False) -> Change:
    """Return changes of a manifest whose Deployment has become a LeaderWorkerSet of a size."""
    return both(lambda manifest: manifest.group(size, leader), *changes)


def add(document: Any) -> Change:
    """Return a change that adds a document."""
    return lambda manifest: manifest.documents.append(document)


def foreign(kind: str, name: str, **parts: Any) -> dict[str, Any]:
    """Return a document that Manifesto did not make."""
    return {"apiVersion": "v1", "kind": kind, "metadata": {"name": name, "namespace": "default"}, **parts}
