"""Options that every command that renders takes, and what is read with them."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from pathlib import Path

F = TypeVar("F", bound=Callable[..., Any])

_OPTIONS = (
    click.option("--cluster", metavar="PROFILE", help="Cluster profile: a path or a name of the catalog."),
    click.option("--accelerator", "--gpu", metavar="NAME", help="Accelerator profile of the cluster."),
    click.option("--namespace", metavar="NAME", help="Kubernetes namespace."),
    click.option("--user", metavar="NAME", help="Owner of the deployment."),
    click.option("--vllm-env", metavar="PATH", help="vllm-envs worktree in the pod to launch from."),
    click.option("--user-root", metavar="PATH", help="Root of the user's files in the pod."),
    click.option("--log-root", metavar="PATH", help="Root of logs in the pod."),
    click.option("--cache-root", metavar="PATH", help="Root of compilation caches in the pod."),
    click.option("--pre-launch", metavar="LINE", multiple=True, help="Shell line before vLLM; repeatable."),
    click.option("--strict", is_flag=True, help="Treat warnings as errors."),
)


def render_options(command: F) -> F:
    """Add the options of every command that renders."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def read_surroundings() -> tuple[Mapping[str, str], Path]:
    """Return the settings in force and the folder of the user catalog."""
    from pathlib import Path

    from manifesto.inputs.folders import find_config_home
    from manifesto.inputs.settings import read_settings

    return read_settings(os.environ, Path.cwd()), find_config_home(os.environ)


def choose_cluster(options: Mapping[str, Any], settings: Mapping[str, str], home: Path) -> tuple[str, str]:
    """Return the name of the cluster profile, and what named it; raises ManifestoError when nothing does."""
    from manifesto.errors import Fault, ManifestoError
    from manifesto.inputs.catalog import list_catalog

    for asked, name in (
        ("--cluster", options.get("cluster")),
        ("MANIFESTO_CLUSTER", settings.get("MANIFESTO_CLUSTER")),
    ):
        if name:
            return str(name), asked
    known = ", ".join(entry.name for entry in list_catalog("clusters", home))
    raise ManifestoError(
        [
            Fault(
                "catalog.no-cluster",
                "no cluster is named",
                f"pass --cluster or set MANIFESTO_CLUSTER; profiles: {known}",
                ("--cluster",),
                "option",
            )
        ]
    )
