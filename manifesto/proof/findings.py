"""Findings: what the relations of the proof report."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from manifesto.errors import TOKEN, KeyPath, format_path
from manifesto.proof.documents import Document

_SHOWN = 80


@dataclass(frozen=True)
class Finding:
    """One disagreement: the relation's id, the document (by index) and path that is at odds, and with what.

    `problem` says what is wrong and what to write instead; `name` is the document's, set by prove().
    """

    rule: str
    document: int
    path: KeyPath
    problem: str
    name: str = ""

    def __str__(self) -> str:
        place = ": ".join(part for part in (self.name, format_path(self.path)) if part)
        return TOKEN.sub("***", f"{place}: {self.problem} [{self.rule}]")


Relation = Callable[[Sequence[Document]], Iterator[Finding]]
"""Documents of one manifest go in, what they disagree about comes out."""


def show(value: Any) -> str:
    """Return a value as problems quote it: without tokens, and no longer than a line."""
    text = TOKEN.sub("***", repr(value))
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
