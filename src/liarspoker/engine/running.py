"""A long run cut into parts, and arguments held within their ranges."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from liarspoker.engine.errors import CannotPlay

Part = TypeVar("Part")


def in_parts(part: Callable[[int, int], Part], number: int, threads: int) -> list[Part]:
    """What comes of `part(start, stop)` when `number` things are done by so many threads, as even shares in order."""
    if threads == 1:
        return [part(0, number)]
    cuts = [number * share // threads for share in range(threads + 1)]
    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(part, cuts[:-1], cuts[1:]))


def check_range(name: str, number: int, least: int, most: int) -> None:
    """Refuse an argument that is out of its range.

    Raises:
        CannotPlay: naming the argument and the range.
    """
    if not least <= number <= most:
        raise CannotPlay(f"{name}: {number}; it is {least} to {most}")
