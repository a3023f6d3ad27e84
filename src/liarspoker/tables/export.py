"""Export of a table: its records, limited to what a user may know, and the audit document of its deals."""

from __future__ import annotations

from liarspoker.language import _
from liarspoker.records import document_of, replay
from liarspoker.records.family import Table as Document
from liarspoker.records.family import deal_of
from liarspoker.records.reader import VERSION
from liarspoker.tables.fair.deal import Shares, texts_of
from liarspoker.tables.fair.document import FULL, StoredDeal, audit_document
from liarspoker.tables.refused import Refused
from liarspoker.tables.settings import game_of, table_rules
from liarspoker.tables.state import ENDED, Deal, Sitting, Table

_HIDDEN = "?"


def sittings_of(table: Table) -> tuple[Sitting, ...]:
    """Return the sittings with at least one finished round, in the order of the records."""
    sitting = table.sitting
    current = () if sitting is None or table.stage == ENDED else (sitting,)
    return tuple(one for one in (*table.closed, *current) if one.session.rounds_played)


def record_of(table: Table, sitting: Sitting, user: str | None) -> Document:
    """Return the finished rounds of a sitting in Liar's Poker Notation, limited to what `user` may know.

    Hands that the rules didn't show are hidden, except the user's own; `None` is a spectator. The record can be
    replayed without errors.
    """
    seat = sitting.seat_of(user)
    document = _head(table, sitting)
    if seat is not None:
        document["x-seat"] = seat
    changes = sitting.session.option_changes()
    parts = table_rules(table.settings.game).recorded(sitting.session, seat, sitting.shown)
    rounds = parts.pop("rounds")
    for number, shown in sorted(sitting.shown):
        rounds[number].setdefault("x-shown", []).append(shown)
    return {**document, **parts, **({"options": changes} if changes else {}), "rounds": rounds}


def records_of(table: Table, user: str | None) -> list[Document]:
    """Return the records of all sittings, limited to what `user` may know; `None` is a spectator."""
    return [record_of(table, sitting, user) for sitting in sittings_of(table)]


def when_revealed(table: Table) -> str:
    """Return a message about when the seeds of a table are revealed."""
    if table.event is None:
        return _("the seeds are revealed when the table has ended")
    return _("the seeds are revealed when all tables of the event have ended")


def audit_of(table: Table) -> Document:
    """Return the document with which anyone can verify the deals of a table.

    With the audit `full` it reveals every seed, and so every hand; with `leaves` it proves only what the rules showed.

    Raises:
        Refused: `not-ended`: the table hasn't ended, so its seeds must stay secret.
    """
    if not table.deals_revealed:
        raise Refused("not-ended", when_revealed(table))
    is_full = table.settings.audit == FULL
    sittings = sittings_of(table)
    records = [_full_record(table, one) if is_full else record_of(table, one, None) for one in sittings]
    if not _have_slips(records, table.deals):
        records = []
    shown = {} if is_full else _shown_paths(records)
    deals = [_stored_deal(table, deal, records, shown) for deal in table.deals]
    return audit_document(table.deals_id, table.settings.audit, records, deals, table.proof)


def _head(table: Table, sitting: Sitting) -> Document:
    document: Document = {"lpn": VERSION, "game": table.settings.game, "players": list(sitting.names)}
    private = {"x-table": table.id, "x-title": table.settings.title, "x-unit": table.settings.unit}
    return {**document, **{key: value for key, value in private.items() if value}}


def _full_record(table: Table, sitting: Sitting) -> Document:
    """Return the record of a sitting with all hands."""
    session = sitting.session
    return {**_head(table, sitting), **document_of(game_of(table), session, sitting.names, session.rounds_played)}


def _shown_paths(records: list[Document]) -> dict[tuple[int, int], tuple[str, ...]]:
    """Return the paths of all numbers and cards that the records contain, by index of the record and round."""
    shown = {}
    for index, record in enumerate(records):
        played = replay(record)
        for round_index, session in enumerate(played.rounds):
            texts = texts_of(deal_of(session).parts())
            shown[index, round_index] = tuple(path for path, text in texts.items() if _HIDDEN not in text)
    return shown


def _have_slips(records: list[Document], deals: tuple[Deal, ...]) -> bool:
    """Whether the records contain the slips that were dealt. If slips stay hidden, records have bills instead."""
    return all("slips" in record for record in records) or not any(deal.draw["kind"] == "slips" for deal in deals)


def _stored_deal(
    table: Table, deal: Deal, records: list[Document], shown: dict[tuple[int, int], tuple[str, ...]]
) -> StoredDeal:
    record = deal.record if records else None
    commitments = tuple(None if one is None else bytes.fromhex(one) for one in deal.nonce_commitments)
    nonces = tuple(map(bytes.fromhex, deal.nonces))
    withheld = [seat for seat, one in enumerate(commitments) if one is not None and not nonces[seat]]
    return StoredDeal(
        game=table.settings.game,
        draw=dict(deal.draw),
        seed=deal.seed,
        nonce_commitments=commitments,
        shares=Shares(nonces, deal.picks),
        withheld=tuple(withheld),
        record=record,
        shown=() if record is None else shown.get(record, ()),
        chairs=deal.chairs,
    )
