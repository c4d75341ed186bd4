"""Labels and annotations: legal keys and values, and annotations within their common limit.

What the API server accepts: k8s.io/apimachinery pkg/util/validation and pkg/api/validation (objectmeta.go).
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from manifesto.errors import KeyPath
from manifesto.proof.documents import Document, as_text, count_bytes, each_entry, walk
from manifesto.proof.findings import Finding, show

_NAME = re.compile(r"[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?")
_PREFIX = re.compile(r"[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*")
_PREFIX_LIMIT = 253
_MAPS = (("metadata", "labels"), ("matchLabels",), ("nodeSelector",))
_WORDS = "at most 63 letters, digits, dashes, underscores and dots, a letter or digit at both ends"
_KEY = f"{_WORDS}, after an optional DNS name and slash"

ANNOTATIONS_LIMIT = 262144
"""The most bytes that keys and values of one object's annotations may have together."""


def judge_labels(documents: Sequence[Document]) -> Iterator[Finding]:
    """Yield keys and values of labels that are not legal, wherever objects carry or select them."""
    for index, document in enumerate(documents):
        for path, value in walk(document):
            service = document.get("kind") == "Service" and path == ("spec", "selector")
            if service or any(path[-len(end) :] == end for end in _MAPS):
                yield from _judge_labels(index, path, value)


def judge_annotations(documents: Sequence[Document]) -> Iterator[Finding]:
    """Yield annotations that are not legal, and objects and pod templates that carry too much of them."""
    for index, document in enumerate(documents):
        for path, value in walk(document):
            if path[-2:] != ("metadata", "annotations"):
                continue
            for key, text in each_entry(value):
                if not _is_key(key.lower()):
                    yield Finding("proof.annotation", index, (*path, key), f"{show(key)} is no legal key; write {_KEY}")
                if not isinstance(text, str):
                    yield Finding("proof.annotation", index, (*path, key), "the value is no string; quote it")
            size = measure_annotations(value)
            if size > ANNOTATIONS_LIMIT:
                yield Finding(
                    "proof.annotations-size",
                    index,
                    path,
                    f"the annotations have {size} bytes; leave at most {ANNOTATIONS_LIMIT} in all",
                )


def measure_annotations(annotations: Any) -> int:
    """Return how many bytes the keys and values of annotations have together."""
    return sum(count_bytes(key) + count_bytes(as_text(text)) for key, text in each_entry(annotations))


def _judge_labels(document: int, path: KeyPath, labels: Any) -> Iterator[Finding]:
    if not isinstance(labels, Mapping):
        return
    for key, value in each_entry(labels):
        if not _is_key(key):
            yield Finding("proof.label", document, (*path, key), f"{show(key)} is no legal key; write {_KEY}")
        if not isinstance(value, str):
            yield Finding("proof.label", document, (*path, key), "the value is no string; quote it")
        elif value and not _NAME.fullmatch(value):
            yield Finding("proof.label", document, (*path, key), f"{show(value)} is no legal value; write {_WORDS}")


def _is_key(key: str) -> bool:
    """Whether a key is a name of a label, after a DNS name and a slash or without them."""
    prefix, slash, name = key.rpartition("/")
    return _NAME.fullmatch(name) is not None and (
        not slash or (len(prefix) <= _PREFIX_LIMIT and _PREFIX.fullmatch(prefix) is not None)
    )
