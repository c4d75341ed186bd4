"""The pages of the documentation: Markdown goes in, fenced blocks with the marks before them, headings, links come out.

A mark is an HTML comment in the line before a fence; it says how the block is held to the truth:

- `model [on CLUSTER]`, `cluster [for MODEL]`: the CLI renders it, with the keys that it leaves out
- `rest of model`, `rest of cluster`: those keys
- `… changes nothing`: and the objects are those of the rest alone
- `gives`: an excerpt of the manifest of the block before it; `excerpt of SPEC on CLUSTER`: of that manifest
- `file`: only written for the blocks that name it

The README's YAML needs no mark: it is a model spec. Its consoles and docs/errors.md have tests of their own.
A YAML block whose first line is a comment with a file name is written under that name for the whole page.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

CHECKOUT = Path(__file__).parents[2]
GUIDES = ("getting-started.md", "model-specs.md", "cluster-profiles.md", "reference.md")
README_MARK = "model on example-gb200"


class Block(NamedTuple):
    """A fenced block: where it stands, its language, the mark before it and its text."""

    page: str
    line: int
    language: str
    mark: str
    text: str

    def __str__(self) -> str:
        return f"{self.page}:{self.line}"

    @property
    def file(self) -> str:
        """Return the file name in the block's first line, empty where there is none."""
        match = re.match(r"# (\S+\.yaml)\n", self.text)
        return match[1] if match and self.language == "yaml" else ""


def list_pages() -> list[Path]:
    """Return the README and every page of docs/."""
    return [CHECKOUT / "README.md", *sorted((CHECKOUT / "docs").glob("*.md"))]


def list_blocks(page: Path) -> Iterator[Block]:
    """Yield the fenced blocks of a page."""
    lines = page.read_text().splitlines()
    opened: int | None = None
    for number, line in enumerate(lines):
        if not line.startswith("```"):
            continue
        if opened is None:
            opened = number
            continue
        above = re.fullmatch(r"<!-- (.*) -->", lines[opened - 1]) if opened else None
        language = lines[opened].removeprefix("```")
        mark = above[1] if above else README_MARK if (page.name, language) == ("README.md", "yaml") else ""
        yield Block(page.name, opened + 1, language, mark, "".join(f"{line}\n" for line in lines[opened + 1 : number]))
        opened = None
    assert opened is None, f"{page.name}:{opened}: this fence is not closed"


def guide_blocks(*languages: str) -> list[Block]:
    """Return the blocks of the README and of the guides in some languages."""
    pages = [CHECKOUT / "README.md", *(CHECKOUT / "docs" / name for name in GUIDES)]
    return [block for page in pages for block in list_blocks(page) if block.language in languages]


def write_files(page: str, folder: Path) -> None:
    """Write the named blocks of a guide into a folder, beside a copy of the bundled catalog as a checkout has it."""
    (folder / "catalog").symlink_to(CHECKOUT / "catalog")
    for block in guide_blocks("yaml"):
        if block.page == page and block.file:
            (folder / block.file).write_text(block.text)


def prose(page: Path) -> str:
    """Return the text of a page without its fenced blocks."""
    return re.sub(r"^```.*?^```$", "", page.read_text(), flags=re.MULTILINE | re.DOTALL)


def list_anchors(page: Path) -> set[str]:
    """Return the anchors that GitHub makes of a page's headings."""
    anchors: set[str] = set()
    for heading in re.findall(r"^#+ (.*)$", prose(page), re.MULTILINE):
        slug = re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")
        assert slug not in anchors, f"{page.name} has two headings {heading!r}"
        anchors.add(slug)
    return anchors
