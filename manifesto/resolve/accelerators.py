"""Accelerators: the profile that a spec asks for."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from manifesto.errors import Fault, ManifestoError, suggest


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
    profiles = cluster["accelerators"]["profiles"]
    name = asked or wanted or cluster["accelerators"]["default"]
    if name not in profiles:
        path, source = (
            (("--accelerator",), "option")
            if asked
            else (("accelerator",), "model")
            if wanted
            else (("accelerators", "default"), "cluster")
        )
        raise ManifestoError(
            [
                Fault(
                    "accelerator.unknown",
                    f"the cluster {cluster['name']} has no accelerator {name!r}{suggest(name, profiles)}",
                    f"name one of: {', '.join(profiles)}",
                    path,
                    source,
                )
            ]
        )
    profile = profiles[name]
    resource = profile["allocation"].get("extended_resource", {})
    return Accelerator(name, resource.get("resource_name", ""), profile["node_selector"], profile["gpu_arch"])
