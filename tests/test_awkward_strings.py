"""Awkward strings reach kubectl's reader unchanged from every place that takes text, or are refused with a reason."""

import copy
import json
import re
import shlex
from collections.abc import Iterator, Mapping
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import yaml
from conftest import Run, run_manifesto
from consumers.test_kubectl import read_with_kubectl
from leaves import ANY, ITEM, KEY, Leaf, list_leaves

STRINGS = [
    "yes", "No", "on", "OFF", "y", "N", "true", "False", "null", "~", "Null", ".nan", "-.inf", "1", "-1", "1e3", "0o17",
    "017", "0x1F", "1_000", "1.10", "1:30", "2026-12-01", "=", "<<", "*anchor", "&anchor", "#comment", "a #b", "a: b", "- a",
    "? a", "!tag", "%percent", "@at", "`tick", "{a: b}", "[a]", "|", ">", "'single'", '"double"', "back\\slash", " leading",
    "trailing ", "two\nlines", "\ttab\nfirst", " \n blank first", "x\n\n y\n", "x\n\n", "x\n ", "lines \nwith trailing blank", "\n", "tab\tinside", "ünïcödé", "日本", "😀", "\x07bell", "\x1b[0m",
    "\x7f", "\x85", "\xa0", "\u2028", "\ufeff", "$HOME", "$(HOME)", "$$", "$(date)", "${x}", "a'b\"c", "--flag", "",
]  # fmt: skip

# A mapping of roles holds what the list of roles holds.
ROLES_BY_NAME = (("roles", ANY), ("roles", KEY))

load = partial(yaml.load, Loader=yaml.CSafeLoader)
load_all = partial(yaml.load_all, Loader=yaml.CSafeLoader)

# Enough for places that are not rendered, or that take names and quantities only.
HARD = [
    "no",
    "1e3",
    "*anchor",
    "a: b #c",
    "'single' \"double\"",
    "two\nlines\n",
    " \n blank first",
    "\x85\u2028",
    "😀",
    "",
]

MODEL: dict[str, Any] = {
    "release": "awkward",
    "topology": "aggregated",
    "model": {"id": "example/model", "image_ref": "vllm.standard"},
    "routing": {"kind": "disabled"},
    "runtime": {"idle_shutdown": {"enabled": False}, "sidecars": []},
    "roles": [{"name": "server"}],
}
CLUSTER: dict[str, Any] = {
    "name": "cluster",
    "gpus_per_node": 8,
    "accelerators": {"default": "gpu", "profiles": {"gpu": {
        "allocation": {"extended_resource": {"resource_name": "nvidia.com/gpu"}}, "node_selector": {"a": "b"},
        "gpu_arch": "gpu", "presence_label": "p", "torch_cuda_arch_list": "9.0"}}},
    "storage": {"shared_volume": {"nfs": {"server": "s", "path": "/p"}}},
}  # fmt: skip

