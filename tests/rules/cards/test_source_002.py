"""Thorin Style Liar's Poker as its document tells it, where no other test here says the same. Source 002."""

from __future__ import annotations

from random import Random

import pytest

from liarspoker.core.cards.deck import JOKER, full_deck
from liarspoker.core.cards.hand_values import CATEGORIES, KEYS, hand_value
from liarspoker.games.thorin.actions import CHALLENGE, PASS, TAKE
from liarspoker.games.thorin.notation import write_value
from liarspoker.games.thorin.options import NAMED_OPTIONS
from liarspoker.games.thorin.session import ThorinSession
from tests.rules.cards.matches import cards, code_of, hand_on, pass_on, passed_result, thorin

ANNIE, BART, CHRISSIE, DIRK, ELLIE = range(5)
WORST_HAND = "7c5d4h3s2c"


def hand_of(session: ThorinSession) -> tuple[int, ...]:
    """The hand that goes around, as only the rules see it."""
    assert session.round is not None
    return session.round.hand


def may_follow(standing: str, text: str, **options: object) -> bool:
    """Whether `text` may be declared by him who has taken what was declared as `standing`."""
    session = hand_on(thorin(3, **options), None, f"declare {standing}, take, discard -")
    code = code_of(session, f"declare {text}")
    assert code in ("legal", "not-stronger")
    return code == "legal"


def kind_of(hand: str) -> str:
    return CATEGORIES[KEYS[hand_value(cards(hand))][0]]


# ------------------------------------------------------------------------------------------- components


def test_a_standard_deck_of_52_cards_is_dealt() -> None:
    deck = thorin(4).chance_spec().draw(Random(2).randrange).deck
    assert deck is not None
    assert sorted(deck) == list(range(52))


@pytest.mark.parametrize("jokers", [0, 1, 2])
def test_jokers_are_optional(jokers: int) -> None:
    deck = thorin(4, jokers=jokers).chance_spec().draw(Random(2).randrange).deck
    assert deck is not None
    assert sorted(deck) == list(full_deck(jokers))
    assert deck.count(JOKER) == jokers


def test_the_deck_is_shuffled_so_that_every_card_may_come_first() -> None:
    chance = Random(2)
    decks = [thorin(2).chance_spec().draw(chance.randrange).deck for _ in range(600)]
    assert {deck[0] for deck in decks if deck} == set(range(52))


# ------------------------------------------------------------------------------------------ basic rules


def test_one_player_draws_five_cards_and_nobody_else_has_any() -> None:
    session = hand_on(thorin(3), "AcKdQhJs9c" + "2c3c4c")
    assert session.phase == "declare"
    assert hand_of(session) == cards("AcKdQhJs9c")
    assert [session.view(seat).hand for seat in range(3)] == [cards("AcKdQhJs9c"), None, None]


@pytest.mark.parametrize("text", ["pair", "two-pair", "full-house AK", "straight-flush A", "high 76"])
def test_he_may_be_lying(text: str) -> None:
    session = hand_on(thorin(3), WORST_HAND)
    assert code_of(session, f"declare {text}") == "legal"
    assert passed_result(pass_on(session, f"declare {text}, challenge")).truthful is False


def test_what_may_be_declared_does_not_depend_on_the_hand() -> None:
    weak, strong = (hand_on(thorin(3), hand).legal() for hand in (WORST_HAND, "AcKcQcJcTc"))
    assert weak.min_claim == strong.min_claim
    assert list(weak.claims[:500]) == list(strong.claims[:500])
    assert len(weak.claims) == len(strong.claims)


def test_the_player_with_the_hand_is_active_and_the_next_is_under_the_gun() -> None:
    session = hand_on(thorin(3), "AcAdAhAsKc", "declare pair")
    standing = session.view(2).standing
    assert standing is not None
    assert (standing.active, standing.claimant, session.to_act) == (0, 0, 1)


def test_the_player_under_the_gun_may_take_the_hand_or_challenge() -> None:
    session = hand_on(thorin(3), "AcAdAhAsKc", "declare pair")
    assert session.legal().actions == (TAKE, CHALLENGE)


def test_who_takes_the_hand_becomes_the_active_player() -> None:
    session = hand_on(thorin(3), "AcAdAhAsKc2c", "declare pair, take")
    assert session.round is not None
    assert (session.round.standing.active, session.to_act, session.phase) == (1, 1, "discard")
    assert session.view(1).hand == cards("AcAdAhAsKc")


@pytest.mark.parametrize("thrown", ["-", "Kc", "AcKc", "AcAdKc", "AcAdAhKc", "AcAdAhAsKc"])
def test_he_throws_as_many_cards_as_he_likes_and_has_five_again(thrown: str) -> None:
    session = hand_on(thorin(3), "AcAdAhAsKc" + "2c3c4c5c6c", f"declare pair, take, discard {thrown}")
    count = len(cards(thrown.replace("-", "")))
    assert len(hand_of(session)) == 5
    assert set(hand_of(session)) >= set(cards("2c3c4c5c6c")[:count])


