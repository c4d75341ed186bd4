"""The deployment: a task goes in, the flat contexts of the instance and of its roles come out."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from manifesto.errors import Fault, gathering, raise_any
from manifesto.resolve.accelerators import Accelerator, find_accelerator
from manifesto.resolve.contexts import instance_context, role_context
from manifesto.resolve.identity import Identity, find_identity
from manifesto.resolve.roles import Role, resolve_role
from manifesto.resolve.secrets import find_tokens
from manifesto.resolve.support import refuse_unsupported, tell_missing
from manifesto.resolve.task import Task, check_cluster, check_routing


@dataclass(frozen=True)
class Deployment:
    """A resolved deployment: its roles, the render contexts made of them, and what to warn of."""

    identity: Identity
    roles: Sequence[Role]
    instance: Mapping[str, Any]
    contexts: Sequence[Mapping[str, Any]]
    warnings: Sequence[Fault]


def resolve_deployment(task: Task) -> Deployment:
    """Return the deployment of a task; raises ManifestoError with every fault of every role."""
    request = task.request
    faults = [
        *find_tokens(task.model, "model"),
        *find_tokens(task.cluster, "cluster"),
        *(fault for line in request.pre_launch for fault in find_tokens(line, "option", ("--pre-launch",))),
        *check_cluster(task.cluster),
        *check_routing(task),
        *refuse_unsupported(task),
    ]
    identity: Identity | None = None
    accelerator: Accelerator | None = None
    warnings: list[Fault] = []
    with gathering(faults):
        identity, warnings = find_identity(task.model, task.cluster, request.user, request.namespace)
    with gathering(faults):
        accelerator = find_accelerator(task.cluster, task.model.get("accelerator"), request.accelerator)
    raise_any(faults)
    assert identity
    assert accelerator
    roles: list[Role] = []
    for name in task.model["roles"]:
        with gathering(faults):
            roles.append(resolve_role(task, identity, accelerator, name))
    raise_any([*faults, *_find_same_names(roles)])
    warnings += [warning for role in roles for warning in role.warnings] + tell_missing(task)
    return Deployment(
        identity,
        roles,
        instance_context(task, identity, roles),
        [role_context(task, identity, role) for role in roles],
        warnings,
    )


def _find_same_names(roles: Sequence[Role]) -> list[Fault]:
    counts = Counter(role.workload_name for role in roles)
    return [
        Fault(
            "identity.same-name",
            f"another role's workload is called {role.workload_name} too",
            "give one of them another workload_name",
            (*role.path, "workload_name"),
        )
        for role in roles
        if counts[role.workload_name] > 1
    ]
