"""What every test shares: a clean environment, the command line run in this process, golden files."""

import os
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import settings

from manifesto import cli

TESTS = Path(__file__).parent
COMMIT = "0123456789abcdef0123456789abcdef01234567"


settings.register_profile("same-every-time", derandomize=True, deadline=None, database=None)
settings.load_profile("same-every-time")


class Run(NamedTuple):
    """What a command line answered."""

    status: int
    out: str
    err: str


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-golden", action="store_true", help="rewrite golden files from what is printed now")


@pytest.fixture(scope="session", autouse=True)
def clean_environment(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Hide the machine's user, folders and settings from every test."""
    kept = {name: os.environ[name] for name in ("PATH", "PYTHONPATH", "VIRTUAL_ENV") if name in os.environ}
    kept["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{kept['PATH']}"
    home = tmp_path_factory.mktemp("home")
    before = dict(os.environ)
    os.environ.clear()
    os.environ.update(kept, HOME=str(home), LC_ALL="C.UTF-8")
    yield
    os.environ.clear()
    os.environ.update(before)


@pytest.fixture(autouse=True)
def fixed_commit(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give the header of manifests a commit that does not change."""
    monkeypatch.setattr("manifesto.cli.rendering.find_commit", lambda: COMMIT, raising=False)


@pytest.fixture
def manifesto() -> Callable[..., Run]:
    """Return a function that runs the command line in this process."""
    return run_manifesto


def run_manifesto(*arguments: str) -> Run:
    """Run `manifesto ARGUMENTS` in this process."""
    out, err = StringIO(), StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        status = cli.run(list(arguments))
    return Run(status, out.getvalue(), err.getvalue())


def require(program: str) -> str:
    """Return the path of a program of the test environment."""
    found = shutil.which(program)
    assert found, f"{program} is not in the test environment: install the extra `test`"
    return found
