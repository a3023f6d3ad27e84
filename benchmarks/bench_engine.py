"""Random rounds per second and core with the compiled engine, compared with OpenSpiel's `python_liars_poker`.

A round of the engine is complete: dealt, bid, counted and settled by Salomon's rules of 1986 with all bonuses, and
written to arrays. The peer deals and plays the two-player game without any of these. Both choose legal actions
uniformly. Times are processor times of one thread, to reduce the influence of other programs; each is the best of
several runs. Both are measured in the same run.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Callable
from time import process_time

from provenance import provenance

from liarspoker.cache import CACHE_VARIABLE
from liarspoker.engine.rollout import play
from liarspoker.engine.table import Table

RUNS = 5
ROUNDS = 200_000
PEER_ROUNDS = 1_500
WANTED = {2: 2_000_000, 5: 1_000_000}
WANTED_RATIO = 400
START = """
from liarspoker.engine.rollout import play
from liarspoker.engine.table import Table
play(Table.of("salomon-1986", seats=2), 10, seed=1)
"""


def best_rate(rounds: int, played: Callable[[], object]) -> float:
    """Return the rounds per second of processor time, the best of several runs."""
    rates = []
    for _ in range(RUNS):
        begun = process_time()
        played()
        rates.append(rounds / (process_time() - begun))
    return max(rates)


def starts() -> tuple[float, float]:
    """Return the processor time in seconds of a process that compiles, and of one that loads from the cache."""
    with tempfile.TemporaryDirectory() as folder:
        seconds = []
        for _ in range(2):
            before = os.times()
            subprocess.run([sys.executable, "-c", START], env={**os.environ, CACHE_VARIABLE: folder}, check=True)
            after = os.times()
            spent = after.children_user + after.children_system - before.children_user - before.children_system
            seconds.append(spent)
    return seconds[0], seconds[1]


def peer_rate() -> float | None:
    """Return OpenSpiel's random games per second, for two players with eight digits of ten; `None` if it isn't
    installed.
    """
    try:
        import pyspiel  # type: ignore[import-not-found,import-untyped,unused-ignore]
        from open_spiel.python.games import liars_poker  # type: ignore[import-not-found,import-untyped,unused-ignore]  # noqa: F401
    except ImportError:
        return None
    game = pyspiel.load_game("python_liars_poker(hand_length=8,num_digits=10)")
    chance = random.Random(1)

    def played() -> None:
        for _ in range(PEER_ROUNDS):
            state = game.new_initial_state()
            while not state.is_terminal():
                state.apply_action(chance.choice(state.legal_actions()))

    return best_rate(PEER_ROUNDS, played)


def main() -> int:
    print(provenance())
    first, second = starts()
    print(f"first start, compiling: {first:.1f} s; second start: {second:.1f} s (processor time, everything included)")
    good = first < 20 and second < 2
    peer = peer_rate()
    if peer is None:
        print("the peer, OpenSpiel, is not installed (requirements/peers.txt), so there is no ratio")
    else:
        print(f"OpenSpiel python_liars_poker, 2 players, 8 digits: {peer:,.0f} rounds a second")
    for seats, wanted in WANTED.items():
        table = Table.of("salomon-1986", seats=seats)
        decisions = play(table, ROUNDS, seed=1).decisions.mean()
        rate = best_rate(ROUNDS, lambda table=table: play(table, ROUNDS, seed=1))  # type: ignore[misc]
        ratio = f", {rate / peer:,.0f} times the peer" if peer and seats == 2 else ""
        print(f"salomon-1986, {seats} players: {rate:,.0f} rounds a second, {decisions:.1f} actions each{ratio}")
        good &= rate >= wanted and (not ratio or rate >= WANTED_RATIO * (peer or 0))
    print("all targets met" if good else f"TOO SLOW: the targets are {WANTED} and {WANTED_RATIO} times the peer")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
