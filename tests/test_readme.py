"""The README's commands do what it says, on a copy of the checkout."""

import os
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest
from conftest import TESTS, require

CHECKOUT = TESTS.parent
README = (CHECKOUT / "README.md").read_text()


def blocks(language: str) -> list[str]:
    """Return the fenced blocks of a language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)


def run(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}
    environment["PATH"] = f"{folder / 'bin'}{os.pathsep}{environment['PATH']}"
    return subprocess.run([require("bash"), "-c", command], cwd=folder, env=environment, capture_output=True, text=True,
                          check=False, timeout=600)  # fmt: skip


def test_one_command_sets_up_and_renders(tmp_path: Path) -> None:
    (command,) = [block.strip() for block in blocks("bash") if "render manifest" in block]
    for name in ("manifesto", "templates", "schemas", "catalog"):
        shutil.copytree(CHECKOUT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md", "CHANGELOG.md", "LICENSE"):
        shutil.copy(CHECKOUT / name, tmp_path)
    done = run(command, tmp_path)
    assert done.returncode == 0, done.stderr
    golden = (TESTS / "golden" / "catalog-qwen-aggregated-on-gb200" / "expected.yaml").read_text()
    assert done.stdout.partition("\n---\n")[2] == golden.partition("\n---\n")[2]


def test_the_test_command_is_the_one_that_ci_runs() -> None:
    (command,) = [block.strip() for block in blocks("bash") if "tox" in block]
    pattern = re.search(r"grep -m 1 '(.*)' README.md", (CHECKOUT / ".ci" / "run").read_text())
    assert pattern
    first = next(line for line in README.splitlines() if re.search(pattern[1], line))
    assert first == command


@pytest.fixture
def workshop(tmp_path: Path) -> Path:
    """Return a folder with `manifesto` on PATH, the README's spec, and a spec that is wrong."""
    (tmp_path / "bin").mkdir()
    program = tmp_path / "bin" / "manifesto"
    program.write_text(f'#!/bin/sh\nexec {shlex.quote(require("python"))} -m manifesto "$@"\n')
    program.chmod(0o755)
    (spec,) = [block for block in blocks("yaml") if "# small.yaml" in block]
    (tmp_path / "small.yaml").write_text(spec)
    lines = ["release: wrong", "topology: aggregated", "model: {id: a/b, image_ref: vllm.standard}",
             "roles: [{name: server, parallelism: {", "     tp: 0}}]"]  # fmt: skip
    (tmp_path / "wrong.yaml").write_text("\n".join(lines))
    return tmp_path


def test_the_workflow_prints_what_stands_there(workshop: Path) -> None:
    for block in blocks("console"):
        for step in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, shown = step.partition("\n")
            done = run(command, workshop)
            printed = (done.stdout or done.stderr).splitlines()
            for line, expected in zip(printed, shown.splitlines(), strict=True):
                pattern = re.escape(expected).replace("…", ".*")
                assert re.fullmatch(pattern, line), f"{command}: {line!r} is not {expected!r}"


def test_the_spec_renders(workshop: Path) -> None:
    (command,) = re.findall(r"`(manifesto render manifest small.yaml [^`]*)`", README)
    done = run(command, workshop)
    assert done.returncode == 0, done.stderr
    assert "--max-model-len 8192" in done.stdout
