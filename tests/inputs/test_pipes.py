"""Specs and profiles come through pipes and standard input as they come from files."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import TESTS, require

GOLDEN = TESTS / "golden" / "environment-layers"
MANIFESTO = f"{sys.executable} -m manifesto"


def bash(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a line of bash in which `manifesto` is the command line."""
    script = f'manifesto() {{ {MANIFESTO} "$@"; }}\n{command}'
    environment = {**os.environ, "PYTHONPATH": str(TESTS.parent)}
    return subprocess.run([require("bash"), "-c", script], cwd=folder, env=environment, capture_output=True, text=True,
                          check=False, timeout=120)  # fmt: skip


def test_both_inputs_through_pipes() -> None:
    plain = bash("manifesto render manifest model.yaml --cluster cluster.yaml", GOLDEN)
    piped = bash("manifesto render manifest <(cat model.yaml) --cluster <(cat cluster.yaml)", GOLDEN)
    assert (plain.returncode, piped.returncode) == (0, 0)
    assert piped.stdout == plain.stdout


@pytest.mark.parametrize(
    "command",
    [
        "manifesto render manifest - --cluster cluster.yaml < model.yaml",
        "cat model.yaml | manifesto render manifest - --cluster cluster.yaml",
        "manifesto render manifest model.yaml --cluster - < cluster.yaml",
        "manifesto render manifest /dev/stdin --cluster <(cat cluster.yaml) < model.yaml",
    ],
)
def test_standard_input(command: str) -> None:
    plain = bash("manifesto render manifest model.yaml --cluster cluster.yaml", GOLDEN)
    assert bash(command, GOLDEN).stdout == plain.stdout


def test_places_say_which_pipe(tmp_path: Path) -> None:
    (tmp_path / "model.yaml").write_text("release: r\nroles: []\n")
    (tmp_path / "cluster.yaml").write_text("name: c\ngpus_per_node: 0\n")
    run = bash("manifesto render manifest <(cat model.yaml) --cluster <(cat cluster.yaml)", tmp_path)
    assert run.returncode == 2
    lines = run.stderr.splitlines()
    assert lines[0].startswith("<model>:1:1: model: ")
    assert "<model>:2:8: roles: " in run.stderr
    assert "<cluster>:2:16: gpus_per_node: 0 is out of range" in run.stderr


def test_syntax_errors_say_which_pipe(tmp_path: Path) -> None:
    run = bash("manifesto render manifest <(echo 'a: [') --cluster <(printf 'a: 1\\na: 2\\n')", tmp_path)
    assert [line.partition(": ")[0] for line in run.stderr.splitlines()] == ["<model>:2:1", "<cluster>:2:1"]


def test_a_pipe_cannot_extend(tmp_path: Path) -> None:
    for given in ("<(echo 'extends: base.yaml')", "- <<< 'extends: base.yaml'"):
        run = bash(f"manifesto render manifest {given} --cluster example-h200", tmp_path)
        assert run.returncode == 2
        assert run.stderr == (
            "<model>:1:10: extends: a piped input has no folder to extend from; pass the path of a file"
            " [compose.piped-extends]\n"
        )


def test_a_profile_from_a_pipe_is_read_once_for_all_models(tmp_path: Path) -> None:
    run = bash(
        f"manifesto config validate --cluster <(cat {TESTS.parent}/catalog/clusters/example-h200.yaml)", tmp_path
    )
    assert run.returncode == 0, run.stderr
    assert run.stdout.startswith("read <cluster>\n")
    assert run.stdout.count(": valid, ") > 1


def test_a_pipe_over_one_mebibyte(tmp_path: Path) -> None:
    run = bash("manifesto render manifest <(yes 'a: 1') --cluster example-h200", tmp_path)
    assert run.stderr == "<model>:1:1: the file is over 1 MiB; split it [yaml.too-large]\n"


def test_standard_input_that_is_closed(tmp_path: Path) -> None:
    run = bash("manifesto render manifest - --cluster example-h200 <&-", tmp_path)
    assert (run.returncode, run.stdout) == (1, "")
    assert run.stderr == "<model>: this cannot be read: standard input is closed [catalog.unreadable]\n"
