"""One bid in figures: what you hold, what you need, what it pays and whether to raise to it. `bid_words` says it."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from liarspoker.games.digits.ladder import level_of
from liarspoker.games.digits.notation import write
from liarspoker.games.digits.options import Rules
from liarspoker.games.digits.settlement import OUTCOMES, bid_multiplier
from liarspoker.odds.bids import Prospect, bid_value, chance_to_make, needed_to_raise, prospects
from liarspoker.odds.figures import exact


@dataclass(frozen=True, slots=True)
class BidReport:
    """A bid before its count, at stake 1.

    Attributes:
        game: the catalogue id.
        rules: the table's rules.
        claim: the bid.
        own: how many of its digit you hold.
        standing: the bid that you would otherwise challenge; `None` for one that pays a single stake.

    >>> from liarspoker.games.digits.options import DigitOptions, packed
    >>> from liarspoker.games.digits.notation import read
    >>> rules = packed(DigitOptions(), seats=5)
    >>> report = BidReport("salomon-1986", rules, read("8x5", rules), own=3)
    >>> report.need, str(report.break_even), float(report.chance) > 0.15
    (5, '1/4', True)
    """

    game: str
    rules: Rules
    claim: int
    own: int
    standing: int | None = None

    @property
    def need(self) -> int:
        """How many the others must hold, 0 or more."""
        return max(0, level_of(self.claim, self.rules) - self.own)

    @property
    def chance(self) -> Fraction:
        """The chance that the table holds as many as the bid asks for."""
        return chance_to_make(self.rules, self.own, level_of(self.claim, self.rules))

    @property
    def value(self) -> Fraction:
        """The units that you expect to win when the bid is counted."""
        return bid_value(self.rules, self.claim, self.own)

    @property
    def prospects(self) -> tuple[Prospect, ...]:
        """The ways in which it may come out, the best first."""
        return prospects(self.rules, self.claim, self.own)

    @property
    def challenge_value(self) -> int:
        """The units, below 0, of a challenge that loses against the standing bid."""
        return -1 if self.standing is None else -bid_multiplier(self.standing, self.rules)

    @property
    def break_even(self) -> Fraction:
        """The chance to make it from which raising beats that challenge; see `liarspoker.odds.bids.needed_to_raise`."""
        return needed_to_raise(self.rules, self.claim, self.own, self.standing)

    def as_json(self) -> dict[str, object]:
        """The report as JSON has it; every chance and expectation as a float and as an exact fraction."""
        return {
            "game": self.game,
            "players": self.rules.seats,
            "bid": write(self.claim, self.rules),
            "own": self.own,
            "need": self.need,
            "p_made": exact(self.chance),
            "multiplier": bid_multiplier(self.claim, self.rules),
            "prospects": [_prospect_as_json(prospect) for prospect in self.prospects],
            "expected_units": exact(self.value),
            "over": None if self.standing is None else write(self.standing, self.rules),
            "challenge_units": self.challenge_value,
            "break_even": exact(self.break_even),
        }


def _prospect_as_json(prospect: Prospect) -> dict[str, object]:
    return {
        "outcome": OUTCOMES[prospect.outcome],
        "multiplier": prospect.multiplier,
        "units": prospect.units,
        "chance": exact(prospect.chance),
    }
