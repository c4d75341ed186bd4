"""Provenance: a value of the environment or of vLLM's arguments, and where it came from."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from manifesto.errors import KeyPath


@dataclass(frozen=True)
class Setting:
    """A value and its origin.

    `origin` is one of manifesto, derived:<what>, fabric:default_env, fabric:<profile>, computed fabric:<profile>,
    runtime, role, computed role, raw, profiling, backend:<name>, option --<name>. `source` and `path` lead to
    the value in model, cluster, defaults or option. `weaker` are the settings that it overrode, strongest first.
    """

    value: Any
    origin: str
    source: str = "defaults"
    path: KeyPath = ()
    weaker: tuple["Setting", ...] = ()


Settings = dict[str, Setting]


def make_layer(values: Mapping[str, Any], origin: str, source: str = "defaults", path: KeyPath = ()) -> Settings:
    """Return one layer: each value with the origin and its own path below `path`."""
    return {name: Setting(value, origin, source, (*path, name)) for name, value in values.items()}


def stack_layers(layers: Iterable[Settings]) -> Settings:
    """Return what holds of several layers, later ones winning and remembering what they overrode."""
    held: Settings = {}
    for layer in layers:
        for name, setting in layer.items():
            below = held.get(name)
            held[name] = replace(setting, weaker=(below, *below.weaker)) if below else setting
    return held
