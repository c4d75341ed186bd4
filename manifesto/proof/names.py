"""Names: legal for their kind, with what controllers append, and each given once.

What the API server accepts: k8s.io/apimachinery pkg/util/validation and pkg/apis/*/validation.
"""

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from manifesto.errors import KeyPath
from manifesto.proof.documents import (
    QUEUE,
    Document,
    as_count,
    as_text,
    dig,
    each_mapping,
    is_namespaced,
    is_ours,
    own_labels,
    own_name,
    own_namespace,
    pod_templates,
)
from manifesto.proof.findings import Finding, show


class Form(NamedTuple):
    """A form of names: its pattern, its greatest length, and the two in words."""

    pattern: re.Pattern[str]
    limit: int
    words: str

    def fits(self, name: str) -> bool:
        """Whether a name has this form."""
        return len(name) <= self.limit and self.pattern.fullmatch(name) is not None


_CHARACTERS = "lower-case letters, digits and inner dashes"
_DOTS = "lower-case letters, digits, inner dashes and dots"
_LABEL = Form(re.compile(r"[a-z0-9]([-a-z0-9]*[a-z0-9])?"), 63, f"at most 63 {_CHARACTERS}")
_LETTER_FIRST = Form(
    re.compile(r"[a-z]([-a-z0-9]*[a-z0-9])?"), 63, f"at most 63 {_CHARACTERS}, beginning with a letter"
)
_DOTTED = re.compile(r"[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*")
_SUBDOMAIN = Form(_DOTTED, 253, f"at most 253 {_DOTS}")
_JOB = Form(_DOTTED, 63, f"at most 63 {_DOTS}")
_SEGMENT = Form(re.compile(r"(?!\.\.?\Z)[^/%]+"), 253, "a name without slashes and percent signs")
PORT_NAME = Form(
    re.compile(r"(?=.*[a-z])(?!.*--)[a-z0-9]([-a-z0-9]*[a-z0-9])?"),
    15,
    f"at most 15 {_CHARACTERS}, a letter among them, no two dashes in a row",
)

_FORMS: Mapping[str, Form] = {
    "Service": _LETTER_FIRST,
    "LeaderWorkerSet": _LETTER_FIRST,
    "Namespace": _LABEL,
    "Job": _JOB,
    **dict.fromkeys(("Role", "RoleBinding", "ClusterRole", "ClusterRoleBinding"), _SEGMENT),
}

_STATEFUL_SET = 52
"""A StatefulSet's pods carry `controller-revision-hash: <name>-<10 characters>`, a label of at most 63."""
_QUEUED = 41
"""Kueue before 0.18 makes no pods for groups of a LeaderWorkerSet with longer names."""


def judge_object_names(documents: Sequence[Document]) -> Iterator[Finding]:
    """Yield objects whose name is missing or not of the form that their kind needs."""
    for index, document in enumerate(documents):
        form = _FORMS.get(as_text(document.get("kind")), _SUBDOMAIN)
        if not form.fits(own_name(document)):
            yield _refuse("proof.name", index, ("metadata", "name"), dig(document, "metadata", "name"), form)


def judge_pod_names(documents: Sequence[Document]) -> Iterator[Finding]:
    """Yield names of containers, volumes, claims and ports of a pod that are not legal, and those given twice."""
    for template in pod_templates(documents):
        spec = (*template.path, "spec")
        containers = [((*container.path, "name"), container.body.get("name")) for container in template.containers()]
        yield from _judge_parts(template.document, containers)
        for key in ("volumes", "resourceClaims"):
            parts = [((*spec, key, at, "name"), part.get("name")) for at, part in each_mapping(template.spec.get(key))]
            yield from _judge_parts(template.document, parts)
        for container in template.containers():
            for port in container.ports():
                if port.name and not PORT_NAME.fits(port.name):
                    yield _refuse("proof.port-name", template.document, (*port.path, "name"), port.name, PORT_NAME)


def judge_service_port_names(documents: Sequence[Document]) -> Iterator[Finding]:
    """Yield port names of Services that are not legal, missing among several, or given twice."""
    for index, document in enumerate(documents):
        if document.get("kind") != "Service":
            continue
        ports = list(each_mapping(dig(document, "spec", "ports")))
        seen: set[str] = set()
        for at, port in ports:
            path: KeyPath = ("spec", "ports", at)
            name, target = port.get("name"), port.get("targetPort")
            if name is None and len(ports) > 1:
                yield Finding("proof.port-name", index, path, "one of several ports has no name; give each one")
            elif name is not None and not _LABEL.fits(as_text(name)):
                yield _refuse("proof.port-name", index, (*path, "name"), name, _LABEL)
            elif as_text(name) in seen:
                yield Finding("proof.port-name", index, (*path, "name"), f"two ports are called {name}; rename one")
            if isinstance(target, str) and not PORT_NAME.fits(target):
                yield _refuse("proof.port-name", index, (*path, "targetPort"), target, PORT_NAME)
            seen |= {as_text(name)} - {""}


