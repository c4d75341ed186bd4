"""The command line: parses, calls one function of each stage, prints. Nothing imports it."""

import sys
from importlib import import_module
from typing import Any

import click

from manifesto import __version__
from manifesto.errors import Fault, ManifestoError

_COMMANDS = {"config": "manifesto.cli.config:config", "render": "manifesto.cli.render:render"}


class _ClosedPipeError(Exception):
    """Nobody reads what we print any more."""


class _LazyGroup(click.Group):
    """A group whose commands are imported when they are asked for."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; click itself would answer a closed pipe with status 1."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            raise _ClosedPipeError from None

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _COMMANDS:
            return None
        module, _, name = _COMMANDS[cmd_name].partition(":")
        command: click.Command = getattr(import_module(module), name)
        return command


@click.group(cls=_LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="manifesto")
def manifesto() -> None:
    """Render plain Kubernetes YAML that serves a large language model with vLLM and llm-d."""


def main(arguments: list[str] | None = None) -> None:
    """Run the command line and leave with its exit status: 0, 1 an operation failed, 2 bad input, 130 cancelled."""
    sys.exit(run(arguments))


def run(arguments: list[str] | None = None) -> int:
    """Return the exit status of the command line; the one place that catches Manifesto's errors."""
    try:
        status: Any = manifesto.main(args=arguments, prog_name="manifesto", standalone_mode=False)
        if sys.stdout:
            sys.stdout.flush()
    except ManifestoError as error:
        click.echo("".join(f"{fault}\n" for fault in error.faults), err=True, nl=False)
        return error.exit_status
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except (click.Abort, KeyboardInterrupt):
        click.echo("cancelled", err=True)
        return 130
    except (BrokenPipeError, _ClosedPipeError):
        _silence_stdout()
        return 0
    except OSError as error:
        _silence_stdout()
        click.echo(str(Fault("system.failed", str(error.strerror), place=str(error.filename or "manifesto"))), err=True)
        return 1
    return status if isinstance(status, int) else 0


def _silence_stdout() -> None:
    """Keep Python from complaining, at its end, about a reader that went away."""
    import os

    if sys.stdout:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
