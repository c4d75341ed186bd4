"""Spellings of vLLM arguments: every accepted name of one argument leads to one key."""

from collections.abc import Mapping
from typing import Any

Table = Mapping[str, Any]


def index_names(table: Table) -> dict[str, tuple[str, bool]]:
    """Return accepted name (dashes, no leading ones) → (the argument's own name, whether it is a negative form).

    From a table of catalog/vllm: aliases, hidden forms and single letters count as names.
    """
    names: dict[str, tuple[str, bool]] = {}
    for own, flag in table["flags"].items():
        names[own] = (own, False)
        for alias in flag.get("aliases", ()):
            negative = alias.startswith("--no-") or alias == flag.get("negative")
            names[alias.lstrip("-")] = (own, negative)
    return names


def find_key(name: str, names: Mapping[str, tuple[str, bool]]) -> tuple[str, bool]:
    """Return (key, negative) of a written name: underscores, the argument's own name where the table knows it.

    A dotted name `a.b` keeps the spelling of what follows the dot, since vLLM does not turn dashes there.
    """
    head, dot, tail = name.partition(".")
    own, negative = names.get(head.replace("_", "-"), (head, False))
    return own.replace("-", "_") + dot + tail, negative and not dot


def resolve_name(word: str, names: Mapping[str, tuple[str, bool]]) -> str:
    """Return the key of an option as vLLM's parser reads it: a unique prefix of a name means that name."""
    head = word.partition(".")[0].replace("_", "-")
    if head not in names and len(head) > 1:
        meant = {own for name, (own, _) in names.items() if name.startswith(head)}
        if len(meant) == 1:
            return meant.pop().replace("-", "_")
    return names.get(head, (head, False))[0].replace("-", "_")
