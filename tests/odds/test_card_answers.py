"""Questions about cards, one JSON object a line; what all questions share is in test_answers."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liarspoker.odds.answers import answer_line

HAND = ["As", "Ad", "Kc", "7h", "2s"]
POOL: dict[str, Any] = {"kind": "pooled_exists", "hand": "pair 7", "known": ["7c"], "unknown": 1, "jokers": 0}
DRAW: dict[str, Any] = {"kind": "thorin_reach", "hand": HAND, "discard": ["7h", "2s"], "claim": "three", "jokers": 0}

# Good questions, and their answers by hand.
GOOD: list[tuple[dict[str, Any], str]] = [
    (POOL, "1/17"),
    ({**POOL, "jokers": 2}, "5/53"),
    ({**POOL, "wild_ranks": ""}, "1/17"),
    ({**POOL, "wild_ranks": "29"}, "11/51"),
    ({**POOL, "wild_ranks": "7"}, "1/17"),
    ({**POOL, "known": ["7c", "Jk"], "jokers": 1}, "1/1"),
    ({**POOL, "known": [], "unknown": 52}, "1/1"),
    ({**POOL, "hand": "straight 5", "known": ["As", "2c", "3d", "4h"]}, "1/12"),
    ({**POOL, "hand": "flush KJ752 c", "known": [], "unknown": 6}, "1/433160"),
    ({**POOL, "hand": " flush K J 7 5 2  c "}, "0/1"),
    ({**POOL, "hand": "royal-flush s", "known": ["Js", "Ts", "Qs", "Ks"]}, "1/48"),
    (DRAW, "2/23"),
    ({**DRAW, "discard": []}, "0/1"),
    ({**DRAW, "claim": "pair _A", "discard": []}, "1/1"),
    ({**DRAW, "claim": "high"}, "1/1"),
    ({**DRAW, "claim": "four A"}, "1/1081"),
    ({**DRAW, "claim": "five", "jokers": 2}, "0/1"),
    ({**DRAW, "hand": ["As", "Ad", "Kc", "7h", "Jk"], "discard": ["Kc", "7h"], "claim": "five", "jokers": 2}, "1/392"),
    ({**DRAW, "hand": ["Jk", "Ad", "Kc", "7h", "Jk"], "discard": ["Jk"], "claim": "three A", "jokers": 2}, "3/49"),
]


def asked(question: object) -> dict[str, Any]:
    return dict(json.loads(answer_line(json.dumps(question).encode())))


def code_for(question: object) -> str:
    return str(asked(question)["error"]["code"])


# Words that people say, and what they come to in the notation.
SAID = [
    ({**POOL, "hand": "pair of sevens"}, "pair 7"),
    ({**POOL, "hand": "two sevens"}, "pair 7"),
    ({**POOL, "hand": "full house A over 10", "unknown": 12}, "full-house AT"),
    ({**POOL, "hand": "two pair 8 and J", "unknown": 12}, "two-pair J8"),
    ({**POOL, "hand": "flush 2,5,7,J,K clubs", "unknown": 12}, "flush KJ752 c"),
    ({**POOL, "hand": "royal flush of spades", "unknown": 12}, "royal-flush s"),
    ({**DRAW, "claim": "two pair, sevens over threes"}, "two-pair 73"),
    ({**DRAW, "claim": "sevens over threes with a jack kicker"}, "two-pair 73J"),
    ({**DRAW, "claim": "three of a kind"}, "three"),
    ({**DRAW, "claim": "a pair, ace kicker"}, "pair _A"),
    ({**DRAW, "claim": "Q-J-9-4-2, all red"}, "color-flush QJ942"),
    ({**DRAW, "claim": "royal flush", "discard": ["Ad", "7h", "2s"]}, "straight-flush A"),
    ({**DRAW, "claim": "flush, king high, hearts"}, "flush K"),
    ({**DRAW, "claim": "five aces", "jokers": 2}, "five A"),
]


@pytest.mark.parametrize(("question", "written"), SAID, ids=str)
def test_a_claim_may_be_said_as_people_say_it(question: dict[str, Any], written: str) -> None:
    field = "hand" if question["kind"] == "pooled_exists" else "claim"
    assert "value" in asked(question)
    assert asked(question) == asked({**question, field: written})


@pytest.mark.parametrize(("question", "fraction"), GOOD, ids=str)
def test_a_question_is_answered_exactly(question: dict[str, Any], fraction: str) -> None:
    assert asked(question) == {"value": float(Fraction(fraction)), "fraction": fraction}


@pytest.mark.parametrize("kind", [POOL, DRAW], ids=lambda kind: kind["kind"])
@given(data=st.data())
def test_a_question_that_lacks_a_field_or_has_one_too_many_is_bad(kind: dict[str, Any], data: st.DataObject) -> None:
    lacking = dict(kind)
    del lacking[data.draw(st.sampled_from(sorted(kind)))]
    assert code_for(lacking) == "bad-question"
    name = data.draw(st.text(max_size=9).filter(lambda name: name not in {*kind, "wild_ranks"}))
    assert code_for({**kind, name: 1}) == "bad-question"


@pytest.mark.parametrize(
    "changed",
    [
        {**POOL, "hand": 7},
        {**POOL, "hand": ["7c", "7d"]},
        {**POOL, "known": "7c"},
        {**POOL, "known": [7]},
        {**POOL, "known": ["7c", "7c"]},
        {**POOL, "known": ["7C"]},
        {**POOL, "known": ["10c"]},
        {**POOL, "known": ["??"]},
        {**POOL, "known": [""]},
        {**POOL, "known": ["Jk"]},
        {**POOL, "known": ["Jk", "Jk"], "jokers": 1},
        {**POOL, "known": ["7c"] * 55},
        {**POOL, "unknown": -1},
        {**POOL, "unknown": 52},
        {**POOL, "unknown": 53, "jokers": 1},
        {**POOL, "unknown": 1.0},
        {**POOL, "jokers": 3},
        {**POOL, "jokers": True},
        {**POOL, "wild_ranks": 2},
        {**POOL, "wild_ranks": None},
        {**POOL, "wild_ranks": "1"},
        {**POOL, "wild_ranks": "2 9"},
        {**POOL, "wild_ranks": "22"},
        {**DRAW, "hand": HAND[:4]},
        {**DRAW, "hand": [*HAND, "3s"]},
        {**DRAW, "hand": ["As", "As", "Kc", "7h", "2s"]},
        {**DRAW, "hand": ["As", "Ad", "Kc", "7h", "Jk"], "discard": []},
        {**DRAW, "hand": "AsAdKc7h2s"},
        {**DRAW, "discard": ["3s"]},
        {**DRAW, "discard": ["2s", "2s"]},
        {**DRAW, "discard": ["Jk"], "jokers": 1},
        {**DRAW, "discard": ["??"]},
        {**DRAW, "discard": "-"},
        {**DRAW, "claim": None},
        {**DRAW, "jokers": 3},
        {**DRAW, "wild_ranks": "2"},
        # Where cards and claim are wrong, the cards are told.
        {**POOL, "hand": "pair", "known": ["7c", "7c"]},
        {**DRAW, "claim": "five", "discard": ["3s"]},
    ],
    ids=str,
)
def test_fields_of_another_type_and_cards_that_cannot_be_are_bad(changed: dict[str, Any]) -> None:
    assert code_for(changed) == "bad-question"


@pytest.mark.parametrize(
    "hand",
    [
        *(
            "pair",
            "pair 77",
            "pair 7 h",
            "pair _",
            "pair 77 h",
            "pair of sevens, ace kicker",
            "two-pair 37",
            "two-pair 77",
        ),
        *("straight 4", "straight 9 h", "flush KJ752", "flush 65432 c", "flush A5432 c", "flush 2457J c"),
        *("straight-flush A s", "royal-flush", "royal-flush A s", "full-house 77", "five 7", "color-flush KJ752"),
        *("challenge", "", "\ud800"),
    ],
)
def test_a_hand_that_cannot_be_named_is_no_claim(hand: str) -> None:
    assert code_for({**POOL, "hand": hand}) == "no-such-claim"


@pytest.mark.parametrize(
    "claim",
    [
        *("five", "five A", "high 6", "high KQJT9", "high 5432A", "two-pair 37", "pair 7A7", "pair 7AKQJ"),
        *("flush KJ752 c", "flush AA", "royal-flush", "straight-flush 4", "full-house 77", "five 10s", "take", ""),
    ],
)
def test_a_declaration_that_no_hand_fits_is_no_claim(claim: str) -> None:
    assert code_for({**DRAW, "claim": claim}) == "no-such-claim"


@pytest.mark.parametrize("jokers", [1, 2])
def test_five_of_a_kind_is_a_claim_where_there_are_jokers(jokers: int) -> None:
    assert "value" in asked({**DRAW, "claim": "five", "jokers": jokers})
    assert code_for({**DRAW, "claim": "flush AA", "jokers": jokers}) == "no-such-claim"


@given(st.sampled_from([POOL, DRAW]), st.text(max_size=20))
def test_any_text_for_a_claim_gets_an_answer(kind: dict[str, Any], text: str) -> None:
    field = "hand" if kind is POOL else "claim"
    assert asked({**kind, field: text})
