"""The proof: relations that every manifest must satisfy, judged on documents alone."""

from collections.abc import Callable, Iterator, Sequence

from manifesto.proof.findings import Document, Finding

Relation = Callable[[Sequence[Document]], Iterator[Finding]]

RELATIONS: tuple[Relation, ...] = ()


def prove(documents: Sequence[Document]) -> list[Finding]:
    """Return what the documents of one manifest disagree about; empty when every relation holds."""
    return [finding for relation in RELATIONS for finding in relation(documents)]
