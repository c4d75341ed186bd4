"""Accelerators: the profile that a spec asks for."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from manifesto.errors import Fault, KeyPath, raise_any, suggest


@dataclass(frozen=True)
class Accelerator:
    """An accelerator profile: the nodes that have it and how a pod gets its GPUs."""

    name: str
    resource_name: str
    node_selector: Mapping[str, str]
    gpu_arch: str


def find_accelerator(cluster: Mapping[str, Any], wanted: str | None, asked: str | None) -> Accelerator:
    """Return the profile named by the command line (`asked`), else by the spec (`wanted`), else the cluster's default.

    Raises ManifestoError for a name that the cluster has not, its own default included.
    """
    if asked:
        faults = judge_accelerator(cluster, asked, ("--accelerator",), "option")
    elif wanted:
        faults = judge_accelerator(cluster, wanted, ("accelerator",), "model")
    else:
        faults = judge_accelerator(cluster, cluster["accelerators"]["default"], ("accelerators", "default"), "cluster")
    raise_any(faults)
    name = asked or wanted or cluster["accelerators"]["default"]
    profile = cluster["accelerators"]["profiles"][name]
    resource = profile["allocation"].get("extended_resource", {})
    return Accelerator(name, resource.get("resource_name", ""), profile["node_selector"], profile["gpu_arch"])


def judge_accelerator(cluster: Mapping[str, Any], name: str, path: KeyPath, source: str) -> list[Fault]:
    """Return a fault where the cluster has no accelerator of a name that `source` gives at `path`."""
    profiles = cluster["accelerators"]["profiles"]
    if name in profiles:
        return []
    told = f"the cluster {cluster['name']} has no accelerator {name!r}{suggest(name, profiles)}"
    return [Fault("accelerator.unknown", told, f"name one of: {', '.join(profiles)}", path, source)]
