"""Kubernetes' expansion of `$(NAME)` in command, args and env: what is a reference, and how text stays as written.

k8s.io/kubernetes third_party/forked/golang/expansion: `$$` is one dollar; `$(` reads up to the first `)`, and what
stands there is a variable or stays as it is, with everything inside it.
"""

import re

REFERENCE = re.compile(r"\$(?:\$|\((?P<name>[^)]*)\))")
"""An escaped dollar, or a reference in Kubernetes' eyes, whatever stands between its parentheses."""

_NAME = re.compile(r"[-._a-zA-Z][-._a-zA-Z0-9]*\Z")


def escape_expansions(text: str) -> str:
    """Return a text that is what it was after Kubernetes has expanded it in args, whatever variables there are."""

    def guard(match: re.Match[str]) -> str:
        if match["name"] is None:
            return "$$$$"
        return f"${match[0]}" if _NAME.match(match["name"]) else match[0]

    return REFERENCE.sub(guard, text)


def find_references(text: str) -> set[str]:
    """Return the variables that a text refers to."""
    return {match["name"] for match in REFERENCE.finditer(text) if match["name"] and _NAME.match(match["name"])}


def is_reference(text: str) -> bool:
    """Whether a text is one reference and nothing else."""
    match = REFERENCE.fullmatch(text)
    return bool(match and match["name"] and _NAME.match(match["name"]))
