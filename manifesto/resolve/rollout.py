"""Rollout: how a change replaces pods, and how long a pod may take to stop."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from manifesto.errors import Fault, KeyPath, ManifestoError
from manifesto.resolve.provenance import Settings


@dataclass(frozen=True)
class Rollout:
    """Counts or percentages of replicas, and the grace period in seconds (None: Kubernetes' own)."""

    max_unavailable: int | str
    max_surge: int | str
    grace_seconds: int | None


def find_rollout(
    role: Mapping[str, Any], cluster: Mapping[str, Any], arguments: Settings, grace: Mapping[str, int], path: KeyPath
) -> Rollout:
    """Return the rollout of a role; `grace` is `grace` of catalog/defaults.yaml.

    vLLM drains requests for `--shutdown-timeout` S seconds, so the pod needs S and a margin. Raises
    ManifestoError for a written grace period below that, and for a rollout that could never move.
    """
    rollout = role["rollout"]
    unavailable, surge = rollout["max_unavailable"], rollout["max_surge"]
    faults: list[Fault] = []
    if unavailable in (0, "0%") and surge in (0, "0%"):
        faults.append(
            Fault(
                "rollout.stuck",
                "no replica may go and none may be added",
                "allow one of them",
                (*path, "rollout", "max_unavailable"),
                others=((*path, "rollout", "max_surge"),),
            )
        )
    written = role.get("termination_grace_period_seconds")
    seconds = written if written is not None else cluster["pod_defaults"].get("termination_grace_period_seconds")
    timeout = arguments.get("shutdown_timeout")
    if timeout is not None and isinstance(timeout.value, int | float) and timeout.value > 0:
        needed = math.ceil(timeout.value) + grace["margin_seconds"]
        if written is not None and written < needed:
            faults.append(
                Fault(
                    "rollout.grace",
                    f"vLLM's shutdown_timeout {timeout.value} needs {needed} seconds",
                    f"write termination_grace_period_seconds: {needed} or more",
                    (*path, "termination_grace_period_seconds"),
                    others=(timeout.path,),
                )
            )
        seconds = max(needed, seconds if seconds is not None else grace["kubernetes_seconds"])
    if faults:
        raise ManifestoError(faults)
    return Rollout(unavailable, surge, seconds)
