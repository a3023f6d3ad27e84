"""What may be typed at a table of cards, and what a wrong entry is answered."""

import pytest

from liarspoker.core import catalogue
from liarspoker.core.cards.deck import read_joined_cards
from liarspoker.core.session import RoundSetup
from liarspoker.games.queen_annes.options import QueenAnnesOptions
from liarspoker.games.queen_annes.round import QueenAnnesDeal
from liarspoker.games.thorin.deal import ThorinDeal
from tests.terminal.sitting import played_on, scripted

HANDS = ("KcKd7h5s2s", "8h8dJcJsAh", "3c4d6h9sTs")


def queen_annes(*actions: str, game: str = "queen-annes", opener: int = 2) -> object:
    """Three players with `HANDS`, after some actions."""
    hands = tuple(map(read_joined_cards, HANDS))
    session = catalogue.load(game).session(3).deal(QueenAnnesDeal(hands), RoundSetup(opener=opener))
    for action in actions:
        session = session.apply(session.read(action))
    return session


def thorin(*actions: str, opener: int = 2, **options: object) -> object:
    """Three players; the opener draws Kc Kd 7h 5s 2s, and the deck goes on with 9h 9d 3c and more."""
    game = catalogue.load("thorin")
    deck = read_joined_cards("KcKd7h5s2s9h9d3c4c6c8sTsJhQh")
    session = game.session(3, game.options(dict(options))).deal(ThorinDeal(deck), RoundSetup(opener=opener))
    for action in actions:
        session = session.apply(session.read(action))
    return session


def told(session: object, *lines: str) -> str:
    return " ".join(played_on(session, scripted(*lines))[0].split())


# ---------------------------------------------------------------------------------- naming a hand


@pytest.mark.parametrize(
    "entry",
    [
        "claim two-pair J8",
        "two-pair J8",
        "two pair, jacks over eights",
        "name jacks and eights",
        "two pair 8 and J",
        "TWO PAIR J 8",
        "two-pair 8j",
    ],
)
def test_a_hand_is_named_in_notation_or_words(entry: str) -> None:
    answer = "You name two pair, jacks over eights: two jacks and two eights, at least."
    assert answer in told(queen_annes("claim pair 7"), entry)


@pytest.mark.parametrize("entry", ["pair a", "pair A", "a pair of aces", "pair of a's"])
def test_an_ace_is_no_article(entry: str) -> None:
    assert "You name a pair of aces" in told(queen_annes("claim pair 7"), entry)


@pytest.mark.parametrize(
    "entries",
    [
        ("claim", "flush", "K J 7 5 2", "clubs"),
        ("claim", "3", "kj752", "c"),
        ("flush", "kj752", "♣"),
        ("flush kj752", "no suit", "C"),
        ("claim", "9", "flush of clubs", "2", "jacks", "2 5 7 J K"),
    ],
)
def test_what_is_left_out_is_asked_for(entries: tuple[str, ...]) -> None:
    assert "You name a flush of clubs, K-J-7-5-2" in told(queen_annes("claim three 7"), *entries)


def test_after_the_round_no_hand_is_checked_against_what_stood() -> None:
    text = told(queen_annes("claim pair 7"), "c", "check pair 8")
    assert "A pair of eights says: among all cards there are two eights, or more." in text
    assert "It beats" not in text
    text = told(thorin("declare pair Q"), "c", "check pair K")
    assert "A pair of kings (K-K-4-3-2 at the worst). The least that beats it is K-K-5-3-2" in text


def test_the_list_of_kinds_begins_with_the_least_that_may_be_named() -> None:
    text = told(queen_annes("claim three 7"), "claim", "back")
    assert "1 three of a kind: three eights 2 straight" in text
    assert "10 royal" not in text
    assert text.count("Your turn:") == 2


def test_what_is_named_is_told_with_what_it_promises_and_the_least_above_it() -> None:
    text = told(queen_annes("claim pair 7"), "full house aces over tens")
    assert "three aces and two tens, at least" in text
    assert "the next is a full house, aces over jacks (type full-house AJ)" in text


