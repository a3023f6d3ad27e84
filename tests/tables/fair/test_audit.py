"""Verification of audit documents: an honest table has no findings, and every tampering is found."""

import json
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liarspoker.tables.export import audit_of
from liarspoker.tables.fair.audit import Finding, check
from liarspoker.tables.fair.document import FULL, LEAVES
from tests.tables.fair.endings import Document, Evening, endings
from tests.tables.fair.tampering import tampered
from tests.tables.fair.vectors import PATH, changed, evening, written
from tests.tables.play import hand_of, new_table


def wording(findings: list[Finding]) -> str:
    return "\n".join(one.what for one in findings)


def test_the_test_vectors_are_up_to_date() -> None:
    assert PATH.read_text(encoding="utf-8") == written(), "run python -m tests.tables.fair.vectors"


@given(st.sampled_from([FULL, LEAVES]).flatmap(endings), st.integers(0, 2**32))
def test_every_tampering_is_found_at_its_deal_only(evening: Evening, chance: int) -> None:
    document = evening.document()
    assert check(document) == []
    if document["deals"]:
        other, deal = tampered(Random(chance), document)
        assert {one.deal for one in check(other) if one.deal is not None} == (set() if deal is None else {deal})


def sound(game_id: str = "dollar-bill", audit: str = FULL) -> Document:
    document: Document = json.loads(json.dumps(evening(game_id, audit)))
    assert check(document) == []
    return document


GONE = object()
ALL_ONES = {"0/deal": ["11111111"] * 3, "1/deal": ["11111111"] * 3}
FAULTS: list[tuple[dict[str, Any], str]] = [
    ({"fair": 2}, "document: fair must be 1"),
    ({"deals/1": GONE}, "deal 1: its number must be 1; deals must be complete and in order"),
    ({"deals/2/record": [0, 5]}, "record 1, round 2: no valid deal for this round"),
    ({"deals/2/record": [0, 5]}, "deal 2: record: no such round"),
    ({"deals/1/record": [0, 0]}, "deal 1: record: must be a later round than that of the previous deal"),
    ({"records/0/rounds/1/deal/2": "11111111"}, "round 2: deal/2: shows 11111111, but"),
    (
        {"records/0/rounds/0/deal": ["????????"] * 3, "records/0/rounds/0/counts": [8, 8, 8]},
        "starts or ends differently when it is replayed with what was dealt",
    ),
    ({"deals/0/draw/lots": None, "deals/0/opener": GONE}, "the opener should have been drawn at random"),
    (  # a deal that follows from its seed, but with five instead of eight digits, or under other options
        {"records/0/options": {"symbols": 6}, **{f"records/0/rounds/{at}": one for at, one in ALL_ONES.items()}},
        "draw differs from what the rules of the game draw",
    ),
    ({"records/0/rounds/1/actions/1": "1x0"}, "record 1, round 2, action 2:"),
]


@pytest.mark.parametrize(("changes", "told"), FAULTS)
def test_findings_name_their_location(changes: dict[str, Any], told: str) -> None:
    document = sound()
    for path, value in changes.items():
        held: Any = document
        *way, last = (int(one) if one.isdecimal() else one for one in path.split("/"))
        for one in way:
            held = held[one]
        if value is GONE:
            del held[last]
        else:
            held[last] = value
    assert told in wording(check(document))


def test_an_unknown_version_is_reported_first() -> None:
    assert wording(check({"fair": 2})) == wording(check({**sound(), "fair": 2})) == "document: fair must be 1"


def test_hidden_numbers_with_their_counts_are_allowed() -> None:
    document = sound()
    digit = document["records"][0]["rounds"][0]["actions"][0][-1]
    first = document["records"][0]["rounds"][0]
    first["counts"] = [number.count(digit) for number in first["deal"]]
    first["deal"][0] = "?" * 8
    first["deal"][1] = first["deal"][1][:3] + "?????"
    assert check(document) == []


def test_a_wrong_random_opener_is_found() -> None:
    document = sound()
    first = document["records"][0]["rounds"][0]
    first["opener"] = (first["opener"] + 1) % 3
    assert any(one.deal == 0 for one in check(document))


def test_letters_determine_the_first_opener_of_a_table() -> None:
    document = sound("salomon-1986")
    letters = document["records"][0]["letters"]
    first = document["records"][0]["rounds"][0]
    first["opener"] = letters.index(min(letters))
    assert check(document) == []
    first["opener"] = (first["opener"] + 1) % 3
    assert "round 1: starts or ends differently when it is replayed with what was dealt" in wording(check(document))


