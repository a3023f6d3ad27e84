"""Which declarations may follow which. Source 002, "The only restriction"; RULES B4."""

from __future__ import annotations

from liarspoker.core.cards.hand_values import VALUE_OF, hand_value
from liarspoker.games.thorin.ladder import floor_of, keeps_promise
from liarspoker.games.thorin.notation import read_claim, write_value
from tests.rules.cards.matches import cards, code_of, declared, play_thorin_round, thorin, thorin_rules

PROMISES = {
    "high": "high 75432",
    "high 76": "high 76432",
    "high K": "high K5432",
    "high K5": "high K5432",
    "high K6": "high K6432",
    "high A": "high A6432",  # A-5-4-3-2 is a straight
    "pair": "pair 2543",
    "pair 7": "pair 7432",
    "pair _A": "pair 2A43",
    "color-flush": "color-flush 54322",
    "color-flush Q": "color-flush Q4322",
    "color-flush Q_9": "color-flush Q9932",
    "two-pair": "two-pair 324",
    "two-pair 7": "two-pair 723",
    "two-pair 73": "two-pair 732",
    "three": "three 243",
    "straight": "straight 5",
    "flush": "flush 75432",
    "full-house": "full-house 23",
    "full-house A": "full-house A2",
    "color-straight-flush": "color-straight-flush 5",
    "four": "four 23",
    "straight-flush": "straight-flush 5",
}
RANKS = "23456789TJQKA"
LEGAL = {
    "": "high 76, high _6, high 8, pair, straight-flush A",
    "high K": "high K6, high KT",
    "high K5": "high K6",
    "high A6": "pair",
    "pair 7": "pair 75",
    "pair": "pair 3",
    "pair A": "color-flush",
    "color-flush QJ942": "two-pair, color-flush QJ943",
    "two-pair": "two-pair 73, two-pair _3",
    "two-pair 73": "two-pair 73J",
    "two-pair 73J": "three",
    "two-pair AKQ": "three",
    "full-house": "color-straight-flush",
    "color-straight-flush A": "four",
    "four A": "four AK",
    "straight-flush K": "royal-flush",
}
TOO_WEAK = {
    "": "high, high 7, high 75, high 75432",
    "high K": "high K, high K5",
    "high K5": "high K",
    "high KT": "high QJ",
    "pair _A": "pair 2",
    # A black hand must be better than a red one of the same ranks.
    "color-flush QJ942": "color-flush QTT42, color-flush QJ942",
    "two-pair": "two-pair 32, two-pair 3, color-flush A",
    "two-pair 73J": "two-pair 73T",
    "three": "two-pair A",
    "straight": "straight 5",
}
NO_HAND = [
    *["high 6", "high KQJT9", "high A5432", "high KK", "high 2K", "pair 77", "pair 7A7", "pair 7KA", "pair 7AKQJ"],
    *["two-pair 37", "two-pair 77", "two-pair 737", "two-pair 73 h", "three 4K4", "straight 4", "flush KKQ94"],
    *["flush AA952", "color-flush KK995", "full-house AA", "four 77", "straight-flush A s", "royal-flush A"],
    *["royal-flush s", "five", "five K"],
]


def answer_to(standing: str, text: str, **options: object) -> str:
    """Return the code with which `text` is rejected after `standing`, or `legal`."""
    taken = f"declare {standing}, take, discard -" if standing else ""
    return code_of(play_thorin_round(thorin(3, **options), None, taken), f"declare {text}")


def codes(table: dict[str, str]) -> dict[tuple[str, str], str]:
    """Return the code of every declaration in a table."""
    return {(one, text): answer_to(one, text) for one, texts in table.items() for text in texts.split(", ")}


def test_what_a_declaration_promises() -> None:
    assert {claim: write_value(floor_of(declared(claim))) for claim in PROMISES} == PROMISES
    assert write_value(floor_of(declared("five", thorin_rules(jokers=1)))) == "five 2"
    assert floor_of(declared("two-pair")) == hand_value(cards("3c3d2h2s4c"))


def test_a_declaration_may_be_made() -> None:
    assert {where: code for where, code in codes(LEGAL).items() if code != "legal"} == {}


def test_a_declaration_is_not_stronger() -> None:
    assert {where: code for where, code in codes(TOO_WEAK).items() if code != "not-stronger"} == {}


def test_a_more_specific_declaration_is_legal_except_for_the_weakest_hand() -> None:
    for kind in ("pair", "two-pair", "three", "straight", "flush", "full-house", "color-straight-flush", "four"):
        answers = [answer_to(kind, f"{kind} {rank}") for rank in RANKS]
        assert answers.count("not-stronger") == 1
        assert set(answers[answers.index("not-stronger") + 1 :]) == {"legal"}
    pairs = [f"two-pair {high}{low}" for place, high in enumerate(RANKS) for low in RANKS[:place]]
    assert [text for text in pairs if answer_to("two-pair", text) != "legal"] == ["two-pair 32"]


def test_impossible_and_unnamed_hands_are_not_claims() -> None:
    for standing in ("", "high 8"):
        assert [text for text in NO_HAND if answer_to(standing, text) != "no-such-claim"] == []


def test_a_royal_flush_is_the_highest_straight_flush() -> None:
    assert read_claim("royal-flush", thorin_rules()) == declared("straight-flush A")


def test_five_of_a_kind_needs_a_joker_in_the_deck() -> None:
    assert answer_to("straight-flush A", "five", jokers=1) == "legal"
    assert answer_to("five", "five 2", jokers=1) == "not-stronger"
    assert answer_to("five", "five 3", jokers=2) == "legal"


def test_flushes_with_several_aces_need_jokers() -> None:
    legal = {
        ("flush AA952", 1, "five_only"): False,
        ("flush AA952", 1, "any"): True,
        ("flush _A", 1, "any"): True,
        ("flush AAA95", 1, "any"): False,
        ("flush AAA95", 2, "any"): True,
        ("flush AAKQJ", 2, "any"): False,  # with a joker that is a royal flush
        ("flush KK952", 2, "any"): False,  # the joker would be an ace
    }
    for (text, jokers, duplicate), is_legal in legal.items():
        code = answer_to("", text, jokers=jokers, duplicate=duplicate)
        assert code == ("legal" if is_legal else "no-such-claim"), text


def test_a_better_pair_makes_a_pair_with_an_ace_true_unless_words_count() -> None:
    held, claim, by_words = hand_value(cards("7c7dKh3s2c")), declared("pair _A"), thorin_rules(or_better="words")
    assert keeps_promise(held, claim, thorin_rules())
    assert not keeps_promise(held, claim, by_words)
    assert keeps_promise(VALUE_OF[2, (3, 2, 1, 0, 0)], claim, by_words)
