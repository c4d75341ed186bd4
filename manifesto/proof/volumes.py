"""Volumes and claims: every use has its declaration, every volume a use, every mount a path of its own."""

from collections.abc import Iterator, Sequence
from typing import Any

from manifesto.errors import KeyPath
from manifesto.proof.documents import Container, Document, as_text, dig, each_mapping, is_ours, pod_templates
from manifesto.proof.findings import Finding, show

_MOUNTS = ("volumeMounts", "volumeDevices")
_CLAIM_TEMPLATES = (("spec", "volumeClaimTemplates"), ("spec", "leaderWorkerTemplate", "volumeClaimTemplates"))
"""Volumes that a StatefulSet or a LeaderWorkerSet adds to its pods."""


def judge_volumes(documents: Sequence[Document]) -> Iterator[Finding]:
    """Yield mounts of volumes that the pod does not declare, and volumes of our pods that nothing mounts."""
    for template in pod_templates(documents):
        document = documents[template.document]
        declared = _names(template.spec.get("volumes"))
        added = {
            as_text(dig(item, "metadata", "name"))
            for path in _CLAIM_TEMPLATES
            for _, item in each_mapping(dig(document, *path))
        }
        used: set[str] = set()
        for container in template.containers():
            for key in _MOUNTS:
                for path, name in _uses(container, key):
                    used.add(name)
                    if name not in declared and name not in added:
                        problem = f"the pod has no volume {show(name)}; declare it{_offer(declared)}"
                        yield Finding("proof.volume", template.document, path, problem)
        for name, at in declared.items():
            if name and name not in used and is_ours(document):
                path = (*template.path, "spec", "volumes", at)
                problem = f"no container mounts volume {name}; mount it or leave it out"
                yield Finding("proof.unused-volume", template.document, path, problem)


def judge_claims(documents: Sequence[Document]) -> Iterator[Finding]:
    """Yield uses of resource claims that the pod does not declare."""
    for template in pod_templates(documents):
        declared = _names(template.spec.get("resourceClaims"))
        for container in template.containers():
            for path, name in _uses(container, "resources", "claims"):
                if name not in declared:
                    problem = f"the pod has no claim {show(name)}; declare it{_offer(declared)}"
                    yield Finding("proof.claim", template.document, path, problem)


def judge_mount_paths(documents: Sequence[Document]) -> Iterator[Finding]:
    """Yield paths of mounts that are relative, hold a colon or stand twice in a container, and sub-paths that lead out.

    The API server takes relative paths; container runtimes do not agree on what they mean.
    """
    for template in pod_templates(documents):
        for container in template.containers():
            seen: set[str] = set()
            for at, mount in each_mapping(container.body.get("volumeMounts")):
                place, written = (*container.path, "volumeMounts", at), as_text(mount.get("mountPath"))
                problem = ""
                if not written.startswith("/") or ":" in written:
                    problem = f"{show(written)} is no path to mount at; write an absolute one without colons"
                elif written in seen:
                    problem = f"the container mounts at {written} already; write another path"
                if problem:
                    yield Finding("proof.mount-path", template.document, (*place, "mountPath"), problem)
                seen.add(written)
                below = as_text(mount.get("subPath"))
                if below.startswith("/") or ".." in below.split("/"):
                    problem = f"{show(below)} leads out of the volume; write a path below it"
                    yield Finding("proof.mount-path", template.document, (*place, "subPath"), problem)


def _names(items: Any) -> dict[str, int]:
    return {as_text(item.get("name")): at for at, item in each_mapping(items)}


def _uses(container: Container, *keys: str) -> Iterator[tuple[KeyPath, str]]:
    for at, use in each_mapping(dig(container.body, *keys)):
        yield (*container.path, *keys, at, "name"), as_text(use.get("name"))


def _offer(declared: dict[str, int]) -> str:
    return f" or name {' or '.join(declared)}" if declared else ""
