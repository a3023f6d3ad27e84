"""What both kinds of card games share: players drop out, and the last one wins the match."""

from __future__ import annotations

from liarspoker.rules.errors import BadRound, NotNow, told


def next_living(seat: int, alive: tuple[int, ...]) -> int:
    """The first living seat clockwise of `seat`.

    >>> next_living(2, (0, 2, 5)), next_living(5, (0, 2, 5))
    (5, 0)
    """
    return min((other for other in alive if other > seat), default=alive[0])


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
