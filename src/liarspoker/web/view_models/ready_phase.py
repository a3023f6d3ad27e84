"""View models of the ready phase between two rounds, and of the browser's part in a fair deal."""

from __future__ import annotations

from dataclasses import dataclass

from liarspoker.core import catalogue
from liarspoker.language import _
from liarspoker.protocol.codec import Options
from liarspoker.protocol.views import ChoosingView, PrivateView, PublicView, WantedView
from liarspoker.web.view_models.family import NamedOption
from liarspoker.web.view_models.plain import pages_for

NOTHING_WANTED = WantedView(ready=False, wanted=False, open_nonce=False, name=False, pick=False)
NO_CHOICE = ChoosingView(what="", count=0, free=(), user=None)


@dataclass(frozen=True, slots=True)
class ReadyPhaseViewModel:
    """The ready phase before the next deal.

    Attributes:
        deal: the number of the next deal.
        mine: what the user has to do.
        naming: the options that the user can set for the next round; empty if none.
        named: the options set so far.
        choosing: the face-down choice in progress: `bill`, `slip` or `cut`; empty if none.
        waiting: a sentence that names the other players who still have to act; empty if there are none.
    """

    deal: int
    mine: WantedView
    naming: tuple[NamedOption, ...]
    named: Options
    choosing: ChoosingView
    waiting: str


def ready_phase(public: PublicView, you: PrivateView | None) -> ReadyPhaseViewModel | None:
    """Return the ready phase of a view; `None` during a round."""
    phase = public.gathering
    if phase is None:
        return None
    mine = (None if you is None else you.gathering) or NOTHING_WANTED
    chairs = [chair for chair in public.chairs if chair is not None]
    names = {chair.user: chair.name for chair in chairs}
    if phase.choosing is not None:
        waiting: tuple[str | None, ...] = (phase.choosing.user,)
    else:
        ready = {chair.user for chair in chairs if chair.ready}
        waiting = tuple(user for user in phase.users if user not in ready)
    me = None if you is None else you.user
    others = [names.get(str(user), _("another player")) for user in waiting if user != me]
    naming = pages_for(catalogue.preset(public.settings.game)).naming
    return ReadyPhaseViewModel(
        deal=phase.deal,
        mine=mine,
        naming=naming(public.settings, phase.named) if mine.name else (),
        named=phase.named,
        choosing=phase.choosing or NO_CHOICE,
        waiting=_waiting(", ".join(others), "" if phase.choosing is None else phase.choosing.what) if others else "",
    )


def _waiting(names: str, choosing: str) -> str:
    if choosing == "bill":
        return _("Waiting for {names} to choose a bill.", names=names)
    if choosing == "slip":
        return _("Waiting for {names} to choose a slip.", names=names)
    if choosing == "cut":
        return _("Waiting for {names} to choose a cut.", names=names)
    return _("Waiting for {names}.", names=names)


@dataclass(frozen=True, slots=True)
class FairShare:
    """What a browser needs to contribute a nonce to the deals.

    Attributes:
        chair: the number of the seat at the table, which is part of the nonce's commitment.
        deal: the number of the next deal; `None` during a round.
        open: the committed nonce is to be revealed now.
        last: the number of the last deal; `None` before the first.
        nonce: the nonce on record for this seat in the last deal; empty for none.
        shares: the number of nonces used in the last deal.
    """

    chair: int
    deal: int | None
    open: bool
    last: int | None
    nonce: str
    shares: int


def share_of(public: PublicView, you: PrivateView | None) -> FairShare | None:
    """Return the browser's part in the deals; `None` for spectators, and in an event, which has shares instead."""
    if you is None or you.chair is None or public.event:
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
