"""Files of a pack: scripts and configurations, rendered before the objects that carry them."""

import hashlib
from collections.abc import Mapping
from typing import Any

from jinja2 import Environment

from manifesto.kubernetes.expansion import escape_expansions
from manifesto.render.pack import Pack


def add_files(pack: Pack, scope: str, context: Mapping[str, Any], environment: Environment) -> dict[str, Any]:
    """Return the context with the text and the SHA-256 of every file of that scope.

    The text of file `x` is the key `x`, its digest the key `x_sha256`. A file without marks is passed through. What
    becomes an argument of a container is escaped as a whole, so that Kubernetes passes on what stands in the file.
    """
    full = dict(context)
    for file in pack.files:
        if file.scope != scope:
            continue
        if file.template:
            text = environment.get_template(f"files/{file.file}").render(context)
        else:
            text = (pack.folder / "files" / file.file).read_text(encoding="utf-8")
        if file.argument:
            text = escape_expansions(text)
        full[file.name] = text
        full[f"{file.name}_sha256"] = hashlib.sha256(text.encode()).hexdigest()
    return full
