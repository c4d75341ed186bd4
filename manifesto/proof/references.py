"""References: what objects name by kind and name is in the manifest, or is of a kind that the cluster holds."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from manifesto.errors import KeyPath
from manifesto.proof.documents import (
    INSTANCE,
    QUEUE,
    Document,
    PodTemplate,
    as_text,
    dig,
    dig_mapping,
    each_entry,
    each_mapping,
    is_namespaced,
    is_ours,
    own_labels,
    own_name,
    own_namespace,
    pod_templates,
)
from manifesto.proof.findings import Finding

_OUTSIDE = (
    *("Secret", "PersistentVolumeClaim", "ResourceClaim", "PriorityClass", "RuntimeClass"),
    *("LocalQueue", "WorkloadPriorityClass"),
)
"""Kinds that come from outside by nature."""
_OUTSIDE_IF_FOREIGN = ("ConfigMap", "ResourceClaimTemplate")
"""Kinds that a cluster profile may name too (extra volumes, an IMEX channel); an instance's begin with its id."""
_ALWAYS_THERE = (("ServiceAccount", "default"), ("ConfigMap", "kube-root-ca.crt"))
_VOLUMES = (("configMap", "ConfigMap", "name"), ("secret", "Secret", "secretName"))
_BINDINGS = ("RoleBinding", "ClusterRoleBinding")
_DIGEST_AT = 54
"""Names of over 63 characters are cut here, before a dash and a digest."""


class Reference(NamedTuple):
    """One object that a document names; `key` is what of its data is meant, empty where nothing is."""

    document: int
    path: KeyPath
    kind: str
    name: str
    namespace: str
    key: str = ""


def find_references(documents: Sequence[Document]) -> Iterator[Reference]:
    """Yield what pods, bindings and queue labels name and need; what is marked optional is not needed."""
    for template in pod_templates(documents):
        for path, kind, name, key in _pod_references(template):
            namespace = own_namespace(documents[template.document]) if is_namespaced(kind) else ""
            if name:
                yield Reference(template.document, path, kind, name, namespace, key)
    for index, document in enumerate(documents):
        for path, kind, name, namespace in (*_binding_references(document), *_queue_references(document)):
            if name:
                yield Reference(index, path, kind, name, namespace)


def list_outside(documents: Sequence[Document]) -> list[Reference]:
    """Return what the cluster must hold since the manifest does not, by kind and name, each with its first place."""
    found: dict[tuple[str, ...], Reference] = {}
    for reference in find_references(documents):
        if _find(documents, reference) is None and _is_outside(documents, reference):
            _, _, *what = reference
            found.setdefault(tuple(what), reference)
    return [found[key] for key in sorted(found)]


def judge_references(documents: Sequence[Document]) -> Iterator[Finding]:
    """Yield names of objects that should be in the manifest and are not, and keys that they do not have."""
    told: set[tuple[int, str, str]] = set()
    for reference in find_references(documents):
        document, path, kind, name, namespace, key = reference
        target = _find(documents, reference)
        if target is not None:
            keys = _keys(target)
            if key and key not in keys:
                problem = f"{kind} {name} has no key {key}; write {_list(keys)}"
                yield Finding("proof.key", document, (*path[:-1], "key"), problem)
        elif (document, kind, name) not in told and not _is_outside(documents, reference):
            told.add((document, kind, name))
            there = f"in namespace {namespace}" if namespace else "here"
            held = [own_name(item) for item in documents if item.get("kind") == kind]
            problem = f"there is no {kind} {name} {there}; add it" + (f", or name {_list(held)}" if held else "")
            yield Finding("proof.reference", document, path, problem)


def judge_sub_paths(documents: Sequence[Document]) -> Iterator[Finding]:
    """Yield mounts whose `subPath` is no file of the ConfigMap or Secret: the kubelet would mount an empty folder."""
    for template in pod_templates(documents):
        volumes = {as_text(volume.get("name")): volume for _, volume in each_mapping(template.spec.get("volumes"))}
        for container in template.containers():
            for at, mount in each_mapping(container.body.get("volumeMounts")):
                written, volume = as_text(mount.get("subPath")), volumes.get(as_text(mount.get("name")))
                files = _files(documents, template, volume)
                if written and files is not None and not any(f"{file}/".startswith(f"{written}/") for file in files):
                    path = (*container.path, "volumeMounts", at, "subPath")
                    problem = f"the volume has no file {written}; write {_list(files)}"
                    yield Finding("proof.key", template.document, path, problem)


def judge_subjects(documents: Sequence[Document]) -> Iterator[Finding]:
    """Yield accounts of a binding without the namespace that they are in."""
    for index, document in enumerate(documents):
        if as_text(document.get("kind")) in _BINDINGS:
            for at, subject in each_mapping(document.get("subjects")):
                if subject.get("kind") == "ServiceAccount" and not as_text(subject.get("namespace")):
                    problem = "the account has no namespace; write the one that it is in"
                    yield Finding("proof.namespace", index, ("subjects", at), problem)


def _find(documents: Sequence[Document], reference: Reference) -> Document | None:
    for document in documents:
        named = document.get("kind") == reference.kind and own_name(document) == reference.name
        if named and reference.namespace in ("", own_namespace(document)):
            return document
    return None


def _keys(target: Document) -> set[str]:
    return {key for part in ("data", "binaryData", "stringData") for key, _ in each_entry(target.get(part))}


