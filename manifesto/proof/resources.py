"""Resources of containers: amounts that Kubernetes takes, requests within limits.

What the API server accepts: k8s.io/kubernetes pkg/apis/core/validation, ValidateContainerResourceRequirements.
"""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from manifesto.kubernetes.quantities import read_quantity
from manifesto.proof.documents import Container, Document, dig, each_entry, pod_templates
from manifesto.proof.findings import Finding, show

_STANDARD = ("cpu", "memory", "ephemeral-storage")


def is_extended(name: str) -> bool:
    """Whether a resource is one that a device plugin offers, such as GPUs."""
    return "/" in name and "kubernetes.io/" not in name


def read_amounts(container: Container, part: str) -> Mapping[str, Fraction]:
    """Return the amounts of `requests` or `limits`, without those that are no quantities."""
    written = each_entry(dig(container.body, "resources", part))
    amounts = ((name, read_quantity(value)) for name, value in written)
    return {name: amount for name, amount in amounts if amount is not None}


def judge_quantities(documents: Sequence[Document]) -> Iterator[Finding]:
    """Yield amounts that are no quantities, and resources that containers cannot have."""
    for template in pod_templates(documents):
        for container in template.containers():
            for part in ("requests", "limits"):
                for name, value in each_entry(dig(container.body, "resources", part)):
                    path = (*container.path, "resources", part, name)
                    amount = read_quantity(value)
                    if amount is None or amount < 0:
                        problem = f"{show(value)} is no amount; write a quantity such as 8, 500m or 16Gi"
                        yield Finding("proof.quantity", template.document, path, problem)
                    if "/" not in name and name not in _STANDARD and not name.startswith("hugepages-"):
                        problem = f"containers have no resource {name}; write {', '.join(_STANDARD)} or VENDOR/NAME"
                        yield Finding("proof.resource", template.document, path, problem)


def judge_requests(documents: Sequence[Document]) -> Iterator[Finding]:
    """Yield requests above their limit, and devices that are fractional or have another request than limit.

    Nobody shares a device or a huge page, so Kubernetes wants the limit, and of the request that it is equal.
    """
    for template in pod_templates(documents):
        for container in template.containers():
            requests, limits = read_amounts(container, "requests"), read_amounts(container, "limits")
            place = (*container.path, "resources")
            for name in {**requests, **limits}:
                request, limit = requests.get(name), limits.get(name)
                path = (*place, "requests" if name in requests else "limits", name)
                if is_extended(name) or name.startswith("hugepages-"):
                    problem = _judge_device(request, limit)
                    if problem:
                        yield Finding("proof.extended-resource", template.document, path, problem)
                elif request is not None and limit is not None and request > limit:
                    problem = "the request is above the limit; write at most the limit"
                    yield Finding("proof.request", template.document, path, problem)


def _judge_device(request: Fraction | None, limit: Fraction | None) -> str:
    if any(amount is not None and amount.denominator != 1 for amount in (request, limit)):
        return "there are no parts of a device; write a whole number"
    if limit is None:
        return "there is no limit; write the same amount there"
    if request is not None and request != limit:
        return f"the request is {request}, the limit {limit}; write one amount at both"
    return ""