@pytest.mark.parametrize(
    ("entry", "answer"),
    [
        ("pair 7", "a pair of sevens does not beat a pair of sevens; name a higher hand, or challenge."),
        ("hello", "'hello' is no action of this game; write claim and a hand (high 4, pair 7"),
        ("straight 3", "no such hand can be named here"),
        ("take", "'take' is no action of this game"),
    ],
)
def test_a_wrong_entry_says_what_is_legal(entry: str, answer: str) -> None:
    after = told(queen_annes("claim pair 7"), entry).partition(f"> {entry}")[2]
    assert answer.lower() in after.lower()
    assert "Your turn: name a pair of eights (type pair 8) or higher" in after


def test_check_tells_what_a_hand_promises_without_naming_it() -> None:
    text = told(queen_annes("claim pair 7"), "check pair 5", "check straight")
    assert "A pair of fives says: among all cards there are two fives, or more." in text
    assert "It does not beat the standing pair of sevens." in text
    assert "'straight' names no hand; name one in full" in text
    text = told(queen_annes("claim pair 7"), "check high 4", "check flush KJ752 c")
    assert "High card four says: among all cards there is one four, or more." in text
    assert "says: among all cards there are Kc Jc 7c 5c 2c. It beats" in text


def test_a_name_that_says_what_must_be_there_is_not_said_twice() -> None:
    assert "Standing: three sevens by Cal. Your cards" in told(queen_annes("claim three 7"))
    assert "Standing: a pair of sevens by Cal, that is two sevens among all cards." in told(queen_annes("claim pair 7"))
    assert "You name three sevens. Of hands above it" in told(queen_annes("claim pair 7"), "three sevens")


def test_wild_ranks_are_called_as_on_the_cards() -> None:
    session = catalogue.load("queen-annes").session(3, QueenAnnesOptions(wild_ranks="2TA"))
    text = told(session.deal(QueenAnnesDeal(tuple(map(read_joined_cards, HANDS))), RoundSetup(opener=0)))
    assert "Wild: all 2s, all 10s, all As." in text


def test_a_hand_that_the_person_sees_needs_no_chance() -> None:
    text = told(queen_annes("claim pair 7"), "odds pair K")
    assert "A pair of kings is there: you see Kc Kd." in text
    assert "100%" not in text


def test_odds_count_what_the_person_sees() -> None:
    # Two kings are his; of the 47 other cards 10 are in play and two are kings.
    text = told(queen_annes("claim pair 7"), "odds four k", "odds")
    assert "Four kings: of it you see Kc Kd. You do not see 10 of the 15 cards in play" in text
    assert "the chance is 4.16%" in text


def test_the_proof_of_a_challenge_shows_the_cards_or_what_is_missing() -> None:
    there = told(queen_annes("claim two-pair J8"), "c")
    assert "Bea 8h 8d" not in there
    assert "Bea Ah Js Jc 8h 8d" in there
    assert "In the pool: Jc Js 8h 8d. You lose: the hand is there. You get 4 cards in the next round" in there
    missing = told(queen_annes("claim three J"), "c")
    assert "In the pool: Jc Js. Missing: another jack. Cal loses: the hand is not there." in missing


def test_in_the_indian_game_the_own_cards_are_hidden_and_the_others_shown() -> None:
    text = told(queen_annes("claim pair 7", game="queen-annes-indian"), "hand", "odds")
    assert "Your own 5 cards: hidden from you." in text
    assert "Bea Ah Js Jc 8h 8d" in text
    assert not any(card in text for card in ("Kc", "Kd", "7h", "5s", "2s"))


