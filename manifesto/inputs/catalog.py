"""The catalogs: a name from the command line goes in, the file that it means comes out."""

import errno
import os
import sys
from dataclasses import dataclass, replace
from pathlib import Path

from manifesto.data import CATALOG
from manifesto.errors import Fault, ManifestoError, OperationError, suggest
from manifesto.inputs.documents import MAX_BYTES
from manifesto.inputs.folders import shorten

SUFFIXES = (".yaml", ".yml")
_SINGULAR = {"models": "model", "clusters": "cluster"}


@dataclass(frozen=True)
class Source:
    """A file to read: its path (None: standard input), and the name that positions give it.

    `held` are the bytes of a pipe that was read already.
    """

    path: Path | None
    name: str
    bundled: bool = False
    piped: bool = False
    held: bytes | None = None


@dataclass(frozen=True)
class Listed:
    """An entry of a catalog. `shadows`: a bundled entry of the same name is hidden by it."""

    name: str
    source: str
    path: Path
    shadows: bool


def find_source(catalog: str, name: str, asked: str, home: Path) -> Source:
    """Return the file that `name` means: an existing path, else an entry of the user catalog, else a bundled one.

    `catalog` is models or clusters, `asked` the option, argument or setting that holds the name, `home` the user
    catalog's folder. Raises ManifestoError when nothing is found.
    """
    if name == "-":
        return Source(None, f"<{_SINGULAR[catalog]}>", piped=True)
    if os.path.exists(name) and not os.path.isdir(name):
        piped = not os.path.isfile(name)
        return Source(Path(name), f"<{_SINGULAR[catalog]}>" if piped else name, piped=piped)
    entry = name.removeprefix(f"{catalog}/")
    if source := _find_entry(catalog, entry, home):
        return source
    word = entry.removesuffix(".yaml").removesuffix(".yml")
    near = suggest(word, [listed.name for listed in list_catalog(catalog, home)], most=3)
    told = f"{name} is a folder" if os.path.isdir(name) else f"no {_SINGULAR[catalog]} is called {name!r}"
    remedy = (
        f"write a path, or a name from `manifesto config list {catalog}`"
        f" (looked in the working folder, {shorten(home / catalog)} and the bundled catalog)"
    )
    raise ManifestoError([Fault("catalog.unknown-name", told + near, remedy, (asked,), "option")])


def _find_entry(catalog: str, entry: str, home: Path) -> Source | None:
    parts = Path(entry).parts
    if not parts or ".." in parts or entry.startswith("/"):
        return None
    names = [entry] if entry.endswith(SUFFIXES) else [entry + suffix for suffix in SUFFIXES]
    for root in (home, CATALOG):
        for found in (root / catalog / name for name in names):
            if os.path.isfile(found):
                return bundled_source(found) if root is CATALOG else Source(found, shorten(found))
    return None


def bundled_source(path: Path) -> Source:
    """Return the source of a file of the bundled catalog, whose place on this machine is nobody's business."""
    return Source(path, f"catalog/{path.relative_to(CATALOG).as_posix()}", bundled=True)


def parent_source(child: Source, relative: str) -> tuple[Source, Path]:
    """Return the file that `extends: relative` means in `child`, and its path."""
    assert child.path is not None
    path = Path(os.path.normpath(child.path.parent / relative))
    if child.bundled and path.is_relative_to(CATALOG):
        return bundled_source(path), path
    return Source(path, str(path) if child.name == str(child.path) else shorten(path)), path


def hold_source(source: Source) -> Source:
    """Return a source that can be read several times, also if it is a pipe."""
    return replace(source, held=read_source(source)) if source.piped else source


def read_source(source: Source) -> bytes:
    """Return the bytes of a source, one more than MAX_BYTES at most; raises ManifestoError if it cannot be read."""
    if source.held is not None:
        return source.held
    try:
        if source.path is None and sys.stdin is None:
            raise OSError(errno.EBADF, "standard input is closed")
        if source.path is None:
            return sys.stdin.buffer.read(MAX_BYTES + 1)
        with source.path.open("rb") as file:
            return file.read(MAX_BYTES + 1)
    except OSError as error:
        told = f"this cannot be read: {error.strerror}"
        raise OperationError([Fault("catalog.unreadable", told, place=source.name)]) from None


def list_catalog(catalog: str, home: Path) -> list[Listed]:
    """Return the entries of a catalog by name; an entry of the user catalog hides the bundled one of its name."""
    bundled = _list_root(CATALOG / catalog)
    own = _list_root(home / catalog)
    entries = [Listed(name, "user", path, name in bundled) for name, path in own.items()]
    entries += [Listed(name, "bundled", path, False) for name, path in bundled.items() if name not in own]
    return sorted(entries, key=lambda entry: entry.name)


def _list_root(root: Path) -> dict[str, Path]:
    files = sorted(path for path in root.rglob("*") if path.suffix in SUFFIXES and path.is_file())
    return {path.relative_to(root).as_posix().removesuffix(path.suffix): path for path in reversed(files)}