def test_then_he_declares_anew_and_the_next_player_decides() -> None:
    session = hand_on(thorin(4), None, "declare pair, take, discard -")
    assert (session.phase, session.to_act) == ("declare", 1)
    session = pass_on(session, "declare pair 3")
    assert (session.phase, session.to_act) == ("respond", 2)
    assert session.legal().actions == (TAKE, CHALLENGE)


@pytest.mark.parametrize(
    ("hand", "loser"),
    [("8c8d4h3s2c", 1), ("8c8d5h3s2c", 1), ("2c2d3h3s4c", 1), ("8c7d7h3s2c", 0), (WORST_HAND, 0)],
)
def test_a_hand_as_good_as_declared_or_better_puts_the_challenger_out_and_a_worse_one_its_player(
    hand: str, loser: int
) -> None:
    result = passed_result(hand_on(thorin(3), hand, "declare pair 8432, challenge"))
    assert (result.loser, result.truthful) == (loser, loser == 1)
    assert loser not in result.alive


@pytest.mark.parametrize(("hand", "begins"), [("8c8d4h3s2c", 0), (WORST_HAND, 1)])
def test_in_either_case_the_round_is_over_and_the_winner_of_the_challenge_begins_the_next(
    hand: str, begins: int
) -> None:
    session = hand_on(thorin(3), hand, "declare pair 8, challenge")
    assert not session.in_play
    session = hand_on(session, WORST_HAND)
    assert (session.phase, session.to_act) == ("declare", begins)
    assert hand_of(session) == cards(WORST_HAND)


@pytest.mark.parametrize(
    "category", ["pair", "two-pair", "three", "straight", "flush", "full-house", "color-straight-flush", "four"]
)
def test_to_say_the_same_and_be_more_specific_is_legal_in_general(category: str) -> None:
    named = [f"{category} {rank}" for rank in "23456789TJQKA"]
    session = hand_on(thorin(3), None, f"declare {category}, take, discard -")
    codes = [code_of(session, f"declare {text}") for text in named]
    assert codes.count("not-stronger") == 1  # the worst hand of the kind, which the bare name promises already
    assert codes[codes.index("not-stronger") + 1 :] == ["legal"] * (12 - codes.index("not-stronger"))


# ------------------------------------------------------------------------------- the example, hand by hand

DECK = "7c7d3h3sKc" + "Jc" + "Qh6d2d"


def test_annie_declares_two_pairs_and_bart_takes_the_hand_and_draws_one_card() -> None:
    session = hand_on(thorin(5), DECK, "declare two-pair, take, discard Kc")
    assert (session.phase, session.to_act) == ("declare", BART)
    assert hand_of(session) == cards("7c7d3h3sJc")


def test_sevens_over_threes_promise_7_7_3_3_2_which_beats_what_annie_promised() -> None:
    session = hand_on(thorin(5), DECK, "declare two-pair")
    assert session.round is not None
    assert session.round.floor == hand_value(cards("4c3c3d2h2s"))
    session = pass_on(session, "take, discard Kc, declare two-pair 73")
    assert session.round is not None
    assert session.round.floor == hand_value(cards("7c7d3h3s2c"))
    assert hand_value(cards("7c7d3h3s2c")) > hand_value(cards("4c3c3d2h2s"))


def test_chrissie_discards_nothing_and_names_the_kicker_which_is_better() -> None:
    session = hand_on(thorin(5), DECK, "declare two-pair, take, discard Kc, declare two-pair 73, take, discard -")
    assert (session.to_act, hand_of(session)) == (CHRISSIE, cards("7c7d3h3sJc"))
    assert code_of(session, "declare two-pair 73J") == "legal"


def test_any_three_of_a_kind_is_better_than_any_two_pair() -> None:
    assert may_follow("two-pair AKQ", "three")
    assert hand_value(cards("2c2d2h3s4c")) > hand_value(cards("AcAdKhKsQc"))


def test_ellie_challenges_dirk_who_shows_q_7_7_6_2_and_is_out_and_she_begins() -> None:
    session = hand_on(
        thorin(5),
        DECK,
        "declare two-pair, take, discard Kc, declare two-pair 73, take, discard -, declare two-pair 73J,"
        "take, discard 3h3sJc, declare three, challenge",
    )
    result = passed_result(session)
    assert (result.claimant, result.challenger, result.loser) == (DIRK, ELLIE, DIRK)
    assert sorted(result.hand or ()) == sorted(cards("Qh7c7d6d2d"))
    assert result.hand_value is not None
    assert write_value(result.hand_value) == "pair 7Q62"
    assert result.alive == (ANNIE, BART, CHRISSIE, ELLIE)
    assert result.next_opener == ELLIE


# -------------------------------------------------------------------------------------- ranks of hands

LOWEST_TO_HIGHEST = {
    "high": "AcKdQhJs9c",
    "pair": "AcAdKhQsJc",
    "color-flush": "AhKdQhJd9h",
    "two-pair": "AcAdKhKsQc",
    "three": "AcAdAhKsQc",
    "straight": "AcKdQhJsTc",
    "flush": "AcKcQcJc9c",
    "full-house": "AcAdAhKsKc",
    "color-straight-flush": "AhKdQhJdTh",
    "four": "AcAdAhAsKc",
    "straight-flush": "AcKcQcJcTc",
    "five": "AcAdAhAsJk",
}


