"""What tests need of the machine, beyond what `.venv` holds, and what happens where it is not there."""

import os
from collections import Counter
from collections.abc import Iterable
from typing import NoReturn

import pytest

_BECAUSE = "needs "


def leave_out(program: str, package: str) -> NoReturn:
    """Skip the test that wants a program of the system; in continuous integration, where all is promised, fail it.

    Args:
        program: what is not there, as in "PostgreSQL".
        package: Debian's package that has it.
    """
    if os.environ.get("CI"):
        pytest.fail(f"{program} is needed here: install the package {package}")
    pytest.skip(f"{_BECAUSE}{program} (install the package {package})")


def left_out(reasons: Iterable[str]) -> list[str]:
    """A line for each program whose lack left tests out, from the reasons of all skipped tests."""
    bare = (reason.removeprefix("Skipped: ") for reason in reasons)
    counts = Counter(reason.removeprefix(_BECAUSE) for reason in bare if reason.startswith(_BECAUSE))
    return [f"Left out for want of {reason}: {count}" for reason, count in sorted(counts.items())]
