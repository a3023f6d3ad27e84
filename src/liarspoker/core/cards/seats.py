"""Seats are numbered from 0, clockwise; a number beyond them is nobody's, and must not be taken for somebody's."""

from __future__ import annotations

from liarspoker.core.errors import BadOption, BadSeats


def check_seat(seat: int | None, seats: int) -> None:
    """Refuse a number that is no seat; `None` stands for somebody who does not play.

    Raises:
        BadSeats: naming the seats.
    """
    if seat is not None and not 0 <= seat < seats:
        raise BadSeats(f"seat: {seat} is none of 0 to {seats - 1}")


def check_no_slips(from_slips: bool | None, game: str) -> None:
    """Refuse slips, which are for digits.

    Raises:
        BadOption: slips are asked for.
    """
    if from_slips:
        raise BadOption(f"slips: {game} is played with cards")
