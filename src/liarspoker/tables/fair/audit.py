"""Checking the audit document of a finished table: is every deal what was promised, and what the records show?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from liarspoker.core.errors import LiarsPokerError
from liarspoker.records.faults import Fault
from liarspoker.records.shapes import LIST, TEXT, WHOLE, Key
from liarspoker.records.shapes import check as check_shape
from liarspoker.tables.fair.commitment import BadPromise, check_table, opens_nonce, opens_seed
from liarspoker.tables.fair.derivation import deal_key, one_of
from liarspoker.tables.fair.document import FULL, LEAVES, VERSION, parts_drawn, paths_drawn
from liarspoker.tables.fair.leaves import proves, root_of
from liarspoker.tables.fair.played import record_findings
from liarspoker.tables.fair.stated import StatedDeal, read_deal

_KEYS = {
    "fair": Key(WHOLE, required=True),
    "table": Key(TEXT, required=True),
    "audit": Key(TEXT, required=True),
    "records": Key(LIST, required=True),
    "deals": Key(LIST, required=True),
}


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
    findings += (Finding(what, number) for what, number in record_findings(told["records"], sound, faulty, table))
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
        if not proves(proof, paths, deal.root):
            yield f"proofs: that of {proof.path!r} does not hold"
