"""Storage: volumes and mounts of a model pod, and the folders that lie on them."""

import posixpath
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from manifesto.errors import Fault, KeyPath, raise_any, suggest
from manifesto.kubernetes.quantities import canonical_quantity

_PLACEHOLDER = re.compile(r"\{([^{}]*)\}")
_MOVABLE: dict[str, KeyPath] = {"shared": ("storage", "shared_mount_path"), "logs": ("logging", "mount_path")}
"""Manifesto's own volumes whose mount path a profile chooses, and the key for it."""


@dataclass(frozen=True)
class Root:
    """A folder in the pod, and where its path was written (source and path of the key)."""

    folder: str
    source: str = "cluster"
    path: KeyPath = ()


@dataclass(frozen=True)
class Storage:
    """What a role's pod mounts: Kubernetes volumes and mounts, and the roots on them (None: there is none)."""

    volumes: Sequence[Mapping[str, Any]]
    mounts: Sequence[Mapping[str, Any]]
    hf_home: str | None
    log_root: Root | None
    cache_root: Root | None
    covered: Sequence[str] = field(default=())


@dataclass(frozen=True)
class Roots:
    """What the command line asks for in place of the profile's keys (None: nothing)."""

    user_root: str | None = None
    log_root: str | None = None
    cache_root: str | None = None


def find_storage(
    model: Mapping[str, Any],
    role: Mapping[str, Any],
    cluster: Mapping[str, Any],
    asked: Roots,
    names: Mapping[str, str],
    mounts: Mapping[str, str],
    reserved: Sequence[str],
) -> Storage:
    """Return the storage of a role's pod.

    `names` fills the placeholders of roots (user, release, gpu_arch, cuda, cache_key); `mounts` is `mounts`
    of catalog/defaults.yaml, `reserved` the names of volumes that others add to the pod. Raises ManifestoError
    for unknown placeholders, volumes that clash, and log or cache roots that no mount covers.
    """
    volumes, mounted = _list_volumes(role, cluster, mounts)
    covered = [mount["mountPath"] for mount in mounted if mount["mountPath"] != mounts["shm"]]
    faults = list(_find_clashes(cluster, volumes, mounted, reserved))
    faults += [fault for root in _written_roots(cluster, asked) for fault in _judge_template(root, names)]
    raise_any(faults)
    roots: dict[str, Root | None] = {}
    for key, template in (("log", _log_template(cluster, asked)), ("cache", _cache_template(cluster, asked, mounts))):
        roots[key] = _fill(template, names) if template else None
        if (root := roots[key]) and not is_covered(root.folder, covered):
            faults.append(uncovered_fault(root, f"the {key} root", covered))
    raise_any(faults)
    return Storage(volumes, mounted, _hf_home(model, cluster, mounts), roots["log"], roots["cache"], covered)


def is_covered(folder: str, mounts: Sequence[str]) -> bool:
    """Whether a folder is a mount or lies below one."""
    folder = posixpath.normpath(folder)
    return any(folder == mount or folder.startswith(mount.rstrip("/") + "/") for mount in mounts)


def uncovered_fault(root: Root, what: str, mounts: Sequence[str]) -> Fault:
    """Return the fault of a folder that would be lost with the container."""
    told = f"{what} {root.folder} is on no volume of the pod"
    remedy = f"choose a folder below {' or '.join(mounts)}" if mounts else "leave it out: this cluster has no volumes"
    return Fault("storage.uncovered", told, remedy, root.path, root.source)