def judge_objects(documents: Sequence[Document]) -> Iterator[Finding]:
    """Yield documents that are a second one of the same kind, name and namespace."""
    seen: dict[tuple[str, str, str], int] = {}
    for index, document in enumerate(documents):
        key = as_text(document.get("kind")), own_namespace(document), own_name(document)
        if key in seen and key[2]:
            yield Finding(
                "proof.duplicate-object",
                index,
                ("metadata", "name"),
                f"document {seen[key] + 1} is this {key[0]} too; rename one or leave one out",
            )
        seen.setdefault(key, index)


def judge_namespaces(documents: Sequence[Document]) -> Iterator[Finding]:
    """Yield our objects without a namespace, or with another than the first of them has."""
    ours = [
        (index, item)
        for index, item in enumerate(documents)
        if is_ours(item) and is_namespaced(as_text(item.get("kind")))
    ]
    first = next((own_namespace(document) for _, document in ours if own_namespace(document)), "")
    for index, document in ours:
        namespace = own_namespace(document)
        if not namespace:
            yield Finding(
                "proof.namespace",
                index,
                ("metadata",),
                f"the object has no namespace; write namespace: {first or 'NAMESPACE'}",
            )
        elif namespace != first:
            yield Finding(
                "proof.namespace",
                index,
                ("metadata", "namespace"),
                f"the namespace is {namespace}, that of the objects before {first}; write one for all",
            )


def judge_budgets(documents: Sequence[Document]) -> Iterator[Finding]:
    """Yield StatefulSets and LeaderWorkerSets whose name leaves no room for what controllers append.

    A LeaderWorkerSet makes StatefulSets `<name>` and `<name>-<group index>` (sigs.k8s.io/lws pkg/controllers).
    """
    for index, document in enumerate(documents):
        name = own_name(document)
        budget, suffix = _STATEFUL_SET, ""
        if document.get("kind") == "LeaderWorkerSet":
            if dig(document, "spec", "leaderWorkerTemplate", "size") not in (None, 1) or QUEUE in own_labels(document):
                suffix = f"-{_last_group(document)}"
            if QUEUE in own_labels(document):
                budget = _QUEUED
        elif document.get("kind") != "StatefulSet":
            continue
        if len(name) + len(suffix) > budget:
            yield Finding(
                "proof.name-budget",
                index,
                ("metadata", "name"),
                f"with {suffix or 'nothing'} appended it has {len(name) + len(suffix)} characters, {budget} fit; "
                f"write a name of at most {budget - len(suffix)}",
            )


def judge_clashes(documents: Sequence[Document]) -> Iterator[Finding]:
    """Yield Services and LeaderWorkerSets that have a name which a LeaderWorkerSet gives to what it makes."""
    sets = {own_name(document) for document in documents if document.get("kind") == "LeaderWorkerSet"} - {""}
    for index, document in enumerate(documents):
        name = own_name(document)
        head, _, tail = name.rpartition("-")
        taken = (document.get("kind") == "Service" and name in sets) or (
            document.get("kind") == "LeaderWorkerSet" and head in sets and tail.isdecimal()
        )
        if taken:
            owner = name if document.get("kind") == "Service" else head
            yield Finding(
                "proof.name-clash",
                index,
                ("metadata", "name"),
                f"LeaderWorkerSet {owner} makes an object of this name itself; rename this one",
            )


def _judge_parts(document: int, parts: Iterable[tuple[KeyPath, Any]]) -> Iterator[Finding]:
    seen: set[str] = set()
    for path, name in parts:
        if not _LABEL.fits(as_text(name)):
            yield _refuse("proof.name", document, path, name, _LABEL)
        elif name in seen:
            yield Finding("proof.duplicate-name", document, path, f"two are called {name}; rename one")
        seen.add(as_text(name))


def _refuse(rule: str, document: int, path: KeyPath, name: Any, form: Form) -> Finding:
    told = "there is no name" if name is None else f"{show(name)} is no legal name here"
    return Finding(rule, document, path, f"{told}; write {form.words}")


def _last_group(document: Document) -> int:
    """Return the greatest index of a group, those that a rollout adds included."""
    replicas = as_count(dig(document, "spec", "replicas"))
    replicas = 1 if replicas is None else replicas
    surge: Any = dig(document, "spec", "rolloutStrategy", "rollingUpdateConfiguration", "maxSurge")
    if isinstance(surge, str) and re.fullmatch(r"[0-9]{1,9}%", surge):
        surge = math.ceil(replicas * int(surge[:-1]) / 100)
    return max(replicas + min(as_count(surge) or 0, replicas) - 1, 0)
