"""Whole matches between policies, as fast as they go."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from liarspoker.engine.chance import seed_of
from liarspoker.engine.compiling import compiled
from liarspoker.engine.lineup import data_for, seated, together
from liarspoker.engine.passed.policies import POLICIES, Policy, chosen
from liarspoker.engine.passed.rounds import Game, Kept, Run, new_desk, play_matches
from liarspoker.engine.passed.table import Table
from liarspoker.engine.running import Trouble, check_range, in_parts, refuse, share_of


@dataclass(frozen=True, slots=True)
class Matches:
    """What was played. `[n, rounds]` means: a row for each match, a column for each of its rounds.

    What lies beyond a match's last round is 0.

    Attributes:
        openers: int32 `[n, rounds]`, the seat that drew the first hand.
        claims: int32 `[n, rounds]`, the declaration that stood at the end.
        claimants: int32 `[n, rounds]`, who made it.
        challengers: int32 `[n, rounds]`, who challenged it; -1 if nobody did.
        losers: int32 `[n, rounds]`, who is out; -1 where the hand was thrown in.
        values: int32 `[n, rounds]`, what the hand was worth, -1 if it was not shown.
        decisions: int32 `[n, rounds]`, how many actions the round had.
        drawn: int32 `[n, rounds]`, how many cards were drawn, the opening hand among them.
        lengths: int32 `[n]`, how many rounds the match had.
        winners: int32 `[n]`, the seat that has won, -1 where there were not rounds enough.
        spent: int32 `[n, seats]`, how many passes each seat has spent.
        cards: int8 `[n, rounds, some]` if deals were kept: the cards of `liarspoker.core.cards.deck` in the order in
            which they were drawn, the deck of a `PassedDeal`; of a round's `drawn` only the first `some`. Otherwise
            empty.
        moves: int64 `[n, rounds, some, 2]` if moves were kept: seat and action, in order; of a round's `decisions` only
            the first `some`. Otherwise empty.
    """

    openers: NDArray[np.int32]
    claims: NDArray[np.int32]
    claimants: NDArray[np.int32]
    challengers: NDArray[np.int32]
    losers: NDArray[np.int32]
    values: NDArray[np.int32]
    decisions: NDArray[np.int32]
    drawn: NDArray[np.int32]
    lengths: NDArray[np.int32]
    winners: NDArray[np.int32]
    spent: NDArray[np.int32]
    cards: NDArray[np.int8]
    moves: NDArray[np.int64]


def play(
    table: Table,
    matches: int,
    seed: int,
    policies: Sequence[Policy | str] = ("uniform",),
    *,
    rounds: int | None = None,
    first: int = 0,
    rotate: bool = False,
    opener: int = 0,
    threads: int = 1,
    keep_cards: int = 0,
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
        opener: the seat that opens each match.
        threads: how many play at once, 1 or more.
        keep_cards: also keep so many of the cards that each round draws.
        keep_moves: also keep so many actions of every round, or all that a round can have if that is fewer.

    Returns:
        Everything that came out, in arrays.

    Raises:
        CannotPlay: an argument out of its range, more policies than seats, or no policy of such a name.
        CannotCompile: a policy reads what cannot be compiled.
        IllegalActions: a policy chose what the rules refuse.

    >>> played = play(Table.of("thorin", seats=4), matches=100, seed=2)
    >>> set(played.lengths.tolist()), played.losers.min() >= 0
    ({3}, np.True_)
    """
    rounds = table.most_rounds if rounds is None else rounds
    check_range("matches", matches, 1, 1 << 40)
    check_range("rounds", rounds, 1, 1 << 10)
    check_range("first", first, 0, 1 << 62)
    check_range("threads", threads, 1, 1 << 10)
    check_range("keep_cards", keep_cards, 0, 1 << 16)
    check_range("keep_moves", keep_moves, 0, table.most_moves)
    opens = table.opener(opener)
    numbers, different = seated(policies, table.rules.seats, POLICIES)
    kernel = compiled(play_matches, {chosen: together(different)})
    game = Game(table.rules, table.ladder, table.worths)
    kept = _room(table, matches, min(rounds, table.most_rounds), keep_cards, keep_moves)

    def part(start: int, stop: int) -> Trouble:
        run = Run(first + start, int(rotate), opens)
        share = share_of(kept, start, stop)
        desk = new_desk(table.most_moves, keep_cards, table.rules)
        return Trouble(*kernel(seed_of(seed), run, game, numbers, data_for(different), desk, share))

    for trouble in in_parts(part, matches, threads):
        refuse(trouble)
    return Matches(*kept)


def _room(table: Table, matches: int, rounds: int, keep_cards: int, keep_moves: int) -> Kept:
    """Arrays for all that comes out."""
    each = (matches, rounds)
    shapes: dict[str, tuple[int, ...]] = dict.fromkeys(Kept._fields, each)
    shapes["lengths"] = shapes["winners"] = (matches,)
    shapes["spent"] = (matches, table.rules.seats)
    shapes["cards"] = (*each, keep_cards) if keep_cards else (0, 0, 0)
    shapes["moves"] = (*each, keep_moves, 2) if keep_moves else (0, 0, 0, 0)
    kinds = {"cards": np.int8, "moves": np.int64}
    return Kept(**{name: np.zeros(shape, kinds.get(name, np.int32)) for name, shape in shapes.items()})
