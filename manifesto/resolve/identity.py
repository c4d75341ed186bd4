"""Identity: names and labels of an instance and of its objects."""

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from manifesto.errors import Fault, raise_any

NAME_LIMIT = 63
_DNS_LABEL = re.compile(r"[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?\Z")


@dataclass(frozen=True)
class Identity:
    """Who an instance is: its id, owner, namespace, and the release as it was written and as a slug."""

    instance: str
    owner: str
    namespace: str
    release: str
    release_slug: str


def slug(text: str) -> str:
    """Return lower-case letters, digits and single inner dashes of a text; empty where nothing is left."""
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")


def cut_name(name: str, limit: int = NAME_LIMIT) -> str:
    """Return a name that fits the limit; one that is too long ends in a digest of the whole."""
    if len(name) <= limit:
        return name
    digest = hashlib.sha1(name.encode(), usedforsecurity=False).hexdigest()[:8]
    return f"{name[: limit - 9].rstrip('-')}-{digest}"


def find_identity(
    model: Mapping[str, Any], cluster: Mapping[str, Any], user: str, namespace: str | None
) -> tuple[Identity, list[Fault]]:
    """Return the identity, and warnings for what slugging changed.

    `namespace` is what the command line or a setting asks for. Raises ManifestoError for a release or user
    that leaves nothing, an id that does not begin with a letter, and a namespace that is no DNS label.
    """
    faults: list[Fault] = []
    warnings: list[Fault] = []
    release, owner = slug(model["release"]), slug(user)
    for text, made, path, source in (
        (model["release"], release, "release", "model"),
        (user, owner, "--user", "option"),
    ):
        if not made:
            told = f"{text!r} leaves nothing of letters and digits"
            faults.append(Fault("identity.empty", told, "write a name", (path,), source))
        elif made != text:
            told = f"{text!r} becomes {made!r} in names and labels"
            warnings.append(Fault("identity.changed", told, "", (path,), source))
    prefixed = cluster["naming"]["user_prefix"]
    instance = cut_name(f"{owner}-{release}" if prefixed else release)
    if not faults and not instance[0].isalpha():
        told = f"the instance {instance!r} does not begin with a letter"
        path, source = ("--user", "option") if prefixed else ("release", "model")
        remedy = "begin with a letter, as Services and pools must"
        faults.append(Fault("identity.first-letter", told, remedy, (path,), source))
    chosen = namespace or model.get("namespace") or "default"
    if not _DNS_LABEL.match(chosen):
        remedy = "write at most 63 lower-case letters, digits and inner dashes"
        faults.append(Fault("identity.namespace", f"{chosen!r} is no DNS label", remedy, ("--namespace",), "option"))
    raise_any(faults)
    return Identity(instance, cut_name(owner), chosen, model["release"], release), warnings


def make_label_value(text: str) -> str:
    """Return a valid label value made of a text: at most 63 of the allowed characters."""
    allowed = re.sub(r"[^-A-Za-z0-9_.]+", "-", text)
    return re.sub(r"^[^A-Za-z0-9]+|[^A-Za-z0-9]+$", "", allowed[:NAME_LIMIT])


def name_workload(identity: Identity, role: Mapping[str, Any], prefixed: bool) -> str:
    """Return the name of a role's workload: its `workload_name` (with the user where names have it) or the derived one."""
    written = role.get("workload_name")
    if written is None:
        return cut_name(f"{identity.instance}-{role['name']}")
    return cut_name(f"{identity.owner}-{written}") if prefixed else str(written)