def test_hands_rank_as_the_document_lists_them() -> None:
    assert {kind: kind_of(hand) for kind, hand in LOWEST_TO_HIGHEST.items()} == {kind: kind for kind in CATEGORIES}
    values = [hand_value(cards(hand)) for hand in LOWEST_TO_HIGHEST.values()]
    assert values == sorted(values)
    assert tuple(LOWEST_TO_HIGHEST) == CATEGORIES


def test_without_the_two_color_hands_and_five_of_a_kind_the_order_is_that_of_poker() -> None:
    poker = [kind for kind in CATEGORIES if not kind.startswith("color-") and kind != "five"]
    assert poker == ["high", "pair", "two-pair", "three", "straight", "flush", "full-house", "four", "straight-flush"]


@pytest.mark.parametrize(
    ("kind", "stronger", "weaker"),
    [
        ("high", "KcTd4h3s2c", "QcJd9h8s7c"),
        ("high", "KcTd4h3s2c", "Kc9d8h7s6c"),
        ("high", "KcTd5h3s2c", "KcTd4h3s2d"),
        ("pair", "8c8d4h3s2c", "7c7dAhKsQc"),
        ("pair", "7c7dAh3s2c", "7c7dKhQsJc"),
        ("pair", "7c7dAhKs4c", "7c7dAhKs3c"),
        ("color-flush", "QhJd9h4d2h", "QhTdTh4d2h"),
        ("color-flush", "QcJs9c4s3c", "QhJd9h4d2h"),
        ("two-pair", "8c8d3h3s2c", "7c7d6h6sAc"),
        ("two-pair", "7c7d4h4s2c", "7c7d3h3sAc"),
        ("two-pair", "7c7d3h3sJc", "7c7d3h3sTc"),
        ("three", "5c5d5h3s2c", "4c4d4hAsKc"),
        ("three", "4c4d4hAsKc", "4c4d4hAsQc"),
        ("straight", "4c5d6h7s8c", "3c4d5h6s7c"),
        ("flush", "KcJc7c5c3c", "KdJd7d5d2d"),
        ("full-house", "8c8d8h4s4c", "7c7d7hQsQc"),
        ("full-house", "8c8d8h4s4c", "8c8d8h3s3c"),
        ("color-straight-flush", "4c5s6c7s8c", "3h4d5h6d7h"),
        ("four", "5c5d5h5s2c", "4c4d4h4sAc"),
        ("four", "4c4d4h4sAc", "4c4d4h4sKc"),
        ("straight-flush", "4c5c6c7c8c", "3h4h5h6h7h"),
        ("five", "8c8d8h8sJk", "7c7d7h7sJk"),
    ],
)
def test_what_decides_between_two_hands_of_a_kind(kind: str, stronger: str, weaker: str) -> None:
    assert kind_of(stronger) == kind_of(weaker) == kind
    assert hand_value(cards(stronger)) > hand_value(cards(weaker))


def test_king_ten_may_follow_king_high_and_queen_jack_may_not_follow_king_ten() -> None:
    assert may_follow("high K", "high KT")
    assert not may_follow("high KT", "high QJ")


def test_after_q_j_9_4_2_all_red_an_all_black_hand_must_be_better() -> None:
    assert hand_value(cards("QhJd9h4d2h")) == hand_value(cards("QcJs9c4s2c"))
    assert not may_follow("color-flush QJ942", "color-flush QJ942")
    assert may_follow("color-flush QJ942", "color-flush QJ943")


# -------------------------------------------------------------------------------------- clarifications


def test_the_lowest_first_declaration_is_seven_six_high() -> None:
    session = hand_on(thorin(3), WORST_HAND)
    assert [code_of(session, f"declare high {ranks}") for ranks in ("7", "75", "75432")] == ["not-stronger"] * 3
    assert code_of(session, "declare high 76") == "legal"
    least = session.legal().min_claim
    assert least is not None
    assert session.write(least) == "declare high 76432"


def test_the_first_declaration_precludes_the_worst_hand() -> None:
    session = hand_on(thorin(3), WORST_HAND)
    for claim in session.legal().claims[:400]:
        later = session.apply(claim).apply(CHALLENGE)
        assert passed_result(later).truthful is False


# ------------------------------------------------------------------------------------------- variants


def test_with_a_pass_the_player_under_the_gun_has_three_options() -> None:
    session = hand_on(thorin(3, passes=1), None, "declare pair")
    assert session.legal().actions == (TAKE, CHALLENGE, PASS)


def test_what_may_be_named_for_a_round_may_also_be_agreed_for_good() -> None:
    for option in NAMED_OPTIONS:
        value = option.choices[-1]
        session = thorin(3, dealers_choice=True)
        assert session.chance_spec({option.name: value}).jokers == (2 if option.name == "jokers" else 0)
        assert thorin(3, **{option.name: value}).option_changes() == {option.name: value}
