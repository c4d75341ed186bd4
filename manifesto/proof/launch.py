"""Launch: the `vllm serve` command of a pod agrees with its ports, probes, GPUs and replicas.

Only literal numbers are judged. What vLLM makes of its options: vllm/engine/arg_utils.py.
"""

import math
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from manifesto.errors import KeyPath
from manifesto.proof.documents import (
    COMPONENT,
    GPUS_PER_POD,
    Container,
    Document,
    PodTemplate,
    as_count,
    as_text,
    dig,
    dig_mapping,
    is_ours,
    own_labels,
    pod_templates,
)
from manifesto.proof.findings import Finding
from manifesto.proof.ports import asked_ports
from manifesto.proof.resources import is_extended, read_amounts
from manifesto.proof.scripts import Command, expand, find_serve, read_environment

_PORT = 8000
_SUPERVISOR = 9256
"""vLLM's defaults (entrypoints/openai/cli_args.py, config/parallel.py)."""


class Launch(NamedTuple):
    """A model container of ours with its command, and the path to the script that holds it."""

    template: PodTemplate
    container: Container
    command: Command
    path: KeyPath

    @property
    def local_ranks(self) -> int | None:
        """How many DP ranks a pod runs; all of them unless the command says otherwise. None: not judged."""
        return self.command.number("local", 1 if self.command.has("external") else self.command.number("dp", 1))


def find_launches(documents: Sequence[Document]) -> Iterator[Launch]:
    """Yield the model containers of our workloads whose script ends in a literal `vllm serve`."""
    for template in pod_templates(documents):
        for container in template.containers():
            if container.name != "vllm" or not is_ours(documents[template.document]):
                continue
            args = container.body.get("args")
            if isinstance(args, list) and args:
                command = find_serve(expand(as_text(args[0]), read_environment(container)))
                if command is not None:
                    yield Launch(template, container, command, (*container.path, "args", 0))


def judge_ports(documents: Sequence[Document]) -> Iterator[Finding]:
    """Yield commands whose port the container does not open, and probes that ask it for another."""
    for launch in find_launches(documents):
        port, ranks = launch.command.number("port", _PORT), launch.local_ranks
        if port is None or ranks is None:
            continue
        document, own = launch.template.document, list(launch.container.ports())
        if port not in [opened.number for opened in own]:
            listed = ", ".join(str(opened.number) for opened in own) or "none"
            problem = f"vLLM listens on {port}, its container opens {listed}; write one port at both"
            yield Finding("proof.launch-port", document, launch.path, problem)
            continue
        several = launch.command.has("multi-port")
        supervisor = launch.command.number("supervisor", _SUPERVISOR) if several else None
        for path, asked in asked_ports(launch.container):
            number = next((opened.number for opened in own if asked in (opened.number, opened.name)), None)
            served = number is None or port <= number < port + (ranks if several else 1) or number == supervisor
            if not served:
                problem = f"vLLM listens on {port}, this asks {number}; write one port at both"
                yield Finding("proof.launch-port", document, path, problem)


def judge_gpus(documents: Sequence[Document]) -> Iterator[Finding]:
    """Yield commands that spread ranks over another number of GPUs than the container has.

    Where a rank spans several pods (`--nnodes`) nothing is said of one pod.
    """
    for launch in find_launches(documents):
        gpus = count_gpus(launch.container, read_announced(documents[launch.template.document]))
        sizes = launch.command.number("tp", 1), launch.command.number("pp", 1), launch.local_ranks
        if not gpus or launch.command.has("nodes") or None in sizes:
            continue
        needed = math.prod(size or 0 for size in sizes)
        if needed != gpus:
            yield Finding(
                "proof.launch-gpus",
                launch.template.document,
                launch.path,
                f"tensor {sizes[0]} x pipeline {sizes[1]} x data {sizes[2]} in the pod need {needed} GPUs, "
                f"the container has {gpus}; write sizes that fill the pod",
            )


def judge_ranks(documents: Sequence[Document]) -> Iterator[Finding]:
    """Yield commands whose DP ranks in all are not those of one pod times the pods of a replica."""
    for launch in find_launches(documents):
        total, local = launch.command.number("dp", 1), launch.local_ranks
        parts = dig_mapping(documents[launch.template.document], "spec", "leaderWorkerTemplate")
        pods = as_count(parts.get("size")) or 1
        if total is None or local is None or launch.command.has("nodes") or total == local * pods:
            continue
        yield Finding(
            "proof.launch-ranks",
            launch.template.document,
            launch.path,
            f"data {total} is not {local} in each of {pods} pods; write {local * pods}, or change what a pod runs",
        )


def judge_announced_gpus(documents: Sequence[Document]) -> Iterator[Finding]:
    """Yield model workloads of ours without the annotation of their GPUs per pod, or with another number."""
    wrong: set[int] = set()
    for template in pod_templates(documents):
        document = documents[template.document]
        if not is_ours(document) or own_labels(document).get(COMPONENT) != "model-server" or template.document in wrong:
            continue
        announced = read_announced(document)
        for container in template.containers():
            gpus = count_gpus(container, announced)
            if container.name == "vllm" and (announced is None or (gpus or 0) != announced):
                wrong.add(template.document)
                written = "no number" if announced is None else announced
                problem = f"this says {written}, container vllm asks for {gpus or 0} GPUs; write one number at both"
                path: KeyPath = ("metadata", "annotations", GPUS_PER_POD)
                yield Finding("proof.gpus-per-pod", template.document, path, problem)


def read_announced(document: Document) -> int | None:
    """Return how many GPUs a pod has by its workload's annotation, None where no number stands there."""
    written = as_text(dig(document, "metadata", "annotations", GPUS_PER_POD))
    return int(written) if re.fullmatch(r"[0-9]{1,9}", written) else None


def count_gpus(container: Container, announced: int | None) -> int | None:
    """Return how many GPUs a container has: of a resource VENDOR/gpu, else of one with the announced amount.

    With resource claims it has what is announced. None where nothing tells.
    """
    amounts = {**read_amounts(container, "requests"), **read_amounts(container, "limits")}
    devices = {name: int(amount) for name, amount in amounts.items() if is_extended(name)}
    named = [amount for name, amount in devices.items() if name.endswith("/gpu")]
    if named:
        return named[0]
    if announced in devices.values() or dig(container.body, "resources", "claims"):
        return announced
    return None
