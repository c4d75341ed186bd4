"""Settings: environment and `.env` files go in, one mapping of what holds comes out."""

from collections.abc import Mapping
from pathlib import Path

_OF_A_FOLDER = "MANIFESTO_CONFIG_HOME"


def find_config_home(environ: Mapping[str, str]) -> Path:
    """Return the folder of the user catalog (it need not exist)."""
    if home := environ.get(_OF_A_FOLDER):
        return Path(home).expanduser()
    return Path(environ.get("XDG_CONFIG_HOME") or Path.home() / ".config") / "llm-manifesto"


def find_cache_home(environ: Mapping[str, str]) -> Path:
    """Return the user's cache folder for Manifesto (it need not exist)."""
    return Path(environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "llm-manifesto"


def read_settings(environ: Mapping[str, str], folder: Path) -> dict[str, str]:
    """Return every `MANIFESTO_*` setting that is not empty.

    The environment is strongest, then `.env` of `folder`, then `.env` of the user catalog. Where the user
    catalog lies is never taken from a `.env`: a cloned folder must not choose it.
    """
    settings: dict[str, str] = {}
    for path in (find_config_home(environ) / ".env", folder / ".env"):
        settings.update(_read_env_file(path))
    settings.update({name: value for name, value in environ.items() if name.startswith("MANIFESTO_") and value})
    return settings


def _read_env_file(path: Path) -> dict[str, str]:
    if not path.is_file():
        return {}
    from dotenv import dotenv_values

    values = dotenv_values(path, interpolate=False)
    return {k: v for k, v in values.items() if v and k.startswith("MANIFESTO_") and k != _OF_A_FOLDER}
