"""Plain values as block YAML that every reader of YAML 1.1 and 1.2 reads back: what one could retype is quoted.

PyYAML's own emitter takes ten times as long, quotes for PyYAML's reader alone, and gives up a literal block for
one blank at a line's end; it still writes what needs escapes.
"""

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import yaml

_PLAIN = re.compile(
    r"([A-Za-z/][A-Za-z0-9_./@%+-]*(:[A-Za-z0-9_./@%+-]+)*"  # a word, a path, an image
    r"|[0-9]+([KMGTPE]i|[mkMGT]|%))\Z"  # a quantity, a percentage
)
_WORDS = {"y", "n", "yes", "no", "on", "off", "true", "false", "null", "none", "nan", "inf"}
_NOT_LITERAL = re.compile(r"[^\t\n\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]")


def block_lines(value: Any) -> list[str]:
    """Return the lines of a map or list from column 0.

    Raises TypeError for a value that is no map, list, string, number, boolean or None.
    """
    if not value:
        return ["{}" if isinstance(value, Mapping) else "[]"]
    lines: list[str] = []
    if isinstance(value, Mapping):
        for key, item in value.items():
            lines += _entry(f"{quote(key)}:", item)
        return lines
    for item in value:
        if isinstance(item, Mapping | list) and item:
            first, *rest = block_lines(item)
            lines += [f"- {first}", *_indent(rest)]
        else:
            lines += _entry("-", item)
    return lines


def _entry(head: str, item: Any) -> list[str]:
    if isinstance(item, Mapping | list):
        return [head, *_indent(block_lines(item))] if item else [f"{head} {block_lines(item)[0]}"]
    if isinstance(item, str) and _is_literal(item):
        # A first line that begins with a blank would be taken for the block's indentation.
        mark = ("|2" if item[0] in " \t" else "|") + ("" if item.endswith("\n") else "-")
        return [f"{head} {mark}", *_indent(item.removesuffix("\n").split("\n"))]
    return [f"{head} {_scalar(item)}"]


def _indent(lines: list[str]) -> list[str]:
    return [f"  {line}" if line else line for line in lines]


def _is_literal(text: str) -> bool:
    inside = "\n" in text and text[0] != "\n" and not text.endswith("\n\n") and not text.isspace()
    return inside and not _NOT_LITERAL.search(text)


def _scalar(value: Any) -> str:
    if isinstance(value, str):
        return quote(value)
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return yaml.safe_dump(value).partition("\n")[0]
    raise TypeError(f"YAML of Manifesto holds plain values, not {type(value).__name__}")


@lru_cache(maxsize=4096)
def quote(text: str) -> str:
    """Return a string as a YAML scalar on one line: bare where no reader could retype it, else in double quotes."""
    if _PLAIN.match(text) and text.lower() not in _WORDS:
        return text
    if text.isascii() and text.isprintable():
        escaped = text.replace("\\", "\\\\").replace('"', '\\"')
        return f'"{escaped}"'
    written: str = yaml.dump(text, default_style='"', allow_unicode=True, width=2**31)
    return written.removesuffix("\n")
