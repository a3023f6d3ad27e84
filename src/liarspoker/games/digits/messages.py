"""Views of digit games."""

from __future__ import annotations

from typing import ClassVar

from liarspoker.protocol.views import HandView, RoundView, View

Reason = tuple[str, int]
"""A rule that applies, and the number it contributes."""


class DigitsResult(View, frozen=True, kw_only=True):
    """How the count came out; `reasons` are its rules, `why` the same in words."""

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
    """What may be done now: bids, weakest first (`endless`: there are higher ones), and answers or `None`."""

    claims: tuple[str, ...]
    endless: bool
    challenge: str | None
    count: str | None


class DigitsHand(HandView, frozen=True, kw_only=True):
    """The seat's own number, or slip with the rows played, and what it may do when it is its turn."""

    number: str | None = None
    slip: tuple[str, ...] = ()
    rows_played: tuple[int, ...] | None = None
    legal: DigitsLegal | None = None


class DigitsRound(RoundView, frozen=True, kw_only=True, tag="digits"):
    """A hand: the bidding, and after the count what it has shown.

    Attributes:
        stake: what is played for; `stake_reasons` and `stake_words` say why.
        claim: the bid to beat, with its `multiplier`.
        challenges: how many seats have challenged it.
        row: on slips, with its `letter`.
        letters: of the bills.
        shown: the numbers, where the count shows them.
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
