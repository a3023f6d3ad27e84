"""The engine plays a family without a kernel through its sessions, with the interface of compiled families."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import liarspoker
from liarspoker.core.errors import IllegalAction
from liarspoker.core.session import RoundSetup, Session
from liarspoker.engine.errors import CannotPlay, IllegalActions
from liarspoker.engine.kernel import kernel_for
from liarspoker.engine.lineup import Policy
from liarspoker.engine.totals import totals
from tests.extension.package import BEADS, DICE

pytestmark = pytest.mark.usefixtures("_installed")
EACH = pytest.mark.parametrize("game", [DICE, BEADS])
BEGINNER, UNIFORM = "beginner", "uniform"


def replayed(rollout: Any, match: int, session: Session) -> Session:
    """Replay a match of a rollout with the rules."""
    for number in range(rollout.lengths[match]):
        session = session.deal(rollout.deal_of(match, number), RoundSetup(0 if number == 0 else None))
        for seat, action in rollout.moves[match, number, : rollout.decisions[match, number]].tolist():
            assert session.to_act == seat
            session = session.apply(action)
    return session


@EACH
def test_matches_agree_with_the_sessions(game: str) -> None:
    table = liarspoker.Table.of(game, seats=3)
    rollout = liarspoker.play(table, 8, 5, ["timid", UNIFORM], rotate=True, keep_deals=1, keep_moves=100)
    for match in range(8):
        session = replayed(rollout, match, liarspoker.load(game).session(3))
        assert rollout.units[match].tolist() == list(session.score)
        assert rollout.winners[match] == (-1 if session.winner is None else session.winner)
    assert rollout.moves.any()
    assert not rollout.units.sum(axis=1).any()


@EACH
def test_a_match_depends_only_on_its_number(game: str) -> None:
    table = liarspoker.Table.of(game, seats=2)
    whole = liarspoker.play(table, 6, 9, [UNIFORM], keep_moves=50)
    part = liarspoker.play(table, 3, 9, [UNIFORM], first=3, keep_moves=50, threads=2)
    assert (whole.moves[3:] == part.moves).all()
    assert not (whole.moves[:3] == part.moves).all()
    assert sum(chunk.matches for chunk in totals(table, 6, 9, [UNIFORM])) == 6


@EACH
def test_a_batch_agrees_with_its_sessions(game: str) -> None:
    table = liarspoker.Table.of(game, seats=2)
    batch = liarspoker.Batch(table, 3, seed=2)
    batch.deal()
    with pytest.raises(CannotPlay, match="still in play"):
        batch.deal()
    sessions = list(batch.sessions)
    while not batch.is_over.all():
        mask = batch.legal()
        assert mask.shape == (3, table.actions)
        observed = batch.observe()
        for index, session in enumerate(sessions):
            columns = np.flatnonzero(mask[index])
            found = [int(batch.actions_at([column] * 3)[index]) for column in columns]
            assert sorted(found) == sorted(session.legal().actions)
            assert observed[index].any() == session.in_play
        actions = [
            session.write(session.legal().actions[-1]) if session.in_play else "whatever" for session in sessions
        ]
        batch.step(actions)
        sessions = [session.apply(session.legal().actions[-1]) if session.in_play else session for session in sessions]
    assert [session.score for session in batch.sessions] == [session.score for session in sessions]
    assert batch.rounds.tolist() == [1, 1, 1]


def test_illegal_actions_are_rejected_by_the_engine() -> None:
    table = liarspoker.Table.of(DICE, seats=2)
    batch = liarspoker.Batch(table, 2, seed=1)
    batch.deal()
    batch.step(["2x3", "2x3"])
    assert batch.refusals(["1x1", "2x4"]).astype(bool).tolist() == [True, False]
    assert [table.write(claim) for claim in batch.claims.tolist()] == ["2x3", "2x3"]
    with pytest.raises(IllegalActions, match="1"):
        batch.step(["2x4", "1x1"])
    with pytest.raises(IllegalAction):
        batch.step(["nonsense", "2x4"])
    with pytest.raises(IllegalActions):
        liarspoker.play(table, 1, 1, [Policy(lambda seen, chance, data: 0)])


def test_bots_and_functions_are_policies() -> None:
    table = liarspoker.Table.of(BEADS, seats=2)
    assert set(kernel_for(BEADS).policies) == {UNIFORM, BEGINNER, "timid"}
    weakest = Policy(lambda seen, chance, data: seen.legal.actions[0])
    one = liarspoker.play(table, 5, 3, [weakest, BEGINNER], keep_moves=50)
    other = liarspoker.play(table, 5, 3, ["timid", BEGINNER], keep_moves=50)
    assert (one.moves == other.moves).all()
    with pytest.raises(CannotPlay, match="no policy 'bluffer'"):
        liarspoker.play(table, 1, 1, ["bluffer"])


def test_a_game_of_another_family_is_rejected() -> None:
    with pytest.raises(CannotPlay, match=f"{DICE} isn't a digit game"):
        liarspoker.Table.of(DICE, seats=2, family="digits")
