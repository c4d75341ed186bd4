"""Links between the pages lead somewhere, and the pages keep to the form that people read them in."""

import re
from pathlib import Path

import pytest
from pages import CHECKOUT, GUIDES, list_anchors, list_pages, prose

PAGES = pytest.mark.parametrize("page", list_pages(), ids=lambda page: page.name)


@PAGES
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)\s]+)\)", prose(page)):
        if re.match(r"https?://", target):
            continue
        name, _, anchor = target.partition("#")
        file = page.parent / name if name else page
        assert file.is_file(), f"{page.name}: {target} is no file"
        assert not anchor or anchor in list_anchors(file), f"{page.name}: {target} is no heading"


@pytest.mark.parametrize("name", GUIDES)
def test_lines_are_short(name: str) -> None:
    """Tables and examples cannot be wrapped."""
    lines = prose(CHECKOUT / "docs" / name).splitlines()
    assert [line for line in lines if len(line) > 120 and not line.startswith("|")] == []