def test_in_stud_everybody_sees_the_cards_that_lie_up() -> None:
    hands = tuple(map(read_joined_cards, ("KcKd", "8h8d", "3c4d")))
    extras = read_joined_cards("9h9d9c2c2d2h5c5d5hTcTdThQcQdQh")
    session = catalogue.load("queen-annes-stud").session(3).deal(QueenAnnesDeal(hands, extras), RoundSetup(opener=1))
    for action in ("high 2", "high 3", "high 4", "high 5", "high 6", "high 7"):
        session = session.apply(session.read(f"claim {action}"))
    text = told(session, "high 8", "hand")
    assert "2 hole cards each. Further cards on your turns: 1 up, 2 up, 3 up, 4 up, 5 down." in text
    assert "Bea face up 9h 2c 5c, face down 2" in text
    assert "Cal face up 9d 2d, face down 2" in text
    assert "Your cards: face down Kd Kc, face up 9c 2h." in text
    assert not any(card in text.partition("All cards")[0] for card in ("8h", "8d", "3c", "4d"))


def test_in_stud_nothing_is_said_of_cards_that_do_not_lie_up() -> None:
    hands = tuple(map(read_joined_cards, ("KcKd", "8h8d", "3c4d")))
    dealt = (
        catalogue.load("queen-annes-stud")
        .session(3)
        .deal(QueenAnnesDeal(hands, read_joined_cards("9h9d9c")), RoundSetup(opener=0))
    )
    assert "Bea face down 2 Cal face down 2" in told(dealt, "hand")


def test_in_stud_the_last_further_card_lies_face_down() -> None:
    hands = tuple(map(read_joined_cards, ("KcKd", "8h8d")))
    extras = read_joined_cards("9h9d2c2d5c5dTcTdQcQd")
    session = catalogue.load("queen-annes-stud").session(2).deal(QueenAnnesDeal(hands, extras), RoundSetup(opener=1))
    for rank in "2345678":
        session = session.apply(session.read(f"claim high {rank}"))
    text, _ = played_on(session, scripted("high 9", "high J"), bot=lambda view, chance: view.legal.min_claim)
    assert "Bea gets a card, face down." in text
    assert "You get Qd, face down." in text
    assert "Qc" not in text


# ------------------------------------------------------------------------------------ Thorin's game


def test_the_player_under_the_gun_decides_before_he_sees_the_hand() -> None:
    text = told(thorin("declare two-pair"), "hand", "odds", "declare three", "t")
    blind, _, taken = text.partition("> t ")
    assert "You decide before you see the hand." in blind
    assert "Your turn: take the hand (t), or challenge (c)." in blind
    assert "not now; write take or challenge" in blind
    assert not any(card in blind for card in ("Kc", "Kd", "7h", "5s", "2s"))
    assert "1 Kd, 2 Kc, 3 7h, 4 5s, 5 2s. It is a pair of kings" in taken
    assert "It does not beat 3-3-2-2-4, which you must." in taken


@pytest.mark.parametrize(
    "entry", ["discard 5s 2s", "d 5S2S", "throw 4 #5", "d #4, #5", "#4 2s", "discard five of spades and two of spades"]
)
def test_cards_are_thrown_by_name_or_by_place(entry: str) -> None:
    text = told(thorin("declare high K", "take", opener=2), entry, "three kings")
    assert "You throw 5s 2s and draw 9h 9d." in text


def test_a_place_that_may_be_a_rank_is_asked_about() -> None:
    text = told(thorin("declare high K", "take"), "discard 2", "discard 9", "discard 9h", "discard 2s 2s", "d #2")
    assert "2: the card at place 2, Kc, or 2s? Type Kc or #2 for the first, 2s for the other." in text
    assert "'9' is no card; name cards as 7h, or by their places: 1 Kd, 2 Kc" in text
    assert "9h is not in the hand" in text
    assert "2s is there only once" in text
    assert "You throw Kc and draw 9h." in text


@pytest.mark.parametrize("entry", ["discard -", "keep", "-", "d none"])
def test_nothing_need_be_thrown(entry: str) -> None:
    assert "You throw nothing." in told(thorin("declare high K", "take"), entry)


