"""Drills of the digit odds on a page: how likely is a bid, with one hand and nothing heard?"""

from __future__ import annotations

from dataclasses import dataclass

from liarspoker.games.digits.page.odds_chart import drawn_bars
from liarspoker.puzzles.odds import odds_question
from liarspoker.web.draw import Bar
from liarspoker.web.view_models.odds_fields import address, percent


@dataclass(frozen=True, slots=True)
class OddsDrill:
    """A question about the odds.

    Attributes:
        number: its number, from 1.
        players: the number of players.
        hand: the number in hand.
        bid: the bid in words.
        choices: the probabilities to choose from, in integer percent, the highest first.
        right: the index of the right one.
        chosen: the index of the one that was chosen; `None` before the answer.
        is_right: whether the right one was chosen.
        exact: the probability in percent, with a decimal.
        why: how it comes about, in sentences.
        bars: the distribution of the digit among the others' digits.
        address: the page of the odds that answers it.
    """

    number: int
    players: int
    hand: str
    bid: str
    choices: tuple[int, ...]
    right: int
    chosen: int | None
    is_right: bool
    exact: str
    why: str
    bars: tuple[Bar, ...]
    address: str


def odds_drill(which: int, chosen: int | None) -> OddsDrill:
    """Return the drill with a number, from 1; the same number is the same question."""
    asked = odds_question(which)
    chosen = chosen if chosen is not None and 0 <= chosen < len(asked.choices) else None
    fields = {"players": asked.players, "level": asked.level, "digit": asked.digit, "own": asked.own}
    return OddsDrill(
        number=which,
        players=asked.players,
        hand=asked.hand,
        bid=asked.bid,
        choices=asked.choices,
        right=asked.right,
        chosen=chosen,
        is_right=asked.is_right(chosen),
        exact=percent(asked.probability),
        why=asked.why,
        bars=drawn_bars(asked.bars),
        address=address("/odds", fields),
    )
