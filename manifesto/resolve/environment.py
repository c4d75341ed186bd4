"""The environment of a role's vLLM container: layers go in, Kubernetes env entries come out in order."""

from collections.abc import Mapping
from typing import Any

from manifesto.errors import Fault, KeyPath, ManifestoError, gathering, raise_any, suggest
from manifesto.kubernetes.expansion import find_references
from manifesto.resolve.expressions import Number, compute, show_number
from manifesto.resolve.layout import Layout
from manifesto.resolve.provenance import Setting, Settings, make_layer

_TOKEN_ENTRY = {"HF_TOKEN": Setting({"secret": "hf-secret", "key": "HF_TOKEN"}, "manifesto")}


def layout_names(layout: Layout) -> dict[str, Number]:
    """Return the variables that every expression of a role knows besides `vars`."""
    return {
        "gpus_per_pod": layout.gpus,
        "tp": layout.tp,
        "pp": layout.pp,
        "tp_world_size": layout.tp,
        "tp_local_size": min(layout.tp, layout.gpus),
        "dp_enabled": int(layout.dp > 1),
        "dp_local_size": layout.dp_local,
        "dp_world_size": layout.dp,
        "lws_size": layout.size,
        "lws_replicas": layout.replicas,
    }


def compute_entries(
    entries: Mapping[str, Any], names: dict[str, Number], origin: str, source: str, path: KeyPath
) -> Settings:
    """Return computed entries in order; each number becomes a name for those after it (`names` grows).

    Raises ManifestoError for every entry that is no arithmetic; those after it see 1 in its place.
    """
    layer: Settings = {}
    faults: list[Fault] = []
    for name, written in entries.items():
        value: Any = 1
        with gathering(faults):
            value = compute(written, names, (*path, name), source)
        if isinstance(value, int | float) and not isinstance(value, bool):
            names[name] = value
        layer[name] = Setting(value, origin, source, (*path, name))
    raise_any(faults)
    return layer


def find_fabric_profile(role: Mapping[str, Any], cluster: Mapping[str, Any], path: KeyPath) -> str:
    """Return the fabric profile of a role: its own, with ep the cluster's for the role, else the default."""
    fabric = cluster["fabric"]
    known = {"standard": {}, **fabric.get("profiles", {})}
    by_role = fabric.get("expert_parallel_profiles", {})
    if "fabric_profile" in role:
        name, source, place = role["fabric_profile"], "model", (*path, "fabric_profile")
    elif role["parallelism"]["ep"] and role["name"] in by_role:
        name, source, place = by_role[role["name"]], "cluster", ("fabric", "expert_parallel_profiles", role["name"])
    else:
        name, source, place = fabric["default_profile"], "cluster", ("fabric", "default_profile")
    if name not in known:
        raise ManifestoError(
            [
                Fault(
                    "fabric.unknown-profile",
                    f"the cluster has no fabric profile {name!r}{suggest(name, known)}",
                    f"name one of: {', '.join(known)}",
                    place,
                    source,
                )
            ]
        )
    return str(name)


def fabric_layers(cluster: Mapping[str, Any], profile: str, names: dict[str, Number]) -> list[Settings]:
    """Return the layers of the cluster's fabric; computed entries are added to `names`.

    `{ucx_net_devices}` in default_env means the profile's `fabric.ucx_net_devices`.
    """
    fabric = cluster["fabric"]
    path: KeyPath = ("fabric", "profiles", profile)
    chosen = fabric.get("profiles", {}).get(profile, {})
    filled = {
        name: value.replace("{ucx_net_devices}", fabric["ucx_net_devices"]) if isinstance(value, str) else value
        for name, value in fabric.get("default_env", {}).items()
    }
    known = {**chosen.get("vars", {}), **names}
    computed = compute_entries(
        chosen.get("computed_env", {}), known, f"computed fabric:{profile}", "cluster", (*path, "computed_env")
    )
    names.update({name: known[name] for name in computed if name in known})
    return [
        make_layer(filled, "fabric:default_env", "cluster", ("fabric", "default_env")),
        make_layer(chosen.get("env", {}), f"fabric:{profile}", "cluster", (*path, "env")),
        computed,
    ]


def base_layer(
    defaults: Mapping[str, Any],
    routed: bool,
    openshift: bool,
    hf_home: str | None,
    cache_root: str | None,
    role: str,
    vllm_env: Setting | None,
) -> Settings:
    """Return Manifesto's own environment of a role; `defaults` is `environment` of catalog/defaults.yaml."""
    layer = {**_TOKEN_ENTRY, **make_layer(defaults["every"], "manifesto")}
    if routed:
        layer |= make_layer(defaults["routed"], "manifesto")
    if hf_home:
        layer["HF_HOME"] = Setting(hf_home, "derived:storage")
    if openshift:
        layer |= make_layer(defaults["openshift"], "manifesto")
        layer["HOME"] = Setting(defaults["openshift_home"], "manifesto")
    if cache_root:
        folders = {name: f"{cache_root}/{folder}" for name, folder in defaults["cache"].items()}
        folders |= {name: f"{cache_root}/{folder}/{role}" for name, folder in defaults["cache_by_role"].items()}
        layer |= make_layer({**folders, **defaults["cache_switches"]}, "derived:storage")
    if vllm_env:
        layer["MANIFESTO_VLLM_ENV"] = vllm_env
    return layer


def order_entries(environment: Settings) -> list[dict[str, Any]]:
    """Return Kubernetes env entries: HF_TOKEN, field references, then by name, each after those that it names.

    Kubernetes expands `$(NAME)` only from entries before it. Raises ManifestoError for a cycle.
    """
    ordered: list[str] = [name for name in ("HF_TOKEN",) if name in environment]
    ordered += sorted(
        name for name, setting in environment.items() if isinstance(setting.value, dict) and "field" in setting.value
    )

    def visit(name: str, trail: tuple[str, ...]) -> None:
        if name in ordered or name not in environment:
            return
        if name in trail:
            told = " -> ".join([*trail[trail.index(name) :], name])
            setting = environment[name]
            raise ManifestoError(
                [
                    Fault(
                        "environment.cycle",
                        f"these variables name each other: {told}",
                        "Kubernetes expands only earlier ones: break the circle",
                        setting.path,
                        setting.source,
                    )
                ]
            )
        value = environment[name].value
        for other in sorted(find_references(value) if isinstance(value, str) else ()):
            visit(other, (*trail, name))
        ordered.append(name)

    for name in sorted(environment):
        visit(name, ())
    return [make_entry(name, environment[name].value) for name in ordered]


def make_entry(name: str, value: Any) -> dict[str, Any]:
    """Return one Kubernetes env entry of a text, a number, a secret's key or a pod field."""
    if isinstance(value, dict) and "field" in value:
        return {"name": name, "valueFrom": {"fieldRef": {"fieldPath": value["field"]}}}
    if isinstance(value, dict):
        return {"name": name, "valueFrom": {"secretKeyRef": {"name": value["secret"], "key": value["key"]}}}
    return {"name": name, "value": value if isinstance(value, str) else show_number(value)}
