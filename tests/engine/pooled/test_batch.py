"""Batches action by action: masks are the rules' own, nothing hidden is observed, bad actions change nothing."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from liarspoker.core.cards.deck import JOKER, card_text
from liarspoker.engine.errors import CannotPlay, IllegalActions
from liarspoker.engine.pooled.batch import Batch
from liarspoker.engine.pooled.play import play
from liarspoker.engine.pooled.table import Table
from liarspoker.engine.pooled.texts import deal_of
from liarspoker.games.queen_annes.course import CHALLENGE, challenge_by
from liarspoker.games.queen_annes.ladder import named_hand, wanted
from tests.engine.pooled.puppets import HASTY, playing
from tests.engine.pooled.replaying import Setting, random_setting, setting

ROWS = 4


def dealt_on(batch: Batch, sessions: list[Any]) -> list[Any]:
    """The sessions of the Python rules with the round that the batch has been dealt; the won ones as they are."""
    return [
        session
        if session.winner is not None
        else session.deal(deal_of(deck.tolist(), session.needs().hand_sizes))  # also the cards that are still to come
        for session, deck in zip(sessions, cards_of(batch), strict=True)
    ]


def cards_of(batch: Batch) -> list[Any]:
    return [deck[:dealt] for deck, dealt in zip(batch.decks, batch.dealt, strict=True)]


def any_column(legal: Any, chance: random.Random) -> int:
    """A legal column: mostly one of the weakest claims, or a challenge."""
    columns = np.flatnonzero(legal)
    some = columns[:30] if chance.random() < 0.6 else columns[-3:]
    return int(chance.choice(some.tolist()))


def seen_by(session: Any, names: list[str]) -> dict[str, float]:
    """What an observation should tell, out of the view that a person at the table has."""
    view = session.view(session.to_act)
    rules, standing, seats = view.rules, view.standing, session.seats
    told = dict.fromkeys(names, 0.0)
    for card in view.known:
        told[f"sees {card_text(card)}"] += 1
    told |= {"hidden": view.hidden, "standing": standing.claim, "made": sum(standing.turns) - 1, "claimant": -1}
    if standing.claim >= 0:
        told |= {"respond": 1, "claimant": (standing.claimant - session.to_act) % seats}
        for rank, suit, count in wanted(named_hand(standing.claim, rules)):
            told[f"wants {'23456789TJQKA'[rank]}"] = count
            if suit >= 0:
                told[f"wants {'cdhs'[suit]}"] = 1
    for other in range(seats):
        seat = (session.to_act + other) % seats
        named = [action for mover, action in view.moves if mover == seat]
        told[f"cards {other}"] = view.hand_sizes[seat]
        told[f"losses {other}"] = session.losses[seat]
        told[f"last {other}"] = named[-1] if named else -1
    return told


def play_beside(of: Setting, chance: random.Random, rounds: int) -> None:
    """Play a batch and the Python sessions side by side, and compare all that can be asked."""
    batch = Batch(of.table, ROWS, chance.randrange(1000))
    sessions: list[Any] = [of.session] * ROWS
    for _ in range(rounds):
        batch.deal()
        sessions = dealt_on(batch, sessions)
        while not batch.is_over.all():
            legal, features = batch.legal(), batch.observe()
            sessions = dealt_further(batch, sessions)
            columns = []
            for row, session in enumerate(sessions):
                assert batch.to_act[row] == (-1 if session.to_act is None else session.to_act)
                assert set(batch.actions_at(np.flatnonzero(legal[row])).tolist()) == set(session.legal().actions)
                if session.in_play:
                    told = dict(zip(batch.features, features[row].tolist(), strict=True))
                    assert told == seen_by(session, batch.features)
                else:
                    assert not features[row].any()
                columns.append(any_column(legal[row], chance) if session.in_play else 0)
            wild = [chance.choice((chance.randrange(-14, 3), chance.randrange(5500))) for _ in range(ROWS)]
            refused = [s.refusal(action) if s.in_play else 0 for s, action in zip(sessions, wild, strict=True)]
            assert batch.refusals(wild).tolist() == refused
            actions = batch.actions_at(columns)
            batch.step(actions)
            sessions = [s.apply(int(action)) if s.in_play else s for s, action in zip(sessions, actions, strict=True)]
        results = [session.round_result for session in sessions]
        assert batch.losers.tolist() == [result.loser for result in results]
        assert batch.missing.tolist() == [result.proof.missing for result in results]
        assert batch.losses.tolist() == [list(session.losses) for session in sessions]
        assert batch.is_won.tolist() == [session.winner is not None for session in sessions]
        assert batch.rounds.tolist() == [session.rounds_played for session in sessions]


def dealt_further(batch: Batch, sessions: list[Any]) -> list[Any]:
    """The sessions, told the cards that have come since: the engine draws each when it comes."""
    told = []
    for session, deck in zip(sessions, cards_of(batch), strict=True):
        hands = sum(map(len, session.round.hands))
        known = replace(session.round, deck=tuple(map(int, deck[hands:])))
        told.append(replace(session, round=known) if session.in_play else session)
    return told


def test_masks_observations_refusals_and_losses_are_those_of_the_python_rules() -> None:
    chance = random.Random(20)
    for _ in range(12):
        play_beside(random_setting(chance), chance, rounds=2)


def test_whole_matches_step_by_step_end_as_in_python() -> None:
    options: dict[str, object] = {"who_may_challenge": "anyone", "stud_deal_to": "everyone"}
    play_beside(setting("queen-annes-stud", 2, options, (4, 5)), random.Random(1), rounds=4)


@pytest.mark.parametrize("game", ["queen-annes-indian", "queen-annes-stud"])
def test_a_batch_is_dealt_what_play_deals(game: str) -> None:
    table = Table.of(game, seats=3)
    played = play(table, 20, 5, [playing(HASTY), playing(HASTY)], rounds=6, first=3, keep_deals=True, keep_moves=80)
    assert played.decisions.max() <= 80
    batch = Batch(table, 20, 5, first=3)
    for round_ in range(6):
        batch.deal()
        for step in range(80):
            batch.step(played.moves[:, round_, step, 1])
        assert np.array_equal(batch.dealt, played.dealt[:, round_])
        for row, dealt in enumerate(batch.dealt):
            assert np.array_equal(batch.decks[row, :dealt], played.decks[row, round_, :dealt])
        assert np.array_equal(batch.losers, played.losers[:, round_])
        assert np.array_equal(batch.claims, played.claims[:, round_])
    assert np.array_equal(batch.losses, played.losses)


def test_nothing_hidden_is_observed() -> None:
    table = Table.of("queen-annes-stud", seats=3)
    batch, other = Batch(table, 50, 1), Batch(table, 50, 1)
    for each in (batch, other):
        each.deal()
        each.step(np.arange(50))
        each.step(np.full(50, 100))
    other._state.known[:, :2] = 0
    other._state.decks[:] = JOKER
    assert np.array_equal(batch.observe(), other.observe())
    assert np.array_equal(batch.legal(), other.legal())
    other._state.known[:, 2] = 0
    assert not np.array_equal(batch.observe(), other.observe())


def test_a_refused_action_changes_no_row() -> None:
    batch = Batch(Table.of("queen-annes", seats=2), 3, 1)
    batch.deal()
    before = batch.observe()
    with pytest.raises(IllegalActions) as refused:
        batch.step([5, CHALLENGE, CHALLENGE])
    assert (refused.value.row, refused.value.action, refused.value.code) == (1, CHALLENGE, "wrong-phase")
    assert np.array_equal(batch.observe(), before)
    batch.step([5, 6, 7])
    assert batch.refusals([4, challenge_by(0), 7]).tolist() == [6, 2, 6]


def test_what_is_no_batch_is_refused() -> None:
    table = Table.of("queen-annes", seats=3)
    batch = Batch(table, 2, 1)
    batch.deal()
    for wrong in ([1], [1.0, 2.0], [[1], [2]]):
        with pytest.raises(CannotPlay, match="whole numbers"):
            batch.step(wrong)
    with pytest.raises(CannotPlay, match="still in play"):
        batch.deal()
    with pytest.raises(CannotPlay, match="contiguous"):
        batch.observe(np.zeros((2, 3), np.float32))
    with pytest.raises(CannotPlay, match="matches: 0"):
        Batch(table, 0, 1)
    with pytest.raises(CannotPlay, match="opener: 3 is no living seat; they are 0, 1, 2"):
        Batch(table, 2, 1, opener=3)
