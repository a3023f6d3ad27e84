"""Audits of tables that end at any moment: they are valid, and reveal only what the rules showed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

from liarspoker.cli import main
from liarspoker.records import read_json, to_json
from liarspoker.records.family import deal_of
from liarspoker.tables.export import audit_of, record_of, sittings_of
from liarspoker.tables.fair.audit import check
from liarspoker.tables.fair.deal import texts_of
from liarspoker.tables.fair.document import FULL, LEAVES
from liarspoker.tables.refused import Refused
from tests.effort import effort
from tests.tables.fair.endings import Document, Ending, Evening, all_endings, ended, texts_in
from tests.tables.fair.node import findings_of
from tests.tables.fair.tampering import tampered_wholes
from tests.tables.play import new_table, replayed

SEEDS, EVERY = effort((range(1), 29), quick=(range(1), 29), soak=(range(5), 1))
"""All endings, several times, in `make soak`; otherwise a sample."""

BATCH = 100
"""Number of audits held in memory at once."""


def some_endings(of_them: int = 1) -> Iterator[list[Ending]]:
    """Endings of all kinds, or a sample of them, in batches."""
    every = [ending for seed in SEEDS for ending in all_endings(seed)][:: EVERY * of_them]
    for first in range(0, len(every), BATCH):
        yield every[first : first + BATCH]


@pytest.mark.parametrize("audit", [FULL, LEAVES])
def test_a_slip_aborted_in_its_first_hand_is_in_no_record(audit: str) -> None:
    played = new_table("slips", 3, 1, audit=audit)
    for _ in range(10):
        played.play_round()
    played.make_ready()
    played.do("user-0", "end")
    document = audit_of(played.table)
    assert document["deals"][-1]["draw"]["kind"] == "slips"
    assert document["deals"][-1]["record"] is None
    assert [len(rows) for rows in document["records"][0]["slips"]] == [15] * 3
    assert check(document) == []
    assert findings_of([document]) == [[]]


@pytest.mark.slow
@pytest.mark.soak
def test_however_a_table_ends_both_verifiers_accept_it_and_its_records_round_trip() -> None:
    for endings in some_endings():
        documents = [checked(ending) for ending in endings]
        for ending, found in zip(endings, findings_of(documents), strict=True):
            assert found == [], ending


def checked(ending: Ending) -> Document:
    """Return a table's audit. Checks that it is valid, that the log reproduces it and that its records are complete."""
    evening = ended(ending)
    document = evening.document()
    assert check(document) == [], ending
    assert document == json.loads(json.dumps(audit_of(replayed(evening)))), ending
    rounds = sum(map(read_back, document["records"]))
    assert rounds == (0 if hides_slips(evening) else evening.table.rounds_played), ending
    return document


def read_back(record: Document) -> int:
    """Return the number of rounds replayed from a valid record."""
    again = read_json(to_json(record))
    assert again.fault is None
    assert again.session is not None
    assert not again.session.in_play
    return len(again.rounds)


def hides_slips(evening: Evening) -> bool:
    """Whether the audit has no records, because their slips would show what some count didn't."""
    slips = any(deal.draw["kind"] == "slips" for deal in evening.table.deals)
    told = [record_of(evening.table, sitting, None) for sitting in sittings_of(evening.table)]
    return evening.table.settings.audit == LEAVES and slips and not all("slips" in record for record in told)


@pytest.mark.soak
def test_a_leaves_audit_reveals_only_what_everyone_saw() -> None:
    caught = 0
    for ending in chain.from_iterable(some_endings()):
        if ending.audit == LEAVES:
            evening = ended(ending)
            document, opened = evening.document(), opened_audit(evening)
            assert unseen(evening, document) == set(), ending
            assert not secrets_of(evening, opened) & set(texts_in(document)), ending
            caught += bool(unseen(evening, opened)) and bool(secrets_of(evening, opened) & set(texts_in(opened)))
    assert caught, "an audit that reveals everything should not pass"


def opened_audit(evening: Evening) -> Document:
    """Return the full audit of the same table, with all seeds."""
    return audit_of(evening.table._replace(settings=replace(evening.table.settings, audit="full")))


