"""Folders of the user: the environment goes in, where Manifesto keeps things comes out, and how paths are shown."""

import os
from collections.abc import Mapping
from pathlib import Path


def find_config_home(environ: Mapping[str, str]) -> Path:
    """Return the folder of the user catalog (it need not exist)."""
    if home := environ.get("MANIFESTO_CONFIG_HOME"):
        return Path(os.path.expanduser(home))
    return Path(environ.get("XDG_CONFIG_HOME") or os.path.expanduser("~/.config")) / "llm-manifesto"


def find_cache_home(environ: Mapping[str, str]) -> Path:
    """Return the user's cache folder for Manifesto (it need not exist)."""
    return Path(environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")) / "llm-manifesto"


def shorten(path: Path) -> str:
    """Return a path as messages show it: relative below the working folder, from `~` below home, else as it is."""
    if path.is_relative_to(Path.cwd()):
        return str(path.relative_to(Path.cwd()))
    home = os.path.expanduser("~")
    return str("~" / path.relative_to(home)) if path.is_relative_to(home) else str(path)
