"""Beliefs through a real hand: what everybody can know of the hands, action by action.

    python docs/beliefs_in_a_hand.py RECORD [--hand N] [--bot NAME] [--plot FILE]

RECORD is a digit game in Liar's Poker Notation. All players are taken to play as the bot does nine times in ten, and
anything at all otherwise: people do what no bot would, and a belief must survive it. FILE is a drawing, `.png` or
`.svg`, for which matplotlib is needed (`pip install 'liarspoker[engine,plot]'`).
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import NamedTuple

import numpy as np

from liarspoker.engine.table import Table
from liarspoker.games.digits.ladder import digit_of
from liarspoker.games.digits.round import DigitRound
from liarspoker.games.digits.settlement import HERO, MADE
from liarspoker.games.digits.weighing import WEIGHINGS, weighing
from liarspoker.records import Replay, read_record
from liarspoker.solve.beliefs.bot_policy import BotPolicy
from liarspoker.solve.beliefs.policies import Blend, Uniform
from liarspoker.solve.beliefs.posterior import Beliefs
from liarspoker.solve.hands import Floats, counts_of
from liarspoker.solve.tree import ranks_of_bids

AS_THE_BOT = 0.9
"""How often a player is taken to play as the bot does."""


class Step(NamedTuple):
    """An action, and the beliefs after it."""

    seat: int
    action: int
    text: str
    beliefs: Beliefs


def steps_of(replay: Replay, hand: int, bot: str) -> tuple[DigitRound, list[Step]]:
    """A hand of a record, action by action."""
    assert replay.game is not None  # the record is without a fault
    session = replay.rounds[hand - 1]
    table = Table.of(replay.game.row.id, len(replay.players), replay.document.get("options"))
    policy = Blend(((AS_THE_BOT, BotPolicy(weighing(bot))), (1 - AS_THE_BOT, Uniform())))
    dealt: DigitRound = session.round  # type: ignore[attr-defined]  # of a digit game
    beliefs, steps = Beliefs.at(table, [policy], dealt.terms.opener), []
    for seat, action in dealt.moves:
        beliefs = beliefs.after(action)
        steps.append(Step(seat, action, session.write(action), beliefs))
    return dealt, steps


def expected(beliefs: Beliefs) -> Floats:
    """How many of each digit each seat is believed to hold, float64 `[seats, symbols]`."""
    rows: Floats = np.array([belief @ beliefs.hands.counts for belief in beliefs.seats])
    return rows


def told(dealt: DigitRound, steps: list[Step], players: tuple[str, ...]) -> str:
    """The hand as a table of text."""
    rules, lines = dealt.rules, []
    held = [counts_of(number, rules) for number in dealt.numbers]
    columns = "".join(f"{player:>12}" for player in players)
    lines.append(f"{'action':<22}{'of it':>6}{columns}   who acts next: made, if counted")
    for step in steps:
        auction = step.beliefs.position.auction
        rank = int(ranks_of_bids(rules)[auction.claim])
        believed = "".join(
            f"{mean[rank]:>8.2f} ({own[rank]})" for mean, own in zip(expected(step.beliefs), held, strict=True)
        )
        line = f"{players[step.seat] + ': ' + step.text:<22}{digit_of(auction.claim, rules):>6}{believed}"
        if auction.to_act >= 0:
            count, own = step.beliefs.count(auction.to_act), held[auction.to_act][rank]
            made = count.outcomes[own, MADE] + count.outcomes[own, HERO]
            line += f"{100 * made:>14.0f} %, {count.units[own]:+.2f}"
        lines.append(line)
    return "\n".join(lines)


def draw(dealt: DigitRound, steps: list[Step], players: tuple[str, ...], path: Path) -> None:
    """Draw how many of each digit each player is believed to hold, action by action; at the right what he held."""
    from matplotlib.figure import Figure

    rules = dealt.rules
    figure = Figure(figsize=(3.2 * len(players), 4.6), layout="constrained")
    panels = figure.subplots(1, len(players), sharey=True, squeeze=False)[0]
    after = np.array([expected(step.beliefs) for step in steps])
    for seat, (axes, player) in enumerate(zip(panels, players, strict=True)):
        truth = np.array([counts_of(dealt.numbers[seat], rules)], float)
        shades = axes.imshow(np.vstack([after[:, seat], truth]).T, origin="lower", aspect="auto", vmin=0, vmax=4)
        axes.set_title(player)
        axes.set_xticks(range(len(steps) + 1), [*(step.text for step in steps), "held"], rotation=90, fontsize=7)
        axes.axvline(len(steps) - 0.5, color="white")
        axes.set_yticks(range(rules.symbols), [str(digit_of(rank, rules)) for rank in range(rules.symbols)])
    figure.colorbar(shades, ax=list(panels), label="how many of the digit")
    figure.savefig(path)


def main() -> int:
    """Tell a hand, or draw it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("record", type=Path)
    parser.add_argument("--hand", type=int, default=1, help="which hand of the record, from 1")
    parser.add_argument("--bot", choices=sorted(WEIGHINGS), default="bluffer", help="how the players play (bluffer)")
    parser.add_argument("--plot", type=Path, metavar="FILE", help="draw it instead")
    asked = parser.parse_args()
    replay = read_record(asked.record.read_bytes(), asked.record.name)
    if replay.fault is not None:
        parser.error(f"the record is at fault: {replay.fault}")
    if not 1 <= asked.hand <= len(replay.rounds):
        parser.error(f"argument --hand: {asked.hand} is none of 1 to {len(replay.rounds)}")
    dealt, steps = steps_of(replay, asked.hand, asked.bot)
    if asked.plot is None:
        print(told(dealt, steps, replay.players))
    else:
        draw(dealt, steps, replay.players, asked.plot)
    return 0


if __name__ == "__main__":
    sys.exit(main())
