"""Monitoring sidecars of a model pod: which there are, and the volumes that they need."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from manifesto.resolve.task import Task


@dataclass(frozen=True)
class Sidecars:
    """Which exporters run in a role's pods, and the volumes of the pod that only they mount."""

    dcgm: bool
    node: bool
    volumes: list[dict[str, Any]]


def find_sidecars(task: Task, gpus: int, config_map: str) -> Sidecars:
    """Return the sidecars of a role with `gpus` GPUs a pod; `config_map` holds the GPU counters.

    A pod without GPUs has nothing for the GPU exporter; OpenShift's restricted policy admits no host paths
    (restricted-v2), so no node exporter there.
    """
    wanted = task.model["runtime"]["sidecars"]
    dcgm = "dcgm-exporter" in wanted and gpus > 0
    node = "node-exporter" in wanted and task.cluster["platform"] != "openshift"
    volumes: list[dict[str, Any]] = []
    if dcgm:
        volumes.append({"name": "dcgm-counters", "configMap": {"name": config_map}})
    if node:
        volumes += [{"name": f"host-{name}", "hostPath": {"path": f"/{name}"}} for name in ("proc", "sys")]
    return Sidecars(dcgm, node, volumes)


def sidecar_ports(sidecars: Sidecars, ports: Mapping[str, int]) -> dict[str, int]:
    """Return the ports that the sidecars open, by sidecar."""
    return {
        name: ports[key]
        for name, key, runs in (
            ("dcgm-exporter", "dcgm_exporter", sidecars.dcgm),
            ("node-exporter", "node_exporter", sidecars.node),
        )
        if runs
    }
