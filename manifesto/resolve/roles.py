"""One role, resolved: every part of it computed once, for its render context and for `explain`."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from manifesto.checks.spellings import index_names
from manifesto.errors import Fault, KeyPath, ManifestoError, gathering, raise_any
from manifesto.resolve import environment as env
from manifesto.resolve.accelerators import Accelerator
from manifesto.resolve.arguments import check_reserved, format_arguments
from manifesto.resolve.expressions import Number
from manifesto.resolve.features import check_environment, contribute_environment
from manifesto.resolve.identity import Identity, cut_name, name_workload
from manifesto.resolve.launch import check_vllm_env, find_profiler, find_vllm_env, list_command
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
    command: list[str]
    trace_dir: str | None
    warnings: tuple[Fault, ...]

    @property
    def name(self) -> str:
        """The role's name."""
        return str(self.spec["name"])


def resolve_role(task: Task, identity: Identity, accelerator: Accelerator, name: str) -> Role:
    """Return a resolved role; raises ManifestoError with all of its faults."""
    spec, path = task.model["roles"][name], ("roles", name)
    routed = task.is_routed(name)
    layout = find_layout(spec, task.cluster["gpus_per_node"], path)
    balancing = find_balancing(layout, routed)
    raise_any(refuse_role(spec, layout, balancing, path))
    faults: list[Fault] = []
    parts: dict[str, Any] = {}
    with gathering(faults):
        parts["resources"] = find_resources(spec, layout, accelerator, task.cluster, task.defaults["resources"], path)
    gpus = parts["resources"].gpus if "resources" in parts else layout.gpus
    sidecars = find_sidecars(task, gpus, cut_name(f"{identity.instance}-dcgm-metrics"))
    with gathering(faults):
        parts["ports"] = find_ports(
            spec, layout, balancing, False, sidecar_ports(sidecars, task.defaults["ports"]), path
        )
    with gathering(faults):
        parts["storage"] = _find_storage(task, identity, accelerator, spec, sidecars)
    with gathering(faults):
        parts["fabric_profile"] = env.find_fabric_profile(spec, task.cluster, path)
    raise_any(faults)
    names = {**task.model.get("vars", {}), **spec.get("vars", {}), **env.layout_names(layout)}
    with gathering(faults):
        parts["environment"], warnings = _find_environment(task, spec, routed, parts, names, path)
        parts["entries"] = env.order_entries(parts["environment"])
    with gathering(faults):
        parts |= _find_launch(task, spec, layout, balancing, parts, names, path)
        parts["rollout"] = find_rollout(spec, task.cluster, parts["arguments"], task.defaults["grace"], path)
    raise_any(faults)
    return Role(
        spec=spec,
        path=path,
        workload_name=name_workload(identity, spec, task.cluster["naming"]["user_prefix"]),
        routed=routed,
        layout=layout,
        balancing=balancing,
        accelerator=accelerator,
        sidecars=sidecars,
        warnings=tuple(warnings),
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
    task: Task, spec: Mapping[str, Any], routed: bool, parts: Mapping[str, Any], names: dict[str, Number], path: KeyPath
) -> tuple[Settings, list[Fault]]:
    storage: Storage = parts["storage"]
    model, cluster, cache_root = task.model, task.cluster, storage.cache_root
    vllm_env = find_vllm_env(model, task.request.vllm_env)
    check_vllm_env(vllm_env, storage.covered)
    base = env.base_layer(
        task.defaults["environment"],
        routed,
        cluster["platform"] == "openshift",
        storage.hf_home,
        cache_root.folder if cache_root else None,
        spec["name"],
        vllm_env,
    )
    if cache_root and model["cache"]["cleanup_on_crash"]:
        base |= make_layer({"MANIFESTO_POD_UID": {"field": "metadata.uid"}}, "manifesto")
    computed = spec.get("computed", {})
    layers = [
        base,
        contribute_environment(spec, path),
        *env.fabric_layers(cluster, parts["fabric_profile"], names),
        make_layer(model["runtime"].get("env", {}), "runtime", "model", ("runtime", "env")),
        make_layer(spec.get("env", {}), "role", "model", (*path, "env")),
        env.compute_entries(computed.get("env", {}), names, "computed role", "model", (*path, "computed", "env")),
    ]
    environment = stack_layers(layers)
    faults, warnings = judge_environment(environment)
    raise_any([*faults, *check_environment(environment)])
    return environment, warnings


def _find_launch(
    task: Task,
    spec: Mapping[str, Any],
    layout: Layout,
    balancing: str,
    parts: Mapping[str, Any],
    names: dict[str, Number],
    path: KeyPath,
) -> dict[str, Any]:
    computed = env.compute_entries(
        spec.get("computed", {}).get("vllm", {}), names, "computed role", "model", (*path, "computed", "vllm")
    )
    arguments = stack_layers(
        [
            make_layer(task.defaults["vllm"], "manifesto"),
            make_layer(spec.get("vllm", {}), "role", "model", (*path, "vllm")),
            computed,
        ]
    )
    present = [key for key in ("kv_transfer_config", "profiling") if key in spec]
    present += ["model.served_name"] if "served_name" in task.model["model"] else []
    faults = check_reserved(spec, arguments, index_names(task.table), task.reserved, present, path)
    profiler, trace_dir, words = None, None, None
    with gathering(faults):
        profiler, trace_dir = find_profiler(spec, parts["storage"], task.table, path)
    with gathering(faults):
        words = format_arguments(arguments, task.table)
    if faults or words is None:
        raise ManifestoError(faults)
    ports: Ports = parts["ports"]
    command = list_command(task.model, spec, layout, balancing, ports.vllm[0], profiler, words)
    return {"arguments": arguments, "command": command, "trace_dir": trace_dir}
