"""The manifest: contexts go in, the documents that a pack makes of them come out, in the pack's order."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

from jinja2 import Environment

from manifesto.render.files import add_files
from manifesto.render.pack import Entry, Pack
from manifesto.render.templating import make_environment

Context = Mapping[str, Any]


@dataclass(frozen=True)
class Document:
    """One object of a manifest: its entry, the context that it was made of, and its YAML without `---`."""

    entry: Entry
    context: Context
    text: str


def render_documents(
    pack: Pack, manifest: str, instance: Context, roles: Sequence[Context], cache: Path | None
) -> list[Document]:
    """Return the documents of a manifest (one of the commands that `pack.yaml` names, for example manifest).

    Files are rendered first, into keys of the contexts. Role entries that follow each other are printed role
    by role.
    """
    files = make_environment(pack.folder, cache, for_files=True)
    objects = make_environment(pack.folder, cache, for_files=False)
    instance = add_files(pack, "instance", instance, files)
    full_roles = [add_files(pack, "role", role, files) for role in roles]
    entries = [entry for entry in pack.entries if manifest in entry.manifests]
    documents: list[Document] = []
    for scope, group in groupby(entries, key=lambda entry: entry.scope):
        members = list(group)
        for context in full_roles if scope == "role" else [instance]:
            documents += _render_entries(members, context, objects)
    return documents


def join_documents(header: str, documents: Sequence[Document]) -> str:
    """Return the text of a manifest: the header, then each document after its `---`."""
    return header + "".join(f"---\n{document.text}" for document in documents)


def _render_entries(entries: Sequence[Entry], context: Context, objects: Environment) -> Iterator[Document]:
    for entry in entries:
        if not entry.when or context[entry.when]:
            text = objects.get_template(entry.template).render(context)
            yield Document(entry, context, text.strip("\n") + "\n")
