"""Matches of the card games, by a player who knows what is printed; what is kept, and what is secret."""

import re
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liarspoker import cli
from liarspoker.core import catalogue
from liarspoker.core.cards.deck import full_deck, shuffled
from liarspoker.core.session import RoundSetup
from liarspoker.games.queen_annes.round import QueenAnnesDeal
from liarspoker.games.thorin.actions import discard_of
from liarspoker.games.thorin.deal import ThorinDeal
from liarspoker.records import read_json
from liarspoker.terminal.keeping import load
from tests.effort import one_in
from tests.terminal import sitting
from tests.terminal.sitting import (
    CARDS,
    POOLED,
    Player,
    asking,
    between_hands,
    careless,
    for_turns,
    offered,
    played_on,
    scripted,
)

EVERY_GAME = pytest.mark.parametrize("game", CARDS)
SEEDS = st.integers(0, 2**32)
QUESTIONS = ("odds", "odds pair 7", "why", "hand", "score", "help", "ranks", "check three 4", "declare", "back")
VALUES = [
    (game, info.name, value)
    for game in ("thorin", "queen-annes-stud")
    for info in catalogue.load(game).option_infos
    for value in info.choices
]

BLIND_QUESTIONS = ("odds", "odds three 7", "why", "hand", "score", "check pair 9")
SEATS = 3


def play(*words: str, player: Player, columns: int = 80, bots: tuple[str, ...] = ("--bots", "uniform")) -> str:
    """All that is printed in a game against uniform bots."""
    played = sitting.play(*bots, *words, player=player, columns=columns)
    assert played.code == 0
    return played.text


def flowing(text: str) -> str:
    """The text with its lines unwrapped into one."""
    return " ".join(text.split())


@EVERY_GAME
@given(seed=SEEDS)
@one_in(2)
def test_a_match_is_played_until_somebody_has_won(game: str, seed: int) -> None:
    text = play(game, "--seed", str(seed), "--players", str(2 + seed % 4), player=careless(seed))
    assert re.search(r"^(You win|\w+ wins) the match\.$", text, re.MULTILINE)
    assert "The match is won:" in text
    assert text.count("  won\n") == 1


@EVERY_GAME
@given(seed=SEEDS)
@one_in(20)
def test_no_line_is_wider_than_forty_columns(game: str, seed: int) -> None:
    text = play(game, "--seed", str(seed), player=asking(careless(seed), *QUESTIONS), columns=40)
    assert [line for line in text.splitlines() if len(line) > 40 and "> " not in line] == []


@EVERY_GAME
def test_questions_change_nothing(game: str, tmp_path: Path) -> None:
    records = []
    for name, player in [("silent", careless(4)), ("curious", asking(careless(4), *QUESTIONS, "hello", "pair 0"))]:
        path = tmp_path / f"{name}.json"
        play(game, "--seed", "9", "--record", str(path), player=player)
        records.append(path.read_text(encoding="utf-8"))
    assert records[0] == records[1]


@EVERY_GAME
@pytest.mark.parametrize("players", [2, 10])
def test_the_smallest_and_the_largest_table_are_played(game: str, players: int) -> None:
    text = play(game, "--players", str(players), "--seed", "3", "--hands", "2", player=careless(1))
    assert len(re.findall(r"^  \w+ +(?:out|won|in|\d)", text.rpartition("match")[2], re.MULTILINE)) == players


@pytest.mark.parametrize(("game", "option", "value"), VALUES)
def test_every_value_of_every_option_is_played_to_the_end(game: str, option: str, value: object) -> None:
    written = str(value).lower() if isinstance(value, bool) else str(value)
    text = play(game, "--players", "3", "--seed", "8", "--option", f"{option}={written}", player=careless(2))
    assert "The match is won:" in text


