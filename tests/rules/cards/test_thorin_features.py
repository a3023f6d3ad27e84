"""What a network sees of Thorin's game: legal actions, bounded numbers, and the same compiled as in Python."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from math import isfinite
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given

from liarspoker.core.cards.deck import mask_of
from liarspoker.engine.compiling import compiled
from liarspoker.games.thorin.bots import asked, bluffer, knowledge_of
from liarspoker.games.thorin.claim_table import NO_VALUE, floor_of, is_claim, value_above
from liarspoker.games.thorin.draw_chances import Workspace, new_workspace
from liarspoker.games.thorin.features import (
    ANSWERS,
    ITEMS,
    OF_ITEM,
    OF_TABLE,
    Around,
    write_features,
)
from liarspoker.games.thorin.heuristics import full_claim
from liarspoker.games.thorin.kernel_bots import SUBSTITUTES, array_workspace
from liarspoker.games.thorin.ladder import ladder_of
from liarspoker.games.thorin.options import ThorinRules
from liarspoker.games.thorin.state import DECLARE, DISCARDING, RESPOND, is_top
from tests.effort import one_in
from tests.rules.cards.matches import chances, thorin, thorin_rules
from tests.untyped import untyped

COLUMNS = ITEMS + ANSWERS
NUMBERS = ITEMS * OF_ITEM + OF_TABLE
TABLES: list[tuple[int, dict[str, object]]] = [
    (2, {}),
    (2, {"jokers": 2, "take_top": True, "or_better": "words"}),
    (3, {"jokers": 1, "passes": 1, "duplicate": "any"}),
    (4, {"take_top": True}),
    (5, {"jokers": 2, "or_better": "words", "passes": 1}),
]


@dataclass(frozen=True)
class Seen:
    """A decision: the session, and all inputs of `write_features` except the working arrays."""

    session: Any
    inputs: tuple[Any, ...]

    @property
    def rules(self) -> ThorinRules:
        rules: ThorinRules = self.inputs[-1]
        return rules


def seen(session: Any) -> Seen:
    view = session.view(session.to_act)
    phase, turn, _ = asked(view)
    others = sum(view.passes[seat] for seat in view.alive if seat != view.seat)
    around = Around(view.passes[view.seat], others, view.stock_left, view.discards, len(view.moves))
    return Seen(session, (phase, turn, knowledge_of(view), around, view.rules))


def decisions(seats: int, options: dict[str, object], chance: Random, rounds: int) -> Iterator[Seen]:
    """Yield the decisions of rounds with random offered actions, those of the Bluffer, and now and then any claim.

    The best claim of all is among them.
    """
    session: Any = thorin(seats, **options)
    for _ in range(rounds):
        session = thorin(seats, **options) if session.winner is not None else session
        session = session.deal(session.chance_spec().draw(chance.randrange))
        while session.in_play:
            found = seen(session)
            yield found
            action = bluffer(session.view(session.to_act), chance)
            if chance.random() < 0.5:
                _, actions, legal = written(found, workspace_of(found.rules))
                action = chance.choice([each for each, is_legal in zip(actions, legal, strict=True) if is_legal])
            claims = session.legal().claims
            if claims and chance.random() < 0.2:
                action = chance.choice((claims[-1], chance.choice(claims), chance.choice(claims[:40])))
            session = session.apply(action)


@cache
def workspace_of(rules: ThorinRules) -> Workspace:
    return new_workspace(rules)


@cache
def array_workspace_of(rules: ThorinRules) -> Workspace:
    return array_workspace(rules)


def written(decision: Seen, workspace: Workspace) -> tuple[list[float], list[int], list[bool]]:
    """Return features, actions and whether they are legal; none of what the lists held before is left."""
    out, actions, legal = [7.0] * NUMBERS, [7] * COLUMNS, [True] * COLUMNS
    write: Any = write_features
    write(*decision.inputs, workspace, out, actions, legal)
    return out, actions, legal


@one_in(4)
@given(chances)
def test_all_choices_are_legal_and_differ_and_all_features_are_small(chance: Random) -> None:
    seats, options = chance.choice(TABLES)
    for decision in decisions(seats, options, chance, rounds=2):
        phase, turn = decision.inputs[:2]
        workspace, played = workspace_of(decision.rules), untyped(decision.session).round
        out, actions, legal = written(decision, workspace)
        assert all(isfinite(number) and abs(number) <= 10 for number in out)
        assert out[-1] == 0.0
        chosen = [action for action, is_legal in zip(actions, legal, strict=True) if is_legal]
        assert chosen
        assert len(set(chosen)) == len(chosen)
        assert [played.refusal(action) for action in chosen] == [0] * len(chosen)
        assert legal[ITEMS:] == ([turn.may_take, True, turn.may_pass] if phase == RESPOND else [False] * ANSWERS)
        rows = [out[item * OF_ITEM : (item + 1) * OF_ITEM] for item in range(ITEMS)]
        assert [any(row) for row in rows] == legal[:ITEMS]
        if phase == RESPOND:
            assert not any(legal[:ITEMS])
        elif phase == DISCARDING:
            assert {-16, -16 - mask_of(played.hand)} <= set(chosen)
        elif phase == DECLARE:
            floor, ladder = floor_of(turn.claim), workspace.ladder
            least = value_above(floor, ladder)
            assert least != NO_VALUE
            assert chosen == sorted(chosen)
            assert chosen[0] == full_claim(least, ladder)
            assert all(is_claim(claim, ladder) for claim in chosen)
            assert turn.mine <= floor or full_claim(turn.mine, ladder) in chosen


def test_draws_that_were_counted_are_used_again_but_never_by_two_threads() -> None:
    rules = thorin_rules()
    first, second = array_workspace(rules), array_workspace(rules)
    counted = first.draws.keys
    assert counted is not second.draws.keys
    del first
    again, other = array_workspace(rules), array_workspace(rules)
    assert again.draws.keys is counted
    assert other.draws.keys is not counted


@pytest.mark.parametrize(("seats", "options"), TABLES, ids=str)
def test_compiled_features_are_those_of_python(seats: int, options: dict[str, object]) -> None:
    substitutes: Any = SUBSTITUTES
    kernel, phases = compiled(write_features, substitutes), set()
    tops = 0
    for decision in decisions(seats, options, Random(4), rounds=30):
        out, actions, legal = written(decision, workspace_of(decision.rules))
        numbers, columns = np.full(NUMBERS, 7.0, np.float32), np.full(COLUMNS, 7)
        is_legal = np.ones(COLUMNS, np.bool_)
        kernel(*decision.inputs, array_workspace_of(decision.rules), numbers, columns, is_legal)
        assert numbers.tolist() == pytest.approx(out, abs=1e-6)
        assert columns.tolist() == actions
        assert is_legal.tolist() == legal
        phases.add(decision.inputs[0])
        tops += decision.inputs[0] == DISCARDING and is_top(decision.inputs[1].claim, ladder_of(decision.rules))
    assert phases == {DECLARE, RESPOND, DISCARDING}
    assert (tops > 0) == bool(options.get("take_top"))
