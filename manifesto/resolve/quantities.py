"""Kubernetes quantities: as written goes in, the canonical form comes out (others make false conflicts)."""

import math
import re
from fractions import Fraction

_QUANTITY = re.compile(r"(?P<number>[0-9]+[.]?[0-9]*|[.][0-9]+)(?P<suffix>[KMGTPE]i|[numkMGTPE]|[eE][-+]?[0-9]+)?\Z")
_BINARY = {f"{letter}i": 1024**power for power, letter in enumerate("KMGTPE", start=1)}
_DECIMAL = {"n": -9, "u": -6, "m": -3, "": 0, "k": 3, "M": 6, "G": 9, "T": 12, "P": 15, "E": 18}


def canonical_quantity(written: str | int | float) -> str:
    """Return a quantity as the API server prints it: no fraction, the largest suffix that loses nothing.

    k8s.io/apimachinery/pkg/api/resource: binary suffixes become decimal below 1024 and for parts of a byte,
    decimal ones round up to nano, an exponent stays an exponent of a multiple of three.
    """
    text = str(written)
    match = _QUANTITY.match(text)
    assert match, f"{text!r} passed the schema but is no quantity"
    number, suffix = Fraction(match["number"]), match["suffix"] or ""
    if suffix in _BINARY:
        return _binary(number * _BINARY[suffix])
    exponent = int(suffix[1:]) if suffix[:1] in "eE" and len(suffix) > 1 else None
    power = exponent if exponent is not None else _DECIMAL[suffix]
    return _decimal(math.ceil(number * Fraction(10) ** (power + 9)), exponent is not None)


def _binary(count: Fraction) -> str:
    if count < 1024 or count.denominator != 1:
        return _decimal(math.ceil(count * 10**9), False)
    for suffix, factor in reversed(_BINARY.items()):
        if count % factor == 0:
            return f"{count // factor}{suffix}"
    return str(count.numerator)


def _decimal(nanos: int, exponent: bool) -> str:
    if nanos == 0:
        return "0"
    for suffix, power in reversed(_DECIMAL.items()):
        if nanos % 10 ** (power + 9) == 0:
            number = nanos // 10 ** (power + 9)
            return f"{number}e{power}" if exponent and power else f"{number}{suffix}"
    raise AssertionError("nano divides every count of nanos")
