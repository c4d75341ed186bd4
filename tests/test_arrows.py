"""The data goes one way: no part of Manifesto imports what comes after it, or what it must not know."""

import ast
from collections.abc import Iterator
from pathlib import Path

from conftest import TESTS

PACKAGE = TESTS.parent / "manifesto"
FORBIDDEN = {
    "inputs": {"cli", "resolve", "render", "proof", "kube"},
    "resolve": {"cli", "inputs", "render", "proof", "kube"},
    "render": {"cli", "inputs", "resolve", "proof", "kube", "checks", "request"},
    "proof": {"cli", "inputs", "resolve", "render", "kube", "request", "data"},
    "kube": {"cli", "inputs", "resolve", "render", "checks"},
    "checks": {"cli", "inputs", "resolve", "render", "proof", "kube", "request", "data"},
    "kubernetes": {"*"},
    "errors.py": {"*"},
    "data.py": {"*"},
    "request.py": {"*"},
    "provenance.py": {"cli", "inputs", "resolve", "render", "proof", "kube", "checks"},
}
CLICK_ONLY_IN = {"cli"}
PURE = {"resolve", "proof", "checks", "kubernetes"}
"""Parts that read and write nothing: no files, no YAML, no Jinja."""


def imports(path: Path) -> Iterator[str]:
    """Yield the dotted names that a module imports, also those inside functions."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports name the whole path"
            yield node.module or ""
            if node.module == "manifesto":
                yield from (f"manifesto.{alias.name}" for alias in node.names)


def part(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0]


def wrong_imports(path: Path, names: Iterator[str] | list[str]) -> list[str]:
    own, found = part(path), []
    for name in names:
        top, _, rest = name.partition(".")
        target = rest.partition(".")[0]
        if top == "manifesto" and target:
            refused = FORBIDDEN.get(own, set())
            if (
                (target == "cli" and own not in ("cli", "__main__.py"))
                or target in refused
                or ("*" in refused and target != own)
            ):
                found.append(name)
        elif (top == "click" and own not in CLICK_ONLY_IN) or (
            top in ("yaml", "jinja2", "pathlib", "os", "subprocess") and own in PURE
        ):
            found.append(name)
    return found


def test_the_arrows() -> None:
    for path in sorted(PACKAGE.rglob("*.py")):
        assert wrong_imports(path, imports(path)) == [], path


def test_the_arrows_can_fail() -> None:
    resolve = PACKAGE / "resolve" / "layout.py"
    assert wrong_imports(resolve, ["manifesto.inputs.catalog"])
    assert wrong_imports(resolve, ["yaml"])
    assert wrong_imports(PACKAGE / "render" / "manifest.py", ["manifesto.resolve.task"])
    assert wrong_imports(PACKAGE / "errors.py", ["manifesto.data"])
    assert not wrong_imports(resolve, ["manifesto.errors", "json"])


def test_modules_and_functions_stay_small() -> None:
    for path in sorted(PACKAGE.rglob("*.py")):
        text = path.read_text()
        assert len(text.splitlines()) <= 260, path
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                length = (node.end_lineno or 0) - node.lineno + 1
                assert length <= 60, f"{path}:{node.lineno} {node.name} has {length} lines"
