"""Features and backends of a role: what its KV connector is, and what that contributes."""

from collections.abc import Iterator, Mapping
from typing import Any

from manifesto.errors import Fault, KeyPath
from manifesto.resolve.provenance import Setting, Settings

NIXL_HOST = "VLLM_NIXL_SIDE_CHANNEL_HOST"


def list_connectors(config: Any) -> Iterator[str]:
    """Yield every `kv_connector` anywhere in a kv_transfer_config, outer ones first."""
    if isinstance(config, Mapping):
        if isinstance(name := config.get("kv_connector"), str):
            yield name
        for value in config.values():
            yield from list_connectors(value)
    elif isinstance(config, list):
        for value in config:
            yield from list_connectors(value)


def contribute_environment(role: Mapping[str, Any], path: KeyPath) -> Settings:
    """Return what a role's connectors put into its environment.

    A NIXL connector must announce the pod's own address: vLLM's default is localhost
    (distributed/kv_transfer/kv_connector/v1/nixl).
    """
    connectors = list(list_connectors(role.get("kv_transfer_config", {})))
    if any("Nixl" in name for name in connectors):
        name = next(name for name in connectors if "Nixl" in name)
        return {
            NIXL_HOST: Setting({"field": "status.podIP"}, f"backend:{name}", "model", (*path, "kv_transfer_config"))
        }
    return {}


def check_environment(environment: Settings) -> list[Fault]:
    """Return a fault for a NIXL address that no other pod could reach."""
    setting = environment.get(NIXL_HOST)
    if setting and setting.value == "0.0.0.0":
        return [
            Fault(
                "environment.nixl-host",
                "other pods cannot reach 0.0.0.0",
                "leave it out: it is the pod's address",
                setting.path,
                setting.source,
            )
        ]
    return []
