"""Template packs: the table of contents of a manifest, read from `pack.yaml`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from manifesto.data import TEMPLATES


@dataclass(frozen=True)
class Entry:
    """One object kind of a manifest. `when` names the boolean context key that must hold (empty: always)."""

    name: str
    template: str
    kind: str
    api_version: str
    resource: str
    scope: str
    manifests: Sequence[str]
    when: str = ""


@dataclass(frozen=True)
class PackFile:
    """A file that is rendered (`template`) or passed through into the context key `name` of its scope.

    `argument`: the text becomes an argument of a container, in which Kubernetes expands `$(NAME)`.
    """

    name: str
    file: str
    scope: str
    template: bool = False
    argument: bool = False


@dataclass(frozen=True)
class Pack:
    """A pack: its name, its folder, its entries in the order of a manifest, and its files."""

    name: str
    folder: Path
    entries: Sequence[Entry]
    files: Sequence[PackFile]


@cache
def load_pack(name: str) -> Pack:
    """Return the bundled pack of that name, for example v1."""
    folder = TEMPLATES / name
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    with (folder / "pack.yaml").open(encoding="utf-8") as file:
        written: Mapping[str, Any] = yaml.load(file, Loader=loader)
    return Pack(
        name,
        folder,
        [Entry(**entry) for entry in written["entries"]],
        [PackFile(**entry) for entry in written["files"]],
    )