# How a text shows in the manifest: as a value or key by itself, as part of one, as a word of the vllm command,
# as a line of the launch script; `header`: only there; `name`: it must name something, so these strings are refused;
# `number`: the string is an expression; `pattern`: the schema takes what Kubernetes takes. A prefix makes a path of the string.
PLACES: dict[str, tuple[str, str]] = {
    "model": {
        "extends": ("", "name"), "release": ("", "value"), "namespace": ("", "value"), "accelerator": ("", "name"),
        "model.id": ("", "word"), "model.label": ("", "value"), "model.image": ("", "value"), "model.image_ref": ("", "name"),
        "model.served_name": ("", "word"), "model.hf_home": ("/", "value"), "vars.<key>": ("", "header"),
        "roles.<item>.name": ("", "value"), "roles.<item>.workload_name": ("", "value"),
        "roles.<item>.lws.same_topology_key": ("", "name"), "roles.<item>.rollout.max_unavailable": ("", "value"),
        "roles.<item>.rollout.max_surge": ("", "value"), "roles.<item>.vllm.<any>": ("", "word"),
        "roles.<item>.vllm_raw_args.<item>": ("", "script"), "roles.<item>.kv_transfer_config.<any>": ("", "json"),
        "roles.<item>.env.<key>": ("", "value"), "roles.<item>.env.<any>": ("", "value"),
        "roles.<item>.env.<any>.secret": ("", "value"), "roles.<item>.env.<any>.key": ("", "value"),
        "roles.<item>.vars.<key>": ("", "header"), "roles.<item>.computed.env.<key>": ("", "value"),
        "roles.<item>.computed.env.<any>": ("", "number"), "roles.<item>.computed.vllm.<any>": ("", "number"),
        "roles.<item>.pre_launch.<item>": ("", "script"), "roles.<item>.fabric_profile": ("", "name"),
        "roles.<item>.resources.cpu": ("", "pattern"), "roles.<item>.resources.memory": ("", "pattern"),
        "roles.<item>.resources.ephemeral_storage": ("", "pattern"), "roles.<item>.shm_size": ("", "pattern"),
        "roles.<item>.profiling.trace_dir": ("/mnt/shared/x", "quoted"),
        "routing.target_role": ("", "header"), "routing.epp.image": ("", "header"),
        "routing.epp.plugins_config_file": ("", "header"), "routing.epp.plugin_configs.<key>": ("", "header"),
        "routing.epp.plugin_configs.<any>.<any>": ("", "header"), "routing.epp_image": ("", "header"),
        "routing.plugin_config.<any>": ("", "header"), "runtime.vllm_env": ("/mnt/shared/x", "value"),
        "runtime.env.<key>": ("", "value"), "runtime.env.<any>": ("", "value"), "runtime.env.<any>.secret": ("", "value"),
        "runtime.env.<any>.key": ("", "value"), "runtime.pre_launch.<item>": ("", "script"), "cache.cuda": ("", "part"),
        "cache.key": ("", "part"),
    },
    "cluster": {
        "name": ("", "header"), "accelerators.default": ("", "name"), "accelerators.profiles.<key>": ("", "header"),
        "accelerators.profiles.<any>.allocation.extended_resource.resource_name": ("example.com/", "value"),
        "accelerators.profiles.<any>.allocation.dra.device_class_name": ("", "name"),
        "accelerators.profiles.<any>.node_selector.<key>": ("", "value"),
        "accelerators.profiles.<any>.node_selector.<any>": ("", "value"), "accelerators.profiles.<any>.gpu_arch": ("", "part"),
        "accelerators.profiles.<any>.presence_label": ("", "header"),
        "accelerators.profiles.<any>.torch_cuda_arch_list": ("", "header"), "gateway.class_name": ("", "header"),
        "storage.shared_volume.<any>": ("", "value"), "storage.shared_mount_path": ("/", "value"),
        "storage.local_nvme_path": ("/", "value"), "storage.shared_claim.storage_class_name": ("", "header"),
        "storage.shared_claim.size": ("", "pattern"), "paths.user_root": ("/mnt/shared/", "quoted"),
        "paths.log_root": ("/mnt/shared/", "quoted"), "paths.cache_root": ("/mnt/shared/", "part"),
        "cache.hf_host_path": ("/", "value"), "cache.jit_host_path": ("/", "value"), "cache.hf_home": ("/", "value"),
        "rdma.resource_name": ("example.com/", "value"), "rdma.value": ("", "pattern"), "logging.pvc": ("", "value"),
        "logging.mount_path": ("/", "value"), "logging.root": ("/mnt/shared/", "quoted"),
        "pod_defaults.shm_size": ("", "pattern"), "pod_defaults.dns_config.<any>": ("", "value"),
        "pod_defaults.annotations.<key>": ("", "value"), "pod_defaults.annotations.<any>": ("", "value"),
        "pod_defaults.affinity.<any>": ("", "value"), "pod_defaults.tolerations.<item>.<any>": ("", "value"),
        "pod_defaults.extra_volumes.<item>.name": ("", "value"),
        "pod_defaults.extra_volume_mounts.<item>.name": ("", "name"),
        "pod_defaults.extra_volume_mounts.<item>.mountPath": ("/", "value"),
        "pod_defaults.container_security_context.<any>": ("", "value"), "pod_defaults.image_pull_secrets.<item>": ("", "value"),
        "pod_defaults.priority_class_name": ("", "value"), "pod_defaults.working_dir": ("", "value"),
        "fabric.ucx_net_devices": ("", "header"), "fabric.default_profile": ("", "name"),
        "fabric.expert_parallel_profiles.<key>": ("", "header"), "fabric.expert_parallel_profiles.<any>": ("", "name"),
        "fabric.default_env.<key>": ("", "value"), "fabric.default_env.<any>": ("", "value"),
        "fabric.default_env.<any>.secret": ("", "value"), "fabric.default_env.<any>.key": ("", "value"),
        "fabric.profiles.<key>": ("", "header"), "fabric.profiles.<any>.env.<key>": ("", "header"),
        "fabric.profiles.<any>.env.<any>": ("", "header"), "fabric.profiles.<any>.env.<any>.secret": ("", "header"),
        "fabric.profiles.<any>.env.<any>.key": ("", "header"), "fabric.profiles.<any>.computed_env.<key>": ("", "header"),
        "fabric.profiles.<any>.computed_env.<any>": ("", "header"), "fabric.profiles.<any>.vars.<key>": ("", "header"),
        "fabric.imex_resource_claim_template": ("", "name"), "llm_d.release": ("", "header"),
        "llm_d.images.epp": ("", "header"), "llm_d.images.envoy": ("", "header"),
        "llm_d.images.routing_sidecar": ("", "header"), "llm_d.resources.epp.cpu": ("", "pattern"),
        "llm_d.resources.epp.memory": ("", "pattern"), "llm_d.resources.envoy.cpu": ("", "pattern"),
        "llm_d.resources.envoy.memory": ("", "pattern"), "llm_d.resources.routing_sidecar.cpu": ("", "pattern"),
        "llm_d.resources.routing_sidecar.memory": ("", "pattern"), "llm_d.resources.gateway.cpu": ("", "pattern"),
        "llm_d.resources.gateway.memory": ("", "pattern"), "llm_d.node_selector.<key>": ("", "header"),
        "llm_d.node_selector.<any>": ("", "header"), "helper_images.python": ("", "header"),
        "helper_images.dcgm_exporter": ("", "value"), "helper_images.node_exporter": ("", "value"),
        "openshift.scc": ("", "part"), "kueue.local_queue": ("", "name"), "kueue.workload_priority_class": ("", "name"),
    },
}  # type: ignore[assignment]  # fmt: skip

