"""Render contexts hold what schemas/v1/context.schema.json says, and templates read what their headers say."""

import re
from pathlib import Path
from typing import Any

import pytest
from cases import case_command, list_manifests
from jinja2 import meta
from jsonschema import Draft202012Validator

from manifesto.cli import rendering
from manifesto.data import TEMPLATES, load_schema
from manifesto.render.pack import Pack, load_pack
from manifesto.render.templating import make_environment

PACK = load_pack("v1")
SCHEMA = load_schema("context")


@pytest.fixture(scope="module")
def contexts() -> list[tuple[str, dict[str, Any]]]:
    """Return (scope, context) of every document of every golden manifest, files included."""
    seen: list[tuple[str, dict[str, Any]]] = []
    original = rendering.render_documents

    def record(pack: Pack, manifest: str, instance: Any, roles: Any, cache: Path | None) -> Any:
        documents = original(pack, manifest, instance, roles, cache)
        seen.extend((document.entry.scope, dict(document.context)) for document in documents)
        return documents

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rendering, "render_documents", record)
        for path in list_manifests():
            patch.chdir(path.parent)
            spec, options = parse_command(case_command(path.parent))
            rendering.render_manifest(spec, options)
    return seen


def parse_command(words: list[str]) -> tuple[str, dict[str, Any]]:
    from manifesto.cli.render import manifest

    options = manifest.make_context("manifest", words[2:]).params
    return options.pop("spec"), options


def test_every_context_fits_the_schema(contexts: list[tuple[str, dict[str, Any]]]) -> None:
    for scope, context in contexts:
        validator = Draft202012Validator(SCHEMA["$defs"][scope])
        assert [error.message for error in validator.iter_errors(context)] == []


def test_every_key_is_produced_and_means_something(contexts: list[tuple[str, dict[str, Any]]]) -> None:
    for scope, schema in SCHEMA["$defs"].items():
        told = {key for found, context in contexts if found == scope for key, value in context.items() if value}
        silent = set(schema["properties"]) - told
        assert not silent, f"no golden case gives {scope} keys {silent} a value"


def test_every_key_is_read_by_a_template() -> None:
    for scope, schema in SCHEMA["$defs"].items():
        files = {f"files/{file.file}" for file in PACK.files if file.scope == scope and file.template}
        names = files | {entry.template for entry in PACK.entries if entry.scope == scope}
        conditions = {entry.when for entry in PACK.entries if entry.scope == scope}
        read = {key for name in names for key in variables(name)} | conditions
        digests = {f"{file.name}_sha256" for file in PACK.files}
        # Names of objects of an instance are the same in its roles' contexts.
        shared = {"dcgm_config_name", "model_account_name", "scc_binding_name"}
        assert set(schema["properties"]) - read - digests - shared == set()


def variables(name: str) -> set[str]:
    """Return the variables that a template or file reads, those of what it includes among them."""
    environment = make_environment(PACK.folder, None, for_files=name.startswith("files/"))
    source = (PACK.folder / name).read_text()
    tree = environment.parse(source)
    included = {other for other in meta.find_referenced_templates(tree) if other and "{% include" in source}
    inside = {key for other in included if f'include "{other}"' in source for key in variables(other)}
    return meta.find_undeclared_variables(tree) | inside


def own_variables(name: str) -> set[str]:
    environment = make_environment(PACK.folder, None, for_files=name.startswith("files/"))
    return meta.find_undeclared_variables(environment.parse((PACK.folder / name).read_text()))


TEMPLATE_FILES = sorted(
    [path.relative_to(PACK.folder).as_posix() for path in PACK.folder.rglob("*.j2")]
    + [f"files/{file.file}" for file in PACK.files if file.template]
)


@pytest.mark.parametrize("name", TEMPLATE_FILES)
def test_headers_list_what_templates_read(name: str) -> None:
    source = (PACK.folder / name).read_text()
    header = re.match(r"@?\{#-?(.*?)#\}", source, re.DOTALL)
    assert header, "a template begins with a comment that says what it is for"
    listed = re.search(r"reads: ([a-z0-9_,\s]+?)(?:\.|-?$|\n\s+Every)", header[1])
    keys = {key for key in re.split(r"[,\s]+", listed[1]) if key} if listed else set()
    assert keys == own_variables(name)
    assert not listed or list(dict.fromkeys(re.split(r"[,\s]+", listed[1].strip()))) == sorted(keys)


@pytest.mark.parametrize("path", sorted(TEMPLATES.rglob("*.j2")), ids=lambda path: path.name)
def test_templates_keep_the_house_rules(path: Path) -> None:
    for number, line in enumerate(path.read_text().splitlines(), start=1):
        assert len(line) <= 120
        if match := re.search(r"nindent\((\d+)\)", line):
            column = len(line) - len(line.lstrip())
            assert int(match[1]) == column or "filter" in line, f"line {number}: nindent is not the tag's column"
        if re.search(r"\{%-? ?(if|for|else|endif|endfor)", line):
            assert re.fullmatch(r" *\{%.*%\} *", line), f"line {number}: a tag stands alone on its line"
        assert not re.search(r"\{\{[^}]*\bif\b(?![^}]*\belse\b)", line), f"line {number}: inline if without else"


def test_the_pack_fits_its_schema_and_lists_what_lies_there() -> None:
    import yaml

    written = yaml.safe_load((PACK.folder / "pack.yaml").read_text())
    assert list(Draft202012Validator(load_schema("pack")).iter_errors(written)) == []
    templates = {path.name for path in PACK.folder.glob("*.j2")}
    assert {entry.template for entry in PACK.entries} == templates
    assert {file.file for file in PACK.files} == {path.name for path in (PACK.folder / "files").iterdir()}
