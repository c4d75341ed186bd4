"""Every golden case prints what its files say, the same in a second run."""

import difflib
from pathlib import Path

import pytest
from cases import list_cases, run_case

UPDATE = "pytest --update-golden tests/test_golden.py"


@pytest.mark.parametrize("case", list_cases(), ids=lambda case: case.name)
def test_golden(case: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    monkeypatch.chdir(case)
    run = run_case(case)
    assert run == run_case(case), "a second run prints something else"
    printed = {"expected.yaml": run.out, "expected.err": run.err}
    if request.config.getoption("--update-golden"):
        for name, text in printed.items():
            (case / name).write_text(text) if text else (case / name).unlink(missing_ok=True)
        return
    for name, text in printed.items():
        path = case / name
        compare(path, path.read_text() if path.exists() else "", text)
    assert run.status == (0 if run.out else 2)


def compare(path: Path, expected: str, printed: str) -> None:
    if expected != printed:
        lines = [text.splitlines(keepends=True) for text in (expected, printed)]
        diff = "".join(difflib.unified_diff(*lines, f"{path} (golden)", "printed now"))
        pytest.fail(f"{diff}\nif this is right: {UPDATE}", pytrace=False)
