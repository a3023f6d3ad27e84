"""What a challenge leads to, as functions on ints alone: who loses, who is still living, who opens next."""

from __future__ import annotations

from typing import NamedTuple

from liarspoker.core.cards.elimination import next_in
from liarspoker.games.queen_annes.options import NEXT_OPENERS, QueenAnnesRules
from liarspoker.games.queen_annes.state import LOSS_BITS, Ground, losses_of

_LOSER, _WINNER, _ROTATE = range(len(NEXT_OPENERS))

OPENS_BY = ("loser-opens", "after-loser-opens", "winner-opens", "next-opens")
"""By which rule somebody opens, as `next_opener` numbers them."""
_LOSER_OPENS, _AFTER_LOSER, _WINNER_OPENS, _NEXT_OPENS = range(len(OPENS_BY))


class Outcome(NamedTuple):
    """What a challenge leads to.

    Attributes:
        loser: who has lost.
        by: by which rule somebody opens the next round, as `OPENS_BY` has them.
        ground: what that round is played on.
    """

    loser: int
    by: int
    ground: Ground


def outcome(claimant: int, challenger: int, exists: bool, ground: Ground, rules: QueenAnnesRules) -> Outcome:
    """What a challenge leads to.

    Args:
        claimant: who named the hand.
        challenger: who challenged it.
        exists: whether the hand is in the pool.
        ground: what the round was played on.
        rules: the table's rules.
    """
    loser, winner = loser_and_winner(claimant, challenger, exists)
    losses = losses_after(ground.losses, loser)
    alive = living_mask(losses, rules)
    by, opens = next_opener(ground.opener, loser, winner, alive, rules)
    return Outcome(loser, by, Ground(opens, alive, losses))


def loser_and_winner(claimant: int, challenger: int, exists: bool) -> tuple[int, int]:
    """Who loses a challenge, and who wins it: the challenger loses if the hand exists.

    >>> loser_and_winner(claimant=0, challenger=1, exists=True)
    (1, 0)
    """
    return (challenger, claimant) if exists else (claimant, challenger)


def losses_after(losses: int, loser: int) -> int:
    """All seats' losses when `loser` has lost once more; four bits a seat."""
    return losses + (1 << LOSS_BITS * loser)


def is_out(losses: int, rules: QueenAnnesRules) -> bool:
    """Whether so many losses put a player out."""
    return losses >= rules.exit_losses


def living_mask(losses: int, rules: QueenAnnesRules) -> int:
    """Mask of the seats that are not out, by the losses of all seats."""
    alive = 0
    for seat in range(rules.seats):
        if not is_out(losses_of(seat, losses), rules):
            alive |= 1 << seat
    return alive


def next_opener(opener: int, loser: int, winner: int, alive: int, rules: QueenAnnesRules) -> tuple[int, int]:
    """By which rule somebody opens the next round, as `OPENS_BY` has them, and who does.

    Args:
        opener: who opened the round that is over.
        loser: who has lost it.
        winner: the other one of claimant and challenger.
        alive: mask of the seats that are living after it.
        rules: the table's rules.
    """
    if rules.next_opener == _WINNER:
        return _WINNER_OPENS, winner
    if rules.next_opener == _ROTATE:
        return _NEXT_OPENS, next_in(opener, alive)
    if alive >> loser & 1:
        return _LOSER_OPENS, loser
    return _AFTER_LOSER, next_in(loser, alive)
