"""Many matches in a row, in compiled code; a single round is the beginning of one."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from liarspoker.core.cards.elimination import is_won, next_in
from liarspoker.core.errors import LEGAL
from liarspoker.engine.chance import CHOICES, DEALS, Chance, begin
from liarspoker.engine.lineup import player_in
from liarspoker.engine.passed.dealing import (
    Heap,
    Ints,
    deal_hand,
    exchange,
    new_heap,
    piles_of,
)
from liarspoker.engine.passed.policies import chosen
from liarspoker.engine.passed.seen import Seen
from liarspoker.engine.passed.worth import worth
from liarspoker.engine.running import FINE, ILLEGAL, Ending
from liarspoker.games.thorin.actions import DISCARD, face_down_known, is_discard, is_held, without
from liarspoker.games.thorin.course import (
    NOBODY,
    OVER,
    Course,
    after,
    holds_hand,
    living_after,
    loser_and_opener,
    opening,
    refusal,
    spent_by,
)
from liarspoker.games.thorin.listed import NO_VALUE, Ladder, keeps_promise
from liarspoker.games.thorin.options import PassedRules
from liarspoker.games.thorin.piles import stock_left

NO_WINNER = -1

Small = NDArray[np.int32]


class Game(NamedTuple):
    """What stays the same in all matches: the rules, the claims, and what hands are worth."""

    rules: PassedRules
    ladder: Ladder
    worths: Ints


class Run(NamedTuple):
    """Which matches are played, and how.

    Attributes:
        first: the number of the first match.
        rotate: 1 where player i sits in seat (i + the match's number) mod players, 0 where in seat i.
        opener: who opens the first round.
    """

    first: int
    rotate: int
    opener: int


class Kept(NamedTuple):
    """What is written down: `[matches, rounds]` each, but for these.

    `lengths` and `winners` are `[matches]`, `spent` is `[matches, seats]`; `cards` is `[matches, rounds, some]` and
    `moves` `[matches, rounds, some, 2]`, seats and actions, and both may be empty, and are then not kept.
    """

    openers: Small
    claims: Small
    claimants: Small
    challengers: Small
    losers: Small
    values: Small
    decisions: Small
    drawn: Small
    lengths: Small
    winners: Small
    spent: Small
    cards: NDArray[np.int8]
    moves: Ints


class Desk(NamedTuple):
    """Room for one round at a time: its cards, what each seat had, and what has been done, face down and as it was."""

    deals: Chance
    choices: Chance
    heap: Heap
    hads: Ints
    moves: Ints
    actions: Ints


class Played(NamedTuple):
    """A round after its end: the hand, how many actions it had, and what was wrong with the last one."""

    course: Course
    hand: int
    made: int
    trouble: int
    action: int
    refusal: int


class Outcome(NamedTuple):
    """What a round led to: what the hand was worth if it was shown, who is out, who is living, who begins the next."""

    value: int
    loser: int
    alive: int
    opener: int


def new_desk(most_moves: int, most_cards: int, rules: PassedRules) -> Desk:
    """Room for rounds of up to so many actions, and for so many of the cards drawn; not for compiled code."""
    return Desk(
        np.zeros(1, np.uint64),
        np.zeros(1, np.uint64),
        new_heap(most_cards),
        np.zeros(rules.seats, np.int64),
        np.zeros((most_moves, 2), np.int64),
        np.zeros(most_moves, np.int64),
    )


def outcome_of(course: Course, hand: int, alive: int, game: Game) -> Outcome:
    """What a round that is over leads to."""
    value = NO_VALUE
    truthful = False
    if course.challenger != NOBODY:
        value = worth(hand, game.worths)
        truthful = keeps_promise(value, course.claim, game.rules.by_words, game.ladder)
    loser, opener = loser_and_opener(course, truthful)
    return Outcome(value, loser, living_after(alive, loser), opener)


def play_round(course: Course, alive: int, turn: int, lineup: Ints, data: Any, desk: Desk, game: Game) -> Played:
    """A round from its beginning: the hand is dealt, and goes around."""
    rules, ladder = game.rules, game.ladder
    hand = deal_hand(desk.deals, desk.heap, rules.jokers)
    for seat in range(rules.seats):
        desk.hads[seat] = 0
    made = 0
    while course.phase != OVER:
        seat = course.to_act
        mine = hand if holds_hand(seat, course) else 0
        piles = piles_of(desk.heap)
        left, had = stock_left(piles), desk.hads[seat]
        seen = Seen(rules, ladder, game.worths, alive, course, mine, had, left, piles.discards, made, desk.moves)
        action = chosen(lineup[player_in(seat, turn, rules.seats)], seen, desk.choices, data)
        code = refusal(course, action, is_discard(action) and is_held(action, hand), ladder, rules)
        if code != LEGAL:
            return Played(course, hand, made, ILLEGAL, action, code)
        desk.moves[made, 0] = seat
        desk.moves[made, 1] = face_down_known(action)
        desk.actions[made] = action
        made += 1
        if is_discard(action):
            hand = exchange(desk.deals, without(action, hand), DISCARD - action, desk.heap)
        if action >= 0:
            desk.hads[seat] = hand
        course = after(course, action, alive, True, ladder)
    return Played(course, hand, made, FINE, 0, LEGAL)


def play_matches(seed: Any, run: Run, game: Game, lineup: Ints, data: Any, desk: Desk, kept: Kept) -> Ending:
    """Play as many matches as `kept` has room for, from number `run.first` on, each until it is won or room ends.

    Args:
        seed: from `liarspoker.engine.chance.seed_of`.
        run: which matches, and how they are seated.
        game: what is played.
        lineup: `[players]`, the number of each player's policy.
        data: the policies' data, a tuple of tuples.
        desk: from `new_desk`.
        kept: where everything is written.
    """
    matches, rounds = kept.claims.shape
    seats = game.rules.seats
    for place in range(matches):
        match = run.first + place
        begin(desk.deals, seed, match, DEALS)
        begin(desk.choices, seed, match, CHOICES)
        turn = match % seats if run.rotate else 0
        alive, opener, spent = (1 << seats) - 1, run.opener, 0
        number = 0
        while number < rounds and not is_won(alive):
            played = play_round(opening(opener, spent), alive, turn, lineup, data, desk, game)
            if played.trouble != FINE:
                return played.trouble, match, played.action, played.refusal
            outcome = outcome_of(played.course, played.hand, alive, game)
            _keep(kept, place, number, opener, played, outcome, desk)
            alive, opener, spent = outcome.alive, outcome.opener, played.course.spent
            number += 1
        kept.lengths[place] = number
        kept.winners[place] = next_in(-1, alive) if is_won(alive) else NO_WINNER
        for seat in range(seats):
            kept.spent[place, seat] = spent_by(seat, spent)
    return FINE, 0, 0, LEGAL


def _keep(kept: Kept, place: int, number: int, opener: int, played: Played, outcome: Outcome, desk: Desk) -> None:
    """Write down a round."""
    kept.openers[place, number] = opener
    kept.claims[place, number] = played.course.claim
    kept.claimants[place, number] = played.course.claimant
    kept.challengers[place, number] = played.course.challenger
    kept.losers[place, number] = outcome.loser
    kept.values[place, number] = outcome.value
    kept.decisions[place, number] = played.made
    drawn = piles_of(desk.heap).drawn
    kept.drawn[place, number] = drawn
    if kept.cards.size:
        for card in range(min(drawn, kept.cards.shape[2])):
            kept.cards[place, number, card] = desk.heap.drawn[card]
    if kept.moves.size:
        for made in range(min(played.made, kept.moves.shape[2])):
            kept.moves[place, number, made, 0] = desk.moves[made, 0]
            kept.moves[place, number, made, 1] = desk.actions[made]
