"""`manifesto render …`: print a manifest, or save it."""

from typing import Any

import click

from manifesto.cli.options import render_options


@click.group()
def render() -> None:
    """Render Kubernetes YAML."""


@render.command()
@click.argument("spec")
@render_options
def manifest(spec: str, **options: Any) -> None:
    """Print the manifest of SPEC, a path or a name of the catalog."""
    from manifesto.cli.rendering import render_manifest

    click.echo(render_manifest(spec, options).text, nl=False)


@render.command()
@click.argument("spec")
@click.option("-o", "--output", metavar="FILE", help="Where to save it [MANIFESTO_RENDER_OUT, /tmp/manifesto.yaml].")
@render_options
def file(spec: str, output: str | None, **options: Any) -> None:
    """Save the manifest of SPEC and print the path."""
    from manifesto.cli.options import read_surroundings
    from manifesto.cli.rendering import render_manifest
    from manifesto.cli.saving import choose_path, describe, save

    settings, _ = read_surroundings()
    path = choose_path(output, settings)
    rendering = render_manifest(spec, options)
    save(path, rendering.text)
    click.echo(describe(rendering, path), err=True)
    click.echo(path)
