"""Validation: inputs are rendered and proved, nothing is printed but what was looked at."""

import os
from collections.abc import Iterator, Mapping
from typing import Any

from manifesto.cli.options import choose_cluster, read_surroundings
from manifesto.cli.rendering import Rendering, render_deployment, resolve_inputs, warn
from manifesto.errors import Fault, ManifestoError
from manifesto.inputs.catalog import Source, find_source, hold_source, list_catalog
from manifesto.inputs.documents import read_documents
from manifesto.inputs.folders import find_cache_home
from manifesto.inputs.reading import find_sources, is_base, read_inputs
from manifesto.proof import prove
from manifesto.request import make_request

HOLDING = ("accelerator.unknown", "layout.")
"""Rules that say that a cluster cannot hold a model, not that either is wrong."""


def validate_spec(spec: str, options: Mapping[str, Any]) -> str:
    """Return what was read and rendered for a spec; raises ManifestoError for faults and findings."""
    settings, home = read_surroundings()
    sources = find_sources(spec, *choose_cluster(options, settings, home), home)
    rendering = _check(*sources, options, quiet=False)
    files = "".join(f"read {name}\n" for name in rendering.inputs.files())
    return f"{files}valid: {len(rendering.documents)} objects\n"


def validate_profile(options: Mapping[str, Any]) -> Iterator[str]:
    """Yield a line for each model of the catalog on a profile; raises ManifestoError at the end for all faults.

    A model that the cluster cannot hold is told and is no fault.
    """
    settings, home = read_surroundings()
    faults: list[Fault] = []
    profile = hold_source(find_source("clusters", *choose_cluster(options, settings, home), home))
    yield f"read {profile.name}"
    for entry in list_catalog("models", home):
        if is_base(entry):
            continue
        try:
            rendering = _check(find_source("models", entry.name, "SPEC", home), profile, options, quiet=True)
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


def _check(spec: Source, cluster: Source, options: Mapping[str, Any], quiet: bool) -> Rendering:
    settings, _ = read_surroundings()
    cache = find_cache_home(os.environ)
    request = make_request(options, settings, os.environ)
    inputs = read_inputs(spec, cluster, cache / "verdicts")
    deployment = resolve_inputs(inputs, request)
    if not quiet or options.get("strict"):
        warn(inputs, deployment, request, bool(options.get("strict")))
    rendering = render_deployment(inputs, deployment, request, cache)
    findings = prove(read_documents(rendering.text.encode(), "manifest"))
    if findings:
        raise ManifestoError(
            Fault(finding.rule, finding.problem, "", finding.path, "manifest", place=finding.name)
            for finding in findings
        )
    return rendering
