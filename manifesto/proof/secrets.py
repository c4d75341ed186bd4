"""Secrets: none stands in a manifest in clear. No problem told here shows what it found."""

import re
from collections.abc import Iterator, Sequence

from manifesto.checks.secrets import SECRET_VARIABLES
from manifesto.errors import TOKEN, KeyPath
from manifesto.kubernetes.expansion import is_reference
from manifesto.proof.documents import Container, Document, as_text, each_entry, each_mapping, pod_templates, walk
from manifesto.proof.findings import Finding

_OPTION = re.compile(r"--(?:api[-_]key|hf[-_]token)")
_CLEAR = re.compile(
    rf"(?<![\w-])(?:{_OPTION.pattern}(?:=|[ \t]+(?:\\\n[ \t]*)?)|(?:{'|'.join(SECRET_VARIABLES)})=)"
    r"""(?:'[^']+'|"[^"$`]+"|[^-\s"'$`][^\s"'$`]*(?=[\s;&|)]|\Z))"""
)
_REMEDY = "write it to a Secret and name that with valueFrom: {secretKeyRef: …}"


def judge_tokens(documents: Sequence[Document]) -> Iterator[Finding]:
    """Yield every text that looks like a Hugging Face token, but for what stands in a Secret."""
    for index, document in enumerate(documents):
        for path, value in walk(document) if document.get("kind") != "Secret" else ():
            if isinstance(value, str) and TOKEN.search(value):
                yield Finding("proof.token", index, path, f"this looks like a Hugging Face token; {_REMEDY}")


def judge_secrets(documents: Sequence[Document]) -> Iterator[Finding]:
    """Yield secrets that stand in clear by the names of variables, options and keys of ConfigMaps."""
    for template in pod_templates(documents):
        for container in template.containers():
            for path in (*_find_variables(container), *_find_options(container)):
                yield _refuse(template.document, path)
    for index, document in enumerate(documents):
        if document.get("kind") == "ConfigMap":
            for key, value in each_entry(document.get("data")):
                if key in SECRET_VARIABLES and as_text(value) and not TOKEN.search(value):
                    yield _refuse(index, ("data", key))


def _find_variables(container: Container) -> Iterator[KeyPath]:
    """Yield the paths of variables with a literal secret; a value that is nothing but `$(NAME)` is none."""
    for at, entry in each_mapping(container.body.get("env")):
        value = as_text(entry.get("value"))
        if entry.get("name") in SECRET_VARIABLES and value and not is_reference(value) and not TOKEN.search(value):
            yield (*container.path, "env", at, "value")


def _find_options(container: Container) -> Iterator[KeyPath]:
    """Yield the paths of words and scripts that hold an option or assignment with a literal secret."""
    for key in ("command", "args"):
        words = container.body.get(key)
        words = [as_text(word) for word in words] if isinstance(words, list) else []
        for at, (before, word) in enumerate(zip(["", *words], words, strict=False)):
            follows = _OPTION.fullmatch(before) and word and not word.startswith("-") and not is_reference(word)
            if (follows or _CLEAR.search(word)) and not TOKEN.search(word):
                yield (*container.path, key, at)


def _refuse(document: int, path: KeyPath) -> Finding:
    return Finding("proof.secret", document, path, f"a secret stands here in clear; {_REMEDY}")
