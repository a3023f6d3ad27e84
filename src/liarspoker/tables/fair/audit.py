"""Verification of audit documents: does every deal match its commitments, and do the records match the deals?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from liarspoker.core.errors import LiarsPokerError
from liarspoker.core.session import Session
from liarspoker.language import _
from liarspoker.protocol.codec import Malformed, Reader
from liarspoker.protocol.settings import EventProof
from liarspoker.records import Replay, replay
from liarspoker.records.family import RecordFormat, Table, chance_spec_of, deal_of, record_format, replay_round
from liarspoker.records.schema import INTEGER, LIST, STRING, Fault, Key
from liarspoker.records.schema import check as check_shape
from liarspoker.tables.fair.deal import (
    BadDealInput,
    check_table,
    deal_key,
    draw_document,
    drawn,
    opens_nonce,
    opens_seed,
    proves,
    random_seat,
    root_of,
    texts_of,
)
from liarspoker.tables.fair.document import EVENT, FULL, LEAVES, VERSION, parts_drawn, paths_drawn
from liarspoker.tables.fair.event import hand_findings, key_of_proof, seed_findings
from liarspoker.tables.fair.parsed import ParsedDeal, read_deal

_KEYS = {
    "fair": Key(INTEGER, required=True),
    "table": Key(STRING, required=True),
    "audit": Key(STRING, required=True),
    "records": Key(LIST, required=True),
    "deals": Key(LIST, required=True),
}


_EVENTS: Reader[EventProof] = Reader(EventProof)

HIDDEN = "?"
"""Marks in a record a digit or card that wasn't shown."""

_MAY_BE_INCOMPLETE = ("extras/", "deck/")

Found = tuple[str, int | None]
Rounds = dict[tuple[int, int], ParsedDeal]


@dataclass(frozen=True, slots=True)
class Finding:
    """A problem in an audit document.

    Attributes:
        what: location and description of the problem.
        deal: number of the deal; `None` if the problem concerns a record or the whole document.
    """

    what: str
    deal: int | None = None


def check(document: object, progress: Callable[[int, int], object] | None = None) -> list[Finding]:
    """Verify an audit document.

    Args:
        document: as read from JSON.
        progress: called with the number of deals checked so far and the number of all deals.

    Returns:
        All problems found; an empty list if the document is valid. For events: seeds that don't match their commitment,
        or aren't derived from the event. For deals: seeds and nonces that don't match their commitments, nonces without
        a commitment, and wrong deals, openers, roots or proofs. For records: replay errors,
        rounds without a deal, draws that differ from the rules, and rounds that differ from their deal.
    """
    try:
        table, audit, head = _read_head(document)
    except (Fault, BadDealInput) as error:
        return [Finding(str(error))]
    findings: list[Finding] = []
    event, key, wrong = _read_event(head, table)
    if wrong:
        findings.append(Finding(wrong))
    sound: list[ParsedDeal] = []
    faulty: list[ParsedDeal] = []
    for number, given in enumerate(head["deals"]):
        try:
            deal = read_deal(given, number, audit)
            what_is_wrong = [*_deal_findings(deal, table), *_hand_findings(deal, event, key)]
            found = [Finding(f"deal {number}: {what}", number) for what in what_is_wrong]
        except (Fault, LiarsPokerError, BadDealInput) as error:
            found = [Finding(str(error) if isinstance(error, Fault) else f"deal {number}: {error}", number)]
        else:
            (faulty if found else sound).append(deal)
        findings += found
        if progress is not None:
            progress(number + 1, len(head["deals"]))
    findings += (Finding(what, number) for what, number in _record_findings(head["records"], sound, faulty, table))
    return findings


def _read_head(document: object) -> tuple[str, str, dict[str, list[object]]]:
    """Check the form of the document; return the table's id, the kind of audit and the document.

    Raises:
        Fault, BadDealInput: the document isn't well-formed.
    """
    if not isinstance(document, dict):
        raise Fault("bad-record", _("document: must be an object"))
    if document.get("fair", VERSION) != VERSION:  # checked first: another version may have other keys
        raise Fault("unknown-version", _("document: fair must be {version}", version=VERSION))
    check_shape(document, _KEYS, "document")
    if document["audit"] not in (FULL, LEAVES):
        raise Fault("bad-record", _('document: audit must be "{full}" or "{leaves}"', full=FULL, leaves=LEAVES))
    check_table(document["table"])
    return document["table"], document["audit"], document


def _read_event(head: Mapping[str, object], table: str) -> tuple[EventProof | None, bytes, str]:
    """Return the event that the table belongs to, if any, its key, and what is wrong with it, if anything."""
    if EVENT not in head:
        return None, b"", ""
    try:
        proof = _EVENTS.convert(head[EVENT])
        return proof, key_of_proof(proof, table), ", ".join(seed_findings(proof, table))
    except (Malformed, BadDealInput) as error:
        return None, b"", f"{EVENT}: {error}"


