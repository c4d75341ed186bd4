"""Layers of one document: normalise each, deep-merge child onto parent, keep where everything came from."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from deepmerge import Merger

from manifesto.errors import Fault, KeyPath, suggest
from manifesto.inputs.documents import Node, to_plain

DELETE = "$delete"


@dataclass(frozen=True)
class Layer:
    """One file of a document: what positions call it, its nodes, its normalised value.

    `written` leads from a normalised path to the path in the file, where a name was spelled otherwise.
    """

    name: str
    root: Node
    value: dict[str, Any]
    written: Mapping[KeyPath, KeyPath] = field(default_factory=dict)


@dataclass(frozen=True)
class Composed:
    """A merged document (`value`) and its layers, the root parent first."""

    source: str
    value: dict[str, Any]
    layers: tuple[Layer, ...]


def _merge_mappings(config: Any, path: Any, base: dict[str, Any], child: dict[str, Any]) -> dict[str, Any]:
    for key, value in child.items():
        if value == DELETE:
            base.pop(key, None)
        elif key in base:
            base[key] = config.value_strategy([*path, key], base[key], value)
        else:
            base[key] = _drop_deleted(value)
    return base


def _drop_deleted(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _drop_deleted(item) for key, item in value.items() if item != DELETE}
    return value


def _replace(config: Any, path: Any, base: Any, child: Any) -> Any:
    return _drop_deleted(child)


_MERGER = Merger([(dict, _merge_mappings)], [_replace], [_replace])


def merge_values(values: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Return the values deep-merged in order: mappings merge, other values replace, `$delete` removes a key."""
    merged: dict[str, Any] = {}
    for value in values:
        merged = _MERGER.merge(merged, value)
    return merged


def find_dangling(base: Any, child: Any, path: KeyPath = (), source: str = "model") -> list[Fault]:
    """Return a fault for every `$delete` in `child` that removes nothing of `base`."""
    faults: list[Fault] = []
    known = base if isinstance(base, dict) else {}
    for key, value in child.items():
        if value == DELETE and key not in known:
            told = f"there is no {key} to delete here{suggest(key, known)}"
            faults.append(Fault("compose.nothing-to-delete", told, "leave the line out", (*path, key), source))
        elif isinstance(value, dict):
            faults += find_dangling(known.get(key), value, (*path, key), source)
    return faults


def list_roles_by_name(value: dict[str, Any], base: Mapping[str, Any] | None) -> list[Fault]:
    """Turn the list `roles` of a layer into a mapping by name, in place, and return the faults.

    A list that is malformed stays as it is, for the schema to judge. `base` is the merged parent (None
    without one); a mapping names only roles that it has.
    """
    roles = value.get("roles")
    if isinstance(roles, dict):
        return _judge_mapping(roles, base)
    named = isinstance(roles, list) and all(
        isinstance(role, dict) and isinstance(role.get("name"), str) for role in roles
    )
    if not roles or not named:
        return []
    names = [role["name"] for role in roles]
    value["roles"] = dict(zip(names, roles, strict=True))
    return [
        Fault(
            "compose.duplicate-role",
            f"a second role is called {name!r}",
            "give it another name",
            ("roles", index, "name"),
        )
        for index, name in enumerate(names)
        if name in names[:index]
    ]


def _judge_mapping(roles: Mapping[str, Any], base: Mapping[str, Any] | None) -> list[Fault]:
    """Return the faults of roles that are written as a mapping by name."""
    if base is None:
        told = "roles is a mapping in a file that extends nothing"
        return [Fault("compose.roles-by-name", told, "write a list of roles, each with its name", ("roles",))]
    known = base["roles"] if isinstance(base.get("roles"), dict) else {}
    remedy = f"name one of: {', '.join(known)}" if known else "write a list of roles, each with its name"
    faults: list[Fault] = []
    for name, role in roles.items():
        if name not in known and role != DELETE:
            told = f"no parent has a role {name!r}{suggest(name, known)}"
            faults.append(Fault("compose.unknown-role", told, remedy, ("roles", name)))
        elif isinstance(role, dict) and role.get("name", name) != name:
            told = f"this is the role {name!r}"
            faults.append(Fault("compose.role-renamed", told, f"write name: {name}", ("roles", name, "name")))
    return faults


def take_as_written(node: Node | None, value: Any) -> None:
    """Replace the numbers of an environment mapping, in place, by the text that the file has for them.

    Environment values are rendered as written: `1.10` is not `1.1`.
    """
    if node is None or not isinstance(node.content, dict) or not isinstance(value, dict):
        return
    for name, entry in node.content.items():
        if isinstance(value.get(name), int | float) and not isinstance(value[name], bool):
            value[name] = entry.node.text


def plain_layer(name: str, root: Node) -> Layer:
    """Return a layer that needs no normalising beyond its values."""
    return Layer(name, root, to_plain(root))
