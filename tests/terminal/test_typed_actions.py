"""Input other than actions: questions, answers and nonsense."""

import re
from pathlib import Path

import pytest

from tests.terminal.sitting import (
    GAMES,
    between_hands,
    play,
    record_in,
    scripted,
    then_leaves,
    timid,
)

EVERY_GAME = pytest.mark.parametrize("game", GAMES)
NONSENSE = ["hello", "5", "x7", "5x", "1x1x1", "-1x5", "0x5", "999x5", "five", "count!", "stake 2", "numbers", "\x1b[A"]


@pytest.mark.parametrize("entry", NONSENSE)
def test_illegal_input_lists_legal_actions(entry: str) -> None:
    played = play("dollar-bill", "--seed", "9", player=scripted(entry))
    before, _, after = played.flowing.partition(f"> {' '.join(entry.split())}")
    turn = re.findall(r"Your turn: .*?\.(?= |$)", before)[-1]
    assert entry == "numbers" or turn in after


@pytest.mark.parametrize(
    ("entry", "answer"),
    [
        ("hello", "'hello' isn't an action of this game; write a bid such as 5 sevens, or challenge, or count."),
        ("0x5", "0x5 can't be bid; the level must be between 1 and 32, and the digit must be in play."),
        ("33x5", "33 fives can't be bid; the level must be between 1 and 32, and the digit must be in play."),
        ("1x1", "1 one does not beat 1 six."),
        ("one six", "1 six does not beat 1 six."),
        ("stake 2", "The stake is agreed on between hands."),
        ("count", "Count: only a bidder who is challenged all around and may still rebid can call for the count."),
    ],
)
def test_every_illegal_action_is_explained(entry: str, answer: str) -> None:
    # With seed 1, Dot opens with a six, and then it is the human player's turn.
    assert answer in play("salomon-1986", "--seed", "1", player=scripted(entry)).flowing


def test_a_count_is_offered_only_where_there_are_rebids() -> None:
    said = play("dollar-bill", "--seed", "5", player=scripted("hello")).flowing
    assert "'hello' isn't an action of this game; write a bid such as 5 sevens, or challenge." in said


def test_an_opener_cannot_challenge() -> None:
    played = play("dollar-bill", "--seed", "5", player=scripted("c", "k"))
    assert played.text.count("nothing has been bid yet; the opener must bid.") == 2


def test_a_bidder_challenged_by_all_cannot_challenge() -> None:
    played = play("salomon-1986", "--seed", "1", player=scripted("9x8", "c", "9x8", "k"))
    assert "challenged all around" in played.flowing
    assert "Challenge: everybody has challenged; the bidder must count or rebid." in played.flowing
    assert "9 eights does not beat 9 eights." in played.flowing
    assert "The count, clockwise from your left:" in played.text


@pytest.mark.parametrize("words", ["3x8", "3X8", "three eights", "Three Eights", "3 eights", "3 8s", "  3x8  "])
def test_a_bid_can_be_written_in_symbols_or_words(words: str) -> None:
    played = play("salomon-1986", "--seed", "1", "--bots", "uniform", player=scripted(words))
    assert played.hands == [
        text.replace("> 3x8", f"> {words}")
        for text in play("salomon-1986", "--seed", "1", "--bots", "uniform", player=scripted("3x8")).hands
    ]


@pytest.mark.parametrize("word", ["c", "C", "ch", "liar", "challenge", "Challenge"])
def test_a_challenge_has_short_names(word: str, tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    play("salomon-1986", "--seed", "1", "--record", str(path), player=scripted(word))
    assert record_in(path)["rounds"][0]["actions"][:2] == ["1x6", "challenge"]


def test_help_lists_what_can_be_typed_at_any_prompt() -> None:
    played = play("slips", "--seed", "1", player=scripted("help"))
    for command in ("odds", "odds BID", "why", "hand", "score", "save FILE", "quit", "help"):
        assert re.search(rf"^  {command} +\w", played.text, re.MULTILINE)


@pytest.mark.parametrize("entry", ["help", "?", "odds", "odds 3x2", "odds nonsense", "why", "hand", "score"])
@pytest.mark.parametrize("game", ["salomon-1986", "slips"])
def test_every_question_is_answered_between_hands_too(game: str, entry: str) -> None:
    played = play(
        game, "--seed", "2", player=then_leaves(lambda told: entry if between_hands(told) else timid(told), 3)
    )
    assert played.code == 0
    assert len(played.hands) == 1
    answers = re.split(r"^Enter .*$", played.text, flags=re.MULTILINE)[1:3]
    assert answers[0] == answers[1] != ""


def test_odds_of_the_current_bid_count_your_own_hand() -> None:
    # 30252888 against one six: three others with eight digits each, 1 - 0.9**24.
    told = play("salomon-1986", "--seed", "1", player=scripted("odds", "odds 3x8")).flowing
    assert "1 six: you hold 0, so the others must hold 1 six." in told
    assert "The chance of that is 92.02%" in told
    assert "3 eights: you hold 3, so the bid is good." in told


def test_why_explains_the_current_bid_and_a_payment() -> None:
    played = play("salomon-1986", "--seed", "1", player=scripted("why", "9x8", "k", "why"))
    standing, _, counted = played.flowing.partition("> 9x8")
    assert "1 six: wins ×2 if made, costs ×1 if it fails. - sixes: ×2" in standing
    assert "9 eights by you: - level bonus, 5 or 6 above the number of players: ×3" in counted
    assert "- a failed bid costs one stake, whatever its multiplier" in counted


def test_a_bid_of_a_digit_that_you_do_not_hold_wins_as_a_hero_or_a_skunk() -> None:
    # The number is 30252888.
    told = play("salomon-1986", "--seed", "1", player=scripted("9x7", "why")).flowing
    standing, _, why = told.rpartition("> why")
    level = "level bonus, 5 or 6 above the number of players: ×3"
    hero = "hero, the bidder holds none: one multiple more, ×4"
    assert f"9 sevens by you, challenged all around. Stake 1; if made, it wins ×4 ({level}; {hero})." in standing
    skunk = "skunk, nobody holds one: twice the number of players minus six, ×2"
    assert f"9 sevens: wins ×4 if made, costs ×1 if it fails. - {level} - {hero} - {skunk}" in why


def test_a_bid_of_a_digit_that_you_hold_or_without_these_rules_wins_its_own_multiple() -> None:
    for bid, options in (("9x8", ()), ("9x7", ("--option", "hero=false", "--option", "none_wins=false"))):
        told = play("salomon-1986", "--seed", "1", *options, player=scripted(bid, "why")).flowing
        assert "if made, it wins ×3 (level bonus, 5 or 6 above the number of players: ×3)." in told
        assert "wins ×3 if made, costs ×1 if it fails. - level bonus" in told
        assert "hero" not in told
        assert "skunk" not in told


@EVERY_GAME
@pytest.mark.parametrize("word", ["quit", "q", "exit", "QUIT", None])
def test_leaving_shows_the_score(game: str, word: str | None) -> None:
    played = play(game, "--seed", "1", player=scripted(*([word] if word else [])))
    assert played.code == 0
    assert ("End of input: leaving the game." in played.text) == (word is None)
    assert played.text.endswith("Score in units:\n  You  0\n  Bea  0\n  Cal  0\n  Dot  0\n")
