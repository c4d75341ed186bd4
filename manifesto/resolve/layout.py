"""The parallel layout: global sizes go in, pods, GPUs and ranks come out. Nothing is rounded."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from manifesto.errors import Fault, KeyPath, ManifestoError


@dataclass(frozen=True)
class Layout:
    """How one replica of a role lies on pods.

    `tp`, `pp` and `dp` are global; `dp` is 1 where data parallelism is off. `size` counts the pods of the
    replica, `gpus` the GPUs of each. `group_pods` are the pods of one model-parallel group (1 where a group
    fits a pod), `dp_local` the ranks of one pod.
    """

    tp: int
    pp: int
    dp: int
    ep: bool
    size: int
    gpus: int
    replicas: int
    group_pods: int
    dp_local: int

    @property
    def group(self) -> int:
        """GPUs of one model-parallel group."""
        return self.tp * self.pp

    @property
    def spans_pods(self) -> bool:
        """Whether a model-parallel group needs more than one pod."""
        return self.group_pods > 1


class Cell(NamedTuple):
    """One GPU of a replica: the worker (pod) and its GPU, the DP rank it serves, its position in the group."""

    worker: int
    gpu: int
    rank: int
    position: int


def find_layout(role: Mapping[str, Any], gpus_per_node: int, path: KeyPath) -> Layout:
    """Return the layout of a role (with defaults filled in); `path` leads to the role.

    World = tp x pp x dp GPUs, spread evenly over `lws.size` pods. Since the spread is exact, groups within
    a pod also divide the ranks evenly over the pods, and groups of k pods fill exactly k x dp of them.
    Raises ManifestoError with the arithmetic and with sizes that would work.
    """
    sizes = role["parallelism"]
    tp, pp, dp = sizes["tp"], sizes["pp"], int(sizes["dp"] or 1)
    world = tp * pp * dp
    pods = _Pods(tp, pp, dp, gpus_per_node, path)
    size = role["lws"].get("size") or pods.derive(sizes.get("gpus"))
    if world % size and not sizes.get("gpus"):
        raise pods.fault("layout.uneven", f"{pods.world} do not spread evenly over {_count(size, 'pod')}")
    gpus = sizes.get("gpus") or world // size
    pods.check(gpus, size)
    group_pods = max(1, tp * pp // gpus)
    return Layout(tp, pp, dp, sizes["ep"], size, gpus, role["lws"]["replicas"], group_pods, max(1, gpus // (tp * pp)))


def place_ranks(layout: Layout) -> Iterator[Cell]:
    """Yield every GPU of one replica, in the order of workers and GPUs."""
    for worker in range(layout.size):
        for gpu in range(layout.gpus):
            if layout.spans_pods:
                inside = worker % layout.group_pods
                yield Cell(worker, gpu, worker // layout.group_pods, inside * layout.gpus + gpu)
            else:
                yield Cell(worker, gpu, worker * layout.dp_local + gpu // layout.group, gpu % layout.group)


def list_working_sizes(group: int, dp: int, gpus_per_node: int) -> list[tuple[int, int]]:
    """Return every (pods, GPUs per pod) that holds dp groups of `group` GPUs without idle ones."""
    world = group * dp
    return [
        (size, world // size)
        for size in range(1, world + 1)
        if world % size == 0
        and world // size <= gpus_per_node
        and (group % (world // size) == 0 or (world // size) % group == 0)
    ]


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


class _Pods(NamedTuple):
    """The sizes under judgement, for the words of faults."""

    tp: int
    pp: int
    dp: int
    gpus_per_node: int
    path: KeyPath

    @property
    def world(self) -> str:
        return f"tp {self.tp} x pp {self.pp} x dp {self.dp} = {_count(self.tp * self.pp * self.dp, 'GPU')}"

    def derive(self, gpus: int | None) -> int:
        world = self.tp * self.pp * self.dp
        fill = gpus or self.gpus_per_node
        if gpus is None and world <= fill:
            return 1
        if world % fill:
            of_what = f"parallelism.gpus {gpus}" if gpus else f"the {_count(fill, 'GPU')} of a node"
            rule = "layout.idle-gpus" if gpus and world < gpus else "layout.uneven"
            raise self.fault(rule, f"{self.world} do not fill whole pods of {of_what}")
        return world // fill

    def check(self, gpus: int, size: int) -> None:
        group, world = self.tp * self.pp, self.tp * self.pp * self.dp
        told = f"{_count(size, 'pod')} of {_count(gpus, 'GPU')} {'holds' if size == 1 else 'hold'} {size * gpus}"
        if gpus > self.gpus_per_node:
            raise self.fault(
                "layout.node-too-small",
                f"a pod would need {_count(gpus, 'GPU')}, a node has {self.gpus_per_node} ({self.world})",
            )
        if size * gpus > world:
            raise self.fault("layout.idle-gpus", f"{told}, {size * gpus - world} would be idle ({self.world})")
        if size * gpus < world:
            raise self.fault("layout.too-few-gpus", f"{told}, wanted are {self.world}")
        if group > gpus and group % gpus:
            raise self.fault(
                "layout.split-group",
                f"a group of tp {self.tp} x pp {self.pp} = {group} GPUs is no whole number of pods of {gpus}",
            )
        if group <= gpus and gpus % group:
            raise self.fault(
                "layout.uneven-groups",
                f"groups of tp {self.tp} x pp {self.pp} = {group} GPUs do not"
                f" divide the {gpus} GPUs of a pod, so dp {self.dp} does not divide over {_count(size, 'pod')}",
            )

    def fault(self, rule: str, problem: str) -> ManifestoError:
        working = list_working_sizes(self.tp * self.pp, self.dp, self.gpus_per_node)
        shown = ", ".join(f"{size} ({_count(gpus, 'GPU')} a pod)" for size, gpus in working[:6])
        remedy = f"lws.size that works: {shown}"
        sizes = (("parallelism", "gpus"), ("lws", "size"), *(("parallelism", name) for name in ("tp", "pp", "dp")))
        first, *others = ((*self.path, *key) for key in sizes)
        return ManifestoError([Fault(rule, problem, remedy, first, others=tuple(others))])
