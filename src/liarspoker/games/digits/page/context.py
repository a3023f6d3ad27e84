"""The hand in a view, parsed once for one viewer: names, rules and the standing bid."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from liarspoker.core import catalogue
from liarspoker.core.session import Reason
from liarspoker.games.digits.ladder import digit_of, level_of
from liarspoker.games.digits.messages import DigitsHand, DigitsResult, DigitsRound
from liarspoker.games.digits.notation import read_bid
from liarspoker.games.digits.options import ROW_LETTERS, DigitOptions, Rules, packed
from liarspoker.games.digits.record_text import stake_in_words
from liarspoker.games.digits.result import bid_reasons
from liarspoker.games.digits.settlement import payoff, settle
from liarspoker.language import N_, _, per_language
from liarspoker.protocol.views import PrivateView, PublicView
from liarspoker.records.words import bid_in_words, digit_name
from liarspoker.web.view_models.family import RoundContext, context_parts, options_key


@dataclass(frozen=True, kw_only=True)
class HandContext(RoundContext[DigitsRound, DigitsHand]):
    """A hand as one viewer sees it.

    Attributes:
        options: the options in force.
        rules: the same, packed for the rule functions.
    """

    options: DigitOptions
    rules: Rules

    @property
    def result(self) -> DigitsResult | None:
        """The result of the count; `None` before it."""
        return self.view.result

    @property
    def claim(self) -> int | None:
        """The standing bid; `None` before the first."""
        return None if self.view.claim is None else self.bid(self.view.claim)

    @property
    def bidder(self) -> int:
        """The seat that made the standing bid, which must exist."""
        assert self.view.bidder is not None
        return self.view.bidder

    @property
    def to_act(self) -> int:
        """The seat to act; the hand must be in play."""
        assert self.view.to_act is not None
        return self.view.to_act

    @property
    def row_letters(self) -> str:
        """The letters of a slip's rows, top to bottom."""
        return ROW_LETTERS[self.options.row_letters]

    def bid(self, text: str) -> int:
        """Return the bid that the protocol writes as `text`."""
        return bid_of(text, self.rules)

    def after(self, seat: int) -> tuple[int, ...]:
        """Return all seats clockwise, from the one after `seat` to `seat` itself."""
        return tuple((seat + step) % self.seats for step in range(1, self.seats + 1))


def hand_context(public: PublicView, you: PrivateView | None) -> HandContext:
    """Return the hand of a view, which must have one, for its viewer."""
    view, hand, me, seat = context_parts(public, you, DigitsRound, DigitsHand)
    options = _options(public.settings.game, options_key(public.settings))
    rules = _packed(options, len(view.users), view.row is not None)
    return HandContext(public=public, view=view, hand=hand, me=me, seat=seat, options=options, rules=rules)


@lru_cache(maxsize=256)
def _options(game: str, changes: tuple[tuple[str, object], ...]) -> DigitOptions:
    options: DigitOptions = catalogue.load(game).options(dict(changes))
    return options


_packed = lru_cache(maxsize=256)(packed)


@lru_cache(maxsize=8192)
def bid_of(text: str, rules: Rules) -> int:
    """Return the bid that the protocol writes as `text`."""
    level, _, digit = text.partition("x")
    return read_bid(level, int(digit), text, rules)


FACTORS = {"level": (N_("n + 3"), "level_bonus"), "sixes": (N_("sixes"), "sixes")}
"""The rules that raise a bid's multiplier: a short label, a message, and the option that turns the rule on."""


@dataclass(frozen=True, slots=True)
class Part:
    """One factor of a bid's multiplier.

    Attributes:
        label: the rule, in a word.
        times: the factor.
        option: the option of the game that turns the rule on.
    """

    label: str
    times: int
    option: str


@dataclass(frozen=True, slots=True)
class Payout:
    """A player's payoff.

    Attributes:
        name: the player, or `You`.
        units: units won, or paid if negative.
    """

    name: str
    units: int


@dataclass(frozen=True, slots=True, eq=False)  # equal bids are the same object, so caches need not compare them
class StandingBid:
    """The standing bid.

    Attributes:
        words: the bid in words.
        level: the number of digits it asks for.
        noun: the digit's name, in the plural if the level needs it.
        digit: the digit.
        bidder: the name of the player who made it.
        is_rebid: the bid is a rebid.
        challenges: the number of challenges to it so far.
        others: the number of players other than the bidder.
        parts: the factors of its multiplier.
        a_head: units that it wins from each other player.
        if_made: payoffs of the bidder and the viewer if it is made.
        if_not: the same if it is one short.
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


def standing_bid(context: HandContext) -> StandingBid | None:
    """Return the standing bid; `None` before the first."""
    claim, view, number = context.claim, context.view, context.hand.number
    if claim is None:
        return None
    bidder, mine = context.bidder, context.seat == context.bidder
    return _standing_bid(
        claim,
        context.names[bidder],
        None if mine or context.seat is None else context.names[context.seat],
        number.count(str(digit_of(claim, context.rules))) if mine and number is not None else 1,
        bool(view.is_rebid),
        view.challenges or 0,
        (view.multiplier or 0) * view.stake,
        view.stake,
        context.rules,
    )


@per_language(4096)
def _standing_bid(
    claim: int,
    bidder: str,
    other: str | None,
    own: int,
    is_rebid: bool,
    challenges: int,
    a_head: int,
    stake: int,
    rules: Rules,
) -> StandingBid:
    """Return a bid of which the bidder holds `own` of the digit, if there are that many; `other` is the viewer."""
    level, digit = level_of(claim, rules), digit_of(claim, rules)
    return StandingBid(
        words=bid_in_words(claim, rules),
        level=level,
        noun=digit_name(digit, level, rules),
        digit=str(digit),
        bidder=bidder,
        is_rebid=is_rebid,
        challenges=challenges,
        others=rules.seats - 1,
        parts=factors_of(claim, rules),
        a_head=a_head,
        if_made=_payouts(claim, level, bidder, other, own, stake, rules),
        if_not=_payouts(claim, level - 1, bidder, other, own, stake, rules),
    )


def stake_words(context: HandContext) -> str:
    """Return the stake with the rules behind it, in words."""
    return _stake_words(context.view.stake, context.view.stake_reasons, context.rules)


@per_language(1024)
def _stake_words(stake: int, reasons: tuple[tuple[str, int], ...], rules: Rules) -> str:
    return stake_in_words(stake, reasons_of(reasons), rules)


def reasons_of(pairs: Iterable[tuple[str, int]]) -> tuple[Reason, ...]:
    """Return the reasons that the protocol sends as pairs."""
    return tuple(Reason(*pair) for pair in pairs)


def factors_of(claim: int, rules: Rules) -> tuple[Part, ...]:
    """Return the factors above 1 of a bid's multiplier."""
    return tuple(
        Part(_(label), reason.amount, option)
        for reason in bid_reasons(claim, rules)
        for label, option in [FACTORS[reason.rule]]
    )


def _payouts(
    claim: int, total: int, bidder: str, other: str | None, own: int, stake: int, rules: Rules
) -> tuple[Payout, ...]:
    """Return the payoffs of the bidder and the other player for a count of `total`."""
    own = min(total, own)
    settlement = settle(claim, own, max(total, own), rules)
    shown = (bidder,) if other is None else (bidder, other)
    return tuple(Payout(name, payoff(seat, 0, settlement, stake, rules)) for seat, name in enumerate(shown))
