"""Every relation of the proof holds on every golden manifest, and finds what breaks it."""

import re
from functools import cache
from pathlib import Path

import pytest
from cases import list_manifests, read_manifest
from manifests import Change, Manifest
from rows_objects import OBJECT_ROWS
from rows_pods import POD_ROWS

import manifesto.proof
from manifesto.proof import RELATIONS, prove

ROWS = [*OBJECT_ROWS, *POD_ROWS]
NAMES = [f"{at}-{' '.join(expected)}" for at, (_, _, expected) in enumerate(ROWS)]


@cache
def broken(case: str, change: Change) -> Manifest:
    manifest = Manifest(case)
    change(manifest)
    return manifest


@pytest.mark.parametrize("path", list_manifests(), ids=lambda path: path.parent.name)
def test_golden_manifests_hold(path: Path) -> None:
    assert [str(finding) for finding in prove(read_manifest(path))] == []


@pytest.mark.parametrize(("case", "change", "expected"), ROWS, ids=NAMES)
def test_a_break_is_found_where_it_is(case: str, change: Change, expected: list[str]) -> None:
    assert sorted(broken(case, change).told()) == sorted(expected)


def test_every_rule_has_a_break() -> None:
    sources = Path(manifesto.proof.__file__).parent.glob("*.py")
    rules = {rule for source in sources for rule in re.findall(r'"(proof\.[a-z-]+)"', source.read_text())}
    assert rules == {line.split()[0] for _, _, expected in ROWS for line in expected}


@pytest.mark.parametrize("relation", RELATIONS, ids=lambda relation: f"{relation.__module__}.{relation.__name__}")
def test_every_relation_finds_a_break(relation: manifesto.proof.Relation) -> None:
    assert any(list(relation(broken(case, change).documents)) for case, change, _ in ROWS)


def test_every_relation_is_registered() -> None:
    modules = {relation.__module__ for relation in RELATIONS}
    for name in modules:
        judges = {value for key, value in vars(__import__(name, fromlist=["_"])).items() if key.startswith("judge_")}
        assert judges == {relation for relation in RELATIONS if relation.__module__ == name}
