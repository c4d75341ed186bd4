"""Golden cases: folders below tests/golden, found by what they hold.

A case holds `model.yaml` and, where it needs one, `cluster.yaml` (else the bundled example-stateless-b200),
further files that these extend, and `options`: words added to the command. A file `command` replaces the
whole command. `expected.yaml` is what stdout holds, `expected.err` what stderr holds.
"""

import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml
from conftest import TESTS, Run, run_manifesto

GOLDEN = TESTS / "golden"


def list_cases() -> list[Path]:
    """Return the folders of all golden cases."""
    return sorted(path for path in GOLDEN.iterdir() if path.is_dir())


def list_manifests() -> list[Path]:
    """Return the golden manifests."""
    return [case / "expected.yaml" for case in list_cases() if (case / "expected.yaml").exists()]


def case_command(case: Path) -> list[str]:
    """Return the command line of a case, as words after `manifesto`."""
    written = case / "command"
    if written.exists():
        return shlex.split(written.read_text())
    cluster = "cluster.yaml" if (case / "cluster.yaml").exists() else "example-stateless-b200"
    options = case / "options"
    return ["render", "manifest", "model.yaml", "--cluster", cluster,
            *(shlex.split(options.read_text()) if options.exists() else [])]  # fmt: skip


def run_case(case: Path) -> Run:
    """Run the command of a case; the working folder must be the case's."""
    return run_manifesto(*case_command(case))


def read_manifest(path: Path) -> list[dict[str, Any]]:
    """Return the documents of a golden manifest."""
    return [document for document in yaml.safe_load_all(path.read_text()) if document]


def iterate_documents() -> Iterator[tuple[Path, dict[str, Any]]]:
    """Yield every document of every golden manifest."""
    for path in list_manifests():
        for document in read_manifest(path):
            yield path, document