# What a leaf needs beside it to be valid or to show.
BESIDE: dict[str, dict[str, Any]] = {
    "storage.shared_claim.storage_class_name": {"access_modes": ["ReadWriteMany"], "size": "1Gi"},
    "cache.hf_host_path": {"jit_host_path": "/jit"},
    "cache.jit_host_path": {"hf_host_path": "/hf"},
    "pod_defaults.extra_volume_mounts.<item>.mountPath": {"name": "shared"},
    "pod_defaults.extra_volume_mounts.<item>.name": {"mountPath": "/elsewhere"},
    "roles.<item>.profiling.trace_dir": {"profiler": "torch"},
    "accelerators.profiles.<key>": {},
}


def escape(value: Any) -> str:
    """Return a document as JSON that YAML reads back to the letter."""
    text = json.dumps(value, ensure_ascii=False)
    return re.sub(r"[\x7f-\xa0\u2028\u2029\ufeff]", lambda match: f"\\u{ord(match[0]):04x}", text)


def put(document: dict[str, Any], leaf: Leaf, texts: list[str]) -> None:
    """Write texts at a leaf of a document (several only into a free map or list), with what it needs beside it."""
    beside = BESIDE.get(".".join(leaf), {})
    value: Any = document
    for step, following in pairwise(leaf):
        step = _step(value, step)
        empty: Any = [] if following == ITEM else {}
        if isinstance(value, list):
            while len(value) <= step:
                value.append(empty)
        elif step not in value or not isinstance(value[step], type(empty)):
            value[step] = empty
        value = value[step]
    text = texts[0]
    if "shared_volume" in leaf:
        value.clear()
        value = value.setdefault("csi", {})
    if isinstance(value, list):
        value[:] = texts
    elif len(texts) > 1:
        value.update({f"x{index}": text for index, text in enumerate(texts)})
    elif leaf[-1] == KEY:
        value[text] = (
            copy.deepcopy(CLUSTER["accelerators"]["profiles"]["gpu"]) if "profiles" in leaf[-2:] else _filling(leaf)
        )
    else:
        value[_step(value, leaf[-1])] = text
    if isinstance(value, dict):
        value.update(beside)
    if leaf[-1] == "secret":
        value["key"] = "k"
    if leaf[-1] == "key" and leaf[-2] == ANY:
        value["secret"] = "s"


