"""The three filters of templates. They raise, they never print an empty string for what they cannot print."""

from typing import Any

from manifesto.render.emitter import block_lines, quote


def to_yaml(value: Any) -> str:
    """Return a map or list as YAML from column 0, without a final newline.

    Keys keep their order, lines are not wrapped, texts of several lines become literal blocks. A list item
    stands two columns in from its key. Raises TypeError for anything but a map or a list of plain values.
    """
    if not isinstance(value, dict | list):
        raise TypeError(f"to_yaml prints maps and lists, not {type(value).__name__}")
    return "\n".join(block_lines(value))


def scalar(value: Any) -> str:
    """Return a string as a YAML scalar on one line: bare where no reader could retype it, else in double quotes."""
    if not isinstance(value, str):
        raise TypeError(f"scalar prints strings, not {type(value).__name__}")
    return quote(value)


def nindent(text: str, columns: int) -> str:
    """Return a newline and the text, every line that is not empty moved right by `columns`."""
    if not isinstance(text, str):
        raise TypeError(f"nindent moves text, not {type(text).__name__}")
    pad = " " * columns
    return "\n" + "\n".join(pad + line if line else line for line in text.split("\n"))
