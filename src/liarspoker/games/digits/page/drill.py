"""Drills of the digit odds: how likely is a bid, with one hand and nothing heard?"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from random import Random

from liarspoker.games.digits.options import DigitOptions, packed
from liarspoker.games.digits.page.odds_chart import bars_of
from liarspoker.language import N_, _, number
from liarspoker.odds.counts import at_least
from liarspoker.odds.figures import rounded
from liarspoker.records.words import count_in_words
from liarspoker.web.draw import Bar
from liarspoker.web.view_models.odds_fields import address, percent

PLAYERS = range(2, 7)
HAND_SIZE = 8
SYMBOLS = 10
CHOICES = 4


@dataclass(frozen=True, slots=True)
class OddsDrill:
    """A question about the odds.

    Attributes:
        number: its number, from 1.
        players: the number of players.
        hand: the number in hand.
        bid: the bid in words.
        choices: the probabilities to choose from, in whole percent, the highest first.
        right: the index of the right one.
        chosen: the index of the one that was chosen; `None` before the answer.
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
    exact: str
    why: str
    bars: tuple[Bar, ...]
    address: str


def odds_drill(which: int, chosen: int | None) -> OddsDrill:
    """Return the drill with a number, from 1; the same number is the same question."""
    chance = Random(f"odds-drill-{which}")
    players = chance.choice(PLAYERS)
    hand = "".join(chance.choices("0123456789", k=HAND_SIZE))
    digit, unseen = chance.randrange(SYMBOLS), HAND_SIZE * (players - 1)
    own = hand.count(str(digit))
    need = max(1, round(unseen / SYMBOLS) + chance.choice((-1, 0, 0, 1, 1, 2)))
    probability = at_least(unseen, need, SYMBOLS)
    figure = round(100 * probability)
    near = sorted(range(max(1, need - 3), need + 5), key=lambda other: (abs(other - need), other))
    percents = dict.fromkeys(round(100 * at_least(unseen, other, SYMBOLS)) for other in near)
    wanted = [one for one in percents if one != figure][: CHOICES - 1]
    choices = tuple(sorted((figure, *wanted), reverse=True))
    rules = packed(DigitOptions(), players)
    bid = count_in_words(own + need, digit, rules)
    mean = number(rounded(Fraction(unseen, SYMBOLS), 1))
    message = N_(
        "You hold {own}, so at least {need} must be among the {unseen} digits of the others. On average {mean} are."
    )
    return OddsDrill(
        number=which,
        players=players,
        hand=hand,
        bid=bid,
        choices=choices,
        right=choices.index(figure),
        chosen=chosen if chosen is not None and 0 <= chosen < len(choices) else None,
        exact=percent(probability),
        why=_(message, own=own, need=need, unseen=unseen, mean=mean),
        bars=bars_of(need, unseen, SYMBOLS)[0],
        address=address("/odds", {"players": players, "level": own + need, "digit": digit, "own": own}),
    )
