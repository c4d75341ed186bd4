"""One layer's vLLM arguments: every accepted name of one argument becomes one key before layers merge."""

from collections.abc import Iterable, Mapping
from typing import Any

from manifesto.checks.spellings import find_key
from manifesto.errors import Fault, KeyPath


def unify_names(
    arguments: Mapping[str, Any], names: Mapping[str, tuple[str, bool]], path: KeyPath, weaker: Iterable[str] = ()
) -> tuple[dict[str, Any], dict[str, str], list[Fault]]:
    """Return one layer's arguments by key, the written name of each key, and the faults.

    A negative form turns its value round (`no_enable_x: true` is `enable_x: false`); null and `$delete`
    stay. A dotted name keeps its spelling, or takes that of `weaker`, the keys of the layers below. Two names
    of one argument, or a negative form that is no switch, are faults.
    """
    dotted = {find_key(name, names)[0]: name for name in weaker if "." in name}
    unified: dict[str, Any] = {}
    written: dict[str, str] = {}
    faults: list[Fault] = []
    for name, value in arguments.items():
        key, negative = find_key(name, names)
        if "." in name:
            key = dotted.setdefault(key, name)
        if key in unified:
            faults.append(
                Fault(
                    "argument.two-spellings",
                    f"{name} and {written[key]} are one argument",
                    "keep one of them",
                    (*path, name),
                    others=((*path, written[key]),),
                )
            )
            continue
        if negative and value not in (None, "$delete"):
            if not isinstance(value, bool):
                faults.append(
                    Fault(
                        "argument.negative-form",
                        f"{name} is the negative form of {key}",
                        "give it true or false",
                        (*path, name),
                    )
                )
                continue
            value = not value
        unified[key] = value
        written[key] = name
    return unified, written, faults
