"""Reading: two names go in, two validated documents with Manifesto's defaults come out, or all faults at once."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from manifesto.data import CATALOG
from manifesto.errors import Fault, ManifestoError, gathering, raise_any
from manifesto.inputs.catalog import Listed, Source, bundled_source, find_source
from manifesto.inputs.compose import ComposedModel, compose_cluster, compose_model, read_chain
from manifesto.inputs.documents import read_mapping, to_plain
from manifesto.inputs.images import Image
from manifesto.inputs.merging import Composed, find_dangling, merge_values
from manifesto.inputs.positions import place_faults
from manifesto.inputs.schema import validate


@dataclass(frozen=True)
class Inputs:
    """What a rendering reads. `composed` is as written (source → document), `model` and `cluster` hold defaults."""

    composed: Mapping[str, Composed]
    model: Mapping[str, Any]
    cluster: Mapping[str, Any]
    image: Image

    def files(self) -> list[str]:
        """Return the names of the files that were read, parents first."""
        return [layer.name for composed in self.composed.values() for layer in composed.layers]


@cache
def load_defaults() -> dict[str, Any]:
    """Return catalog/defaults.yaml; callers must not change it."""
    defaults: dict[str, Any] = to_plain(read_mapping((CATALOG / "defaults.yaml").read_bytes(), "defaults.yaml"))
    return defaults


@cache
def load_reserved() -> dict[str, Any]:
    """Return catalog/arguments.yaml: the arguments that a spec cannot set; callers must not change it."""
    reserved: dict[str, Any] = to_plain(read_mapping((CATALOG / "arguments.yaml").read_bytes(), "arguments.yaml"))
    return reserved


def find_sources(spec: str, cluster: str, asked: str, home: Path) -> tuple[Source, Source]:
    """Return the files of a spec and of a profile by their names; raises ManifestoError for either or both.

    `asked` is the option or setting that names the profile.
    """
    faults: list[Fault] = []
    found: list[Source] = []
    for words in (("models", spec, "SPEC"), ("clusters", cluster, asked)):
        with gathering(faults):
            found.append(find_source(*words, home))
    raise_any(faults)
    if all(source.path is None for source in found):
        raise ManifestoError(
            [
                Fault(
                    "catalog.one-stdin",
                    "the spec is read from standard input already",
                    "name a file or a profile",
                    (asked,),
                    "option",
                )
            ]
        )
    return found[0], found[1]


def read_inputs(spec: Source, cluster: Source, verdicts: Path | None) -> Inputs:
    """Return the validated documents of a spec and a profile.

    `verdicts` is the folder that remembers valid documents (see `schema.validate`). Raises ManifestoError
    with every fault of both files, placed and sorted.
    """
    faults: list[Fault] = []
    model: ComposedModel | None = None
    profile: Composed | None = None
    with gathering(faults):
        model = read_model(spec, verdicts)
    with gathering(faults):
        profile = read_cluster(cluster, verdicts)
    raise_any(faults)
    assert model
    assert profile
    assert model.image
    if "release" not in model.composed.value:
        raise ManifestoError(
            place_faults(
                [
                    Fault(
                        "compose.base",
                        "the spec has no release: it is a base for others",
                        "write release, or extend it in a file that does",
                        ("release",),
                    )
                ],
                {"model": model.composed},
            )
        )
    return Inputs(
        {"model": model.composed, "cluster": profile},
        fill_model(model.composed.value),
        fill_cluster(profile.value),
        model.image,
    )


def read_model(spec: Source, verdicts: Path | None) -> ComposedModel:
    """Return the composed and validated model spec, defaults not filled in; raises ManifestoError."""
    model = compose_model(spec)
    found = place_faults(validate(model.composed, "model", verdicts), {"model": model.composed})
    raise_any([*model.faults, *found])
    return model


def read_cluster(cluster: Source, verdicts: Path | None) -> Composed:
    """Return the validated profile, defaults not filled in; raises ManifestoError."""
    profile = compose_cluster(cluster)
    found = find_dangling({}, profile.value, source="cluster") or validate(profile, "cluster", verdicts)
    raise_any(place_faults(found, {"cluster": profile}))
    return profile


def is_base(entry: Listed) -> bool:
    """Whether a model of the catalog has no release, itself or from a parent; one that cannot be read is no base."""
    source = bundled_source(entry.path) if entry.source == "bundled" else Source(entry.path, entry.name)
    try:
        return not any("release" in root.content for _, root in read_chain(source))
    except ManifestoError:
        return False


def fill_model(value: dict[str, Any]) -> dict[str, Any]:
    """Return the spec with what it means where it is silent."""
    filled = _fill("model", value)
    role = load_defaults()["fields"]["role"]
    filled["roles"] = {name: merge_values([role, written]) for name, written in filled["roles"].items()}
    return filled


def fill_cluster(value: dict[str, Any]) -> dict[str, Any]:
    """Return the profile with what it means where it is silent."""
    return _fill("cluster", value)


def _fill(document: str, value: dict[str, Any]) -> dict[str, Any]:
    defaults = load_defaults()
    written = _written_sections(defaults["sections"][document], value)
    return merge_values([defaults["fields"][document], written, value])


def _written_sections(sections: dict[str, Any], value: dict[str, Any]) -> dict[str, Any]:
    """Return the defaults of those sections that a document writes."""
    return {
        key: _written_sections(default, value[key]) if isinstance(default, dict) else default
        for key, default in sections.items()
        if key in value or not isinstance(default, dict)
    }
