"""Ports of a pod: which servers listen where, and that no two listen on one port."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from manifesto.errors import Fault, KeyPath, ManifestoError
from manifesto.resolve.layout import Layout


@dataclass(frozen=True)
class Ports:
    """The ports of a model pod. `backend` is empty without a routing proxy; then vLLM listens on `serving`."""

    serving: tuple[int, ...]
    backend: tuple[int, ...]

    @property
    def vllm(self) -> tuple[int, ...]:
        """The ports of vLLM's own API servers."""
        return self.backend or self.serving


def find_balancing(layout: Layout, routed: bool) -> str:
    """Return how DP ranks share requests: external (the endpoint picker sees each), internal, or none (one rank).

    `routed`: llm-d's pool selects the role.
    """
    if layout.dp == 1:
        return "none"
    return "external" if routed else "internal"


def find_ports(
    role: Mapping[str, Any], layout: Layout, balancing: str, proxied: bool, fixed: Mapping[str, int], path: KeyPath
) -> Ports:
    """Return the ports of a role's pods; `fixed` are further ports of the pod by what listens there.

    External load balancing has one API server for each local rank, every other shape one for each serving
    pod. Raises ManifestoError where two ranges overlap or leave the range of ports.
    """
    count = layout.dp_local if balancing == "external" else 1
    ranges: list[tuple[str, str, range]] = []
    for key, label, wanted in (("serving_port_base", "API servers", True), ("backend_port_base", "backends", proxied)):
        if wanted:
            ranges.append((key, label, range(role[key], role[key] + count)))
    faults = [
        Fault("ports.range", f"the {label} end at port {ports[-1]}", "begin lower", (*path, key))
        for key, label, ports in ranges
        if ports[-1] > 65535
    ]
    ranges += [("", label, range(port, port + 1)) for label, port in fixed.items()]
    for index, (key, label, ports) in enumerate(ranges):
        for other_key, other, taken in ranges[:index]:
            if set(ports) & set(taken):
                written = key or other_key or "serving_port_base"
                faults.append(
                    Fault(
                        "ports.overlap",
                        f"port {max(ports[0], taken[0])} is taken by {other} and {label}",
                        f"move {written}",
                        (*path, written),
                    )
                )
    if faults:
        raise ManifestoError(faults)
    return Ports(tuple(ranges[0][2]), tuple(ranges[1][2]) if proxied else ())
