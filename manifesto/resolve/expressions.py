"""Arithmetic expressions over named numbers: text and names go in, a number comes out."""

import ast
import math
import operator
from collections.abc import Callable, Mapping
from typing import Any

from manifesto.errors import Fault, KeyPath, ManifestoError, suggest

Number = int | float

_MAX_LENGTH = 1000
_MAX_RESULT = 2**63
_MAX_EXPONENT = 64
_BINARY: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: operator.pow,
}
_UNARY: dict[type[ast.unaryop], Callable[[Any], Number]] = {ast.UAdd: operator.pos, ast.USub: operator.neg}


def compute(value: Any, names: Mapping[str, Number], path: KeyPath, source: str) -> Any:
    """Return the value of an entry of a `computed` map.

    A string is an expression; what is no string is taken as it is, strings inside lists and maps being
    expressions too. Raises ManifestoError (rule expression.*) at `path`.
    """
    if isinstance(value, str):
        return evaluate(value, names, path, source)
    if isinstance(value, list):
        return [compute(item, names, (*path, index), source) for index, item in enumerate(value)]
    if isinstance(value, dict):
        return {key: compute(item, names, (*path, key), source) for key, item in value.items()}
    return value


def evaluate(text: str, names: Mapping[str, Number], path: KeyPath, source: str) -> Number:
    """Return the number that an expression means: `+ - * / // % **`, signs, parentheses, names."""

    def fault(rule: str, problem: str, remedy: str) -> ManifestoError:
        return ManifestoError([Fault(rule, problem, remedy, path, source)])

    def visit(node: ast.expr) -> Number:
        if isinstance(node, ast.Constant) and type(node.value) in (int, float):
            return bound(node.value)
        if isinstance(node, ast.Name):
            if node.id not in names:
                raise fault(
                    "expression.unknown-name",
                    f"no variable is called {node.id}{suggest(node.id, names)}",
                    f"name one of: {', '.join(sorted(names))}",
                )
            return names[node.id]
        if isinstance(node, ast.UnaryOp) and type(node.op) in _UNARY:
            return _UNARY[type(node.op)](visit(node.operand))
        if isinstance(node, ast.BinOp) and type(node.op) in _BINARY:
            return apply(type(node.op), visit(node.left), visit(node.right))
        raise fault("expression.syntax", f"{text!r} is no arithmetic", "write numbers, names, + - * / // % ** and ()")

    def apply(kind: type[ast.operator], left: Number, right: Number) -> Number:
        if kind is ast.Pow and abs(right) > _MAX_EXPONENT:
            raise fault("expression.too-large", f"the exponent {right} is too large", f"stay below {_MAX_EXPONENT}")
        try:
            return bound(_BINARY[kind](left, right))
        except ZeroDivisionError:
            raise fault(
                "expression.division-by-zero", f"{text!r} divides by zero", "divide by another number"
            ) from None

    def bound(result: Any) -> Number:
        if not isinstance(result, int | float) or not math.isfinite(result) or abs(result) >= _MAX_RESULT:
            raise fault("expression.too-large", f"{text!r} leaves the range of 64 bits", "compute a smaller number")
        return result

    try:
        if len(text) > _MAX_LENGTH:
            raise SyntaxError
        tree = ast.parse(text.strip(), mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise fault(
            "expression.syntax",
            f"{text[:60]!r} does not parse",
            "write arithmetic; a text value belongs into env or vllm",
        ) from None
    return visit(tree.body)


def show_number(value: Number) -> str:
    """Return a number in its shortest exact form: an integer without a point, 0.5, 1e-05."""
    return repr(value)
