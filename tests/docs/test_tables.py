"""Tables of the guides agree with what they tell of."""

import re

import pytest
import yaml
from pages import CHECKOUT

from manifesto.resolve.layout import find_layout

CATALOG = CHECKOUT / "catalog"
IN_THE_POD = {"MANIFESTO_POD_UID", "MANIFESTO_VLLM_ENV"}


def rows(page: str, head: str) -> list[list[str]]:
    """Return the rows of the table of a guide that begins with a head."""
    _, found, rest = (CHECKOUT / "docs" / page).read_text().partition(f"\n{head}\n")
    assert found, f"{page} has no table {head}"
    lines = rest.partition("\n\n")[0].splitlines()[1:]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


@pytest.mark.parametrize("row", rows("model-specs.md", "| parallelism | world | on nodes of 4 | on nodes of 8 |"))
def test_layouts(row: list[str]) -> None:
    sizes = {"tp": 1, "pp": 1, "dp": False, "ep": False, **yaml.safe_load(row[0].strip("`"))}
    role = {"parallelism": sizes, "lws": {"replicas": 1}}
    assert int(row[1]) == sizes["tp"] * sizes["pp"] * int(sizes["dp"] or 1)
    for gpus_per_node, told in zip((4, 8), row[2:], strict=True):
        layout = find_layout(role, gpus_per_node, ())
        text = f"{layout.size} pod{'s' if layout.size > 1 else ''} of {layout.gpus}"
        if layout.spans_pods:
            text += ", all one group"
        elif layout.dp > 1:
            text += f", {layout.dp_local} ranks" + (" each" if layout.size > 1 else "")
        assert told == text


def test_refused_arguments() -> None:
    """Every argument that a spec cannot set stands in the table."""
    reserved = yaml.safe_load((CATALOG / "arguments.yaml").read_text())
    told = {code for row in rows("model-specs.md", "| argument | write |") for code in re.findall(r"`([^`]+)`", row[0])}
    known = {name for section in reserved.values() for name in section}
    assert [name for name in known if not any(name.startswith(code) for code in told)] == []
    assert told - known == {"distributed_executor_backend: ray"}


def test_variables_of_manifesto() -> None:
    """The variables that Manifesto sets for every role stand in the table with their values."""
    environment = yaml.safe_load((CATALOG / "defaults.yaml").read_text())["environment"]
    told = " ".join(row[0] for row in rows("model-specs.md", "| variable | when |"))
    for section in ("every", "routed", "openshift"):
        assert all(f"`{name}={value}`" in told for name, value in environment[section].items())


def test_settings() -> None:
    """Every setting that the code reads stands in the table, and no other."""
    told = {row[0].strip("`") for row in rows("getting-started.md", "| setting | in place of | else |")}
    code = "".join(path.read_text() for path in sorted((CHECKOUT / "manifesto").rglob("*.py")))
    read = set(re.findall(r'"(MANIFESTO_[A-Z_]*[A-Z])"', code))
    assert told == read - IN_THE_POD
