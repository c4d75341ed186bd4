"""Validation: inputs are rendered and proved, nothing is printed but what was looked at."""

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from manifesto.cli.options import choose_cluster, read_surroundings
from manifesto.cli.rendering import Rendering, render_deployment, resolve_inputs, warn
from manifesto.errors import Fault, ManifestoError
from manifesto.inputs.catalog import find_source, list_catalog
from manifesto.inputs.documents import read_documents
from manifesto.inputs.reading import find_sources, is_base, read_inputs
from manifesto.inputs.settings import find_cache_home
from manifesto.proof import prove
from manifesto.request import make_request

HOLDING = ("accelerator.unknown", "layout.")
"""Rules that say that a cluster cannot hold a model, not that either is wrong."""


def validate_spec(spec: str, options: Mapping[str, Any]) -> str:
    """Return what was read and rendered for a spec; raises ManifestoError for faults and findings."""
    rendering = _check(spec, options, quiet=False)
    files = "".join(f"read {name}\n" for name in rendering.inputs.files())
    return f"{files}valid: {len(rendering.documents)} objects\n"


def validate_profile(cluster: str, options: Mapping[str, Any], home: Path) -> Iterator[str]:
    """Yield a line for each model of the catalog on a profile; raises ManifestoError at the end for all faults.

    A model that the cluster cannot hold is told and is no fault.
    """
    faults: list[Fault] = []
    profile = find_source("clusters", cluster, home, "--cluster")
    yield f"read {profile.name}"
    for entry in list_catalog("models", home):
        if is_base(entry):
            continue
        try:
            rendering = _check(entry.name, {**options, "cluster": cluster}, quiet=True)
        except ManifestoError as error:
            if all(fault.rule.startswith(HOLDING) for fault in error.faults):
                yield f"{entry.name}: does not fit: {error.faults[0].problem}"
            else:
                yield f"{entry.name}: {len(error.faults)} faults"
                faults += error.faults
        else:
            yield f"{entry.name}: valid, {len(rendering.documents)} objects"
    if faults:
        raise ManifestoError(dict.fromkeys(faults))


def _check(spec: str, options: Mapping[str, Any], quiet: bool) -> Rendering:
    settings, home = read_surroundings()
    cache = find_cache_home(os.environ)
    request = make_request(options, settings, os.environ)
    inputs = read_inputs(*find_sources(spec, choose_cluster(options, settings, home), home), cache / "verdicts")
    deployment = resolve_inputs(inputs, request)
    if not quiet or options.get("strict"):
        warn(inputs, deployment, bool(options.get("strict")))
    rendering = render_deployment(inputs, deployment, request, cache)
    findings = prove(read_documents(rendering.text.encode(), "manifest"))
    if findings:
        raise ManifestoError(
            Fault(finding.rule, finding.problem, "", finding.path, "manifest", place=finding.name)
            for finding in findings
        )
    return rendering
