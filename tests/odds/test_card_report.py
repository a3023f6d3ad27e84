"""Reports of the odds of card games."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from math import comb

from hypothesis import given
from hypothesis import strategies as st

from liarspoker.core.cards.deck import full_deck, read_joined_cards
from liarspoker.core.cards.hand_values import hand_value
from liarspoker.games.queen_annes.ladder import ladder_length, named_hand
from liarspoker.games.thorin.ladder import keeps_promise
from liarspoker.odds.card_report import DrawReport, PoolReport, format_draw, format_pool
from liarspoker.odds.draws import choices, fresh_hand_probability
from liarspoker.odds.questions import declaration, draw_rules, named_in_pool, pooled_rules
from tests.effort import one_in

HAND = read_joined_cards("AsAdKc7h2s")


def draw_report(claim: str, hand: str | None = None, discard: str | None = None, jokers: int = 0) -> DrawReport:
    held, thrown = (None if text is None else read_joined_cards(text) for text in (hand, discard))
    return DrawReport(declaration(claim, jokers), jokers, held, thrown)


def pool_report(known: str, unknown: int, claim: str | None = None, jokers: int = 0, wild: str = "") -> PoolReport:
    rules = pooled_rules(jokers, wild)
    return PoolReport(read_joined_cards(known), unknown, rules, (claim and named_in_pool(claim, rules)) or None)


# ------------------------------------------------------------------------------------------------- in figures


@one_in(10)
@given(st.permutations(full_deck(2)), st.integers(0, 8), st.integers(0, 20), st.sampled_from(["", "2", "29"]))
def test_the_table_has_every_hand_that_can_be_named(deck: list[int], known: int, unknown: int, wild: str) -> None:
    report = PoolReport(tuple(deck[:known]), unknown, pooled_rules(2, wild))
    table = report.table()
    assert sum(row.hands for row in table) == ladder_length(report.rules)
    assert all(report.probability(row.named) == row.probability for row in table)
    every = (report.probability(named_hand(claim, report.rules)) for claim in range(0, ladder_length(report.rules), 97))
    assert set(every) <= {row.probability for row in table}


def test_without_known_or_wild_cards_hands_of_a_category_are_equally_likely() -> None:
    assert [row.hands for row in pool_report("", 15).table()] == [13, 13, 78, 13, 10, 5108, 156, 13, 36, 4]


def test_a_pool_and_its_table_as_json() -> None:
    data = json.loads(json.dumps(pool_report("AsJk", 12, "full-house AT", 1, "92").as_json()))
    chance = data.pop("chance")
    assert data == {"hand": "full-house AT", "known": ["As", "Jk"], "unknown": 12, "jokers": 1, "wild_ranks": "29"}
    assert float(Fraction(chance["fraction"])) == chance["value"]
    first = json.loads(json.dumps(pool_report("", 52).as_json()))["hands"][0]
    assert first == {
        "category": "high",
        "highest": "high A",
        "hands": 13,
        "chance": {"value": 1.0, "fraction": "1/1"},
    }


def test_a_draw_as_json() -> None:
    report = draw_report("three", "AsAdKc7h2s")
    data = json.loads(json.dumps(report.as_json()))
    discards = data.pop("discards")
    assert data == {
        "claim": "three",
        "floor": "three 243",
        "hand": ["As", "Ad", "Kc", "7h", "2s"],
        "hand_value": "pair AK72",
        "jokers": 0,
        "gone": [],
        "or_better": "worst",
        "duplicate": "five_only",
    }
    assert discards[0]["discard"] == ["Kc", "7h", "2s"]
    expected = [choice.probability for choice in choices(HAND, report.floor)]
    assert [Fraction(row["chance"]["fraction"]) for row in discards] == expected
    fresh = draw_report("two-pair 73", jokers=1)
    assert (fresh.as_json()["hand"], fresh.as_json()["hand_value"]) == (None, None)
    assert fresh.choices == [((), fresh_hand_probability(fresh.floor, 1))]


# ------------------------------------------------------------------------------------------------- in words


def test_the_text_of_a_named_hand_lists_its_known_cards() -> None:
    assert format_pool(pool_report("AsKd", 12, "full-house AT")).splitlines() == [
        "full-house AT in a pool of 14 cards, 2 of them known",
        "",
        "  known       As",
        "  missing     4",
        "  chance      2.66%, 1 in 38",
    ]


def test_the_text_includes_wild_cards_and_certainties() -> None:
    lines = {
        ("AsKdJk2s", "full-house AT"): ["  known       As, wild Jk 2s"],
        ("KdJk2s", "four T"): ["  known       wild Jk 2s"],
        ("Kd", "four T"): ["  known       nothing"],
        ("", "four T"): ["  wild        Jk Jk 2", "four T in a pool of 5 cards, none of them known"],
        ("TcTdThJk", "four T"): ["  missing     nothing", "  chance      100%"],
    }
    for (known, claim), expected in lines.items():
        assert set(expected) <= set(format_pool(pool_report(known, 5, claim, jokers=2, wild="2")).splitlines())


def test_a_table_names_each_category_once_and_fits_the_terminal() -> None:
    lines = format_pool(pool_report("AsKdQhJk", 12, jokers=2, wild="29")).splitlines()
    assert max(map(len, lines)) <= 80
    assert sum(line.startswith("  two-pair ") for line in lines) == 1
    assert len(format_pool(pool_report("", 15)).splitlines()) == 12


def test_the_text_lists_the_best_discards() -> None:
    assert format_draw(draw_report("three", "AsAdKc7h2s")).splitlines()[:6] == [
        "three: three 243 or better",
        "",
        "  you hold    As Ad Kc 7h 2s: pair AK72",
        "",
        "  discard            chance",
        "  Kc 7h 2s           12.73%",
    ]
    assert format_draw(draw_report("three", "AsAdKc7h2s")).splitlines()[-1] == "  and 24 more, none of them better"


def test_earlier_discards_are_not_drawn() -> None:
    report = replace(draw_report("three", "AsAdKc7h2s", "Kc7h2s"), gone=read_joined_cards("AhAc"))
    [(_discard, chance)] = report.choices
    unseen = [card for card in full_deck(0) if card not in {*HAND, *report.gone}]
    triples = sum(len({card // 4 for card in drawn}) == 1 for drawn in combinations(unseen, 3))
    assert chance == Fraction(triples, comb(45, 3))
    assert "  gone        Ah Ac" in format_draw(report).splitlines()
    fresh = replace(draw_report("five", jokers=1), gone=read_joined_cards("Jk"))
    assert fresh.choices[0].probability == 0


def test_a_declaration_may_go_by_its_words() -> None:
    claim, rules = declaration("pair _A", 0), draw_rules(0, "words")
    report = DrawReport(claim, 0, HAND, gone=read_joined_cards("Kd"), or_better="words")
    for discard, chance in report.choices:
        if len(discard) == 1:
            kept = [card for card in HAND if card not in discard]
            unseen = [card for card in full_deck(0) if card not in {*HAND, *report.gone}]
            good = sum(keeps_promise(hand_value((*kept, card)), claim, rules) for card in unseen)
            assert chance == Fraction(good, len(unseen))
    assert format_draw(report).startswith("pair _A: a hand that fits it, or beats every hand that does\n")
    assert report.as_json()["or_better"] == "words"


def test_a_joker_may_double_any_card() -> None:
    claim = declaration("flush AA", 1, "any")
    hand = read_joined_cards("JkAdKd7d2d")
    assert DrawReport(claim, 1, hand, (), duplicate="any").choices[0].probability == 1
    assert "flush AAK72" in format_draw(DrawReport(claim, 1, hand, duplicate="any"))


def test_the_text_of_a_single_discard() -> None:
    lines = {
        ("AsAdKc7h2s", "7h2s"): ["  you         discard 7h 2s", "  chance      8.70%, 1 in 12"],
        ("AsAdKc7h2s", ""): ["  you         keep all", "  chance      0%"],
        (None, None): ["  you draw    five new cards", "  chance      2.87%, 1 in 35"],
    }
    assert {cards: format_draw(draw_report("three", *cards)).splitlines()[-2:] for cards in lines} == lines
