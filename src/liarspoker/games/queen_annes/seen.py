"""What a seat sees of a round of Queen Anne's games, and what follows from it, as functions on ints."""

from __future__ import annotations

from typing import Any, NamedTuple

from liarspoker.core.cards.claims import NO_CLAIM
from liarspoker.core.cards.deck import cards_in
from liarspoker.games.queen_annes.heuristics import (
    NO_HINTS,
    Hints,
    Ladder,
    PoolKnowledge,
    hints_with,
    pool_knowledge,
    with_unknown,
)
from liarspoker.games.queen_annes.ladder import wild_mask
from liarspoker.games.queen_annes.options import QueenAnnesRules
from liarspoker.games.queen_annes.state import PackedTerms, RoundState, after

Moves = Any
"""Seat and action of each move: pairs in Python, rows of an array in compiled code."""


class Observation(NamedTuple):
    """Observation of a seat, made from a view or by the engine. Policies must not write to its arrays.

    Attributes:
        rules: the table's rules.
        terms: opener, seats still in, and losses.
        state: the state of the round; `state.to_act` is the seat to act.
        seat: the seat that decides; if it isn't the seat to act, it decides whether to challenge out of turn.
        known: the cards in the pool that it sees, as a mask of `liarspoker.core.cards.deck.mask_of`.
        shared: for each seat, which of these cards that seat sees too, without jokers; 0 for seats beyond the table.
        dealt: number of cards in the pool, seen or not.
        requirements: the cards that each claim requires, for `liarspoker.games.queen_annes.ladder.missing`.
        made: number of actions in this round so far.
        moves: seat and action of each; of an array, only the first `made` rows are filled.
    """

    rules: QueenAnnesRules
    terms: PackedTerms
    state: RoundState
    seat: int
    known: int
    shared: tuple[int, ...]
    dealt: int
    requirements: Any
    made: int
    moves: Moves


def knowledge_of(seen: Observation) -> PoolKnowledge:
    """Return what the seat knows about the pool."""
    return pool_knowledge(seen.known, seen.dealt - cards_in(seen.known), seen.rules)


def when_answered(seen: Observation, now: PoolKnowledge, ladder: Ladder) -> PoolKnowledge:
    """Return what the seat knows about the pool when the next player acts, after possible extra cards."""
    state, rules = seen.state, seen.rules
    if not rules.extras or state.claim + 1 == len(ladder.requirements):
        return now
    later = after(state, state.claim + 1, seen.terms, rules)
    return with_unknown(now, now.unknown + later.drawn - state.drawn)


def hints_of(seen: Observation, now: PoolKnowledge, ladder: Ladder) -> Hints:
    """Return what the other players' claims suggest."""
    hints, natural = NO_HINTS, ~wild_mask(seen.rules)
    for place in range(seen.made):
        seat, claim = seen.moves[place][0], seen.moves[place][1]
        if claim > NO_CLAIM and seat != seen.seat:
            hints = hints_with(hints, claim, seen.shared[seat] & natural, now, ladder)
    return hints