def _filling(leaf: Leaf) -> Any:
    if "vars" in leaf or "computed" in leaf or "computed_env" in leaf:
        return 1
    if "expert_parallel_profiles" in leaf:
        return "standard"
    return {"kind": "x"} if "plugin_configs" in leaf else {} if leaf[-2] == "profiles" else "v"


def _step(value: Any, step: str) -> Any:
    if isinstance(value, list):
        return 0
    return ("gpu" if "gpu" in value else "x") if step in (ANY, KEY) else step


def documents_for(kind: str, leaf: Leaf, texts: list[str]) -> tuple[dict[str, Any], dict[str, Any]]:
    model, cluster = copy.deepcopy(MODEL), copy.deepcopy(CLUSTER)
    put(model if kind == "model" else cluster, leaf, texts)
    if leaf[0] == "helper_images":
        model["runtime"]["sidecars"] = ["dcgm-exporter", "node-exporter"]
    if leaf[0] == "logging":
        cluster["logging"].setdefault("pvc", "logs")
    if kind == "cluster" and leaf[0] == "pod_defaults":
        model["cache"] = {"cleanup_on_crash": False}
    if "fabric" in leaf and "profiles" in leaf and leaf[-1] == KEY and leaf[-2] == "profiles":
        cluster["fabric"]["profiles"] = {texts[0]: {}}
    return model, cluster


def list_trials() -> Iterator[tuple[str, Leaf, list[str], str]]:
    for kind in ("model", "cluster"):
        for leaf, schema in list_leaves(kind).items():
            if leaf[:2] in ROLES_BY_NAME or ("enum" in schema and "type" not in schema):
                continue
            prefix, how = PLACES[kind][".".join(leaf)]
            if leaf[-1] in (ANY, ITEM) and not is_limited(schema) and how not in ("name", "number"):
                yield kind, leaf, STRINGS, how
                continue
            refused = 0
            for string in HARD if how in ("header", "pattern", "name", "number") else STRINGS:
                text = prefix + string
                pattern = re.sub(r"\$\Z", r"\\Z", schema.get("pattern", ""))
                refused += not re.search(pattern, text)
                if re.search(pattern, text) or refused <= 2:
                    yield kind, leaf, [text], how


def is_limited(schema: Mapping[str, Any]) -> bool:
    """Whether the schema itself says which texts it takes."""
    return bool({"pattern", "enum", "minLength", "maxLength"} & set(schema))


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[str, Leaf, list[str], str, Any, Run]]:
    """Run every string in every place."""
    folder = tmp_path_factory.mktemp("awkward")
    found = []
    for kind, leaf, texts, how in list_trials():
        documents = documents_for(kind, leaf, texts)
        for name, document in zip(("model", "cluster"), documents, strict=True):
            (folder / f"{name}.yaml").write_text(escape(document))
        run = run_manifesto("render", "manifest", str(folder / "model.yaml"), "--cluster", str(folder / "cluster.yaml"))
        found.append((kind, leaf, texts, how, documents, run))
    return found


