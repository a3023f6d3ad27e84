"""Policies that are called by their addresses read the same data and observation as in Python."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numba.core.event import install_recorder
from numpy.typing import NDArray

from liarspoker.engine.chance import Chance
from liarspoker.engine.errors import CannotCompile
from liarspoker.engine.lineup import Policy, Together, chosen
from liarspoker.engine.rollout import play
from liarspoker.engine.table import Table
from liarspoker.games.digits.kernel import KERNEL
from liarspoker.games.digits.kernel_policies import answer, answers, uniform

TABLE = Table.of("salomon-1986", seats=2)
WORDS = 8


class Parts(NamedTuple):
    """Data of every kind: numbers, arrays with one and two dimensions, and a tuple."""

    number: Any
    fraction: Any
    flag: Any
    row: NDArray[np.float32]
    grid: NDArray[np.int16]
    pair: tuple[int, float]


def report(seen: Any, chance: Chance, data: Any) -> int:
    """Write what the policy was given to its last array, and return a number made from it."""
    parts, out = data
    out[0], out[1], out[2] = parts.number, parts.fraction, parts.flag
    out[3], out[4], out[5] = parts.row[-1], parts.grid[1, 2], parts.grid.shape[0] * 10 + parts.grid.shape[1]
    out[6], out[7] = parts.pair[0] * parts.pair[1], seen.made * 100 + seen.counts
    chance[0] += np.uint64(1)
    return int(parts.number)


def ask(which: int, chance: Chance, seen: Any, data: Any) -> int:
    return chosen(which, seen, chance, data)


@given(
    number=st.integers(-(2**63), 2**63 - 1),
    fraction=st.floats(allow_nan=False),
    flag=st.booleans(),
    narrow=st.booleans(),
    swapped=st.booleans(),
)
@settings(max_examples=20)
def test_a_policy_called_by_its_address_gets_what_it_gets_in_python(
    number: int, fraction: float, flag: bool, narrow: bool, swapped: bool
) -> None:
    grid = np.arange(12, dtype=np.int16).reshape(3, 4)
    fraction = float(np.float32(0.25)) if narrow else fraction
    parts = Parts(
        np.int64(number),
        np.float32(fraction) if narrow else fraction,
        np.bool_(flag) if narrow else flag,
        np.array([1, 2.5], np.float32),
        grid.T if swapped else grid,
        (7, 0.5),
    )
    by_address, in_python = np.zeros(WORDS), np.zeros(WORDS)
    together = Together([Policy(uniform), Policy(report, (parts, by_address))], TABLE)
    seen = TABLE.observation._replace(made=3, counts=5)
    streams = np.zeros(1, np.uint64), np.zeros(1, np.uint64)
    run = KERNEL.runnable(ask, {chosen: together.choose})
    assert run(1, streams[0], seen, together.data()) == report(seen, streams[1], (parts, in_python)) == number
    assert by_address.tolist() == in_python.tolist()
    assert streams[0] == streams[1] == [1]


def refuse(seen: Any, chance: Chance, data: Any) -> int:
    return answer(seen.auction, seen.rules) if answers(seen.auction, seen.rules) else int(data[0])


def open_high(seen: Any, chance: Chance, data: Any) -> int:
    return answer(seen.auction, seen.rules) if answers(seen.auction, seen.rules) else int(data[1])


def test_each_policy_is_compiled_once_and_not_for_every_line_up() -> None:
    def compiled_for(*policies: Policy) -> list[str]:
        with install_recorder("numba:compile") as recorded:
            play(TABLE, 3, 1, policies)
        return [event.data["dispatcher"].py_func.__name__ for _, event in recorded.buffer if event.is_start]

    low, high, random = Policy(refuse, (4,)), Policy(open_high, (1, 9)), Policy(uniform)
    compiled_for(low, high)
    assert not compiled_for(high, low)
    assert not compiled_for(high, Policy(refuse, (8,)))
    compiled_for(random, high)
    assert not compiled_for(low, random)


@pytest.mark.parametrize("data", ["text", None, {}, [1]])
def test_data_that_machine_code_cannot_read_is_rejected(data: Any) -> None:
    with pytest.raises(CannotCompile, match="it must be a number, an array, or a tuple of these"):
        play(TABLE, 1, 1, [Policy(refuse, (data,)), "uniform"])
