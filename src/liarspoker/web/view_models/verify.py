"""View model of the page that verifies a table's deals: commitments, revealed values, derived hands and findings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from liarspoker.language import _
from liarspoker.protocol.views import DealView, PublicView
from liarspoker.tables.fair.audit import Finding
from liarspoker.tables.fair.document import FULL
from liarspoker.web.view_models.terms import own_title

Json = Mapping[str, Any]

DEALS_A_PAGE = 40

_DECK_SHOWN = 15


@dataclass(frozen=True, slots=True)
class Share:
    """A seat's contribution to a deal: a commitment, the nonce, whether it was withheld, and a face-down pick."""

    name: str
    commitment: str
    nonce: str
    withheld: bool
    pick: int | None


@dataclass(frozen=True, slots=True)
class DealShown:
    """A deal.

    Attributes:
        round: the number of the round played with it; `None` if the deal was abandoned.
        seed: the server's seed; empty while secret.
        opener: the player drawn as opener; empty without a draw.
        dealt: the hands: labels and texts; empty while secret.
        proved: the number of individually proved numbers or cards, if seeds stay secret.
        faults: findings of the server's check.
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
    def committed(self) -> tuple[str, ...]:
        """The players who committed to a nonce."""
        return tuple(one.name for one in self.shares if one.commitment)


@dataclass(frozen=True, slots=True)
class VerifyViewModel:
    """The deals of a table.

    Attributes:
        ended: the table is closed.
        full: the seeds are revealed when the table closes.
        total: the number of deals.
        deals: the deals on this page: in order for a closed table, newest first for a running one.
        holds: the server's check has no findings.
        faults: findings that don't belong to one deal.
        pages: the first deal of every page.
        start: the first deal of this page.
        next_commitment: the commitment of the next deal; empty for none.
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


def ended_view_model(document: Json, findings: Sequence[Finding], title: str, start: int = 0) -> VerifyViewModel:
    """Return the view model of an audit document."""
    deals = document["deals"]
    first = start if 0 <= start < len(deals) else 0
    wrong: dict[int | None, list[str]] = {}
    for finding in findings:
        wrong.setdefault(finding.deal, []).append(finding.what)
    rounds = _round_numbers(document["records"])
    shown = deals[first : first + DEALS_A_PAGE]
    return VerifyViewModel(
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


CommittedDeal = tuple[DealView, tuple[str, ...]]
"""The commitments of a deal, and the names of its players."""


def running_view_model(public: PublicView, deals: Sequence[CommittedDeal], start: int = 0) -> VerifyViewModel:
    """Return the view model of a running table: commitments without seeds."""
    newest = tuple(reversed(deals))
    first = start if 0 <= start < len(newest) else 0
    gathering = public.gathering
    return VerifyViewModel(
        table=public.table,
        title=own_title(public.settings.title, public.settings.game),
        ended=False,
        full=public.settings.audit == FULL,
        total=len(newest),
        deals=tuple(map(_committed, newest[first : first + DEALS_A_PAGE])),
        holds=True,
        faults=(),
        pages=tuple(range(0, len(newest), DEALS_A_PAGE)),
        start=first,
        next_commitment="" if gathering is None else gathering.commitment,
    )


def _committed(committed: CommittedDeal) -> DealShown:
    """Return a deal whose seed is still secret."""
    deal, names = committed
    shares = zip(names, deal.nonce_commitments, deal.nonces, deal.picks, strict=True)
    return DealShown(
        number=deal.deal,
        round=None,
        commitment=deal.commitment,
        seed="",
        root=deal.root,
        opener="",
        shares=tuple(
            Share(name, commitment or "", nonce, bool(commitment and not nonce), pick)
            for name, commitment, nonce, pick in shares
        ),
        dealt=(),
        proved=0,
        faults=(),
    )


def _round_numbers(records: Sequence[Json]) -> dict[tuple[int, int], int]:
    """Return the number of every round, as in replays, by record and round index."""
    places = [(number, index) for number, record in enumerate(records) for index in range(len(record["rounds"]))]
    return {place: number for number, place in enumerate(places, 1)}


def _deal(deal: Json, document: Json, rounds: Mapping[tuple[int, int], int], faults: tuple[str, ...]) -> DealShown:
    names = _names(deal, document)
    opener = deal.get("opener")
    shares = zip(names, deal["nonce_commitments"], deal["nonces"], deal["picks"], strict=True)
    place = deal["record"]
    return DealShown(
        number=deal["deal"],
        round=None if place is None else rounds.get((place[0], place[1])),
        commitment=deal["commitment"],
        seed=deal.get("seed", ""),
        root=deal["root"],
        opener="" if opener is None else names[opener],
        shares=tuple(
            Share(name, commitment or "", nonce, seat in deal["withheld"], pick)
            for seat, (name, commitment, nonce, pick) in enumerate(shares)
        ),
        dealt=_dealt(deal.get("dealt", {}), names),
        proved=len(deal.get("proofs", ())),
        faults=faults,
    )


def _names(deal: Json, document: Json) -> tuple[str, ...]:
    """Return the players of a deal; the document doesn't name those of an abandoned deal."""
    if deal["record"] is None:
        return tuple(_("seat {number}", number=seat) for seat in range(deal["seats"]))
    return tuple(document["records"][deal["record"][0]]["players"])


def _dealt(dealt: Json, names: Sequence[str]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return the lines of a deal: labels and texts."""
    lines: list[tuple[str, tuple[str, ...]]] = []
    for key in ("deal", "slips"):
        for name, held in zip(names, dealt.get(key, ()), strict=False):
            lines.append((name, (held,) if isinstance(held, str) else tuple(held)))
    if "letters" in dealt:
        lines.append((_("letters"), tuple(dealt["letters"])))
    for key, words in (("deck", _("the deck")), ("extras", _("the rest"))):
        cards = dealt.get(key, ())
        if cards:
            more = (_("and {count} more", count=len(cards) - _DECK_SHOWN),) if len(cards) > _DECK_SHOWN else ()
            lines.append((words, (*cards[:_DECK_SHOWN], *more)))
    return tuple(lines)
