"""Rated tables: their settings, what isn't possible at them, and their final standing."""

from __future__ import annotations

from typing import Any

import pytest

from liarspoker.protocol import commands as c
from liarspoker.protocol import events as e
from liarspoker.tables.decide import CommandContext, decide, make
from liarspoker.tables.rated import Standing, standing
from liarspoker.tables.refused import Refused
from liarspoker.tables.settings import read_settings
from liarspoker.tables.state import ENDED, Table

CLOCK = {"turn": 30}
PEOPLE = ("ann", "bob", "cleo")


class Evening:
    """A rated table of people who play default actions."""

    def __init__(self, people: tuple[str, ...] = PEOPLE, **settings: Any) -> None:
        given = {"game": "dollar-bill", "rounds": 2, "clock": CLOCK, "rated": True, **settings}
        self.now = 1000.0
        _, self.table = make("table", read_settings(given), self._context("ann"))
        self.events: tuple[e.Event, ...] = ()
        for user in people[1:]:
            self.do(user, c.Join())

    def _context(self, user: str) -> CommandContext:
        return CommandContext(user, user.title(), self.now, b"\7" * 32)

    def do(self, user: str, command: c.Command) -> Table:
        self.events, self.table = decide(self.table, command, self._context(user))
        return self.table

    def code(self, user: str, command: c.Command) -> str:
        """The code with which a command is refused; empty if it is accepted."""
        try:
            decide(self.table, command, self._context(user))
        except Refused as refused:
            return refused.code
        return ""

    def deal(self) -> None:
        if self.table.stage == "waiting":
            self.do("ann", c.Start())
        for chair in self.table.people:
            ready_phase = self.table.ready_phase
            if ready_phase is not None and chair.user not in ready_phase.ready:
                self.do(chair.user, c.Ready())
        assert self.table.stage == "round"

    def act(self) -> None:
        """Let the time of the seat to act run out."""
        assert self.table.deadline is not None
        self.now = self.table.deadline
        self.do("", c.Expire(turn=self.table.turn))

    def play(self) -> None:
        """Play one hand to its end."""
        self.deal()
        while self.table.stage == "round":
            self.act()

    @property
    def standing(self) -> Standing | None:
        return standing(self.table, self.events)


GIVEN = {"game": "salomon-1986", "rounds": 10, "clock": CLOCK, "rated": True}


@pytest.mark.parametrize(
    ("setting", "given"),
    [
        ("options", {"options": {"rebid": False}}),
        ("from_slips", {"from_slips": True}),
        ("rounds", {"rounds": None}),
        ("rounds", {"game": "thorin", "rounds": 3, "seats": 4}),
        ("clock", {"clock": None}),
        ("help", {"help": True}),
    ],
)
def test_a_rated_table_needs_an_end_and_a_clock_and_takes_neither_house_rules_nor_odds(
    setting: str, given: dict[str, Any]
) -> None:
    with pytest.raises(Refused, match=f"^{setting}: a rated table") as refused:
        read_settings({**GIVEN, **given})
    assert refused.value.code == "bad-option"


@pytest.mark.parametrize("given", [{}, {"clock": None, "days": 3}, {"options": {"rebid": True}}, {"help": False}])
def test_the_rules_of_the_game_itself_can_be_rated(given: dict[str, Any]) -> None:
    assert read_settings({**GIVEN, **given}).rated is True


@pytest.mark.parametrize("rated", [True, False])
def test_help_is_off_by_default_only_at_rated_tables(rated: bool) -> None:
    settings = read_settings({"game": "slips", "rounds": 3, "clock": CLOCK, "rated": rated})
    assert settings.help is not rated
    assert bool(settings.rated) is rated


def test_a_match_is_the_end_of_a_rated_table() -> None:
    evening = Evening(game="thorin", rounds=None)
    while evening.table.stage != ENDED:
        evening.play()
    found = evening.standing
    assert found is not None
    assert [len(place) for place in found.places] == [1, 2]


def test_bots_never_play_at_a_rated_table() -> None:
    evening = Evening()
    assert evening.code("ann", c.SeatBot(bot="beginner")) == "rated"
    evening.deal()
    assert evening.code("bob", c.StandIn(user="bob", bot="beginner")) == "rated"


def test_the_owner_has_no_power_over_the_result_once_the_table_has_begun() -> None:
    evening = Evening()
    powers = (c.End(), c.Pause(), c.Remove(user="bob"))
    assert [evening.code("ann", power) for power in powers if not isinstance(power, c.Remove)] == ["", ""]
    evening.deal()
    assert [evening.code("ann", power) for power in powers] == ["rated"] * 3
    assert evening.code("dan", c.Join()) == "rated"
    assert evening.code("bob", c.SitOut()) == "rated"
    assert evening.code("bob", c.Propose(kind="remove", value="cleo")) == ""


