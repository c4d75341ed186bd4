"""The launch of vLLM in a role's pods: the command line and what its script does before and after."""

import posixpath
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from manifesto.errors import Fault, KeyPath, ManifestoError, gathering, raise_any, suggest
from manifesto.resolve.arguments import compact_json, quote_line
from manifesto.resolve.layout import Layout
from manifesto.resolve.provenance import Setting
from manifesto.resolve.storage import Root, Storage, is_covered, uncovered_fault


def list_command(
    model: Mapping[str, Any],
    role: Mapping[str, Any],
    layout: Layout,
    balancing: str,
    port: int,
    profiler: Mapping[str, Any] | None,
    arguments: Sequence[Sequence[str]],
) -> list[str]:
    """Return the `vllm serve` command of a one-pod replica, one argument a line, quoted for bash."""
    words: list[list[str]] = [["vllm", "serve", model["model"]["id"]]]
    if "served_name" in model["model"]:
        words.append(["--served-model-name", model["model"]["served_name"]])
    words += [["--port", str(port)], ["--tensor-parallel-size", str(layout.tp)]]
    if layout.pp > 1:
        words.append(["--pipeline-parallel-size", str(layout.pp)])
    if balancing == "internal":
        words += [["--data-parallel-size", str(layout.dp)], ["--data-parallel-size-local", str(layout.dp_local)]]
    if layout.ep:
        words.append(["--enable-expert-parallel"])
    for option, value in (("--kv-transfer-config", role.get("kv_transfer_config")), ("--profiler-config", profiler)):
        if value:
            words.append([option, compact_json(value)])
    return [quote_line(line) for line in [*words, *arguments]] + list(role.get("vllm_raw_args", ()))


@dataclass(frozen=True)
class Profiler:
    """The value of --profiler-config and the folder of traces; None where a role has none."""

    config: Mapping[str, Any] | None = None
    folder: str | None = None


def find_profiler(
    role: Mapping[str, Any], storage: Storage | None, table: Mapping[str, Any], path: KeyPath
) -> Profiler:
    """Return the profiler of a role; without storage its folder is not judged.

    `table` is the release's of catalog/vllm/, whose ProfilerConfig names the further fields.
    """
    if "profiling" not in role:
        return Profiler()
    path = (*path, "profiling")
    config = dict(role["profiling"])
    known = table["config_fields"]["ProfilerConfig"]
    release = f"ProfilerConfig of vLLM {table['vllm']}"
    faults = [
        Fault(
            "profiling.unknown-field",
            f"{release} has no {key}{suggest(key, known)}",
            f"known: {', '.join(known)}",
            (*path, key),
        )
        for key in config
        if key not in (*known, "trace_dir")
    ]
    folder: str | None = None
    with gathering(faults):
        folder = _find_trace_dir(config, storage, role["name"], path) if storage else None
    raise_any(faults)
    config.pop("trace_dir", None)
    return Profiler(config | {"torch_profiler_dir": folder} if folder else config, folder)


def _find_trace_dir(config: Mapping[str, Any], storage: Storage, role: str, path: KeyPath) -> str | None:
    """Return the folder of a torch profiler's traces; raises ManifestoError where there is none or one too many."""
    written = [key for key in ("trace_dir", "torch_profiler_dir") if key in config]
    place = (*path, *written[:1])
    if len(written) > 1:
        told = "trace_dir and torch_profiler_dir are one setting"
        raise ManifestoError([Fault("profiling.two-folders", told, "keep trace_dir", (*path, written[1]))])
    if config["profiler"] != "torch":
        if not written:
            return None
        told = f"the profiler {config['profiler']} writes no traces"
        raise ManifestoError([Fault("profiling.folder", told, f"leave {written[0]} out", place)])
    default = f"{storage.log_root.folder}/{role}/traces" if storage.log_root else None
    folder = str(config[written[0]]) if written else default
    if folder is None:
        told = "the torch profiler needs a folder for its traces"
        remedy = "write trace_dir, or give the cluster a log root"
        raise ManifestoError([Fault("profiling.folder", told, remedy, place)])
    if not is_covered(folder, storage.covered):
        raise ManifestoError([uncovered_fault(Root(folder, "model", place), "the trace folder", storage.covered)])
    return folder


def find_vllm_env(model: Mapping[str, Any], asked: str | None) -> Setting | None:
    """Return the vllm-envs worktree to launch from, None where there is none."""
    if asked is not None:
        return Setting(asked, "option --vllm-env", "option", ("--vllm-env",))
    if written := model["runtime"].get("vllm_env"):
        return Setting(written, "runtime", "model", ("runtime", "vllm_env"))
    return None


def check_vllm_env(setting: Setting | None, mounts: Sequence[str]) -> None:
    """Raise ManifestoError for a worktree that is not absolute and below a volume mount of the pod."""
    if setting is None:
        return
    folder = posixpath.normpath(str(setting.value))
    if not folder.startswith("/"):
        raise ManifestoError(
            [
                Fault(
                    "paths.relative",
                    f"{setting.value!r} is no absolute path",
                    "begin with a slash",
                    setting.path,
                    setting.source,
                )
            ]
        )
    if not is_covered(folder, mounts):
        raise ManifestoError([uncovered_fault(Root(folder, setting.source, setting.path), "the vllm-env", mounts)])
