"""One rendering, stage by stage: inputs, resolve, render. What commands print is made of it."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import click

from manifesto.cli.options import choose_cluster, read_surroundings
from manifesto.errors import Fault, ManifestoError
from manifesto.inputs.folders import find_cache_home
from manifesto.inputs.images import load_images
from manifesto.inputs.positions import place_faults
from manifesto.inputs.reading import Inputs, find_sources, load_defaults, load_reserved, read_inputs
from manifesto.provenance import find_commit
from manifesto.render.header import make_header
from manifesto.render.manifest import Document, join_documents, render_documents
from manifesto.render.pack import load_pack
from manifesto.request import Request, make_request
from manifesto.resolve.deployment import Deployment, resolve_deployment
from manifesto.resolve.task import Task

PACK = "v1"


@dataclass(frozen=True)
class Rendering:
    """A rendered manifest, and what it was made of."""

    inputs: Inputs
    deployment: Deployment
    documents: Sequence[Document]
    text: str


def render_manifest(spec: str, options: Mapping[str, Any]) -> Rendering:
    """Return the manifest of a spec; `options` are those of the command line by parameter name.

    Warnings go to stderr; with `strict` they are raised as faults.
    """
    settings, home = read_surroundings()
    cache = find_cache_home(os.environ)
    request = make_request(options, settings, os.environ)
    sources = find_sources(spec, *choose_cluster(options, settings, home), home)
    inputs = read_inputs(*sources, cache / "verdicts")
    deployment = resolve_inputs(inputs, request)
    warn(inputs, deployment, request, bool(options.get("strict")))
    return render_deployment(inputs, deployment, request, cache)


def resolve_inputs(inputs: Inputs, request: Request) -> Deployment:
    """Return the deployment of validated inputs; raises ManifestoError with every fault in its place."""
    images = {**load_images()["helpers"], **inputs.cluster.get("helper_images", {})}
    task = Task(
        inputs.model,
        inputs.cluster,
        request,
        inputs.image.name,
        inputs.image.table,
        load_defaults(),
        load_reserved(),
        images,
    )
    try:
        return resolve_deployment(task)
    except ManifestoError as error:
        raise ManifestoError(_place(error.faults, inputs, request)) from None


def render_deployment(inputs: Inputs, deployment: Deployment, request: Request, cache: Path | None) -> Rendering:
    """Return the rendered manifest of a deployment with its header."""
    pack = load_pack(PACK)
    documents = render_documents(pack, "manifest", deployment.instance, deployment.contexts, cache)
    header = make_header(
        ["render", "manifest"],
        inputs.composed["model"].value,
        inputs.composed["cluster"].value,
        request.options(),
        find_commit(),
        pack.name,
    )
    return Rendering(inputs, deployment, documents, join_documents(header, documents))


def warn(inputs: Inputs, deployment: Deployment, request: Request, strict: bool) -> None:
    """Print the warnings of a rendering to stderr; raise them when they count as errors."""
    warnings = list(deployment.warnings)
    if inputs.image.doubt:
        warnings.append(Fault("image.release", inputs.image.doubt, "name a version in the tag", ("model", "image")))
    placed = _place(warnings, inputs, request)
    if strict and placed:
        raise ManifestoError(placed)
    for warning in placed:
        click.echo(f"warning: {warning}", err=True)


def _place(faults: Sequence[Fault], inputs: Inputs, request: Request) -> list[Fault]:
    """Return faults in their places, those of an option under the name of the setting that spoke for it."""
    named = [
        replace(fault, path=tuple(request.origins.get(str(part), part) for part in fault.path))
        if fault.source == "option"
        else fault
        for fault in faults
    ]
    return place_faults(named, inputs.composed)
