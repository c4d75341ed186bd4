"""Where this Manifesto comes from: the commit that the header of a manifest names."""

import json
import subprocess
from functools import cache

from manifesto import __version__
from manifesto.data import CHECKOUT, PACKAGE


@cache
def find_commit() -> str:
    """Return the commit of the installed package, else of the checkout, else the tag of the version.

    An installation from a repository records its commit in the package's metadata (PEP 610, direct_url.json).
    """
    for metadata in PACKAGE.parent.glob("llm_manifesto-*.dist-info/direct_url.json"):
        recorded = json.loads(metadata.read_bytes())
        if commit := recorded.get("vcs_info", {}).get("commit_id"):
            return str(commit)
    if (CHECKOUT / ".git").exists():
        command = ["git", "-C", str(CHECKOUT), "rev-parse", "--verify", "HEAD"]
        try:
            asked = subprocess.run(command, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)
        except OSError:
            asked = None
        if asked and asked.returncode == 0:
            return asked.stdout.strip()
    return f"v{__version__}"
