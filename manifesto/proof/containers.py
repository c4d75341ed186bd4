"""Containers: there are some, with images, variables that expand and probes that can succeed.

What the API server accepts: k8s.io/kubernetes pkg/apis/core/validation. It checks no LeaderWorkerSet's templates.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from manifesto.errors import KeyPath
from manifesto.kubernetes.expansion import REFERENCE
from manifesto.proof.documents import Container, Document, as_count, as_text, each_mapping, pod_templates
from manifesto.proof.findings import Finding, show
from manifesto.proof.ports import PROBES

_HANDLERS = ("exec", "httpGet", "tcpSocket", "grpc")
_LEAST = {
    "initialDelaySeconds": 0,
    "timeoutSeconds": 1,
    "periodSeconds": 1,
    "successThreshold": 1,
    "failureThreshold": 1,
}


def judge_containers(documents: Sequence[Document]) -> Iterator[Finding]:
    """Yield pods without containers, and containers without an image that can be pulled."""
    for template in pod_templates(documents):
        containers = list(template.containers())
        if all(container.path[-2] != "containers" for container in containers):
            path = (*template.path, "spec")
            yield Finding("proof.container", template.document, path, "the pod has no containers; write at least one")
        for container in containers:
            image = as_text(container.body.get("image"))
            if not image or re.search(r"\s", image):
                path = (*container.path, "image") if "image" in container.body else container.path
                problem = f"{show(image)} is no image; write REGISTRY/NAME:TAG"
                yield Finding("proof.container", template.document, path, problem)


def judge_variables(documents: Sequence[Document]) -> Iterator[Finding]:
    """Yield variables that a container has twice, and those that name a later one, which stays unexpanded."""
    for template in pod_templates(documents):
        for container in template.containers():
            entries = [(at, as_text(entry.get("name")), entry) for at, entry in each_mapping(container.body.get("env"))]
            last = {name: at for at, name, _ in entries}
            seen: set[str] = set()
            for at, name, entry in entries:
                path = (*container.path, "env", at)
                if name in seen:
                    problem = f"{name} stands there already; keep one"
                    yield Finding("proof.duplicate-variable", template.document, (*path, "name"), problem)
                for match in REFERENCE.finditer(as_text(entry.get("value"))):
                    named = match["name"]
                    if named in last and named not in seen:
                        problem = f"{named} is not set yet, so $({named}) is not expanded; move {named} before {name}"
                        yield Finding("proof.variable-order", template.document, (*path, "value"), problem)
                seen.add(name)


def judge_probes(documents: Sequence[Document]) -> Iterator[Finding]:
    """Yield probes with numbers out of range, with no way to ask or several, and those of init containers."""
    for template in pod_templates(documents):
        for container in template.containers():
            for key in PROBES:
                probe = container.body.get(key)
                if isinstance(probe, Mapping):
                    for path, problem in _judge_probe(container, key, probe):
                        yield Finding("proof.probe", template.document, (*container.path, key, *path), problem)


def _judge_probe(container: Container, key: str, probe: Mapping[Any, Any]) -> Iterator[tuple[KeyPath, str]]:
    if container.initial:
        yield (), "an init container that ends is not probed; leave the probe out or write restartPolicy: Always"
    handlers = [handler for handler in _HANDLERS if handler in probe]
    if len(handlers) != 1:
        yield (), f"the probe has {len(handlers)} ways to ask; write one of {', '.join(_HANDLERS)}"
    for field, least in _LEAST.items():
        number = as_count(probe.get(field))
        if field in probe and (number is None or number < least):
            yield (field,), f"{show(probe[field])} is out of range; write at least {least}"
    if key != "readinessProbe" and as_count(probe.get("successThreshold")) not in (None, 1):
        yield ("successThreshold",), f"a {key} succeeds once; write 1"
    if key == "readinessProbe" and "terminationGracePeriodSeconds" in probe:
        yield ("terminationGracePeriodSeconds",), "a readiness probe ends no container; leave this out"