Runs = list[tuple[str, Leaf, list[str], str, Any, Run]]


def test_every_place_is_in_the_table() -> None:
    for kind in ("model", "cluster"):
        leaves = {".".join(leaf) for leaf, schema in list_leaves(kind).items()
                  if leaf[:2] not in ROLES_BY_NAME and not ("enum" in schema and "type" not in schema)}  # fmt: skip
        assert set(PLACES[kind]) == leaves


def test_strings_are_refused_for_a_reason(runs: Runs) -> None:
    for kind, leaf, texts, how, _, run in runs:
        assert run.status in (0, 2)
        if run.status == 2:
            rules = re.findall(r"\[([a-z.-]+)\]$", run.err, re.MULTILINE)
            assert is_limited(list_leaves(kind)[leaf]) or how == "name" or set(rules) <= ALLOWED, (leaf, texts, run.err)


ALLOWED = {"identity.empty", "identity.first-letter", "argument.value", "expression.syntax", "expression.unknown-name"}


def test_manifests_hold_the_string_unchanged(runs: Runs) -> None:
    for _, leaf, texts, how, _, run in runs:
        if run.status == 0 and how not in ("header", "pattern", "number"):
            documents = list(load_all(run.out))
            assert [text for text in texts if not holds(documents, text, how)] == [], leaf


def test_the_header_holds_both_documents_unchanged(runs: Runs) -> None:
    for _, leaf, texts, _, documents, run in runs:
        if run.status == 0:
            assert read_header(run.out) == [as_written(document) for document in documents], (leaf, texts)


def test_kubectl_reads_the_same(runs: Runs) -> None:
    rendered = [run.out for *_, run in runs if run.status == 0]
    assert len(rendered) > 500
    for begin in range(0, len(rendered), 300):
        text = "".join(rendered[begin : begin + 300])
        read = read_with_kubectl(text)
        for document in read:
            document["metadata"]["labels"].pop("added")
        assert read == [document for document in load_all(text) if document]


def holds(documents: list[Any], text: str, how: str) -> bool:
    scalars = list(walk(documents))
    script = expand(documents[-2]["spec"]["template"]["spec"]["containers"][0]["args"][0])
    if how == "value":
        return text in scalars or f"{text}-server" in scalars
    if how == "part":
        return any(text in scalar for scalar in scalars)
    if how == "script":
        return text in script
    if how == "quoted":
        return shlex.quote(text)[:-1].rstrip("'") in script
    words = shlex.split(script[script.rindex("vllm serve") :].replace("\\\n", ""))
    if how == "json":
        return any(text in json.loads(word).values() for word in words if word.startswith("{"))
    return text in words or any(word.endswith(f"={text}") for word in words)


def expand(script: str) -> str:
    """Return args as Kubernetes passes them on where no variable of that name is set."""
    return script.replace("$$", "$")


def walk(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, child in value.items():
            yield key
            yield from walk(child)
    elif isinstance(value, list):
        for child in value:
            yield from walk(child)


def read_header(text: str) -> list[Any]:
    comments = [line.removeprefix("#").removeprefix(" ") for line in text.split("\n---\n")[0].split("\n")]
    found = []
    for mark in ("MANIFESTO_MODEL", "MANIFESTO_CLUSTER"):
        begin = next(index for index, line in enumerate(comments) if line.endswith(f"<<'{mark}'"))
        found.append(load("\n".join([*comments[begin + 1 : comments.index(mark, begin)], ""])))
    return found


def as_written(document: Mapping[str, Any]) -> Any:
    return json.loads(json.dumps(document))


def test_the_check_can_fail(tmp_path: Path) -> None:
    assert not holds([{}, {"spec": {"template": {"spec": {"containers": [{"args": [""]}]}}}}, {}], "absent", "value")
