"""Between two rounds: who is waited for, what is chosen face down, and what a browser does for a fair deal."""

from __future__ import annotations

from dataclasses import dataclass

from liarspoker.core import catalogue
from liarspoker.protocol.codec import Options
from liarspoker.protocol.views import ChoosingView, PrivateView, PublicView, WantedView
from liarspoker.web.view_models.family import NamedOption
from liarspoker.web.view_models.plain import pages_for

NOTHING_WANTED = WantedView(ready=False, wanted=False, open_nonce=False, name=False, pick=False)
NO_CHOICE = ChoosingView(what="", count=0, free=(), user=None)


@dataclass(frozen=True, slots=True)
class GatheringScene:
    """What is waited for before the next deal.

    Attributes:
        mine: what it needs of who looks.
        naming: the options that he may name; empty where he names none.
        choosing: what is chosen: `bill`, `slip` or `cut`; empty while nothing is.
        waiting_for: names of those that are waited for.
    """

    deal: int
    mine: WantedView
    naming: tuple[NamedOption, ...]
    named: Options
    choosing: ChoosingView
    waiting_for: tuple[str, ...]


def gathering_of(public: PublicView, you: PrivateView | None) -> GatheringScene | None:
    """What is waited for; `None` in a round."""
    told = public.gathering
    if told is None:
        return None
    mine = (None if you is None else you.gathering) or NOTHING_WANTED
    chairs = [chair for chair in public.chairs if chair is not None]
    names = {chair.user: chair.name for chair in chairs}
    if told.choosing is not None:
        waiting: tuple[str | None, ...] = (told.choosing.user,)
    else:
        ready = {chair.user for chair in chairs if chair.ready}
        waiting = tuple(user for user in told.users if user not in ready)
    me = None if you is None else you.user
    naming = pages_for(catalogue.row(public.settings.game)).naming
    return GatheringScene(
        deal=told.deal,
        mine=mine,
        naming=naming(public.settings, told.named) if mine.name else (),
        named=told.named,
        choosing=told.choosing or NO_CHOICE,
        waiting_for=tuple("you" if user == me else names.get(str(user), "somebody") for user in waiting),
    )


@dataclass(frozen=True, slots=True)
class FairShare:
    """What a browser needs to take part in the deals.

    Attributes:
        chair: with whose number a nonce is promised.
        deal: the deal that is coming; `None` while a round is played.
        open: the nonce that was promised is to be opened now.
        last: the number of the deal that was made last; `None` before the first.
        nonce: what stands on record for this seat in that deal; empty for nothing.
    """

    chair: int
    deal: int | None
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
        open=mine is not None and mine.open_nonce,
        last=None if made is None else made.deal,
        nonce=nonces.get(you.user, ""),
        shares=sum(map(bool, nonces.values())),
    )
