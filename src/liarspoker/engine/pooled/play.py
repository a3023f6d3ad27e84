"""Whole matches between policies, as fast as they go."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from liarspoker.engine.chance import seed_of
from liarspoker.engine.compiling import compiled
from liarspoker.engine.lineup import data_for, seated, together
from liarspoker.engine.pooled.dealing import MOST_CARDS
from liarspoker.engine.pooled.policies import POLICIES, Policy, chosen
from liarspoker.engine.pooled.rounds import Kept, Run, new_desk, play_matches
from liarspoker.engine.pooled.table import Table
from liarspoker.engine.running import Trouble, check_range, in_parts, refuse, share_of
from liarspoker.games.queen_annes.course import packed_losses


@dataclass(frozen=True, slots=True)
class Matches:
    """What was played. `[n, rounds]` means: a row for each match, a column for each of its rounds.

    What lies beyond a match's last round is 0.

    Attributes:
        openers: int32 `[n, rounds]`, the seat that named the first hand.
        claims: int32 `[n, rounds]`, the hand that was challenged, as a place on the ladder.
        claimants: int32 `[n, rounds]`, who named it.
        challengers: int32 `[n, rounds]`, who challenged it.
        losers: int32 `[n, rounds]`, who lost the round.
        missing: int32 `[n, rounds]`, how many cards the hand lacked; 0 where it existed.
        decisions: int32 `[n, rounds]`, how many actions the round had.
        dealt: int32 `[n, rounds]`, how many cards were in the pool.
        lengths: int32 `[n]`, how many rounds the match had.
        winners: int32 `[n]`, the seat that has won, -1 where there were not rounds enough.
        losses: int32 `[n, seats]`, each seat's losses at the end.
        decks: int8 `[n, rounds, 54]` if deals were kept: the cards as they were dealt, `dealt` of them,
            numbered as in `liarspoker.core.cards.deck`. Otherwise empty.
        moves: int32 `[n, rounds, some, 2]` if moves were kept: seat and action, in order; of a round's `decisions` only
            the first `some`. Otherwise empty.
    """

    openers: NDArray[np.int32]
    claims: NDArray[np.int32]
    claimants: NDArray[np.int32]
    challengers: NDArray[np.int32]
    losers: NDArray[np.int32]
    missing: NDArray[np.int32]
    decisions: NDArray[np.int32]
    dealt: NDArray[np.int32]
    lengths: NDArray[np.int32]
    winners: NDArray[np.int32]
    losses: NDArray[np.int32]
    decks: NDArray[np.int8]
    moves: NDArray[np.int32]


def play(
    table: Table,
    matches: int,
    seed: int,
    policies: Sequence[Policy | str] = ("uniform",),
    *,
    rounds: int | None = None,
    first: int = 0,
    rotate: bool = False,
    opener: int | None = None,
    threads: int = 1,
    keep_deals: bool = False,
    keep_moves: int = 0,
) -> Matches:
    """Play many matches, by default each until somebody has won.

    What happens in match number i follows from the table, the policies, the seed and i alone: batches that follow on
    each other by `first` are the one great batch, and threads change nothing but the time.

    Args:
        table: what is played.
        matches: how many, 1 or more.
        seed: of all chance; any whole number.
        policies: one for each player, by name or as a `Policy`; the last one plays for all who are left.
        rounds: the most rounds of a match, 1 or more; by default as many as it takes.
        first: the number of the first match, 0 to 2**62.
        rotate: player i sits in seat (i + the match's number) mod players; otherwise in seat i.
        opener: the seat that opens each match, a living one; by default the first of them.
        threads: how many play at once, 1 or more.
        keep_deals: also keep the cards dealt.
        keep_moves: also keep so many actions of every round, or all that a round can have if that is fewer.

    Returns:
        Everything that came out, in arrays.

    Raises:
        CannotPlay: an argument out of its range, more policies than seats, or no policy of such a name.
        CannotCompile: a policy reads what cannot be compiled.
        IllegalActions: a policy chose what the rules refuse.

    >>> played = play(Table.of("queen-annes", seats=3), matches=100, seed=4)
    >>> played.lengths.min() >= 10, sorted(set(played.winners.tolist()))
    (np.True_, [0, 1, 2])
    """
    rounds = table.most_rounds if rounds is None else rounds
    check_range("matches", matches, 1, 1 << 40)
    check_range("rounds", rounds, 1, 1 << 10)
    check_range("first", first, 0, 1 << 62)
    check_range("threads", threads, 1, 1 << 10)
    check_range("keep_moves", keep_moves, 0, table.most_moves)
    opener = table.opener(opener)
    numbers, different = seated(policies, table.rules.seats, POLICIES)
    kernel = compiled(play_matches, {chosen: together(different)})
    shouts = np.array([different[number].shouts for number in numbers])
    kept = _room(table, matches, min(rounds, table.most_rounds), keep_deals, keep_moves)

    def part(start: int, stop: int) -> Trouble:
        run = Run(first + start, int(rotate), opener, packed_losses(table.losses))
        share = share_of(kept, start, stop)
        desk = new_desk(table.most_moves, table.rules)
        trouble = kernel(
            seed_of(seed), run, table.rules, table.wants, numbers, shouts, data_for(different), desk, share
        )
        return Trouble(*trouble)

    for trouble in in_parts(part, matches, threads):
        refuse(trouble)
    return Matches(*kept)


def _room(table: Table, matches: int, rounds: int, keep_deals: bool, keep_moves: int) -> Kept:
    """Arrays for all that comes out."""
    each = (matches, rounds)
    shapes: dict[str, tuple[int, ...]] = dict.fromkeys(Kept._fields, each)
    shapes["lengths"] = shapes["winners"] = (matches,)
    shapes["losses"] = (matches, table.rules.seats)
    shapes["decks"] = (*each, MOST_CARDS) if keep_deals else (0, 0, 0)
    shapes["moves"] = (*each, keep_moves, 2) if keep_moves else (0, 0, 0, 0)
    return Kept(**{name: np.zeros(shape, np.int8 if name == "decks" else np.int32) for name, shape in shapes.items()})
