"""No two servers of a pod listen on one port, and none beyond the last one."""

from typing import Any

import pytest

from manifesto.errors import ManifestoError
from manifesto.resolve.layout import Layout
from manifesto.resolve.ports import Ports, find_ports


def ports(serving: int, backend: int = 8200, ranks: int = 4, proxied: bool = False, **fixed: int) -> Ports:
    layout = Layout(tp=1, pp=1, dp=ranks, ep=False, size=1, gpus=ranks, replicas=1, group_pods=1, dp_local=ranks)
    role: dict[str, Any] = {"serving_port_base": serving, "backend_port_base": backend}
    return find_ports(role, layout, "external", proxied, fixed, ("roles", "decode"))


def faults(*words: int, **more: Any) -> list[str]:
    with pytest.raises(ManifestoError) as caught:
        ports(*words, **more)
    return [str(fault) for fault in caught.value.faults]


def test_ports_end_at_65535() -> None:
    assert ports(65532).serving == (65532, 65533, 65534, 65535)
    told = "roles.decode.serving_port_base: the API servers end at port 65536; begin lower [ports.range]"
    assert faults(65533) == [told]


def test_ranges_that_overlap() -> None:
    assert ports(8000, 8004, proxied=True).vllm == (8004, 8005, 8006, 8007)
    told = "roles.decode.backend_port_base: port 8003 is taken by API servers and backends; move backend_port_base"
    assert faults(8000, 8003, proxied=True) == [f"{told} [ports.overlap]"]
    told = "roles.decode.serving_port_base: port 9100 is taken by API servers and exporter; move serving_port_base"
    assert faults(9098, exporter=9100) == [f"{told} [ports.overlap]"]
