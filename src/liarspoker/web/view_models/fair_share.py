"""The part of a person's own browser in the deals of a table: what it is to promise, to open, and to look after."""

from __future__ import annotations

from dataclasses import dataclass

from liarspoker.protocol.views import PrivateView, PublicView


@dataclass(frozen=True, slots=True)
class FairShare:
    """What a browser needs to take part in the deals.

    Attributes:
        chair: with whose number a nonce is promised.
        deal: the deal that is coming; `None` while a round is played.
        wanted: a promise can be made now.
        open: the nonce that was promised is to be opened now.
        last: the number of the deal that was made last; `None` before the first.
        nonce: what stands on record for this seat in that deal; empty for nothing.
        shares: how many nonces went into it.
    """

    chair: int
    deal: int | None
    wanted: bool
    open: bool
    last: int | None
    nonce: str
    shares: int


def share_of(public: PublicView, you: PrivateView | None) -> FairShare | None:
    """What the browser of who looks has to do; `None` for who does not sit here."""
    if you is None or you.chair is None:
        return None
    gathering, mine, made = public.gathering, you.gathering, public.deal
    starts = public.stage == "waiting" and you.owner
    coming = gathering.deal if gathering is not None else 0 if starts else None
    nonces = {} if made is None else dict(zip(made.users, made.nonces, strict=True))
    return FairShare(
        chair=you.chair,
        deal=coming,
        wanted=starts or (mine is not None and mine.wanted),
        open=mine is not None and mine.open_nonce,
        last=None if made is None else made.deal,
        nonce=nonces.get(you.user, ""),
        shares=sum(map(bool, nonces.values())),
    )
