"""Flat render contexts: what the templates read, described key by key in schemas/v1/context.schema.json."""

import shlex
from collections.abc import Sequence
from typing import Any

from manifesto.resolve.identity import Identity, cut_name, make_label_value
from manifesto.resolve.launch import list_command
from manifesto.resolve.roles import Role
from manifesto.resolve.task import Task

Context = dict[str, Any]


def instance_context(task: Task, identity: Identity, roles: Sequence[Role]) -> Context:
    """Return the context of objects that an instance has once."""
    scc = task.cluster.get("openshift", {}).get("scc")
    return {
        **_identity_keys(task, identity),
        "dcgm_exporter": any(role.sidecars.dcgm for role in roles),
        "model_account": scc is not None,
        "scc_role_name": f"system:openshift:scc:{scc}" if scc else None,
    }


def role_context(task: Task, identity: Identity, role: Role) -> Context:
    """Return the context of the objects of one role."""
    return {
        **_identity_keys(task, identity),
        **_workload_keys(task, identity, role),
        **_pod_keys(task, role),
        **_container_keys(task, role),
        **_launch_keys(task, role),
        **_sidecar_keys(task, role),
    }


def _identity_keys(task: Task, identity: Identity) -> Context:
    scc = "scc" in task.cluster.get("openshift", {})
    return {
        "instance": identity.instance,
        "namespace": identity.namespace,
        "owner": identity.owner,
        "dcgm_config_name": cut_name(f"{identity.instance}-dcgm-metrics"),
        "model_account_name": cut_name(f"{identity.instance}-model-server") if scc else None,
        "scc_binding_name": cut_name(f"{identity.instance}-model-server-scc") if scc else None,
    }


def _workload_keys(task: Task, identity: Identity, role: Role) -> Context:
    label = task.model["model"].get("label")
    return {
        "release": identity.release,
        "topology": task.model["topology"],
        "role": role.name,
        "model_label": make_label_value(task.model["model"]["id"].rstrip("/").rpartition("/")[2])
        if label is None
        else label,
        "workload_name": role.workload_name,
        "service_name": cut_name(f"{identity.instance}-{role.name}-svc"),
        "replicas": role.layout.replicas,
        "max_surge": role.rollout.max_surge,
        "max_unavailable": role.rollout.max_unavailable,
        "progress_deadline_seconds": task.defaults["progress_deadline_seconds"],
        "gpus_per_pod": role.resources.gpus,
    }


def _pod_keys(task: Task, role: Role) -> Context:
    defaults = task.cluster["pod_defaults"]
    return {
        "pod_annotations": defaults.get("annotations", {}),
        "node_selector": role.accelerator.node_selector if role.resources.gpus else {},
        "affinity": defaults.get("affinity", {}),
        "tolerations": defaults.get("tolerations", []),
        "dns_policy": defaults.get("dns_policy"),
        "dns_config": defaults.get("dns_config", {}),
        "image_pull_secrets": [{"name": name} for name in defaults.get("image_pull_secrets", ())],
        "priority_class_name": defaults.get("priority_class_name"),
        "grace_seconds": role.rollout.grace_seconds,
        "volumes": [*role.storage.volumes, *role.sidecars.volumes],
    }


def _container_keys(task: Task, role: Role) -> Context:
    defaults, probe = task.cluster["pod_defaults"], task.defaults["readiness"]
    guarded = "VLLM_API_KEY" in role.environment
    names = ["http" if index == 0 else f"http-{index}" for index in range(len(role.ports.serving))]
    return {
        "image": task.image,
        "image_pull_policy": defaults.get("image_pull_policy"),
        "working_dir": defaults.get("working_dir"),
        "security_context": defaults.get("container_security_context", {}),
        "env": role.entries,
        "requests": role.resources.requests,
        "limits": role.resources.limits,
        "ports": [{"name": name, "port": port} for name, port in zip(names, role.ports.serving, strict=True)],
        "readiness_path": "/health" if guarded else "/v1/models",
        "readiness_port": role.ports.serving[0],
        "readiness_period_seconds": probe["period_seconds"],
        "readiness_timeout_seconds": probe["timeout_seconds"],
        "readiness_failure_threshold": probe["failure_threshold"],
        "volume_mounts": role.storage.mounts,
    }


def _launch_keys(task: Task, role: Role) -> Context:
    log_root, cache = role.storage.log_root, role.storage.cache_root
    hooks = [*task.model["runtime"].get("pre_launch", ()), *task.request.pre_launch, *role.spec.get("pre_launch", ())]
    trace_dir, profiler = role.profiler.folder, role.profiler.config
    port = role.ports.vllm[0]
    command = list_command(task.model, role.spec, role.layout, role.balancing, port, profiler, role.words)
    return {
        "log_dir": shlex.quote(f"{log_root.folder}/{role.name}") if log_root else None,
        "trace_dir": shlex.quote(trace_dir) if trace_dir else None,
        "shm_dir": task.defaults["mounts"]["shm"],
        "crash_cleanup": bool(cache and task.model["cache"]["cleanup_on_crash"]),
        "vllm_env": "MANIFESTO_VLLM_ENV" in role.environment,
        "pre_launch": hooks,
        "command": command,
    }


def _sidecar_keys(task: Task, role: Role) -> Context:
    sizes, ports = task.defaults["helpers"], task.defaults["ports"]
    return {
        "dcgm_exporter": role.sidecars.dcgm,
        "dcgm_image": task.helpers["dcgm_exporter"],
        "dcgm_port": ports["dcgm_exporter"],
        "dcgm_cpu": sizes["dcgm_exporter"]["cpu"],
        "dcgm_memory": sizes["dcgm_exporter"]["memory"],
        "node_exporter": role.sidecars.node,
        "node_image": task.helpers["node_exporter"],
        "node_port": ports["node_exporter"],
        "node_cpu": sizes["node_exporter"]["cpu"],
        "node_memory": sizes["node_exporter"]["memory"],
        "exporter_pause_seconds": task.defaults["exporter_pause_seconds"],
    }
