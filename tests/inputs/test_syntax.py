"""What stops being YAML is told in plain words, at the place to mend."""

import pytest

from manifesto.errors import ManifestoError
from manifesto.inputs.documents import read_mapping


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("a:\n\tb: 1\n", "2:1: a tab stands in the indentation; indent with spaces"),
        ("a:\n  b: 1\n\tc: 2\n", "3:1: a tab stands in the indentation; indent with spaces"),
        ("a: |\n\tx\n", "2:1: a tab stands in the indentation; indent with spaces"),
        ('a: 1\nb: "x\nc: 2\n', "2:4: the quote that opens here is not closed; close it"),
        ("a: [1,\n2\nb: 3\n", "3:2: the list that begins in line 1 is not closed before this; write ',' or ']'"),
        ("a: {b: 1\nc: 2\n", "2:2: the mapping that begins in line 1 is not closed before this; write ',' or '}'"),
        ("a: [1\n", "2:1: the list that begins in line 1 is not closed before this; write ',' or ']'"),
        ("a: [\n", "2:1: a value is missing here; close the brackets that are open"),
        ("a: 1\nb: }\n", "2:4: this bracket closes nothing; leave it out, or put the text in quotes"),
        ("a: b: c\n", "1:5: a second colon stands in this line; put the text in quotes, or begin a new line"),
        ("a: b\n  c: d\n", "2:4: no key can stand here; look at the end and the indentation of the line above"),
        ("a: 1\nb 2\nc: 3\n", "2:1: this line has no colon; write key: value"),
        ("a: {b: c:}\n", "1:9: this colon ends no key; write a blank behind it, or put the text in quotes"),
        ("a: - b\n", "1:4: a list item cannot stand here; begin a new line"),
        (
            "a:\n  b: 1\n c: 2\n",
            "3:2: this is no key of the mapping that begins in line 1; look at the indentation, quotes and brackets here",
        ),
        (
            "a:\n  - b\n  c: 2\n",
            "3:3: this is no item of the list that begins in line 2; look at the indentation, quotes and brackets here",
        ),
        ("a: 'b' c\n", "1:8: text follows a value that has ended; put the whole value in quotes"),
        ("a: {b}-c\n", "1:7: text follows a value that has ended; put the whole value in quotes"),
        ("a: @b\n", "1:4: a value cannot begin with @; put the text in quotes"),
        ("a: `b`\n", "1:4: a value cannot begin with `; put the text in quotes"),
        ("a: %b\n", "1:4: a value cannot begin with %; put the text in quotes"),
        ("a: *.txt\n", "1:5: * and & begin names of anchors here; put the text in quotes"),
        ("a: *b\n", "1:4: no anchor before it is called &b; put it in quotes if it is text"),
        (
            'a: "C:\\dir"\n',
            "1:7: the backslash begins no escape that YAML knows; use single quotes, or write two backslashes",
        ),
        ('a: "\\ud83d\\ude00"\n', "1:7: this escape is half a character; write the character itself"),
        ("{a: 1} b\n", "1:8: text follows the end of the document; leave it out"),
        ("%YAML 3.0\n---\na: 1\n", "1:1: this is not YAML: found incompatible YAML document; look at the quotes,"),
        ("'😀': [\n", "2:1: a value is missing here; close the brackets that are open"),
    ],
)
def test_syntax(text: str, told: str) -> None:
    with pytest.raises(ManifestoError) as caught:
        read_mapping(text.encode(), "f.yaml")
    (fault,) = caught.value.faults
    assert str(fault).startswith(f"f.yaml:{told}")
    assert fault.rule == "yaml.syntax"
