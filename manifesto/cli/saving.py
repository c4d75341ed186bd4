"""The saved manifest: where it goes, how it gets there in one piece, and what is said about it."""

import os
import shlex
import stat
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

from manifesto.cli.rendering import Rendering
from manifesto.errors import Fault, ManifestoError, OperationError


def choose_path(output: str | None, settings: Mapping[str, str]) -> Path:
    """Return the file to save to: the option, else MANIFESTO_RENDER_OUT, else /tmp/manifesto.yaml."""
    return Path(output or settings.get("MANIFESTO_RENDER_OUT") or "/tmp/manifesto.yaml")


def save(path: Path, text: str) -> None:
    """Write a file atomically: readers see the old text or the new one, never a part.

    Raises ManifestoError for a link that somebody else owns in a shared folder, OperationError when it
    cannot be written.
    """
    refuse_foreign_link(path)
    target = Path(os.path.realpath(path))
    if target.is_dir():
        raise ManifestoError([_fault("saving.folder", f"{path} is a folder", "name a file")])
    draft = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        mode = stat.S_IMODE(target.stat().st_mode) if target.exists() else None
        handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o666)
        with os.fdopen(handle, "w", encoding="utf-8", newline="") as file:
            file.write(text)
            if mode is not None:
                os.fchmod(file.fileno(), mode)
        os.replace(draft, target)
    except OSError as error:
        draft.unlink(missing_ok=True)
        raise OperationError(
            [_fault("saving.failed", f"{path} cannot be written: {error.strerror}", "choose another file")]
        ) from None


def refuse_foreign_link(path: Path) -> None:
    """Raise ManifestoError for a link in a folder that others may write to and that another user made."""
    if not path.is_symlink():
        return
    shared = path.parent.stat().st_mode & (stat.S_IWOTH | stat.S_ISVTX)
    if shared and path.lstat().st_uid != os.geteuid():
        raise ManifestoError(
            [
                _fault(
                    "saving.foreign-link",
                    f"{path} is a link that another user made in a shared folder",
                    "choose another file",
                )
            ]
        )


def describe(rendering: Rendering, path: Path) -> str:
    """Return what a saved manifest holds (kinds, counts, GPUs) and the next command."""
    kinds = Counter(document.entry.kind for document in rendering.documents)
    held = ", ".join(f"{count} {kind}" for kind, count in kinds.items())
    gpus = sum(context["gpus_per_pod"] * context["replicas"] for context in rendering.deployment.contexts)
    return f"{held}; {gpus} GPU{'s' if gpus != 1 else ''}\nnext: kubectl apply -f {shlex.quote(str(path))}"


def _fault(rule: str, problem: str, remedy: str) -> Fault:
    return Fault(rule, problem, remedy, ("--output",), "option")
