"""`manifesto config …`: the catalogs, and whether specs and profiles are valid."""

from typing import Any

import click

from manifesto.cli.options import read_surroundings, render_options


@click.group()
def config() -> None:
    """Look at the catalogs, and validate specs and profiles."""


@config.command(name="list")
@click.argument("catalog", type=click.Choice(["models", "clusters"]))
@click.option(
    "--output",
    type=click.Choice(["table", "name", "json"]),
    default="table",
    show_default=True,
    help="Form of the list.",
)
def list_entries(catalog: str, output: str) -> None:
    """List the entries of CATALOG, the user's and the bundled ones."""
    import json

    from manifesto.inputs.catalog import list_catalog
    from manifesto.inputs.folders import shorten
    from manifesto.inputs.reading import is_base

    _, home = read_surroundings()
    entries = list_catalog(catalog, home)
    if output == "name":
        click.echo("".join(f"{entry.name}\n" for entry in entries), nl=False)
        return
    bases = {entry.name for entry in entries if catalog == "models" and is_base(entry)}
    if output == "json":
        rows = [
            {
                "name": entry.name,
                "source": entry.source,
                "path": str(entry.path.absolute()),
                "shadows": entry.shadows,
                "base": entry.name in bases,
            }
            for entry in entries
        ]
        click.echo(json.dumps(rows, indent=2))
        return
    shown = [
        (f"{entry.name} (base)" if entry.name in bases else entry.name, entry.source, shorten(entry.path))
        for entry in entries
    ]
    click.echo(_format_table([("NAME", "SOURCE", "PATH"), *shown]), nl=False)


@config.command()
@click.argument("spec", required=False)
@render_options
def validate(spec: str | None, **options: Any) -> None:
    """Validate SPEC on a cluster, or the cluster's profile with every model of the catalog that fits it."""
    from manifesto.cli.validation import validate_profile, validate_spec

    if spec is not None:
        click.echo(validate_spec(spec, options), nl=False)
        return
    for line in validate_profile(options):
        click.echo(line)


def _format_table(rows: list[tuple[str, ...]]) -> str:
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
    return "".join(f"{line}\n" for line in lines)