def test_players_rank_by_units_and_equal_units_tie() -> None:
    evening = Evening()
    evening.play()
    before = evening.standing
    assert before is None, "the table hasn't ended"
    evening.play()
    found = evening.standing
    assert found is not None
    assert (found.game, found.players) == ("dollar-bill", 3)
    units = [{evening.table.units[user] for user in place} for place in found.places]
    assert all(len(one) == 1 for one in units)
    assert [one.pop() for one in units] == sorted({*evening.table.units.values()}, reverse=True)


def test_who_leaves_before_the_end_ranks_below_everyone_who_stays() -> None:
    evening = Evening()
    evening.play()
    best = max(evening.table.units, key=lambda user: evening.table.units[user])
    evening.do(best, c.Leave())
    evening.play()
    found = evening.standing
    assert found is not None
    assert found.places[-1] == (best,)
    assert found.players == 3


@pytest.mark.parametrize("missed", [1, 2])
def test_a_leader_may_miss_one_hand_but_not_sit_out_until_the_last(missed: int) -> None:
    evening = Evening(rounds=4)
    evening.play()
    best = max(evening.table.units, key=lambda user: evening.table.units[user])
    for _ in range(missed):
        for chair in evening.table.people:
            if chair.user != best:
                evening.do(chair.user, c.Ready())
        if (waits := evening.table.ready_phase) is not None:
            assert waits.deadline is not None
            evening.now = waits.deadline
            evening.do("", c.Expire(turn=evening.table.turn))
        while evening.table.stage == "round":
            evening.act()
    evening.do(best, c.SitIn())
    while evening.table.stage != ENDED:
        evening.play()
    found = evening.standing
    assert found is not None
    ranked = sorted(evening.table.units.values(), reverse=True)
    of_best = next(place for place, users in enumerate(found.places) if best in users)
    if missed == 1:
        assert evening.table.units[best] == ranked[of_best]
    else:
        assert found.places[-1] == (best,)


def test_who_is_voted_out_keeps_the_rank_of_their_units() -> None:
    evening = Evening()
    evening.play()
    best, *others = sorted(evening.table.units, key=lambda user: -evening.table.units[user])
    evening.do(others[0], c.Propose(kind="remove", value=best))
    evening.do(others[1], c.AnswerProposal(proposal=0, yes=True))
    evening.play()
    units, found = evening.table.units, evening.standing
    assert found is not None
    ranked = [user for place in found.places for user in place]
    assert [units[user] for user in ranked] == sorted(units.values(), reverse=True)
    assert found.places[-1] != (best,)


def test_the_last_player_who_stays_wins() -> None:
    evening = Evening(("ann", "bob"))
    evening.play()
    evening.do("bob", c.Leave())
    assert evening.table.stage == ENDED
    assert evening.standing == Standing("dollar-bill", (("ann",), ("bob",)))


def test_who_does_not_get_ready_loses_the_table() -> None:
    evening = Evening(("ann", "bob"))
    evening.play()
    evening.do("ann", c.Ready())
    assert evening.table.ready_phase is not None
    assert evening.table.ready_phase.deadline is not None
    evening.now = evening.table.ready_phase.deadline
    evening.do("", c.Expire(turn=evening.table.turn))
    assert evening.standing == Standing("dollar-bill", (("ann",), ("bob",)))


def test_who_is_eliminated_from_a_match_may_leave() -> None:
    evening = Evening(game="thorin", rounds=None)
    left = ""
    while evening.table.stage != ENDED:
        match = evening.table.match
        out = [] if match is None else [user for user in match.users if user not in match.still_in]
        if out and not left and evening.table.stage == "gathering":
            left = out[0]
            evening.do(left, c.Leave())
        evening.play()
    assert left
    assert evening.standing is not None
    assert [len(place) for place in evening.standing.places] == [1, 2], "both losers tie"


def test_a_table_without_a_finished_hand_and_one_that_the_operator_closed_are_not_rated() -> None:
    evening = Evening(("ann", "bob"))
    evening.deal()
    evening.do("bob", c.Leave())
    evening.do("ann", c.Leave())
    assert evening.table.stage == ENDED
    assert evening.standing is None
    other = Evening()
    other.play()
    other.do("", c.Close(reason="maintenance"))
    assert other.standing is None
    casual = Evening(("ann", "bob"), rated=False)
    casual.play()
    casual.play()
    assert casual.table.stage == ENDED
    assert casual.standing is None
