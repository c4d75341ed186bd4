"""The catalogs: a name from the command line goes in, the file that it means comes out."""

import os
import stat
import sys
from dataclasses import dataclass
from pathlib import Path

from manifesto.data import CATALOG
from manifesto.errors import Fault, ManifestoError, OperationError, suggest
from manifesto.inputs.documents import MAX_BYTES

SUFFIXES = (".yaml", ".yml")
_SINGULAR = {"models": "model", "clusters": "cluster"}


@dataclass(frozen=True)
class Source:
    """A file to read: its path (None: standard input), and the name that positions give it."""

    path: Path | None
    name: str
    bundled: bool = False
    piped: bool = False


@dataclass(frozen=True)
class Listed:
    """An entry of a catalog. `shadows`: a bundled entry of the same name is hidden by it."""

    name: str
    source: str
    path: Path
    shadows: bool


def find_source(catalog: str, name: str, home: Path, asked: str) -> Source:
    """Return the file that `name` means: an existing path, else an entry of the user catalog, else a bundled one.

    `catalog` is models or clusters, `home` the user catalog's folder, `asked` the option or argument that
    holds the name. Raises ManifestoError when nothing is found.
    """
    if name == "-":
        return Source(None, f"<{_SINGULAR[catalog]}>", piped=True)
    path = Path(name)
    if path.exists() and not path.is_dir():
        piped = not stat.S_ISREG(path.stat().st_mode)
        return Source(path, f"<{_SINGULAR[catalog]}>" if piped else name, piped=piped)
    entry = name.removeprefix(f"{catalog}/")
    parts = Path(entry).parts
    if parts and ".." not in parts and not Path(entry).is_absolute():
        for root in (home, CATALOG):
            for suffix in ("", *SUFFIXES):
                if (
                    entry.endswith(SUFFIXES) == (suffix == "")
                    and (found := root / catalog / f"{entry}{suffix}").is_file()
                ):
                    return bundled_source(found) if root is CATALOG else Source(found, shorten(found))
    near = suggest(entry, [listed.name for listed in list_catalog(catalog, home)])
    raise ManifestoError(
        [
            Fault(
                "catalog.unknown-name",
                f"no {_SINGULAR[catalog]} is called {name!r}{near}",
                f"write a path, or a name from `manifesto config list {catalog}`"
                f" (looked in the working folder, {shorten(home / catalog)} and the bundled catalog)",
                path=(asked,),
                source="option",
            )
        ]
    )


def bundled_source(path: Path) -> Source:
    """Return the source of a file of the bundled catalog, whose place on this machine is nobody's business."""
    return Source(path, f"catalog/{path.relative_to(CATALOG).as_posix()}", bundled=True)


def parent_source(child: Source, relative: str) -> Source:
    """Return the file that `extends: relative` means in `child`."""
    assert child.path is not None
    name = os.path.normpath(os.path.join(os.path.dirname(child.name), relative))
    path = Path(os.path.normpath(child.path.parent / relative))
    return Source(path, name, bundled=child.bundled and path.is_relative_to(CATALOG))


def read_source(source: Source) -> bytes:
    """Return the bytes of a source, one more than MAX_BYTES at most; raises ManifestoError if it cannot be read."""
    try:
        if source.path is None:
            return sys.stdin.buffer.read(MAX_BYTES + 1)
        with source.path.open("rb") as file:
            return file.read(MAX_BYTES + 1)
    except (FileNotFoundError, IsADirectoryError):
        raise ManifestoError(
            [Fault("catalog.no-file", f"there is no file {source.name}", "write the path of a file")]
        ) from None
    except OSError as error:
        raise OperationError(
            [Fault("catalog.unreadable", f"cannot be read: {error.strerror}", place=source.name)]
        ) from None


def list_catalog(catalog: str, home: Path) -> list[Listed]:
    """Return the entries of a catalog by name; an entry of the user catalog hides the bundled one of its name."""
    bundled = _list_root(CATALOG / catalog)
    own = _list_root(home / catalog)
    entries = [Listed(name, "user", path, name in bundled) for name, path in own.items()]
    entries += [Listed(name, "bundled", path, False) for name, path in bundled.items() if name not in own]
    return sorted(entries, key=lambda entry: entry.name)


def shorten(path: Path) -> str:
    """Return a path as messages show it: relative below the working folder, else as it is."""
    try:
        return str(path.relative_to(Path.cwd()))
    except ValueError:
        return str(path)


def _list_root(root: Path) -> dict[str, Path]:
    files = sorted(path for path in root.rglob("*") if path.suffix in SUFFIXES and path.is_file())
    return {path.relative_to(root).as_posix().removesuffix(path.suffix): path for path in files}
