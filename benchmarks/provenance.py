"""Where and on what code a measurement was taken."""

import os
import platform
import subprocess
from pathlib import Path


def commit() -> str:
    """Return the measured commit, with a `+` if there are uncommitted changes."""
    described = subprocess.run(
        ["git", "describe", "--always", "--abbrev=12", "--dirty=+"],
        cwd=Path(__file__).parent,
        capture_output=True,
        text=True,
        check=False,
    )
    return described.stdout.strip() or "no commit"


def processor() -> str:
    """Return the processor's name and the number of cores."""
    name = platform.processor() or platform.machine()
    information = Path("/proc/cpuinfo")
    if information.exists():
        models = [line for line in information.read_text().splitlines() if line.startswith("model name")]
        name = models[0].partition(":")[2].strip() if models else name
    return f"{name}, {os.cpu_count()} cores"


def provenance() -> str:
    """Return the first line of a benchmark's output: machine, Python and commit."""
    python = f"{platform.python_implementation()} {platform.python_version()}"
    return f"{processor()}; {platform.system()}; {python}; commit {commit()}"
