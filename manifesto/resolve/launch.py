"""The launch of vLLM in a role's pods: the command line and what its script does before and after."""

import posixpath
import re
from collections.abc import Mapping, Sequence
from typing import Any

from manifesto.errors import Fault, KeyPath, ManifestoError, suggest
from manifesto.resolve.arguments import compact_json, quote_line
from manifesto.resolve.layout import Layout
from manifesto.resolve.provenance import Setting
from manifesto.resolve.storage import Root, Storage, is_covered, uncovered_fault

_EXPANDED = re.compile(r"\$\$|\$(?=\([-._a-zA-Z][-._a-zA-Z0-9]*\))")


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


def find_profiler(
    role: Mapping[str, Any], storage: Storage, table: Mapping[str, Any], path: KeyPath
) -> tuple[dict[str, Any] | None, str | None]:
    """Return (value of --profiler-config, folder of traces); None where the role has none.

    `table` is the release's of catalog/vllm/, whose ProfilerConfig names the further fields.
    """
    if "profiling" not in role:
        return None, None
    path = (*path, "profiling")
    config = dict(role["profiling"])
    known = table["config_fields"]["ProfilerConfig"]
    faults = [
        Fault(
            "profiling.unknown-field",
            f"ProfilerConfig of vLLM {table['vllm']} has no {key}{suggest(key, known)}",
            f"known: {', '.join(known)}",
            (*path, key),
        )
        for key in config
        if key not in (*known, "trace_dir")
    ]
    folder: str | None = None
    written = [key for key in ("trace_dir", "torch_profiler_dir") if key in config]
    if len(written) > 1:
        faults.append(
            Fault(
                "profiling.two-folders",
                "trace_dir and torch_profiler_dir are one setting",
                "keep trace_dir",
                (*path, "torch_profiler_dir"),
                others=((*path, "trace_dir"),),
            )
        )
    elif config["profiler"] != "torch" and written:
        faults.append(
            Fault(
                "profiling.folder",
                f"the profiler {config['profiler']} writes no traces",
                f"leave {written[0]} out",
                (*path, written[0]),
            )
        )
    elif config["profiler"] == "torch":
        place = (*path, written[0]) if written else path
        folder = config.pop(written[0]) if written else default_trace_dir(storage, role)
        if folder is None:
            faults.append(
                Fault(
                    "profiling.folder",
                    "the torch profiler needs a folder for its traces",
                    "write trace_dir, or give the cluster a log root",
                    place,
                )
            )
        elif not is_covered(str(folder), storage.covered):
            faults.append(uncovered_fault(Root(str(folder), "model", place), "the trace folder", storage.covered))
        config["torch_profiler_dir"] = folder
    if faults:
        raise ManifestoError(faults)
    return config, folder


def default_trace_dir(storage: Storage, role: Mapping[str, Any]) -> str | None:
    """Return where a role's traces go unless its spec says: below its log folder."""
    return f"{storage.log_root.folder}/{role['name']}/traces" if storage.log_root else None


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
                    f"{setting.value} is no absolute path",
                    "begin with a slash",
                    setting.path,
                    setting.source,
                )
            ]
        )
    if not is_covered(folder, mounts):
        raise ManifestoError([uncovered_fault(Root(folder, setting.source, setting.path), "the vllm-env", mounts)])


def escape_expansions(script: str) -> str:
    """Return a script that still reads as written after Kubernetes has expanded `$(NAME)` and `$$` in args.

    k8s.io/kubernetes third_party/forked/golang/expansion: `$$` is one dollar, `$(NAME)` a variable.
    """
    return _EXPANDED.sub(lambda match: match[0] * 2, script)
