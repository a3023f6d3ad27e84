"""Shared configuration: randomness, Hypothesis profiles (see HYPOTHESIS_PROFILE), and the report of skipped tests."""

import os
import signal
import sys
from pathlib import Path

import pytest
from hypothesis import settings

from tests import chance
from tests.effort import PROFILE
from tests.system_programs import skipped_programs

chance.replace()  # before the package is imported

# Machine code compiled in tests is cached in `build/`, for later runs and for all processes of this one.
os.environ.setdefault("LIARSPOKER_CACHE", str(Path(__file__).resolve().parent.parent / "build" / "cache"))

# Keep bytecode: otherwise, every process compiles the tests, and every program started by a test compiles the package.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

# Scripts start background jobs, such as `make test &`, with Ctrl-C ignored, and child processes inherit this. Tests
# that press Ctrl-C need it to work, here and in the programs that they start.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# The same examples in every run, so that a failure is about the change under test; `soak` explores.
settings.register_profile("default", max_examples=25, deadline=None, derandomize=True, print_blob=True)
# For the run that only measures coverage.
settings.register_profile("quick", max_examples=10, deadline=None, derandomize=True, print_blob=True)
settings.register_profile("soak", max_examples=20_000, deadline=None, print_blob=True)

settings.load_profile(PROFILE)

LONGEST = ("/faults/", "test_book.py", "/journeys/", "engine/test_bots.py")
"""Parts of the names of the tests that take longest."""


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Seed the randomness of every test with its name, so that it doesn't depend on other tests."""
    chance.begin(item.nodeid)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselect tests that only `make soak` runs, and run those first that take longest.

    Run last, they would leave other workers idle.
    """
    items.sort(key=lambda item: not any(place in item.nodeid for place in LONGEST))
    if PROFILE != "soak":
        long = [item for item in items if any(mark.kwargs.get("only") for mark in item.iter_markers("soak"))]
        config.hook.pytest_deselected(items=long)
        items[:] = [item for item in items if item not in long]


def pytest_xdist_auto_num_workers() -> int:
    """Use one more worker than processors, because tests often wait for a browser, a disk or another program."""
    return (os.cpu_count() or 1) + 1


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Report the tests that were skipped because a system program is missing."""
    reasons = [report.longrepr[2] for report in terminalreporter.stats.get("skipped", [])]
    for line in skipped_programs(reasons):
        terminalreporter.write_line(line, yellow=True)
