"""What somebody is told of a table depends on nothing that he may not know."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liarspoker.core import catalogue
from liarspoker.core.cards.deck import UNKNOWN
from liarspoker.core.session import RoundSetup
from liarspoker.games.queen_annes.state import CHALLENGE
from liarspoker.protocol.codec import encode
from liarspoker.protocol.commands import Command
from liarspoker.tables import view
from liarspoker.tables.decide import Asker, decide
from liarspoker.tables.export import records_of
from liarspoker.tables.refused import Refused
from liarspoker.tables.state import Table
from tests.inside import inside
from tests.tables.other_worlds import other_session, other_world
from tests.tables.play import GAMES, as_json, hand_of, new_table, with_more
from tests.tables.strolls import STRANGER, USERS, Stroll, strolls


def all_told(table: Table, user: str | None) -> str:
    """Everything that `user` can come to see of a table, as text."""
    told: list[Any] = [view.public(table), view.public(table, behind=True), view.chat(table, user)]
    if user is not None:
        told.append(view.private(table, user))
    return encode([told, records_of(table, user)])


@given(strolls(), st.integers(0, 2**32))
def test_what_one_is_told_stays_the_same_when_all_that_he_cannot_know_is_changed(stroll: Stroll, seed: int) -> None:
    chance = Random(seed)
    moments = chance.sample(stroll.moments, min(len(stroll.moments), 8))
    for table in [stroll.table, *(moment.after for moment in moments)]:
        for user in (None, STRANGER, *USERS):
            assert all_told(other_world(table, user, chance), user) == all_told(table, user)


@pytest.mark.parametrize("game", GAMES)
def test_so_it_does_in_every_turn_of_every_game(game: str) -> None:
    chance, played = Random(1), new_table(game, 4, 2)
    for _ in range(3):
        played.make_ready()
        while played.table.stage == "round":
            for user in (*USERS[:4], None):
                assert all_told(other_world(played.table, user, chance), user) == all_told(played.table, user)
            played.act()


def test_so_it_does_where_cards_are_dealt_face_down_late_in_a_round() -> None:
    chance, face_down = Random(1), 0
    session = catalogue.load("queen-annes-stud").session(3)
    session = session.deal(session.chance_spec().draw(chance.randrange), RoundSetup(0))
    for move in range(18):
        for seat in (None, *range(3)):
            view: Any = session.view(seat)
            assert other_session(session, seat, chance, frozenset()).view(seat) == view
            face_down += sum(extra.card == UNKNOWN for extra in view.extras)
        session = session.apply(session.legal().claims[0] if move < 17 else CHALLENGE)
    assert face_down > 0


@given(strolls(), st.integers(0, 2**32))
def test_who_watches_one_round_behind_learns_nothing_of_the_round_in_play(stroll: Stroll, seed: int) -> None:
    deal: tuple[object, str] | None = None
    for moment in stroll.moments:
        table = moment.after
        if table.stage != "round" or table.settings.spectators != "behind":
            deal = None
            continue
        if moment.command.do == "act" or moment.command.do == "expire":
            told = as_json(view.public(table, behind=True))
            text = encode(
                [{**told, "version": 0, "proposals": 0, "chairs": 0, "paused": 0, "owner": 0, "chat": 0, "stake": 0}]
            )
            if deal is not None and deal[0] == table.deals[-1]:
                assert deal[1] == text
            deal = (table.deals[-1], text)


@given(strolls(), st.integers(0, 2**32))
def test_what_is_refused_and_why_depends_on_nothing_that_the_asker_cannot_know(stroll: Stroll, seed: int) -> None:
    chance = Random(seed)
    refused = [moment for moment in stroll.moments if not moment.events and moment.user]
    for moment in chance.sample(refused, min(len(refused), 20)):
        asker = replace(moment.asker, now=stroll.now)
        other = other_world(moment.before, moment.user, chance)
        assert why_refused(other, moment.command, asker) == why_refused(moment.before, moment.command, asker)


def why_refused(table: Table, command: Command, asker: Asker) -> str:
    with pytest.raises(Refused) as refusal:
        decide(table, command, asker)
    return f"{refusal.value.code}: {refusal.value}"


def test_who_may_not_act_learns_nothing_by_trying() -> None:
    """Whether the hand holds a card is told to nobody but who has it."""
    played = new_table("thorin", 3, 4)
    played.make_ready()
    played.act()
    taker = str(played.table.to_act)
    played.do(taker, "act", turn=played.table.turn, action="take")
    other = next(user for user in USERS[:3] if user != taker)
    for card in (*hand_of(played.table, taker)["hand"], "Ah", "2c", "no card"):
        assert played.refused(other, "act", turn=played.table.turn, action=f"discard {card}") == "not-your-turn"


def test_who_watches_one_round_behind_does_not_hear_what_is_said_in_it() -> None:
    played = new_table("dollar-bill", 2, 4, spectators="behind")
    played.do("user-0", "say", text="before")
    played.now += 10
    played.make_ready()
    played.do("user-1", "say", text="I hold four nines")
    assert [line.text for line in view.chat(played.table, STRANGER)] == ["before"]
    assert [line.text for line in view.chat(played.table, "user-0")] == ["before", "I hold four nines"]
    played.play_out()
    assert len(view.chat(played.table, STRANGER)) == 2


LEAKS: dict[str, Callable[[Any], object]] = {
    "a number as it is": lambda round_: round_.numbers[0],
    "how often a digit is in a number": lambda round_: round_.numbers[0].count("7"),
    "a digit of all numbers together": lambda round_: sum(map(int, "".join(round_.numbers))) % 10,
    "a card": lambda round_: round_.hand[0],
    "whether a card is held": lambda round_: 7 in round_.hand,
}


@pytest.mark.parametrize("leak", LEAKS)
def test_a_planted_leak_is_found(leak: str, monkeypatch: pytest.MonkeyPatch) -> None:
    played = new_table("thorin" if "card" in leak else "salomon-1986", 4, 3)
    played.make_ready()
    other = next(user for user in USERS[1:4] if user != played.table.to_act)
    honest = view.public

    def leaking(table: Table, behind: bool = False) -> Any:
        assert table.sitting is not None
        return with_more(honest(table, behind), hint=LEAKS[leak](inside(table.sitting.session).round))

    monkeypatch.setattr(view, "public", leaking)
    told = {all_told(other_world(played.table, other, Random(seed)), other) for seed in range(50)}
    assert len(told) > 1


def test_a_card_thrown_face_down_is_not_told_to_him_who_had_it_before() -> None:
    """Two tables differ only in what was thrown of a hand that the opener has seen; he is told the same of both."""
    told = []
    for place in (0, 1):
        played = new_table("thorin", 3, 4)
        played.make_ready()
        opener, taker = played.table.to_act, None
        assert opener is not None
        played.act()
        taker = played.table.to_act
        assert taker is not None
        played.do(taker, "act", turn=played.table.turn, action="take")
        card = hand_of(played.table, taker)["hand"][place]
        played.do(taker, "act", turn=played.table.turn, action=f"discard {card}")
        told.append((all_told(played.table, opener), played))
    assert told[0][0] == told[1][0]


def test_a_record_does_not_tell_which_seen_cards_were_thrown() -> None:
    """Where the last hand is not shown, the opener's record has none of the cards that may have been thrown."""
    records = []
    for place in (0, 1):
        played = new_table("thorin", 2, 4, options={"passes": 1})
        played.make_ready()
        opener = played.table.to_act
        assert opener is not None
        played.act()
        taker = str(played.table.to_act)
        played.do(taker, "act", turn=played.table.turn, action="take")
        card = hand_of(played.table, taker)["hand"][place]
        played.do(taker, "act", turn=played.table.turn, action=f"discard {card}")
        played.do(taker, "act", turn=played.table.turn, action="declare four")
        played.do(opener, "act", turn=played.table.turn, action="pass")
        assert played.table.rounds_played == 1
        records.append(records_of(played.table, opener))
    assert records[0] == records[1]
    assert records_of(played.table, taker) != records[1]
