"""After any fault, play resumes soon, and no acknowledged command is lost or takes effect twice."""

from __future__ import annotations

import asyncio

import pytest

from tests.server.faults.__main__ import report
from tests.server.faults.campaign import Result, campaign
from tests.server.faults.strikes import FAULTS, Fault, Freeze
from tests.server.faults.world import Shape

TIMES = 2
SLACK = 10.0
"""A factor for time limits on a busy machine."""
SHAPES = (Shape("sqlite", 1), Shape("postgres", 2, "nats"))
PARTS = 2
"""The faults of a world are tested in this many tests, so that they can run at the same time."""


ONLY_SOAKED = (Freeze,)
"""In some runs, a transaction of the suspended server blocks the others for a minute."""


def faults_of(shape: Shape) -> list[type[Fault]]:
    """Return the faults that apply to this world, but to none of the worlds before it."""
    before = SHAPES[: SHAPES.index(shape)]
    fresh = [fault for fault in FAULTS if fault().fits(shape) and not any(fault().fits(other) for other in before)]
    return [fault for fault in fresh if fault not in ONLY_SOAKED]


@pytest.mark.slow
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_no_acknowledged_move_is_lost_in_any_fault(shape: Shape, part: int) -> None:
    faults = [(fault(), number) for fault in faults_of(shape)[part::PARTS] for number in range(1, TIMES + 1)]

    async def strike() -> list[Result]:
        return [result async for result in campaign(shape, faults, seed=7, slack=SLACK)]

    results = asyncio.run(strike())
    wrong = [f"{result.fault}, run {result.number}: {one}" for result in results for one in result.wrong]
    assert not wrong, "\n".join(wrong)
    assert not any(result.lost for result in results)
    assert results[-1].acknowledged > 10 * len(faults)


def test_the_report_counts_the_last_result_of_every_run() -> None:
    results = [
        Result("kill", "sqlite 1 local", 1, seconds=9.0, acknowledged=40, wrong=["too slow"]),
        Result("kill", "sqlite 1 local", 1, seconds=1.5, acknowledged=40),
        Result("kill", "sqlite 1 local", 2, acknowledged=2, lost=1),
    ]
    assert report([result.as_json() for result in results]).splitlines() == [
        "fault  database  nodes  bus    runs  passed  worst s  acknowledged  lost",
        "kill   sqlite    1      local  2     1       1.5      42            1",
    ]
