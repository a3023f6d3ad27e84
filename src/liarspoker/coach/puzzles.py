"""Making puzzles: decisions from hands between bots, in which one action is clearly the best.

python -m liarspoker.coach.puzzles --count 160 --seed 1 -o puzzles.json
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from random import Random
from typing import Any

from liarspoker.bots.catalogue import bots, load
from liarspoker.coach.decisions import Appraisal, Decision, Effort, appraise, chance_of, chances_of, odds_of, skunk_of
from liarspoker.coach.digit_words import reasons
from liarspoker.coach.models import model_of, table_of
from liarspoker.core import catalogue
from liarspoker.core.session import RoundSetup
from liarspoker.files import new_file
from liarspoker.games.digits.auction import OPEN
from liarspoker.games.digits.ladder import digit_of
from liarspoker.games.digits.notation import write
from liarspoker.games.digits.session import DigitSession
from liarspoker.language import LANGUAGES, speaking
from liarspoker.processes import in_order
from liarspoker.puzzles import MOST_COUNTS, stored
from liarspoker.puzzles.lessons import LESSONS
from liarspoker.solve.beliefs.posterior import Beliefs
from liarspoker.solve.hands import counts_of, index_of
from liarspoker.solve.tree import ranks_of_bids

GAMES = ("dollar-bill", "salomon-1986", "salomon-1986")
PLAYERS = (2, 3, 3, 4, 4, 5, 6)
PLAYOUTS = 6000
CHOICES = 4
"""The number of actions to choose from."""

CLEAR = 0.1
"""How much the best action must certainly be worth more than every other choice, in units."""

PLAIN = 0.85
"""A decision is too easy if the bots together choose the best action with a higher probability."""

EASIEST, SPREAD = 900, 1000
"""The rating of a puzzle that every bot solves, and how much higher that of one is which none solves."""


def puzzle(seed: int) -> dict[str, Any] | None:
    """Return the puzzle in the hand with this seed; `None` if its decision isn't clear or is too easy."""
    chance = Random(f"puzzle {seed}")
    session, moves = _decision(chance)
    if session is None:
        return None
    hand = session.round
    assert hand is not None
    rules, seat, auction = hand.rules, hand.auction.to_act, hand.auction
    found, beliefs, mine = appraised(session, hand.legal().actions[-1], seed)
    plays = _plays(session)
    choices = _choices(found, plays, hand.legal().answers)
    best = found.values[0]
    if len(choices) < CHOICES or any(
        best.mean - one.mean - (best.half_width**2 + one.half_width**2) ** 0.5 < CLEAR
        for one in found.values
        if one.action in choices and one.action != best.action
    ):
        return None
    solved = plays.get(best.action, 0.0)
    if solved > PLAIN:
        return None
    truth, odds = chance_of(beliefs, seat, mine), odds_of(auction.claim, mine, rules)
    skunk = skunk_of(beliefs, seat, mine)
    chances = chances_of(beliefs, mine, [action for action in choices if action >= 0])
    values = {value.action: value for value in found.values}
    rank = int(ranks_of_bids(rules)[auction.claim])

    def said(action: int) -> list[str]:
        loss = best.mean - values[action].mean
        chosen = Appraisal(found.model, found.values, loss, 0.0)
        return reasons(Decision(seat, action, chosen, None, odds, truth, chances, skunk=skunk), auction, rules)

    explained = {}
    for language in LANGUAGES:
        with speaking(language):
            explained[language] = {write(action, rules): said(action) for action in choices}
    return {
        "game": session.setup.preset.id,
        "players": session.seats,
        "seat": seat,
        "hand": hand.numbers[seat],
        "actions": moves,
        "rating": round(EASIEST + SPREAD * (1 - solved)),
        "choices": [
            {
                "action": write(action, rules),
                "mean": round(values[action].mean, 3),
                "half_width": round(values[action].half_width, 3),
            }
            for action in choices
        ],
        "best": write(best.action, rules),
        "digit": digit_of(auction.claim, rules),
        "beliefs": [_columns(beliefs.counts(other)[rank].tolist()) for other in range(session.seats)],
        "means": [round(_mean(beliefs, other, rank), 2) for other in range(session.seats)],
        "reasons": explained,
    }


