"""YAML with positions: bytes go in, a tree of nodes comes out that knows line and column of everything."""

import json
import math
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

import yaml

from manifesto.errors import Fault, ManifestoError, raise_any
from manifesto.inputs.scalars import type_scalar
from manifesto.inputs.syntax import explain_syntax

MAX_BYTES = 1 << 20
MAX_DEPTH = 100
MAX_NODES = 100_000

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_FORBIDDEN = re.compile("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]")
_QUOTE = "put it in quotes if it is text"
_TAG = "tag:yaml.org,2002:"
_SCALAR_TAGS = {f"{_TAG}{name}" for name in ("str", "int", "float", "bool", "null")}


class Node(NamedTuple):
    """A value and where it stands (line and column from 1).

    `content` is a scalar, a list of nodes, or a dict from key to Entry. `size` counts nodes with what
    aliases repeat. `text` is a scalar as it was written.
    """

    content: Any
    line: int
    column: int
    size: int = 1
    text: str = ""


class Entry(NamedTuple):
    """A key of a mapping: where the key stands, and its value."""

    line: int
    column: int
    node: Node


class _Composer:
    """One document under composition: the event stream, its anchors, and the faults found so far."""

    def __init__(self, events: Iterator[Any], name: str) -> None:
        self.events = events
        self.name = name
        self.anchors: dict[str, Node] = {}
        self.faults: dict[tuple[int, int], Fault] = {}

    def fault(self, mark: Any, rule: str, problem: str, remedy: str = "") -> None:
        place = f"{self.name}:{mark.line + 1}:{mark.column + 1}"
        self.faults[mark.line, mark.column] = Fault(rule, problem, remedy, place=place)

    def stop(self, mark: Any, rule: str, problem: str, remedy: str = "") -> ManifestoError:
        self.fault(mark, rule, problem, remedy)
        return ManifestoError(self.sorted_faults())

    def sorted_faults(self) -> list[Fault]:
        """Return the faults so far in the order of the text, one for each place."""
        return [self.faults[place] for place in sorted(self.faults)]

    def node(self, event: Any, depth: int) -> Node:
        mark = event.start_mark
        if depth > MAX_DEPTH:
            raise self.stop(mark, "yaml.too-deep", f"nested over {MAX_DEPTH} levels", "flatten the document")
        if isinstance(event, yaml.AliasEvent):
            if event.anchor not in self.anchors:
                raise self.stop(mark, "yaml.syntax", f"no anchor before it is called &{event.anchor}", _QUOTE)
            return self.anchors[event.anchor]
        if isinstance(event, yaml.ScalarEvent):
            node = self.scalar(event)
        elif isinstance(event, yaml.SequenceStartEvent):
            node = self.sequence(event, depth)
        else:
            node = self.mapping(event, depth)
        if node.size > MAX_NODES:
            raise self.stop(mark, "yaml.too-large", f"holds over {MAX_NODES} values", "repeat less with aliases")
        if event.anchor:
            self.anchors[event.anchor] = node
        return node

    def scalar(self, event: Any) -> Node:
        line, column, text = event.start_mark.line + 1, event.start_mark.column + 1, event.value
        plain, tag = event.implicit[0], event.tag
        if "\0" in text or any("\ud800" <= char <= "\udfff" for char in text):
            self.fault(event.start_mark, "yaml.character", "the text holds a NUL or half a character", "leave it out")
        if tag in (None, "!", f"{_TAG}str"):
            value = type_scalar(text) if plain and tag is None else text
        elif tag not in _SCALAR_TAGS:
            self.refuse_tag(event)
            value = text
        else:
            value, kind = type_scalar(text), tag.removeprefix(_TAG)
            if type(value).__name__.replace("NoneType", "null") != kind:
                self.fault(event.start_mark, "yaml.tag", f"{text!r} is no {kind}", "leave the tag out")
        if isinstance(value, float) and not math.isfinite(value):
            self.fault(event.start_mark, "yaml.number", f"{text} is no number that JSON has", _QUOTE)
        return Node(value, line, column, 1, text)

    def sequence(self, event: Any, depth: int) -> Node:
        self.check_tag(event, "seq")
        content: list[Node] = []
        while not isinstance(following := next(self.events), yaml.SequenceEndEvent):
            content.append(self.node(following, depth + 1))
        mark = event.start_mark
        return Node(content, mark.line + 1, mark.column + 1, 1 + sum(node.size for node in content))

    def mapping(self, event: Any, depth: int) -> Node:
        self.check_tag(event, "map")
        content: dict[str, Entry] = {}
        merged: dict[str, Entry] = {}
        while not isinstance(following := next(self.events), yaml.MappingEndEvent):
            mark = following.start_mark
            if isinstance(following, yaml.ScalarEvent) and following.implicit[0] and following.value == "<<":
                for name, entry in self.merge(self.node(next(self.events), depth + 1), mark).items():
                    merged.setdefault(name, entry)
                continue
            key = self.node(following, depth + 1)
            entry = Entry(key.line, key.column, self.node(next(self.events), depth + 1))
            if not isinstance(key.content, str):
                self.refuse_key(mark, key)
            elif key.content in content:
                first = content[key.content]
                self.fault(
                    mark,
                    "yaml.duplicate-key",
                    f"the key {key.text!r} stands here a second time",
                    f"keep this one or the one in line {first.line}",
                )
            else:
                content[key.content] = entry
        content = {**{name: entry for name, entry in merged.items() if name not in content}, **content}
        mark = event.start_mark
        return Node(content, mark.line + 1, mark.column + 1, 1 + sum(entry.node.size for entry in content.values()))

    def refuse_key(self, mark: Any, key: Node) -> None:
        if isinstance(key.content, dict | list):
            kind = "mapping" if isinstance(key.content, dict) else "list"
            self.fault(mark, "yaml.key", f"a {kind} stands here as a key", _QUOTE)
        else:
            read = json.dumps(key.content) if isinstance(key.content, bool | None) else "a number"
            told = f"the key {key.text} is read as {read}, not as text" if key.text else "the key is empty"
            self.fault(mark, "yaml.key", told, f'write "{key.text}" in quotes')

    def merge(self, node: Node, mark: Any) -> dict[str, Entry]:
        parts = node.content if isinstance(node.content, list) else [node]
        found: dict[str, Entry] = {}
        for part in parts:
            if not isinstance(part.content, dict):
                self.fault(mark, "yaml.merge", "<< takes a mapping or a list of mappings", "point it at a mapping")
                continue
            for name, entry in part.content.items():
                found.setdefault(name, entry)
        return found

    def refuse_tag(self, event: Any) -> None:
        tag = event.tag.replace(_TAG, "!!")
        self.fault(event.start_mark, "yaml.tag", f"the tag {tag} is not accepted", "write plain values without tags")

    def check_tag(self, event: Any, wanted: str) -> None:
        if event.tag not in (None, "!", f"{_TAG}{wanted}"):
            self.refuse_tag(event)