def test_missing_letters_are_found() -> None:
    document = sound("salomon-1986")
    letters = document["records"][0].pop("letters")
    document["records"][0]["rounds"][0]["opener"] = letters.index(min(letters))
    assert "round 1: letters/0: was dealt, but is missing from the record" in wording(check(document))


def test_a_slip_that_was_not_dealt_is_found() -> None:
    document = sound("slips")
    for rows in document["records"][0]["slips"]:
        rows += ["06742088"] * 15
    assert "contains slips that weren't dealt" in wording(check(document))


@pytest.mark.parametrize("audit", [FULL, LEAVES])
def test_a_changed_card_in_the_record_is_found(audit: str) -> None:
    document = sound("queen-annes", audit)
    hands = document["records"][0]["rounds"][0]["deal"]
    hands[0][0], hands[1][0] = hands[1][0], hands[0][0]
    assert {one.deal for one in check(document)} == {0}


def test_with_secret_seeds_everything_shown_needs_a_proof() -> None:
    document = sound(audit=LEAVES)
    del document["deals"][0]["proofs"][1]
    assert [one.what for one in check(document)] == ["deal 0: record 1, round 1: deal/1: shown without a proof"]


def test_a_leaves_audit_cannot_contain_a_seed() -> None:
    document = sound(audit=LEAVES)
    assert not any({"seed", "dealt"} & set(deal) for deal in document["deals"])


def test_wrongly_reshuffled_discards_are_found() -> None:
    played = new_table("thorin", 3, 1)
    played.make_ready()
    for _ in range(25):
        for act in ("declare", "take", "discard"):
            hand = hand_of(played.table, user := str(played.table.to_act))
            told = {"declare": hand["legal"]["min_claim"], "discard": "".join(hand.get("hand", ())[:3])}.get(act, "")
            played.do(user, "act", turn=played.table.turn, action=f"{act} {told}".strip())
    played.play_out()
    played.do("user-0", "end")
    document = json.loads(json.dumps(audit_of(played.table)))
    deck = document["records"][0]["rounds"][0]["deck"]
    deck[-1], deck[-2] = deck[-2], deck[-1]
    assert {one.deal for one in check(document)} == {0}


NUMBERS = {"kind": "numbers", "hand_size": 8, "digits": "01", "letters": False, "redraw": False, "lots": [0, 1, 2]}


@pytest.mark.parametrize(
    "values",
    [
        {"deal": True},
        {"game": "poker"},
        {"seats": 1},
        {"seats": 17},
        {"seats": 2},
        {"draw": {}},
        {"draw": {"kind": "deck", "jokers": 0, "lots": None}},
        {"draw": {**NUMBERS, "hand_size": 10**9}},
        {"draw": {**NUMBERS, "hand_size": 0}},
        {"draw": {**NUMBERS, "digits": "11"}},
        {"draw": {**NUMBERS, "digits": ""}},
        {"draw": {**NUMBERS, "kind": "cards"}},
        {"draw": {**NUMBERS, "lots": []}},
        {"draw": {**NUMBERS, "lots": [1, 0]}},
        {"draw": {**NUMBERS, "lots": [0, 3]}},
        {"commitment": "00"},
        {"commitment": None},
        {"seed": "A" * 64},
        {"seed": 7},
        {"nonces": ["", "", "0"]},
        {"nonces": ["", "", "00" * 65]},
        {"nonce_commitments": [None, None, "xx"]},
        {"nonce_commitments": [None]},
        {"picks": [None, None, -1]},
        {"picks": [None, None, 0.5]},
        {"withheld": [3]},
        {"withheld": "0"},
        {"root": "0" * 63},
        {"opener": 3},
        {"dealt": []},
        {"dealt": {"deal": 5}},
        {"record": [0]},
        {"record": "0"},
        {"record": [-1, 0]},
        {"other": 1},
    ],
)
def test_malformed_deals_are_reported_at_their_number(values: dict[str, Any]) -> None:
    assert 0 in {one.deal for one in check(changed(sound(), 0, **values))}


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.just("\ud800"),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)


@given(st.data(), ANYTHING, st.sampled_from([FULL, LEAVES]), st.sampled_from(["slips", "thorin", "queen-annes"]))
def test_arbitrary_documents_are_checked_without_errors(
    data: st.DataObject, anything: object, audit: str, game_id: str
) -> None:
    document: Any = json.loads(json.dumps(evening(game_id, audit)))
    held = document
    while True:
        places = list(held) if isinstance(held, dict) else range(len(held))
        place = data.draw(st.sampled_from(places))
        if not isinstance(held[place], dict | list) or not held[place] or data.draw(st.booleans()):
            break
        held = held[place]
    held[place] = anything
    assert isinstance(check(document), list)
