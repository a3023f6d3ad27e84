"""Checking the audit document of a finished table: is every deal what was promised, and what the records show?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from liarspoker.core.errors import LiarsPokerError
from liarspoker.core.session import Session
from liarspoker.records import Replay, replay
from liarspoker.records.family import RecordFormat, Table, deal_of, play_again, record_format, redrawn
from liarspoker.records.shapes import LIST, TEXT, WHOLE, Fault, Key
from liarspoker.records.shapes import check as check_shape
from liarspoker.tables.fair.deal import (
    BadPromise,
    check_table,
    deal_key,
    drawn,
    one_of,
    opens_nonce,
    opens_seed,
    proves,
    root_of,
    texts_of,
    told_draw,
)
from liarspoker.tables.fair.document import FULL, LEAVES, VERSION, parts_drawn, paths_drawn
from liarspoker.tables.fair.stated import StatedDeal, read_deal

_KEYS = {
    "fair": Key(WHOLE, required=True),
    "table": Key(TEXT, required=True),
    "audit": Key(TEXT, required=True),
    "records": Key(LIST, required=True),
    "deals": Key(LIST, required=True),
}


HIDDEN = "?"
"""Stands in a record for a sign that nobody has shown."""

_MAY_STOP_SHORT = ("extras/", "deck/")

Found = tuple[str, int | None]
Rounds = dict[tuple[int, int], StatedDeal]


@dataclass(frozen=True, slots=True)
class Finding:
    """Something in an audit document that is not as it should be.

    Attributes:
        what: the place and what is wrong there, in words.
        deal: the number of the deal at fault; `None` if it is a record or the document as a whole.
    """

    what: str
    deal: int | None = None


def check(document: object) -> list[Finding]:
    """What is wrong with an audit document; nothing if all of it holds.

    Returns:
        Of each deal: promises that nothing fits, nonces that were never promised, a deal, an opener or a root that
        does not follow, a proof that does not hold. Of the records: faults, rounds without a deal, draws that are
        not what the rules draw, and deals that a round does not show.
    """
    try:
        table, audit, told = _read_head(document)
    except (Fault, BadPromise) as error:
        return [Finding(str(error))]
    findings: list[Finding] = []
    sound: list[StatedDeal] = []
    faulty: list[StatedDeal] = []
    for number, stated in enumerate(told["deals"]):
        try:
            deal = read_deal(stated, number, audit)
            found = [Finding(f"deal {number}: {what}", number) for what in _deal_findings(deal, table)]
        except (Fault, LiarsPokerError, BadPromise) as error:
            found = [Finding(str(error) if isinstance(error, Fault) else f"deal {number}: {error}", number)]
        else:
            (faulty if found else sound).append(deal)
        findings += found
    findings += (Finding(what, number) for what, number in _record_findings(told["records"], sound, faulty, table))
    return findings


def _read_head(document: object) -> tuple[str, str, dict[str, list[object]]]:
    """The table's id and what kind of audit it is, once the document has its form.

    Raises:
        Fault, BadPromise: it has not.
    """
    if not isinstance(document, dict):
        raise Fault("bad-record", "document: it should be a table of keys and values")
    if document.get("fair", VERSION) != VERSION:  # another one may well have other keys
        raise Fault("unknown-version", f"document: fair should be {VERSION}")
    check_shape(document, _KEYS, "document")
    if document["audit"] not in (FULL, LEAVES):
        raise Fault("bad-record", f'document: audit should be "{FULL}" or "{LEAVES}"')
    check_table(document["table"])
    return document["table"], document["audit"], document


def _deal_findings(deal: StatedDeal, table: str) -> Iterator[str]:
    """What is wrong with one deal in itself."""
    yield from _nonce_findings(deal, table)
    if (deal.opener is None) == bool(deal.lots):
        yield "opener: it is told if lots are drawn, and only then"
    elif deal.opener is not None and deal.opener not in deal.lots:
        yield "opener: it is none of the seats among which lots are drawn"
    if deal.seed is None:
        yield from _proof_findings(deal)
        return
    if not opens_seed(deal.commitment, deal.seed, table, deal.number):
        yield "seed: it is not what the server had promised"
    key = deal_key(deal.seed, table, deal.number, deal.game, deal.shares)
    parts = parts_drawn(deal.game, deal.seats, deal.draw, key)
    if parts != deal.dealt:
        yield "dealt: it is not what follows from the seed, the nonces and the picks"
    if root_of(parts, key) != deal.root:
        yield "root: it is not that of the deal"
    if deal.lots and deal.opener != one_of(deal.lots, key):
        yield f"opener: the lots fall on seat {one_of(deal.lots, key)}"


def _nonce_findings(deal: StatedDeal, table: str) -> Iterator[str]:
    """Nonces that are not what was promised, or were never promised."""
    kept_back = [seat for seat, promise in enumerate(deal.promises) if promise is not None and seat in deal.withheld]
    if list(deal.withheld) != kept_back:
        yield "withheld: it should name seats that promised a nonce, ascending"
    for seat, (promise, nonce) in enumerate(zip(deal.promises, deal.shares.nonces, strict=True)):
        if promise is None or seat in deal.withheld:
            if nonce:
                yield f"nonce, seat {seat}: it should be empty, for none was {'opened' if promise else 'promised'}"
        elif not nonce:
            yield f"nonce, seat {seat}: one was promised, and it is neither opened nor named in withheld"
        elif not _opens(deal, promise, nonce, table, seat):
            yield f"nonce, seat {seat}: it is not what was promised"


def _opens(deal: StatedDeal, promise: bytes, nonce: bytes, table: str, seat: int) -> bool:
    chair = deal.chairs[seat]
    return chair is not None and opens_nonce(promise, nonce, table, deal.number, chair)


def _proof_findings(deal: StatedDeal) -> Iterator[str]:
    """Proofs that do not hold."""
    paths = paths_drawn(deal.game, deal.seats, deal.draw)
    proved = Counter(proof.path for proof in deal.proofs)
    for proof in deal.proofs:
        if proved[proof.path] > 1:
            yield f"proofs: {proof.path!r} stands there twice"
        if not proves(proof.proof, paths, deal.root):
            yield f"proofs: that of {proof.path!r} does not hold"


def _record_findings(
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
