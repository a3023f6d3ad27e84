"""Bluffs: bids and claims that weren't true and weren't challenged."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple


class Bluff(NamedTuple):
    """A bid or claim that wasn't true.

    Attributes:
        seat: the seat that made it.
        margin: how far it was from the truth, at least 1; see `liarspoker.protocol.views.BluffView`.
        claim_words: the bid or claim.
        truth_words: what was there instead, such as `there were 3`.
    """

    seat: int
    margin: int
    claim_words: str
    truth_words: str


def outbid_claims(moves: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the claims after which another seat made the next claim, as (seat, claim).

    >>> outbid_claims([(0, 5), (1, -1), (2, 9), (2, 12), (1, -1)])
    [(0, 5)]
    """
    claims = [(seat, action) for seat, action in moves if action >= 0]
    return [claim for claim, following in pairwise(claims) if following[0] != claim[0]]


def best_bluff(bluffs: Iterable[Bluff]) -> Bluff | None:
    """Return the bluff with the largest margin, the first of equals; `None` for none."""
    return max(bluffs, key=lambda bluff: bluff.margin, default=None)
