"""The wheel holds all that Manifesto needs: installed into an empty environment it renders outside the checkout."""

import os
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest
from conftest import TESTS

CHECKOUT = TESTS.parent


def run(*words: str | Path, folder: Path) -> str:
    environment = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}
    done = subprocess.run([str(word) for word in words], cwd=folder, env=environment, capture_output=True, text=True,
                          check=False, timeout=300)  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    run(sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", folder, CHECKOUT, folder=folder)
    (built,) = folder.glob("*.whl")
    return built


def test_it_holds_the_data(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    for root in ("templates", "schemas", "catalog"):
        files = {path.relative_to(CHECKOUT).as_posix() for path in (CHECKOUT / root).rglob("*") if path.is_file()}
        assert {f"manifesto/_data/{name}" for name in files if is_packed(name)} <= names
    assert not any(name.startswith(("tests/", "docs/")) for name in names)


def is_packed(name: str) -> bool:
    return not name.startswith("catalog/clusters/") or name.startswith("catalog/clusters/example-")


def test_it_renders_in_an_empty_environment(wheel: Path, tmp_path: Path) -> None:
    builder = venv.EnvBuilder(with_pip=True)
    builder.create(tmp_path / "env")
    program = tmp_path / "env" / "bin"
    run(program / "python", "-m", "pip", "install", "--quiet", wheel, folder=tmp_path)
    installed = run(program / "manifesto", "render", "manifest", "qwen/aggregated", "--cluster", "example-gb200",
                    folder=tmp_path)  # fmt: skip
    golden = (TESTS / "golden" / "catalog-qwen-aggregated-on-gb200" / "expected.yaml").read_text()
    assert installed.partition("\n---\n")[2] == golden.partition("\n---\n")[2]
    assert "llm-manifesto@v" in installed.partition("\n---\n")[0]
    saved = run(program / "manifesto", "render", "file", "qwen/tp2-pp2", "--cluster", "example-h200", "-o", "m.yaml",
                folder=tmp_path)  # fmt: skip
    assert saved == "m.yaml\n"
    assert str(CHECKOUT) not in installed + (tmp_path / "m.yaml").read_text()
