"""What a policy may know at one of Queen Anne's games, and the bots of these games as policies."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from liarspoker.core.cards.claims import NO_CLAIM
from liarspoker.core.cards.deck import cards_in
from liarspoker.core.cards.match import count_in
from liarspoker.engine.chance import Chance, below, chance_below_one
from liarspoker.engine.lineup import Policy
from liarspoker.games.queen_annes.bots import Bluffer, binomial, bluffer
from liarspoker.games.queen_annes.heuristics import (
    MEMO,
    MISSING,
    MOST_CLAIMS,
    NO_HINTS,
    UNKNOWN,
    WAYS,
    Desk,
    Hints,
    Ladder,
    Sight,
    believing,
    challenges_out_of_turn,
    credence,
    fair_share_action,
    hints_with,
    ladder_of,
    likeliest_action,
    sight_of,
    with_unknown,
)
from liarspoker.games.queen_annes.ladder import ladder_length, wild_mask
from liarspoker.games.queen_annes.options import QueenAnnesRules
from liarspoker.games.queen_annes.state import CHALLENGE, RESPOND, Ground, RoundState, after

NOT_INLINED = ("expecting", "weighing")
"""Functions that the engine doesn't inline: they take long to compile, and several bots share them."""

_QUIET = 0
"""What a policy that is asked out of turn returns in order not to challenge."""


class Observation(NamedTuple):
    """What a seat may know. Arrays in it must not be written to.

    Attributes:
        rules: the table's.
        ground: opener, living seats and losses.
        course: where the round stands; `course.to_act` is the seat whose turn it is.
        seat: the seat that is asked; where it is not the seat to act, whether it challenges.
        known: the cards in the pool that it sees, as a mask of `liarspoker.core.cards.deck.mask_of`.
        shared: of those the cards that each seat sees too, jokers left out; 0 for seats that the table hasn't.
        dealt: how many cards are in the pool, seen or not.
        wants: int64 `[claims]`, what each claim needs, for `liarspoker.games.queen_annes.ladder.missing`.
        made: how many actions were played in this round so far.
        moves: int32 `[many, 2]`, the first `made` of them filled: seat and action.
    """

    rules: QueenAnnesRules
    ground: Ground
    course: RoundState
    seat: int
    known: int
    shared: tuple[int, ...]
    dealt: int
    wants: NDArray[np.int64]
    made: int
    moves: NDArray[np.int32]


def uniform(seen: Observation, chance: Chance, data: Any) -> int:
    """Any legal action, each as likely as every other."""
    claim = seen.course.claim + 1 + below(chance, legal_claims(seen) + (1 if seen.course.phase == RESPOND else 0))
    return claim if claim < ladder_length(seen.rules) else CHALLENGE


def legal_claims(seen: Observation) -> int:
    """How many claims are legal: those from `seen.course.claim + 1` to the top of the ladder."""
    return ladder_length(seen.rules) - seen.course.claim - 1


def bot_policy(name: str, rules: QueenAnnesRules) -> Policy:
    """The policy that plays at a table as the bot of this name does; it's for no other table.

    Args:
        name: `uniform`, `beginner`, `binomial` or `bluffer`.
        rules: the table's.
    """
    if name == "uniform":
        return Policy(uniform)
    ladder = Ladder(*map(np.array, ladder_of(rules)))  # type: ignore[arg-type]  # read alike
    if name == "beginner":
        return Policy(expecting, (ladder,), _desk)
    bot: Bluffer = {"binomial": binomial, "bluffer": bluffer}[name]
    return Policy(weighing, (ladder, bot.trust, bot.bluffs, bot.nerve), _desk, out_of_turn=True)


def _desk() -> tuple[Desk]:
    strongest = np.full((4 << 13) * (MISSING + 1), UNKNOWN)
    desk: Any = (np.zeros(MOST_CLAIMS, np.int64), np.zeros(WAYS), strongest, np.zeros(MEMO, np.int64), np.zeros(MEMO))
    return (Desk(*desk),)


def expecting(seen: Observation, chance: Chance, data: Any) -> int:
    """What the Beginner plays; `data` is as `bot_policy` makes it."""
    ladder, desk = data
    now = _sight(seen)
    return fair_share_action(now, _when_answered(seen, now, ladder), seen.course.claim, ladder, desk)


def weighing(seen: Observation, chance: Chance, data: Any) -> int:
    """What the Calculator and the Bluffer play, as `Bluffer` does; `data` is as `bot_policy` makes it."""
    ladder, trust, bluffs, nerve, desk = data
    now, above = _sight(seen), seen.course.claim
    hints = _hints(seen, now, ladder) if trust > 0.0 else NO_HINTS
    if seen.seat != seen.course.to_act:
        holds = credence(above, now, believing(now, hints), trust, ladder, desk)
        return CHALLENGE if challenges_out_of_turn(holds, count_in(seen.ground.alive)) else _QUIET
    is_bluffing = bluffs > 0.0 and chance_below_one(chance) < bluffs
    later = _when_answered(seen, now, ladder)
    return likeliest_action(now, later, hints, above, trust, nerve, is_bluffing, ladder, desk)


def _sight(seen: Observation) -> Sight:
    """What the seat knows of the pool as it is."""
    return sight_of(seen.known, seen.dealt - cards_in(seen.known), seen.rules)


def _when_answered(seen: Observation, now: Sight, ladder: Ladder) -> Sight:
    """The same when the next player answers what the seat names now: further cards may have been dealt by then."""
    course, rules = seen.course, seen.rules
    if not rules.extras or course.claim + 1 == len(ladder.wants):
        return now
    later = after(course, course.claim + 1, seen.ground, rules)
    return with_unknown(now, now.unknown + later.drawn - course.drawn)


def _hints(seen: Observation, now: Sight, ladder: Ladder) -> Hints:
    """What the others' claims suggest."""
    hints, natural = NO_HINTS, ~wild_mask(seen.rules)
    for place in range(seen.made):
        seat, claim = seen.moves[place, 0], seen.moves[place, 1]
        if claim > NO_CLAIM and seat != seen.seat:
            hints = hints_with(hints, claim, seen.shared[seat] & natural, now, ladder)
    return hints
