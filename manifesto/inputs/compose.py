"""Composition: a source goes in, its `extends` chain is read, normalised and merged into one document."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from manifesto.checks.spellings import index_names
from manifesto.errors import Fault, KeyPath, ManifestoError, gathering
from manifesto.inputs.catalog import Source, parent_source, read_source
from manifesto.inputs.documents import Node, read_mapping, to_plain
from manifesto.inputs.images import Image, find_image
from manifesto.inputs.merging import (
    Composed,
    Layer,
    find_dangling,
    list_roles_by_name,
    merge_values,
    plain_layer,
    take_as_written,
)
from manifesto.inputs.positions import place_faults
from manifesto.inputs.spellings import unify_names


@dataclass(frozen=True)
class ComposedModel:
    """A composed model spec, the image that it asks for, and the faults found while composing it."""

    composed: Composed
    image: Image | None
    faults: tuple[Fault, ...] = ()


def compose_model(source: Source) -> ComposedModel:
    """Return the model spec that `source` and its parents make.

    What does not fit a parent is among its faults; a file that cannot be read or is not YAML raises
    ManifestoError.
    """
    chain = read_chain(source)
    image: Image | None = None
    unplaced: list[Fault] = []
    with gathering(unplaced):
        image = find_image(merge_values([_model_section(node) for _, node in chain]))
    names = index_names(image.table) if image else {}
    layers: list[Layer] = []
    merged: dict[str, Any] | None = None
    faults: list[Fault] = []
    for layer_source, root in chain:
        if merged is not None and isinstance(_content(_step(root, "roles")), list):
            merged.pop("roles", None)
        layer, found = _normalise_model(layer_source.name, root, names, merged)
        layers.append(layer)
        found += find_dangling(merged or {}, layer.value)
        faults += place_faults(found, {"model": Composed("model", layer.value, (layer,))})
        merged = merge_values([layer.value] if merged is None else [merged, layer.value])
    composed = Composed("model", merged or {}, tuple(layers))
    faults += place_faults(unplaced, {"model": composed})
    return ComposedModel(composed, image, tuple(faults))


def compose_cluster(source: Source) -> Composed:
    """Return the cluster profile of `source`; raises ManifestoError when it cannot be read or is not YAML."""
    root = read_mapping(read_source(source), source.name)
    layer = plain_layer(source.name, root)
    fabric = _step(root, "fabric")
    value = layer.value.get("fabric")
    if isinstance(value, dict):
        take_as_written(_step(fabric, "default_env"), value.get("default_env"))
        profiles = value.get("profiles")
        for name, profile in profiles.items() if isinstance(profiles, dict) else ():
            if isinstance(profile, dict):
                take_as_written(_step(_step(_step(fabric, "profiles"), name), "env"), profile.get("env"))
    return Composed("cluster", layer.value, (layer,))


def read_chain(source: Source) -> list[tuple[Source, Node]]:
    """Return the files of an `extends` chain and their roots, the root parent first."""
    chain: list[tuple[Source, Node]] = []
    while True:
        root = read_mapping(read_source(source), source.name)
        chain.append((source, root))
        entry = root.content.get("extends")
        if entry is None:
            return chain[::-1]
        relative = entry.node.content
        place = f"{source.name}:{entry.node.line}:{entry.node.column}"
        if not isinstance(relative, str) or not relative or relative.startswith("/"):
            remedy = "write a path that does not begin with a slash"
            raise _fault("compose.extends", "extends takes a path relative to this file", remedy, place)
        if source.piped:
            raise _fault(
                "compose.piped-extends", "a piped input has no folder to extend from", "pass the path of a file", place
            )
        source, parent = parent_source(source, relative)
        real = [os.path.realpath(known.path) for known, _ in chain if known.path]
        if os.path.realpath(parent) in real:
            names = [known.name for known, _ in chain][real.index(os.path.realpath(parent)) :]
            told = " -> ".join([*names, names[0]])
            raise _fault("compose.cycle", f"these files extend each other: {told}", "break the circle", place)
        if not os.path.isfile(parent):
            raise _fault("compose.no-parent", f"there is no file {source.name}", "write the path of the parent", place)


def _fault(rule: str, problem: str, remedy: str, place: str) -> ManifestoError:
    return ManifestoError([Fault(rule, problem, remedy, ("extends",), place=place)])


def _content(node: Node | None) -> Any:
    return node.content if node else None


def _step(node: Node | None, key: str) -> Node | None:
    if node is None or not isinstance(node.content, dict) or key not in node.content:
        return None
    found: Node = node.content[key].node
    return found


def _model_section(root: Node) -> dict[str, Any]:
    section = _step(root, "model")
    return {"model": to_plain(section)} if section else {}


def _normalise_model(
    name: str, root: Node, names: Mapping[str, tuple[str, bool]], base: Mapping[str, Any] | None
) -> tuple[Layer, list[Fault]]:
    """Return one file's layer: roles by name, arguments by key, environment numbers as written."""
    value = to_plain(root)
    value.pop("extends", None)
    faults = list_roles_by_name(value, base)
    written: dict[KeyPath, KeyPath] = {}
    if isinstance(runtime := value.get("runtime"), dict):
        take_as_written(_step(_step(root, "runtime"), "env"), runtime.get("env"))
    roles = value.get("roles")
    for role_name, role in roles.items() if isinstance(roles, dict) else ():
        if not isinstance(role, dict):
            continue
        take_as_written(_step(_role_node(root, role_name), "env"), role.get("env"))
        for keys in (("vllm",), ("computed", "vllm")):
            holder = role if len(keys) == 1 else role.get("computed")
            if not isinstance(holder, dict) or not isinstance(holder.get("vllm"), dict):
                continue
            path: KeyPath = ("roles", role_name, *keys)
            weaker = _mapping_at(base or {}, path)
            holder["vllm"], spelled, found = unify_names(holder["vllm"], names, path, weaker)
            written.update({(*path, key): (*path, word) for key, word in spelled.items() if key != word})
            faults += found
    return Layer(name, root, value, written), faults


def _mapping_at(value: Any, path: KeyPath) -> Any:
    for part in path:
        value = value.get(part) if isinstance(value, dict) else None
    return value if isinstance(value, dict) else {}


def _role_node(root: Node, name: str) -> Node | None:
    roles = _step(root, "roles")
    items: Sequence[Node] = roles.content if roles and isinstance(roles.content, list) else ()
    for item in items:
        named = _step(item, "name")
        if named and named.content == name:
            return item
    return _step(roles, name)
