"""`liarspoker verify`: whether the deals of a finished table are those that the server committed to."""

from __future__ import annotations

import argparse
import json
import sys
import textwrap
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from liarspoker.cli.arguments import add_json
from liarspoker.cli.progress import Progress
from liarspoker.language import N_, _, ngettext

if TYPE_CHECKING:
    from liarspoker.tables.fair.audit import Finding
    from liarspoker.tables.fair.parsed import ParsedDeal

DESCRIPTION = N_("""\
Verify the audit document of a finished table: derive every deal again from the
server's seed and the players' nonces, and compare it with the records.

FILE is JSON; - is standard input. Mismatches are reported with their location,
with exit code 1.""")

EXAMPLES = N_("""\
examples:
  liarspoker verify table.json           what was checked, deal by deal
  liarspoker verify --json table.json    one JSON object""")

_WIDTH = 80

NOT_PROVED = (
    N_("that the server didn't look: it deals the cards, so it knows the hands during play."),
    N_(
        "that commitments were made in time: only your own program saw whether they came before the nonces "
        "were revealed."
    ),
    N_(
        "anything about a deal without nonces from players: there the server could try seeds before it "
        "committed to one."
    ),
    N_("that no player works for the server: such a player could choose between two deals by withholding a nonce."),
)
NOT_PROVED_BY_LEAVES = (
    N_(
        "how hidden cards were drawn: the seeds stay secret, so only what the rules showed is proved, and "
        "that it was fixed in advance."
    ),
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `verify`."""
    parser.add_argument("file", metavar="FILE", help=_("the audit document; - for standard input"))
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Verify a document; the exit code is 0 if nothing is wrong."""
    from liarspoker.records import strict_json
    from liarspoker.tables.fair.audit import check

    try:
        document = strict_json.load(sys.stdin.buffer.read() if args.file == "-" else Path(args.file).read_bytes())
    except OSError as error:
        print(f"liarspoker: {args.file}: {error.strerror}", file=sys.stderr)
        return 1
    except strict_json.NotJson as error:
        print(
            _(
                "liarspoker: {file}: this isn't an audit document, for it isn't JSON ({error}); choose Verify deals at "
                "the finished table and download the document again",
                file=args.file,
                error=str(error).partition(" (char ")[0],
            ),
            file=sys.stderr,
        )
        return 1
    except strict_json.DuplicateKey as error:
        print(
            _("liarspoker: {file}: this isn't an audit document: {error}", file=args.file, error=error), file=sys.stderr
        )
        return 1
    with Progress("Verifying", "deals") as progress:
        findings = check(document, progress.update)
    print(_json(document, findings) if args.json else "\n".join(_lines(document, findings)))
    return 1 if findings else 0


def _json(document: object, findings: Sequence[Finding]) -> str:
    faulty = {finding.deal for finding in findings}
    about: dict[str, Any] = document if isinstance(document, dict) else {}
    deals = about["deals"] if isinstance(about.get("deals"), list) else []
    report = {
        "table": about.get("table"),
        "audit": about.get("audit"),
        "verified": not findings,
        "deals": [{"deal": number, "verified": number not in faulty} for number in range(len(deals))],
        "findings": [{"deal": finding.deal, "what": finding.what} for finding in findings],
        "not_proved": _not_proved(about),
    }
    return json.dumps(report)


def _not_proved(document: dict[str, Any]) -> list[str]:
    return [*NOT_PROVED, *(NOT_PROVED_BY_LEAVES if document.get("audit") == "leaves" else ())]


def _lines(document: Any, findings: Sequence[Finding]) -> Iterator[str]:
    """Yield what was checked, deal by deal; what is wrong; and what can't be proved."""
    from liarspoker.records.schema import Fault
    from liarspoker.records.words import printable
    from liarspoker.tables.fair.document import EVENT
    from liarspoker.tables.fair.parsed import read_deal

    by_deal: dict[int | None, list[str]] = {}
    for finding in findings:
        by_deal.setdefault(finding.deal, []).append(printable(finding.what))
    if isinstance(document, dict) and isinstance(document.get("deals"), list) and document.get("audit"):
        table = printable(str(document.get("table"))[:100])
        yield _("Table {table}, {count} deals", table=table, count=len(document["deals"]))
        for number, stated in enumerate(document["deals"]):
            try:
                yield from ("", *_deal(read_deal(stated, number, document["audit"]), document, number not in by_deal))
            except Fault:
                yield from ("", _("Deal {number}", number=number))
            yield from ("  " + _("WRONG: {what}", what=what) for what in by_deal.pop(number, ()))
        yield ""
    yield from (_("WRONG: {what}", what=what) for wrong in by_deal.values() for what in wrong)
    if findings:
        yield ngettext("Not verified: {count} error found.", "Not verified: {count} errors found.", len(findings))
        return
    yield _("Verified: every deal matches the server's commitment, and the records show it.")
    if EVENT in document:
        yield _("Every hand is that of the event, which the server had committed to before its players joined.")
    yield from ("", _("This doesn't prove"))
    for what in _not_proved(document):
        yield from textwrap.wrap(_(what), _WIDTH, initial_indent="- ", subsequent_indent="  ")


def _deal(deal: ParsedDeal, document: dict[str, Any], holds: bool) -> Iterator[str]:
    """Yield one deal: which players contributed nonces, and, if it is correct, what was checked."""
    from liarspoker.core import catalogue

    names = _names(deal, document)
    if deal.record is None:
        where = _("cancelled, without payment")
    else:
        where = _("record {record}, round {round}", record=deal.record[0] + 1, round=deal.record[1] + 1)
    yield _(
        "Deal {number}: {game}; {where}", number=deal.number, game=_(catalogue.preset(deal.game).title), where=where
    )
    opened = [name for name, nonce in zip(names, deal.shares.nonces, strict=True) if nonce]
    without = [name for name, promise in zip(names, deal.nonce_commitments, strict=True) if promise is None]
    nonces = N_("  nonces: {names}; none from {others}") if without else N_("  nonces: {names}")
    yield _(nonces, names=_listed(opened), others=_listed(without))
    if deal.withheld:
        withheld = [names[seat] for seat in deal.withheld if seat < len(names)]
        yield _("  withheld a nonce that they had committed to: {names}", names=_listed(withheld))
    if holds:
        yield from (f"  {what}" for what in _checked(deal, names))


def _checked(deal: ParsedDeal, names: Sequence[str]) -> Iterator[str]:
    if any(deal.shares.nonces):
        yield _("ok: these nonces match their commitments")
    if deal.seed is not None:
        yield _("ok: the seed matches the server's commitment")
        yield _("ok: the deal follows from the seed, and has the published root")
    else:
        yield _("ok: numbers or cards proved against the published root: {count}", count=len(deal.proofs))
    if deal.opener is not None:
        message = (
            N_("ok: {name} opens, as drawn at random from the seed")
            if deal.seed is not None
            else N_("ok: {name} opens, drawn at random (not proved)")
        )
        yield _(message, name=names[deal.opener])
    if deal.record is not None:
        yield _("ok: it is a draw that the rules allow, and the record of the round shows it")


def _names(deal: ParsedDeal, document: dict[str, Any]) -> list[str]:
    """Return the players of a deal, or seat numbers if the records don't name them, as for a cancelled deal."""
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