def unseen(evening: Evening, document: Document) -> set[str]:
    """Return numbers and cards in the proofs and records of an audit that weren't shown to everyone.

    A slip is dealt once and seen hand by hand, so everything that was seen at the table counts.
    """
    found: set[str] = set()
    records = [read_json(to_json(record)) for record in document["records"]]
    for deal in document["deals"]:
        told = {proof["text"] for proof in deal.get("proofs", ())}
        if deal["record"] is not None:
            record, place = deal["record"]
            told |= {*texts_of(deal_of(records[record].rounds[place]).parts()).values()}
        from_slip = deal["draw"]["kind"] == "slips"
        shown = set().union(*evening.seen.values()) if from_slip else evening.seen[deal["deal"]]
        found |= {text for text in told if "?" not in text} - shown
    return found


def secrets_of(evening: Evening, opened: Document) -> set[str]:
    """Return what must not appear in the audit: seeds, unopened nonces, and numbers that nobody saw."""
    seeds = {seed.hex() for seed in evening.seeds.values()}
    told = {nonce for deal in opened["deals"] for nonce in deal["nonces"]}
    numbers = {text for deal in opened["deals"] for text in texts_of(deal["dealt"]).values()}
    long = {number for number in numbers if number.isdigit() and len(number) > 5}
    return seeds | {nonce.hex() for nonce in evening.nonces.values()} - told | long.difference(*evening.seen.values())


@pytest.mark.slow
@pytest.mark.soak
def test_both_verifiers_reject_every_tampering() -> None:
    tried: set[str] = set()
    for endings in some_endings(of_them=3):
        tampered = [
            (ending, *other)
            for ending in endings
            for other in tampered_wholes(Random(repr(ending)), ended(ending).document())
        ]
        found = findings_of(document for *_, document in tampered)
        for (ending, what, document), theirs in zip(tampered, found, strict=True):
            assert check(document), (what, ending)
            assert theirs, (what, ending)
            tried.add(what)
    assert len(tried) > 6


@pytest.mark.parametrize("audit", [FULL, LEAVES])
def test_the_command_line_verifies_an_audit_and_replays_its_records(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], audit: str
) -> None:
    evening = ended(next(one for one in all_endings() if (one.game, one.audit, one.rounds) == ("slips", audit, 11)))
    document = evening.document()
    path = tmp_path / "table.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    assert main(["verify", str(path)]) == 0
    for record in document["records"]:
        path.write_text(json.dumps(record), encoding="utf-8")
        assert main(["replay", str(path)]) == 0
    assert "Verified" in capsys.readouterr().out


def test_a_table_ends_once_and_has_no_audit_before() -> None:
    played = new_table("slips", 3, 1)
    for rounds in range(2):
        with pytest.raises(Refused, match="revealed when the table has ended"):
            audit_of(played.table)
        assert played.table.rounds_played == rounds
        played.play_round()
    played.do("user-0", "end")
    document = audit_of(played.table)
    for user, do in (("user-0", "end"), ("user-1", "leave"), ("user-0", "ready"), ("user-0", "pause")):
        assert played.refused(user, do) == "table-ended"
    assert audit_of(played.table) == document


@pytest.mark.parametrize("audit", [FULL, LEAVES])
def test_undoing_the_first_action_on_a_new_slip_keeps_the_slip(audit: str) -> None:
    played = new_table("slips", 3, 1, audit=audit)
    for _ in range(10):
        played.play_round()
    played.make_ready()
    opener = str(played.table.to_act)
    dealt = played.table.deals[-1]
    for claim in ("1x1", "2x9"):
        played.do(opener, "act", turn=played.table.turn, action=claim)
        played.do(opener, "propose", kind="undo")
        for user in sorted({"user-0", "user-1", "user-2"} - {opener}):
            played.do(user, "answer", proposal=played.table.proposal_count - 1, yes=True)
        assert played.table.to_act == opener
        assert played.table.deals[-1] is dealt
    played.play_round()
    played.do("user-0", "end")
    document = audit_of(played.table)
    assert [len(rows) for rows in document["records"][0]["slips"]] == [30] * 3
    assert check(document) == []
    assert findings_of([document]) == [[]]
