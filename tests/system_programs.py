"""System programs that tests need, and skipping tests where they are missing."""

import os
from collections import Counter
from collections.abc import Iterable
from typing import NoReturn

import pytest

_BECAUSE = "needs "


def skip_without(program: str, package: str) -> NoReturn:
    """Skip a test that needs a missing system program; in continuous integration, fail it.

    Args:
        program: the missing program, such as "PostgreSQL".
        package: the Debian package that contains it.
    """
    if os.environ.get("CI"):
        pytest.fail(f"{program} is needed here: install the package {package}")
    pytest.skip(f"{_BECAUSE}{program} (install the package {package})")


def skipped_programs(reasons: Iterable[str]) -> list[str]:
    """Return a line for each missing program with the number of tests skipped, given the reasons of all skips."""
    bare = (reason.removeprefix("Skipped: ") for reason in reasons)
    counts = Counter(reason.removeprefix(_BECAUSE) for reason in bare if reason.startswith(_BECAUSE))
    return [f"Tests skipped because {reason} is missing: {count}" for reason, count in sorted(counts.items())]
