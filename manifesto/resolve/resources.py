"""Resources: requests and limits of the vLLM container, in canonical quantities."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from manifesto.errors import Fault, KeyPath, ManifestoError
from manifesto.kubernetes.quantities import canonical_quantity
from manifesto.resolve.accelerators import Accelerator
from manifesto.resolve.layout import Layout


@dataclass(frozen=True)
class Resources:
    """Requests and limits by resource name, and the GPUs of the pod (0: a role without GPUs)."""

    requests: Mapping[str, str]
    limits: Mapping[str, str]
    gpus: int


def find_resources(
    role: Mapping[str, Any],
    layout: Layout,
    accelerator: Accelerator,
    cluster: Mapping[str, Any],
    sizes: Mapping[str, int],
    path: KeyPath,
) -> Resources:
    """Return the resources of a role's vLLM container; `sizes` is `resources` of catalog/defaults.yaml.

    cpu = 6 + 2 N and memory = max(64 N, 128) Gi for N GPUs, each unless written. GPUs and RDMA devices are
    extended resources: whole, request equal to limit. CPU has no limit.
    Raises ManifestoError for `resources.gpus` that is neither 0 nor N.
    """
    written = role.get("resources", {})
    gpus = written.get("gpus", layout.gpus)
    if gpus not in (0, layout.gpus):
        raise ManifestoError(
            [
                Fault(
                    "resources.gpus",
                    f"{gpus} is neither 0 nor the {layout.gpus} of the layout",
                    "write parallelism.gpus, or leave it out",
                    (*path, "resources", "gpus"),
                )
            ]
        )
    cpu = written.get("cpu", sizes["cpu_base"] + sizes["cpu_per_gpu"] * gpus)
    memory = written.get("memory", f"{max(sizes['memory_gi_per_gpu'] * gpus, sizes['memory_gi_least'])}Gi")
    limits = {"memory": canonical_quantity(memory)}
    if "ephemeral_storage" in written:
        limits["ephemeral-storage"] = canonical_quantity(written["ephemeral_storage"])
    if gpus:
        limits[accelerator.resource_name] = canonical_quantity(gpus)
    if rdma := cluster.get("rdma"):
        limits[rdma["resource_name"]] = canonical_quantity(rdma["value"])
    return Resources({"cpu": canonical_quantity(cpu), **limits}, limits, gpus)
