"""The client rebuilds from JSON the views that the rules give a seat."""

from __future__ import annotations

import io
from dataclasses import fields, replace
from random import Random
from typing import Any

import pytest
from hypothesis import given, reject
from hypothesis import strategies as st

from liarspoker.core import catalogue
from liarspoker.core.errors import LiarsPokerError
from liarspoker.core.session import RoundSetup
from liarspoker.protocol.codec import Reader, encode
from liarspoker.protocol.settings import Settings
from liarspoker.tables.settings import table_rules
from liarspoker.terminal.announcements import Rounds, show_score
from liarspoker.terminal.renderer import LiveRound, renderer_of
from liarspoker.terminal.screen import Screen
from liarspoker.terminal.state import State
from tests.tables.play import new_table, state_of

GAMES = [row.id for row in catalogue.games()]
ONE_SIDED = {"opener_agreed", "stake_agreed", "base"}
"""Fields of views that the server doesn't send and no renderer shows."""


def over_the_wire(session: Any, game: Any, options: Any, seat: int | None) -> LiveRound:
    """Return what a server sends to `seat`."""
    rules, kind = table_rules(game.preset.id), catalogue.family(game.preset.family).round_view()
    users = tuple(f"u{other}" for other in range(session.seats))
    sent = Reader[Any](kind).read(encode(rules.public(session.view(None), users, users)))
    held = None if seat is None else Reader[Any](kind.hand_type).read(encode(rules.private(session.view(seat))))
    return LiveRound(game, Settings(game=game.preset.id, seats=session.seats, options=options), sent, held, seat)


def view_of(live: LiveRound) -> Any:
    """Return the round as the terminal rebuilds it."""
    return renderer_of(live.game).rebuild(live, len(live.round.moves))[1]


def plain(value: Any) -> Any:
    """Return the fields of a view that both sides have."""
    names = [name.name for name in fields(value)]
    told = {name: getattr(value, name) for name in names}
    if told.get("terms") is not None:
        terms = told["terms"]
        told["terms"] = {name.name: getattr(terms, name.name) for name in fields(terms) if name.name not in ONE_SIDED}
    if told["seat"] is None:
        told.pop("played_rows", None)  # they are visible on the slip
    told["legal"] = (tuple(value.legal.answers), tuple(value.legal.claims[:3]))
    return told


def check(session: Any, game: Any, options: dict[str, object], *seats: int | None) -> None:
    for seat in seats:
        live = over_the_wire(session, game, options, seat)
        assert plain(view_of(live)) == plain(session.view(seat)), seat
        unseen = view_of(replace(live, hand=None))  # as after the end of a table
        assert (unseen.state if hasattr(unseen, "state") else unseen.auction) is not None


@st.composite
def choices(draw: st.DrawFn, game: str) -> dict[str, object]:
    """Draw up to three options of a game, with any values."""
    infos = [info for info in catalogue.load(game).option_infos if len(info.choices) > 1]
    chosen = draw(st.lists(st.sampled_from(infos), unique_by=lambda info: info.name, max_size=3))
    return {info.name: draw(st.sampled_from(list(info.choices))) for info in chosen}


@pytest.mark.parametrize("game_id", GAMES)
@given(data=st.data(), seats=st.integers(2, 4), seed=st.integers(0, 2**32))
def test_the_client_rebuilds_the_view_of_a_seat(game_id: str, data: Any, seats: int, seed: int) -> None:
    game, chance = catalogue.load(game_id), Random(seed)
    try:
        session: Any = game.session(seats, game.options(data.draw(choices(game_id))))
    except LiarsPokerError:
        reject()
    wire = session.option_changes()
    for _ in range(data.draw(st.integers(1, 3))):
        if session.winner is not None:
            return
        needs = session.chance_spec()
        opener = chance.choice(session.alive) if needs.opener else None
        session = session.deal(needs.draw(chance.randrange), RoundSetup(opener))
        check(session, game, wire, None, *range(seats))
        while session.in_play:
            legal = session.legal()
            claims = list(legal.claims[: chance.choice((1, 3, 40))])
            answers = list(legal.answers)
            session = session.apply(chance.choice([*claims, *(answers * (1 + len(claims) // 2))]))
            check(session, game, wire, chance.randrange(seats))
        check(session, game, wire, None, *range(seats))


@pytest.mark.parametrize("game", GAMES)
def test_rounds_are_numbered_over_the_life_of_the_table_and_new_players_are_in_the_score(game: str) -> None:
    played = new_table(game, 3, seats=5)
    played.play_round()
    played.do("user-0", "remove", user="user-1")
    played.do("user-3", "join")
    played.make_ready()
    shown = io.StringIO()
    state = State.of(state_of(played, "user-0"))
    Rounds(Screen(io.StringIO(), shown)).show(state)
    assert f"{'Round' if state.game.preset.has_winner else 'Hand'} 2: " in shown.getvalue()
    if not state.game.preset.has_winner:
        show_score(Screen(io.StringIO(), shown), state)
        assert "User-1" in shown.getvalue()
        assert "User-3  0" in shown.getvalue()
