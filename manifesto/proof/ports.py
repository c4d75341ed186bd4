"""Ports: what a probe or a Service names is opened by the right container, and by one only."""

from collections.abc import Iterator, Sequence
from typing import Any

from manifesto.errors import KeyPath
from manifesto.proof.documents import (
    Container,
    Document,
    PodTemplate,
    Port,
    as_count,
    as_text,
    dig,
    each_mapping,
    is_ours,
    pod_templates,
)
from manifesto.proof.findings import Finding, show
from manifesto.proof.selectors import selected_pods

PROBES = ("startupProbe", "readinessProbe", "livenessProbe")
_ASKING = (*PROBES, "lifecycle.postStart", "lifecycle.preStop")
_ACTIONS = ("httpGet", "tcpSocket", "grpc")


def asked_ports(container: Container) -> Iterator[tuple[KeyPath, Any]]:
    """Yield (path, port) for the ports, as numbers or names, that a container's probes and hooks ask."""
    for asking in _ASKING:
        keys = asking.split(".")
        for action in _ACTIONS:
            port = dig(container.body, *keys, action, "port")
            if port is not None:
                yield (*container.path, *keys, action, "port"), port


def running_ports(template: PodTemplate) -> Iterator[tuple[Container, Port]]:
    """Yield the ports of the containers that run beside each other."""
    for container in template.containers():
        if not container.initial:
            for port in container.ports():
                yield container, port


def judge_ranges(documents: Sequence[Document]) -> Iterator[Finding]:
    """Yield ports that are no numbers from 1 to 65535 where a number must stand or does."""
    for template in pod_templates(documents):
        for container in template.containers():
            for at, port in each_mapping(container.body.get("ports")):
                path = (*container.path, "ports", at)
                yield from _judge_number(template.document, (*path, "containerPort"), port.get("containerPort"))
                if port.get("hostPort") is not None:
                    yield from _judge_number(template.document, (*path, "hostPort"), port["hostPort"])
            for place, asked in asked_ports(container):
                if not isinstance(asked, str):
                    yield from _judge_number(template.document, place, asked)
    for index, document in enumerate(documents):
        if document.get("kind") != "Service":
            continue
        for at, port in each_mapping(dig(document, "spec", "ports")):
            yield from _judge_number(index, ("spec", "ports", at, "port"), port.get("port"))
            for key in ("targetPort", "nodePort"):
                if port.get(key) is not None and not isinstance(port[key], str):
                    yield from _judge_number(index, ("spec", "ports", at, key), port[key])


def judge_container_ports(documents: Sequence[Document]) -> Iterator[Finding]:
    """Yield ports, or names of ports, that a second container of a pod opens, or one container twice."""
    for template in pod_templates(documents):
        opened: dict[tuple[int | None, str], str] = {}
        for container, port in running_ports(template):
            key = port.number, port.protocol
            if key in opened:
                yield Finding(
                    "proof.duplicate-port",
                    template.document,
                    (*port.path, "containerPort"),
                    f"{port.number} is opened by container {opened[key]} already; write another",
                )
            opened.setdefault(key, container.name)
        for container in template.containers():
            seen: set[str] = set()
            for port in container.ports():
                if port.name in seen:
                    problem = f"the container has another port called {port.name}; rename one"
                    yield Finding("proof.duplicate-port", template.document, (*port.path, "name"), problem)
                seen |= {port.name} - {""}


def judge_probes(documents: Sequence[Document]) -> Iterator[Finding]:
    """Yield probes and hooks that ask a port which neither their container nor a native sidecar opens.

    A name counts only in the probe's own container. A number need not be declared for Kubernetes, so it is
    judged in our documents alone.
    """
    for template in pod_templates(documents):
        for container in template.containers():
            own = list(container.ports())
            sidecars = [port for other, port in running_ports(template) if other.path[-2] == "initContainers"]
            for path, asked in asked_ports(container):
                if isinstance(asked, str):
                    opens = any(port.name == asked for port in own)
                else:
                    opens = any(port.number == asked for port in (*own, *sidecars))
                if not opens and (isinstance(asked, str) or is_ours(documents[template.document])):
                    yield Finding(
                        "proof.probe-port",
                        template.document,
                        path,
                        f"container {container.name} does not open {show(asked)}; write {_list(own)}",
                    )


def judge_service_ports(documents: Sequence[Document]) -> Iterator[Finding]:
    """Yield ports of our Services that lead to no container of the selected pods, or to the wrong one.

    A Service's port that is called like a container's leads to that one.
    """
    for index, document in enumerate(documents):
        if document.get("kind") != "Service" or not is_ours(document):
            continue
        for at, port in each_mapping(dig(document, "spec", "ports")):
            key = "port" if port.get("targetPort") is None else "targetPort"
            for template in selected_pods(documents, index):
                problem = _misled(port, port.get(key), [opened for _, opened in running_ports(template)])
                if problem:
                    yield Finding("proof.service-port", index, ("spec", "ports", at, key), problem)
                    break


def judge_service_duplicates(documents: Sequence[Document]) -> Iterator[Finding]:
    """Yield ports that a Service has twice."""
    for index, document in enumerate(documents):
        if document.get("kind") != "Service":
            continue
        seen: set[tuple[int | None, str]] = set()
        for at, port in each_mapping(dig(document, "spec", "ports")):
            key = as_count(port.get("port")), as_text(port.get("protocol")) or "TCP"
            if key in seen:
                problem = f"the Service has port {key[0]} already; write another"
                yield Finding("proof.duplicate-port", index, ("spec", "ports", at, "port"), problem)
            seen.add(key)


def _judge_number(document: int, path: KeyPath, value: Any) -> Iterator[Finding]:
    number = as_count(value)
    if number is None or not 1 <= number <= 65535:
        yield Finding("proof.port-range", document, path, f"{show(value)} is no port; write a number from 1 to 65535")


def _misled(port: Any, target: Any, opened: Sequence[Port]) -> str:
    """Return why a Service's port does not reach the right container, nothing where it does."""
    protocol, name = as_text(port.get("protocol")) or "TCP", as_text(port.get("name"))
    reached = [item for item in opened if target in (item.number, item.name) and item.protocol == protocol]
    named = [item for item in opened if name and item.name == name]
    if not reached:
        return f"no container of the selected pods opens {show(target)} over {protocol}; write {_list(opened)}"
    if named and not any(item in reached for item in named):
        return f"the port called {name} is {named[0].number} in the selected pods, not {target}; write that one"
    return ""


def _list(ports: Sequence[Port]) -> str:
    return " or ".join(f"{port.number}" + (f" ({port.name})" if port.name else "") for port in ports) or "one it opens"
