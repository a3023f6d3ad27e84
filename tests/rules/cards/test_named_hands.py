"""Hands that can be named, their order, and when they exist. Source 004; RULES C2."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest
from hypothesis import given

from liarspoker.core.cards.claims import NO_SUIT, SHAPES, Spelling, read_spelling
from liarspoker.core.cards.deck import JOKER, full_deck, mask_of, rank_of, suit_of
from liarspoker.games.queen_annes.ladder import (
    all_requirements,
    claim_of,
    is_wild,
    ladder_length,
    missing,
    named_hand,
    prove,
    required_cards,
)
from liarspoker.games.queen_annes.notation import write_claim
from liarspoker.games.queen_annes.options import QueenAnnesRules
from tests.rules.cards.matches import cards, chances, code_of, play_pooled_round, queen_annes, queen_annes_rules

PLAIN = queen_annes_rules()
COUNTS = {
    "high": 13,
    "pair": 13,
    "two-pair": 78,
    "three": 13,
    "straight": 10,
    "flush": 4 * 1277,
    "full-house": 156,
    "four": 13,
    "straight-flush": 36,
    "royal-flush": 4,
}
"""Number of hands in each category, lowest category first."""
ORDER = tuple(COUNTS)


def random_rules(chance: Random) -> QueenAnnesRules:
    return queen_annes_rules(
        jokers=chance.choice([0, 1, 2]),
        wild_ranks=chance.choice(["", "2", "29", "A"]),
        flush_order=chance.choice(["ranks_first", "suit_first"]),
        wheel=chance.random() < 0.5,
        flush_of_straight=chance.random() < 0.5,
    )


def place(text: str, rules: QueenAnnesRules = PLAIN) -> int:
    spelt = read_spelling(text)
    claim = None if spelt is None else claim_of(spelt, rules)
    assert claim is not None, text
    return claim


def answer_to(standing: str, text: str, **options: object) -> str:
    session = play_pooled_round(queen_annes("queen-annes", 2, (4, 4), **options), "2c|2d", standing)
    return code_of(session, f"claim {text}")


@given(chances)
def test_the_ladder_is_ordered_by_category_then_ranks_then_suit(chance: Random) -> None:
    rules = random_rules(chance)
    one, other = (chance.randrange(ladder_length(rules)) for _ in range(2))

    def strength(claim: int) -> tuple[object, ...]:
        named = named_hand(claim, rules)
        inside = (named.suit, named.ranks) if rules.suit_first and named.word == "flush" else (named.ranks, named.suit)
        return ORDER.index(named.word), *inside

    assert (one > other) == (strength(one) > strength(other))
    named = named_hand(one, rules)
    assert claim_of(named, rules) == one == place(write_claim(one, rules), rules)
    assert (len(named.ranks), named.suit != NO_SUIT) == SHAPES[named.word]


def test_the_number_of_hands_per_category() -> None:
    assert tuple(SHAPES) == ORDER
    hands = [named_hand(claim, PLAIN) for claim in range(ladder_length(PLAIN))]
    assert {word: sum(named.word == word for named in hands) for word in ORDER} == COUNTS
    assert all(prove(named, range(52), PLAIN).exists for named in hands)
    for chance in map(Random, range(9)):
        rules = random_rules(chance)
        length = ladder_length(rules)
        assert claim_of(named_hand(length - 1, rules), rules) == length - 1
        with pytest.raises(IndexError):
            named_hand(length, rules)


def test_hands_are_ordered_as_in_the_source() -> None:
    """The order of the source; suits rank clubs, diamonds, hearts, spades."""
    rising = (
        "high 2, high A, pair 2, pair A, two-pair 32, two-pair 42, two-pair AK, three 2, three A, straight 5, "
        "straight 6, straight A, flush 75432 c, flush 75432 d, flush 75432 h, flush 75432 s, flush 76432 c, "
        "flush KJ752 c, flush AKQJ9 s, full-house 23, full-house 2A, full-house 32, full-house AK, four 2, four A, "
        "straight-flush 5 c, straight-flush 5 s, straight-flush 9 c, straight-flush 9 d, straight-flush K s, "
        "royal-flush c, royal-flush d, royal-flush h, royal-flush s"
    )
    for lower, higher in pairwise(rising.split(", ")):
        answers = [answer_to(lower, higher), answer_to(higher, lower), answer_to(higher, higher)]
        assert answers == ["legal", "not-stronger", "not-stronger"], higher


def test_flushes_can_be_ordered_by_suit_first() -> None:
    assert answer_to("flush AKQJ9 c", "flush 75432 d") == "not-stronger"
    assert answer_to("flush AKQJ9 c", "flush 75432 d", flush_order="suit_first") == "legal"
    assert answer_to("straight-flush K c", "straight-flush 9 d", flush_order="suit_first") == "not-stronger"


def test_incomplete_and_impossible_hands_are_not_claims() -> None:
    texts = [
        *["high", "high 77", "high _", "pair", "pair 7 h", "pair 7A", "two-pair 37", "two-pair 77", "two-pair 7"],
        *["two-pair", "two-pair 73J", "straight 4", "straight", "straight 7 h", "flush c", "flush K c"],
        *["flush KJ752", "flush KJ75 c", "flush 2KJ75 c", "flush KKJ75 c", "flush 65432 c", "flush AKQJT c"],
        *["flush A5432 c", "full-house 77", "full-house A", "straight-flush A s", "straight-flush 4 s"],
        *[
            "straight-flush 9",
            "royal-flush",
            "royal-flush A s",
            "color-flush KJ752",
            "color-straight-flush 9",
            "five 7",
        ],
    ]
    assert [text for text in texts if answer_to("", text) != "no-such-claim"] == []
    assert claim_of(Spelling("two-pair", (-1, 3)), PLAIN) is None


@pytest.mark.parametrize(
    ("options", "legal", "no_claims"),
    [
        ({"wheel": False}, "flush A5432 s, straight 6", "straight 5, straight-flush 5 s"),
        ({"flush_of_straight": True}, "flush 65432 s, flush AKQJT s", "straight-flush A s"),
    ],
)
def test_what_can_be_named_under_other_rules(options: dict[str, object], legal: str, no_claims: str) -> None:
    assert {answer_to("", text, **options) for text in legal.split(", ")} == {"legal"}
    assert {answer_to("", text, **options) for text in no_claims.split(", ")} == {"no-such-claim"}


# ------------------------------------------------------------------------------------------------- the pool

IN_THE_POOL = {
    # A named hand, pools that have it, and pools that don't; better hands don't count.
    "high 4": ("4c", "5c"),
    "pair 7": ("7c7d7h", "7c8d8h AcAdAhAs"),
    "two-pair J8": ("8cJdJh8s", "8cJdJhJs"),
    "three 7": ("7c7d7h7s", "5h6h7h8h9h"),
    "straight 5": ("Ac2d3h4s5c", "2d3h4s5c6c"),
    "straight A": ("TcJdQhKsAc", "TcJdQhKs2c"),
    "straight 9": ("5c6d7h8s9c", "5c6d7h8s"),
    "flush KJ752 c": ("KcJc7c5c2c", "KcJc7c5cAc"),
    "full-house AT": ("AcAdAhTcTd", "AcAdTcTdTh AcAdAhAsTc"),
    "four 7": ("7c7d7h7s", "7c7d7h"),
    "straight-flush 9 h": ("5h6h7h8h9h", "5h6h7h8h9c"),
    "straight-flush 5 h": ("Ah2h3h4h5h", "2h3h4h5h6h"),
    "royal-flush s": ("TsJsQsKsAs", "9sTsJsQsKs"),
}
WITH_WILD_CARDS = {
    # Jokers and twos are wild; a wild card counts once, and the 2 of clubs can be itself.
    "high 7": ("2c", "3c"),
    "pair 7": ("7cJk JkJk 7c2d", "7c"),
    "pair 2": ("2c2d 2cJk", "2c"),
    "three 2": ("2c2d2h", "2c2d"),
    "flush KJ752 c": ("KcJc7c5c2c", "KcJc7c5c"),
    "flush KJ753 c": ("KcJc7c2dJk", "KcJc2d9hJk"),
    "four A": ("AcAd2cJk", "AcAd2c"),
    "royal-flush s": ("2c2d2hJkJk", "2c2d2hJk"),
}


def test_a_hand_exists_if_the_pool_has_its_cards_or_wild_cards() -> None:
    wild = queen_annes_rules(jokers=2, wild_ranks="2")
    for rules, table in (PLAIN, IN_THE_POOL), (wild, WITH_WILD_CARDS):
        for text, pools in table.items():
            named = named_hand(place(text, rules), rules)
            found = [{prove(named, cards(pool), rules).exists for pool in each.split()} for each in pools]
            assert found == [{True}, {False}], text


@given(chances)
def test_missing_cards_are_counted_correctly(chance: Random) -> None:
    """Compare with a card-by-card count: each required card is matched by a natural card, or else a wild one."""
    rules = random_rules(chance)
    claim = chance.randrange(ladder_length(rules))
    named, pool = named_hand(claim, rules), chance.sample(full_deck(rules.jokers), chance.randint(0, 50))
    places = [(rank, suit) for rank, suit, count in required_cards(named) for _ in range(count)]
    left, lacking = list(pool), 0
    for rank, suit in places:
        natural, wilds = ([card for card in left if is_wild(card, rules) == wild] for wild in (False, True))
        fitting = [card for card in natural if rank_of(card) == rank and suit in (NO_SUIT, suit_of(card))]
        stand_ins = fitting + wilds
        if stand_ins:
            left.remove(stand_ins[0])
        lacking += not stand_ins
    proof = prove(named, pool, rules)
    assert (proof.exists, proof.missing) == (lacking == 0, lacking)
    assert missing(all_requirements(rules)[claim], mask_of(pool), rules) == lacking
    assert mask_of(pool) >> JOKER == pool.count(JOKER)
    assert len(proof.cards) + len(proof.wilds) + proof.missing == len(places)
    assert proof.missing == 0 or len(proof.wilds) == sum(is_wild(card, rules) for card in pool)
    assert not [card for card in proof.cards if is_wild(card, rules)]
    assert set(proof.cards) | set(proof.wilds) <= set(pool)
    assert prove(named, pool[1:], rules).missing >= lacking  # removing a card from a pool never adds a hand


def test_required_cards_are_packed_in_order() -> None:
    for claim, packed in enumerate(all_requirements(PLAIN)):
        kinds = []
        while packed:
            kinds.append((packed & 15, (packed >> 4 & 7) - 1, packed >> 7 & 7))
            packed >>= 10
        assert tuple(kinds) == required_cards(named_hand(claim, PLAIN))
