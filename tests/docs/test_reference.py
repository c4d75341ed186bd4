"""docs/reference.md is what the generator makes of the schemas."""

import difflib
from pathlib import Path

import pytest
from reference import make_reference

PAGE = Path(__file__).parents[2] / "docs" / "reference.md"
UPDATE = "pytest --update-golden tests/docs"


def test_reference_is_fresh(request: pytest.FixtureRequest) -> None:
    made = make_reference()
    if request.config.getoption("--update-golden"):
        PAGE.write_text(made)
    committed = PAGE.read_text() if PAGE.exists() else ""
    if committed != made:
        lines = [text.splitlines(keepends=True) for text in (committed, made)]
        diff = "".join(difflib.unified_diff(*lines, "docs/reference.md", "made of the schemas"))
        pytest.fail(f"{diff}\nto rewrite it: {UPDATE}", pytrace=False)
