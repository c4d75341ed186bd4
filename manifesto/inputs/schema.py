"""Schemas: a merged document goes in, every fault that its JSON Schema finds comes out at once."""

import hashlib
import json
import os
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from manifesto import __version__
from manifesto.data import SCHEMAS, load_schema
from manifesto.errors import Fault
from manifesto.inputs.explanations import explain_error
from manifesto.inputs.merging import Composed

_KEPT_VERDICTS = 1000


def validate(composed: Composed, schema: str, verdicts: Path | None) -> list[Fault]:
    """Return the faults of a document by `schemas/v1/<schema>.schema.json`, without places.

    `verdicts` is a folder in which the digests of documents without faults are remembered, so that
    the same document need not be judged twice; None remembers nothing.
    """
    digest = _digest(composed.value, schema)
    if verdicts is not None and (verdicts / digest).exists():
        return []
    faults = [
        fault for error in _validator(schema).iter_errors(composed.value) for fault in explain_error(error, composed)
    ]
    if not faults and verdicts is not None:
        _remember(verdicts, digest)
    return faults


def _digest(value: Any, schema: str) -> str:
    digest = hashlib.sha256(__version__.encode() + Path(__file__).read_bytes())
    for name in (schema, "common"):
        digest.update((SCHEMAS / f"{name}.schema.json").read_bytes())
    digest.update(json.dumps(value, ensure_ascii=True).encode())
    return digest.hexdigest()


def _remember(folder: Path, digest: str) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        entries = os.listdir(folder)
        if len(entries) >= _KEPT_VERDICTS:
            for name in entries:
                (folder / name).unlink(missing_ok=True)
        (folder / digest).touch()
    except OSError:
        return


@cache
def _validator(name: str) -> Any:
    """Return a validator whose patterns match whole values and whose whole numbers are no floats."""
    from jsonschema import Draft202012Validator, validators
    from jsonschema.exceptions import ValidationError
    from referencing import Registry, Resource
    from referencing.jsonschema import DRAFT202012

    def pattern(_: Any, wanted: str, value: Any, __: Any) -> Iterator[ValidationError]:
        if isinstance(value, str) and not re.search(re.sub(r"\$\Z", r"\\Z", wanted), value):
            yield ValidationError(f"{value!r} does not match")

    def is_whole(_: Any, value: Any) -> bool:
        return isinstance(value, int) and not isinstance(value, bool)

    checker = Draft202012Validator.TYPE_CHECKER.redefine("integer", is_whole)
    extend: Any = validators.extend
    strict = extend(Draft202012Validator, {"pattern": pattern}, type_checker=checker)
    base = "file:///schemas/"
    # A schema that names its dialect would be judged by jsonschema's own class for that dialect.
    contents = {
        f"{base}{file}.schema.json": {key: value for key, value in load_schema(file).items() if key != "$schema"}
        for file in (name, "common")
    }
    resources = {uri: Resource.from_contents(content, DRAFT202012) for uri, content in contents.items()}
    registry = Registry().with_resources(resources.items()).crawl()
    return strict({"$ref": f"{base}{name}.schema.json"}, registry=registry)