def _hand_findings(deal: ParsedDeal, event: EventProof | None, key: bytes) -> Iterator[str]:
    """Check that a deal of an event is the hand that all its tables have."""
    if event is None:
        return
    if deal.seed is None:
        yield _("event: without its seed, the deal can't be compared with the event's hand")
    else:
        yield from hand_findings(event, key, deal.number, deal.game, deal.seats, deal.seed, deal.shares.nonces)


def _deal_findings(deal: ParsedDeal, table: str) -> Iterator[str]:
    """Check a deal by itself, without the records."""
    candidates = deal.opener_candidates
    yield from _nonce_findings(deal, table)
    if (deal.opener is None) == bool(candidates):
        yield _("opener: must be given if the opener is drawn at random, and only then")
    elif deal.opener is not None and deal.opener not in candidates:
        yield _("opener: isn't one of the seats in draw.lots")
    if deal.seed is None:
        yield from _proof_findings(deal)
        return
    if not opens_seed(deal.commitment, deal.seed, table, deal.number):
        yield _("seed: doesn't match the server's commitment")
    key = deal_key(deal.seed, table, deal.number, deal.game, deal.shares)
    parts = parts_drawn(deal.game, deal.seats, deal.draw, key)
    if parts != deal.dealt:
        yield _("dealt: differs from the deal derived from the seed, the nonces and the picks")
    if root_of(parts, key) != deal.root:
        yield _("root: doesn't match the deal")
    if candidates and deal.opener != random_seat(candidates, key):
        yield _("opener: the random draw gives seat {seat}", seat=random_seat(candidates, key))


def _nonce_findings(deal: ParsedDeal, table: str) -> Iterator[str]:
    """Check nonces against their commitments."""
    commitments = deal.nonce_commitments
    withheld = [seat for seat, one in enumerate(commitments) if one is not None and seat in deal.withheld]
    if list(deal.withheld) != withheld:
        yield _("withheld: must list seats with a nonce commitment, ascending")
    for seat, (commitment, nonce) in enumerate(zip(commitments, deal.shares.nonces, strict=True)):
        if commitment is None or seat in deal.withheld:
            if nonce:
                yield (
                    _("nonce, seat {seat}: must be empty, because it was withheld", seat=seat)
                    if commitment
                    else _("nonce, seat {seat}: must be empty, because the seat made no commitment", seat=seat)
                )
        elif not nonce:
            yield _(
                "nonce, seat {seat}: the seat made a commitment, but its nonce is neither opened nor withheld",
                seat=seat,
            )
        elif not _opens(deal, commitment, nonce, table, seat):
            yield _("nonce, seat {seat}: doesn't match its commitment", seat=seat)


def _opens(deal: ParsedDeal, commitment: bytes, nonce: bytes, table: str, seat: int) -> bool:
    chair = deal.chairs[seat]
    return chair is not None and opens_nonce(commitment, nonce, table, deal.number, chair)


def _proof_findings(deal: ParsedDeal) -> Iterator[str]:
    """Check the proofs of a deal."""
    paths = paths_drawn(deal.game, deal.seats, deal.draw)
    proved = Counter(proof.path for proof in deal.proofs)
    for proof in deal.proofs:
        if proved[proof.path] > 1:
            yield _("proofs: {path!r} appears more than once", path=proof.path)
        if not proves(proof.proof, paths, deal.root):
            yield _("proofs: the proof of {path!r} isn't valid", path=proof.path)


def _record_findings(
    records: Sequence[object], deals: Sequence[ParsedDeal], faulty: Sequence[ParsedDeal], table: str
) -> Iterator[Found]:
    """Check the records, and compare them with the deals.

    Args:
        records: the records of the table, in order; they may be malformed.
        deals: the deals that are valid by themselves.
        faulty: the deals that aren't; their rounds aren't compared.
        table: id of the table.

    Yields:
        A description of the problem, and the number of the deal or `None`.
    """
    by_round: Rounds = {deal.record: deal for deal in deals if deal.record is not None}
    skipped = {deal.record for deal in faulty}
    yield from _order_findings(deals)
    for number, record in enumerate(records):
        played = replay(record)
        if played.fault is not None:
            yield f"record {number + 1}, {played.fault.place()}: {played.fault.message}", None
        yield from _played_findings(played, number, by_round, table)
        for index in range(len(played.rounds)):
            if by_round.pop((number, index), None) is None and (number, index) not in skipped:
                yield (
                    _(
                        "record {record}, round {round}: no valid deal for this round",
                        record=number + 1,
                        round=index + 1,
                    ),
                    None,
                )
    for deal in by_round.values():
        yield _("deal {number}: record: no such round", number=deal.number), deal.number


def _order_findings(deals: Sequence[ParsedDeal]) -> Iterator[Found]:
    """Check that rounds are in the same order as their deals."""
    last = (-1, -1)
    for deal in deals:
        if deal.record is not None:
            if deal.record <= last:
                yield (
                    _(
                        "deal {number}: record: must be a later round than that of the previous deal",
                        number=deal.number,
                    ),
                    deal.number,
                )
            last = max(last, deal.record)


