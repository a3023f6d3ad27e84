"""Two people at one table, and a server that goes away meanwhile."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from tests.server.inprocess import Running
from tests.server.running import running_server
from tests.terminal.live.chairs import TURN, Chair, offered


@pytest.fixture
def ann(house: Running, tmp_path: Path) -> Iterator[Chair]:
    """She has made a table of three, at a terminal."""
    with Chair(
        "dollar-bill", "--players", "3", "--name", "Ann", at=house, folder=tmp_path / "ann", terminal=True
    ) as chair:
        yield chair


@pytest.fixture
def table(ann: Chair) -> str:
    return ann.table()


@pytest.fixture
def bob(ann: Chair, table: str, tmp_path: Path) -> Iterator[Chair]:
    """He has come by her link, through a pipe."""
    with Chair("--name", "Bob", at=table, folder=tmp_path / "bob") as chair:
        ann.until("Bob sits down.")
        chair.until("You sit down.")
        yield chair


def begun(ann: Chair, bob: Chair) -> tuple[Chair, Chair]:
    """Who opens the first hand, and the other."""
    ann.type("")
    ann.until("Hand 1: stake 1.")
    bob.until("Hand 1: stake 1.")
    opener = ann.until("You open.", "Bob opens.")
    return (ann, bob) if "You open." in opener else (bob, ann)


def test_who_joins_is_told_whom_the_table_waits_for(ann: Chair, bob: Chair) -> None:
    bob.until("Waiting for Ann to start.")
    begun(ann, bob)
    assert bob.text.count("Waiting for Ann to start.") == 1
    assert "to start." not in ann.text


def test_they_talk_without_waiting_for_each_other(ann: Chair, bob: Chair) -> None:
    bob.type("say hello, is anybody there?")
    ann.until("Bob says: hello, is anybody there\\?")
    ann.type("/me")
    bob.until("Ann says: me")
    first, second = begun(ann, bob)
    first.until(TURN)
    second.type("say take your time")
    first.until("says: take your time\n> $")
    first.type("1x1")
    second.until(TURN)
    assert ": 1 one" in second.text


def test_news_does_not_eat_what_is_typed(ann: Chair, bob: Chair) -> None:
    first, second = begun(ann, bob)
    first.until(TURN)
    for number in range(5):
        second.type(f"say {number}")
    first.type("3x7")
    second.until(TURN)
    assert "3 sevens" in second.text


def test_they_agree_on_a_stake_take_back_and_sit_out(ann: Chair, bob: Chair) -> None:
    first, second = begun(ann, bob)
    first.until(TURN)
    first.type("1x1")
    second.until(TURN)
    first.type("undo")
    second.until("proposes to take the last action back.\nYes or no > $")
    second.type("no")
    first.until("Not agreed: to take the last action back.")
    second.until("Not agreed")
    first.type("undo")
    second.until("Yes or no > $")
    second.type("yes")
    second.until("The last action is taken back.")
    first.until("The last action is taken back.")
    first.until(TURN)
    first.type("stake 2")
    second.until("proposes to play the next hand at stake 2.\nYes or no > $")
    second.type("yes")
    first.until("Agreed: to play the next hand at stake 2.")
    first.type("2x1")
    second.until(TURN)
    second.type("c")
    first.until("The count")
    assert "Hand 2: stake 2 \\(agreed by the table\\)." not in first.text
    first.until("Hand 2: stake 2 \\(agreed by the table\\).")


def test_who_goes_away_comes_back_to_his_chair(ann: Chair, bob: Chair, table: str, tmp_path: Path) -> None:
    first, second = begun(ann, bob)
    first.until(TURN)
    first.type("1x1")
    second.until(TURN)
    number = re.findall("Your number is ([0-9]{8})", bob.text)[0]
    bob.type("quit")
    bob.until("leave: get up for good > $")
    bob.type("away")
    assert bob.ends() == 0
    ann.until("Bob has gone away.")
    with Chair(at=table, folder=tmp_path / "bob") as again:
        again.until("You are Bob.")
        again.until(f"Your number is {number}")
        ann.until("Bob is back.")


def test_who_leaves_is_played_for(ann: Chair, bob: Chair) -> None:
    first, second = begun(ann, bob)
    first.until(TURN)
    second.type("quit")
    second.until("leave: get up for good > $")
    second.type("leave")
    assert second.ends() == 0
    first.until("leaves; the round is played to its end.")
    first.type("1x1")
    first.until("The count")


def test_the_owner_ends_it_and_everybody_learns_who_owes_whom(ann: Chair, bob: Chair) -> None:
    first, second = begun(ann, bob)
    first.until(TURN)
    first.type("1x1")
    second.until(TURN)
    second.type("c")
    ann.until("Hand 2")
    ann.type("end")
    ann.until("Close the table for everybody\\? yes or no > $")
    ann.type("yes")
    for chair in (ann, bob):
        chair.until("The table has ended.")
        chair.until("(?:You pay|Bob pays|Ann pays) (?:you|Bob|Ann) 1 unit.")
        chair.type("audit")
        chair.until("share of your own to [12] of 2")
        chair.type("")
        assert chair.ends() == 0


def test_a_name_is_taken_once(ann: Chair, table: str, tmp_path: Path) -> None:
    with Chair("--name", "Ann", at=table, folder=tmp_path / "other") as other:
        other.until("--name NAME")
        assert other.ends() == 1


def test_who_wants_to_be_asked_is_waited_for(ann: Chair, bob: Chair, table: str, tmp_path: Path) -> None:
    with Chair("--name", "Cyd", "--ask-ready", at=table, folder=tmp_path / "cyd") as cyd:
        cyd.until("You sit down.")
        ann.type("")
        cyd.until("Enter for the next hand > $")
        ann.until("Waiting for Cyd.")
        cyd.type("")
        cyd.until("Hand 1")
        cyd.type("sit out")
        cyd.until("You sit out.")


@pytest.mark.parametrize(
    ("game", "actions", "seen"),
    [
        ("dollar-bill", ("1x1", "challenge"), "The count, clockwise from"),
        ("queen-annes", ("claim high 2", "challenge"), "All cards are shown:"),
        ("thorin", ("declare pair A", "challenge"), "Declared was a pair of aces"),
    ],
)
def test_who_finds_no_chair_watches(
    game: str, actions: tuple[str, ...], seen: str, house: Running, tmp_path: Path
) -> None:
    people = {person.user: person for person in (house.person("Ann"), house.person("Bob"))}
    ann, bob = people.values()
    table = house.table(ann, bob, game=game, seats=2, spectators="live")
    ann.ask(table, do="start")
    bob.ask(table, do="ready")
    with Chair("--name", "Cyd", at=f"{house.url}/tables/{table}", folder=tmp_path) as cyd:
        cyd.until("You watch.")
        for action in actions:
            now = ann.view(table)["public"]
            assert people[now["to_act"]].ask(table, do="act", turn=now["turn"], action=action)["ok"]
        cyd.until(seen)
        cyd.type("1x1")
        cyd.type("score")
        cyd.type("quit")
        assert cyd.ends() == 0
        assert "Your turn" not in cyd.text


@pytest.mark.slow
def test_a_server_that_dies_or_stops_is_waited_for(tmp_path: Path) -> None:
    words = ("salomon-1986", "--players", "3", "--bots", "beginner,bluffer", "--hands", "3", "--name", "Ann")
    (tmp_path / "server").mkdir()
    with (
        running_server(tmp_path / "server") as server,
        Chair(*words, at=server.address, folder=tmp_path, terminal=True) as ann,
    ):
        move = offered(ann.until(TURN).rpartition("Your turn")[2])[0]
        server.kill()
        ann.until("The connection is broken; it is being made again.")
        ann.type(move)  # while nobody hears it
        server.start()
        ann.until("Connected again.")
        ann.until("Bea: |Cal: |The count")
        server.stop()
        ann.until("The connection is broken; it is being made again.")
        server.start()
        ann.until("Connected again.")
        ann.until(TURN)
        ann.type("")
        told = ann.play(Random(8), "Enter to leave, audit.*> $")
        assert "Hand 1: " not in told, "the hand is shown once"
        ann.type("audit")
        ann.until("All 3 deals are what the server promised")
        ann.type("")
        assert ann.ends() == 0
