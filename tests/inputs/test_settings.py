"""Settings come from the environment, from `.env` of the folder, from `.env` of the user catalog, in this order."""

import re
from pathlib import Path

import pytest

from manifesto.errors import ManifestoError, OperationError
from manifesto.inputs.folders import find_config_home, shorten
from manifesto.inputs.settings import read_settings


@pytest.fixture
def places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, Path, dict[str, str]]:
    """Return (working folder, user catalog, environment)."""
    folder, home = tmp_path / "work", tmp_path / "catalog"
    folder.mkdir()
    home.mkdir()
    monkeypatch.chdir(folder)
    return folder, home, {"MANIFESTO_CONFIG_HOME": str(home)}


Places = tuple[Path, Path, dict[str, str]]


def test_order(places: Places) -> None:
    folder, home, environ = places
    (home / ".env").write_text("MANIFESTO_A=home\nMANIFESTO_B=home\nMANIFESTO_C=home\n")
    (folder / ".env").write_text("MANIFESTO_B=folder\nMANIFESTO_C=folder\n")
    settings = read_settings({**environ, "MANIFESTO_C": "environment"}, folder)
    assert {name: value for name, value in settings.items() if len(name) == 11} == {
        "MANIFESTO_A": "home",
        "MANIFESTO_B": "folder",
        "MANIFESTO_C": "environment",
    }


def test_an_empty_value_hides_weaker_ones_and_is_none(places: Places) -> None:
    folder, home, environ = places
    (home / ".env").write_text("MANIFESTO_A=home\nMANIFESTO_B=home\nMANIFESTO_C=home\n")
    (folder / ".env").write_text("MANIFESTO_A=\nMANIFESTO_B=''\n")
    assert set(read_settings({**environ, "MANIFESTO_C": ""}, folder)) == {"MANIFESTO_CONFIG_HOME"}


def test_only_our_names_are_taken(places: Places) -> None:
    folder, home, environ = places
    (home / ".env").write_text("PATH=/evil\nMANIFESTO_A=1\nHF_TOKEN=t\nKUBECONFIG=~/k\nMANIFESTO=1\nXMANIFESTO_B=1\n")
    settings = read_settings({**environ, "PATH": "/bin"}, folder)
    assert set(settings) == {"MANIFESTO_CONFIG_HOME", "MANIFESTO_A", "HF_TOKEN", "KUBECONFIG"}


def test_a_folder_chooses_neither_catalog_nor_kubeconfig(places: Places) -> None:
    folder, home, environ = places
    (folder / ".env").write_text("MANIFESTO_CONFIG_HOME=/evil\nKUBECONFIG=/evil\nHF_TOKEN=t\n")
    settings = read_settings(environ, folder)
    assert settings == {"MANIFESTO_CONFIG_HOME": str(home), "HF_TOKEN": "t"}
    assert read_settings({}, folder) == {"HF_TOKEN": "t"}


@pytest.mark.parametrize(
    ("line", "value"),
    [
        ("MANIFESTO_A=b", "b"),
        ("export MANIFESTO_A=b", "b"),
        ("  export   MANIFESTO_A = b  ", "b"),
        ("MANIFESTO_A='b c'", "b c"),
        ('MANIFESTO_A="b\\tc"', "b\tc"),
        ("MANIFESTO_A=b # comment", "b"),
        ("MANIFESTO_A='b # c'", "b # c"),
        ("MANIFESTO_A=$HOME/x", "$HOME/x"),
        ("MANIFESTO_A=b=c", "b=c"),
        ("MANIFESTO_A=b\r\nMANIFESTO_B=c\r", "b"),
        ("\ufeffMANIFESTO_A=b", "b"),
        ("MANIFESTO_A=a\nMANIFESTO_A=b", "b"),
        ("not a line\n'\nMANIFESTO_A=b", "b"),
    ],
)
def test_forms_of_lines(places: Places, line: str, value: str) -> None:
    folder, _, environ = places
    (folder / ".env").write_bytes(f"{line}\n".encode())
    assert read_settings(environ, folder)["MANIFESTO_A"] == value


@pytest.mark.parametrize("line", ["MANIFESTO_CLUSTER", "MANIFESTO_CLUSTER: gb200", "export MANIFESTO_CLUSTER gb200"])
def test_a_line_that_sets_nothing(places: Places, line: str) -> None:
    folder, _, environ = places
    (folder / ".env").write_text(f"A=1\n\n{line}\n")
    with pytest.raises(ManifestoError) as caught:
        read_settings(environ, folder)
    assert str(caught.value) == ".env:3:1: MANIFESTO_CLUSTER is set to nothing; write NAME=value [settings.line]"


def test_a_broken_line_shows_no_value(places: Places) -> None:
    folder, _, environ = places
    (folder / ".env").write_text('HF_TOKEN="geheim\n')
    with pytest.raises(ManifestoError) as caught:
        read_settings(environ, folder)
    assert "geheim" not in str(caught.value)


def test_a_file_that_is_not_utf_8(places: Places) -> None:
    folder, home, environ = places
    (home / ".env").write_bytes(b"# caf\xe9\n")
    with pytest.raises(ManifestoError) as caught:
        read_settings(environ, folder)
    assert re.search(r"\.env: this is not UTF-8; save the file as UTF-8 \[settings.encoding\]$", str(caught.value))


def test_a_file_that_cannot_be_read(places: Places, monkeypatch: pytest.MonkeyPatch) -> None:
    folder, _, environ = places
    (folder / ".env").write_text("MANIFESTO_A=1\n")

    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(OperationError) as caught:
        read_settings(environ, folder)
    assert str(caught.value) == ".env: this cannot be read: Permission denied [settings.unreadable]"


def test_where_the_user_catalog_lies(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/ann")
    assert str(find_config_home({})) == "/home/ann/.config/llm-manifesto"
    assert str(find_config_home({"XDG_CONFIG_HOME": "/xdg"})) == "/xdg/llm-manifesto"
    assert str(find_config_home({"XDG_CONFIG_HOME": "/xdg", "MANIFESTO_CONFIG_HOME": "~/own"})) == "/home/ann/own"
    assert (
        str(find_config_home({"XDG_CONFIG_HOME": "", "MANIFESTO_CONFIG_HOME": ""})) == "/home/ann/.config/llm-manifesto"
    )


def test_how_paths_are_shown(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", "/home/ann")
    monkeypatch.chdir(tmp_path)
    assert shorten(tmp_path / "a" / "b.yaml") == "a/b.yaml"
    assert shorten(Path("/home/ann/.config/x.yaml")) == "~/.config/x.yaml"
    assert shorten(Path("/home/anna/x.yaml")) == "/home/anna/x.yaml"
    assert shorten(Path("x.yaml")) == "x.yaml"
