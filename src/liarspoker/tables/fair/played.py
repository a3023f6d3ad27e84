"""Deals against records: does every round show just what was dealt for it, and was that what the rules draw?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from liarspoker.core.errors import LiarsPokerError
from liarspoker.core.session import Session
from liarspoker.records import Replay, replay
from liarspoker.records.family import RecordFormat, Table, deal_of, play_again, record_format, redrawn
from liarspoker.tables.fair.derivation import deal_key, drawn, told_draw
from liarspoker.tables.fair.document import paths_drawn
from liarspoker.tables.fair.leaves import texts_of
from liarspoker.tables.fair.stated import StatedDeal

HIDDEN = "?"
"""Stands in a record for a sign that nobody has shown."""

_MAY_STOP_SHORT = ("extras/", "deck/")

Found = tuple[str, int | None]
Rounds = dict[tuple[int, int], StatedDeal]


def record_findings(
    records: Sequence[object], deals: Sequence[StatedDeal], faulty: Sequence[StatedDeal], table: str
) -> Iterator[Found]:
    """What is wrong with the records themselves, or between them and the deals.

    Args:
        records: the records of the table, in order; they may be anything.
        deals: the deals that are sound in themselves.
        faulty: those that are not; with the rounds that were played with them no more is compared.
        table: the table's id.

    Yields:
        What is wrong, in words, and the number of the deal in question.
    """
    by_round: Rounds = {deal.record: deal for deal in deals if deal.record is not None}
    passed_over = {deal.record for deal in faulty}
    yield from _order_findings(deals)
    for number, record in enumerate(records):
        played = replay(record)
        if played.fault is not None:
            yield f"record {number + 1}, {played.fault.place()}: {played.fault.message}", None
        yield from _played_findings(played, number, by_round, table)
        for place in range(len(played.rounds)):
            if by_round.pop((number, place), None) is None and (number, place) not in passed_over:
                yield f"record {number + 1}, round {place + 1}: there is no sound deal for it", None
    for deal in by_round.values():
        yield f"deal {deal.number}: record: there is no such round", deal.number


def _order_findings(deals: Sequence[StatedDeal]) -> Iterator[Found]:
    """Deals whose rounds do not follow one another as the deals do."""
    last = (-1, -1)
    for deal in deals:
        if deal.record is not None:
            if deal.record <= last:
                yield f"deal {deal.number}: record: this round was dealt before", deal.number
            last = max(last, deal.record)


def _played_findings(played: Replay, number: int, by_round: Rounds, table: str) -> Iterator[Found]:
    """What is wrong between one record and the deals; its session is followed with what was really dealt."""
    if played.game is None or played.start is None:
        return
    family, before = record_format(played.game), played.start
    for place, session in enumerate(played.rounds):
        where, told = f"record {number + 1}, round {place + 1}", played.document["rounds"][place]
        deal = by_round.get((number, place))
        if deal is None:
            before = _as_recorded(before, session, told)
        elif (deal.game, deal.seats) != (played.named, session.seats):
            yield f"deal {deal.number}: game or seats are not those of record {number + 1}", deal.number
            before = _as_recorded(before, session, told)
        else:
            found, before = _played_with(deal, table, family, before, session, told)
            yield from ((f"deal {deal.number}: {where}: {what}", deal.number) for what in found)
    recorded, dealt = (set(texts_of(family.record_parts(one))) for one in (played.session, before))
    if recorded - dealt:
        yield f"record {number + 1}: it has slips that no deal has dealt", None


def _as_recorded(before: Session, session: Session, told: Table) -> Session:
    """The session after a round that is taken as the record has it."""
    try:
        return play_again(before, session, deal_of(session), told.get("opener"))
    except LiarsPokerError:  # what came before it has already been found wanting
        return session


def _played_with(
    deal: StatedDeal, table: str, family: RecordFormat[Any], before: Session, session: Session, told: Table
) -> tuple[list[str], Session]:
    """What is wrong between a round and its deal, and the session after it, played with what was really dealt."""
    assert deal.record is not None
    found = _draw_findings(deal, before, session, told)
    if found:
        return found, _as_recorded(before, session, told)
    opener = told.get("opener")
    if deal.lots:
        opener = deal.opener
    elif deal.draw.get("letters") and deal.record[0] == 0:
        opener = None
    if deal.seed is None:
        real = deal_of(session)
        found += _unproved(deal, texts_of(real.parts()))
    else:
        key = deal_key(deal.seed, table, deal.number, deal.game, deal.shares)
        real = drawn(redrawn(before, session), key)
    try:
        again = play_again(before, session, real, opener)
    except LiarsPokerError as error:
        return [*found, f"it cannot be played with what was dealt: {error}"], _as_recorded(before, session, told)
    if family.report(again) != family.report(session):
        found.append("with what was dealt it begins or ends otherwise")
    shown, dealt = (texts_of(deal_of(one).parts()) for one in (session, again))
    return [*found, *_not_shown(shown, dealt)], again


def _draw_findings(deal: StatedDeal, before: Session, session: Session, told: Table) -> list[str]:
    """Whether the rules draw something else, or lots that were not drawn."""
    assert deal.record is not None
    try:
        needs, lots = redrawn(before, session), before.chance_spec().opener
    except LiarsPokerError as error:
        return [f"nothing can be dealt for it: {error}"]
    # A record that goes on with other players may tell who opens; the first of a table may not.
    if lots and not deal.lots and (deal.record[0] == 0 or "opener" not in told):
        return ["lots should have been drawn for its opener"]
    draw = told_draw(needs, before, bool(deal.lots))
    return [] if deal.draw == draw else ["the rules of the game draw otherwise than draw tells"]


def _unproved(deal: StatedDeal, shown: dict[str, str]) -> Iterator[str]:
    """What a round shows without a proof, or against one.

    Discards that were shuffled in have no leaves: that they are the discards is for the replay to see.
    """
    proved = {proof.path: proof.text for proof in deal.proofs}
    paths = set(paths_drawn(deal.game, deal.seats, deal.draw))
    for path, text in shown.items():
        if path not in proved:
            if HIDDEN not in text and path in paths:
                yield f"{path}: it is shown and not proved"
        elif not _agrees(text, proved[path]):
            yield f"{path}: it shows {text}, and {proved[path]} is proved"


def _not_shown(shown: dict[str, str], dealt: dict[str, str]) -> Iterator[str]:
    """What a round shows otherwise than it was dealt, or leaves out."""
    for path, text in shown.items():
        if not _agrees(text, dealt.get(path, "")):
            yield f"{path}: it shows {text}, and {dealt.get(path, 'nothing')} was dealt"
    for path in dealt.keys() - shown.keys():
        if not path.startswith(_MAY_STOP_SHORT):
            yield f"{path}: it was dealt, and is not shown"


def _agrees(text: str, whole: str) -> bool:
    """Whether a text, with signs that are hidden, can be this one."""
    return len(text) == len(whole) and all(one in (HIDDEN, other) for one, other in zip(text, whole, strict=True))
