"""Limits of objects: sizes, replicas and rollouts that the API server takes and that can move."""

import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from manifesto.errors import KeyPath
from manifesto.proof.documents import (
    Document,
    as_count,
    as_text,
    count_bytes,
    dig,
    dig_mapping,
    each_entry,
    each_mapping,
    is_ours,
    pod_templates,
)
from manifesto.proof.findings import Finding, show
from manifesto.proof.labels import ANNOTATIONS_LIMIT, measure_annotations

_CONFIG_MAP = 1048576
_LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration"
_SCALED = ("Deployment", "StatefulSet", "LeaderWorkerSet")
_OPERATORS = ("Equal", "Exists")
_EFFECTS = ("NoSchedule", "PreferNoSchedule", "NoExecute")


def judge_sizes(documents: Sequence[Document]) -> Iterator[Finding]:
    """Yield ConfigMaps above 1 MiB, and objects that client-side apply cannot store a second time.

    `kubectl apply` writes the object as JSON into an annotation, which counts with the others.
    """
    for index, document in enumerate(documents):
        if document.get("kind") == "ConfigMap":
            parts = [entry for part in ("data", "binaryData") for entry in each_entry(document.get(part))]
            size = sum(count_bytes(key) + count_bytes(as_text(value)) for key, value in parts)
            if size > _CONFIG_MAP:
                problem = f"the data have {size} bytes; leave at most {_CONFIG_MAP}"
                yield Finding("proof.config-map-size", index, ("data",), problem)
        written = dict(each_entry(dig(document, "metadata", "annotations")))
        written.pop(_LAST_APPLIED, None)
        size = measure_annotations(written) + len(_LAST_APPLIED) + _measure_applied(document, written)
        if size > ANNOTATIONS_LIMIT:
            problem = f"kubectl apply would store {size} bytes in annotations; leave at most {ANNOTATIONS_LIMIT}"
            yield Finding("proof.apply-size", index, (), problem)


def judge_replicas(documents: Sequence[Document]) -> Iterator[Finding]:
    """Yield workloads of ours that write no replicas, and those with a number of replicas or pods that is none.

    Only a written number is restored by applying the manifest after idle shutdown has scaled it down.
    """
    for index, document in enumerate(documents):
        if as_text(document.get("kind")) not in _SCALED:
            continue
        replicas = dig(document, "spec", "replicas")
        if replicas is None and is_ours(document):
            yield Finding("proof.replicas", index, ("spec",), "the replicas are not written; write replicas: 1")
        elif replicas is not None and (as_count(replicas) is None or replicas < 0):
            problem = f"{show(replicas)} is no number of replicas; write 0 or more"
            yield Finding("proof.replicas", index, ("spec", "replicas"), problem)
        size = dig(document, "spec", "leaderWorkerTemplate", "size")
        if size is not None and (as_count(size) is None or size < 1):
            path = ("spec", "leaderWorkerTemplate", "size")
            yield Finding("proof.replicas", index, path, f"{show(size)} is no number of pods; write 1 or more")


def judge_rollouts(documents: Sequence[Document]) -> Iterator[Finding]:
    """Yield rollouts that can replace no pod, that go beyond 100%, or that a Deployment's strategy excludes.

    k8s.io/kubernetes pkg/apis/apps/validation; sigs.k8s.io/lws pkg/webhooks (where maxSurge has the bound too).
    """
    for index, document in enumerate(documents):
        kind, replicas = document.get("kind"), as_count(dig(document, "spec", "replicas"))
        if kind == "Deployment":
            path: KeyPath = ("spec", "strategy", "rollingUpdate")
            bounded: tuple[str, ...] = ("maxUnavailable",)
            if dig(document, "spec", "strategy", "type") == "Recreate" and dig(document, *map(str, path)) is not None:
                yield Finding("proof.rollout", index, path, "Recreate replaces all pods at once; leave this out")
        elif kind == "LeaderWorkerSet":
            path, bounded = ("spec", "rolloutStrategy", "rollingUpdateConfiguration"), ("maxUnavailable", "maxSurge")
        else:
            continue
        rollout = dig_mapping(document, *map(str, path))
        for key in ("maxUnavailable", "maxSurge"):
            parts = _read_share(rollout.get(key, 1))
            if parts is None or (key in bounded and parts[1] and parts[0] > 100):
                problem = f"{show(rollout[key])} is no share of the replicas; write a number or 0% to 100%"
                yield Finding("proof.rollout", index, (*path, key), problem)
        if _is_stuck(rollout, kind == "LeaderWorkerSet", 1 if replicas is None else replicas):
            problem = "no pod may go and none may be added; allow one of them"
            yield Finding("proof.rollout", index, (*path, "maxUnavailable"), problem)


