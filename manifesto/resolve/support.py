"""What this version does not render: refused or told, never left out in silence."""

from collections.abc import Mapping
from typing import Any

from manifesto.errors import Fault, KeyPath
from manifesto.resolve.layout import Layout
from manifesto.resolve.task import Task


def refuse_unsupported(task: Task) -> list[Fault]:
    """Return a fault for what a spec or profile as a whole asks for and this version cannot render."""
    cluster = task.cluster
    faults: list[Fault] = []
    if task.model["topology"] == "pd":
        faults.append(_fault("prefill/decode disaggregation", ("topology",), remedy="write aggregated"))
    if "local_queue" in cluster.get("kueue", {}):
        faults.append(_fault("Kueue queues", ("kueue", "local_queue"), "cluster"))
    if "imex_resource_claim_template" in cluster["fabric"]:
        faults.append(_fault("IMEX claims", ("fabric", "imex_resource_claim_template"), "cluster"))
    name = task.request.accelerator or task.model.get("accelerator") or cluster["accelerators"]["default"]
    if "dra" in cluster["accelerators"]["profiles"].get(name, {}).get("allocation", {}):
        faults.append(_fault("DRA claims", ("accelerators", "profiles", name, "allocation", "dra"), "cluster"))
    return faults


def refuse_role(role: Mapping[str, Any], layout: Layout, balancing: str, path: KeyPath) -> list[Fault]:
    """Return a fault for each shape of a role that this version cannot render."""
    faults: list[Fault] = []
    if layout.size > 1:
        told = f"replicas of several pods ({layout.size} x {layout.gpus} GPUs)"
        faults.append(_fault(told, (*path, "parallelism"), remedy="choose sizes that fit one pod"))
    elif balancing == "external":
        remedy = "write lws.replicas for independent engines, or routing.kind: disabled"
        faults.append(_fault("data parallelism behind llm-d", (*path, "parallelism", "dp"), remedy=remedy))
    if role.get("workload") == "leaderworkerset":
        faults.append(_fault("LeaderWorkerSets", (*path, "workload")))
    if "same_topology_key" in role["lws"]:
        faults.append(_fault("topology affinity", (*path, "lws", "same_topology_key")))
    if role.get("routing_proxy"):
        faults.append(_fault("routing proxies", (*path, "routing_proxy")))
    return faults


def tell_missing(task: Task) -> list[Fault]:
    """Return one warning that says which objects of the spec's deployment are not in the manifest, if any."""
    missing: list[str] = []
    if task.routing_kind != "disabled":
        missing.append("routing (InferencePool, endpoint picker, frontend)")
    if task.model["runtime"]["idle_shutdown"]["enabled"]:
        missing.append("the idle-shutdown controller")
    if not missing:
        return []
    return [
        Fault(
            "support.missing",
            f"this version does not render {' and '.join(missing)} yet",
            "the manifest holds the model servers alone; add the rest by hand, or turn it off in the spec",
            ("release",),
        )
    ]


def _fault(what: str, path: KeyPath, source: str = "model", remedy: str = "leave it out") -> Fault:
    return Fault("support.not-yet", f"this version does not render {what} yet", remedy, path, source)
