"""Plain YAML scalars, typed as kubectl types them: text goes in, a plain Python value comes out."""

import re

_WORDS: dict[str, bool | float | None] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **{form: True for word in ("y", "yes", "true", "on") for form in (word, word.capitalize(), word.upper())},
    **{form: False for word in ("n", "no", "false", "off") for form in (word, word.capitalize(), word.upper())},
    **{form: float("nan") for form in (".nan", ".NaN", ".NAN")},
    **{sign + form: float(sign + "inf") for sign in ("", "+", "-") for form in (".inf", ".Inf", ".INF")},
}
_INTEGER = re.compile(r"([-+]?)(0[xX][0-9a-fA-F]+|0[oO][0-7]+|0[bB][01]+|0[0-7]*|[1-9][0-9]*)\Z")
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?\Z")
_BETWEEN = re.compile(r"(?<=[0-9])_(?=[0-9])")
_INT64, _UINT64 = -(2**63), 2**64
_LONGEST = 1000
"""No integer of 64 bits has as many digits; Python refuses to read much longer ones."""


def type_scalar(text: str) -> str | int | float | bool | None:
    """Return the value of a plain scalar.

    kubectl reads YAML 1.1 with Go's number syntax: `no` is false, `012` is 10, `1e3` is a number,
    `1_000` is 1000, dates and `1:30` stay text. (Measured with kubectl 1.37; goyaml.v2's resolver.)
    """
    if text in _WORDS:
        return _WORDS[text]
    if text[0] not in "+-.0123456789":
        return text
    plain = _BETWEEN.sub("", text) if text[0] == "." else text.replace("_", "")
    if len(plain) < _LONGEST and (match := _INTEGER.match(plain)) and text[0] != ".":
        digits = match[2]
        base = 8 if len(digits) > 1 and digits[0] == "0" and digits[1].isdigit() else 0
        number = int(digits, base) * (-1 if match[1] == "-" else 1)
        if _INT64 <= number < _UINT64:
            return number
    if _FLOAT.match(plain):
        value = float(plain)
        return value if abs(value) != float("inf") else text
    return text
