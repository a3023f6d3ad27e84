"""Two players at one table, and a server that stops during the game."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from tests.server.inprocess import Running, eventually
from tests.server.running import running_server
from tests.terminal.live.clients import TURN, Client, offered


@pytest.fixture
def ann(house: Running, tmp_path: Path) -> Iterator[Client]:
    """Ann, who has created a table for three, at a terminal."""
    with Client(
        "dollar-bill", "--players", "3", "--name", "Ann", at=house, folder=tmp_path / "ann", terminal=True
    ) as chair:
        yield chair


@pytest.fixture
def table(ann: Client) -> str:
    return ann.table()


@pytest.fixture
def bob(ann: Client, table: str, tmp_path: Path) -> Iterator[Client]:
    """Bob, who has joined by Ann's link, through a pipe."""
    with Client("--name", "Bob", at=table, folder=tmp_path / "bob") as chair:
        ann.until("Bob sits down.")
        chair.until("You sit down.")
        yield chair


def begun(ann: Client, bob: Client) -> tuple[Client, Client]:
    """Return the opener of the first hand, and the other player."""
    ann.type("")
    ann.until("Hand 1: stake 1.")
    bob.until("Hand 1: stake 1.")
    opener = ann.until("You open.", "Bob opens.")
    return (ann, bob) if "You open." in opener else (bob, ann)


def test_a_new_player_sees_whom_the_table_waits_for(ann: Client, bob: Client) -> None:
    bob.until("Waiting for Ann to start.")
    begun(ann, bob)
    assert bob.text.count("Waiting for Ann to start.") == 1
    assert "to start." not in ann.text


def test_players_chat_without_waiting_for_each_other(ann: Client, bob: Client) -> None:
    bob.type("say hello, is anybody there?")
    ann.until("Bob says: hello, is anybody there\\?")
    ann.type("/me")
    ann.until("/me: unknown command; type /help for a list.")
    ann.type("/say me")
    bob.until("Ann says: me")
    first, second = begun(ann, bob)
    first.until(TURN)
    second.type("say take your time")
    first.until("says: take your time\n> $")
    first.type("1x1")
    second.until(TURN)
    assert ": 1 one" in second.text


def test_players_react_and_show_their_hands(ann: Client, bob: Client) -> None:
    bob.type("/react wow")
    ann.until("Bob: Wow!")
    ann.type("/react meh")
    ann.until("type one of nice, laugh, wow, hmm, ouch, liar")
    bob.type("/show")
    bob.until("You have no hidden hand")


def test_a_player_shows_their_hidden_hand_after_the_count(house: Running, tmp_path: Path) -> None:
    ann = house.person("Ann")
    table = house.table(ann, game="dollar-bill", seats=2, options={"reveal": "counts"})
    link = f"{house.url}/tables/{table}"
    with Client("--name", "Bob", "--ask-ready", at=link, folder=tmp_path, terminal=True) as bob:
        bob.until("You sit down.")
        assert ann.ask(table, do="start")["ok"]
        bob.until("Enter for the next hand > $")
        bob.type("")
        bob.until("Hand 1")
        number = re.findall("Your number is ([0-9]{8})", bob.until("Your number is [0-9]{8}"))[0]
        for _ in range(2):
            public = ann.view(table)["public"]
            if public["to_act"] == ann.user:
                action = "challenge" if public["round"]["moves"] else "1x1"
                assert ann.ask(table, do="act", turn=public["turn"], action=action)["ok"]
            else:
                bob.until(TURN)
                bob.type("c" if public["round"]["moves"] else "1x1")
            eventually(lambda turn=public["turn"]: ann.view(table)["public"]["turn"] != turn)  # type: ignore[misc]
        bob.until("Enter for the next hand > $")
        assert "hands" not in ann.view(table)["public"]
        bob.type("/show")
        bob.until(f"You show your hand: {number}.")
        assert [one["hand"] for one in ann.view(table)["public"]["hands"]] == [[number]]


def test_a_rematch_is_announced_with_the_command_that_joins_it(house: Running, tmp_path: Path) -> None:
    ann = house.person("Ann")
    table = house.table(ann, game="dollar-bill", seats=2)
    with Client("--name", "Bob", at=f"{house.url}/tables/{table}", folder=tmp_path, terminal=True) as bob:
        bob.until("You sit down.")
        for do in ("start", "end"):
            assert ann.ask(table, do=do)["ok"]
        bob.until("The table has ended.")
        rematch = ann.post(f"/api/tables/{table}/rematch").json()["table"]
        bob.until("Ann has opened a rematch. To join it, leave this table and run:")
        link = f"{house.url}/tables/{rematch}"
        bob.until(f"liarspoker play --server {link}")
        bob.type("")
        assert bob.ends() == 0
    with Client(at=link, folder=tmp_path) as again:
        again.until("You sit down.")
    assert [chair["name"] for chair in ann.view(rematch)["public"]["chairs"]] == ["Ann", "Bob"]


