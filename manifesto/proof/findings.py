"""Findings, and the parts of documents that several relations look at."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from manifesto.errors import KeyPath, format_path

Document = Mapping[str, Any]


@dataclass(frozen=True)
class Finding:
    """One disagreement: the relation's id, the document (by index) and path that is at odds, and with what."""

    rule: str
    document: int
    path: KeyPath
    problem: str
    name: str = ""

    def __str__(self) -> str:
        return f"{self.name}: {format_path(self.path)}: {self.problem} [{self.rule}]"


class PodTemplate(NamedTuple):
    """A pod template of a workload: its document, the path to it, its metadata and its spec."""

    document: int
    path: KeyPath
    metadata: Mapping[str, Any]
    spec: Mapping[str, Any]

    def containers(self) -> Iterator[tuple[KeyPath, Mapping[str, Any]]]:
        """Yield every container and init container with its path."""
        for key in ("initContainers", "containers"):
            for index, container in enumerate(self.spec.get(key, ())):
                yield (*self.path, "spec", key, index), container


def name_document(document: Document) -> str:
    """Return `Kind/name` of a document."""
    return f"{document.get('kind', '?')}/{document.get('metadata', {}).get('name', '?')}"


def pod_templates(documents: Sequence[Document]) -> Iterator[PodTemplate]:
    """Yield the pod templates of every workload: Deployment, Job, LeaderWorkerSet (leader and worker), a bare Pod."""
    for index, document in enumerate(documents):
        spec = document.get("spec", {})
        if document.get("kind") == "Pod":
            yield PodTemplate(index, (), document.get("metadata", {}), spec)
        for path in (
            ("template",),
            ("leaderWorkerTemplate", "workerTemplate"),
            ("leaderWorkerTemplate", "leaderTemplate"),
        ):
            part: Any = spec
            for key in path:
                part = part.get(key) if isinstance(part, Mapping) else None
            if isinstance(part, Mapping) and "spec" in part:
                yield PodTemplate(index, ("spec", *path), part.get("metadata", {}), part["spec"])
