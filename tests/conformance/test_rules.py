"""Laws that hold for the rules of every game in the catalogue, including those of other packages."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import FrozenInstanceError
from itertools import pairwise
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from liarspoker.core import catalogue
from liarspoker.core.errors import LEGAL, REFUSALS, BadOption, BadRound, BadSeats, IllegalAction, NotNow
from liarspoker.core.session import Legal, RoundSetup, Session
from liarspoker.records import document_of, replay, report
from tests.conformance.evenings import GAMES, evening, random_options, random_session, seen
from tests.conformance.other_deals import OTHERS, other_hands

each_game = pytest.mark.parametrize("game_id", GAMES)
chances = st.integers(0, 2**32).map(Random)
MOST_ROUNDS = 200
"""More rounds than the longest match of five players."""


# ----------------------------------------------------------------------------------------------- legality


def edges(legal: Legal) -> set[int]:
    """Return ints near the legal actions; errors in a list of actions are at its ends or at zero."""
    ends = [*legal.claims[:1], *legal.claims[-1:], *legal.answers[:1], *legal.answers[-1:], 0]
    return {end + step for end in ends for step in range(-3, 4)}


@each_game
@given(chance=chances)
def test_exactly_the_listed_actions_are_legal(game_id: str, chance: Random) -> None:
    for played in evening(random_session(game_id, chance), chance, 2, to_the_end=False):
        session = chance.choice(played.states)
        legal = session.legal()
        actions, count = list(legal.actions), len(legal.claims)
        assert (actions[count:], actions[:1]) == (list(legal.answers), [*legal.claims[:1], *legal.answers][:1])
        assert all(low < high for low, high in pairwise(actions[:count]))
        assert bool(actions) == session.in_play == (session.to_act is not None) == (session.phase != "over")
        endless = bool(getattr(legal, "endless", False))
        for action in edges(legal):
            code, listed = session.refusal(action), action in actions
            assert (code == LEGAL) == listed or (endless and action > actions[count - 1])
            if code != LEGAL:
                with pytest.raises((IllegalAction, NotNow)) as raised:
                    session.apply(action)
                assert raised.value.code == REFUSALS[code]
                if isinstance(raised.value, IllegalAction):
                    assert (raised.value.action, raised.value.refusal) == (action, code)


@each_game
@given(chance=chances)
def test_an_action_survives_a_round_trip_and_has_the_right_mover(game_id: str, chance: Random) -> None:
    for played in evening(random_session(game_id, chance), chance, 2, to_the_end=False):
        for move in played.moves:
            text = move.before.write(move.action)
            assert move.before.read(text) == move.action
            mover = move.before.mover(move.action)
            assert mover is not None
            if mover != move.before.to_act:
                assert move.before.anyone_challenges
                assert move.before.out_of_turn_challenge(mover) == move.action
            for seat in range(move.before.seats):
                challenge = move.before.out_of_turn_challenge(seat)
                assert challenge is None or move.before.mover(challenge) == seat
            latest: Any = move.after.view(None)
            assert latest.moves[-1][0] == mover
        for session in played.states[:-1]:
            assert session.refusal(session.default_action()) == LEGAL


@each_game
@given(chance=chances)
def test_the_same_deals_and_actions_give_the_same_session(game_id: str, chance: Random) -> None:
    session = again = random_session(game_id, chance)
    for played in evening(session, chance, 3, to_the_end=False):
        again = again.deal(played.deal, played.setup)
        for move in played.moves:
            assert again.undo_point() == move.before.undo_point()
            again = again.apply(move.action)
        session = played.last
    assert again == session
    with pytest.raises((FrozenInstanceError, AttributeError, TypeError)):
        session.round = None  # type: ignore[attr-defined]


@each_game
def test_no_action_before_a_deal_and_no_deal_before_the_end_of_a_round(game_id: str) -> None:
    game: Any = catalogue.load(game_id)
    fewest, most = game.preset.seats
    session: Session = game.session(fewest)
    assert (session.in_play, session.to_act, session.phase, session.round_result) == (False, None, "over", None)
    assert (session.legal().actions, session.winner, session.rounds_played) == ((), None, 0)
    assert (session.score, session.alive) == ((0,) * fewest, tuple(range(fewest)))
    for ask in (session.apply, session.refusal):
        with pytest.raises(NotNow) as refused:
            ask(0)
        assert refused.value.code == "round-over"
    deal = session.chance_spec().draw(Random(1).randrange)
    dealt = session.deal(deal)
    for again in (lambda: dealt.deal(deal), dealt.chance_spec):
        with pytest.raises(NotNow) as refused:
            again()
        assert refused.value.code == "round-unfinished"
    for opener in (-1, fewest):
        with pytest.raises(BadRound):
            session.deal(deal, RoundSetup(opener))
    assert session.deal(deal, RoundSetup(1)).to_act == 1
    if session.has_winner:
        with pytest.raises(NotNow):
            session.deal(deal, RoundSetup(stake=1))
    else:
        assert session.deal(deal, RoundSetup(stake=1)).in_play
        with pytest.raises(BadRound):
            session.deal(deal, RoundSetup(stake=0))
    for seats in (fewest - 1, most + 1, str(fewest), fewest + 0.5, None, True):
        with pytest.raises(BadSeats, match="players: "):
            game.session(seats)
    assert game.session(np.int64(fewest)) == session
    for seat in (-1, fewest):
        with pytest.raises(BadSeats):
            dealt.view(seat)


# ------------------------------------------------------------------------------------------------- the end


@each_game
@given(chance=chances)
def test_units_sum_to_zero_and_a_match_ends_with_one_winner(game_id: str, chance: Random) -> None:
    session = random_session(game_id, chance)
    row = catalogue.preset(game_id)
    assert session.has_winner == row.has_winner
    score, rounds = session.score, 0
    for played in evening(session, chance, MOST_ROUNDS if row.has_winner else 12):
        for state in played.states:
            assert sum(state.score) == 0
        session, rounds = played.last, rounds + 1
        assert session.rounds_played == rounds
        assert session.round_result is not None
        assert sum(session.units()) == 0
        assert set(session.alive) <= set(played.before.alive)
        assert len(played.before.alive) - len(session.alive) <= 1
        if not row.has_winner:
            score = tuple(map(sum, zip(score, session.units(), strict=True)))
            assert session.score == score
        if session.winner is None:
            assert session.next_opener in session.alive
            carried = session.carry_over()
            assert carried.opener == session.next_opener
    if row.has_winner:
        assert session.winner is not None
        assert session.alive == (session.winner,)
        assert session.next_opener is None
        others = [won for seat, won in enumerate(session.score) if seat != session.winner]
        assert (session.score[session.winner], others) == (session.seats - 1, [-1] * (session.seats - 1))
        with pytest.raises(NotNow) as refused:
            session.chance_spec()
        assert refused.value.code == "match-over"
    else:
        assert (session.winner, len(session.alive)) == (None, session.seats)


# -------------------------------------------------------------------------------------------------- secrets


@each_game
@given(chance=chances, seat=st.sampled_from([None, 0, 1]))
def test_hidden_information_does_not_affect_a_seats_view(game_id: str, chance: Random, seat: int | None) -> None:
    other = OTHERS.get(catalogue.preset(game_id).family, other_hands)
    for played in evening(random_session(game_id, chance), chance, 2, to_the_end=False):
        states = [session for session in played.states if session.in_play]
        for count, session in enumerate(states):
            if count not in (0, len(states) - 1):
                continue
            view: Any = session.view(seat)
            deal, renamed = other(played, view, chance)
            again = played.before.deal(deal, played.setup)
            for move in played.moves[:count]:
                again = again.apply(renamed(move.action))
            assert again.view(seat) == view
            assert repr(again.view(seat)) == repr(view)


@each_game
@given(chance=chances)
def test_a_view_belongs_to_its_seat_and_shows_whose_turn_it_is(game_id: str, chance: Random) -> None:
    for played in evening(random_session(game_id, chance), chance, 2, to_the_end=False):
        for session in played.states:
            for seat in (None, *range(session.seats)):
                view: Any = session.view(seat)
                assert (view.game, view.seat) == (game_id, seat)
                assert view.my_turn == (seat is not None and session.to_act == seat)
                assert view.result == session.round_result


# -------------------------------------------------------------------------------------------------- options


def option_values(family: str) -> list[tuple[str, object]]:
    """Return every value of every option of a family."""
    games = [catalogue.load(row.id) for row in catalogue.games() if row.family == family]
    values = ((info.name, value) for game in games for info in game.option_infos for value in info.choices)
    return list(dict.fromkeys(values))


def is_named(session: Session, options: dict[str, object]) -> bool:
    """Return whether the opener may choose these options for the next round."""
    try:
        session.check_round_options(options)
    except BadOption:
        return False
    return True


def transcript(game_id: str, changes: dict[str, object], seed: int) -> list[object]:
    """Return the views and the record of a random session, played with a seed."""
    chance = Random(seed)
    game: Any = catalogue.load(game_id)
    fewest, most = game.preset.seats
    slips = chance.choice((None, False))
    session = game.session(chance.randint(fewest, min(most, fewest + 2)), game.options(changes), slips)
    named = {info.name: chance.choice(info.choices) for info in chance.sample(game.option_infos, 1)}
    lines: list[object] = [is_named(session, named)]
    for played in evening(session, chance, 12 if seed % 4 == 0 else 1):
        lines += [seen(state) for state in (played.dealt, played.last)]
        claims = played.dealt.legal().claims
        lines.append(session.write(claims[chance.randrange(len(claims))]))
        lines += [session.write(move.action) for move in played.moves]
        session = played.last
    return [*lines, report(replay(document_of(game, session, tuple("ABCDEFGHIJ"[: session.seats]))))]


def makes_a_difference(family: str, option: str, value: object) -> bool:
    """Return whether another value of the option changes some session."""
    games = [row.id for row in catalogue.games() if row.family == family]
    for seed in range(600):
        chance = Random(seed)
        game: Any = catalogue.load(chance.choice(games))
        info = next((info for info in game.option_infos if info.name == option), None)
        if info is None:
            continue
        options = random_options(game, chance, 0.15)
        changes = {one.name: getattr(options, one.name) for one in game.option_infos}
        other = chance.choice([choice for choice in info.choices if choice != value])
        with suppress(BadOption, NotNow):
            one, another = (transcript(game.preset.id, changes | {option: which}, seed) for which in (value, other))
            if one != another:
                return True
    return False


@pytest.mark.parametrize("family", sorted({row.family for row in catalogue.games()}))
def test_every_value_of_every_option_makes_a_difference(family: str) -> None:
    assert [pair for pair in option_values(family) if not makes_a_difference(family, *pair)] == []


@each_game
def test_the_options_match_the_manual(game_id: str) -> None:
    game: Any = catalogue.load(game_id)
    for info in game.option_infos:
        assert info.meaning
        assert info.source
        assert info.values_text()
        for value in info.choices:
            options = game.options({info.name: value})
            assert getattr(options, info.name) == value
            default = value == getattr(game.options(), info.name)
            session = game.session(game.preset.seats[0], options, False)
            assert session.option_changes() == ({} if default else {info.name: value})
        for strange in ("no such value", None, -1, 99, 1.0, [], {}, *({1, 0} if True in info.choices else {True})):
            if not info.takes(strange):
                with pytest.raises(BadOption):
                    game.options({info.name: strange})
    with pytest.raises(BadOption, match="no such option"):
        game.options({"no_such_option": True})
