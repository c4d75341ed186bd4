"""The three filters of templates. They raise, they never print an empty string for what they cannot print."""

import re
from typing import Any

import yaml

_PLAIN = re.compile(
    r"([A-Za-z/][A-Za-z0-9_./@%+-]*(:[A-Za-z0-9_./@%+-]+)*"  # a word, a path, an image
    r"|[0-9]+([KMGTPE]i|[mkMGT]|%))\Z"  # a quantity, a percentage
)
_WORDS = {"y", "n", "yes", "no", "on", "off", "true", "false", "null", "none", "nan", "inf"}
_STR = "tag:yaml.org,2002:str"
_LITERAL_SAFE = re.compile(r"[^\x20-\x7e\n\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]")


class _Dumper(yaml.SafeDumper):
    """Writes what any YAML 1.1 or 1.2 reader reads back: every string that one could retype is quoted."""

    def ignore_aliases(self, data: Any) -> bool:
        return True

    def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:
        super().increase_indent(flow, False)


def _represent_text(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    if _is_plain(text):
        return dumper.represent_scalar(_STR, text)
    if "\n" in text and not _LITERAL_SAFE.search(text) and not re.search(r"[ \t]\n|[ \t]\Z|\A\n", text):
        return dumper.represent_scalar(_STR, text, style="|")
    return dumper.represent_scalar(_STR, text, style='"')


class _OneLine(_Dumper):
    """Writes every string in double quotes, so that it keeps to one line."""


_Dumper.add_representer(str, _represent_text)
_OneLine.add_representer(str, lambda dumper, text: dumper.represent_scalar(_STR, text, style='"'))


def to_yaml(value: Any) -> str:
    """Return a map or list as YAML from column 0, without a final newline.

    Keys keep their order, lines are not wrapped, texts of several lines become literal blocks. A list item
    stands two columns in from its key. Raises TypeError for anything but a map or a list of plain values.
    """
    if not isinstance(value, dict | list):
        raise TypeError(f"to_yaml prints maps and lists, not {type(value).__name__}")
    text: str = yaml.dump(
        value, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=2**31, default_flow_style=False
    )
    return text.removesuffix("\n")


def scalar(value: Any) -> str:
    """Return a string as a YAML scalar on one line: bare where no reader could retype it, else in double quotes."""
    if not isinstance(value, str):
        raise TypeError(f"scalar prints strings, not {type(value).__name__}")
    if _is_plain(value):
        return value
    text: str = yaml.dump(value, Dumper=_OneLine, allow_unicode=True, width=2**31)
    return text.removesuffix("\n")


def nindent(text: str, columns: int) -> str:
    """Return a newline and the text, every line that is not empty moved right by `columns`."""
    if not isinstance(text, str):
        raise TypeError(f"nindent moves text, not {type(text).__name__}")
    pad = " " * columns
    return "\n" + "\n".join(pad + line if line else line for line in text.split("\n"))


def _is_plain(text: str) -> bool:
    return bool(_PLAIN.match(text)) and text.lower() not in _WORDS
