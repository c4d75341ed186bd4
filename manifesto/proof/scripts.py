"""Scripts: what bash is given after Kubernetes' expansion, and the `vllm serve` command at their end."""

import re
import shlex
from collections.abc import Mapping, Sequence
from itertools import takewhile
from typing import NamedTuple

from manifesto.kubernetes.expansion import REFERENCE
from manifesto.proof.documents import Container, as_text, each_mapping

_SERVE = re.compile(r"^[ \t]*(?:exec[ \t]+)?(?=vllm[ \t]+serve\b)", re.MULTILINE)
_OPTIONS: Mapping[str, str] = {
    "--port": "port",
    "--tensor-parallel-size": "tp",
    "-tp": "tp",
    "--pipeline-parallel-size": "pp",
    "-pp": "pp",
    "--data-parallel-size": "dp",
    "-dp": "dp",
    "--data-parallel-size-local": "local",
    "-dpl": "local",
    "--data-parallel-rank": "external",
    "-dpn": "external",
    "--data-parallel-external-lb": "external",
    "-dpe": "external",
    "--data-parallel-multi-port-external-lb": "multi-port",
    "-dpm": "multi-port",
    "--data-parallel-supervisor-port": "supervisor",
    "--nnodes": "nodes",
    "-n": "nodes",
}
"""vLLM's spellings of the options that the proof judges."""
_ENDS = ";<>|&\n"
_EXPANSION = re.compile(r"[$`]")


class Command(NamedTuple):
    """The words of a command after `vllm serve`; one with spaces in an expansion without quotes is in pieces."""

    words: Sequence[str]

    @property
    def open(self) -> bool:
        """Whether an expansion stands where it may be any options: not as the model's name or an option's value."""
        pairs = zip(self.words, self.words[1:], strict=False)
        bare = any(_EXPANSION.search(word) for before, word in pairs if not (before[:1] == "-" or word[:1] == "-"))
        return bare or any(word.count("(") != word.count(")") or word.count("`") % 2 for word in self.words)

    def has(self, option: str) -> bool:
        """Whether an option stands there in any spelling."""
        return any(_find_option(word) == option for word in self.words)

    def number(self, option: str, default: int | None) -> int | None:
        """Return the value of an option, the last counts; None where it is no literal number."""
        found = None if self.open else default
        for word, following in zip(self.words, (*self.words[1:], ""), strict=True):
            if _find_option(word) == option:
                text = word.partition("=")[2] or following
                found = int(text) if re.fullmatch(r"[0-9]{1,9}", text) else None
        return found


def expand(text: str, environment: Mapping[str, str]) -> str:
    """Return a text of command, args or env as the container gets it.

    `$$` is one dollar, `$(NAME)` the variable's value where it is known, else it stays as it is
    (k8s.io/kubernetes third_party/forked/golang/expansion).
    """
    return REFERENCE.sub(lambda match: "$" if match["name"] is None else environment.get(match["name"], match[0]), text)


def read_environment(container: Container) -> dict[str, str]:
    """Return the variables of a container that have a literal value; each may name those before it."""
    known: dict[str, str] = {}
    for _, entry in each_mapping(container.body.get("env")):
        if "valueFrom" in entry:
            known.pop(as_text(entry.get("name")), None)
        else:
            known[as_text(entry.get("name"))] = expand(as_text(entry.get("value")), known)
    return known


def find_serve(script: str) -> Command | None:
    """Return the last command of a script that is `vllm serve` in literal words, None where there is none.

    It may follow `exec` and end in `&` or a redirection.
    """
    joined = script.replace("\\\n", " ")
    starts = [match.end() for match in _SERVE.finditer(joined)]
    if not starts:
        return None
    lexer = shlex.shlex(joined[starts[-1] :], posix=True, punctuation_chars=_ENDS)
    lexer.whitespace, lexer.whitespace_split, lexer.commenters = " \t\r", True, ""
    try:
        words = list(takewhile(lambda word: not word or set(word) - set(_ENDS), lexer))
    except ValueError:
        return None
    return Command(words[2:])


def _find_option(word: str) -> str:
    """Return which option a word is, as vLLM's parser reads it: `_` is `-`, a unique beginning is the whole."""
    name = word.partition("=")[0].replace("_", "-")
    if name in _OPTIONS:
        return _OPTIONS[name]
    begun = {key for option, key in _OPTIONS.items() if name.strip("-") and option.startswith(name)}
    return begun.pop() if len(begun) == 1 and name.startswith("--") else ""
