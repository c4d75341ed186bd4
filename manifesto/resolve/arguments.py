"""Arguments of `vllm serve`: layers go in, the words of the command line come out."""

import json
import shlex
from collections.abc import Mapping, Sequence
from typing import Any

from manifesto.checks.spellings import resolve_name
from manifesto.errors import Fault, KeyPath, raise_any
from manifesto.resolve.provenance import Settings

Table = Mapping[str, Any]
Names = Mapping[str, tuple[str, bool]]


def format_arguments(settings: Settings, table: Table) -> list[list[str]]:
    """Return one list of words for each argument that is given, by name, in the form that the release takes.

    `table` is the release's of catalog/vllm/. Raises ManifestoError for values that no command line can hold.
    """
    lines: list[list[str]] = []
    faults: list[Fault] = []
    for key in sorted(settings):
        setting = settings[key]
        try:
            lines += format_argument(key, setting.value, table)
        except ValueError as error:
            problem, remedy = error.args
            faults.append(Fault("argument.value", problem, remedy, setting.path, setting.source))
    raise_any(faults)
    return lines


def format_argument(key: str, value: Any, table: Table) -> list[list[str]]:
    """Return the words of one argument: none where it is omitted, several lists where it is given repeatedly.

    Raises ValueError(problem, remedy) for a value of a kind that the argument cannot take.
    """
    if value is None:
        return []
    head = key.partition(".")[0]
    if head != key:
        return [[f"--{key}={_word(value)}"]]
    flag = table["flags"].get(head.replace("_", "-"))
    option = "--" + head.replace("_", "-")
    if flag is None:
        if isinstance(value, bool):
            return [[option]] if value else []
        return [_pair(option, _word(value))]
    if flag["kind"] != "value":
        return _switch(option, value, flag)
    if isinstance(value, list) and flag.get("repeat"):
        return [_pair(option, _word(item)) for item in value]
    if isinstance(value, list) and flag.get("nargs") == "+":
        return [_several(option, value)]
    if isinstance(value, list) and flag.get("type") == "csv":
        return [_pair(option, ",".join(_word(item) for item in value))]
    if value is True and flag.get("nargs") == "?":
        return [[option]]
    return [_pair(option, _word(value))]


def _switch(option: str, value: Any, flag: Mapping[str, Any]) -> list[list[str]]:
    if not isinstance(value, bool):
        raise ValueError(f"{option} takes no value", "write true or false")
    if value:
        return [[option]]
    return [[flag["negative"]]] if flag["kind"] == "switch" else []


def _several(option: str, items: Sequence[Any]) -> list[str]:
    words = [_word(item) for item in items]
    if not words:
        raise ValueError(f"{option} takes at least one value", "write null to leave it out")
    if len(words) == 1:
        return _pair(option, words[0])
    if any(word.startswith("-") for word in words):
        raise ValueError(f"{option} would take a value with a leading dash for an option", "write it in vllm_raw_args")
    return [option, *words]


def _pair(option: str, word: str) -> list[str]:
    """Return option and value; joined where the parser would take the value for an option."""
    return [f"{option}={word}"] if word.startswith("-") else [option, word]


def _word(value: Any) -> str:
    return compact_json(value) if isinstance(value, dict | list) else str(value)


def compact_json(value: Any) -> str:
    """Return a value as JSON without blanks, the form in which vLLM's parser takes maps and lists."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def quote_line(words: Sequence[str]) -> str:
    """Return words as one line of shell, in which `$NAME` is text and no expansion."""
    return " ".join(shlex.quote(word) for word in words)


def check_reserved(
    role: Mapping[str, Any],
    settings: Settings,
    names: Names,
    rules: Mapping[str, Any],
    present: Sequence[str],
    path: KeyPath,
) -> list[Fault]:
    """Return a fault for every argument of a role that Manifesto derives, that breaks what it renders, or is a secret.

    `names` are the accepted names of the release, `rules` is
    catalog/arguments.yaml, `present` the keys of the spec that exclude an argument. Shell fragments of
    `vllm_raw_args` are judged too, unique prefixes being names as they are to vLLM's parser.
    """
    faults: list[Fault] = []
    places = [(key, setting.value, setting.path) for key, setting in settings.items() if setting.source != "defaults"]
    for index, fragment in enumerate(role.get("vllm_raw_args", ())):
        places += [(word, value, (*path, "vllm_raw_args", index)) for word, value in _options(fragment)]
    for word, value, place in places:
        own = resolve_name(word, names)
        if value is None or not (judged := _judge(own, value, rules, present)):
            continue
        rule, problem, remedy = judged
        faults.append(Fault(rule, problem, remedy, place))
    return faults


def _judge(own: str, value: Any, rules: Mapping[str, Any], present: Sequence[str]) -> tuple[str, str, str] | None:
    for section, rule, told in (
        ("derived", "argument.derived", "Manifesto sets {} itself"),
        ("breaking", "argument.breaking", "{} is not for a spec"),
        ("secret", "secret.argument", "{} would put a secret into the manifest"),
    ):
        for pattern, remedy in rules[section].items():
            if own == pattern or (pattern.endswith("*") and own.startswith(pattern[:-1])):
                return rule, told.format(own), remedy
    if own in rules["beside"] and rules["beside"][own]["key"] in present:
        return "argument.twice", f"{own} is given by another key too", rules["beside"][own]["remedy"]
    if own == "distributed_executor_backend" and value == "ray":
        return "argument.breaking", "Manifesto runs vLLM without ray", "leave distributed_executor_backend out"
    return None


def _options(fragment: str) -> list[tuple[str, str]]:
    """Return (name, value) for each option of a shell fragment; the value is empty where none is seen."""
    try:
        words = shlex.split(fragment)
    except ValueError:
        words = fragment.split()
    found: list[tuple[str, str]] = []
    for index, word in enumerate(words):
        if word.startswith("-") and len(word.lstrip("-")) > 0 and not word.lstrip("-")[0].isdigit():
            name, equals, value = word.lstrip("-").partition("=")
            following = words[index + 1] if index + 1 < len(words) else ""
            found.append((name, value if equals else following))
    return found
