"""What a view tells of a hand, read once: the names as they are said to who looks, and the rules that are in force."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import cast

from liarspoker.core import catalogue
from liarspoker.games.digits.game import DigitGame
from liarspoker.games.digits.messages import DigitsHand, DigitsResult, DigitsRound
from liarspoker.games.digits.notation import read_bid
from liarspoker.games.digits.options import ROW_LETTERS, DigitOptions, Rules, packed
from liarspoker.protocol.views import PrivateView, PublicView

YOU = "You"
"""What who looks is called; sentences follow him."""


@dataclass(frozen=True, slots=True)
class Told:
    """A hand as the protocol tells it.

    Attributes:
        round: `public.round`.
        public: all of `public`.
        names: seat by seat; `You` for who looks.
        seat: the seat of who looks; `None` for who does not play.
        hand: what he alone knows.
        options: in force.
        rules: the same, packed.
    """

    round: DigitsRound
    public: PublicView
    names: tuple[str, ...]
    seat: int | None
    hand: DigitsHand
    options: DigitOptions
    rules: Rules

    @property
    def seats(self) -> int:
        """How many play."""
        return len(self.names)

    @property
    def result(self) -> DigitsResult | None:
        """The count; `None` before it."""
        return self.round.result

    @property
    def claim(self) -> int | None:
        """The standing bid; `None` before the first."""
        return None if self.round.claim is None else self.bid(self.round.claim)

    @property
    def bidder(self) -> int:
        """The seat that made the standing bid; there is one."""
        assert self.round.bidder is not None
        return self.round.bidder

    @property
    def to_act(self) -> int:
        """The seat to act; the hand is in play."""
        assert self.round.to_act is not None
        return self.round.to_act

    @property
    def row_letters(self) -> str:
        """What the rows of a slip are called, top to bottom."""
        return ROW_LETTERS[self.options.row_letters]

    def bid(self, text: str) -> int:
        """The bid that the protocol writes as `text`."""
        return _read(text, self.rules)

    def after(self, seat: int) -> tuple[int, ...]:
        """All seats clockwise, the one after `seat` first and `seat` itself last."""
        return tuple((seat + step) % self.seats for step in range(1, self.seats + 1))


def read_view(public: PublicView, you: PrivateView | None) -> Told:
    """The hand of a view that has one, for who looks."""
    told, settings = public.round, public.settings
    hand = None if you is None else you.hand
    assert isinstance(told, DigitsRound)
    me = None if you is None else you.user
    pairs = zip(told.users, told.names, strict=True)
    names = tuple(YOU if user == me else name for user, name in pairs)
    options = _options(settings.game, tuple(sorted(settings.options.items())))
    return Told(
        round=told,
        public=public,
        names=names,
        seat=None if you is None else you.seat,
        hand=hand if isinstance(hand, DigitsHand) else DigitsHand(),
        options=options,
        rules=_packed(options, len(names), told.row is not None),
    )


@lru_cache(maxsize=256)
def _options(game: str, changes: tuple[tuple[str, object], ...]) -> DigitOptions:
    return cast(DigitGame, catalogue.load(game)).options(dict(changes))


_packed = lru_cache(maxsize=256)(packed)


@lru_cache(maxsize=8192)
def _read(text: str, rules: Rules) -> int:
    level, _, digit = text.partition("x")
    return read_bid(level, int(digit), text, rules)
