"""Syntax: an error of the YAML parser goes in, a fault in plain words at the place to mend comes out."""

from typing import Any

from manifesto.errors import Fault

_QUOTE = "put the text in quotes"
_SPACES = ("a tab stands in the indentation", "indent with spaces")
_ESCAPE = ("the backslash begins no escape that YAML knows", "use single quotes, or write two backslashes")
_SURROGATE = ("this escape is half a character", "write the character itself")
_NO_VALUE = "did not find expected node content"
_COLON = "mapping values are not allowed in this context"
_AT_THE_PROBLEM = {
    "found unexpected ':'": ("this colon ends no key", f"write a blank behind it, or {_QUOTE}"),
    "found a tab character that violates indentation": _SPACES,
    "found a tab character where an indentation space is expected": _SPACES,
    "found unknown escape character": _ESCAPE,
    "did not find expected hexdecimal number": _ESCAPE,
    "found invalid Unicode character escape code": _SURROGATE,
    "block sequence entries are not allowed in this context": ("a list item cannot stand here", "begin a new line"),
    _NO_VALUE: ("a value is missing here", "close the brackets that are open"),
    "did not find expected <document start>": ("text follows the end of the document", "leave it out"),
    "did not find expected alphabetic or numeric character": ("* and & begin names of anchors here", _QUOTE),
}
_AT_THE_BEGINNING = {
    "while scanning a quoted scalar": ("the quote that opens here is not closed", "close it"),
    "while scanning a simple key": ("this line has no colon", "write key: value"),
}
_UNCLOSED = {"while parsing a flow sequence": ("list", "]"), "while parsing a flow mapping": ("mapping", "}")}
_UNFIT = {"while parsing a block mapping": "key of the mapping", "while parsing a block collection": "item of the list"}


def explain_syntax(error: Any, text: str, name: str) -> Fault:
    """Return the fault that a yaml.YAMLError on a text means; `name` is what positions call the file."""
    mark, begun = getattr(error, "problem_mark", None), getattr(error, "context_mark", None)
    problem, context = getattr(error, "problem", None) or str(error), getattr(error, "context", None) or ""
    if mark is None:
        return Fault("yaml.syntax", f"this is not YAML: {problem}", "", place=f"{name}:1:1")
    if "nesting depth" in problem:
        return Fault("yaml.too-deep", "nested too deep", "flatten the document", place=_place(name, mark))
    if begun is not None and context in _AT_THE_BEGINNING and problem not in _AT_THE_PROBLEM:
        return Fault("yaml.syntax", *_AT_THE_BEGINNING[context], place=_place(name, begun))
    told, remedy = _explain_problem(problem, context, mark, begun, text)
    return Fault("yaml.syntax", told, remedy, place=_place(name, mark))


def _explain_problem(problem: str, context: str, mark: Any, begun: Any, text: str) -> tuple[str, str]:
    lines = text.splitlines()
    line = lines[mark.line] if mark.line < len(lines) else ""
    char = line[mark.column : mark.column + 1]
    opened = f"that begins in line {begun.line + 1}" if begun else ""
    if problem == _NO_VALUE and char in ("}", "]"):
        return "this bracket closes nothing", "leave it out, or put the text in quotes"
    if problem in _AT_THE_PROBLEM:
        return _AT_THE_PROBLEM[problem]
    if problem == _COLON and ":" in line[: mark.column]:
        return "a second colon stands in this line", f"{_QUOTE}, or begin a new line"
    if problem == _COLON:
        return "no key can stand here", "look at the end and the indentation of the line above"
    if "cannot start any token" in problem:
        return _SPACES if char == "\t" else (f"a value cannot begin with {char}", _QUOTE)
    if context in _UNCLOSED:
        kind, bracket = _UNCLOSED[context]
        return f"the {kind} {opened} is not closed before this", f"write ',' or '{bracket}'"
    if context in _UNFIT and line[: mark.column].strip():
        return "text follows a value that has ended", "put the whole value in quotes"
    if context in _UNFIT:
        return f"this is no {_UNFIT[context]} {opened}", "look at the indentation, quotes and brackets here"
    return f"this is not YAML: {problem} {context}".rstrip(), "look at the quotes, colons and indentation here"


def _place(name: str, mark: Any) -> str:
    return f"{name}:{mark.line + 1}:{mark.column + 1}"
