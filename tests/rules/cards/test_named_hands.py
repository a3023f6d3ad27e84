"""Which hands can be named, in which order, and when they are in the pool. Source 004; RULES C2."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liarspoker.core.cards.claims import NO_SUIT, SHAPES, Spelling, read_spelling
from liarspoker.core.cards.deck import JOKER, rank_of, suit_of
from liarspoker.games.queen_annes.ladder import claim_of, is_wild, ladder_length, named_hand, prove, wanted
from liarspoker.games.queen_annes.notation import write_claim
from liarspoker.games.queen_annes.options import QueenAnnesRules
from tests.rules.cards.matches import cards, code_of, queen_annes, queen_annes_rules, throw_in

PLAIN = queen_annes_rules()
ORDER = (
    "high",
    "pair",
    "two-pair",
    "three",
    "straight",
    "flush",
    "full-house",
    "four",
    "straight-flush",
    "royal-flush",
)
any_rules = st.builds(
    queen_annes_rules,
    jokers=st.sampled_from([0, 1, 2]),
    wild_ranks=st.sampled_from(["", "2", "29", "A"]),
    flush_order=st.sampled_from(["ranks_first", "suit_first"]),
    wheel=st.booleans(),
    flush_of_straight=st.booleans(),
)
pools = st.lists(st.integers(0, 51), max_size=50, unique=True)


def place(text: str, rules: QueenAnnesRules = PLAIN) -> int:
    spelt = read_spelling(text)
    assert spelt is not None
    claim = claim_of(spelt, rules)
    assert claim is not None, text
    return claim


def exists(text: str, pool: str, rules: QueenAnnesRules = PLAIN) -> bool:
    return prove(named_hand(place(text, rules), rules), cards(pool), rules).exists


def answer_to(standing: str, text: str, **options: object) -> str:
    session = throw_in(queen_annes("queen-annes", 2, (4, 4), **options), "2c|2d", standing)
    return code_of(session, f"claim {text}")


@given(any_rules, st.data())
def test_the_ladder_goes_by_category_then_by_ranks_then_by_suit(rules: QueenAnnesRules, data: st.DataObject) -> None:
    one, other = (data.draw(st.integers(0, ladder_length(rules) - 1)) for _ in range(2))

    def strength(claim: int) -> tuple[object, ...]:
        named = named_hand(claim, rules)
        inside = (named.suit, named.ranks) if rules.suit_first and named.word == "flush" else (named.ranks, named.suit)
        return ORDER.index(named.word), *inside

    assert (one > other) == (strength(one) > strength(other))
    assert claim_of(named_hand(one, rules), rules) == one
    assert place(write_claim(one, rules), rules) == one


def test_so_many_hands_can_be_named() -> None:
    counts = dict.fromkeys(ORDER, 0)
    for claim in range(ladder_length(PLAIN)):
        counts[named_hand(claim, PLAIN).word] += 1
    assert counts == {
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


@pytest.mark.parametrize(
    "rising",
    [
        ["high 2", "high A", "pair 2", "pair A", "two-pair 32", "two-pair 42", "two-pair AK", "three 2"],
        ["three A", "straight 5", "straight 6", "straight A", "flush 75432 c", "flush 75432 s", "flush 76432 c"],
        ["flush AKQJ9 s", "full-house 23", "full-house 2A", "full-house 32", "full-house AK", "four 2", "four A"],
        ["four A", "straight-flush 5 c", "straight-flush 5 s", "straight-flush K s", "royal-flush c", "royal-flush s"],
    ],
)
def test_each_hand_is_higher_than_the_one_before(rising: list[str]) -> None:
    for lower, higher in pairwise(rising):
        assert answer_to(lower, higher) == "legal"
        assert answer_to(higher, lower) == "not-stronger"
        assert answer_to(higher, higher) == "not-stronger"


def test_suits_come_first_in_flushes_where_the_table_says_so() -> None:
    assert answer_to("flush AKQJ9 c", "flush 75432 d") == "not-stronger"
    assert answer_to("flush AKQJ9 c", "flush 75432 d", flush_order="suit_first") == "legal"
    assert answer_to("straight-flush K c", "straight-flush 9 d", flush_order="suit_first") == "not-stronger"


@pytest.mark.parametrize(
    "text",
    [
        "high",
        "high 77",
        "high _",
        "pair",
        "pair 7 h",
        "pair 7A",
        "two-pair 37",
        "two-pair 77",
        "two-pair 7",
        "two-pair 73J",
        "straight 4",
        "straight",
        "straight 7 h",
        "flush KJ752",
        "flush KJ75 c",
        "flush 2KJ75 c",
        "flush KKJ75 c",
        "flush 65432 c",
        "flush AKQJT c",
        "flush A5432 c",
        "full-house 77",
        "full-house A",
        "straight-flush A s",
        "straight-flush 4 s",
        "straight-flush 9",
        "royal-flush",
        "royal-flush A s",
        "color-flush KJ752",
        "color-straight-flush 9",
        "five 7",
    ],
)
def test_what_names_no_hand_is_no_claim(text: str) -> None:
    assert answer_to("", text) == "no-such-claim"


@pytest.mark.parametrize(
    ("text", "options", "code"),
    [
        ("straight 5", {"wheel": False}, "no-such-claim"),
        ("straight-flush 5 s", {"wheel": False}, "no-such-claim"),
        ("flush A5432 s", {"wheel": False}, "legal"),
        ("straight 6", {"wheel": False}, "legal"),
        ("flush 65432 s", {"flush_of_straight": True}, "legal"),
        ("flush AKQJT s", {"flush_of_straight": True}, "legal"),
        ("straight-flush A s", {"flush_of_straight": True}, "no-such-claim"),
    ],
)
def test_what_can_be_named_under_other_rules(text: str, options: dict[str, object], code: str) -> None:
    assert answer_to("", text, **options) == code


@pytest.mark.parametrize(
    ("text", "pool", "there"),
    [
        ("high 4", "4c", True),
        ("high 4", "5c", False),
        ("pair 7", "7c7d7h", True),
        ("pair 7", "7c8d8h", False),
        ("two-pair J8", "8cJdJh8s", True),
        ("two-pair J8", "8cJdJhJs", False),
        ("three 7", "7c7d7h7s", True),
        ("straight 5", "Ac2d3h4s5c", True),
        ("straight A", "TcJdQhKsAc", True),
        ("straight 9", "5c6d7h8s", False),
        ("flush KJ752 c", "KcJc7c5c2c", True),
        ("flush KJ752 c", "KcJc7c5cAc", False),
        ("full-house AT", "AcAdAhTcTd", True),
        ("full-house AT", "AcAdTcTdTh", False),
        ("full-house AT", "AcAdAhAsTc", False),
        ("four 7", "7c7d7h", False),
        ("straight-flush 9 h", "5h6h7h8h9h", True),
        ("straight-flush 9 h", "5h6h7h8h9c", False),
        ("straight-flush 5 h", "Ah2h3h4h5h", True),
        ("royal-flush s", "TsJsQsKsAs", True),
        ("pair 7", "AcAdAhAs", False),  # better hands do not help
        ("three 7", "5h6h7h8h9h", False),
    ],
)
def test_a_hand_exists_if_the_pool_has_just_its_cards(text: str, pool: str, there: bool) -> None:
    assert exists(text, pool) == there


@pytest.mark.parametrize(
    ("text", "pool", "there"),
    [
        ("pair 7", "7cJk", True),
        ("pair 7", "JkJk", True),
        ("pair 2", "2c", False),  # one wild card cannot be two
        ("pair 2", "2c2d", True),
        ("pair 2", "2cJk", True),
        ("three 2", "2c2d", False),
        ("pair 7", "7c2d", True),
        ("high 7", "2c", True),
        ("flush KJ752 c", "KcJc7c5c2c", True),  # the 2 of clubs fills the place of itself
        ("flush KJ753 c", "KcJc7c2dJk", True),
        ("flush KJ753 c", "KcJc2d9hJk", False),
        ("four A", "AcAd2cJk", True),
        ("royal-flush s", "2c2d2hJkJk", True),
    ],
)
def test_a_wild_card_fills_one_missing_card(text: str, pool: str, there: bool) -> None:
    assert exists(text, pool, queen_annes_rules(jokers=2, wild_ranks="2")) == there


def fits(card: int, rank: int, suit: int) -> bool:
    return card != JOKER and rank_of(card) == rank and suit in (NO_SUIT, suit_of(card))


@given(any_rules, pools, st.integers(0, 2), st.data())
def test_what_is_missing_is_what_no_card_of_the_pool_can_stand_for(
    rules: QueenAnnesRules, pool: list[int], jokers: int, data: st.DataObject
) -> None:
    """Against a count card by card: each place of the hand takes a card that is not wild, or else a wild one."""
    named = named_hand(data.draw(st.integers(0, ladder_length(rules) - 1)), rules)
    pool = pool + [JOKER] * min(jokers, rules.jokers)
    places = [(rank, suit) for rank, suit, count in wanted(named) for _ in range(count)]
    left = list(pool)
    missing = 0
    for rank, suit in places:
        card = next((card for card in left if not is_wild(card, rules) and fits(card, rank, suit)), None)
        card = next((card for card in left if is_wild(card, rules)), None) if card is None else card
        missing += card is None
        if card is not None:
            left.remove(card)
    proof = prove(named, pool, rules)
    wilds = sum(is_wild(card, rules) for card in pool)
    assert proof.exists == (missing == 0)
    assert len(proof.cards) + len(proof.wilds) + proof.missing == len(places)
    assert proof.missing == 0 or len(proof.wilds) == wilds
    assert not [card for card in proof.cards if is_wild(card, rules)]
    assert set(proof.cards) | set(proof.wilds) <= set(pool)


@given(any_rules, pools, st.data())
def test_a_pool_that_gains_a_card_never_loses_a_hand(
    rules: QueenAnnesRules, pool: list[int], data: st.DataObject
) -> None:
    named = named_hand(data.draw(st.integers(0, ladder_length(rules) - 1)), rules)
    more = data.draw(st.integers(0, 52).filter(lambda card: card not in pool))
    assert prove(named, [*pool, more], rules).missing <= prove(named, pool, rules).missing


def test_the_whole_deck_has_every_hand() -> None:
    assert all(prove(named_hand(claim, PLAIN), range(52), PLAIN).exists for claim in range(ladder_length(PLAIN)))


def test_a_spelling_with_ranks_left_open_names_no_hand() -> None:
    assert claim_of(Spelling("two-pair", (-1, 3)), PLAIN) is None


@given(any_rules, st.data())
def test_every_hand_has_the_shape_of_its_category(rules: QueenAnnesRules, data: st.DataObject) -> None:
    named = named_hand(data.draw(st.integers(0, ladder_length(rules) - 1)), rules)
    assert (len(named.ranks), named.suit != NO_SUIT) == SHAPES[named.word]
    assert tuple(SHAPES) == ORDER
