"""What a view tells of a hand, read once: the names as they are said to who looks, the rules, and the standing bid."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from liarspoker.core import catalogue
from liarspoker.games.digits.ladder import digit_of, level_of
from liarspoker.games.digits.messages import DigitsHand, DigitsResult, DigitsRound
from liarspoker.games.digits.notation import read_bid
from liarspoker.games.digits.options import ROW_LETTERS, DigitOptions, Rules, packed
from liarspoker.games.digits.result import bid_reasons
from liarspoker.games.digits.settlement import payoff, settle
from liarspoker.protocol.views import PrivateView, PublicView
from liarspoker.records.words import digit_name, reason_in_words
from liarspoker.web.view_models.family import SeenView, options_key, seen_parts


@dataclass(frozen=True, kw_only=True)
class SeenHand(SeenView[DigitsRound, DigitsHand]):
    """A hand as somebody sees it, with the options in force, plain and packed."""

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
    options: DigitOptions = catalogue.load(game).options(dict(changes))
    return options


_packed = lru_cache(maxsize=256)(packed)


@lru_cache(maxsize=8192)
def _read(text: str, rules: Rules) -> int:
    level, _, digit = text.partition("x")
    return read_bid(level, int(digit), text, rules)


SHORT = {"level": "n + 3", "sixes": "sixes"}
"""The rules that make a bid worth more, in a word; one that is not here is called by its own name."""


@dataclass(frozen=True, slots=True)
class Part:
    """One factor of what a bid is worth: the rule in a word, its factor, and the rule in a sentence."""

    label: str
    times: int
    words: str


@dataclass(frozen=True, slots=True)
class Payout:
    """What somebody wins or, below 0, pays."""

    name: str
    units: int


@dataclass(frozen=True, slots=True)
class Standing:
    """The bid that stands.

    Attributes:
        level: how many it asks for.
        challenges: how many have challenged it in a row.
        a_head: units that it wins from each of the others.
        if_made: what the bidder wins, and what who looks pays.
    """

    words: str
    level: int
    noun: str
    digit: str
    bidder: str
    is_rebid: bool
    challenges: int
    others: int
    parts: tuple[Part, ...]
    a_head: int
    if_made: tuple[Payout, ...]
    if_not: tuple[Payout, ...]


def standing_bid(seen: SeenHand) -> Standing | None:
    """The bid that stands; `None` before the first."""
    claim = seen.claim
    if claim is None:
        return None
    level, digit = level_of(claim, seen.rules), digit_of(claim, seen.rules)
    return Standing(
        words=seen.view.claim_words or "",
        level=level,
        noun=digit_name(digit, level, seen.rules),
        digit=str(digit),
        bidder=seen.names[seen.bidder],
        is_rebid=bool(seen.view.is_rebid),
        challenges=seen.view.challenges or 0,
        others=seen.seats - 1,
        parts=worth_of(claim, seen.rules),
        a_head=(seen.view.multiplier or 0) * seen.view.stake,
        if_made=_payouts(claim, level, seen),
        if_not=_payouts(claim, level - 1, seen),
    )


def worth_of(claim: int, rules: Rules) -> tuple[Part, ...]:
    """The factors that make a bid worth more than one stake."""
    return tuple(
        Part(SHORT.get(reason.rule, reason.rule), reason.amount, reason_in_words(reason, rules))
        for reason in bid_reasons(claim, rules)
    )


def _payouts(claim: int, total: int, seen: SeenHand) -> tuple[Payout, ...]:
    """What a count of `total` pays to the bidder and to who looks.

    The bidder knows how many he holds himself; for the others he is taken to hold one, if he can.
    """
    bidder, seat = seen.bidder, seen.seat
    if seat == bidder and seen.hand.number is not None:
        own = min(total, seen.hand.number.count(str(digit_of(claim, seen.rules))))
    else:
        own = min(1, total)
    settlement = settle(claim, own, max(total, own), seen.rules)
    shown = (bidder,) if seat is None or seat == bidder else (bidder, seat)
    return tuple(Payout(seen.names[one], payoff(one, bidder, settlement, seen.view.stake, seen.rules)) for one in shown)
