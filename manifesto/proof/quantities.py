"""Quantities: what Kubernetes writes amounts of resources as."""

import re
from fractions import Fraction
from typing import Any

_QUANTITY = re.compile(
    r"(?P<number>[-+]?(?:[0-9]{1,30}[.]?[0-9]{0,30}|[.][0-9]{1,30}))"
    r"(?P<suffix>[KMGTPE]i|[numkMGTPE]|[eE][-+]?[0-9]{1,2})?"
)
_BINARY = {f"{letter}i": Fraction(1024) ** power for power, letter in enumerate("KMGTPE", start=1)}
_DECIMAL = {"n": -9, "u": -6, "m": -3, "": 0, "k": 3, "M": 6, "G": 9, "T": 12, "P": 15, "E": 18}


def read_quantity(written: Any) -> Fraction | None:
    """Return the amount that a quantity means, None for what is none (k8s.io/apimachinery pkg/api/resource)."""
    match = _QUANTITY.fullmatch(str(written)) if not isinstance(written, bool) else None
    if match is None:
        return None
    number, suffix = Fraction(match["number"]), match["suffix"] or ""
    if suffix in _BINARY:
        return number * _BINARY[suffix]
    return number * Fraction(10) ** (_DECIMAL[suffix] if suffix in _DECIMAL else int(suffix[1:]))
