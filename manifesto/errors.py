"""Faults: what is wrong with an input. Raised with a path; the boundary adds file, line and column."""

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypeVar

T = TypeVar("T")

KeyPath = tuple[str | int, ...]

TOKEN = re.compile(r"\bhf_[A-Za-z0-9]{20,}\b")
"""What looks like a Hugging Face token; no fault ever shows one."""

_BARE = re.compile(r"[A-Za-z0-9_-]+\Z")
_LONGEST = 1000


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is wrong.

    `rule` is the short id that docs/errors.md explains. `path` leads to the value in the input named
    by `source` (model, cluster, option, settings, catalog); for an option it is the option's name alone.
    `others` are further paths of the same source that make the value wrong together with it.
    `place` is `file:line:col`, empty until the boundary knows it.
    """

    rule: str
    problem: str
    remedy: str = ""
    path: KeyPath = ()
    source: str = "model"
    others: tuple[KeyPath, ...] = ()
    place: str = ""

    def __str__(self) -> str:
        head = ": ".join(_show(part) for part in (self.place, format_path(self.path)) if part)
        body = "; ".join(_show(part) for part in (self.problem, self.remedy) if part)
        return f"{head}: {body} [{self.rule}]" if head else f"{body} [{self.rule}]"


class ManifestoError(Exception):
    """The root of everything that Manifesto raises on purpose: a list of faults and the exit status."""

    exit_status = 2

    def __init__(self, faults: Iterable[Fault]) -> None:
        self.faults = tuple(faults)
        super().__init__("\n".join(str(fault) for fault in self.faults))


class OperationError(ManifestoError):
    """An operation failed although the input was right."""

    exit_status = 1


@contextmanager
def gathering(faults: list[Fault]) -> Iterator[None]:
    """Move the faults of a ManifestoError raised inside into `faults`, so that the caller can go on.

    An OperationError is no fault of an input and stops the caller.
    """
    try:
        yield
    except OperationError:
        raise
    except ManifestoError as error:
        faults.extend(error.faults)


def attempt(faults: list[Fault], call: Callable[..., T], *arguments: Any) -> T | None:
    """Return what a call gives, or None when it raised a ManifestoError, whose faults are then in `faults`."""
    with gathering(faults):
        return call(*arguments)
    return None


def present(value: T | None) -> T:
    """Return a value that is there: its attempt raised nothing."""
    assert value is not None
    return value


def raise_any(faults: Iterable[Fault]) -> None:
    """Raise a ManifestoError when there is at least one fault."""
    found = tuple(faults)
    if found:
        raise ManifestoError(found)


def _show(text: str) -> str:
    """Return a part of a fault as it may be printed: one line without tokens and control characters, not endless."""
    line = "".join(char if char.isprintable() else repr(char)[1:-1] for char in TOKEN.sub("***", text))
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST // 2]} ... {line[-_LONGEST // 4 :]}"


def format_path(path: KeyPath) -> str:
    """Return a path as people write it: `roles.decode.env.A`, `volumes[0]`, `labels["a.b/c"]`."""
    text = ""
    for part in path:
        if isinstance(part, int):
            text += f"[{part}]"
        elif _BARE.match(part) or part.startswith("--"):
            text += f".{part}" if text else part
        else:
            text += '["' + "".join(c if c.isprintable() and c != '"' else repr(c)[1:-1] for c in part) + '"]'
    return text


def suggest(word: str, known: Iterable[str], most: int = 1) -> str:
    """Return ' (did you mean X or Y?)' for the nearest known words, `most` of them, else an empty string."""
    from difflib import get_close_matches

    near = get_close_matches(word[:_LONGEST], list(known), n=most, cutoff=0.6)
    if not near:
        return ""
    *others, last = near
    return f" (did you mean {', '.join(others)}{' or ' if others else ''}{last}?)"
