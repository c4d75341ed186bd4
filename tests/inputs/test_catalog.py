"""Names on the command line lead to files: a path, else the user's catalog, else the bundled one."""

from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import Run

from manifesto.errors import ManifestoError, OperationError
from manifesto.inputs.catalog import Source, find_source, list_catalog, parent_source, read_source

Write = Callable[..., Path]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder of the user catalog; the working folder is another one."""
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")
    monkeypatch.setenv("MANIFESTO_CONFIG_HOME", str(tmp_path / "own"))
    return tmp_path / "own"


def write(path: Path, text: str = "a: 1\n") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def found(name: str, home: Path, catalog: str = "models") -> str:
    return find_source(catalog, name, "SPEC", home).name


def told(name: str, home: Path, catalog: str = "models") -> str:
    with pytest.raises(ManifestoError) as caught:
        find_source(catalog, name, "SPEC", home)
    return str(caught.value)


@pytest.mark.parametrize("name", ["qwen/aggregated", "qwen/aggregated.yaml", "models/qwen/aggregated",
                                  "models/qwen/aggregated.yaml", "qwen/./aggregated"])  # fmt: skip
def test_bundled_entries(home: Path, name: str) -> None:
    assert found(name, home) == "catalog/models/qwen/aggregated.yaml"


def test_dots_in_names(home: Path) -> None:
    assert found("qwen/qwen3-0.6b", home) == "catalog/models/qwen/qwen3-0.6b.yaml"
    write(home / "models" / "v1.2.yml")
    assert found("v1.2", home).endswith("own/models/v1.2.yml")
    assert found("v1.2.yml", home).endswith("own/models/v1.2.yml")


def test_the_user_catalog_is_stronger_than_the_bundled_one(home: Path) -> None:
    write(home / "models" / "qwen" / "aggregated.yml")
    assert found("qwen/aggregated", home).endswith("own/models/qwen/aggregated.yml")
    assert found("models/qwen/aggregated", home).endswith("own/models/qwen/aggregated.yml")


def test_a_path_is_stronger_than_both(home: Path) -> None:
    write(home / "models" / "qwen" / "aggregated.yaml")
    write(Path("qwen/aggregated.yaml"))
    assert found("qwen/aggregated.yaml", home) == "qwen/aggregated.yaml"
    assert found("qwen/aggregated", home).endswith("own/models/qwen/aggregated.yaml"), "a path is not completed"
    write(Path("spec.txt"))
    assert found("spec.txt", home) == "spec.txt"


def test_yaml_before_yml(home: Path) -> None:
    write(home / "models" / "both.yml")
    write(home / "models" / "both.yaml")
    assert found("both", home).endswith("both.yaml")
    (entry,) = [listed for listed in list_catalog("models", home) if listed.name == "both"]
    assert entry.path.name == "both.yaml"


@pytest.mark.parametrize("name", ["../models/qwen/aggregated", "models/../../own/secret", "..", "/qwen/aggregated",
                                  "clusters/example-h200"])  # fmt: skip
def test_names_cannot_leave_the_catalog(home: Path, name: str) -> None:
    write(home / "secret.yaml")
    assert "[catalog.unknown-name]" in told(name, home)


def test_nearest_names(home: Path) -> None:
    write(home / "models" / "chat.yaml")
    assert "(did you mean qwen/aggregated?)" in told("qwen/agregated", home)
    assert "(did you mean qwen/aggregated?)" in told("aggregated", home)
    assert "(did you mean chat?)" in told("models/chta.yaml", home)
    assert "did you mean" not in told("something-else", home)


def test_what_was_looked_for_and_where(home: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    assert told("x", home, "clusters") == (
        "SPEC: no cluster is called 'x'; write a path, or a name from `manifesto config list clusters`"
        " (looked in the working folder, ~/own/clusters and the bundled catalog) [catalog.unknown-name]"
    )


@pytest.mark.parametrize("name", ["x" * 5000, "a\0b", "a\nb", "\udcff", "x/" * 600, ""])
def test_odd_names_are_unknown_names(home: Path, name: str) -> None:
    (line,) = told(name, home).splitlines()
    assert line.endswith("[catalog.unknown-name]")
    assert len(line) < 1500


def test_folders_are_named_as_such(home: Path) -> None:
    Path("specs").mkdir()
    assert told("specs", home).startswith("SPEC: specs is a folder; write a path")


def test_parents_keep_the_way_in_which_a_child_is_shown(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    own = find_source("models", "chat", "SPEC", write(home / "models" / "chat.yaml").parents[1])
    assert (own.name, parent_source(own, "../base.yaml")[0].name) == ("~/own/models/chat.yaml", "~/own/base.yaml")
    bundled = find_source("models", "qwen/aggregated", "SPEC", home)
    assert parent_source(bundled, "../base.yaml")[0].name == "catalog/models/base.yaml"
    typed = Source(Path("a/b.yaml"), "a/b.yaml")
    assert parent_source(typed, "../base.yaml")[0].name == "base.yaml"


def test_a_file_that_cannot_be_read(home: Path, monkeypatch: pytest.MonkeyPatch, manifesto: Callable[..., Run]) -> None:
    write(Path("model.yaml"))
    read = Path.open

    def refuse(path: Path, *words: str, **more: str) -> object:
        if path.name == "model.yaml":
            raise PermissionError(13, "Permission denied")
        return read(path, *words, **more)  # type: ignore[call-overload]

    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(OperationError):
        read_source(Source(Path("model.yaml"), "model.yaml"))
    run = manifesto("render", "manifest", "model.yaml", "--cluster", "example-h200")
    assert run == (1, "", "model.yaml: this cannot be read: Permission denied [catalog.unreadable]\n")


def test_settings_name_the_cluster(home: Path, monkeypatch: pytest.MonkeyPatch, manifesto: Callable[..., Run]) -> None:
    write(home / ".env", "MANIFESTO_CLUSTER=own-cluster\n")
    assert manifesto("render", "manifest", "qwen/aggregated").err.startswith("MANIFESTO_CLUSTER: no cluster is called")
    monkeypatch.setenv("MANIFESTO_CLUSTER", "clusters/example-h200.yaml")
    assert manifesto("render", "manifest", "qwen/aggregated").status == 0
    monkeypatch.setenv("USER", "Ann Lee")
    assert manifesto("render", "manifest", "qwen/aggregated").err.startswith(
        "warning: USER: 'Ann Lee' becomes 'ann-lee'"
    )
    monkeypatch.setenv("MANIFESTO_NAMESPACE", "Team")
    assert manifesto("render", "manifest", "qwen/aggregated").err.startswith("MANIFESTO_NAMESPACE: 'Team' is no DNS")
