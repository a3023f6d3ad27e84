"""What may be declared over what. Source 002, "The only restriction"; RULES B4."""

import pytest

from liarspoker.core.cards.claims import read_spelling
from liarspoker.core.cards.hand_values import VALUE_OF, hand_value
from liarspoker.games.thorin.ladder import claim_of, floor_of, keeps_promise
from liarspoker.games.thorin.notation import read_claim, write_value
from liarspoker.games.thorin.options import ThorinRules
from tests.rules.cards.matches import cards, code_of, hand_on, thorin, thorin_rules

NATURAL = thorin_rules()


def named(text: str, rules: ThorinRules = NATURAL) -> int:
    spelt = read_spelling(text)
    assert spelt is not None
    claim = claim_of(spelt, rules)
    assert claim is not None, text
    return claim


def worst(text: str, rules: ThorinRules = NATURAL) -> str:
    return write_value(floor_of(named(text, rules)))


def answer_to(standing: str, text: str, **options: object) -> str:
    """The code with which `text` is refused after `standing`; `legal` if it is not."""
    session = thorin(3, **options)
    if not standing:
        return code_of(hand_on(session, None), f"declare {text}")
    session = hand_on(session, None, f"declare {standing}, take, discard -")
    return code_of(session, f"declare {text}")


@pytest.mark.parametrize(
    ("claim", "floor"),
    [
        ("high", "high 75432"),
        ("high 76", "high 76432"),
        ("high K", "high K5432"),
        ("high K5", "high K5432"),
        ("high K6", "high K6432"),
        ("high A", "high A6432"),  # A-5-4-3-2 is a straight
        ("pair", "pair 2543"),
        ("pair 7", "pair 7432"),
        ("pair _A", "pair 2A43"),
        ("color-flush", "color-flush 54322"),
        ("color-flush Q", "color-flush Q4322"),
        ("color-flush Q_9", "color-flush Q9932"),
        ("two-pair", "two-pair 324"),
        ("two-pair 7", "two-pair 723"),
        ("two-pair 73", "two-pair 732"),
        ("three", "three 243"),
        ("straight", "straight 5"),
        ("flush", "flush 75432"),
        ("full-house", "full-house 23"),
        ("full-house A", "full-house A2"),
        ("color-straight-flush", "color-straight-flush 5"),
        ("four", "four 23"),
        ("straight-flush", "straight-flush 5"),
    ],
)
def test_what_a_declaration_promises(claim: str, floor: str) -> None:
    assert worst(claim) == floor


def test_five_of_a_kind_promises_five_twos() -> None:
    assert worst("five", thorin_rules(jokers=1)) == "five 2"


def test_two_pairs_promise_threes_over_twos_with_a_four() -> None:
    assert floor_of(named("two-pair")) == hand_value(cards("3c3d2h2s4c"))


@pytest.mark.parametrize(
    ("standing", "text"),
    [
        ("", "high 76"),
        ("", "high _6"),
        ("", "high 8"),
        ("", "pair"),
        ("", "straight-flush A"),
        ("high K", "high K6"),
        ("high K", "high KT"),
        ("high K5", "high K6"),
        ("high A6", "pair"),
        ("pair 7", "pair 75"),
        ("pair", "pair 3"),
        ("pair A", "color-flush"),
        ("color-flush QJ942", "two-pair"),
        ("two-pair", "two-pair 73"),
        ("two-pair 73", "two-pair 73J"),
        ("two-pair 73J", "three"),
        ("two-pair", "two-pair _3"),
        ("full-house", "color-straight-flush"),
        ("color-straight-flush A", "four"),
        ("four A", "four AK"),
    ],
)
def test_a_declaration_may_be_made(standing: str, text: str) -> None:
    assert answer_to(standing, text) == "legal"


@pytest.mark.parametrize(
    ("standing", "text"),
    [
        ("", "high"),
        ("", "high 7"),
        ("", "high 75"),
        ("high K", "high K5"),
        ("high K5", "high K"),
        ("high K", "high K"),
        ("high KT", "high QJ"),
        ("pair _A", "pair 2"),
        ("color-flush QJ942", "color-flush QTT42"),
        ("two-pair", "two-pair 32"),
        ("two-pair", "two-pair 3"),
        ("two-pair 73J", "two-pair 73T"),
        ("three", "two-pair A"),
        ("straight", "straight 5"),
        ("two-pair", "color-flush A"),
    ],
)
def test_a_declaration_is_not_stronger(standing: str, text: str) -> None:
    assert answer_to(standing, text) == "not-stronger"


def test_threes_over_twos_is_the_only_two_pair_that_may_not_follow_two_pair() -> None:
    pairs = [f"two-pair {high}{low}" for high, low in _twos()]
    refused = [text for text in pairs if answer_to("two-pair", text) != "legal"]
    assert refused == ["two-pair 32"]


def _twos() -> list[tuple[str, str]]:
    ranks = "23456789TJQKA"
    return [(high, low) for place, high in enumerate(ranks) for low in ranks[:place]]


@pytest.mark.parametrize(
    "text",
    [
        "high 6",
        "high KQJT9",
        "high A5432",
        "high KK",
        "high 2K",
        "pair 77",
        "pair 7A7",
        "pair 7KA",
        "pair 7AKQJ",
        "two-pair 37",
        "two-pair 77",
        "two-pair 737",
        "two-pair 73 h",
        "three 4K4",
        "straight 4",
        "flush KKQ94",
        "flush AA952",
        "color-flush KK995",
        "full-house AA",
        "four 77",
        "straight-flush A s",
        "royal-flush A",
        "royal-flush s",
        "five",
        "five K",
    ],
)
def test_what_no_hand_fits_or_has_no_name_is_no_claim(text: str) -> None:
    assert answer_to("", text) == "no-such-claim"
    assert answer_to("high 8", text) == "no-such-claim"


def test_a_royal_flush_is_the_highest_straight_flush() -> None:
    assert answer_to("straight-flush K", "royal-flush") == "legal"
    assert read_claim("royal-flush", NATURAL) == named("straight-flush A")


def test_five_of_a_kind_needs_a_joker_in_the_deck() -> None:
    assert answer_to("straight-flush A", "five", jokers=1) == "legal"
    assert answer_to("five", "five 2", jokers=1) == "not-stronger"
    assert answer_to("five", "five 3", jokers=2) == "legal"


@pytest.mark.parametrize(
    ("jokers", "duplicate", "text", "code"),
    [
        (1, "five_only", "flush AA952", "no-such-claim"),
        (1, "any", "flush AA952", "legal"),
        (1, "any", "flush _A", "legal"),
        (1, "any", "flush AAA95", "no-such-claim"),
        (2, "any", "flush AAA95", "legal"),
        (2, "any", "flush AAKQJ", "no-such-claim"),  # with a joker that is a royal flush
        (2, "any", "flush KK952", "no-such-claim"),  # the joker would be an ace
    ],
)
def test_flushes_of_aces_can_be_declared_where_jokers_make_them(
    jokers: int, duplicate: str, text: str, code: str
) -> None:
    assert answer_to("", text, jokers=jokers, duplicate=duplicate) == code


def test_a_pair_with_an_ace_is_saved_by_sevens_with_a_king_unless_the_words_count() -> None:
    held = hand_value(cards("7c7dKh3s2c"))
    assert keeps_promise(held, named("pair _A"), NATURAL)
    assert not keeps_promise(held, named("pair _A"), thorin_rules(or_better="words"))
    assert keeps_promise(VALUE_OF[2, (3, 2, 1, 0, 0)], named("pair _A"), thorin_rules(or_better="words"))
