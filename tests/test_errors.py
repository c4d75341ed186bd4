"""docs/errors.md holds every rule that can fail, and shows each as it is printed."""

import re
from pathlib import Path

import pytest
from cases import GOLDEN
from conftest import TESTS

CHECKOUT = TESTS.parent
QUOTED = re.compile(r'"([a-z]+(?:-[a-z]+)*\.[a-z]+(?:-[a-z]+)*)"')
NO_RULE = re.compile(r"(metadata|spec|status)\.|.*\.(yaml|yml|json|crt|md|sh|csv)\Z")
PRINTED = re.compile(r"(?P<warning>warning: )?(?P<told>.+) \[(?P<rule>[a-z-]+\.[a-z-]+)\]\Z")
SECTION = re.compile(
    r"^### `(?P<rule>[^`]+)`\n\n(?P<meaning>[^#\n].*?)\n\n```text\n(?P<example>[^\n]+)\n```$", re.M | re.S
)

DIRECT = {
    "catalog.unreadable": "inputs/test_catalog.py::test_a_file_that_cannot_be_read",
    "compose.piped-extends": "inputs/test_pipes.py::test_a_pipe_cannot_extend",
    "ports.range": "resolve/test_ports.py::test_ports_end_at_65535",
    "saving.failed": "cli/test_saving.py::test_a_folder_that_is_missing",
    "saving.foreign-link": "cli/test_saving.py::test_a_link_of_another_user",
    "settings.encoding": "inputs/test_settings.py::test_a_file_that_is_not_utf_8",
    "settings.line": "inputs/test_settings.py::test_a_line_that_sets_nothing",
    "settings.unreadable": "inputs/test_settings.py::test_a_file_that_cannot_be_read",
    "system.failed": "cli/test_exit.py::test_a_full_disk",
}
"""Rules that no golden case can show, each with the test that shows it."""


def raised_rules() -> set[str]:
    texts = [path.read_text() for path in sorted((CHECKOUT / "manifesto").rglob("*.py"))]
    return {rule for text in texts for rule in QUOTED.findall(text) if not NO_RULE.match(rule)}


def golden_lines() -> list[str]:
    return [line for path in sorted(GOLDEN.glob("*/expected.err")) for line in path.read_text().splitlines()]


def sections() -> list[re.Match[str]]:
    return list(SECTION.finditer((CHECKOUT / "docs" / "errors.md").read_text()))


def test_every_rule_is_in_the_document_once() -> None:
    documented = [section["rule"] for section in sections()]
    assert sorted(documented) == sorted(raised_rules())


def test_every_rule_is_shown_by_a_golden_case_or_a_test() -> None:
    golden = {match["rule"] for match in map(PRINTED.match, golden_lines()) if match}
    proof = "".join(path.read_text() for path in (TESTS / "proof").glob("*.py"))
    proved = {rule for rule in raised_rules() if rule.startswith("proof.") and rule in proof}
    assert golden | proved | set(DIRECT) == raised_rules()
    assert not golden & set(DIRECT), "these need no direct test any more"


@pytest.mark.parametrize("rule", sorted(DIRECT))
def test_direct_tests_are_there(rule: str) -> None:
    path, _, name = DIRECT[rule].partition("::")
    text = (TESTS / path).read_text()
    assert f"def {name}(" in text
    assert rule in text


def test_examples_are_what_is_printed() -> None:
    printed = {line.removeprefix("warning: ") for line in golden_lines()}
    for section in sections():
        match = PRINTED.match(section["example"])
        assert match, section["example"]
        assert match["rule"] == section["rule"]
        if section["rule"] not in DIRECT and not section["rule"].startswith("proof."):
            assert section["example"].removeprefix("warning: ") in printed


def test_lines_have_the_form_of_the_house() -> None:
    for line in golden_lines():
        match = PRINTED.match(line)
        assert match, line
        problem = re.sub(r"^(\S+:\d+:\d+: )?(\S+: |.*\"\]\S*: )?", "", match["told"])
        assert not match["told"].endswith((".", "!", ";", ",")), line
        assert not re.match(r"[A-Z][a-z]+ [a-z]", problem) or problem.startswith(("Manifesto", "Kubernetes")), line


def test_cases_hold_no_path_of_a_machine() -> None:
    texts = [path.read_text() for path in sorted(GOLDEN.rglob("expected.err"))]
    assert not re.search(rf"{CHECKOUT}|{Path.home()}|/tmp/pytest", "".join(texts))