def _played_findings(played: Replay, number: int, by_round: Rounds, table: str) -> Iterator[Found]:
    """Compare a record with the deals, while replaying its session with what was actually dealt."""
    if played.game is None or played.start is None:
        return
    family, before = record_format(played.game), played.start
    for index, session in enumerate(played.rounds):
        where, recorded = f"record {number + 1}, round {index + 1}", played.document["rounds"][index]
        deal = by_round.get((number, index))
        if deal is None:
            before = _as_recorded(before, session, recorded)
        elif (deal.game, deal.seats) != (played.named, session.seats):
            yield (
                _("deal {number}: game or seats differ from record {record}", number=deal.number, record=number + 1),
                deal.number,
            )
            before = _as_recorded(before, session, recorded)
        else:
            found, before = _played_with(deal, table, family, before, session, recorded)
            yield from ((f"deal {deal.number}: {where}: {what}", deal.number) for what in found)
    in_record, dealt = (set(texts_of(family.record_parts(one))) for one in (played.session, before))
    if in_record - dealt:
        yield _("record {record}: contains slips that weren't dealt", record=number + 1), None


def _as_recorded(before: Session, session: Session, recorded: Table) -> Session:
    """Return the session after a round, replayed as it was recorded."""
    try:
        return replay_round(before, session, deal_of(session), recorded.get("opener"))
    except LiarsPokerError:  # an earlier round has already been reported
        return session


def _played_with(
    deal: ParsedDeal, table: str, family: RecordFormat[Any], before: Session, session: Session, recorded: Table
) -> tuple[list[str], Session]:
    """Compare a round with its deal; return the problems and the session replayed with what was actually dealt."""
    assert deal.record is not None
    found = _draw_findings(deal, before, session, recorded)
    if found:
        return found, _as_recorded(before, session, recorded)
    opener = recorded.get("opener")
    if deal.opener_candidates:
        opener = deal.opener
    elif deal.draw.get("letters") and deal.record[0] == 0:
        opener = None
    if deal.seed is None:
        real = deal_of(session)
        found += _unproved(deal, texts_of(real.parts()))
    else:
        key = deal_key(deal.seed, table, deal.number, deal.game, deal.shares)
        real = drawn(chance_spec_of(before, session), key)
    try:
        again = replay_round(before, session, real, opener)
    except LiarsPokerError as error:
        return [*found, _("can't be replayed with what was dealt: {error}", error=error)], _as_recorded(
            before, session, recorded
        )
    if family.report(again) != family.report(session):
        found.append(_("starts or ends differently when it is replayed with what was dealt"))
    shown, dealt = (texts_of(deal_of(one).parts()) for one in (session, again))
    return [*found, *_differences(shown, dealt)], again


def _draw_findings(deal: ParsedDeal, before: Session, session: Session, recorded: Table) -> list[str]:
    """Compare the draw of a deal with what the rules draw."""
    assert deal.record is not None
    try:
        spec, is_random = chance_spec_of(before, session), before.chance_spec().opener
    except LiarsPokerError as error:
        return [_("nothing can be dealt for this round: {error}", error=error)]
    # A record that continues with other players may name its opener; the first record of a table may not.
    if is_random and not deal.opener_candidates and (deal.record[0] == 0 or "opener" not in recorded):
        return [_("the opener should have been drawn at random")]
    draw = draw_document(spec, before, bool(deal.opener_candidates))
    return [] if deal.draw == draw else [_("draw differs from what the rules of the game draw")]


def _unproved(deal: ParsedDeal, shown: dict[str, str]) -> Iterator[str]:
    """Find texts that a round shows without a proof, or that differ from their proof.

    Discards that were shuffled back in have no leaves; the replay checks them.
    """
    proved = {proof.path: proof.text for proof in deal.proofs}
    paths = set(paths_drawn(deal.game, deal.seats, deal.draw))
    for path, text in shown.items():
        if path not in proved:
            if HIDDEN not in text and path in paths:
                yield _("{path}: shown without a proof", path=path)
        elif not _agrees(text, proved[path]):
            yield _("{path}: shows {text}, but {proved} is proved", path=path, text=text, proved=proved[path])


def _differences(shown: dict[str, str], dealt: dict[str, str]) -> Iterator[str]:
    """Find texts that a round shows differently than they were dealt, or leaves out."""
    for path, text in shown.items():
        if not _agrees(text, dealt.get(path, "")):
            yield (
                _("{path}: shows {text}, but {dealt} was dealt", path=path, text=text, dealt=dealt[path])
                if path in dealt
                else _("{path}: shows {text}, but nothing was dealt", path=path, text=text)
            )
    for path in dealt.keys() - shown.keys():
        if not path.startswith(_MAY_BE_INCOMPLETE):
            yield _("{path}: was dealt, but is missing from the record", path=path)


def _agrees(text: str, whole: str) -> bool:
    """Whether a text with hidden characters is compatible with the full text."""
    return len(text) == len(whole) and all(one in (HIDDEN, other) for one, other in zip(text, whole, strict=True))
