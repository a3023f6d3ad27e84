"""A contest played by the engine instead of the Python rules, where the engine knows the game and all the bots."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

from liarspoker.games.digits.hands import HANDS_PER_SLIP

if TYPE_CHECKING:
    from liarspoker.bots.contest import AnyTally, Contest
    from liarspoker.engine.table import Table

QUICK = {"uniform", "binomial"}
"""The bots of hands without a winner that are compiled quickly; in whole games only `uniform` is."""

SHORT = 20_000
"""Seats times hands of a contest that takes the Python rules a few seconds."""

SHORT_GAMES = 1_000
"""Seats times whole games of a contest that the Python rules play in the time that it takes to compile its bots."""


def why_not(contest: Contest) -> str | None:
    """Why the engine cannot play this contest, in words; `None` if it can."""
    from liarspoker import engine
    from liarspoker.core import catalogue as games

    if not engine.available():
        return "the extra engine is not installed (pip install 'liarspoker[engine]')"
    kernel = games.family(games.row(contest.game).family).kernel()
    if kernel is None:
        return f"it does not play {contest.game}"
    for name in contest.lineup:
        if name not in kernel.policies:
            return f"at {contest.game} it does not play as {name}; it knows {' and '.join(kernel.policies)}"
    table = _table(contest)
    if not table.is_finite:
        return "the ladder has no top (cap_level = false)"
    if contest.sessions and kernel.unsummed(table.rules, HANDS_PER_SLIP) is not None:
        return "stakes compound (compound_carry = true)"
    return None


def is_too_short(contest: Contest) -> bool:
    """Whether the Python rules have played a contest before the engine has compiled its bots.

    That takes 5 to 9 s, and 10 to 20 s where whole games are played.

    >>> from liarspoker.bots.contest import Contest
    >>> [is_too_short(Contest("slips", ("bluffer", "binomial"), hands, seed=1)) for hands in (10_000, 10_001)]
    [True, False]
    >>> [is_too_short(Contest("queen-annes", ("bluffer", "binomial"), games, seed=1)) for games in (500, 501)]
    [True, False]
    """
    quick, short = ({"uniform"}, SHORT_GAMES) if contest.to_the_end else (QUICK, SHORT)
    return not set(contest.lineup) <= quick and contest.hands * len(contest.lineup) <= short


def prepare(contest: Contest) -> None:
    """Load the engine, and compile what this contest needs if it has not been compiled before: one is played."""
    deque(totals(replace(contest, hands=1), jobs=1))


def totals(contest: Contest, jobs: int) -> Iterator[AnyTally]:
    """Play a contest that the engine can play; chunk after chunk, the totals so far.

    The same seed gives the same totals with any number of jobs, which are threads here. Its chance is another than that
    of the Python rules, so the two agree as two seeds do.
    """
    from liarspoker.bots.contest import summed

    yield from summed(contest, (play_part(contest, number, jobs) for number in range(parts_of(contest))))


def parts_of(contest: Contest) -> int:
    """Into how many parts the engine cuts a contest."""
    from liarspoker.engine.totals import parts_in

    return parts_in(contest.hands, _session(contest))


def play_part(contest: Contest, number: int, threads: int = 1) -> AnyTally:
    """Play one part of a contest that the engine can play, numbered from 0, in this process."""
    from liarspoker.bots.tally import Tally, WinTally
    from liarspoker.engine.totals import part_of, played

    part = part_of(contest.hands, _session(contest), number)
    sums = played(_table(contest), part, contest.seed, contest.lineup, threads=threads)
    if part.rounds is None:
        return WinTally(sums.matches, sums.rounds, sums.decisions, sums.wins)
    return Tally(
        hands=sums.rounds,
        decisions=sums.decisions,
        samples=sums.matches,
        lengths=sums.matches * part.rounds**2,
        won=sums.won,
        squares=sums.squares,
        products=tuple(units * part.rounds for units in sums.won),
        outcomes=sums.outcomes,
    )


def _session(contest: Contest) -> int | None:
    """Hands in a session of the contest; `None` for whole matches."""
    if contest.to_the_end:
        return None
    return HANDS_PER_SLIP if contest.sessions else 1


@lru_cache(maxsize=4)
def _table(contest: Contest) -> Table:
    """The table of a contest; made once for all parts."""
    from liarspoker.engine.table import Table

    players, changes = len(contest.lineup), dict(contest.changes)
    if contest.to_the_end:
        return Table.of(contest.game, players, changes)
    from_slips = contest.from_slips if contest.sessions else bool(contest.from_slips)
    return Table.of(contest.game, players, changes, from_slips=from_slips, letters=contest.sessions)
