"""The cost of the rules: one action of a hand, and importing them in a fresh process.

A time alone says more about the machine than about the rules, so each one is also given as a ratio to the start of a
bare interpreter on the same machine in the same run.
"""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path
from statistics import median
from time import perf_counter, perf_counter_ns

from provenance import provenance

from liarspoker.games.digits.presets import presets
from liarspoker.games.digits.session import DigitGame, DigitSession

RUNS = 15
HANDS = 2_000
GAMES = ("dollar-bill", "salomon-1986", "slips")
COMMAND = Path(sys.executable).with_name("liarspoker")


def seconds(*command: str | Path) -> float:
    """Return the wall time of a process."""
    start = perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return perf_counter() - start


def started(commands: dict[str, tuple[str | Path, ...]]) -> dict[str, float]:
    """Return the median wall time of each command; the commands alternate, so that conditions are equal."""
    times: dict[str, list[float]] = {name: [] for name in commands}
    for _ in range(RUNS):
        for name, command in commands.items():
            times[name].append(seconds(*command))
    return {name: median(taken) for name, taken in times.items()}


def action_times(game_id: str, seats: int, chance: random.Random) -> list[int]:
    """Return the nanoseconds of every `apply` in many hands, mostly challenges and small raises."""
    found = DigitGame(presets()[game_id])
    times = []
    for _ in range(HANDS):
        session: DigitSession = found.session(seats)
        session = session.deal(session.chance_spec().draw(chance.randrange))
        while session.in_play:
            legal = session.legal()
            bid = bool(legal.claims) and (not legal.answers or chance.random() < 0.4)
            action = legal.claims[chance.randrange(min(10, len(legal.claims)))] if bid else legal.answers[0]
            start = perf_counter_ns()
            session = session.apply(action)
            times.append(perf_counter_ns() - start)
    return times


def main() -> None:
    print(provenance())
    python = sys.executable
    times = started(
        {
            "bare interpreter": (python, "-c", "pass"),
            "import liarspoker.core.catalogue": (python, "-c", "import liarspoker.core.catalogue"),
            "import liarspoker.games.digits": (python, "-c", "import liarspoker.games.digits"),
            "liarspoker --help": (COMMAND, "--help"),
        }
    )
    bare = times.pop("bare interpreter")
    print(f"bare interpreter, the peer: {bare * 1000:.1f} ms (medians of {RUNS} fresh processes, in turns)")
    for name, taken in times.items():
        print(f"  {name:<34} {(taken - bare) * 1000:+7.1f} ms more, {taken / bare:.2f} times the peer")
    chance = random.Random(1986)
    print(f"one action of a hand, median over {HANDS} hands of 5 players")
    for game_id in GAMES:
        took = action_times(game_id, 5, chance)
        micros = median(took) / 1000
        print(f"  {game_id:<14} {micros:6.2f} µs, {len(took)} actions; {bare * 1e6 / micros:,.0f} of them a bare start")


if __name__ == "__main__":
    main()