def judge_tolerations(documents: Sequence[Document]) -> Iterator[Finding]:
    """Yield tolerations with an operator or effect that Kubernetes does not know, or parts that exclude each other."""
    for template in pod_templates(documents):
        for at, toleration in each_mapping(template.spec.get("tolerations")):
            path = (*template.path, "spec", "tolerations", at)
            for key, problem in _judge_toleration(toleration):
                yield Finding("proof.toleration", template.document, (*path, key), problem)


def _judge_toleration(toleration: Mapping[Any, Any]) -> Iterator[tuple[str, str]]:
    operator = toleration.get("operator", "Equal")
    if operator not in _OPERATORS:
        yield "operator", f"{show(operator)} is no operator; write {' or '.join(_OPERATORS)}"
    elif operator == "Exists" and toleration.get("value"):
        yield "value", "Exists takes any value; leave this out or write operator: Equal"
    elif operator == "Equal" and not toleration.get("key"):
        yield "operator", "without a key every taint is meant; write operator: Exists"
    if toleration.get("effect", _EFFECTS[0]) not in (*_EFFECTS, ""):
        yield "effect", f"{show(toleration['effect'])} is no effect; write one of {', '.join(_EFFECTS)}"
    elif "tolerationSeconds" in toleration and toleration.get("effect") != "NoExecute":
        yield "tolerationSeconds", "only NoExecute takes seconds; leave this out"


def _measure_applied(document: Document, annotations: Mapping[str, Any]) -> int:
    """Return how many bytes kubectl makes of an object: Go's JSON, which escapes `<`, `>` and `&`, and a line end."""
    metadata = {**dig_mapping(document, "metadata"), "annotations": annotations}
    text = json.dumps({**document, "metadata": metadata}, ensure_ascii=False, separators=(",", ":"), default=str)
    return count_bytes(text) + 5 * len(re.findall("[<>&]", text)) + 1


def _read_share(written: Any) -> tuple[int, bool] | None:
    """Return (number, whether it is a percentage) of a count or share of replicas, None for what is neither."""
    if isinstance(written, str) and re.fullmatch(r"[0-9]{1,9}%", written):
        return int(written[:-1]), True
    number = as_count(written)
    return (number, False) if number is not None and number >= 0 else None


def _is_stuck(rollout: Mapping[Any, Any], scaled: bool, replicas: int) -> bool:
    """Whether neither number lets a rollout begin; `scaled`: shares are rounded to replicas first, surge up."""
    if not scaled:
        shares = [_read_share(rollout.get(key, "25%")) for key in ("maxUnavailable", "maxSurge")]
        return all(share is not None and share[0] == 0 for share in shares)
    unavailable, surge = _read_share(rollout.get("maxUnavailable", 1)), _read_share(rollout.get("maxSurge", 0))
    if unavailable is None or surge is None or replicas == 0:
        return False
    down = unavailable[0] * replicas // 100 if unavailable[1] else unavailable[0]
    up = math.ceil(surge[0] * replicas / 100) if surge[1] else surge[0]
    return down == 0 and up == 0
