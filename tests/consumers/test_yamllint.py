"""yamllint has nothing to say about any golden manifest."""

from pathlib import Path

import pytest
from cases import list_manifests
from conftest import TESTS
from yamllint import linter
from yamllint.config import YamlLintConfig

CONFIG = YamlLintConfig(file=str(TESTS.parent / ".yamllint.yaml"))


@pytest.mark.parametrize("path", list_manifests(), ids=lambda path: path.parent.name)
def test_yamllint(path: Path) -> None:
    text = path.read_text()
    assert [str(problem) for problem in linter.run(text, CONFIG)] == []
    assert all(line == line.rstrip() for line in text.splitlines())


def test_yamllint_can_fail() -> None:
    assert list(linter.run("a:  1\na: 2 \n", CONFIG))
