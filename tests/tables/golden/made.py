"""Creation of the golden logs: tables that use a little of everything."""

from __future__ import annotations

import json
from typing import Any

from liarspoker.protocol.commands import Extend, TakeVacation
from liarspoker.tables.refused import Refused
from liarspoker.tables.state import DAY
from tests.tables.golden import FOLDER
from tests.tables.play import Played, new_table, rematch_of, written

_OPTIONS: dict[str, dict[str, Any]] = {
    "thorin": {"passes": 1, "dealers_choice": True},
    "queen-annes": {"who_may_challenge": "anyone", "jokers": 1},
}

_OPTIONS_OF_ENDED: dict[str, dict[str, Any]] = {
    "thorin": {"dealers_choice": True},
    "dollar-bill": {"reveal": "on_request"},
    "slips": {"reveal": "counts"},
}


def play_log(game: str) -> None:
    """Play a table of `game`; return its log and seeds."""
    clock = {"turn": 30, "bank": 60, "ready": 60}
    played = new_table(game, 4, 1986, choose=True, clock=clock, options=_OPTIONS.get(game, {}), spectators="behind")
    played.play_round(with_nonces=True)
    _talk(played)
    played.play_round()
    if played.table.match is None:
        played.do("user-2", "propose", kind="stake", value=3)
        for user in ("user-0", "user-1", "user-3"):
            played.do(user, "answer", proposal=0, yes=True)
    played.make_ready()
    _take_back(played)
    played.act()
    played.do("user-1", "leave")
    played.expire()
    played.play_round()
    played.do("user-0", "seat_bot", bot="bluffer")
    played.do("user-3", "sit_out")
    played.play_round()
    played.make_ready()
    _keep(game, played)


def play_owner_log(game: str) -> None:
    """Play a table whose owner uses all of an owner's powers, and keep its log and its seeds."""
    played = new_table(game, 4, 1995)
    played.do("user-0", "lock", on=True)
    played.make_ready()
    played.do("user-0", "stand_in", user=str(played.table.to_act), bot="bluffer")
    played.act()
    played.do("user-0", "remove", user="user-3")
    played.play_out()
    played.do("user-0", "admit", user="user-3")
    played.do("user-0", "transfer", user="user-1")
    played.play_round()
    _keep(f"{game}-owner", played)


def play_days_log(game: str) -> None:
    """Play a correspondence table with a vacation and a lost turn, and keep its log and its seeds."""
    played = new_table(game, 3, 1840, days=3)
    played.expire()
    played.act()
    user, begins = str(played.table.to_act), played.now
    played.decided(TakeVacation(user=user, begins=begins, until=begins + 5 * DAY), "")
    played.now += DAY
    played.decided(TakeVacation(user=user, begins=begins, until=played.now), "")
    played.expire()
    played.play_out()
    played.expire()
    played.act()
    _keep(f"{game}-days", played)


def play_shown_log(game: str) -> None:
    """Play a table whose players show their hands, and keep its log and its seeds."""
    played = new_table(game, 3, 2003, options={"reveal": "counts"}, spectators="behind")
    played.play_round()
    played.do("user-1", "show")
    played.play_round()
    played.do("user-2", "show")
    played.do("user-0", "show")
    played.make_ready()
    played.do("user-0", "end")
    _keep(f"{game}-shown", played)


def play_rematch_log(game: str) -> None:
    """Play a rematch for which two players come back and one doesn't, up to the next rematch."""
    before = new_table(game, 4, 1999, rounds=1, audit="leaves")
    before.play_round()
    played = rematch_of(before, "user-0")
    played.do("user-1", "join")
    played.do("user-2", "join")
    played.do("user-0", "unseat", chair=3)
    played.do("user-0", "seat_bot", bot="bluffer")
    played.do("user-0", "start")
    played.play_round()
    rematch_of(played, "user-1")
    _keep(f"{game}-rematch", played)


def _keep(name: str, played: Played) -> None:
    texts = (json.dumps(json.loads(text)["events"]) for text in written(played.log))
    (FOLDER / f"{name}.log.jsonl").write_text("".join(f"{text}\n" for text in texts))
    told = [played.seeds[number].hex() for number in range(len(played.seeds))]
    (FOLDER / f"{name}.seeds.json").write_text(json.dumps(told, indent=1) + "\n")


def _talk(played: Played) -> None:
    played.do("user-1", "say", text="Once more?")
    played.do("user-2", "mute", user="user-1", on=True)
    played.do("user-0", "pause")
    played.now += 100
    played.do("user-0", "resume")


def _take_back(played: Played) -> None:
    """Undo an action that revealed nothing."""
    mover = played.table.to_act
    assert mover is not None
    played.act()
    if played.table.stage != "round":
        return
    try:
        played.do(mover, "propose", kind="undo")
    except Refused:
        return
    for chair in played.table.people:
        if chair.user != mover:
            played.do(chair.user, "answer", proposal=played.table.proposal_count - 1, yes=True)


def play_ended_log(game: str) -> None:
    """Play a table that changes owners and is closed during a round; return its log and seeds."""
    options = _OPTIONS_OF_ENDED.get(game, {})
    played = new_table(game, 4, 2026, options=options, clock={"turn": 20, "bank": 0, "ready": 20})
    if "dealers_choice" in options:
        played.do("user-0", "name", options={"jokers": 1, "passes": 1})
    played.play_round()
    if options.get("reveal") == "on_request":
        played.do("user-1", "ask_numbers")
    played.do("user-0", "chat", on=False)
    played.do("user-1", "propose", kind="remove", value="user-3")
    played.do("user-2", "answer", proposal=played.table.proposal_count - 1, yes=True)
    played.do("user-0", "answer", proposal=played.table.proposal_count - 1, yes=True)
    played.do("user-0", "leave")
    played.make_ready()
    played.now += 5
    played.decided(Extend(stopped=played.now - 3), "")
    played.act()
    played.do("user-1", "end")
    _keep(f"{game}-ended", played)
