"""Positions: a fault's path goes in, the place in the file that holds the offending value comes out."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from manifesto.errors import Fault, KeyPath, format_path
from manifesto.inputs.documents import Node
from manifesto.inputs.merging import Composed, Layer

ON_KEY = {
    "schema.unknown-key",
    "schema.key",
    "compose.nothing-to-delete",
    "compose.unknown-role",
    "argument.two-spellings",
    "argument.derived",
    "argument.breaking",
    "argument.twice",
    "secret.argument",
    "profiling.unknown-field",
}
"""Rules whose faults lie in a key and not in its value."""


class _Step(NamedTuple):
    line: int
    column: int
    node: Node


class Place(NamedTuple):
    """Where a value stands, and how it was written there.

    `layer` counts from the root parent; `exact`: the very path is written there, not only one above it.
    """

    exact: bool
    layer: int
    name: str
    line: int
    column: int
    text: str

    def __str__(self) -> str:
        return f"{self.name}:{self.line}:{self.column}"


def locate(composed: Composed, path: KeyPath, on_key: bool = False) -> Place:
    """Return the place of the value at `path`, or of the nearest mapping above it that some layer wrote.

    The strongest layer that wrote the very value wins; `on_key` asks for the place of its key.
    """
    best: tuple[int, Layer, list[_Step]] = (0, composed.layers[0], [])
    for number in range(len(composed.layers) - 1, -1, -1):
        layer = composed.layers[number]
        trail = _follow(layer, path)
        if len(trail) > len(best[2]):
            best = (number, layer, trail)
        replaced = any(not isinstance(step.node.content, dict) for step in trail)
        if len(trail) > len(path) or replaced:
            break
    number, layer, trail = best
    step = trail[-1]
    line, column = (step.line, step.column) if on_key and len(trail) > len(path) else step.node[1:3]
    return Place(len(trail) > len(path), number, layer.name, line, column, step.node.text)


def place_faults(faults: list[Fault], composed: Mapping[str, Composed]) -> list[Fault]:
    """Return the faults with their places, sorted by file, line and column, without repeats.

    Of several paths that make a value wrong together, the one that the strongest layer wrote is the
    fault's place; those that other files wrote are named in brackets.
    """
    placed = {str(fault): fault for fault in (_place(fault, composed.get(fault.source)) for fault in faults)}
    return sorted(placed.values(), key=_order)


def _place(fault: Fault, composed: Composed | None) -> Fault:
    if fault.place or composed is None:
        return fault
    on_key = fault.rule in ON_KEY
    places = {path: locate(composed, path, on_key) for path in (fault.path, *fault.others)}
    main = max(places, key=lambda path: places[path][:2])
    rest = [
        f"{format_path(written_path(composed, path))} at {place}"
        for path, place in places.items()
        if place.exact and place.layer != places[main].layer
    ]
    together = f" (with {', '.join(rest)})" if rest else ""
    return replace(fault, place=str(places[main]), path=written_path(composed, main), problem=fault.problem + together)


def written_path(composed: Composed, path: KeyPath) -> KeyPath:
    """Return the path in the spelling of the strongest layer that has it, list items by their names."""
    layer = composed.layers[locate(composed, path).layer]
    spelled = (layer.written.get(path[:depth]) for depth in range(1, len(path) + 1))
    named = _named_path(path, composed.value)
    return tuple(words[-1] if words else name for words, name in zip(spelled, named, strict=True))


def _named_path(path: KeyPath, value: Any) -> KeyPath:
    """Return the path with list indices replaced by the item's name, where it has one."""
    shown: list[str | int] = []
    for part in path:
        if isinstance(value, list) and isinstance(part, int) and part < len(value):
            value = value[part]
            name = value.get("name") if isinstance(value, dict) else None
            shown.append(name if isinstance(name, str) else part)
        else:
            value = value.get(part) if isinstance(value, dict) else None
            shown.append(part)
    return tuple(shown)


def _follow(layer: Layer, path: KeyPath) -> list[_Step]:
    """Return the steps from the root along the path, as far as this layer wrote it."""
    node = layer.root
    trail = [_Step(node.line, node.column, node)]
    for depth in range(len(path)):
        written = layer.written.get(path[: depth + 1])
        part = written[-1] if written else path[depth]
        if isinstance(node.content, dict) and part in node.content:
            line, column, node = node.content[part]
        elif isinstance(node.content, list) and (item := _item(node.content, part)) is not None:
            line, column, node = item.line, item.column, item
        else:
            break
        trail.append(_Step(line, column, node))
    return trail


def _item(items: list[Node], part: str | int) -> Node | None:
    if isinstance(part, int):
        return items[part] if part < len(items) else None
    for item in items:
        name = item.content.get("name") if isinstance(item.content, dict) else None
        if name is not None and name.node.content == part:
            return item
    return None


def _order(fault: Fault) -> tuple[str, list[int], str]:
    name, *numbers = fault.place.rsplit(":", 2)
    return name, [int(number) for number in numbers if number.isdigit()], str(fault)
