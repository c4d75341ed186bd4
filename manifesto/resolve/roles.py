"""One role, resolved: every part of it computed once, for its render context and for `explain`."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from manifesto.checks.spellings import index_names
from manifesto.errors import Fault, KeyPath, attempt, present, raise_any
from manifesto.resolve import environment as env
from manifesto.resolve.accelerators import Accelerator
from manifesto.resolve.arguments import check_reserved, format_arguments
from manifesto.resolve.expressions import Number
from manifesto.resolve.features import check_environment, contribute_environment
from manifesto.resolve.identity import Identity, cut_name, name_workload
from manifesto.resolve.launch import Profiler, check_vllm_env, find_profiler, find_vllm_env
from manifesto.resolve.layout import Layout, find_layout
from manifesto.resolve.ports import Ports, find_balancing, find_ports
from manifesto.resolve.provenance import Settings, make_layer, stack_layers
from manifesto.resolve.resources import Resources, find_resources
from manifesto.resolve.rollout import Rollout, find_rollout
from manifesto.resolve.secrets import judge_environment
from manifesto.resolve.sidecars import Sidecars, find_sidecars, sidecar_ports
from manifesto.resolve.storage import Roots, Storage, find_storage
from manifesto.resolve.support import refuse_role
from manifesto.resolve.task import Task


@dataclass(frozen=True)
class Role:
    """Everything about one role that templates or people ask for."""

    spec: Mapping[str, Any]
    path: KeyPath
    workload_name: str
    routed: bool
    layout: Layout
    balancing: str
    ports: Ports
    accelerator: Accelerator
    resources: Resources
    sidecars: Sidecars
    storage: Storage
    rollout: Rollout
    fabric_profile: str
    environment: Settings
    entries: list[dict[str, Any]]
    arguments: Settings
    words: list[list[str]]
    profiler: Profiler

    @property
    def name(self) -> str:
        """The role's name."""
        return str(self.spec["name"])

    @property
    def warnings(self) -> list[Fault]:
        """What to warn of."""
        return judge_environment(self.environment)[1]


def resolve_role(task: Task, identity: Identity, accelerator: Accelerator, name: str) -> Role:
    """Return a resolved role; raises ManifestoError with all of its faults.

    A part that fails leaves the others to be judged, without it where they need it.
    """
    spec, path, cluster = task.model["roles"][name], ("roles", name), task.cluster
    routed = task.is_routed(name)
    layout = find_layout(spec, cluster["gpus_per_node"], path)
    balancing = find_balancing(layout, routed)
    raise_any(refuse_role(spec, layout, balancing, path))
    faults: list[Fault] = []
    resources = attempt(faults, find_resources, spec, layout, accelerator, cluster, task.defaults["resources"], path)
    gpus = resources.gpus if resources else layout.gpus
    sidecars = find_sidecars(task, gpus, cut_name(f"{identity.instance}-dcgm-metrics"))
    taken = sidecar_ports(sidecars, task.defaults["ports"])
    storage = attempt(faults, _find_storage, task, identity, accelerator, spec, sidecars)
    fabric = attempt(faults, env.find_fabric_profile, spec, cluster, path)
    names = {**task.model.get("vars", {}), **spec.get("vars", {}), **env.layout_names(layout)}
    environment = attempt(faults, _find_environment, task, spec, routed, storage, fabric, names)
    arguments = attempt(faults, _find_arguments, task, spec, names)
    parts: dict[str, Any] = {
        "ports": attempt(faults, find_ports, spec, layout, balancing, False, taken, path),
        "entries": attempt(faults, env.order_entries, environment or {}),
        "rollout": attempt(faults, find_rollout, spec, cluster, arguments or {}, task.defaults["grace"], path),
        "profiler": attempt(faults, find_profiler, spec, storage, task.table, path),
        "words": attempt(faults, format_arguments, arguments or {}, task.table),
    }
    raise_any(faults)
    return Role(
        spec=spec,
        path=path,
        workload_name=name_workload(identity, spec, cluster["naming"]["user_prefix"]),
        routed=routed,
        layout=layout,
        balancing=balancing,
        accelerator=accelerator,
        sidecars=sidecars,
        resources=present(resources),
        storage=present(storage),
        fabric_profile=present(fabric),
        environment=present(environment),
        arguments=present(arguments),
        **parts,
    )


