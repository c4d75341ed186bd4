"""No small mistake in a spec or a profile makes a traceback: each is rendered or refused in its place."""

import copy
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from conftest import TESTS, Run

RICH = TESTS / "cli" / "rich"
GONE = object()
VALUES = [None, [], {}, "", -1, 1.5, True, "long " * 500, GONE]
PLACED = re.compile(r"(warning: )?(model|parent|cluster)\.yaml:\d+:\d+: .+ \[[a-z-]+\.[a-z-]+\]\Z")

Path_ = tuple[str | int, ...]


def read(name: str) -> Any:
    return yaml.load((RICH / f"{name}.yaml").read_text(), Loader=yaml.CSafeLoader)


def walk(value: Any, path: Path_ = ()) -> Iterator[Path_]:
    """Yield the path of everything below a value."""
    children = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, child in children:
        yield (*path, key)
        yield from walk(child, (*path, key))


def change(document: Any, path: Path_, to: Any) -> Any:
    """Return a document with another value at a path, or without it."""
    document = copy.deepcopy(document)
    target = document
    for part in path[:-1]:
        target = target[part]
    if to is GONE:
        del target[path[-1]]
    else:
        target[path[-1]] = to
    return document


def write(name: str, document: Any) -> None:
    Path(f"{name}.yaml").write_text(yaml.dump(document, Dumper=yaml.CSafeDumper, sort_keys=False))


def check(run: Run, what: object) -> None:
    assert run.status in (0, 2), what
    assert bool(run.out) == (run.status == 0), what
    for line in run.err.splitlines():
        assert PLACED.match(line), (what, line)
        assert len(line) < 2500, what
    assert run.err or run.status == 0, what


@pytest.fixture
def render(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, manifesto: Callable[..., Run]) -> Callable[[], Run]:
    """Return a function that renders `model.yaml` on `cluster.yaml` of the working folder, both sound at first."""
    monkeypatch.chdir(tmp_path)
    for name in ("model", "cluster"):
        write(name, read(name))
    return lambda: manifesto("render", "manifest", "model.yaml", "--cluster", "cluster.yaml", "--user", "ann")


def test_the_documents_are_sound(render: Callable[[], Run]) -> None:
    assert render().status == 0, render().err


@pytest.mark.parametrize("name", ["model", "cluster"])
def test_every_value_changed_in_turn(name: str, render: Callable[[], Run]) -> None:
    document = read(name)
    for path in walk(document):
        for value in VALUES:
            write(name, change(document, path, value))
            check(render(), (name, path, value))


@pytest.mark.parametrize("broken", ["model", "parent"])
def test_every_value_changed_in_a_child_or_its_parent(broken: str, render: Callable[[], Run]) -> None:
    parent = read("model")
    child = {"extends": "parent.yaml", "roles": {"decode": parent["roles"][0]}}
    for path in walk(parent if broken == "parent" else child):
        for value in (None, [], "$delete", {"unknown": "$delete"}):
            write("parent", change(parent, path, value) if broken == "parent" else parent)
            write("model", change(child, path, value) if broken == "model" else child)
            check(render(), (broken, path, value))
