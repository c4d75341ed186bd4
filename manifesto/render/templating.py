"""The Jinja environments: one for objects, one for files, whose marks leave shell and YAML alone."""

import hashlib
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemBytecodeCache, FileSystemLoader, StrictUndefined
from jinja2 import __version__ as jinja_version

from manifesto.render.filters import nindent, scalar, to_yaml

_SHARED: dict[str, Any] = {
    "undefined": StrictUndefined,
    "trim_blocks": True,
    "lstrip_blocks": True,
    "keep_trailing_newline": True,
    "autoescape": False,
    "auto_reload": False,
}
_FILE_MARKS: dict[str, Any] = {
    "block_start_string": "@{%",
    "block_end_string": "%}@",
    "variable_start_string": "@{",
    "variable_end_string": "}@",
    "comment_start_string": "@{#",
    "comment_end_string": "#}@",
}


@cache
def make_environment(pack: Path, cache_home: Path | None, for_files: bool) -> Environment:
    """Return the environment for a pack's object templates, or for its files.

    `cache_home` is the user's cache folder, where compiled templates are kept; None keeps nothing.
    """
    marks = _FILE_MARKS if for_files else {}
    environment = Environment(
        loader=FileSystemLoader(pack),
        finalize=_finalize,
        bytecode_cache=_bytecode(cache_home, marks),
        **_SHARED,
        **marks,
    )
    # A template knows its context and nothing else; Jinja's own `namespace` would hide a missing key of that name.
    environment.globals.clear()
    environment.filters |= {"scalar": scalar, "to_yaml": to_yaml, "nindent": nindent}
    return environment


def _finalize(value: Any) -> Any:
    if isinstance(value, bool) or not isinstance(value, str | int):
        raise TypeError(f"a template prints strings and whole numbers, not {type(value).__name__}: {value!r}")
    return value


def _bytecode(cache_home: Path | None, marks: dict[str, Any]) -> FileSystemBytecodeCache | None:
    """Return a cache of compiled templates, apart for each way of compiling; None where it cannot be written."""
    if cache_home is None:
        return None
    how = hashlib.sha256(repr((jinja_version, sorted(_SHARED), marks)).encode()).hexdigest()[:12]
    folder = cache_home / "templates" / how
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError:
        return None
    return FileSystemBytecodeCache(str(folder))
