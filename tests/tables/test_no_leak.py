"""Views and refusals don't depend on information that is hidden from the user."""

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
from liarspoker.tables.decide import CommandContext, decide
from liarspoker.tables.export import records_of
from liarspoker.tables.refused import Refused
from liarspoker.tables.state import Table
from tests.tables.hidden_variants import vary_hidden_state, vary_session
from tests.tables.play import GAMES, as_json, hand_of, new_table, with_more
from tests.tables.random_walks import STRANGER, USERS, RandomWalk, random_walks
from tests.untyped import untyped


def all_told(table: Table, user: str | None) -> str:
    """Return everything that `user` can see of a table, as text."""
    told: list[Any] = [view.public(table), view.public(table, behind=True), view.chat(table, user)]
    if user is not None:
        told.append(view.private(table, user))
    return encode([told, records_of(table, user)])


@given(random_walks(), st.integers(0, 2**32))
def test_a_view_does_not_depend_on_hidden_information(walk: RandomWalk, seed: int) -> None:
    chance = Random(seed)
    moments = chance.sample(walk.moments, min(len(walk.moments), 8))
    for table in [walk.table, *(moment.after for moment in moments)]:
        for user in (None, STRANGER, *USERS):
            assert all_told(vary_hidden_state(table, user, chance), user) == all_told(table, user)


@pytest.mark.parametrize("game", GAMES)
def test_views_are_independent_of_hidden_information_in_every_turn_of_every_game(game: str) -> None:
    chance, played = Random(1), new_table(game, 4, 2)
    for _ in range(3):
        played.make_ready()
        while played.table.stage == "round":
            for user in (*USERS[:4], None):
                assert all_told(vary_hidden_state(played.table, user, chance), user) == all_told(played.table, user)
            played.act()


def test_views_are_independent_of_hidden_cards_dealt_late_in_a_round() -> None:
    chance, face_down = Random(1), 0
    session = catalogue.load("queen-annes-stud").session(3)
    session = session.deal(session.chance_spec().draw(chance.randrange), RoundSetup(0))
    for move in range(18):
        for seat in (None, *range(3)):
            view: Any = session.view(seat)
            assert vary_session(session, seat, chance, frozenset()).view(seat) == view
            face_down += sum(extra.card == UNKNOWN for extra in view.extras)
        session = session.apply(session.legal().claims[0] if move < 17 else CHALLENGE)
    assert face_down > 0


NOT_OF_THE_ROUND = ("version", "proposals", "chairs", "paused", "owner", "chat", "stake", "locked", "stand_in")
"""The parts of a public view that people may change during a round."""


@given(random_walks(), st.integers(0, 2**32))
def test_delayed_spectators_learn_nothing_about_the_current_round(walk: RandomWalk, seed: int) -> None:
    deal: tuple[object, str] | None = None
    for moment in walk.moments:
        table = moment.after
        if table.stage != "round" or table.settings.spectators != "behind":
            deal = None
            continue
        if moment.command.do == "act" or moment.command.do == "expire":
            told = as_json(view.public(table, behind=True))
            text = encode([{**told, **dict.fromkeys(NOT_OF_THE_ROUND, 0)}])
            if deal is not None and deal[0] == table.deals[-1]:
                assert deal[1] == text
            deal = (table.deals[-1], text)


@given(random_walks(), st.integers(0, 2**32))
def test_refusals_do_not_depend_on_hidden_information(walk: RandomWalk, seed: int) -> None:
    chance = Random(seed)
    refused = [moment for moment in walk.moments if not moment.events and moment.user]
    for moment in chance.sample(refused, min(len(refused), 20)):
        context = replace(moment.context, now=walk.now)
        other = vary_hidden_state(moment.before, moment.user, chance)
        assert why_refused(other, moment.command, context) == why_refused(moment.before, moment.command, context)


def why_refused(table: Table, command: Command, context: CommandContext) -> str:
    with pytest.raises(Refused) as refusal:
        decide(table, command, context)
    return f"{refusal.value.code}: {refusal.value}"


def test_checking_out_of_turn_reveals_nothing() -> None:
    """Whether a hand holds a card is revealed only to its holder."""
    played = new_table("thorin", 3, 4)
    played.make_ready()
    played.act()
    taker = str(played.table.to_act)
    played.do(taker, "act", turn=played.table.turn, action="take")
    other = next(user for user in USERS[:3] if user != taker)
    for card in (*hand_of(played.table, taker)["hand"], "Ah", "2c", "no card"):
        assert played.refused(other, "act", turn=played.table.turn, action=f"discard {card}") == "not-your-turn"


def test_delayed_spectators_do_not_get_chat_of_the_current_round() -> None:
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
        return with_more(honest(table, behind), hint=LEAKS[leak](untyped(table.sitting.session).round))

    monkeypatch.setattr(view, "public", leaking)
    told = {all_told(vary_hidden_state(played.table, other, Random(seed)), other) for seed in range(50)}
    assert len(told) > 1


def test_a_face_down_discard_is_hidden_from_its_previous_holder() -> None:
    """Two tables that differ only in discards of a hand that the opener has seen look the same to the opener."""
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


def test_records_do_not_reveal_which_seen_cards_were_discarded() -> None:
    """If the last hand isn't shown, the opener's record contains none of the cards that may have been discarded."""
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
