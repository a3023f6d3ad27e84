"""Drills of the odds: how likely is a bid, with one number in hand and nothing heard?"""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from fractions import Fraction
from random import Random

from liarspoker.games.digits.options import DigitOptions, packed
from liarspoker.language import N_, _, number
from liarspoker.odds.bars import CountBar, count_bars
from liarspoker.odds.counts import at_least
from liarspoker.odds.figures import rounded
from liarspoker.records.words import count_in_words

PLAYERS = range(2, 7)
HAND_SIZE = 8
SYMBOLS = 10
CHOICES = 4

MOST_QUESTIONS = 9_999
"""The number of the last question that `drawn_number` draws."""


@dataclass(frozen=True, slots=True)
class OddsQuestion:
    """A question about the odds: with how many players and which number in hand, how likely is which bid?

    Attributes:
        number: its number, from 1.
        players: the number of players, 2 to 6.
        hand: the number in hand, eight digits.
        digit: the digit of the bid, 0 to 9.
        need: how many of it the others must hold, 1 or more.
        choices: the probabilities to choose from, in integer percent, four different ones, the highest first.
        right: the index of the right one: the probability, rounded.
    """

    number: int
    players: int
    hand: str
    digit: int
    need: int
    choices: tuple[int, ...]
    right: int

    @property
    def own(self) -> int:
        """How many of the digit are in hand."""
        return self.hand.count(str(self.digit))

    @property
    def level(self) -> int:
        """The level of the bid."""
        return self.own + self.need

    @property
    def unseen(self) -> int:
        """How many digits the others hold."""
        return HAND_SIZE * (self.players - 1)

    @property
    def probability(self) -> Fraction:
        """The probability that the bid is there, if the others' digits are random."""
        return at_least(self.unseen, self.need, SYMBOLS)

    @property
    def bars(self) -> tuple[CountBar, ...]:
        """The distribution of the digit among the others' digits."""
        return count_bars(self.need, self.unseen, SYMBOLS)[0]

    @property
    def bid(self) -> str:
        """The bid in words."""
        return count_in_words(self.level, self.digit, packed(DigitOptions(), self.players))

    @property
    def why(self) -> str:
        """How the probability comes about, in sentences."""
        message = N_(
            "You hold {own}, so at least {need} must be among the {unseen} digits of the others. On average {mean} are."
        )
        mean = number(rounded(Fraction(self.unseen, SYMBOLS), 1))
        return _(message, own=self.own, need=self.need, unseen=self.unseen, mean=mean)

    def is_right(self, choice: int | None) -> bool:
        """Return whether the index of a choice is the right one's; `None` before an answer."""
        return choice == self.right

    def choice_of(self, percentage: Fraction) -> int:
        """Return the index of the choice that an estimate counts as: the nearest, and between two the right one.

        Args:
            percentage: the estimate, 0 to 100.

        >>> question = odds_question(1)
        >>> question.choices, question.right, [question.choice_of(Fraction(one)) for one in ("100", "57.5", "0")]
        ((92, 71, 44, 21), 2, [0, 2, 3])
        """
        return min(
            range(len(self.choices)),
            key=lambda index: (abs(self.choices[index] - percentage), not self.is_right(index)),
        )


def odds_question(which: int) -> OddsQuestion:
    """Return the question with a number, from 1; the same number is always the same question."""
    chance = Random(f"odds-drill-{which}")
    players = chance.choice(PLAYERS)
    hand = "".join(chance.choices("0123456789", k=HAND_SIZE))
    digit, unseen = chance.randrange(SYMBOLS), HAND_SIZE * (players - 1)
    need = max(1, round(unseen / SYMBOLS) + chance.choice((-1, 0, 0, 1, 1, 2)))
    figure = round(100 * at_least(unseen, need, SYMBOLS))
    near = sorted(range(max(1, need - 3), need + 5), key=lambda other: (abs(other - need), other))
    percents = dict.fromkeys(round(100 * at_least(unseen, other, SYMBOLS)) for other in near)
    wanted = [one for one in percents if one != figure][: CHOICES - 1]
    choices = tuple(sorted((figure, *wanted), reverse=True))
    return OddsQuestion(which, players, hand, digit, need, choices, choices.index(figure))


def drawn_number() -> int:
    """Return the number of a random question, 1 to `MOST_QUESTIONS`."""
    return 1 + secrets.randbelow(MOST_QUESTIONS)
