"""Selectors: each matches exactly the pods it is meant for, by labels that stay as they are."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from manifesto.errors import KeyPath
from manifesto.proof.documents import (
    COMPONENT,
    INSTANCE,
    ROLE,
    Document,
    PodTemplate,
    as_count,
    as_text,
    dig,
    dig_mapping,
    each_entry,
    each_mapping,
    is_ours,
    name_document,
    own_labels,
    own_name,
    own_namespace,
    pod_templates,
)
from manifesto.proof.findings import Finding

_WORKLOADS = ("Deployment", "StatefulSet", "DaemonSet", "ReplicaSet", "Job")
_WORKER_INDEX = "leaderworkerset.sigs.k8s.io/worker-index"
"""The LeaderWorkerSet controller labels the pods of each replica with 0 (the leader) up to size - 1."""
_STABLE = (INSTANCE, ROLE, COMPONENT)
"""Labels that are the same in every manifest of one instance; owner, model and topology may change."""


class Selector(NamedTuple):
    """A selector of a document: the path to its labels, the labels, and its expressions."""

    path: KeyPath
    labels: Mapping[Any, Any]
    expressions: Sequence[Mapping[Any, Any]] = ()


def find_selector(document: Document) -> Selector | None:
    """Return the selector of a workload or Service; None where the kind has none or lets the server make it."""
    kind, selector = as_text(document.get("kind")), dig_mapping(document, "spec", "selector")
    if kind == "Service":
        return Selector(("spec", "selector"), selector)
    if kind not in _WORKLOADS or (kind == "Job" and not selector):
        return None
    expressions = [item for _, item in each_mapping(selector.get("matchExpressions"))]
    return Selector(("spec", "selector", "matchLabels"), dig_mapping(selector, "matchLabels"), expressions)


def selected_pods(documents: Sequence[Document], index: int) -> list[PodTemplate]:
    """Return the pod templates that the selector of a document matches; an empty selector matches none."""
    selector = find_selector(documents[index])
    if selector is None or not (selector.labels or selector.expressions):
        return []
    return [
        template
        for template in pod_templates(documents)
        if own_namespace(documents[template.document]) == own_namespace(documents[index])
        and not list(_differences(selector, template, documents[template.document]))
    ]


def judge_selectors(documents: Sequence[Document]) -> Iterator[Finding]:
    """Yield our workloads whose selector misses their own pods or matches those of others."""
    for index, document in enumerate(documents):
        selector = find_selector(document)
        if selector is None or document.get("kind") == "Service" or not is_ours(document):
            continue
        for template in pod_templates(documents):
            if template.document == index:
                for key in _differences(selector, template, document):
                    yield Finding(
                        "proof.selector",
                        index,
                        (*selector.path, key),
                        "the labels of the pod template are others; write what stands there",
                    )
        if not (selector.labels or selector.expressions):
            yield Finding("proof.selector", index, ("spec",), "there is no selector; write the instance and role")
        others = {template.document for template in selected_pods(documents, index)} - {index}
        if others:
            yield Finding(
                "proof.selector",
                index,
                selector.path,
                f"this matches the pods of {_name(documents, others)} too; write the instance and role",
            )


def judge_services(documents: Sequence[Document]) -> Iterator[Finding]:
    """Yield our Services that select no pods, pods of several roles, or those of another role than their name says."""
    for index, document in enumerate(documents):
        if document.get("kind") != "Service" or not is_ours(document):
            continue
        pods = selected_pods(documents, index)
        path = ("spec", "selector")
        groups = {tuple(as_text(pod.labels.get(key)) for key in (INSTANCE, COMPONENT, ROLE)) for pod in pods}
        if not pods:
            yield Finding("proof.selector", index, path, "this matches no pod here; write the labels of one role")
        elif len(groups) > 1:
            told = _name(documents, {pod.document for pod in pods})
            yield Finding("proof.selector", index, path, f"this matches the pods of {told}; select one role")
        else:
            (_, _, selected), instance = groups.pop(), as_text(own_labels(document).get(INSTANCE))
            roles = {as_text(template.labels.get(ROLE)) for template in pod_templates(documents)} - {""}
            meant = next((role for role in roles if own_name(document) == f"{instance}-{role}-svc"), selected)
            if meant != selected:
                problem = f"the pods are those of role {selected!r}, the name says {meant!r}; select that one"
                yield Finding("proof.selector", index, path, problem)


def judge_keys(documents: Sequence[Document]) -> Iterator[Finding]:
    """Yield what our selectors name that may change between two applies, and those without their own instance."""
    for index, document in enumerate(documents):
        selector = find_selector(document)
        if selector is None or not is_ours(document):
            continue
        allowed = (*_STABLE, _WORKER_INDEX) if document.get("kind") == "Service" else _STABLE
        keys = [((*selector.path, key), key) for key, _ in each_entry(selector.labels)]
        keys += [
            (("spec", "selector", "matchExpressions", at, "key"), as_text(item.get("key")))
            for at, item in each_mapping(dig(document, "spec", "selector", "matchExpressions"))
        ]
        for path, key in keys:
            if key not in allowed:
                yield Finding(
                    "proof.selector-key",
                    index,
                    path,
                    f"{key} may change between two applies; select by {', '.join(allowed)}",
                )
        own, selected = own_labels(document).get(INSTANCE), selector.labels.get(INSTANCE)
        if own is not None and selected != own and selected_pods(documents, index):
            path = (*selector.path, INSTANCE) if INSTANCE in selector.labels else selector.path
            yield Finding(
                "proof.selector-instance",
                index,
                path,
                f"the object is of instance {own}, the selector is not; write {INSTANCE}: {own}",
            )


def _differences(selector: Selector, template: PodTemplate, workload: Document) -> Iterator[str]:
    """Yield the keys of a selector that pods of a template do not satisfy."""
    for key, value in each_entry(selector.labels):
        if key == _WORKER_INDEX and workload.get("kind") == "LeaderWorkerSet":
            if not _has_worker(workload, template, as_text(value)):
                yield key
        elif template.labels.get(key) != value or value is None:
            yield key
    for item in selector.expressions:
        key, values = as_text(item.get("key")), item.get("values")
        listed = isinstance(values, list) and template.labels.get(key) in values
        holds = {
            "In": listed,
            "NotIn": not listed,
            "Exists": key in template.labels,
            "DoesNotExist": key not in template.labels,
        }
        if not holds.get(as_text(item.get("operator")), False):
            yield key


def _has_worker(workload: Document, template: PodTemplate, index: str) -> bool:
    """Whether pods of a LeaderWorkerSet's template have a worker index."""
    parts = dig_mapping(workload, "spec", "leaderWorkerTemplate")
    size = as_count(parts.get("size")) or 1
    if not (index.isdecimal() and int(index) < size):
        return False
    leads, split = template.path[-1] == "leaderTemplate", "leaderTemplate" in parts
    return int(index) == 0 if leads else int(index) > 0 or not split


def _name(documents: Sequence[Document], indexes: set[int]) -> str:
    return " and ".join(name_document(documents[index]) for index in sorted(indexes))
