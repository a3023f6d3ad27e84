"""`liarspoker verify`: whether a finished table's deals were what had been promised."""

from __future__ import annotations

import argparse
import json
import sys
import textwrap
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from liarspoker.tables.fair.audit import Finding
    from liarspoker.tables.fair.stated import StatedDeal

DESCRIPTION = """Check the audit document of a finished table: derive every deal again from what
the server and the players gave to it, and hold it against the records.

FILE is JSON; - is standard input. What is wrong is told with its place and ends
with exit code 1."""

EXAMPLES = """examples:
  liarspoker verify table.json           deal by deal, what was checked
  liarspoker verify --json table.json    one JSON object"""

_WIDTH = 80

NOT_PROVED = (
    "that the server did not look: it deals the cards, so it knows the hands while they are played.",
    "that promises were made in time: your own program saw whether they were there before the nonces were opened.",
    "anything for a deal to which nobody gave a nonce: there the server could try seeds before it promised one.",
    "that nobody plays for the server: such a seat, by keeping its nonce back, could choose between two deals.",
)
NOT_PROVED_BY_LEAVES = (
    "how deals came about: seeds are kept, so only what the rules showed is proved, and that it was fixed beforehand.",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `verify`."""
    parser.add_argument("file", metavar="FILE", help="the audit document; - for standard input")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(args: argparse.Namespace) -> int:
    """Check a document; 0 if all of it holds."""
    from liarspoker.records import strict_json
    from liarspoker.tables.fair.audit import check

    try:
        document = strict_json.load(sys.stdin.buffer.read() if args.file == "-" else Path(args.file).read_bytes())
    except OSError as error:
        print(f"liarspoker: {args.file}: {error.strerror}", file=sys.stderr)
        return 1
    except (strict_json.NotJson, strict_json.KeyTwice) as error:
        print(f"liarspoker: {args.file}: this is no audit document: {error}", file=sys.stderr)
        return 1
    findings = check(document)
    print(_json(document, findings) if args.json else "\n".join(_told(document, findings)))
    return 1 if findings else 0


def _json(document: object, findings: Sequence[Finding]) -> str:
    faulty = {finding.deal for finding in findings}
    about: dict[str, Any] = document if isinstance(document, dict) else {}
    deals = about["deals"] if isinstance(about.get("deals"), list) else []
    told = {
        "table": about.get("table"),
        "audit": about.get("audit"),
        "verified": not findings,
        "deals": [{"deal": number, "verified": number not in faulty} for number in range(len(deals))],
        "findings": [{"deal": finding.deal, "what": finding.what} for finding in findings],
        "not_proved": _not_proved(about),
    }
    return json.dumps(told)


def _not_proved(document: dict[str, Any]) -> list[str]:
    return [*NOT_PROVED, *(NOT_PROVED_BY_LEAVES if document.get("audit") == "leaves" else ())]


def _told(document: Any, findings: Sequence[Finding]) -> Iterator[str]:
    """What was checked, deal by deal; what is wrong; and what remains a matter of trust."""
    from liarspoker.records.shapes import Fault
    from liarspoker.records.words import printable
    from liarspoker.tables.fair.stated import read_deal

    by_deal: dict[int | None, list[str]] = {}
    for finding in findings:
        by_deal.setdefault(finding.deal, []).append(printable(finding.what))
    if isinstance(document, dict) and isinstance(document.get("deals"), list) and document.get("audit"):
        yield f"Table {printable(str(document.get('table'))[:100])}, {len(document['deals'])} deals"
        for number, stated in enumerate(document["deals"]):
            try:
                yield from ("", *_deal(read_deal(stated, number, document["audit"]), document, number not in by_deal))
            except Fault:
                yield from ("", f"Deal {number}")
            yield from (f"  WRONG: {what}" for what in by_deal.pop(number, ()))
        yield ""
    yield from (f"WRONG: {what}" for wrong in by_deal.values() for what in wrong)
    if findings:
        yield f"Not verified: {len(findings)} found wrong."
        return
    yield "Verified: every deal is what was promised, and the records show it."
    yield from ("", "This does not prove")
    for what in _not_proved(document):
        yield from textwrap.wrap(what, _WIDTH, initial_indent="- ", subsequent_indent="  ")


def _deal(deal: StatedDeal, document: dict[str, Any], holds: bool) -> Iterator[str]:
    """One deal: who had a share in it, and, if it holds, what was checked."""
    from liarspoker.core import catalogue

    names = _names(deal, document)
    if deal.record is None:
        where = "came to nothing, and paid nobody"
    else:
        where = f"record {deal.record[0] + 1}, round {deal.record[1] + 1}"
    yield f"Deal {deal.number}: {catalogue.row(deal.game).title}; {where}"
    opened = [name for name, nonce in zip(names, deal.shares.nonces, strict=True) if nonce]
    without = [name for name, promise in zip(names, deal.promises, strict=True) if promise is None]
    yield f"  nonces: {_listed(opened)}" + (f"; none from {_listed(without)}" if without else "")
    if deal.withheld:
        kept_back = [names[seat] for seat in deal.withheld if seat < len(names)]
        yield f"  promised a nonce and kept it back: {_listed(kept_back)}"
    if holds:
        yield from (f"  {what}" for what in _checked(deal, names))


def _checked(deal: StatedDeal, names: Sequence[str]) -> Iterator[str]:
    if any(deal.shares.nonces):
        yield "ok: these nonces are what was promised"
    if deal.seed is not None:
        yield "ok: the seed is what the server had promised"
        yield "ok: what was dealt follows from it, and has the root that was published"
    else:
        yield f"ok: numbers or cards proved against the root that was published: {len(deal.proofs)}"
    if deal.opener is not None:
        yield f"ok: {names[deal.opener]} opens, " + (
            "as the lots fell" if deal.seed is not None else "by lot (not proved)"
        )
    if deal.record is not None:
        yield "ok: it is what the rules draw, and the round shows it"


def _names(deal: StatedDeal, document: dict[str, Any]) -> list[str]:
    """The players of a deal; of one that came to nothing, nobody knows for sure."""
    from liarspoker.records.words import printable

    records = document.get("records")
    index = None if deal.record is None else deal.record[0]
    if index is not None and isinstance(records, list) and 0 <= index < len(records):
        record = records[index]
        players = record.get("players") if isinstance(record, dict) else None
        if isinstance(players, list) and len(players) == deal.seats and all(isinstance(name, str) for name in players):
            return [printable(name[:40]) or f"seat {seat}" for seat, name in enumerate(players)]
    return [f"seat {seat}" for seat in range(deal.seats)]


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names) or "nobody"
