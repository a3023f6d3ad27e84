"""Between two rounds: who is waited for, and what is chosen face down."""

from __future__ import annotations

from dataclasses import dataclass

from liarspoker.core import catalogue
from liarspoker.protocol.fields import Options
from liarspoker.protocol.views import PrivateView, PublicView
from liarspoker.web.view_models.family import NamedOption
from liarspoker.web.view_models.plain import pages_for


@dataclass(frozen=True, slots=True)
class GatheringScene:
    """What is waited for before the next deal.

    Attributes:
        deal: its number.
        chair: in which chair who looks sits; the number that a nonce is committed with.
        wanted: who looks is waited for.
        ready: he has said so already.
        name: he names the options of the round.
        naming: those that he may name; empty where he names none.
        named: options named so far.
        open_nonce: his browser opens what it is committed to.
        pick: he chooses now.
        what: what is chosen: `bill`, `slip` or `cut`; empty while nothing is.
        count: how many lie there.
        free: those that are free.
        waiting_for: names of those that are waited for.
    """

    deal: int
    chair: int | None
    wanted: bool
    ready: bool
    name: bool
    naming: tuple[NamedOption, ...]
    named: Options
    open_nonce: bool
    pick: bool
    what: str
    count: int
    free: tuple[int, ...]
    waiting_for: tuple[str, ...]


def gathering_of(public: PublicView, you: PrivateView | None) -> GatheringScene | None:
    """What is waited for; `None` in a round."""
    told = public.gathering
    if told is None:
        return None
    mine = None if you is None else you.gathering
    choosing = told.choosing
    chairs = [chair for chair in public.chairs if chair is not None]
    names = {chair.user: chair.name for chair in chairs}
    if choosing is not None:
        waiting: tuple[str | None, ...] = (choosing.user,)
    else:
        ready = {chair.user for chair in chairs if chair.ready}
        waiting = tuple(user for user in told.users if user not in ready)
    me = None if you is None else you.user
    naming = pages_for(catalogue.row(public.settings.game)).naming
    return GatheringScene(
        deal=told.deal,
        chair=None if you is None else you.chair,
        wanted=mine is not None and mine.wanted,
        ready=mine is not None and mine.ready,
        name=mine is not None and mine.name,
        naming=naming(public.settings, told.named) if mine is not None and mine.name else (),
        named=told.named,
        open_nonce=mine is not None and mine.open_nonce,
        pick=mine is not None and mine.pick,
        what="" if choosing is None else choosing.what,
        count=0 if choosing is None else choosing.count,
        free=() if choosing is None else choosing.free,
        waiting_for=tuple("you" if user == me else names.get(str(user), "somebody") for user in waiting),
    )
