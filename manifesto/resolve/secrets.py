"""Literal secrets: found in environment, arguments and documents, and refused before anything shows them."""

from collections.abc import Iterator, Mapping
from typing import Any

from manifesto.checks.secrets import SECRET_VARIABLES, SUSPECT_ENDINGS
from manifesto.errors import TOKEN, Fault, KeyPath
from manifesto.kubernetes.expansion import is_reference
from manifesto.resolve.provenance import Settings


def find_tokens(document: Any, source: str, path: KeyPath = ()) -> Iterator[Fault]:
    """Yield a fault for every text of a document that looks like a Hugging Face token."""
    if isinstance(document, Mapping):
        for key, value in document.items():
            yield from find_tokens(value, source, (*path, key))
            yield from find_tokens(key, source, (*path, key))
    elif isinstance(document, list):
        for index, value in enumerate(document):
            yield from find_tokens(value, source, (*path, index))
    elif isinstance(document, str) and TOKEN.search(document):
        yield Fault(
            "secret.token",
            "this looks like a Hugging Face token",
            "leave it out: every model container reads HF_TOKEN from Secret hf-secret",
            path,
            source,
        )


def judge_environment(environment: Settings) -> tuple[list[Fault], list[Fault]]:
    """Return (faults, warnings) for literal secrets by the names of variables.

    A value that is nothing but a reference `$(NAME)` is no literal.
    """
    faults: list[Fault] = []
    warnings: list[Fault] = []
    for name, setting in environment.items():
        if isinstance(setting.value, Mapping) or is_reference(str(setting.value)):
            continue
        if name in SECRET_VARIABLES:
            remedy = (
                "leave it out: every model container reads it from Secret hf-secret"
                if name != "VLLM_API_KEY"
                else f"write {name}: {{secret: NAME, key: KEY}}"
            )
            faults.append(
                Fault(
                    "secret.literal",
                    f"{name} would stand in the manifest in clear",
                    remedy,
                    setting.path,
                    setting.source,
                )
            )
        elif name.endswith(SUSPECT_ENDINGS) and setting.value != "":
            warnings.append(
                Fault(
                    "secret.suspect",
                    f"{name} stands in the manifest in clear",
                    f"if it is a secret, write {name}: {{secret: NAME, key: KEY}}",
                    setting.path,
                    setting.source,
                )
            )
    return faults, warnings
