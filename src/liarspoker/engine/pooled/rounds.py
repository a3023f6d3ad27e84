"""Many matches in a row, in compiled code; a single round is the beginning of one."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from liarspoker.core.cards.elimination import is_won, next_in
from liarspoker.core.errors import LEGAL
from liarspoker.engine.chance import CHOICES, DEALS, Chance, begin
from liarspoker.engine.lineup import player_in
from liarspoker.engine.pooled.dealing import MOST_CARDS, Ints, deal_extras, deal_hands, pool_of
from liarspoker.engine.pooled.policies import chosen
from liarspoker.engine.pooled.seen import Seen
from liarspoker.engine.running import FINE, ILLEGAL, Ending
from liarspoker.games.queen_annes.course import (
    CHALLENGE,
    NOBODY,
    OVER,
    RESPOND,
    Course,
    Ground,
    after,
    challenge_by,
    challenger_of,
    losses_of,
    opening,
    refusal,
)
from liarspoker.games.queen_annes.options import PooledRules
from liarspoker.games.queen_annes.outcome import Outcome, living_mask, outcome
from liarspoker.games.queen_annes.pool import missing

NO_WINNER = -1
_QUIET = 0
"""No challenge out of turn: those are all below -1."""

Small = NDArray[np.int32]
Flags = NDArray[np.bool_]


class Run(NamedTuple):
    """Which matches are played, and how.

    Attributes:
        first: the number of the first match.
        rotate: 1 where player i sits in seat (i + the match's number) mod players, 0 where in seat i.
        opener: who opens the first round.
        losses: each seat's losses at the beginning, four bits a seat.
    """

    first: int
    rotate: int
    opener: int
    losses: int


class Kept(NamedTuple):
    """What is written down: `[matches, rounds]` each, but for these.

    `lengths` and `winners` are `[matches]`, `losses` is `[matches, seats]`; `decks` is `[matches, rounds, 54]` and
    `moves` `[matches, rounds, some, 2]`, seats and actions, and both may be empty, and are then not kept.
    """

    openers: Small
    claims: Small
    claimants: Small
    challengers: Small
    losers: Small
    missing: Small
    decisions: Small
    dealt: Small
    lengths: Small
    winners: Small
    losses: Small
    decks: NDArray[np.int8]
    moves: Small


class Players(NamedTuple):
    """Who sits where: each player's policy, `[players]`, whether it shouts, and how far the players have moved on."""

    lineup: Ints
    shouts: Flags
    turn: int


class Desk(NamedTuple):
    """Room for one round at a time: the deck, what each seat sees, and what has been done."""

    deals: Chance
    choices: Chance
    deck: Ints
    known: Ints
    moves: Small


class Played(NamedTuple):
    """A round after its end: how many cards it was dealt and actions it had, and what was wrong with the last one."""

    course: Course
    dealt: int
    made: int
    trouble: int
    action: int
    refusal: int


def new_desk(most_moves: int, rules: PooledRules) -> Desk:
    """Room for rounds of up to so many actions; not for compiled code."""
    return Desk(
        np.zeros(1, np.uint64),
        np.zeros(1, np.uint64),
        np.zeros(MOST_CARDS, np.int64),
        np.zeros(rules.seats, np.int64),
        np.zeros((most_moves, 2), np.int32),
    )


def challenged(course: Course, pool: int, ground: Ground, wants: Ints, rules: PooledRules) -> tuple[int, Outcome]:
    """How many cards the hand lacks whose challenge has ended a round, and what that leads to."""
    lacks = missing(wants[course.claim], pool, rules)
    return lacks, outcome(course.claimant, course.challenger, lacks == 0, ground, rules)


def play_round(
    ground: Ground, dealt: int, players: Players, data: Any, desk: Desk, wants: Ints, rules: PooledRules
) -> Played:
    """A round whose hands have been dealt onto the desk."""
    course = opening(ground, rules)
    dealt = deal_extras(desk.deals, course, ground, rules, desk.deck, dealt, desk.known)
    made = 0
    while course.phase != OVER:
        table = Seen(rules, ground, course, NOBODY, 0, dealt, wants, made, desk.moves)
        action = _QUIET
        if rules.anyone_challenges and course.phase == RESPOND:
            action = _shouted(table, players, data, desk)
        if action == _QUIET:
            action = _answer(course.to_act, table, players, data, desk)
        code = refusal(course, action, ground.alive, rules)
        if code != LEGAL:
            return Played(course, dealt, made, ILLEGAL, action, code)
        desk.moves[made, 0] = course.to_act if action >= 0 else challenger_of(action, course.to_act)
        desk.moves[made, 1] = action
        made += 1
        course = after(course, action, ground, rules)
        dealt = deal_extras(desk.deals, course, ground, rules, desk.deck, dealt, desk.known)
    return Played(course, dealt, made, FINE, 0, LEGAL)


def _shouted(table: Seen, players: Players, data: Any, desk: Desk) -> int:
    """The first challenge out of turn, from the seat behind the seat to act clockwise; `_QUIET` if there is none."""
    course, rules = table.course, table.rules
    for step in range(1, rules.seats):
        seat = (course.to_act + step) % rules.seats
        may = refusal(course, challenge_by(seat), table.ground.alive, rules) == LEGAL
        asked = may and players.shouts[player_in(seat, players.turn, rules.seats)]
        if asked and _answer(seat, table, players, data, desk) == CHALLENGE:
            return challenge_by(seat)
    return _QUIET


def _answer(seat: int, table: Seen, players: Players, data: Any, desk: Desk) -> int:
    """What the player in a seat answers who sees the table, which as yet nobody does, and the cards that are his."""
    seen = Seen(
        table.rules,
        table.ground,
        table.course,
        seat,
        desk.known[seat],
        table.dealt,
        table.wants,
        table.made,
        table.moves,
    )
    answer: int = chosen(players.lineup[player_in(seat, players.turn, table.rules.seats)], seen, desk.choices, data)
    return answer


def play_matches(
    seed: Any, run: Run, rules: PooledRules, wants: Ints, lineup: Ints, shouts: Flags, data: Any, desk: Desk, kept: Kept
) -> Ending:
    """Play as many matches as `kept` has room for, from number `run.first` on, each until it is won or room ends.

    Args:
        seed: from `liarspoker.engine.chance.seed_of`.
        run: which matches, and how they are seated.
        rules: the table's.
        wants: what every claim needs.
        lineup: `[players]`, the number of each player's policy.
        shouts: `[players]`, whether that policy is asked out of turn.
        data: the policies' data, a tuple of tuples.
        desk: from `new_desk`.
        kept: where everything is written.
    """
    matches, rounds = kept.claims.shape
    for place in range(matches):
        match = run.first + place
        begin(desk.deals, seed, match, DEALS)
        begin(desk.choices, seed, match, CHOICES)
        players = Players(lineup, shouts, match % rules.seats if run.rotate else 0)
        ground = Ground(run.opener, living_mask(run.losses, rules), run.losses)
        number = 0
        while number < rounds and not is_won(ground.alive):
            dealt = deal_hands(desk.deals, ground, rules, desk.deck, desk.known)
            played = play_round(ground, dealt, players, data, desk, wants, rules)
            if played.trouble != FINE:
                return played.trouble, match, played.action, played.refusal
            pool = pool_of(desk.deck, played.dealt)
            lacks, led_to = challenged(played.course, pool, ground, wants, rules)
            _keep(kept, place, number, ground, played, lacks, led_to.loser, desk)
            ground = led_to.ground
            number += 1
        kept.lengths[place] = number
        kept.winners[place] = next_in(-1, ground.alive) if is_won(ground.alive) else NO_WINNER
        for seat in range(rules.seats):
            kept.losses[place, seat] = losses_of(seat, ground.losses)
    return FINE, 0, 0, LEGAL


def _keep(
    kept: Kept, place: int, number: int, ground: Ground, played: Played, lacks: int, loser: int, desk: Desk
) -> None:
    """Write down a round."""
    kept.openers[place, number] = ground.opener
    kept.claims[place, number] = played.course.claim
    kept.claimants[place, number] = played.course.claimant
    kept.challengers[place, number] = played.course.challenger
    kept.losers[place, number] = loser
    kept.missing[place, number] = lacks
    kept.decisions[place, number] = played.made
    kept.dealt[place, number] = played.dealt
    if kept.decks.size:
        for card in range(played.dealt):
            kept.decks[place, number, card] = desk.deck[card]
    if kept.moves.size:
        for made in range(min(played.made, kept.moves.shape[2])):
            kept.moves[place, number, made, 0] = desk.moves[made, 0]
            kept.moves[place, number, made, 1] = desk.moves[made, 1]
