"""The task of one resolution: everything that it may look at, read by others."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from manifesto.errors import Fault, KeyPath, suggest
from manifesto.request import Request
from manifesto.resolve.accelerators import judge_accelerator


@dataclass(frozen=True)
class Task:
    """Two validated documents with defaults filled in, the request, and the data of the catalog.

    `table` is the argument table of the image's vLLM release, `defaults` catalog/defaults.yaml, `reserved`
    catalog/arguments.yaml, `helpers` the images of helpers by name.
    """

    model: Mapping[str, Any]
    cluster: Mapping[str, Any]
    request: Request
    image: str
    table: Mapping[str, Any]
    defaults: Mapping[str, Any]
    reserved: Mapping[str, Any]
    helpers: Mapping[str, str]

    @property
    def routing_kind(self) -> str:
        """Return load_aware, pd or disabled."""
        derived = "pd" if self.model["topology"] == "pd" else "load_aware"
        return str(self.model["routing"].get("kind", derived))

    def is_routed(self, role: str) -> bool:
        """Whether llm-d's pool selects a role."""
        if self.routing_kind == "load_aware":
            return role == self.target_role
        return self.routing_kind == "pd"

    @property
    def target_role(self) -> str:
        """Return the role that load-aware routing selects; a spec with one role may call it anything."""
        roles = list(self.model["roles"])
        return roles[0] if len(roles) == 1 else str(self.model["routing"]["target_role"])


def check_routing(task: Task) -> list[Fault]:
    """Return the faults of topology, routing kind and target role between them."""
    topology, kind, roles = task.model["topology"], task.routing_kind, task.model["roles"]
    faults: list[Fault] = []
    if (topology == "pd") != (kind == "pd"):
        wanted = "pd" if topology == "pd" else "load_aware or disabled"
        faults.append(
            Fault(
                "routing.kind",
                f"topology {topology} cannot be routed by {kind}",
                f"write {wanted}",
                ("routing", "kind"),
                others=(("topology",),),
            )
        )
    if kind == "load_aware" and task.target_role not in roles:
        faults.append(
            Fault(
                "routing.target-role",
                f"no role is called {task.target_role!r}{suggest(task.target_role, roles)}",
                f"write routing.target_role: {' or '.join(roles)}",
                ("routing", "target_role"),
                others=(("roles",),),
            )
        )
    faults += _check_picker(task.model["routing"])
    if topology == "pd" and set(roles) != {"prefill", "decode"}:
        faults.append(
            Fault(
                "routing.pd-roles",
                f"topology pd has the roles prefill and decode, not {', '.join(roles)}",
                "name exactly these two",
                ("roles",),
                others=(("topology",),),
            )
        )
    return faults


def _check_picker(routing: Mapping[str, Any]) -> list[Fault]:
    """Return the faults of `routing.epp`: its older forms beside it, a file that is none of its configurations."""
    picker = routing.get("epp", {})
    older = [key for key in ("epp_image", "plugin_config", "replicas") if key in routing]
    faults: list[Fault] = []
    if picker and older:
        told = f"{older[0]} is an older form of what epp says"
        faults.append(Fault("routing.two-forms", told, "keep epp", ("routing", older[0]), others=(("routing", "epp"),)))
    name, configs = picker.get("plugins_config_file"), picker.get("plugin_configs", {})
    if name not in (None, "plugins.yaml", *configs):
        remedy = f"name one of: {', '.join(configs)}" if configs else "write plugin_configs with that key"
        told = f"no configuration is called {name}"
        faults.append(Fault("routing.plugins-file", told, remedy, ("routing", "epp", "plugins_config_file")))
    return faults


def check_cluster(cluster: Mapping[str, Any]) -> list[Fault]:
    """Return the faults of a profile whose parts name each other wrongly."""
    default = cluster["accelerators"]["default"]
    faults = judge_accelerator(cluster, default, ("accelerators", "default"), "cluster")
    fabric = cluster["fabric"]
    known = {"standard", *fabric.get("profiles", {})}
    named: dict[KeyPath, str] = {("fabric", "default_profile"): fabric["default_profile"]}
    named |= {
        ("fabric", "expert_parallel_profiles", role): name
        for role, name in fabric.get("expert_parallel_profiles", {}).items()
    }
    faults += [
        Fault(
            "fabric.unknown-profile",
            f"the cluster has no fabric profile {name!r}{suggest(name, known)}",
            f"name one of: {', '.join(sorted(known))}",
            path,
            "cluster",
        )
        for path, name in named.items()
        if name not in known
    ]
    storage = cluster["storage"]
    claim = storage.get("shared_volume", {}).get("persistentVolumeClaim")
    if "shared_claim" in storage and not (isinstance(claim, Mapping) and "claimName" in claim):
        faults.append(
            Fault(
                "storage.shared-claim",
                "bootstrap provisions the claim that shared_volume names",
                "write shared_volume: {persistentVolumeClaim: {claimName: NAME}}",
                ("storage", "shared_claim"),
                "cluster",
            )
        )
    return faults
