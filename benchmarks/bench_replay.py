"""The cost of replaying records: a session of ten hands, and many records line by line.

The peer is Python's own parser on the same bytes in the same run, `json.loads` or `tomllib.loads`, which every replay
needs. The target is 5 ms for a record of ten hands.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from statistics import median
from tempfile import TemporaryFile
from time import perf_counter, process_time

from provenance import provenance

from liarspoker.games.digits.presets import presets
from liarspoker.games.digits.session import DigitGame
from liarspoker.records import document_of, read_json, read_toml, report, to_json, to_toml

RUNS = 60
LINES = 4_000
HANDS = 10
SEATS = 5
TARGET = 5.0
GAMES = ("dollar-bill", "salomon-1986", "slips")
COMMAND = Path(sys.executable).with_name("liarspoker")


def record(game_id: str, chance: random.Random) -> dict[str, object]:
    """Return a session of ten hands, mostly with challenges and small raises."""
    found = DigitGame(presets()[game_id])
    session = found.session(SEATS)
    for _ in range(HANDS):
        session = session.deal(session.chance_spec().draw(chance.randrange))
        while session.in_play:
            legal = session.legal()
            bid = bool(legal.claims) and (not legal.answers or chance.random() < 0.4)
            action = legal.claims[chance.randrange(min(10, len(legal.claims)))] if bid else legal.answers[0]
            session = session.apply(action)
    return document_of(found, session, [f"Player {seat + 1}" for seat in range(SEATS)])


def milliseconds(tasks: dict[str, Callable[[], object]]) -> dict[str, float]:
    """Return the median processor time of each task; the tasks alternate, so that all run under the same conditions."""
    times: dict[str, list[float]] = {name: [] for name in tasks}
    for _ in range(RUNS):
        for name, task in tasks.items():
            start = process_time()
            task()
            times[name].append((process_time() - start) * 1000)
    return {name: median(taken) for name, taken in times.items()}


def replayed(game_id: str, chance: random.Random) -> None:
    """Print the cost of one record of ten hands in both formats."""
    document = record(game_id, chance)
    as_json, as_toml = to_json(document), to_toml(document)
    times = milliseconds(
        {
            "json peer": lambda: json.loads(as_json),
            "json": lambda: json.dumps(report(read_json(as_json))),
            "toml peer": lambda: tomllib.loads(as_toml),
            "toml": lambda: json.dumps(report(read_toml(as_toml))),
        }
    )
    for form in ("json", "toml"):
        ours, peer = times[form], times[f"{form} peer"]
        verdict = "within" if ours < TARGET else "BEYOND"
        print(
            f"  {game_id:<14} {form}  {ours:6.2f} ms, {verdict} {TARGET:g} ms;"
            f" {ours / peer:6.1f} times {form}'s own parser ({peer:.3f} ms)"
        )


def line_by_line(chance: random.Random) -> None:
    """Print how many records per second `--jsonl` answers, without its start."""
    lines = [to_json(record(chance.choice(GAMES), chance)) for _ in range(200)]
    text = "".join(lines[number % len(lines)] + "\n" for number in range(LINES)).encode()
    start = perf_counter()
    for line in text.splitlines():
        json.loads(line)
    parsing = perf_counter() - start
    seconds = answered(text) - answered(b"")
    print(f"liarspoker replay --jsonl, {LINES} records of {HANDS} hands")
    print(
        f"  {LINES / seconds:,.0f} records/s, {LINES * HANDS / seconds:,.0f} hands/s;"
        f" {seconds / parsing:.1f} times json.loads of the same lines"
    )


def answered(text: bytes) -> float:
    """Return the seconds of a process that answers all of `text`."""
    with TemporaryFile() as file:
        file.write(text)
        file.seek(0)
        start = perf_counter()
        subprocess.run([COMMAND, "replay", "--jsonl"], stdin=file, stdout=subprocess.DEVNULL, check=True)
        return perf_counter() - start


def main() -> None:
    print(provenance())
    chance = random.Random(1986)
    print(f"one record of {HANDS} hands of {SEATS} players, read, replayed and reported as JSON; medians of {RUNS}")
    for game_id in GAMES:
        replayed(game_id, chance)
    line_by_line(chance)


if __name__ == "__main__":
    main()
