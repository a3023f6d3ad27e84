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
from liarspoker.web.view_models.family import SeenView, options_key, seen_parts


@dataclass(frozen=True, kw_only=True)
class SeenHand(SeenView[DigitsRound, DigitsHand]):
    """A hand as somebody sees it.

    Attributes:
        options: in force.
        rules: the same, packed.
    """

    options: DigitOptions
    rules: Rules

    @property
    def result(self) -> DigitsResult | None:
        """The count; `None` before it."""
        return self.view.result

    @property
    def claim(self) -> int | None:
        """The standing bid; `None` before the first."""
        return None if self.view.claim is None else self.bid(self.view.claim)

    @property
    def bidder(self) -> int:
        """The seat that made the standing bid; there is one."""
        assert self.view.bidder is not None
        return self.view.bidder

    @property
    def to_act(self) -> int:
        """The seat to act; the hand is in play."""
        assert self.view.to_act is not None
        return self.view.to_act

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


def seen_hand(public: PublicView, you: PrivateView | None) -> SeenHand:
    """The hand of a view that has one, for who looks."""
    view, hand, me, seat = seen_parts(public, you, DigitsRound, DigitsHand)
    options = _options(public.settings.game, options_key(public.settings))
    rules = _packed(options, len(view.users), view.row is not None)
    return SeenHand(public=public, view=view, hand=hand, me=me, seat=seat, options=options, rules=rules)


@lru_cache(maxsize=256)
def _options(game: str, changes: tuple[tuple[str, object], ...]) -> DigitOptions:
    return cast(DigitGame, catalogue.load(game)).options(dict(changes))


_packed = lru_cache(maxsize=256)(packed)


@lru_cache(maxsize=8192)
def _read(text: str, rules: Rules) -> int:
    level, _, digit = text.partition("x")
    return read_bid(level, int(digit), text, rules)