def appraised(session: DigitSession, action: int, seed: int) -> tuple[Appraisal, Beliefs, int]:
    """Return what actions of the seat to act are worth, among them this one, the beliefs, and the seat's hand."""
    hand = session.round
    assert hand is not None
    table, model = table_of(session), model_of(None, session)
    beliefs = Beliefs.at(table, [model.policy])
    for _, before in hand.moves:
        beliefs = beliefs.after(before)
    mine = index_of(counts_of(hand.numbers[hand.auction.to_act], hand.rules))
    found = appraise(model, table, beliefs, mine, action, Effort(PLAYOUTS, seed))
    assert found is not None
    return found, beliefs, mine


def _decision(chance: Random) -> tuple[DigitSession | None, list[str]]:
    """Play a hand between bots, and return the session before one of its decisions, with the actions until then."""
    game: Any = catalogue.load(chance.choice(GAMES))
    session: DigitSession = game.session(chance.choice(PLAYERS), None, False)
    names = [row.name for row in bots() if row.name != "uniform"]
    seated = [load(chance.choice(names), "digits") for _ in range(session.seats)]
    session = session.deal(session.chance_spec().draw(chance.randrange), RoundSetup(opener=0, stake=1))
    before: list[DigitSession] = []
    while session.in_play:
        assert session.to_act is not None
        assert session.round is not None
        if session.round.auction.phase != OPEN:
            before.append(session)
        session = session.apply(seated[session.to_act](session.view(session.to_act), chance))
    one = chance.choice(before)
    assert one.round is not None
    return one, [one.write(action) for _, action in one.round.moves]


def _plays(session: DigitSession) -> dict[int, float]:
    """Return how often the bots together choose each action."""
    found: dict[int, float] = {}
    view = session.view(session.to_act)
    rows = [row for row in bots() if row.name != "uniform"]
    for row in rows:
        bot: Any = load(row.name, "digits")
        for action, likely in bot.action_probabilities(view):
            found[action] = found.get(action, 0.0) + likely / len(rows)
    return found


def _choices(found: Appraisal, plays: dict[int, float], answers: tuple[int, ...]) -> list[int]:
    """Return the actions to choose from: the best one, the answer, and what the bots play most often; bids first."""
    valued = [value.action for value in found.values]
    rest = sorted(valued, key=lambda action: (-plays.get(action, 0.0), action))
    wanted = list(dict.fromkeys((valued[0], *answers, *rest)))[:CHOICES]
    return sorted(wanted, key=lambda action: (action < 0, action))


def _mean(beliefs: Beliefs, seat: int, rank: int) -> float:
    counts = beliefs.counts(seat)[rank].tolist()
    return float(sum(count * one for count, one in enumerate(counts)))


def _columns(chances: list[float]) -> list[float]:
    most = min(MOST_COUNTS, len(chances))
    return [round(one, 4) for one in (*chances[: most - 1], sum(chances[most - 1 :]))]


def puzzles(seed: int, jobs: int) -> Iterator[dict[str, Any]]:
    """Yield puzzles without end; in every second one the best action is a bid."""
    first = 1_000_000 * seed
    waiting: tuple[list[dict[str, Any]], ...] = ([], [])
    while True:
        for found in in_order(puzzle, range(first, first + 200), jobs):
            if found is not None:
                waiting[found["best"] in ("challenge", "count")].append(found)
            if all(waiting):
                yield from (one.pop() for one in waiting)
        first += 200


def with_lessons(made: Iterable[dict[str, Any]], count: int) -> list[dict[str, Any]]:
    """Return `count` puzzles as they are made, but those that lessons use in their places; print a line for each."""
    before = stored()
    kept = {lesson.puzzle: before[lesson.puzzle] for lesson in LESSONS if lesson.puzzle is not None}
    decisions = {(one["hand"], *one["actions"]) for one in kept.values()}
    others = (one for one in made if (one["hand"], *one["actions"]) not in decisions)
    found: list[dict[str, Any]] = []
    for number in range(count):
        one = next(others)  # also where a lesson's puzzle takes its place, so that bids and answers go on alternating
        found.append(kept.get(number, one))
        print(number + 1, found[-1]["game"], found[-1]["players"], found[-1]["rating"], file=sys.stderr, flush=True)
    return found


def main(words: list[str] | None = None) -> None:
    """Make puzzles, and write them into a file. Those that lessons use stay as they are."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=150)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("-o", "--output", type=Path, required=True)
    args = parser.parse_args(words)
    found = with_lessons(puzzles(args.seed, args.jobs), args.count)
    lines = ",\n".join(json.dumps(one, ensure_ascii=False) for one in found)
    with new_file(args.output, True) as file:
        file.write(f"[\n{lines}\n]\n".encode())


if __name__ == "__main__":
    main()
