"""Settings: environment and `.env` files go in, one mapping of what holds comes out."""

import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from manifesto.errors import Fault, ManifestoError, OperationError
from manifesto.inputs.folders import find_config_home, shorten

if TYPE_CHECKING:
    from dotenv.parser import Binding

_OURS = "MANIFESTO_"
_SHARED = ("HF_TOKEN", "KUBECONFIG")
_LINE = re.compile(r"(\s*)(?:export\s+)?(\w+)")
_NOT_FROM_A_FOLDER = ("KUBECONFIG", "MANIFESTO_CONFIG_HOME")


def read_settings(environ: Mapping[str, str], folder: Path) -> dict[str, str]:
    """Return every setting that is not empty: `MANIFESTO_*`, `HF_TOKEN` and `KUBECONFIG`.

    The environment is strongest, then `.env` of `folder`, then `.env` of the user catalog; an empty value hides
    the weaker ones. A cloned folder must not choose the user catalog or the kubeconfig. Raises ManifestoError for
    a `.env` that cannot be read, and for a line about us that sets nothing.
    """
    home = find_config_home(environ) / ".env"
    settings = dict(_read_env_file(home))
    settings.update(item for item in _read_env_file(folder / ".env") if item[0] not in _NOT_FROM_A_FOLDER)
    settings.update((name, value) for name, value in environ.items() if _is_ours(name))
    return {name: value for name, value in settings.items() if value}


def _is_ours(name: str) -> bool:
    return name.startswith(_OURS) or name in _SHARED


def _read_env_file(path: Path) -> Iterator[tuple[str, str]]:
    """Yield what a `.env` sets of ours; the other lines are other programs', whatever their form."""
    for binding in _parse(path) if os.path.isfile(path) else ():
        if binding.key is not None and binding.value is not None:
            if _is_ours(binding.key):
                yield binding.key, binding.value
            continue
        line = _LINE.match(binding.original.string)
        if line and _is_ours(line[2]):
            place = f"{shorten(path)}:{binding.original.line + line[1].count(chr(10))}:1"
            raise ManifestoError(
                [Fault("settings.line", f"{line[2]} is set to nothing", "write NAME=value", place=place)]
            )


def _parse(path: Path) -> list["Binding"]:
    from dotenv.parser import parse_stream

    try:
        with path.open(encoding="utf-8-sig") as file:
            return list(parse_stream(file))
    except UnicodeDecodeError:
        told, remedy = "this is not UTF-8", "save the file as UTF-8"
        raise ManifestoError([Fault("settings.encoding", told, remedy, place=shorten(path))]) from None
    except OSError as error:
        told = f"this cannot be read: {error.strerror}"
        raise OperationError([Fault("settings.unreadable", told, place=shorten(path))]) from None
