"""Input in card games, and the answers to it."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from typing import Any

import pytest

from liarspoker.core import catalogue
from liarspoker.core.cards.deck import full_deck, read_joined_cards
from liarspoker.core.cards.hand_values import hand_value
from liarspoker.core.session import RoundSetup
from liarspoker.games.queen_annes.round import QueenAnnesDeal
from liarspoker.games.thorin.deal import ThorinDeal
from liarspoker.games.thorin.ladder import keeps_promise
from liarspoker.games.thorin.options import ThorinOptions, packed
from liarspoker.odds.figures import percent
from liarspoker.odds.questions import declaration
from tests.terminal.sitting import played_on, scripted

HANDS = "KcKd7h5s2s 8h8dJcJsAh 3c4d6h9sTs"
OWN = ("Kc", "Kd", "7h", "5s", "2s")


def after(session: Any, *actions: str) -> Any:
    for action in actions:
        session = session.apply(session.read(action))
    return session


def queen_annes(
    *actions: str, game: str = "queen-annes", hands: str = HANDS, extras: str = "", opener: int = 2, **options: object
) -> Any:
    """Return a round with these hands, after some actions."""
    loaded = catalogue.load(game)
    deal = QueenAnnesDeal(tuple(map(read_joined_cards, hands.split())), read_joined_cards(extras))
    session = loaded.session(len(deal.hands), loaded.options(options))
    return after(session.deal(deal, RoundSetup(opener=opener)), *actions)


def thorin(*actions: str, opener: int = 2, **options: object) -> Any:
    """Return a round of three players; the opener draws Kc Kd 7h 5s 2s, and the deck continues with 9h 9d 3c."""
    game = catalogue.load("thorin")
    deck = read_joined_cards("KcKd7h5s2s9h9d3c4c6c8sTsJhQh")
    session = game.session(3, game.options(options)).deal(ThorinDeal(deck), RoundSetup(opener=opener))
    return after(session, *actions)


def told(session: object, *lines: str) -> str:
    return " ".join(played_on(session, scripted(*lines))[0].split())


SEVENS = queen_annes("claim pair 7")
THREES = queen_annes("claim three 7")
DISCARDING = thorin("declare high K", "take")
DECLARING = thorin("declare pair Q", "take", "discard -")
JACKS = "You name two pair, jacks over eights: at least two jacks and two eights."
KINGS = "You name a flush of clubs, K-J-7-5-2"


@pytest.mark.parametrize(
    ("session", "lines", "answer"),
    [
        (SEVENS, ("claim two-pair J8",), JACKS),
        (SEVENS, ("two pair, jacks over eights",), JACKS),
        (SEVENS, ("name jacks and eights",), JACKS),
        (SEVENS, ("two pair 8 and J",), JACKS),
        (SEVENS, ("TWO PAIR J 8",), JACKS),
        (SEVENS, ("two-pair 8j",), JACKS),
        *((SEVENS, (entry,), "You name a pair of aces") for entry in ("pair a", "pair A", "a pair of aces")),
        (SEVENS, ("pair of a's",), "You name a pair of aces"),
        (THREES, ("claim", "flush", "K J 7 5 2", "clubs"), KINGS),
        (THREES, ("claim", "3", "kj752", "c"), KINGS),
        (THREES, ("flush", "kj752", "♣"), KINGS),
        (THREES, ("flush kj752", "no suit", "C"), KINGS),
        (THREES, ("claim", "9", "flush of clubs", "2", "jacks", "2 5 7 J K"), KINGS),
        # A promise that repeats the claim isn't printed.
        (THREES, (), "To beat: three sevens by Cal. Your cards"),
        (SEVENS, (), "To beat: a pair of sevens by Cal, that is, two sevens among all cards."),
        (SEVENS, ("three sevens",), "You name three sevens. The next higher hand is"),
        (SEVENS, ("full house aces over tens",), "at least three aces and two tens"),
        (
            SEVENS,
            ("full house aces over tens",),
            "The next higher hand is a full house, aces over jacks (type full-house AJ)",
        ),
        (SEVENS, ("check pair 5",), "A pair of fives requires that, among all cards, there are at least two fives."),
        (SEVENS, ("check pair 5",), "It does not beat the last hand named, a pair of sevens."),
        (SEVENS, ("check straight",), "'straight' isn't a hand; name one completely"),
        (SEVENS, ("check",), "Type a hand too, as in: check pair 7"),
        (SEVENS, ("ranks",), "then the suit: clubs (lowest), diamonds, hearts, spades. >"),
        (
            queen_annes("claim pair 7", flush_order="suit_first"),
            ("ranks",),
            "Flushes compare by suit first, then by their ranks. >",
        ),
        (SEVENS, ("check high 4",), "High card four requires that, among all cards, there is at least one four."),
        (SEVENS, ("check flush KJ752 c",), "requires that, among all cards, there are Kc Jc 7c 5c 2c. It beats"),
        (
            SEVENS,
            ("c", "check pair 8"),
            "A pair of eights requires that, among all cards, there are at least two eights.",
        ),
        # The player holds two kings; of the 47 other cards 10 are in play and two are kings.
        (
            SEVENS,
            ("odds four k",),
            "Four kings: you see Kc Kd of the required cards. You can't see 10 of the 15 cards in play",
        ),
        (SEVENS, ("odds four k",), "the probability is 4.16%"),
        (SEVENS, ("odds pair K",), "A pair of kings: the hand exists; you see Kc Kd."),
        (SEVENS, ("c", "odds three 7"), "Three sevens: the hand doesn't exist; all cards are shown."),
        (queen_annes("claim three 4"), ("c",), "In the pool: 4d. Missing: two more fours. Cal loses"),
        (SEVENS, ("claim", "two pair"), "Which ranks? For two pair, type two ranks, as in J8."),
        (SEVENS, ("claim", "three"), "Which ranks? For three of a kind, type one rank"),
        (queen_annes("claim two-pair J8"), ("c",), "Bea Ah Js Jc 8h 8d"),
        (
            queen_annes("claim two-pair J8"),
            ("c",),
            "In the pool: Jc Js 8h 8d. You lose: the hand exists. You get 4 cards in the next round",
        ),
        (
            queen_annes("claim three J"),
            ("c",),
            "In the pool: Jc Js. Missing: another jack. Cal loses: the hand does not exist.",
        ),
        (queen_annes(opener=0, wild_ranks="2TA"), (), "Wild: all 2s, all 10s, all As."),
        (
            queen_annes(game="queen-annes-stud", hands="KcKd 8h8d 3c4d", extras="9h9d9c", opener=0),
            ("hand",),
            "Bea face down 2 Cal face down 2",
        ),
        (
            thorin("declare pair Q"),
            ("c", "check pair K"),
            "A pair of kings (at least K-K-4-3-2). The lowest hand that beats it is K-K-5-3-2",
        ),
        *(
            (thorin("declare high K", "take"), (entry, "three kings"), "You discard 5s 2s and draw 9h 9d.")
            for entry in ("discard 5s 2s", "d 5S2S", "throw 4 #5", "d #4, #5", "#4 2s")
        ),
        (DISCARDING, ("discard five of spades and two of spades",), "You discard 5s 2s and draw 9h 9d."),
        *((DISCARDING, (entry,), "You keep all five cards.") for entry in ("discard -", "keep", "-", "d none")),
        # A position that could also be a rank is ambiguous.
        (
            DISCARDING,
            ("discard 2",),
            "2: the card at position 2, Kc, or 2s? Type Kc or #2 for the first, 2s for the other.",
        ),
        (DISCARDING, ("discard 9",), "'9' isn't a card; name cards like 7h, or by position: 1 Kd, 2 Kc"),
        (DISCARDING, ("discard 9h",), "9h isn't in the hand"),
        (DISCARDING, ("discard 2s 2s",), "2s is in the hand only once"),
        (DISCARDING, ("d #2",), "You discard Kc and draw 9h."),
        (
            DECLARING,
            ("two pair, sevens over threes",),
            "You declare two pair, sevens over threes (at least 7-7-3-3-2)",
        ),
        (
            DECLARING,
            ("declare", "3", "j8"),
            "You declare two pair, jacks over eights (at least J-J-8-8-2)",
        ),
        (DECLARING, ("declare", "two pair", ""), "You declare two pair (at least 3-3-2-2-4)"),
        (DECLARING, ("pair", "k9"), "You declare a pair of kings with a nine kicker (at least K-K-9-3-2)"),
        (DECLARING, ("declare pair", "7", "a"), "You declare a pair of aces (at least A-A-4-3-2)"),
        (
            DECLARING,
            ("two pair, sevens over threes with a jack",),
            "You declare two pair, sevens over threes with a jack kicker (7-7-3-3-J).",
        ),
        (DECLARING, ("Q-J-9-4-2, all red",), "You declare a color flush, Q-J-9-4-2."),
        # A declaration that is too low is rejected with the lowest legal one.
        (DECLARING, ("pair J",), "promises only J-J-4-3-2, which does not beat a pair of queens (Q-Q-4-3-2)"),
        (DECLARING, ("pair",), "A pair promises only 2-2-5-4-3. Which ranks?"),
        (DECLARING, ("six high",), "No hand fits"),
        (DECLARING, ("six high",), "Your turn: declare at least Q-Q-5-3-2 (type pair Q532)"),
        (thorin("declare pair Q"), ("c",), "The hand is Kd Kc 7h 5s 2s: a pair of kings with 7-5-2 kickers."),
        (thorin("declare pair Q"), ("c",), "It was declared to be a pair of queens (at least Q-Q-4-3-2)."),
        (thorin("declare pair Q"), ("c",), "It is at least as good as declared. You are out of the match."),
        (
            thorin("declare pair Q", "pass", "take", "discard -", "declare pair K", passes=1),
            (),
            "Cal: a pair of queens (at least Q-Q-4-3-2) You: pass Bea takes the hand.",
        ),
        (thorin("declare pair Q", "take"), (), "You take the hand."),
        (
            thorin("declare pair K", "take"),
            ("odds",),
            "Probability of K-K-5-3-2 or better, by discard: nothing 100%",
        ),
        (
            thorin("declare pair K", "take"),
            ("odds three",),
            "Probability of 2-2-2-4-3 or better, by discard: 7h 5s 2s 12.73%",
        ),
        (thorin("declare pair K", "take"), ("odds discard 7h 5s 2s",), "Discard 7h 5s 2s: 99.70%"),
    ],
)
def test_input_is_answered(session: Any, lines: tuple[str, ...], answer: str) -> None:
    assert answer in told(session, *lines)


@pytest.mark.parametrize(
    ("entry", "answer"),
    [
        ("pair 7", "a pair of sevens does not beat a pair of sevens; name a higher hand, or challenge."),
        ("hello", "'hello' isn't an action of this game; write claim and a hand (high 4, pair 7"),
        ("straight 3", "isn't a hand that can be named here"),
        ("take", "'take' isn't an action of this game"),
    ],
)
def test_illegal_input_lists_legal_actions(entry: str, answer: str) -> None:
    text = told(SEVENS, entry).partition(f"> {entry}")[2]
    assert answer.lower() in text.lower()
    assert "Your turn: name at least a pair of eights (type pair 8)" in text


def test_no_superfluous_text_is_shown() -> None:
    assert "It beats" not in told(SEVENS, "c", "check pair 8")
    assert "100%" not in told(SEVENS, "odds pair K")
    assert "Bea 8h 8d" not in told(queen_annes("claim two-pair J8"), "c")


def test_the_list_of_kinds_begins_with_the_lowest_legal_claim() -> None:
    text = told(THREES, "claim", "back")
    assert "1 three of a kind: three eights 2 straight" in text
    assert "10 royal" not in text
    assert text.count("Your turn:") == 2


def test_in_the_indian_game_your_own_cards_are_hidden() -> None:
    text = told(queen_annes("claim pair 7", game="queen-annes-indian"), "hand", "odds")
    assert "Your own 5 cards: hidden from you." in text
    assert "Bea Ah Js Jc 8h 8d" in text
    assert not any(card in text for card in OWN)


def test_in_stud_everybody_sees_the_cards_that_are_face_up() -> None:
    extras = "9h9d9c2c2d2h5c5d5hTcTdThQcQdQh"
    claims = [f"claim high {rank}" for rank in range(2, 8)]
    session = queen_annes(*claims, game="queen-annes-stud", hands="KcKd 8h8d 3c4d", extras=extras, opener=1)
    text = told(session, "high 8", "hand")
    assert "2 hole cards each. Extra cards on your turns: 1 up, 2 up, 3 up, 4 up, 5 down." in text
    assert "Bea face up 9h 2c 5c, face down 2" in text
    assert "Cal face up 9d 2d, face down 2" in text
    assert "Your cards: face down Kd Kc, face up 9c 2h." in text
    assert not any(card in text.partition("All cards")[0] for card in ("8h", "8d", "3c", "4d"))


def test_in_stud_the_last_card_is_face_down() -> None:
    claims = [f"claim high {rank}" for rank in range(2, 9)]
    extras = "9h9d2c2d5c5dTcTdQcQd"
    session = queen_annes(*claims, game="queen-annes-stud", hands="KcKd 8h8d", extras=extras, opener=1)
    text, _ = played_on(session, scripted("high 9", "high J"), bot=lambda view, chance: view.legal.min_claim)
    assert "Bea gets a card, face down." in text
    assert "You get Qd, face down." in text
    assert "Qc" not in text


def test_the_player_under_the_gun_answers_without_seeing_the_hand() -> None:
    text = told(thorin("declare two-pair"), "hand", "odds", "declare three", "t")
    blind, _, taken = text.partition("> t ")
    assert "You must answer without seeing the hand." in blind
    assert "Your turn: take the hand (t), or challenge (c)." in blind
    assert "isn't allowed now; write take or challenge" in blind
    assert not any(card in blind for card in OWN)
    assert "1 Kd, 2 Kc, 3 7h, 4 5s, 5 2s. It is a pair of kings" in taken
    assert "It does not beat 3-3-2-2-4, which you must beat." in taken


def test_a_used_pass_is_shown() -> None:
    declared = ("declare pair Q", "pass", "take", "discard -", "declare pair K", "take", "discard -", "declare three")
    text = told(thorin(*declared, passes=1), "p", "hand", "score")
    assert "write take, challenge or pass" in told(thorin("declare pair Q", passes=1), "hello")
    assert "Players with a pass left: Bea, Cal." in text
    assert "Your turn: take the hand (t), or challenge (c). Your pass is used." in text
    assert "No pass is left" in text
    assert "You no pass left" in text


def test_odds_of_a_declaration_follow_the_option_or_better() -> None:
    """A pair with an ace kicker: under `words`, another kicker saves nobody, but a pair of aces does."""
    declared = "declare pair _A"
    assert "that or better with probability 50.49%" in told(thorin(declared), "odds")
    assert "make it true with probability 24.79%" in told(thorin(declared, or_better="words"), "odds")
    # You pass on K-K-7-5-2, and Cal discards a card: an ace (4 cards), two pair (6) or a third king (2) makes it true.
    actions = ("declare high 8", "take", "discard -", "declare high K", "take", "discard 2s", declared)
    for or_better, good, chance in (("worst", "that or better", Fraction(1)), ("words", "true", Fraction(12, 47))):
        text = told(thorin(*actions, opener=0, or_better=or_better), "odds")
        assert f"it is {good} with probability {percent(chance)}." in text


def test_odds_of_discards_follow_the_option_or_better() -> None:
    """You have K-K-7-5-2: under `words`, only an ace or a better hand makes "a pair with an ace" true."""
    kept, rules = read_joined_cards("KdKc"), packed(ThorinOptions(or_better="words"), 3)
    claim = declaration("pair _A", 0)
    unseen = [card for card in full_deck(0) if card not in read_joined_cards("KdKc7h5s2s")]
    draws = [hand_value((*kept, *drawn)) for drawn in combinations(unseen, 3)]
    chance = Fraction(sum(keeps_promise(value, claim, rules) for value in draws), len(draws))
    text = told(thorin("declare high K", "take", or_better="words"), "odds pair _A")
    assert "Probability that a pair with an ace kicker will be true, by discard: 7h 5s 2s" in text
    assert f"7h 5s 2s {percent(chance)} " in text
    assert "or better" not in text
    assert "Probability of 2-2-A-4-3 or better, by discard: nothing 100%" in told(
        thorin("declare high K", "take"), "odds pair _A"
    )


def test_your_own_discards_are_not_drawn_again() -> None:
    """You discard Jh 8d 6s; the 44 cards of the stock are among the 44 that you haven't seen."""
    game = catalogue.load("thorin")
    deck = read_joined_cards("AsKdJh8d6s2c3c4d")
    session = game.session(2).deal(ThorinDeal(deck), RoundSetup(opener=1))
    actions = ("declare high 8", "take", "discard Jh 8d 6s", "declare high A", "take", "discard -", "declare high AK")
    session = after(session, *actions, "take")
    hand = read_joined_cards("AsKd2c3c4d")
    kept = hand[:4]
    seen = (*hand, *read_joined_cards("Jh8d6s"))
    target = session.view(0).floor + 1
    good = sum(hand_value((*kept, card)) >= target for card in full_deck(0) if card not in seen)
    text = told(session, "odds discard 4d", "odds")
    assert f"Discard 4d: {percent(Fraction(good, 44))} for" in text
    assert f"Discard 4d: {percent(Fraction(good, 47))} for" not in text


def test_the_hand_that_was_passed_on_is_remembered() -> None:
    actions = ("declare pair Q", "take", "discard -", "declare three", "take", "discard 2s", "declare four")
    text = told(thorin(*actions, opener=0), "odds")
    assert "When you passed it on, it was Kd Kc 7h 5s 2s; since then 1 card was discarded." in text
    assert not any(card in text for card in ("9h", "discards 2s"))
