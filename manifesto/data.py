"""Where the project's data lies: the one place that knows, for a checkout and for a wheel alike."""

import json
from functools import cache
from pathlib import Path
from typing import Any

PACKAGE = Path(__file__).resolve().parent
CHECKOUT = PACKAGE.parent
_ROOT = PACKAGE / "_data" if (PACKAGE / "_data").is_dir() else CHECKOUT

CATALOG = _ROOT / "catalog"
SCHEMAS = _ROOT / "schemas" / "v1"
TEMPLATES = _ROOT / "templates"


@cache
def load_schema(name: str) -> dict[str, Any]:
    """Return the JSON Schema `schemas/v1/<name>.schema.json`; callers must not change it."""
    schema: dict[str, Any] = json.loads((SCHEMAS / f"{name}.schema.json").read_bytes())
    return schema
