"""Rounds of the card games per second and core, compiled, compared with Python sessions in the same run.

Both play whole matches with uniformly random legal actions, by the same rule functions: compiled, and, as the peer, as
`liarspoker simulate --engine python` plays them. Times are processor times of one thread, to reduce the influence of
other programs; each is the best of several runs. A start is compared with one of the digit games.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections import deque
from collections.abc import Callable
from time import process_time

from provenance import provenance

from liarspoker.bots.contest import Contest
from liarspoker.bots.contest import totals as contest_totals
from liarspoker.cache import CACHE_VARIABLE
from liarspoker.cli.compiled_contest import prepare, totals

RUNS = 5
TABLES = (
    ("queen-annes", 2),
    ("queen-annes", 5),
    ("queen-annes-indian", 3),
    ("queen-annes-stud", 3),
    ("thorin", 3),
    ("thorin", 5),
)
PEER = "salomon-1986"
STARTS = (PEER, "queen-annes", "thorin")
MATCHES = 10_000
PEER_MATCHES = 40
WANTED = 100_000
START = """
from liarspoker.bots.contest import Contest
from liarspoker.cli.compiled_contest import prepare
prepare(Contest("{game}", ("uniform",) * 2, 1, seed=1))
"""


def best_rate(played: Callable[[], int]) -> float:
    """Return the rounds per second of processor time, the best of several runs."""
    rates = []
    for _ in range(RUNS):
        begun = process_time()
        rounds = played()
        rates.append(rounds / (process_time() - begun))
    return max(rates)


def starts(game: str) -> tuple[float, float]:
    """Return the processor time in seconds of a process that compiles, and of one that loads from the cache."""
    with tempfile.TemporaryDirectory() as folder:
        seconds = []
        for _ in range(2):
            before = os.times()
            start = [sys.executable, "-c", START.format(game=game)]
            subprocess.run(start, env={**os.environ, CACHE_VARIABLE: folder}, check=True)
            after = os.times()
            spent = after.children_user + after.children_system - before.children_user - before.children_system
            seconds.append(spent)
    return seconds[0], seconds[1]


def ours(contest: Contest) -> int:
    return deque(totals(contest, jobs=1), maxlen=1)[0].rounds


def theirs(contest: Contest) -> int:
    return deque(contest_totals(contest, jobs=1), maxlen=1)[0].rounds


def main() -> int:
    print(provenance())
    good = True
    for game in STARTS:
        first, second = starts(game)
        print(f"{game}: first start, compiling: {first:.1f} s; second: {second:.1f} s (processor time, all included)")
        good &= game == PEER or (first < 20 and second < 2)
    for game, players in TABLES:
        contest = Contest(game, ("uniform",) * players, MATCHES, seed=1)
        prepare(contest)
        rate = best_rate(lambda contest=contest: ours(contest))  # type: ignore[misc]
        peers = Contest(game, ("uniform",) * players, PEER_MATCHES, seed=1)
        peer = best_rate(lambda contest=peers: theirs(contest))  # type: ignore[misc]
        said = f"{rate:,.0f} rounds a second, Python {peer:,.0f}: {rate / peer:,.0f} times"
        print(f"{game}, {players} players: {said}")
        good &= rate >= WANTED
    print("all targets met" if good else f"TOO SLOW: the targets are {WANTED:,} rounds a second, 20 s and 2 s")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
