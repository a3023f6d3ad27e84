"""The deals of a table, for whoever wants to see that none was made up: committed, opened, derived, and checked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from liarspoker.protocol.views import DealView, PublicView
from liarspoker.tables.fair.audit import Finding
from liarspoker.tables.fair.document import FULL

Json = Mapping[str, Any]

DEALS_A_PAGE = 40

_DECK_SHOWN = 15


@dataclass(frozen=True, slots=True)
class Share:
    """What one seat gave to a deal: a commitment, the nonce, opened or withheld, and a pick made face down."""

    name: str
    promise: str
    nonce: str
    withheld: bool
    pick: int | None


@dataclass(frozen=True, slots=True)
class DealShown:
    """One deal.

    Attributes:
        round: the round that was played with it, as replays count them; `None` if it came to nothing.
        seed: the server's; empty while it is secret.
        opener: on whom the lots fell; empty where none were drawn.
        dealt: what was dealt: whose, and the texts; none while it is secret.
        proved: how many numbers or cards are proved one by one, where seeds stay secret.
        faults: what the server's check has found wrong.
    """

    number: int
    round: int | None
    commitment: str
    seed: str
    root: str
    opener: str
    shares: tuple[Share, ...]
    dealt: tuple[tuple[str, tuple[str, ...]], ...]
    proved: int
    faults: tuple[str, ...]

    @property
    def promised(self) -> tuple[str, ...]:
        """Who has promised a nonce."""
        return tuple(one.name for one in self.shares if one.promise)


@dataclass(frozen=True, slots=True)
class VerifyScene:
    """The deals of a table.

    Attributes:
        ended: the seeds are open, or what was shown is proved.
        full: the seeds are opened.
        deals: those on this page, the newest first while the table runs, else in order.
        holds: the server's check has found nothing wrong.
        pages: the first deal of every page.
        start: the first deal of this one.
        next_commitment: the promise for the deal that is coming; empty for none.
    """

    table: str
    title: str
    ended: bool
    full: bool
    total: int
    deals: tuple[DealShown, ...]
    holds: bool
    faults: tuple[str, ...]
    pages: tuple[int, ...]
    start: int
    next_commitment: str


def ended_scene(document: Json, findings: Sequence[Finding], title: str, start: int = 0) -> VerifyScene:
    """The scene of an audit document."""
    deals = document["deals"]
    first = start if 0 <= start < len(deals) else 0
    wrong: dict[int | None, list[str]] = {}
    for finding in findings:
        wrong.setdefault(finding.deal, []).append(finding.what)
    rounds = _round_numbers(document["records"])
    shown = deals[first : first + DEALS_A_PAGE]
    return VerifyScene(
        table=document["table"],
        title=title,
        ended=True,
        full=document["audit"] == FULL,
        total=len(deals),
        deals=tuple(_deal(one, document, rounds, tuple(wrong.get(one["deal"], ()))) for one in shown),
        holds=not findings,
        faults=tuple(wrong.get(None, ())),
        pages=tuple(range(0, len(deals), DEALS_A_PAGE)),
        start=first,
        next_commitment="",
    )


Promise = tuple[DealView, tuple[str, ...]]
"""What was promised of a deal, and the names of those who were dealt to."""


def running_scene(public: PublicView, promises: Sequence[Promise], start: int = 0) -> VerifyScene:
    """The scene of a table that is being played: promises, and no seed."""
    newest = tuple(reversed(promises))
    first = start if 0 <= start < len(newest) else 0
    gathering = public.gathering
    return VerifyScene(
        table=public.table,
        title=public.settings.title,
        ended=False,
        full=public.settings.audit == FULL,
        total=len(newest),
        deals=tuple(map(_promised, newest[first : first + DEALS_A_PAGE])),
        holds=True,
        faults=(),
        pages=tuple(range(0, len(newest), DEALS_A_PAGE)),
        start=first,
        next_commitment="" if gathering is None else gathering.commitment,
    )


def _promised(promise: Promise) -> DealShown:
    """A deal of which the seed is secret still."""
    told, names = promise
    shares = zip(names, told.nonce_commitments, told.nonces, told.picks, strict=True)
    return DealShown(
        number=told.deal,
        round=None,
        commitment=told.commitment,
        seed="",
        root=told.root,
        opener="",
        shares=tuple(
            Share(name, promise or "", nonce, bool(promise and not nonce), pick)
            for name, promise, nonce, pick in shares
        ),
        dealt=(),
        proved=0,
        faults=(),
    )


def _round_numbers(records: Sequence[Json]) -> dict[tuple[int, int], int]:
    """The number of every round, as replays count them, by record and round."""
    places = [(number, index) for number, record in enumerate(records) for index in range(len(record["rounds"]))]
    return {place: number for number, place in enumerate(places, 1)}


def _deal(told: Json, document: Json, rounds: Mapping[tuple[int, int], int], faults: tuple[str, ...]) -> DealShown:
    names = _names(told, document)
    opener = told.get("opener")
    shares = zip(names, told["nonce_commitments"], told["nonces"], told["picks"], strict=True)
    place = told["record"]
    return DealShown(
        number=told["deal"],
        round=None if place is None else rounds.get((place[0], place[1])),
        commitment=told["commitment"],
        seed=told.get("seed", ""),
        root=told["root"],
        opener="" if opener is None else names[opener],
        shares=tuple(
            Share(name, promise or "", nonce, seat in told["withheld"], pick)
            for seat, (name, promise, nonce, pick) in enumerate(shares)
        ),
        dealt=_dealt(told.get("dealt", {}), names),
        proved=len(told.get("proofs", ())),
        faults=faults,
    )


def _names(told: Json, document: Json) -> tuple[str, ...]:
    """The players of a deal; of one that came to nothing the document does not tell them."""
    if told["record"] is None:
        return tuple(f"seat {seat}" for seat in range(told["seats"]))
    return tuple(document["records"][told["record"][0]]["players"])


def _dealt(dealt: Json, names: Sequence[str]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """What was dealt, line by line: whose, and what."""
    lines: list[tuple[str, tuple[str, ...]]] = []
    for key in ("deal", "slips"):
        for name, held in zip(names, dealt.get(key, ()), strict=False):
            lines.append((name, (held,) if isinstance(held, str) else tuple(held)))
    if "letters" in dealt:
        lines.append(("letters", tuple(dealt["letters"])))
    for key, words in (("deck", "the deck"), ("extras", "the rest")):
        cards = dealt.get(key, ())
        if cards:
            more = (f"and {len(cards) - _DECK_SHOWN} more",) if len(cards) > _DECK_SHOWN else ()
            lines.append((words, (*cards[:_DECK_SHOWN], *more)))
    return tuple(lines)