def _list_volumes(
    role: Mapping[str, Any], cluster: Mapping[str, Any], mounts: Mapping[str, str]
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    defaults, storage, cache = cluster["pod_defaults"], cluster["storage"], cluster.get("cache", {})
    size = canonical_quantity(role.get("shm_size", defaults["shm_size"]))
    wanted: list[tuple[str, dict[str, Any], str]] = [
        ("dshm", {"emptyDir": {"medium": "Memory", "sizeLimit": size}}, mounts["shm"])
    ]
    for name, key in (("hf-cache", "hf_host_path"), ("jit-cache", "jit_host_path")):
        if key in cache:
            source = {"hostPath": {"path": cache[key], "type": "DirectoryOrCreate"}}
            wanted.append((name, source, mounts[name.replace("-", "_")]))
    if "shared_volume" in storage:
        wanted.append(("shared", dict(storage["shared_volume"]), storage["shared_mount_path"]))
    if "local_nvme_path" in storage:
        wanted.append(
            (
                "local-nvme",
                {"hostPath": {"path": storage["local_nvme_path"], "type": "Directory"}},
                mounts["local_nvme"],
            )
        )
    logging = cluster["logging"]
    if "pvc" in logging and not is_covered(logging["mount_path"], [path for _, _, path in wanted]):
        wanted.append(("logs", {"persistentVolumeClaim": {"claimName": logging["pvc"]}}, logging["mount_path"]))
    volumes = [{"name": name, **source} for name, source, _ in wanted]
    mounted = [{"name": name, "mountPath": path} for name, _, path in wanted]
    return (
        [*volumes, *map(dict, defaults.get("extra_volumes", ()))],
        [*mounted, *map(dict, defaults.get("extra_volume_mounts", ()))],
    )


def _find_clashes(
    cluster: Mapping[str, Any],
    volumes: Sequence[Mapping[str, Any]],
    mounted: Sequence[Mapping[str, Any]],
    reserved: Sequence[str],
) -> Iterator[Fault]:
    """Yield a fault for each name of a volume and each path of a mount that is taken, or that names nothing."""
    extra: KeyPath = ("pod_defaults", "extra_volumes")
    own = len(volumes) - len(cluster["pod_defaults"].get("extra_volumes", ()))
    taken = [volume["name"] for volume in volumes]
    for index, name in enumerate(taken[own:], start=own):
        if name in taken[:index] or name in reserved:
            told, path = f"another volume is called {name}", (*extra, index - own, "name")
            yield Fault("storage.volume-name", told, "give it another name", path, "cluster")
    extra = ("pod_defaults", "extra_volume_mounts")
    own = len(mounted) - len(cluster["pod_defaults"].get("extra_volume_mounts", ()))
    paths = [mount["mountPath"].rstrip("/") for mount in mounted]
    for index, mount in enumerate(mounted):
        first = paths.index(paths[index])
        if first < index:
            told = f"{mount['mountPath']} is mounted twice, for {mounted[first]['name']} and for {mount['name']}"
            movable = [
                _MOVABLE[mounted[other]["name"]] for other in (index, first) if mounted[other]["name"] in _MOVABLE
            ]
            path = (*extra, index - own, "mountPath") if index >= own else movable[0]
            yield Fault("storage.mount-path", told, "choose another path", path, "cluster")
        if mount["name"] not in taken:
            told = f"no volume is called {mount['name']}{suggest(mount['name'], taken)}"
            remedy = f"name one of: {', '.join(dict.fromkeys(taken))}"
            yield Fault("storage.unknown-volume", told, remedy, (*extra, index - own, "name"), "cluster")


def _hf_home(model: Mapping[str, Any], cluster: Mapping[str, Any], mounts: Mapping[str, str]) -> str | None:
    storage, cache = cluster["storage"], cluster.get("cache", {})
    explicit = model["model"].get("hf_home") or cache.get("hf_home")
    if explicit:
        return str(explicit)
    if "hf_host_path" in cache:
        return mounts["hf_cache"]
    if "local_nvme_path" in storage:
        return f"{mounts['local_nvme']}/hf_cache"
    return f"{storage['shared_mount_path']}/hf_cache" if "shared_volume" in storage else None


def _user_root(cluster: Mapping[str, Any], asked: Roots) -> Root:
    if asked.user_root is not None:
        return Root(asked.user_root, "option", ("--user-root",))
    if root := cluster.get("paths", {}).get("user_root"):
        return Root(root, path=("paths", "user_root"))
    return Root(f"{cluster['storage']['shared_mount_path']}/{{user}}", path=("storage", "shared_mount_path"))


def _log_template(cluster: Mapping[str, Any], asked: Roots) -> Root | None:
    logging, paths = cluster["logging"], cluster.get("paths", {})
    if asked.log_root is not None:
        return Root(asked.log_root, "option", ("--log-root",))
    if "root" in logging:
        return Root(logging["root"], path=("logging", "root"))
    if "log_root" in paths:
        return Root(paths["log_root"], path=("paths", "log_root"))
    if "pvc" in logging:
        return Root(f"{logging['mount_path']}/{{user}}/{{release}}", path=("logging", "mount_path"))
    if "shared_volume" in cluster["storage"]:
        root = _user_root(cluster, asked)
        return Root(f"{root.folder}/logs", root.source, root.path)
    return None


def _cache_template(cluster: Mapping[str, Any], asked: Roots, mounts: Mapping[str, str]) -> Root | None:
    storage, paths = cluster["storage"], cluster.get("paths", {})
    tail = "{gpu_arch}/{cuda}/{cache_key}/{release}"
    if asked.cache_root is not None:
        return Root(asked.cache_root, "option", ("--cache-root",))
    if "cache_root" in paths:
        return Root(paths["cache_root"], path=("paths", "cache_root"))
    if "jit_host_path" in cluster.get("cache", {}):
        return Root(f"{mounts['jit_cache']}/{{user}}/{tail}", path=("cache", "jit_host_path"))
    if "shared_volume" in storage:
        return Root(f"{storage['shared_mount_path']}/{{user}}/jit-cache/{tail}", path=("storage", "shared_volume"))
    if "local_nvme_path" in storage:
        return Root(f"{mounts['local_nvme']}/jit-cache/{tail}", path=("storage", "local_nvme_path"))
    return None


def _written_roots(cluster: Mapping[str, Any], asked: Roots) -> Iterator[Root]:
    """Yield every template that the command line or the profile gives, also those that another one hides."""
    options = {"--user-root": asked.user_root, "--log-root": asked.log_root, "--cache-root": asked.cache_root}
    yield from (Root(folder, "option", (name,)) for name, folder in options.items() if folder is not None)
    for section, keys in (("paths", ("user_root", "log_root", "cache_root")), ("logging", ("root",))):
        written = cluster.get(section, {})
        yield from (Root(written[key], path=(section, key)) for key in keys if key in written)


def _judge_template(root: Root, names: Mapping[str, str]) -> Iterator[Fault]:
    unknown = [f"{{{name}}}" for name in _PLACEHOLDER.findall(root.folder) if name not in names]
    if unknown:
        told, remedy = f"no placeholder is called {' or '.join(unknown)}", ", ".join(f"{{{name}}}" for name in names)
        yield Fault("paths.placeholder", told, f"use {remedy}", root.path, root.source)
    if not root.folder.startswith("/"):
        told = f"{root.folder!r} is no absolute path"
        yield Fault("paths.relative", told, "begin with a slash", root.path, root.source)


def _fill(root: Root, names: Mapping[str, str]) -> Root:
    return Root(_PLACEHOLDER.sub(lambda match: names.get(match[1], match[0]), root.folder), root.source, root.path)
