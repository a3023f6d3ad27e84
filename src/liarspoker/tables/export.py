"""What a table leaves behind: its records, as far as somebody may know them, and the audit of its deals."""

from __future__ import annotations

from liarspoker.records import document_of, replay
from liarspoker.records.family import Table as Document
from liarspoker.records.family import deal_of
from liarspoker.records.reader import VERSION
from liarspoker.tables.fair.deal import Shares, texts_of
from liarspoker.tables.fair.document import FULL, KeptDeal, audit_document
from liarspoker.tables.refused import Refused
from liarspoker.tables.settings import game_of, table_rules
from liarspoker.tables.state import ENDED, Deal, Sitting, Table

_HIDDEN = "?"


def sittings_of(table: Table) -> tuple[Sitting, ...]:
    """Every sitting that has a finished round, in order: their numbers are those of the records."""
    sitting = table.sitting
    open_yet = () if sitting is None or table.stage == ENDED else (sitting,)
    return tuple(one for one in (*table.closed, *open_yet) if one.session.rounds_played)


def record_of(table: Table, sitting: Sitting, user: str | None) -> Document:
    """The finished rounds of a sitting in Liar's Poker Notation, as `user`, or nobody in particular, may know them.

    What the rules have not shown is hidden, but for what he held himself. The document replays without a fault.
    """
    seat = sitting.seat_of(user)
    document = _head(table, sitting)
    if seat is not None:
        document["x-seat"] = seat
    changes = sitting.session.option_changes()
    parts = table_rules(table.settings.game).recorded(sitting.session, seat, sitting.shown)
    rounds = parts.pop("rounds")
    return {**document, **parts, **({"options": changes} if changes else {}), "rounds": rounds}


def records_of(table: Table, user: str | None) -> list[Document]:
    """The records of all sittings of a table as `user`, or nobody in particular, may know them."""
    return [record_of(table, sitting, user) for sitting in sittings_of(table)]


def audit_of(table: Table) -> Document:
    """The document that lets everybody check the deals of a table.

    With the audit `full` it opens every seed, and so every hand; with `leaves` it proves what the rules have shown.

    Raises:
        Refused: `not-ended`: seeds are opened when nothing more can be played with them.
    """
    if table.stage != ENDED:
        raise Refused("not-ended", "the seeds are opened when the table has ended")
    opened = table.settings.audit == FULL
    sittings = sittings_of(table)
    records = [_full_record(table, one) if opened else record_of(table, one, None) for one in sittings]
    if not _tell_slips(records, table.deals):
        records = []
    shown = {} if opened else _shown(records)
    kept = [_kept(table, deal, records, shown) for deal in table.deals]
    return audit_document(table.id, table.settings.audit, records, kept)


def _head(table: Table, sitting: Sitting) -> Document:
    document: Document = {"lpn": VERSION, "game": table.settings.game, "players": list(sitting.names)}
    private = {"x-table": table.id, "x-title": table.settings.title, "x-unit": table.settings.unit}
    return {**document, **{key: value for key, value in private.items() if value}}


def _full_record(table: Table, sitting: Sitting) -> Document:
    """The finished rounds of a sitting with everything in them."""
    session = sitting.session
    return {**_head(table, sitting), **document_of(game_of(table), session, sitting.names, session.rounds_played)}


def _shown(records: list[Document]) -> dict[tuple[int, int], tuple[str, ...]]:
    """The places of all numbers and cards that these records tell, by record and round."""
    shown = {}
    for number, record in enumerate(records):
        played = replay(record)
        for place, session in enumerate(played.rounds):
            texts = texts_of(deal_of(session).parts())
            shown[number, place] = tuple(path for path, text in texts.items() if _HIDDEN not in text)
    return shown


def _tell_slips(records: list[Document], deals: tuple[Deal, ...]) -> bool:
    """Whether the records are of the slips that were dealt; where counts hide them, they tell bills instead."""
    return all("slips" in record for record in records) or not any(deal.draw["kind"] == "slips" for deal in deals)


def _kept(table: Table, deal: Deal, records: list[Document], shown: dict[tuple[int, int], tuple[str, ...]]) -> KeptDeal:
    place = deal.place if records else None
    promises = tuple(None if promise is None else bytes.fromhex(promise) for promise in deal.nonce_commitments)
    nonces = tuple(map(bytes.fromhex, deal.nonces))
    withheld = [seat for seat, promise in enumerate(promises) if promise is not None and not nonces[seat]]
    return KeptDeal(
        game=table.settings.game,
        draw=dict(deal.draw),
        seed=deal.seed,
        promises=promises,
        shares=Shares(nonces, deal.picks),
        withheld=tuple(withheld),
        record=place,
        shown=() if place is None else shown.get(place, ()),
        chairs=deal.chairs,
    )
