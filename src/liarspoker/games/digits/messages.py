"""Protocol views of digit games."""

from __future__ import annotations

from typing import ClassVar

from liarspoker.protocol.views import HandView, RoundView, View

Reason = tuple[str, int]
"""The name of a rule that applied, and the number it gave."""


class DigitsResult(View, frozen=True, kw_only=True):
    """The result of the count; `reasons` are the rules behind it, `why` the same in words."""

    final_claim: str
    final_claim_words: str
    bidder: int
    total: int
    counts: tuple[int, ...]
    outcome: str
    multiplier: int
    bid_multiplier: int
    payoffs: tuple[int, ...]
    next_stake: int
    next_opener: int
    why: tuple[str, ...]
    reasons: tuple[Reason, ...]
    odd_endings: tuple[bool, ...] = ()


class DigitsLegal(View, frozen=True, kw_only=True):
    """The legal actions: bids, weakest first (`endless`: there are higher ones), and answers or `None`."""

    claims: tuple[str, ...]
    endless: bool
    challenge: str | None
    count: str | None


class DigitsHand(HandView, frozen=True, kw_only=True):
    """The seat's own number or slip with the rows played, and the legal actions on its turn."""

    number: str | None = None
    slip: tuple[str, ...] = ()
    rows_played: tuple[int, ...] | None = None
    legal: DigitsLegal | None = None


class DigitsRound(RoundView, frozen=True, kw_only=True, tag="digits"):
    """A hand: the bidding and, after the count, the result.

    Attributes:
        stake: the stake in units; `stake_reasons` and `stake_words` give the rules behind it.
        claim: the bid to beat, with its `multiplier`.
        challenges: the number of seats that have challenged it.
        row: the row of the slips in play, with its `letter`; `None` where bills are dealt.
        letters: the letters around the bills' numbers, a pair per seat.
        shown: each seat's number once the count has made the numbers public; else empty.
    """

    hand_type: ClassVar[type[HandView]] = DigitsHand

    stake: int
    stake_words: str
    stake_reasons: tuple[Reason, ...]
    claim: str | None = None
    claim_words: str | None = None
    multiplier: int | None = None
    multiplier_words: tuple[str, ...] | None = None
    bidder: int | None = None
    is_rebid: bool | None = None
    challenges: int | None = None
    row: int | None = None
    letter: str | None = None
    letters: tuple[str, ...] = ()
    result: DigitsResult | None = None
    shown: tuple[str, ...] = ()


ROUND = DigitsRound
"""The public view of the family's rounds."""