@pytest.mark.parametrize(
    ("entries", "declared"),
    [
        (("two pair, sevens over threes",), "two pair, sevens over threes (7-7-3-3-2 at the worst)"),
        (("declare", "3", "j8"), "two pair, jacks over eights (J-J-8-8-2 at the worst)"),
        (("declare", "two pair", ""), "two pair (3-3-2-2-4 at the worst)"),
        (("pair", "k9"), "a pair of kings with a nine kicker (K-K-9-3-2 at the worst)"),
        (("declare pair", "7", "a"), "a pair of aces (A-A-4-3-2 at the worst)"),
        (("two pair, sevens over threes with a jack",), "two pair, sevens over threes with a jack kicker (7-7-3-3-J)."),
        (("Q-J-9-4-2, all red",), "a color flush, Q-J-9-4-2."),
    ],
)
def test_a_hand_is_declared_at_once_or_step_by_step(entries: tuple[str, ...], declared: str) -> None:
    assert f"You declare {declared}" in told(thorin("declare pair Q", "take", "discard -"), *entries)


def test_a_declaration_that_is_too_low_is_answered_with_the_least_that_would_do() -> None:
    text = told(thorin("declare pair Q", "take", "discard -"), "pair J", "pair", "back", "six high")
    assert "may be as little as J-J-4-3-2, which does not beat a pair of queens (Q-Q-4-3-2)" in text
    assert "A pair may be as little as 2-2-5-4-3. Which ranks?" in text
    assert "no hand can be that" in text
    assert "Your turn: declare Q-Q-5-3-2 (type pair Q532) or better" in text


def test_the_challenge_shows_the_hand_its_value_and_what_it_was_held_against() -> None:
    text = told(thorin("declare pair Q"), "c")
    assert "The hand is Kd Kc 7h 5s 2s: a pair of kings with 7-5-2 kickers." in text
    assert "Declared was a pair of queens (Q-Q-4-3-2 at the worst)." in text
    assert "It is as good as declared, or better. You are out of the match." in text


def test_what_the_others_do_with_the_hand_is_told_in_sentences() -> None:
    session = thorin("declare pair Q", "pass", "take", "discard -", "declare pair K", passes=1)
    assert "Cal: a pair of queens (Q-Q-4-3-2 at the worst) You: pass Bea takes the hand." in told(session)
    mine = thorin("declare pair Q", "take", opener=2)
    assert "You take the hand." in told(mine)


def test_a_spent_pass_is_told() -> None:
    session = thorin("declare pair Q", "pass", "take", "discard -", "declare pair K", "take", "discard -", passes=1)
    text = told(session.apply(session.read("declare three")), "p", "hand", "score")  # type: ignore[attr-defined]
    assert "A pass is left to: Bea, Cal." in text
    assert "Your turn: take the hand (t), or challenge (c). Your pass is spent." in text
    assert "Pass: this player has none left" in text
    assert "You pass spent" in text


def test_odds_of_a_discard_are_told_while_discarding() -> None:
    text = told(thorin("declare pair K", "take"), "odds", "odds three", "odds discard 7h 5s 2s")
    assert "The chance to hold K-K-5-3-2 or better, by what you throw: nothing 100%" in text
    assert "The chance to hold 2-2-2-4-3 or better, by what you throw: 7h 5s 2s 12.73%" in text
    assert "Throw 7h 5s 2s: 99.70%" in text


def test_what_was_passed_on_is_remembered() -> None:
    session = thorin("declare pair Q", "take", "discard -", "declare three", opener=0)
    session = session.apply(session.read("take"))  # type: ignore[attr-defined]
    session = session.apply(session.read("discard 2s"))
    session = session.apply(session.read("declare four"))
    text = told(session, "odds")
    assert "When you passed it on it was Kd Kc 7h 5s 2s; since then 1 card was thrown." in text
    assert not any(card in text for card in ("9h", "throws 2s"))
