"""What both kinds of card games share: players drop out, and the last one wins the match."""

from __future__ import annotations

from collections.abc import Iterable

from liarspoker.core.errors import BadRound, NotNow, told


def mask_of(seats: Iterable[int]) -> int:
    """Several seats as one int: bit s for seat s.

    >>> mask_of((0, 2, 5))
    37
    """
    mask = 0
    for seat in seats:
        mask |= 1 << seat
    return mask


def seats_in(mask: int) -> tuple[int, ...]:
    """The seats of a mask, ascending.

    >>> seats_in(37)
    (0, 2, 5)
    """
    return tuple(seat for seat in range(mask.bit_length()) if mask >> seat & 1)


def count_in(mask: int) -> int:
    """How many seats are in a mask.

    >>> count_in(mask_of((0, 2, 5)))
    3
    """
    count = 0
    while mask:
        mask &= mask - 1
        count += 1
    return count


def next_in(seat: int, living: int) -> int:
    """The first seat clockwise of `seat` that is in the mask `living`, which has one at least.

    >>> next_in(2, mask_of((0, 2, 5))), next_in(5, mask_of((0, 2, 5)))
    (5, 0)
    """
    following = seat + 1
    if living >> following == 0:
        following = 0
    while not living >> following & 1:
        following += 1
    return following


def next_living(seat: int, alive: Iterable[int]) -> int:
    """The first living seat clockwise of `seat`.

    >>> next_living(2, (0, 2, 5)), next_living(5, (0, 2, 5))
    (5, 0)
    """
    return next_in(seat, mask_of(alive))


def is_won(living: int) -> bool:
    """Whether the mask `living` has one seat left."""
    return living & living - 1 == 0


def match_score(seats: int, alive: tuple[int, ...]) -> tuple[int, ...]:
    """Units won or lost by each seat: the winner has one from every other, and before the end nobody has any.

    >>> match_score(3, (1,)), match_score(3, (0, 1))
    ((-1, 2, -1), (0, 0, 0))
    """
    if len(alive) != 1:
        return (0,) * seats
    return tuple(seats - 1 if seat == alive[0] else -1 for seat in range(seats))


def check_new_round(in_play: bool, alive: tuple[int, ...]) -> None:
    """Refuse a round where one is in play, or the match has been won.

    Raises:
        NotNow: `round-unfinished` or `match-over`.
    """
    if in_play:
        raise NotNow("round-unfinished", "the round in play has not ended")
    if len(alive) == 1:
        raise NotNow("match-over", f"seat {alive[0]} has won the match")


def check_opener(opener: int | None, alive: tuple[int, ...]) -> None:
    """Refuse an opener who is not in the match.

    Raises:
        BadRound: naming those that are.
    """
    if opener is not None and opener not in alive:
        raise BadRound(f"opener: {told(opener)} is no living seat; they are {', '.join(map(str, alive))}")