def test_announcements_do_not_lose_typed_text(ann: Client, bob: Client) -> None:
    first, second = begun(ann, bob)
    first.until(TURN)
    for number in range(5):
        second.type(f"say {number}")
    first.type("3x7")
    second.until(TURN)
    assert "3 sevens" in second.text


def test_players_agree_on_a_stake_take_back_and_sit_out(ann: Client, bob: Client) -> None:
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
    second.until("The last action was taken back.")
    first.until("The last action was taken back.")
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


def test_a_returning_player_gets_their_seat_back(ann: Client, bob: Client, table: str, tmp_path: Path) -> None:
    first, second = begun(ann, bob)
    first.until(TURN)
    first.type("1x1")
    second.until(TURN)
    number = re.findall("Your number is ([0-9]{8})", bob.text)[0]
    bob.type("quit")
    bob.until("leave: give it up > $")
    bob.type("y")
    bob.until("leave: give it up > $")
    bob.type("away")
    assert bob.ends() == 0
    ann.until("Bob has disconnected.")
    with Client(at=table, folder=tmp_path / "bob") as again:
        again.until("You are Bob.")
        again.until(f"Your number is {number}")
        ann.until("Bob is back.")


def test_a_player_who_leaves_is_played_for(ann: Client, bob: Client) -> None:
    first, second = begun(ann, bob)
    first.until(TURN)
    second.type("quit")
    second.until("leave: give it up > $")
    second.type("leave")
    assert second.ends() == 0
    first.until("leaves; the round is played to its end.")
    first.type("1x1")
    first.until("The count")


def test_the_owner_ends_the_table_and_everybody_sees_the_payments(ann: Client, bob: Client) -> None:
    first, second = begun(ann, bob)
    first.until(TURN)
    first.type("1x1")
    second.until(TURN)
    second.type("c")
    ann.until("Hand 2")
    ann.type("end")
    ann.until("Close the table for everybody\\? y/n > $")
    ann.type("yes")
    for chair in (ann, bob):
        chair.until("The table has ended.")
        chair.until("(?:You pay|Bob pays|Ann pays) (?:you|Bob|Ann) 1 unit.")
        chair.type("audit")
        chair.until("Your own nonce went into [12] of 2")
        chair.type("")
        assert chair.ends() == 0


def test_a_name_can_be_used_once_at_a_table(ann: Client, table: str, tmp_path: Path) -> None:
    with Client("--name", "Ann", at=table, folder=tmp_path / "other") as other:
        other.until("--name NAME")
        assert other.ends() == 1


def test_ask_ready_waits_for_the_player(ann: Client, bob: Client, table: str, tmp_path: Path) -> None:
    with Client("--name", "Cyd", "--ask-ready", at=table, folder=tmp_path / "cyd") as cyd:
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
        ("thorin", ("declare pair A", "challenge"), "It was declared to be a pair of aces"),
    ],
)
def test_a_player_without_a_seat_is_a_spectator(
    game: str, actions: tuple[str, ...], seen: str, house: Running, tmp_path: Path
) -> None:
    people = {person.user: person for person in (house.person("Ann"), house.person("Bob"))}
    ann, bob = people.values()
    table = house.table(ann, bob, game=game, seats=2, spectators="live")
    ann.ask(table, do="start")
    bob.ask(table, do="ready")
    with Client("--name", "Cyd", at=f"{house.url}/tables/{table}", folder=tmp_path) as cyd:
        cyd.until("You are a spectator.")
        for action in actions:
            now = ann.view(table)["public"]
            assert people[now["to_act"]].ask(table, do="act", turn=now["turn"], action=action)["ok"]
        cyd.until(seen)
        cyd.type("1x1")
        cyd.type("score")
        cyd.type("quit")
        assert cyd.ends() == 0
        assert "Your turn" not in cyd.text
        assert "dealt yet" not in cyd.text
        assert ("You aren't in this hand." in cyd.text) == (game == "dollar-bill")


@pytest.mark.slow
def test_the_client_waits_for_a_server_that_stops(tmp_path: Path) -> None:
    words = ("salomon-1986", "--players", "3", "--bots", "beginner,bluffer", "--hands", "3", "--name", "Ann")
    (tmp_path / "server").mkdir()
    with (
        running_server(tmp_path / "server") as server,
        Client(*words, at=server.address, folder=tmp_path, terminal=True) as ann,
    ):
        move = offered(ann.until(TURN).rpartition("Your turn")[2])[0]
        server.kill()
        ann.until("Connection lost; reconnecting.")
        ann.type(move)  # while no client is connected
        server.start()
        ann.until("Reconnected.")
        ann.until("Bea: |Cal: |The count")
        server.stop()
        ann.until("Connection lost; reconnecting.")
        server.start()
        ann.until("Reconnected.")
        ann.until(TURN)
        ann.type("")
        told = ann.play(Random(8), "Enter to leave, audit.*> $")
        assert "Hand 1: " not in told, "the hand is shown once"
        ann.type("audit")
        ann.until("All 3 deals match what the server committed to")
        ann.type("")
        assert ann.ends() == 0
