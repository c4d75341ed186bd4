"""What a script says is what bash gets, whatever Kubernetes expands."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from manifesto.kubernetes.expansion import escape_expansions, find_references, is_reference

VARIABLES = {"A": "!", "B": "?", "AB": "#"}


def expand(text: str) -> str:
    """Expand as the kubelet does (third_party/forked/golang/expansion/expand.go)."""
    out, at = "", 0
    while at < len(text):
        following = text[at + 1 : at + 2]
        if text[at] != "$" or not following:
            out, at = out + text[at], at + 1
        elif following == "(" and ")" in text[at:]:
            end = text.index(")", at)
            name = text[at + 2 : end]
            out, at = out + VARIABLES.get(name, f"$({name})"), end + 1
        else:
            out, at = out + ("$" if following == "$" else f"${following}"), at + 2
    return out


@given(st.text(alphabet="$()AB x\n", max_size=16))
def test_text_survives(text: str) -> None:
    assert expand(escape_expansions(text)) == text


@pytest.mark.parametrize(
    ("text", "escaped"),
    [
        ("$(NAME) $$ ${#x[@]} $x", "$$(NAME) $$$$ ${#x[@]} $x"),
        ("$(basename $(pwd))", "$(basename $(pwd))"),
        ('"$(echo $$)"', '"$(echo $$)"'),
        ("$(date) $(date +%s) $(", "$$(date) $(date +%s) $("),
        ("$$$(A)", "$$$$$$(A)"),
    ],
)
def test_only_what_kubernetes_would_take_is_escaped(text: str, escaped: str) -> None:
    assert escape_expansions(text) == escaped


def test_references() -> None:
    assert find_references("$(A)/$$(B)/$(C d)/$(E-f.g)") == {"A", "E-f.g"}
    assert is_reference("$(A)")
    assert not any(map(is_reference, ("$$(A)", "x$(A)", "$(A)x", "$()", "A", "")))