def read_mapping(data: bytes, name: str) -> Node:
    """Return the root of the one mapping that `data` holds.

    `name` is what positions call the file. Raises ManifestoError with every duplicate key, tag and odd
    character at once, or with the first place where the text stops being YAML.
    """
    roots = _compose(_decode(data, name), name)
    if len(roots) > 1:
        raise ManifestoError(
            [
                Fault(
                    "yaml.several-documents",
                    "a second document begins here",
                    "keep one document in a file",
                    place=f"{name}:{roots[1].line}:{roots[1].column}",
                )
            ]
        )
    if not roots or not isinstance(roots[0].content, dict):
        line, column = (roots[0].line, roots[0].column) if roots else (1, 1)
        told = "the document is no mapping" if roots and roots[0].content is not None else "the document is empty"
        place = f"{name}:{line}:{column}"
        raise ManifestoError([Fault("yaml.no-mapping", told, "write key: value pairs", place=place)])
    return roots[0]


def read_documents(data: bytes, name: str) -> list[Any]:
    """Return the documents of a manifest as plain values, empty ones left out; raises ManifestoError as above."""
    return [to_plain(root) for root in _compose(_decode(data, name), name) if root.content is not None]


def to_plain(node: Node) -> Any:
    """Return the node's value as fresh dicts, lists and scalars."""
    if isinstance(node.content, dict):
        return {key: to_plain(entry.node) for key, entry in node.content.items()}
    if isinstance(node.content, list):
        return [to_plain(item) for item in node.content]
    return node.content


def _compose(text: str, name: str) -> list[Node]:
    """Return the root nodes of every document of a text."""
    roots: list[Node] = []
    events = yaml.parse(text, Loader=_LOADER)
    composer = _Composer(events, name)
    try:
        next(events)
        while not isinstance(next(events), yaml.StreamEndEvent):
            roots.append(composer.node(next(events), 0))
            composer.anchors.clear()
            next(events)
    except yaml.YAMLError as error:
        raise ManifestoError([*composer.sorted_faults(), explain_syntax(error, text, name)]) from None
    raise_any(composer.sorted_faults())
    return roots


def _decode(data: bytes, name: str) -> str:
    if len(data) > MAX_BYTES:
        raise ManifestoError([Fault("yaml.too-large", "the file is over 1 MiB", "split it", place=f"{name}:1:1")])
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        place = _place(name, error.object[: error.start].decode())
        raise ManifestoError(
            [Fault("yaml.encoding", "this is not UTF-8", "save the file as UTF-8", place=place)]
        ) from None
    if odd := _FORBIDDEN.search(text):
        raise ManifestoError(
            [
                Fault(
                    "yaml.character",
                    f"the character U+{ord(odd[0]):04X} cannot stand in YAML",
                    f'write "\\u{ord(odd[0]):04X}" in double quotes' if odd[0] != "\0" else "leave it out",
                    place=_place(name, text[: odd.start()]),
                )
            ]
        )
    return text


def _place(name: str, before: str) -> str:
    return f"{name}:{before.count(chr(10)) + 1}:{len(before) - before.rfind(chr(10))}"