def _find_storage(
    task: Task, identity: Identity, accelerator: Accelerator, spec: Mapping[str, Any], sidecars: Sidecars
) -> Storage:
    cache, asked = task.model["cache"], task.request
    names = {
        "user": identity.owner,
        "release": identity.release_slug,
        "gpu_arch": accelerator.gpu_arch,
        "cuda": cache["cuda"],
        "cache_key": cache.get("key") or make_cache_key(task.image),
    }
    roots = Roots(asked.user_root, asked.log_root, asked.cache_root)
    reserved = [volume["name"] for volume in sidecars.volumes]
    return find_storage(task.model, spec, task.cluster, roots, names, task.defaults["mounts"], reserved)


def make_cache_key(image: str) -> str:
    """Return an image's digest, else its tag, as one safe path segment."""
    name, _, digest = image.partition("@")
    tag = name.rpartition("/")[2].partition(":")[2] or "latest"
    return "".join(char if char.isalnum() or char in "._-" else "-" for char in digest or tag).lstrip(".-") or "latest"


def _find_environment(
    task: Task,
    spec: Mapping[str, Any],
    routed: bool,
    storage: Storage | None,
    fabric: str | None,
    names: dict[str, Number],
) -> Settings:
    """Return the environment of a role; without storage or fabric profile, what there is of it is judged."""
    path: KeyPath = ("roles", spec["name"])
    runtime, computed = task.model["runtime"], spec.get("computed", {})
    faults: list[Fault] = []
    layers = [
        _base_environment(task, spec, routed, storage, faults),
        contribute_environment(spec, path),
        *(attempt(faults, env.fabric_layers, task.cluster, fabric or "standard", names) or ()),
        make_layer(runtime.get("env", {}), "runtime", "model", ("runtime", "env")),
        make_layer(spec.get("env", {}), "role", "model", (*path, "env")),
    ]
    entries = (computed.get("env", {}), names, "computed role", "model", (*path, "computed", "env"))
    layers.append(attempt(faults, env.compute_entries, *entries) or {})
    environment = stack_layers(layers)
    raise_any([*faults, *judge_environment(environment)[0], *check_environment(environment)])
    return environment


def _base_environment(
    task: Task, spec: Mapping[str, Any], routed: bool, storage: Storage | None, faults: list[Fault]
) -> Settings:
    vllm_env = find_vllm_env(task.model, task.request.vllm_env)
    if storage:
        attempt(faults, check_vllm_env, vllm_env, storage.covered)
    cache_root = storage.cache_root if storage else None
    base = env.base_layer(
        task.defaults["environment"],
        routed,
        task.cluster["platform"] == "openshift",
        storage.hf_home if storage else None,
        cache_root.folder if cache_root else None,
        spec["name"],
        vllm_env,
    )
    if cache_root and task.model["cache"]["cleanup_on_crash"]:
        base |= make_layer({"MANIFESTO_POD_UID": {"field": "metadata.uid"}}, "manifesto")
    return base


def _find_arguments(task: Task, spec: Mapping[str, Any], names: dict[str, Number]) -> Settings:
    """Return vLLM's arguments of a role; raises ManifestoError for those that are not a spec's to set."""
    path: KeyPath = ("roles", spec["name"])
    entries = spec.get("computed", {}).get("vllm", {})
    faults: list[Fault] = []
    layers = [
        make_layer(task.defaults["vllm"], "manifesto"),
        make_layer(spec.get("vllm", {}), "role", "model", (*path, "vllm")),
        attempt(faults, env.compute_entries, entries, names, "computed role", "model", (*path, "computed", "vllm"))
        or {},
    ]
    arguments = stack_layers(layers)
    taken = [key for key in ("kv_transfer_config", "profiling") if key in spec]
    taken += ["model.served_name"] if "served_name" in task.model["model"] else []
    raise_any([*faults, *check_reserved(spec, arguments, index_names(task.table), task.reserved, taken, path)])
    return arguments
