"""The layout places every GPU and every rank once, or says why it cannot."""

from collections import Counter
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from manifesto.errors import ManifestoError
from manifesto.resolve.layout import Layout, find_layout, list_working_sizes, place_ranks
from manifesto.resolve.ports import find_balancing, find_ports

small = st.integers(1, 8)


def role(tp: int, pp: int, dp: Any, gpus: int | None = None, size: int | None = None, **more: Any) -> dict[str, Any]:
    sizes = {"tp": tp, "pp": pp, "dp": dp, "ep": False} | ({"gpus": gpus} if gpus else {})
    return {"parallelism": sizes, "lws": {"replicas": 1} | ({"size": size} if size else {}), **more}


def check_placement(layout: Layout) -> None:
    cells = list(place_ranks(layout))
    world = layout.tp * layout.pp * layout.dp
    assert len(cells) == layout.size * layout.gpus == world
    assert len({(cell.worker, cell.gpu) for cell in cells}) == world
    assert {cell.worker for cell in cells} == set(range(layout.size))
    assert Counter(cell.rank for cell in cells) == dict.fromkeys(range(layout.dp), layout.group)
    assert len({(cell.rank, cell.position) for cell in cells}) == world
    assert {cell.position for cell in cells} == set(range(layout.group))
    for rank in range(layout.dp):
        workers = sorted({cell.worker for cell in cells if cell.rank == rank})
        assert workers == list(range(workers[0], workers[0] + layout.group_pods)), "a group lies on neighbours"
        assert workers[0] % layout.group_pods == 0
    ranks_of_pod = Counter(worker for worker, _ in {(cell.worker, cell.rank) for cell in cells})
    assert set(ranks_of_pod.values()) == {layout.dp_local}


@given(st.data())
def test_sizes_made_from_a_placement_never_fail(data: st.DataObject) -> None:
    """Choose the pods first, then the sizes that fill them."""
    gpus = data.draw(st.integers(1, 16), "GPUs of a pod")
    node = data.draw(st.integers(gpus, 32), "GPUs of a node")
    if data.draw(st.booleans(), "groups within a pod"):
        group = data.draw(st.sampled_from([size for size in range(1, gpus + 1) if gpus % size == 0]))
        size = data.draw(small)
        dp = size * gpus // group
    else:
        pods, dp = data.draw(st.integers(2, 6)), data.draw(st.integers(1, 6))
        group, size = gpus * pods, pods * dp
    tp = data.draw(st.sampled_from([part for part in range(1, group + 1) if group % part == 0]))
    written = role(tp, group // tp, dp if dp > 1 else data.draw(st.sampled_from([1, False])))
    by_size = data.draw(st.booleans(), "lws.size is written")
    if by_size:
        written["lws"]["size"] = size
    if not by_size or data.draw(st.booleans(), "parallelism.gpus is written"):
        written["parallelism"]["gpus"] = gpus
    layout = find_layout(written, node, ("roles", "x"))
    assert (layout.size, layout.gpus) == (size, gpus)
    check_placement(layout)


@given(small, small, st.one_of(st.just(False), st.integers(1, 16)), st.one_of(st.none(), st.integers(1, 16)),
       st.one_of(st.none(), st.integers(1, 16)), st.integers(1, 16), st.booleans(), st.booleans())  # fmt: skip
def test_any_sizes_are_placed_or_refused(
    tp: int, pp: int, dp: Any, gpus: int | None, size: int | None, node: int, routed: bool, proxied: bool
) -> None:
    written = role(tp, pp, dp, gpus, size, serving_port_base=8000, backend_port_base=8200)
    try:
        layout = find_layout(written, node, ("roles", "x"))
    except ManifestoError as error:
        (fault,) = error.faults
        assert fault.rule.startswith("layout.")
        assert fault.problem
        assert fault.remedy
        return
    assert layout.gpus <= node
    check_placement(layout)
    assert (layout.size, layout.gpus) in list_working_sizes(layout.group, layout.dp, node)
    balancing = find_balancing(layout, routed)
    ports = find_ports(written, layout, balancing, proxied, {"dcgm-exporter": 9400}, ("roles", "x"))
    opened = [*ports.serving, *ports.backend, 9400]
    assert len(opened) == len(set(opened))
    assert len(ports.vllm) == len(ports.serving) == (layout.dp_local if balancing == "external" else 1)


@given(small, small, st.integers(1, 16), st.integers(1, 16))
def test_sizes_that_are_said_to_work_do(tp: int, pp: int, dp: int, node: int) -> None:
    sizes = list_working_sizes(tp * pp, dp, node)
    assume(sizes)
    for size, gpus in sizes:
        layout = find_layout(role(tp, pp, dp, size=size), node, ())
        assert (layout.size, layout.gpus) == (size, gpus)


@pytest.mark.parametrize(
    ("sizes", "node", "rule"),
    [
        ((2, 1, 3, None, 4), 8, "layout.uneven"),
        ((3, 1, False, 2, None), 8, "layout.uneven"),
        ((3, 3, 1, None, None), 4, "layout.uneven"),
        ((16, 1, 1, None, 1), 8, "layout.node-too-small"),
        ((1, 1, 1, 16, 1), 8, "layout.node-too-small"),
        ((2, 1, 1, 4, 1), 8, "layout.idle-gpus"),
        ((2, 1, 1, 4, None), 8, "layout.idle-gpus"),
        ((8, 1, 1, 2, 2), 8, "layout.too-few-gpus"),
        ((6, 1, 2, 4, 3), 8, "layout.split-group"),
        ((2, 1, 3, 3, 2), 8, "layout.uneven-groups"),
    ],
)
def test_impossible_sizes(sizes: tuple[Any, ...], node: int, rule: str) -> None:
    with pytest.raises(ManifestoError) as caught:
        find_layout(role(*sizes), node, ("roles", "x"))
    assert [fault.rule for fault in caught.value.faults] == [rule]


@pytest.mark.parametrize(
    ("sizes", "node", "placed"),
    [
        ((1, 1, False, None, None), 8, (1, 1, 1, 1)),
        ((2, 2, False, None, None), 4, (1, 4, 1, 1)),
        ((4, 2, False, None, None), 4, (2, 4, 2, 1)),
        ((1, 1, 16, None, None), 4, (4, 4, 1, 4)),
        ((8, 1, 2, None, None), 4, (4, 4, 2, 1)),
        ((1, 1, 8, 1, None), 8, (8, 1, 1, 1)),
        ((2, 1, 4, None, 2), 8, (2, 4, 1, 2)),
    ],
)
def test_known_layouts(sizes: tuple[Any, ...], node: int, placed: tuple[int, ...]) -> None:
    layout = find_layout(role(*sizes), node, ())
    assert (layout.size, layout.gpus, layout.group_pods, layout.dp_local) == placed
