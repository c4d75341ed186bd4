"""How commands end: 0, 1 where an operation failed, 2 for bad input, 130 cancelled; never with a traceback."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import TESTS, Run, require

GOLDEN = TESTS / "golden" / "direct-minimal"
RENDER = f"{sys.executable} -m manifesto render manifest model.yaml --cluster example-h200"
LIST = f"{sys.executable} -m manifesto config list models"


def bash(command: str, folder: Path = GOLDEN) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(TESTS.parent)}
    return subprocess.run([require("bash"), "-c", command], cwd=folder, env=environment, capture_output=True, text=True,
                          check=False, timeout=120)  # fmt: skip


@pytest.mark.parametrize(
    ("words", "status"),
    [
        ("render manifest model.yaml --cluster example-h200", 0),
        ("config list models", 0),
        ("config validate model.yaml --cluster example-h200", 0),
        ("--version", 0),
        ("--help", 0),
        ("render manifest --help", 0),
        ("render manifest nowhere --cluster example-h200", 2),
        ("config validate nowhere --cluster example-h200", 2),
        ("render manifest model.yaml", 2),
        ("render manifest", 2),
        ("render", 2),
        ("bake", 2),
        ("render manifest model.yaml --clutser x", 2),
        ("config list specs", 2),
        ("render file model.yaml --cluster example-h200 --output missing/manifest.yaml", 1),
    ],
)
def test_status(words: str, status: int, manifesto: Callable[..., Run], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(GOLDEN)
    run = manifesto(*words.split())
    assert run.status == status
    assert bool(run.out) == (status == 0)
    assert bool(run.err) == (status != 0)


def test_cancelled(manifesto: Callable[..., Run], monkeypatch: pytest.MonkeyPatch) -> None:
    def cancel(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("manifesto.inputs.catalog.list_catalog", cancel)
    run = manifesto("config", "list", "models")
    assert (run.status, run.out, run.err.strip()) == (130, "", "cancelled")


@pytest.mark.parametrize("command", [RENDER, LIST], ids=["render", "list"])
def test_a_reader_that_goes_away(command: str) -> None:
    run = bash(f"{command} | head -n 1; echo ${{PIPESTATUS[0]}}")
    assert run.stderr == ""
    assert run.stdout.splitlines()[1:] == ["0"]
    gone = bash(f"{command} | {{ exec 0<&-; sleep 2; }}; echo ${{PIPESTATUS[0]}}")
    assert (gone.stdout, gone.stderr) == ("0\n", "")


def test_output_that_is_closed() -> None:
    run = bash(f"{LIST} >&-")
    assert (run.returncode, run.stderr) == (0, "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="the system has no /dev/full")
@pytest.mark.parametrize("command", [RENDER, LIST], ids=["render", "list"])
def test_a_full_disk(command: str) -> None:
    run = bash(f"{command} > /dev/full")
    assert (run.returncode, run.stderr) == (1, "manifesto: No space left on device [system.failed]\n")


def test_a_working_folder_that_is_gone(tmp_path: Path) -> None:
    run = bash(f"mkdir here && cd here && rmdir ../here && {LIST}", tmp_path)
    assert run.returncode == 1
    assert run.stderr == "manifesto: No such file or directory [system.failed]\n"


def test_without_a_home() -> None:
    run = bash(f"env -u HOME -u XDG_CONFIG_HOME {LIST} --output name")
    assert run.returncode == 0, run.stderr
