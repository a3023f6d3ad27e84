"""What all tests share: chance, how hard hypothesis looks (see HYPOTHESIS_PROFILE), and what was left out."""

import os
import signal
import sys
from pathlib import Path

import pytest
from hypothesis import settings

from tests import chance
from tests.effort import PROFILE
from tests.needs import left_out

chance.replace()  # before anything of the package is imported

# Machine code that the tests make is kept with what else is built, for the next run and for all processes of this one.
os.environ.setdefault("LIARSPOKER_CACHE", str(Path(__file__).resolve().parent.parent / "build" / "cache"))

# Bytecode is kept: otherwise every process of a run compiles the tests, and every program that they start the package.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

# A script starts background jobs, such as `make test &`, with Ctrl-C ignored, and every program inherits that from the
# one that starts it. Tests that press Ctrl-C need it to work, here and in the programs that they start.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# The same examples in every run, so that a failure is about the change under test; `soak` explores.
settings.register_profile("default", max_examples=25, deadline=None, derandomize=True, print_blob=True)
# For the run that only measures which lines the tests reach.
settings.register_profile("quick", max_examples=10, deadline=None, derandomize=True, print_blob=True)
settings.register_profile("soak", max_examples=20_000, deadline=None, print_blob=True)

settings.load_profile(PROFILE)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Give every test the same chance in every run, whatever ran before it."""
    chance.begin(item.nodeid)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what only `make soak` runs, and run browser journeys first.

    Those take longest: at the end, other workers would wait for the last of them.
    """
    items.sort(key=lambda item: "/journeys/" not in item.nodeid)
    if PROFILE != "soak":
        long = [item for item in items if any(mark.kwargs.get("only") for mark in item.iter_markers("soak"))]
        config.hook.pytest_deselected(items=long)
        items[:] = [item for item in items if item not in long]


def pytest_xdist_auto_num_workers() -> int:
    """One more than there are processors: much of the time a browser, a disk or another program is waited for."""
    return (os.cpu_count() or 1) + 1


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say plainly which tests did not run for want of a program of the system."""
    reasons = [report.longrepr[2] for report in terminalreporter.stats.get("skipped", [])]
    for line in left_out(reasons):
        terminalreporter.write_line(line, yellow=True)
