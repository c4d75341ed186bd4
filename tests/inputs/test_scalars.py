"""Plain scalars have the type that the real kubectl gives them."""

import itertools
import random
from typing import Any

import pytest
import yaml
from consumers.test_kubectl import read_with_kubectl

from manifesto.inputs.scalars import type_scalar

KNOWN = {
    "yes": True, "No": False, "ON": True, "off": False, "y": True, "N": False, "true": True, "True": True, "TRUE": True,
    "nO": "nO", "tRue": "tRue", "null": None, "~": None, "Null": None, "nUll": "nUll",
    "12": 12, "012": 10, "0o17": 15, "0x1F": 31, "0b101": 5, "089": 89.0, "1_000": 1000, "-5": -5, "+5": 5,
    "1e3": 1000.0, "1.5": 1.5, ".5": 0.5, "5.": 5.0, "1e400": "1e400", "1.1.1": "1.1.1",
    "1:30": "1:30", "2026-01-02": "2026-01-02", "2026-01-02T03:04:05Z": "2026-01-02T03:04:05Z",
    "18446744073709551615": 18446744073709551615, "18446744073709551616": 1.8446744073709552e19,
    "-9223372036854775808": -9223372036854775808, "-9223372036854775809": -9.223372036854775809e18,
    "9" * 5000: "9" * 5000, "64Gi": "64Gi", "v1": "v1", "=": "=", "/a": "/a",
}  # fmt: skip
ALPHABET = "0123456789+-._eExXoObBaF:"


def is_plain(text: str) -> bool:
    """Whether a text is one plain scalar when it stands in a list."""
    try:
        found = [event for event in yaml.parse(f"- {text}\n") if isinstance(event, yaml.ScalarEvent)]
    except yaml.YAMLError:
        return False
    return [(event.value, event.implicit[0]) for event in found] == [(text, True)]


def with_kubectl(texts: list[str]) -> list[Any]:
    listed = "".join(f"- {text}\n" for text in texts)
    head = "apiVersion: example.com/v1\nkind: Sample\nmetadata: {name: sample}\nspec:\n"
    found: list[Any] = read_with_kubectl(head + listed)[0]["spec"]
    return found


def same(ours: Any, theirs: Any) -> bool:
    """Whether two values are equal and of one JSON type: 1000.0 is 1000, true is not 1.

    Beyond 64 bits with a sign kubectl prints the digits of a float.
    """
    kinds = [isinstance(value, kind) for value in (ours, theirs) for kind in (bool, str)]
    if isinstance(ours, int | float) and abs(ours) >= 2**63:
        ours, theirs = float(ours), float(theirs)
    return bool(ours == theirs and kinds[:2] == kinds[2:])


@pytest.mark.parametrize(("text", "value"), KNOWN.items(), ids=lambda word: repr(word)[:30])
def test_known_scalars(text: str, value: Any) -> None:
    assert same(type_scalar(text), value)


def test_kubectl_agrees_on_known_scalars() -> None:
    wrong = [
        text for text, theirs in zip(KNOWN, with_kubectl(list(KNOWN)), strict=True) if not same(KNOWN[text], theirs)
    ]
    assert wrong == []


def test_kubectl_agrees_on_made_up_scalars() -> None:
    chance = random.Random(1)
    made = {"".join(parts) for length in (1, 2) for parts in itertools.product(ALPHABET, repeat=length)}
    made |= {"".join(chance.choices(ALPHABET, k=chance.randint(3, 9))) for _ in range(3000)}
    texts = [text for text in sorted(made) if is_plain(text)]
    assert len(texts) > 2000
    pairs = zip(texts, with_kubectl(texts), strict=True)
    assert [(text, type_scalar(text), theirs) for text, theirs in pairs if not same(type_scalar(text), theirs)] == []


def test_what_json_cannot_say() -> None:
    assert str(type_scalar(".nan")) == "nan"
    assert [type_scalar(text) for text in (".inf", "+.Inf", "-.INF")] == [float("inf"), float("inf"), -float("inf")]
