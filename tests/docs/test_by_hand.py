"""What readers do by hand: bash that parses, and a Secret that is made without showing the token."""

import base64
import json
import os
import shlex
import subprocess
from pathlib import Path

import pytest
from conftest import require
from pages import Block, guide_blocks

TOKEN = "hf_" + "x" * 34


@pytest.mark.parametrize("block", guide_blocks("bash"), ids=str)
def test_bash_parses(block: Block) -> None:
    done = subprocess.run([require("bash"), "-n"], input=block.text, text=True, capture_output=True, check=False)
    assert done.returncode == 0, f"{block}: {done.stderr}"


def test_the_secret_is_made_without_showing_the_token(tmp_path: Path) -> None:
    """kubectl, which says only what it would create, gets the token through a pipe, without a newline."""
    (block,) = [block for block in guide_blocks("bash") if "create secret" in block.text]
    program = tmp_path / "kubectl"
    kubectl = shlex.quote(require("kubectl"))
    program.write_text(f'#!/bin/sh\necho "$@" > {tmp_path}/argv\nexec {kubectl} "$@" --dry-run=client --output json\n')
    program.chmod(0o755)
    done = subprocess.run(
        [require("bash"), "-c", block.text],
        input=f"{TOKEN}\nnot the token\n",
        env={**os.environ, "PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}"},
        text=True,
        capture_output=True,
        check=True,
        timeout=60,
    )
    secret = json.loads(done.stdout)
    assert (secret["kind"], secret["metadata"]) == ("Secret", {"name": "hf-secret", "namespace": "team-a"})
    assert {name: base64.b64decode(value).decode() for name, value in secret["data"].items()} == {"HF_TOKEN": TOKEN}
    assert TOKEN not in (tmp_path / "argv").read_text() + done.stderr