def _files(documents: Sequence[Document], template: PodTemplate, volume: Any) -> set[str] | None:
    """Return the files of a volume that is made of a ConfigMap or Secret, None where they are not known."""
    for source, kind, field in _VOLUMES:
        body = dig_mapping(volume, source)
        if body.get("items"):
            return {as_text(item.get("path")) for _, item in each_mapping(body["items"])}
        name, namespace = as_text(body.get(field)), own_namespace(documents[template.document])
        target = _find(documents, Reference(template.document, (), kind, name, namespace)) if name else None
        if target is not None:
            return _keys(target)
    return None


def _is_outside(documents: Sequence[Document], reference: Reference) -> bool:
    """Whether the cluster, not the manifest, is to hold what is named."""
    kind, name, document = reference.kind, reference.name, documents[reference.document]
    if kind in _OUTSIDE or (kind, name) in _ALWAYS_THERE:
        return True
    if kind == "ClusterRole" and name.startswith("system:openshift:scc:"):
        return True
    if not is_ours(document):
        return all(item.get("kind") != kind for item in documents)
    instance = as_text(own_labels(document).get(INSTANCE))
    return kind in _OUTSIDE_IF_FOREIGN and bool(instance) and not name.startswith(f"{instance}-"[:_DIGEST_AT])


_Part = tuple[KeyPath, str, str, str]


def _pod_references(template: PodTemplate) -> Iterator[_Part]:
    """Yield (path, kind, name, key) of what a pod names."""
    path, spec = (*template.path, "spec"), template.spec
    for field, kind in (
        ("serviceAccountName", "ServiceAccount"),
        ("priorityClassName", "PriorityClass"),
        ("runtimeClassName", "RuntimeClass"),
    ):
        yield (*path, field), kind, as_text(spec.get(field)), ""
    for at, secret in each_mapping(spec.get("imagePullSecrets")):
        yield (*path, "imagePullSecrets", at, "name"), "Secret", as_text(secret.get("name")), ""
    for at, claim in each_mapping(spec.get("resourceClaims")):
        for kind in ("ResourceClaimTemplate", "ResourceClaim"):
            field = f"{kind[0].lower()}{kind[1:]}Name"
            yield (*path, "resourceClaims", at, field), kind, as_text(claim.get(field)), ""
    for at, volume in each_mapping(spec.get("volumes")):
        place = (*path, "volumes", at)
        claim = dig(volume, "persistentVolumeClaim", "claimName")
        yield (*place, "persistentVolumeClaim", "claimName"), "PersistentVolumeClaim", as_text(claim), ""
        yield from _volume_references(place, volume)
        for index, source in each_mapping(dig(volume, "projected", "sources")):
            yield from _volume_references((*place, "projected", "sources", index), source)
    yield from _environment_references(template)


def _volume_references(path: KeyPath, volume: Mapping[Any, Any]) -> Iterator[_Part]:
    for source, kind, field in _VOLUMES:
        body = dig_mapping(volume, source)
        if body.get("optional") is True:
            continue
        field = field if field in body else "name"  # a projected Secret is named like a ConfigMap
        name = as_text(body.get(field))
        yield (*path, source, field), kind, name, ""
        for at, item in each_mapping(body.get("items")):
            yield (*path, source, "items", at, "key"), kind, name, as_text(item.get("key"))


def _environment_references(template: PodTemplate) -> Iterator[_Part]:
    for container in template.containers():
        for at, entry in each_mapping(container.body.get("env")):
            for field, kind in (("configMapKeyRef", "ConfigMap"), ("secretKeyRef", "Secret")):
                body = dig_mapping(entry, "valueFrom", field)
                if body.get("optional") is not True:
                    path = (*container.path, "env", at, "valueFrom", field, "name")
                    yield path, kind, as_text(body.get("name")), as_text(body.get("key"))
        for at, source in each_mapping(container.body.get("envFrom")):
            for field, kind in (("configMapRef", "ConfigMap"), ("secretRef", "Secret")):
                body = dig_mapping(source, field)
                if body.get("optional") is not True:
                    yield (*container.path, "envFrom", at, field, "name"), kind, as_text(body.get("name")), ""


def _binding_references(document: Document) -> Iterator[tuple[KeyPath, str, str, str]]:
    """Yield (path, kind, name, namespace) of the role and the accounts of a RoleBinding."""
    if as_text(document.get("kind")) not in _BINDINGS:
        return
    role = dig_mapping(document, "roleRef")
    namespace = own_namespace(document) if role.get("kind") == "Role" else ""
    yield ("roleRef", "name"), as_text(role.get("kind")), as_text(role.get("name")), namespace
    for at, subject in each_mapping(document.get("subjects")):
        if subject.get("kind") == "ServiceAccount":
            path: KeyPath = ("subjects", at, "name")
            yield path, "ServiceAccount", as_text(subject.get("name")), as_text(subject.get("namespace"))


def _queue_references(document: Document) -> Iterator[tuple[KeyPath, str, str, str]]:
    """Yield (path, kind, name, namespace) of the Kueue objects that a document's labels name."""
    for label, kind, namespace in (
        (QUEUE, "LocalQueue", own_namespace(document)),
        ("kueue.x-k8s.io/priority-class", "WorkloadPriorityClass", ""),
    ):
        yield ("metadata", "labels", label), kind, as_text(own_labels(document).get(label)), namespace


def _list(names: Iterable[str]) -> str:
    return " or ".join(sorted(names)) or "one after adding it"