@EVERY_GAME
def test_the_record_of_a_match_replays_to_its_winner(game: str, tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    text = play(game, "--seed", "6", "--record", str(path), player=careless(6))
    replay = read_json(path.read_bytes())
    assert replay.fault is None
    assert replay.session is not None
    winner = replay.players[replay.session.winner or 0]
    assert ("You win" if winner == "You" else f"{winner} wins") + " the match." in text


@EVERY_GAME
def test_the_first_seat_is_drawn_by_lot(game: str) -> None:
    first = {
        flowing(play(game, f"--seed={seed}", player=scripted())).partition("Round 1: ")[2][:3] for seed in range(25)
    }
    assert first == {"You", "Bea", "Cal", "Dot"}


def reckless(told: str) -> str | None:
    """Says that there is the best hand of all, and is challenged."""
    if between_hands(told):
        return "skip" if "You are out." in told else ""
    words = flowing(told)
    if "discard (" in words or "keep all" in words:
        return "discard -"
    if "declare" in words.rpartition("Your turn:")[2]:
        return "straight flush ace high"
    return "royal flush spades" if "Your turn: name" in words else "t" if "(t)" in words else "c"


@EVERY_GAME
def test_the_match_goes_on_when_the_person_is_out(game: str) -> None:
    text = play(game, "--seed", "1", player=reckless)
    assert "You are out." in text
    assert re.search(r"^\w+ wins the match\.$", text.rpartition("You are out.")[2], re.MULTILINE)


def test_rounds_can_be_limited() -> None:
    text = play("queen-annes", "--seed", "1", "--hands", "2", player=careless(3))
    assert "That was the last round." in text
    assert "Round 3" not in text


@pytest.mark.parametrize("words", [["--slips"], ["--bills"]])
def test_cards_are_not_dealt_from_slips(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["play", "thorin", "--bots", "uniform", *words]) == 1
    assert "neither from slips nor with bills" in capsys.readouterr().err


def test_the_person_who_begins_names_the_rules_where_the_dealer_has_the_choice(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    seed = next(str(seed) for seed in range(30) if "Your turn: declare" in _chosen(str(seed), scripted("", "quit")))
    lines = ("colour=red", "passes", "passes=7", "jokers=1, jokers=2", "passes=1, jokers=2", "quit")
    text = _chosen(seed, scripted(*lines), "--record", str(path))
    assert 'passes = "7": it takes 0 or 1.' in flowing(text)
    assert "'jokers=2': name each rule once." in flowing(text)
    assert "named for this round: passes = 1" in flowing(text).lower()
    assert '"passes": 1' in path.read_text(encoding="utf-8")


def _chosen(seed: str, player: Player, *words: str) -> str:
    return play("thorin", "--option", "dealers_choice=true", "--seed", seed, *words, player=player)


@pytest.mark.parametrize("game", POOLED)
def test_where_anyone_may_challenge_the_person_is_asked_out_of_turn(game: str) -> None:
    def player(told: str) -> str | None:
        return "c" if "c to challenge" in told else careless(1)(told)

    text = play(game, "--seed", "2", "--hands", "1", "--option", "who_may_challenge=anyone", player=player)
    assert "You challenge" in text


@pytest.mark.parametrize("game", POOLED)
def test_where_anyone_may_challenge_bots_do_so_out_of_turn(game: str, tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    words = ("--option", "who_may_challenge=anyone", "--bots", "bluffer", "--players", "5", "--record", str(path))
    play(game, "--seed", "1", *words, player=reckless)
    assert re.search(r'"challenge \d"', path.read_text(encoding="utf-8"))
    assert read_json(path.read_bytes()).fault is None


@pytest.mark.parametrize("game", CARDS)
@given(seed=st.integers(0, 2**32), entries=st.integers(1, 9))
@one_in(2)
def test_a_game_is_kept_as_it_stands(
    game: str, seed: int, entries: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("kept") / "game.toml"
    start = catalogue.load(game).session(3)
    _, session = played_on(start, for_turns(careless(seed), entries), record=path)
    kept = load(path).session
    assert [kept.view(seat) for seat in (*range(3), None)] == [session.view(seat) for seat in (*range(3), None)]


@pytest.mark.parametrize("game", CARDS)
def test_a_round_taken_up_again_tells_what_has_happened(game: str, tmp_path: Path) -> None:
    path = tmp_path / "game.toml"
    seed = next(str(seed) for seed in range(20) if ":" in _first(game, str(seed)).partition("Round 1:")[2])
    first = play(game, "--seed", seed, "--record", str(path), player=scripted())
    again = play("--record", str(path), player=scripted(), bots=())
    assert "Round 1:" in again
    said = [line for line in first.splitlines() if line.startswith(("Bea: ", "Cal: ", "Dot: "))]
    assert all(line.partition(" (")[0] in flowing(again) for line in said if len(line) < 60)


@pytest.mark.parametrize("game", POOLED)
def test_what_was_said_before_a_prompt_out_of_turn_is_kept_there(game: str, tmp_path: Path) -> None:
    record, saved, turns, player = tmp_path / "record.toml", list[Path](), list[str](), careless(2)

    def saving(told: str) -> str | None:
        if "Saved in" not in told:
            turns.append(told)
            saved.append(tmp_path / f"{len(saved)}.toml")
            return f"save {saved[-1]}"
        assert saved[-1].read_bytes() == record.read_bytes()
        return player(turns[-1])

    words = ("--seed", "2", "--hands", "2", "--option", "who_may_challenge=anyone", "--record", str(record))
    assert "c to challenge" in play(game, *words, player=saving)
    assert len(saved) > 4


def _first(game: str, seed: str) -> str:
    return play(game, "--seed", seed, player=scripted())


def test_a_hand_taken_up_again_never_runs_out_of_cards(tmp_path: Path) -> None:
    # Its record keeps the deck and not the chance of the discards, which are shuffled once eleven hands are drawn.
    path = tmp_path / "game.toml"
    played_on(catalogue.load("thorin").session(3), scripted(), record=path)
    _, later = played_on(load(path).session, scripted())
    for _ in range(60):
        if later.in_play:
            later = later.apply(_taking(later.view(later.to_act).legal))
    assert any(action < -16 for _, action in later.round.moves[40:])


def _taking(legal: Any) -> int:
    """Takes, throws all five cards, and declares the least."""
    if legal.min_claim is not None:
        return int(legal.min_claim)
    return int(legal.answers[-1] if legal.discard else legal.answers[0])


def without_looking(view: Any, chance: Random) -> int:
    """A bot that plays by what is public: what is legal for anybody, and how many cards it throws."""
    if getattr(view.legal, "discard", False):
        return discard_of(view.hand[: chance.randrange(6)])
    claims, answers = view.legal.claims, view.legal.answers
    pick = chance.randrange(2 * len(answers) + min(3, len(claims)))
    return int(answers[pick // 2] if pick < 2 * len(answers) else claims[pick - 2 * len(answers)])


def blind(seed: int) -> Player:
    """Declares the least, passes or challenges, and never takes a hand."""
    chance = Random(seed)

    def answer(told: str) -> str | None:
        if between_hands(told):
            return None
        return chance.choice([entry for entry in offered(told) if entry not in ("t", "take")])

    return asking(answer, *BLIND_QUESTIONS)


def before_the_cards_are_shown(session: Any, seed: int) -> str:
    text = played_on(session, blind(seed), bot=without_looking)[0]
    return text.partition("All cards are shown")[0].partition("\nThe hand is")[0]


def pooled(game: str, hands: list[tuple[int, ...]], extras: tuple[int, ...], opener: int) -> Any:
    return catalogue.load(game).session(SEATS).deal(QueenAnnesDeal(tuple(hands), extras), RoundSetup(opener=opener))


@given(seed=SEEDS, opener=st.integers(0, SEATS - 1))
def test_the_others_cards_do_not_show(seed: int, opener: int) -> None:
    deck = shuffled(full_deck(0), Random(seed).randrange)
    one = [deck[:5], deck[5:10], deck[10:15]]
    other = [deck[:5], deck[20:25], deck[30:35]]
    texts = [before_the_cards_are_shown(pooled("queen-annes", hands, (), opener), seed) for hands in (one, other)]
    assert texts[0] == texts[1]


@given(seed=SEEDS, opener=st.integers(0, SEATS - 1))
def test_the_own_cards_of_the_indian_game_do_not_show(seed: int, opener: int) -> None:
    deck = shuffled(full_deck(0), Random(seed).randrange)
    one, other = ([own, deck[5:10], deck[10:15]] for own in (deck[:5], deck[20:25]))
    texts = [
        before_the_cards_are_shown(pooled("queen-annes-indian", hands, (), opener), seed) for hands in (one, other)
    ]
    assert texts[0] == texts[1]


@given(seed=SEEDS, opener=st.integers(0, SEATS - 1))
def test_the_others_hole_cards_do_not_show(seed: int, opener: int) -> None:
    deck = shuffled(full_deck(0), Random(seed).randrange)
    one = [deck[:2], deck[2:4], deck[4:6]]
    other = [deck[:2], deck[48:50], deck[50:52]]
    texts = [
        before_the_cards_are_shown(pooled("queen-annes-stud", hands, deck[6:40], opener), seed)
        for hands in (one, other)
    ]
    assert texts[0] == texts[1]


@given(seed=SEEDS, opener=st.integers(0, SEATS - 1), passes=st.integers(0, 1))
def test_a_hand_that_is_not_taken_does_not_show(seed: int, opener: int, passes: int) -> None:
    game = catalogue.load("thorin")
    deck = shuffled(full_deck(0), Random(seed).randrange)
    seen = 5 if opener == 0 else 0
    other = (*deck[:seen], *shuffled(deck[seen:], Random(seed + 1).randrange))
    texts = []
    for cards in (deck, other):
        session = game.session(SEATS, game.options({"passes": passes}))
        texts.append(before_the_cards_are_shown(session.deal(ThorinDeal(cards), RoundSetup(opener=opener)), seed))
    assert texts[0] == texts[1]
