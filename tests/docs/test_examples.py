"""The examples of the guides do what stands there."""

import itertools
import os
import re
import shlex
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from conftest import Run, require, run_manifesto
from pages import GUIDES, Block, guide_blocks, write_files

MARK = re.compile(
    r"(?P<kind>model)(?: on (?P<cluster>\S+))?(?P<idle> changes nothing)?"
    r"|(?P<profile>cluster)(?: for (?P<spec>\S+))?(?P<unused> changes nothing)?"
    r"|rest of (?:model|cluster)|gives|excerpt of (?P<whole>\S+) on (?P<place>\S+)|file"
)
NAMES = pytest.mark.parametrize("page", GUIDES)


def rest(kind: str) -> dict[str, Any]:
    """Return the keys that examples of a kind leave out, as a guide shows them."""
    (block,) = [block for block in guide_blocks("yaml") if block.mark == f"rest of {kind}"]
    keys: dict[str, Any] = yaml.safe_load(block.text)
    return keys


def marked(*kinds: str) -> list[Block]:
    """Return the blocks whose mark begins with one of some words."""
    return [block for block in guide_blocks("yaml", "bash", "text") if block.mark.split(" ")[0] in kinds]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    work, home = tmp_path / "work", tmp_path / "home"
    work.mkdir()
    home.mkdir()
    monkeypatch.chdir(work)
    monkeypatch.setenv("USER", "ana")
    monkeypatch.setenv("HOME", str(home))
    return work


def test_every_block_is_held() -> None:
    """YAML and excerpts have a mark that is known; consoles are run; bash is what a reader does by hand."""
    for block in guide_blocks("yaml", "bash", "text", "console", ""):
        if block.language in ("yaml", "text", "") or block.mark:
            assert MARK.fullmatch(block.mark), f"{block}: the mark {block.mark!r} is not known"


@pytest.mark.parametrize("block", marked("model", "cluster"), ids=str)
def test_example_renders(block: Block, folder: Path) -> None:
    write_files(block.page, folder)
    run = render_block(block, block.text)
    assert run.status == 0, run.err
    assert set(re.findall(r"\[([a-z.-]+)\]$", run.err, re.MULTILINE)) <= {"support.missing"}, run.err
    if block.mark.endswith("changes nothing"):
        assert objects(run) == objects(render_block(block, "{}\n"))


@pytest.mark.parametrize("block", marked("gives", "excerpt"), ids=str)
def test_excerpt_stands_in_the_manifest(block: Block, folder: Path) -> None:
    write_files(block.page, folder)
    mark = MARK.fullmatch(block.mark)
    assert mark
    if mark["whole"]:
        run = run_manifesto("render", "manifest", mark["whole"], "--cluster", mark["place"], "--namespace", "team-a")
    else:
        before = [other for other in marked("model", "cluster") if other.page == block.page and other.line < block.line]
        run = render_block(before[-1], before[-1].text)
    assert run.status == 0, run.err
    if missing := find_missing(objects(run).splitlines(), block.text.splitlines()):
        pytest.fail(f"{block}: this is not there\n{missing}\nbut\n{objects(run)}", pytrace=False)


def render_block(block: Block, text: str) -> Run:
    """Render a marked block on the cluster, or for the model, that its mark names."""
    mark = MARK.fullmatch(block.mark)
    assert mark
    kind = mark["kind"] or mark["profile"]
    written = yaml.safe_load(text)
    missing = {} if "extends" in written else {key: value for key, value in rest(kind).items() if key not in written}
    file = block.file or f"{kind}-{block.line}.yaml"
    Path(file).write_text(text.replace("{}\n", "") + (yaml.safe_dump(missing) if missing else ""))
    spec, cluster = (file, mark["cluster"]) if mark["kind"] else (mark["spec"], file)
    words = ["render", "manifest", spec or "qwen/tp2-pp2", "--cluster", cluster or "example-stateless-b200"]
    return run_manifesto(*words)


def objects(run: Run) -> str:
    return run.out.partition("\n---\n")[2]


def find_missing(lines: list[str], excerpt: list[str]) -> str:
    """Return the first run of an excerpt (its runs stand between `…`) that lines do not hold in order, at any depth."""
    start = 0
    for cut, run in itertools.groupby(excerpt, lambda line: line.strip() == "…"):
        if cut:
            continue
        wanted = list(run)
        found = next((at for at in range(start, len(lines)) if stands_at(lines[at : at + len(wanted)], wanted)), None)
        if found is None:
            return "\n".join(wanted)
        start = found + len(wanted)
    return ""


def stands_at(lines: list[str], wanted: list[str]) -> bool:
    indent = " " * (len(lines[0]) - len(lines[0].lstrip()) - len(wanted[0]) + len(wanted[0].lstrip()))
    patterns = [re.escape((indent + line).rstrip()).replace("…", ".*") for line in wanted]
    return len(lines) == len(wanted) and all(map(re.fullmatch, patterns, lines))


@NAMES
def test_console_prints_what_stands_there(page: str, folder: Path) -> None:
    write_files(page, folder)
    install_program(folder / "bin")
    for block in guide_blocks("console"):
        if block.page == page:
            for command, shown in steps(block.text):
                printed = run_in_shell(command, folder)
                if not matches(printed.splitlines(), shown):
                    pytest.fail(f"{block}: $ {command}\n{printed}", pytrace=False)


def steps(console: str) -> Iterator[tuple[str, list[str]]]:
    """Yield (command, lines shown) of a console block; a command goes on after a backslash."""
    for step in re.split(r"^\$ ", console, flags=re.MULTILINE)[1:]:
        command, _, shown = re.sub(r"\\\n\s*", "", step).partition("\n")
        yield command, shown.splitlines()


def matches(printed: list[str], shown: list[str]) -> bool:
    """Whether lines are those shown, where a line `…` stands for any number of lines and an inner one for any text."""
    pattern = "".join(
        "(?:.*\n)*" if line.strip() == "…" else re.escape(line).replace("…", ".*") + "\n" for line in shown
    )
    return re.fullmatch(pattern, "".join(f"{line}\n" for line in printed)) is not None


def install_program(folder: Path) -> None:
    """Put `manifesto` into a folder, as an installation does."""
    folder.mkdir()
    program = folder / "manifesto"
    program.write_text(f'#!/bin/sh\nexec {shlex.quote(require("python"))} -m manifesto "$@"\n')
    program.chmod(0o755)


def run_in_shell(command: str, folder: Path) -> str:
    """Return what a command prints on a terminal, where stdout and stderr are one."""
    path = os.pathsep.join([str(folder / "bin"), os.environ["PATH"]])
    environment = {**os.environ, "PATH": path}
    done = subprocess.run([require("bash"), "-c", command], cwd=folder, env=environment, text=True, check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=60)  # fmt: skip
    return done.stdout
