"""Kubernetes quantities: what an amount means, and the form in which the API server prints it.

k8s.io/apimachinery/pkg/api/resource. Others than the canonical form make false conflicts.
"""

import math
import re
from fractions import Fraction
from typing import Any

_QUANTITY = re.compile(
    r"(?P<number>[-+]?(?:[0-9]{1,30}[.]?[0-9]{0,30}|[.][0-9]{1,30}))"
    r"(?P<suffix>[KMGTPE]i|[numkMGTPE]|[eE][-+]?[0-9]{1,2})?"
)
_BINARY = {f"{letter}i": 1024**power for power, letter in enumerate("KMGTPE", start=1)}
_DECIMAL = {"n": -9, "u": -6, "m": -3, "": 0, "k": 3, "M": 6, "G": 9, "T": 12, "P": 15, "E": 18}


def read_quantity(written: Any) -> Fraction | None:
    """Return the amount that a quantity means, None for what is none."""
    match = _QUANTITY.fullmatch(str(written)) if not isinstance(written, bool) else None
    if match is None:
        return None
    number, suffix = Fraction(match["number"]), match["suffix"] or ""
    if suffix in _BINARY:
        return number * Fraction(_BINARY[suffix])
    return number * Fraction(10) ** (_DECIMAL[suffix] if suffix in _DECIMAL else int(suffix[1:]))


def canonical_quantity(written: str | int | float) -> str:
    """Return a quantity as the API server prints it: no fraction, the largest suffix that loses nothing.

    Binary suffixes become decimal below 1024 and for parts of a byte, decimal ones round up to nano, an exponent
    stays an exponent of a multiple of three.
    """
    text = str(written)
    amount = read_quantity(text)
    assert amount is not None, f"{text!r} passed the schema but is no quantity"
    if text.endswith("i") and amount >= 1024 and amount.denominator == 1:
        return next(f"{amount // factor}{suffix}" for suffix, factor in reversed(_SIZES) if amount % factor == 0)
    return _decimal(math.ceil(amount * 10**9), "e" in text.lower() and not text.endswith("E"))


_SIZES = [("", 1), *_BINARY.items()]


def _decimal(nanos: int, exponent: bool) -> str:
    if nanos == 0:
        return "0"
    for suffix, power in reversed(_DECIMAL.items()):
        if nanos % 10 ** (power + 9) == 0:
            number = nanos // 10 ** (power + 9)
            return f"{number}e{power}" if exponent and power else f"{number}{suffix}"
    raise AssertionError("nano divides every count of nanos")
