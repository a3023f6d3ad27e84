"""Batches action by action: masks are the rules' own, nothing hidden is observed, bad actions change nothing."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from liarspoker.core.cards.deck import JOKER, UNKNOWN, card_text, mask_of
from liarspoker.core.cards.hand_values import CATEGORIES, KEYS, hand_value
from liarspoker.engine.errors import CannotPlay, IllegalActions
from liarspoker.engine.passed.batch import Batch
from liarspoker.engine.passed.play import play
from liarspoker.engine.passed.stepping import NO_ACTION, discard_at
from liarspoker.engine.passed.table import Table
from liarspoker.games.thorin.actions import CHALLENGE, DISCARD, PASS, TAKE, cards_of, discard_of, is_discard
from liarspoker.games.thorin.deal import PassedDeal
from liarspoker.games.thorin.ladder import floor_of
from liarspoker.games.thorin.notation import write_claim
from tests.engine.passed.puppets import LONG, playing
from tests.engine.passed.replaying import Setting, random_setting, setting

ROWS = 4
ANSWERS = (TAKE, CHALLENGE, PASS)


def dealt_on(batch: Batch, sessions: list[Any]) -> list[Any]:
    """The sessions of the Python rules with the round that the batch has been dealt; the won ones as they are."""
    return [
        session if session.winner is not None else session.deal(PassedDeal(deck))
        for session, deck in zip(sessions, batch.drawn_cards, strict=True)
    ]


def told_further(batch: Batch, sessions: list[Any]) -> list[Any]:
    """The sessions, told the cards that have been drawn since."""
    told = []
    for session, deck in zip(sessions, batch.drawn_cards, strict=True):
        stock = replace(session.round.stock, deck=deck)
        told.append(replace(session, round=replace(session.round, stock=stock)) if session.in_play else session)
    return told


def any_column(legal: Any, claims: int, chance: random.Random) -> int:
    """A legal column: one of the weakest claims, taking or passing on rather than a challenge, any discard."""
    columns = np.flatnonzero(legal).tolist()
    if columns[0] < claims:
        return int(chance.choice(columns[:300] if chance.random() < 0.95 else columns[-1:]))
    onward = [column for column in columns if column != claims + 1]
    return int(chance.choice(onward if onward and chance.random() < 0.9 else columns))


def seen_by(session: Any, names: list[str]) -> dict[str, float]:
    """What an observation should tell, out of the view that a person at the table has."""
    me = session.to_act
    view = session.view(me)
    standing, seats = view.standing, session.seats
    told = dict.fromkeys(names, 0.0)
    for card in view.hand or ():
        told[f"has {card_text(card)}"] += 1
    declared = [stint for stint in view.stints if stint is not view.stints[-1] or standing.active != me]
    if declared:
        left = list(declared[-1].taken)
        for card in declared[-1].thrown:
            left.remove(card)
        for card in (*left, *declared[-1].drawn):
            told[f"had {card_text(card)}"] += 1
    told[view_phase(session)] = 1
    if view.hand is not None:
        told["worth"] = hand_value(view.hand, bool(view.rules.double_any))
    told |= {"floor": view.floor, "claimant": -1, "holder": (standing.active - me) % seats}
    told |= {"stock": view.stock_left, "discards": view.discards}
    if standing.claim >= 0:
        told["claimant"] = (standing.claimant - me) % seats
        category, keys = KEYS[view.floor]
        told[CATEGORIES[category]] = 1
        for place, rank in enumerate(keys):
            told[f"key {place + 1}"] = rank + 1 if standing.claim >> 4 - place & 1 else 0
    for other in range(seats):
        seat = (me + other) % seats
        actions = [action for mover, action in view.moves if mover == seat]
        claims, throws = [a for a in actions if a >= 0], [a for a in actions if is_discard(a)]
        told[f"living {other}"] = seat in view.terms.alive
        told[f"passes {other}"] = view.passes[seat]
        told[f"last {other}"] = floor_of(claims[-1]) if claims else -1
        told[f"thrown {other}"] = len(cards_of(throws[-1])) if throws else -1
    return told


def view_phase(session: Any) -> str:
    return str(session.phase)


def wild_action(chance: random.Random, session: Any) -> int:
    """Anything: legal or not, and now and then what is no action at all."""
    hand = session.round.hand
    return chance.choice(
        [
            *(TAKE, CHALLENGE, PASS, -7, DISCARD, DISCARD - (1 << 58)),
            *(chance.randrange(1 << 12), chance.randrange(1 << 19)),
            discard_of(chance.sample(hand, 2)),
            discard_of((hand[0], chance.randrange(JOKER + 1)) if hand[0] == JOKER else (chance.randrange(JOKER),)),
            discard_of((UNKNOWN,)),
        ]
    )


def play_beside(of: Setting, chance: random.Random, rounds: int) -> None:
    """Play a batch and the Python sessions side by side, and compare all that can be asked."""
    batch = Batch(of.table, ROWS, chance.randrange(1000), keep_cards=2_000)
    sessions: list[Any] = [of.session] * ROWS
    claims = of.table.claims
    for _ in range(rounds):
        before = sessions
        batch.deal()
        sessions = dealt_on(batch, sessions)
        while not batch.is_over.all():
            legal, features = batch.legal(), batch.observe()
            columns = []
            for row, session in enumerate(sessions):
                assert batch.to_act[row] == (-1 if session.to_act is None else session.to_act)
                rights = np.flatnonzero(legal[row])
                assert rights[rights < claims].size == len(session.legal().claims)
                others = [tuple_of(batch, row, int(column)) for column in rights[rights >= claims]]
                assert sorted(others) == sorted(session.legal().answers)
                if session.in_play:
                    assert dict(zip(batch.features, features[row].tolist(), strict=True)) == seen_by(
                        session, batch.features
                    )
                else:
                    assert not features[row].any()
                columns.append(any_column(legal[row], claims, chance) if session.in_play else 0)
            wild = [wild_action(chance, session) for session in sessions]
            refused = [s.refusal(action) if s.in_play else 0 for s, action in zip(sessions, wild, strict=True)]
            assert batch.refusals(wild).tolist() == refused
            actions = batch.actions_at(columns)
            batch.step(actions)
            sessions = told_further(batch, sessions)
            sessions = [s.apply(int(action)) if s.in_play else s for s, action in zip(sessions, actions, strict=True)]
            assert [mask_of(s.round.hand) for s in sessions] == batch.hands.tolist()
        for row, session in enumerate(sessions):
            if session is not before[row]:
                result = session.round_result
                assert batch.losers[row] == (-1 if result.loser is None else result.loser)
                assert batch.values[row] == (-1 if result.hand_value is None else result.hand_value)
        assert [tuple(np.flatnonzero(row)) for row in batch.alive] == [session.alive for session in sessions]
        assert batch.is_won.tolist() == [session.winner is not None for session in sessions]
        assert batch.rounds.tolist() == [session.rounds_played for session in sessions]


def tuple_of(batch: Batch, row: int, column: int) -> int:
    """The action of a column in one row."""
    columns = np.zeros(ROWS, np.int64)
    columns[row] = column
    return int(batch.actions_at(columns)[row])


def test_masks_observations_refusals_and_results_are_those_of_the_python_rules() -> None:
    chance = random.Random(20)
    for _ in range(6):
        play_beside(random_setting(chance), chance, rounds=2)


def test_whole_matches_step_by_step_end_as_in_python() -> None:
    options: dict[str, object] = {"jokers": 2, "passes": 1, "take_top": True, "or_better": "words"}
    play_beside(setting(2, options), random.Random(1), rounds=3)


def test_a_batch_is_dealt_what_play_deals() -> None:
    table = Table.of("thorin", seats=3, options={"passes": 1})
    played = play(table, 10, 5, [playing(LONG), playing(LONG)], rounds=3, first=3, keep_cards=900, keep_moves=400)
    assert played.decisions.max() <= 400
    batch = Batch(table, 10, 5, first=3, keep_cards=900)
    for round_ in range(3):
        batch.deal()
        for step in range(played.decisions[:, round_].max()):
            batch.step(played.moves[:, round_, step, 1])
        for row, number in enumerate(played.lengths):
            if round_ < number:
                drawn = played.drawn[row, round_]
                assert batch.drawn_cards[row] == tuple(played.cards[row, round_, :drawn].tolist())
                assert batch.losers[row] == played.losers[row, round_]
                assert batch.claims[row] == played.claims[row, round_]


def test_nothing_hidden_is_observed() -> None:
    table = Table.of("thorin", seats=3)
    batch, other = Batch(table, 50, 1), Batch(table, 50, 1)
    for each in (batch, other):
        each.deal()
        each.step(each.actions_at(np.arange(100, 150)))
    other._state.hands[:] = mask_of((0, 5, 10, 15, 20))
    other._state.hads[:, 0] = 0
    other._state.stocks[:] = other._state.throwns[:] = JOKER
    assert np.array_equal(batch.observe(), other.observe())
    assert np.array_equal(batch.legal(), other.legal())
    for each in (batch, other):
        each.step(np.full(50, TAKE))
    assert not np.array_equal(batch.observe(), other.observe())


def test_every_choice_of_cards_is_one_discard_and_jokers_are_alike() -> None:
    for hand in ((0, 5, 10, 15, 20), (0, 5, 10, 15, JOKER), (0, 5, 10, JOKER, JOKER)):
        found = [discard_at(choice, mask_of(hand)) for choice in range(32)]
        there = [action for action in found if action != NO_ACTION]
        assert len(there) == len(set(there)) == (24 if hand[3] == JOKER else 32)
        assert all(set(cards_of(action)) <= set(hand) for action in there)


def test_a_refused_action_changes_no_row() -> None:
    batch = Batch(Table.of("thorin", seats=2), 3, 1)
    batch.deal()
    before = batch.observe()
    claim = int(batch.actions_at([500, 500, 500])[0])
    with pytest.raises(IllegalActions) as refused:
        batch.step([claim, TAKE, TAKE])
    assert (refused.value.row, refused.value.action, refused.value.code) == (1, TAKE, "wrong-phase")
    assert np.array_equal(batch.observe(), before)
    assert write_claim(claim).startswith("high")


def test_what_is_no_batch_is_refused() -> None:
    table = Table.of("thorin", seats=3)
    batch = Batch(table, 2, 1)
    batch.deal()
    with pytest.raises(CannotPlay, match="whole numbers"):
        batch.step([1])
    with pytest.raises(CannotPlay, match="still in play"):
        batch.deal()
    with pytest.raises(CannotPlay, match="columns: they are 0 to 34769"):
        batch.actions_at([0, 34_770])
    with pytest.raises(CannotPlay, match="matches: 0"):
        Batch(table, 0, 1)
    with pytest.raises(CannotPlay, match="opener: 3 is none of 0 to 2"):
        Batch(table, 2, 1, opener=3)
