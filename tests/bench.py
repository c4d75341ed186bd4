"""Print how long commands take, as ratios within one run: the machine's speed cancels out. Fails for nothing."""

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

ROUNDS = 15
IMPORTS = "import click, yaml, jinja2, jsonschema, deepmerge"
RENDER = ["-m", "manifesto", "render", "manifest", "qwen/aggregated", "--cluster", "example-gb200"]
CATALOG = """
import io, json, time
from contextlib import redirect_stderr, redirect_stdout
from manifesto.cli import run
from manifesto.inputs.catalog import list_catalog
from pathlib import Path
nowhere = Path("/nowhere")
pairs = [(m.name, c.name) for m in list_catalog("models", nowhere) for c in list_catalog("clusters", nowhere)]
times = []
for _ in range(5):
    for model, cluster in pairs:
        with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
            begin = time.perf_counter()
            run(["render", "manifest", model, "--cluster", cluster])
            times.append(time.perf_counter() - begin)
print(json.dumps(sum(times) / len(times) * 1000))
"""


def spend(words: list[str], environment: dict[str, str]) -> float:
    """Return the wall seconds of one Python process."""
    begin = time.perf_counter()
    subprocess.run([sys.executable, *words], env=environment, check=True, capture_output=True)
    return time.perf_counter() - begin


def compare(first: Callable[[], float], second: Callable[[], float]) -> float:
    """Return the median of first/second over rounds in turn, so that a drift of the machine hits both."""
    first(), second()
    return median(first() / second() for _ in range(ROUNDS))


def peak_mib(words: list[str], environment: dict[str, str]) -> float:
    """Return the peak memory of one Python process, in MiB."""
    read, write = os.pipe()
    if (child := os.fork()) == 0:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        os.dup2(1, 2)
        os.execve(sys.executable, [sys.executable, *words], environment)
    os.close(read), os.close(write)
    _, _, usage = os.wait4(child, 0)
    return usage.ru_maxrss / 1024


def main() -> None:
    """Measure and print one line for each figure, with its goal."""
    with tempfile.TemporaryDirectory() as folder:
        kept = {"PATH": os.environ["PATH"], "HOME": folder, "LC_ALL": "C.UTF-8"}
        cold = {**kept, "XDG_CACHE_HOME": "/dev/null/none"}
        imports, nothing = ["-c", IMPORTS], ["-c", "pass"]
        rows = [
            ("render, warm / five imports", 1.2, compare(lambda: spend(RENDER, kept), lambda: spend(imports, kept))),
            ("render, cold / five imports", 2.5, compare(lambda: spend(RENDER, cold), lambda: spend(imports, kept))),
            ("--help / python -c pass", 6, compare(lambda: spend(["-m", "manifesto", "--help"], kept),
                                                   lambda: spend(nothing, kept))),
        ]  # fmt: skip
        done = subprocess.run([sys.executable, "-c", CATALOG], env=kept, check=True, capture_output=True, text=True)
        rows.append(("whole catalog, ms a manifest", 20, json.loads(done.stdout)))
        rows.append(("peak memory of a render, MiB", 60, peak_mib(RENDER, kept)))
    for name, goal, value in rows:
        print(f"{name:32} {value:6.2f}   (goal: at most {goal})")
    print(
        f"this process: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024} MiB; {Path(sys.executable).name}"
    )


if __name__ == "__main__":
    main()
