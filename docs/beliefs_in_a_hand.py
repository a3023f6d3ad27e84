"""Print or draw the beliefs in a recorded hand, after each action.

    python docs/beliefs_in_a_hand.py RECORD [--hand N] [--bot NAME] [--plot FILE]

RECORD is a digit game in Liar's Poker Notation. The model of every player is a mixture: the bot with probability 0.9,
uniformly random play with probability 0.1, because people do things that no bot does. FILE is the drawing, `.png` or
`.svg`; it needs matplotlib. `make engine` installs everything that this script needs.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import NamedTuple

import numpy as np

from liarspoker.engine.table import Table
from liarspoker.games.digits.bot_values import VALUE_FUNCTIONS, value_function
from liarspoker.games.digits.ladder import digit_of
from liarspoker.games.digits.round import DigitRound
from liarspoker.games.digits.settlement import HERO, MADE
from liarspoker.records import Replay, read_record
from liarspoker.solve.beliefs.bot_policy import BotPolicy
from liarspoker.solve.beliefs.policies import BlendPolicy, UniformPolicy
from liarspoker.solve.beliefs.posterior import Beliefs
from liarspoker.solve.hands import Floats, counts_of
from liarspoker.solve.tree import ranks_of_bids

AS_THE_BOT = 0.9
"""The probability with which the model plays like the bot."""


class Step(NamedTuple):
    """An action, and the beliefs after it."""

    seat: int
    action: int
    text: str
    beliefs: Beliefs


def steps_of(replay: Replay, hand: int, bot: str) -> tuple[DigitRound, list[Step]]:
    """Replay a hand of a record; return it and its actions with the beliefs after each."""
    assert replay.game is not None  # the record is valid
    session = replay.rounds[hand - 1]
    table = Table.of(replay.game.preset.id, len(replay.players), replay.document.get("options"))
    policy = BlendPolicy(((AS_THE_BOT, BotPolicy(value_function(bot))), (1 - AS_THE_BOT, UniformPolicy())))
    dealt: DigitRound = session.round  # type: ignore[attr-defined]  # of a digit game
    beliefs, steps = Beliefs.at(table, [policy], dealt.terms.opener), []
    for seat, action in dealt.moves:
        beliefs = beliefs.after(action)
        steps.append(Step(seat, action, session.write(action), beliefs))
    return dealt, steps


def expected(beliefs: Beliefs) -> Floats:
    """The expected number of each digit in each hand, float64 `[seats, symbols]`."""
    rows: Floats = np.array([belief @ beliefs.hands.counts for belief in beliefs.seats])
    return rows


def format_hand(dealt: DigitRound, steps: list[Step], players: tuple[str, ...]) -> str:
    """Format the hand as a table of text."""
    rules, lines = dealt.rules, []
    held = [counts_of(number, rules) for number in dealt.numbers]
    columns = "".join(f"{player:>12}" for player in players)
    lines.append(f"{'action':<22}{'digit':>6}{columns}   next player: P(made), EV if counted")
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
            line += f"{100 * made:>14.0f}%, {count.units[own]:+.2f}"
        lines.append(line)
    return "\n".join(lines)


def draw(dealt: DigitRound, steps: list[Step], players: tuple[str, ...], path: Path) -> None:
    """Draw the expected number of each digit in each hand after each action, and at the right the real number."""
    from matplotlib.figure import Figure

    rules = dealt.rules
    figure = Figure(figsize=(3.2 * len(players), 4.6), layout="constrained")
    panels = figure.subplots(1, len(players), sharey=True, squeeze=False)[0]
    after = np.array([expected(step.beliefs) for step in steps])
    for seat, (axes, player) in enumerate(zip(panels, players, strict=True)):
        held = np.array([counts_of(dealt.numbers[seat], rules)], float)
        image = axes.imshow(
            np.vstack([after[:, seat], held]).T, origin="lower", aspect="auto", vmin=0, vmax=4, cmap="YlGn"
        )
        axes.set_title(player)
        axes.set_xticks(range(len(steps) + 1), [*(step.text for step in steps), "held"], rotation=90, fontsize=7)
        axes.axvline(len(steps) - 0.5, color="#17241d")
        axes.set_yticks(range(rules.symbols), [str(digit_of(rank, rules)) for rank in range(rules.symbols)])
    figure.colorbar(image, ax=list(panels), label="expected number of the digit")
    figure.savefig(path, metadata={"Date": None} if path.suffix == ".svg" else None)


def main() -> int:
    """Run the command and return its exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("record", type=Path)
    parser.add_argument("--hand", type=int, default=1, help="number of the hand, from 1")
    parser.add_argument(
        "--bot",
        choices=sorted(VALUE_FUNCTIONS),
        default="bluffer",
        help="the bot in the model of the players (default: bluffer)",
    )
    parser.add_argument("--plot", type=Path, metavar="FILE", help="draw the hand into this file")
    asked = parser.parse_args()
    replay = read_record(asked.record.read_bytes(), asked.record.name)
    if replay.fault is not None:
        parser.error(f"invalid record: {replay.fault}")
    if not 1 <= asked.hand <= len(replay.rounds):
        parser.error(f"argument --hand: must be between 1 and {len(replay.rounds)}, not {asked.hand}")
    dealt, steps = steps_of(replay, asked.hand, asked.bot)
    if asked.plot is None:
        print(format_hand(dealt, steps, replay.players))
    else:
        draw(dealt, steps, replay.players, asked.plot)
    return 0


if __name__ == "__main__":
    sys.exit(main())
