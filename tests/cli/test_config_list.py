"""`config list` shows both catalogs, what hides what, and which specs are bases for others."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import Run

List = Callable[..., Run]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a user catalog with a spec that hides a bundled one, a base, its child and a broken file."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    models = tmp_path / ".config" / "llm-manifesto" / "models"
    for name, text in {
        "qwen/aggregated.yaml": "release: own\n",
        "team/base.yml": "topology: aggregated\n",
        "team/child.yaml": "extends: base.yml\nrelease: child\n",
        "team/grandbase.yaml": "extends: base.yml\n",
        "broken.yaml": "a: [\n",
        "notes.txt": "no spec\n",
    }.items():
        (models / name).parent.mkdir(parents=True, exist_ok=True)
        (models / name).write_text(text)
    return models.parent


def test_names(home: Path, manifesto: List) -> None:
    run = manifesto("config", "list", "models", "--output", "name")
    assert run == (
        0,
        "broken\nqwen/aggregated\nqwen/qwen3-0.6b\nqwen/tp2-pp2\nteam/base\nteam/child\nteam/grandbase\n",
        "",
    )


def test_table(home: Path, manifesto: List) -> None:
    run = manifesto("config", "list", "models")
    header, *rows = run.out.splitlines()
    assert header.split() == ["NAME", "SOURCE", "PATH"]
    assert {row[header.index("SOURCE") :].split()[0] for row in rows} == {"user", "bundled"}
    assert [row[: header.index("SOURCE")].strip() for row in rows] == [
        "broken", "qwen/aggregated", "qwen/qwen3-0.6b", "qwen/tp2-pp2", "team/base (base)", "team/child",
        "team/grandbase (base)",
    ]  # fmt: skip
    (own,) = [row for row in rows if row.startswith("qwen/aggregated")]
    assert own.endswith("user     .config/llm-manifesto/models/qwen/aggregated.yaml")
    assert not any(row != row.rstrip() for row in rows)


def test_json(home: Path, manifesto: List) -> None:
    rows = json.loads(manifesto("config", "list", "models", "--output", "json").out)
    assert all(set(row) == {"name", "source", "path", "shadows", "base"} for row in rows)
    assert all(Path(row["path"]).is_absolute() and Path(row["path"]).is_file() for row in rows)
    assert {row["name"]: (row["source"], row["shadows"], row["base"]) for row in rows} == {
        "broken": ("user", False, False),
        "qwen/aggregated": ("user", True, False),
        "qwen/qwen3-0.6b": ("bundled", False, False),
        "qwen/tp2-pp2": ("bundled", False, False),
        "team/base": ("user", False, True),
        "team/child": ("user", False, False),
        "team/grandbase": ("user", False, True),
    }


def test_clusters_have_no_bases(home: Path, manifesto: List) -> None:
    (home / "clusters").mkdir()
    (home / "clusters" / "own.yaml").write_text("name: own\n")
    rows = json.loads(manifesto("config", "list", "clusters", "--output", "json").out)
    assert [row["name"] for row in rows if row["source"] == "user"] == ["own"]
    assert not any(row["base"] for row in rows)
    assert len(rows) >= 4
