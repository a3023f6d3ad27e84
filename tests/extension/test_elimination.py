"""A family from another package, in one module and with elimination, is played as a match everywhere."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from liarspoker.core import catalogue
from liarspoker.protocol.simple import SimpleRound
from liarspoker.records import replay
from liarspoker.records.writer import format_replay, report
from liarspoker.tables.export import records_of
from liarspoker.tables.fair.audit import check
from liarspoker.tables.view import public
from liarspoker.web.app import mount_pages
from liarspoker.web.view_models.plain import view_model
from liarspoker.web.view_models.rules import examples_of
from tests.extension.package import BEADS, DICE
from tests.extension.test_outside_package import Run
from tests.server.inprocess import running
from tests.tables.play import Played, new_table, replayed
from tests.terminal.live.clients import typed
from tests.web.pages.reading import Reader
from tests.web.study.played_tables import played

pytestmark = pytest.mark.usefixtures("_installed")

LAST: dict[str, Any] = {
    "lpn": 1,
    "game": BEADS,
    "players": ["Ann", "Ben"],
    "losses": [2, 2],
    "rounds": [{"deal": ["R", "G"], "actions": ["2 red", "doubt"]}],
}


def sizes(table: Played) -> tuple[int, ...]:
    """Return the number of beads of each seat."""
    seen = public(table.table).round
    assert isinstance(seen, SimpleRound)
    return seen.sizes


def play_round(table: Played) -> None:
    """Play a round in which the opener claims that all beads are red, and is doubted."""
    table.make_ready()
    opener = str(table.table.to_act)
    beads = sum(sizes(table))
    table.do(opener, "act", turn=table.table.turn, action=f"{beads} red")
    table.do(str(table.table.to_act), "act", turn=table.table.turn, action="doubt")


def test_a_record_ends_with_the_winner_and_counts_losses() -> None:
    replayed = replay(LAST)
    assert replayed.fault is None
    assert format_replay(replayed).endswith("There are 1; Ann loses a bead\n\nBen wins the match.")
    last = report(replayed)
    assert (last["winner"], last["rounds"][0]["losses"], last["rounds"][0]["next_opener"]) == (1, [3, 2], None)


@pytest.mark.parametrize("losses", [[3, 2], [2], [-1, 0]])
def test_invalid_losses_are_rejected(losses: list[int]) -> None:
    fault = replay({**LAST, "losses": losses}).fault
    assert fault is not None
    assert (fault.code, fault.round) == ("bad-record", None)


def test_a_finished_round_must_have_all_hands() -> None:
    replayed = replay({**LAST, "rounds": [{"deal": ["R", "?"], "actions": ["2 red", "doubt"]}]})
    assert replayed.fault is not None
    assert replayed.fault.code == "bad-deal"
    assert replay({**LAST, "rounds": [{"deal": ["R", "?"], "actions": ["2 red"]}]}).fault is None


def test_a_stake_cannot_be_proposed_in_a_match() -> None:
    replayed = replay({**LAST, "rounds": [{**LAST["rounds"][0], "stake": 2}]})
    assert replayed.fault is not None
    assert "stake" in replayed.fault.message


def test_an_unfinished_sample_is_not_an_example() -> None:
    assert [sample.name for sample in catalogue.preset(BEADS).samples] == ["sample", "open"]
    assert [example.name for example in examples_of(BEADS)] == ["sample"]


def test_a_match_continues_with_its_losses_after_a_player_leaves() -> None:
    table = new_table(BEADS, 3, options={"beads": 2, "glass": False})
    play_round(table)
    losses = table.table.match.losses if table.table.match else {}
    (loser,) = [user for user, lost in losses.items() if lost]
    leaver = next(user for user in losses if user not in (loser, "user-0"))
    table.do(leaver, "leave")
    table.make_ready()
    assert sorted(sizes(table)) == [1, 2]
    table.do(str(table.table.to_act), "act", turn=table.table.turn, action="3 red")
    table.do(str(table.table.to_act), "act", turn=table.table.turn, action="doubt")
    while table.table.match is not None:
        play_round(table)
    assert sum(table.table.units.values()) == 0
    assert sorted(table.table.units.values()) == [-1, -1, 2]
    assert replayed(table) == table.table
    outcome = view_model(public(table.table), None, {}).outcome
    assert outcome[-1].endswith("wins the match.")
    records = records_of(table.table, None)
    assert [sum(one.get("losses", ())) for one in records] == [0, 1]
    assert [replay(one).fault for one in records] == [None, None]


def test_a_match_is_played_to_its_end_on_pages(tmp_path: Path) -> None:
    with running(tmp_path, mount_pages) as site:
        person, table = played(site, BEADS, rounds=4, options={"beads": 2})
        other = Reader(site.person("Zoe"))
        for page in (f"/rules/{BEADS}", f"/new?game={BEADS}", f"/t/{table}", f"/t/{table}/replay"):
            other.read(page)
            assert other.status in (200, 403), page
        audit = person.http.get(f"/api/tables/{table}/audit").json()
    assert check(audit) == []


def test_players_see_only_their_own_hand_during_a_round(tmp_path: Path) -> None:
    with running(tmp_path) as site:
        ann, bob, sue = (site.person(name) for name in ("Ann", "Bob", "Sue"))
        table = site.table(ann, bob, game=BEADS, seats=2, options={"beads": 6})
        for person, command in ((ann, "start"), (bob, "ready")):
            person.ask(table, do=command)
        views = [json.dumps(person.view(table)) for person in (ann, bob, sue)]
        hands = [person.view(table)["you"]["hand"]["hand"] for person in (ann, bob)]
    assert [[f'"{hand}"' in view for hand in hands] for view in views] == [[True, False], [False, True], [False, False]]


def test_the_terminal_shows_who_is_still_in_and_who_wins(run: Run, tmp_path: Path) -> None:
    record = tmp_path / "beads.toml"
    lines = "score\n" + "1 red\ndoubt\n\n" * 30
    output = run(f"play {BEADS} --players 2 --bots timid --option beads=1 --seed 1 --record {record}", lines)
    assert "Round 1: " in output
    assert "Still in: You, Bea." in output
    assert "wins the match." in output or "win the match." in output
    assert "Units" not in output
    assert "the match." in run(f"replay {record}")


@pytest.mark.parametrize(
    ("words", "lines", "said"),
    [
        ((BEADS, "--option", "beads=2"), ("1 red", "doubt", "") * 30, ["Round 2: ", "loses a bead"]),
        (
            (DICE, "--hands", "2"),
            ("hand", "score", *("challenge", "1x1", "6x6") * 12, "audit", ""),
            ["Hand 2: ", "Your hand: ", "The hands: ", "Units: ", "what the server committed to before it knew any"],
        ),
    ],
    ids=["beads", "dice"],
)
def test_a_live_table_is_played_in_the_terminal(
    words: tuple[str, ...], lines: tuple[str, ...], said: list[str], tmp_path: Path
) -> None:
    (tmp_path / "server").mkdir()
    with running(tmp_path / "server") as server:
        more = ("--players", "2", "--bots", "uniform", "--name", "Ann", "--server", server.url)
        code, output = typed(*lines, words=(*words, *more), folder=tmp_path)
    assert code == 0
    assert all(text in output for text in said)
    assert "?" not in output


@pytest.mark.parametrize("game", ["queen-annes", "thorin"])
def test_a_replay_addresses_the_player_as_you(run: Run, tmp_path: Path, game: str) -> None:
    record = tmp_path / "turn.toml"
    run(f"play {game} --players 2 --bots timid --seed 2 --record {record}", "nonsense\n")
    assert "You's turn" not in run(f"replay {record}")
