"""YAML is read strictly: what means two things, builds objects or is too much is refused at its place."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from manifesto.errors import Fault, ManifestoError, gathering
from manifesto.inputs.documents import MAX_BYTES, Node, read_mapping, to_plain


def read(text: str | bytes) -> Any:
    return to_plain(read_mapping(text if isinstance(text, bytes) else text.encode(), "f.yaml"))


def faults(text: str | bytes) -> list[str]:
    """Return the faults of a text as `line:column rule`."""
    with pytest.raises(ManifestoError) as caught:
        read(text)
    return [f"{fault.place.removeprefix('f.yaml:')} {fault.rule}" for fault in caught.value.faults]


def told(text: str | bytes) -> str:
    with pytest.raises(ManifestoError) as caught:
        read(text)
    return str(caught.value)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (b"\xef\xbb\xbfa: 1\n", {"a": 1}),
        (b"\xef\xbb\xbf---\r\na: 1\r\n", {"a": 1}),
        ("a: 1\r\nb: |\r\n  x\r\n  y\r\n", {"a": 1, "b": "x\ny\n"}),
        ("a: 1\rb: 2\r", {"a": 1, "b": 2}),
        ('{"a": ["1", 2, null]}', {"a": ["1", 2, None]}),
        ("---\na: 1\n...\n", {"a": 1}),
        ("%YAML 1.1\n---\na: 1\n", {"a": 1}),
        ("a: &x {b: 1}\nc: *x\n", {"a": {"b": 1}, "c": {"b": 1}}),
        ("a: &x 1\nb: &x 2\nc: *x\n", {"a": 1, "b": 2, "c": 2}),
        ("a: &x {b: 1, c: 2}\nd: {<<: *x, c: 3}\n", {"a": {"b": 1, "c": 2}, "d": {"b": 1, "c": 3}}),
        ("a: &x {b: 1}\nd: {c: 3, <<: *x}\n", {"a": {"b": 1}, "d": {"b": 1, "c": 3}}),
        ("a: {<<: [{b: 1}, {b: 2, c: 2}], d: 3}\n", {"a": {"b": 1, "c": 2, "d": 3}}),
        ("a: {'<<': {b: 1}}\n", {"a": {"<<": {"b": 1}}}),
        ("? a\n: b\n", {"a": "b"}),
        ("a: !!str 5\nb: !!int '5'\nc: ! on\n", {"a": "5", "b": 5, "c": "on"}),
        ('a: "\\x07\\u2028"\n', {"a": "\x07\u2028"}),
        ("a: " + "[" * 100 + "]" * 100, {"a": None}),
        ("a: " + "x" * (MAX_BYTES - 4) + "\n", {"a": "x" * (MAX_BYTES - 4)}),
        ("{}\n", {}),
    ],
)
def test_accepted(text: str | bytes, value: Any) -> None:
    found = read(text)
    assert found == (value if value != {"a": None} else found)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("a: 1\nb:\n  c: 1\n  c: 2\na: 3\n", ["4:3 yaml.duplicate-key", "5:1 yaml.duplicate-key"]),
        ("a: {b: 1, 'b': 2}\n", ["1:11 yaml.duplicate-key"]),
        ("on: 1\n2: a\n~: b\n? [c]\n: d\n", ["1:1 yaml.key", "2:1 yaml.key", "3:1 yaml.key", "4:3 yaml.key"]),
        ("2026: a\n1.5: b\n0x1F: c\n", ["1:1 yaml.key", "2:1 yaml.key", "3:1 yaml.key"]),
        ("a: {{ b }}\n", ["1:5 yaml.key"]),
        ("a: !!python/object:os.system {}\n", ["1:4 yaml.tag"]),
        ("a: !b c\nd: !!set {e}\nf: !!binary aGk=\n", ["1:4 yaml.tag", "2:4 yaml.tag", "3:4 yaml.tag"]),
        ("a: !!int x\nb: !!seq {}\nc: !!map []\n", ["1:4 yaml.tag", "2:4 yaml.tag", "3:4 yaml.tag"]),
        ("a: {<<: 1}\nb: {<<: [{}, 2]}\n", ["1:5 yaml.merge", "2:5 yaml.merge"]),
        ("a: 1\n---\nb: 1\n", ["3:1 yaml.several-documents"]),
        ("a: 1\n--- {}\n", ["2:5 yaml.several-documents"]),
        ("", ["1:1 yaml.no-mapping"]),
        ("# only a comment\n", ["1:1 yaml.no-mapping"]),
        ("---\n- a\n", ["2:1 yaml.no-mapping"]),
        ("text\n", ["1:1 yaml.no-mapping"]),
        (b"a: 1\nb: caf\xe9\n", ["2:7 yaml.encoding"]),
        (b"\xef\xbb\xbfa: \xc3\xa9\xff\n", ["1:5 yaml.encoding"]),
        ("a: 1\n".encode("utf-16"), ["1:1 yaml.encoding"]),
        ("a: 1\n".encode("utf-16-le"), ["1:2 yaml.character"]),
        ("a: x\0\n", ["1:5 yaml.character"]),
        ("a: 1\nb: x\x1b[0m\n", ["2:5 yaml.character"]),
        ("a: x\ufeffy\n", ["1:5 yaml.character"]),
        ('a: "x\\0"\n', ["1:4 yaml.character"]),
        ("a: .inf\nb: [-.Inf, .NaN, '.inf']\n", ["1:4 yaml.number", "2:5 yaml.number", "2:12 yaml.number"]),
        ("a: *b\n", ["1:4 yaml.syntax"]),
        ("a: &b [*b]\n", ["1:8 yaml.syntax"]),
        ("a: 1\na: 2\nb: !c 1\nd: [\n", ["2:1 yaml.duplicate-key", "3:4 yaml.tag", "5:1 yaml.syntax"]),
        ("a: " + "[" * 101 + "]" * 101, ["1:104 yaml.too-deep"]),
        ("{a: " * 101 + "1" + "}" * 101, ["1:402 yaml.too-deep"]),
        ("a: " + "[" * 50_000, ["1:1003 yaml.too-deep"]),
        ("a: " + "x" * (MAX_BYTES - 3) + "\n", ["1:1 yaml.too-large"]),
    ],
)  # fmt: skip
def test_refused(text: str | bytes, found: list[str]) -> None:
    assert faults(text) == found


def test_alias_bombs_are_counted_not_built() -> None:
    lines = ["l0: &l0 [" + ", ".join(["x"] * 10) + "]"]
    lines += [f"l{level + 1}: &l{level + 1} [{', '.join([f'*l{level}'] * 10)}]" for level in range(30)]
    assert faults("\n".join(lines)) == ["5:5 yaml.too-large"]


def test_merges_do_not_grow() -> None:
    lines = ["l0: &l0 {x: 1}"] + [f"l{level + 1}: &l{level + 1} {{<<: [*l{level}, *l{level}]}}" for level in range(50)]
    assert read("\n".join(lines))["l50"] == {"x": 1}


def test_a_key_says_what_it_is_read_as() -> None:
    assert told("on: 1\n") == 'f.yaml:1:1: the key on is read as true, not as text; write "on" in quotes [yaml.key]'
    assert "is read as a number" in told("0o17: 1\n")
    assert "is read as null" in told("~: 1\n")


def test_every_value_knows_its_place() -> None:
    root = read_mapping(b"a:\n  b: [x, {c: 'y'}]\n\xc3\xa9: |\n  text\nd: &d 1\ne: *d\n", "f.yaml")

    def place(*path: str | int) -> tuple[int, int]:
        node: Node = root
        for part in path:
            node = node.content[part] if isinstance(part, int) else node.content[part].node
        return node.line, node.column

    assert place() == (1, 1)
    assert place("a") == (2, 3)
    assert place("a", "b") == (2, 6)
    assert place("a", "b", 0) == (2, 7)
    assert place("a", "b", 1, "c") == (2, 14)
    assert place("é") == (3, 4)
    assert place("e") == place("d") == (5, 4), "an alias stands where its anchor does"


@given(st.one_of(st.binary(max_size=60), st.text("ab:-[]{}&*!|>'\"#%@,? \n\t\r\\~0", max_size=40).map(str.encode)))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    found: list[Fault] = []
    with gathering(found):
        read_mapping(data, "f.yaml")
    assert all(fault.rule.startswith("yaml.") and fault.place for fault in found)
