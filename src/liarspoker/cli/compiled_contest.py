"""Contests played by the engine instead of the Python rules, where the engine knows the game and all the bots."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

from liarspoker.games.digits.hands import HANDS_PER_SLIP

if TYPE_CHECKING:
    from liarspoker.bots.contest import AnyTally, Contest
    from liarspoker.bots.duplicate import Moments
    from liarspoker.engine.table import Table

QUICK = {"uniform", "binomial"}
"""Bots that compile quickly for single hands; for whole games only `uniform` does."""

SHORT = 20_000
"""Seats times hands below which the Python rules need only a few seconds."""

SHORT_GAMES = 1_000
"""Seats times whole games below which the Python rules are faster than compiling the bots."""


SHORT_NETWORKS = 2_000
"""The same, in hands, if a neural network plays."""


def _networks() -> set[str]:
    from liarspoker.bots.catalogue import bots

    return {row.name for row in bots() if row.is_network}


def why_not(contest: Contest) -> str | None:
    """Return why the engine can't play a contest, in words; `None` if it can."""
    from liarspoker import engine
    from liarspoker.core import catalogue as games
    from liarspoker.extras import install_command

    if not engine.available():
        return f"the extra engine is not installed ({install_command('engine')})"
    kernel = games.family(games.preset(contest.game).family).kernel()
    if kernel is None:
        return f"it doesn't play {contest.game}"
    for name in contest.lineup:
        if not kernel.has_policy(name):
            return f"its bots for {contest.game} are {' and '.join(kernel.policies)}, not {name}"
    table = _table(contest)
    if not table.is_finite:
        return "the ladder has no top (cap_level = false)"
    if contest.sessions and kernel.unsummed(table.rules, HANDS_PER_SLIP) is not None:
        return "stakes compound (compound_carry = true)"
    return None


def is_too_short(contest: Contest) -> bool:
    """Return whether the Python rules play a contest faster than the engine compiles its bots.

    Compiling takes 5 to 9 s, and 10 to 20 s for whole games.

    >>> from liarspoker.bots.contest import Contest
    >>> [is_too_short(Contest("slips", ("bluffer", "binomial"), hands, seed=1)) for hands in (10_000, 10_001)]
    [True, False]
    >>> [is_too_short(Contest("queen-annes", ("bluffer", "binomial"), games, seed=1)) for games in (500, 501)]
    [True, False]
    """
    from liarspoker.bots.network_bot import FROM_FILE

    quick, short = ({"uniform"}, SHORT_GAMES) if contest.plays_matches else (QUICK, SHORT)
    if any(name.startswith(FROM_FILE) or name in _networks() for name in contest.lineup):
        short = SHORT_NETWORKS
    return not set(contest.lineup) <= quick and contest.hands * len(contest.lineup) <= short


def prepare(contest: Contest) -> None:
    """Load the engine and compile what a contest needs, by playing one hand or game of it."""
    deque(totals(replace(contest, hands=1), jobs=1))


def engine_for(contest: Contest, asked: str) -> str:
    """Return the engine that plays a contest: `compiled`, with the engine loaded, or `python`.

    Args:
        contest: what is played.
        asked: `compiled`, `python` or `auto`.

    Raises:
        BadLineup: `compiled` was asked for, but the engine can't play this.
    """
    from liarspoker.bots.contest import BadLineup

    if asked == "python" or (asked == "auto" and is_too_short(contest)):
        return "python"
    try:
        reason = why_not(contest)
        if reason and asked == "compiled":
            raise BadLineup(f"the engine can't play this: {reason}")
        if reason:
            return "python"
        prepare(contest)
    except ImportError:
        if asked == "compiled":
            raise
        return "python"
    return "compiled"


def play_blocks(contest: Contest, part: int, measured: int, threads: int) -> Moments:
    """Play the blocks of one part of a contest in duplicate deals, as :func:`liarspoker.bots.duplicate.play_part` does.

    The engine draws other random numbers than the Python rules.
    """
    from liarspoker.bots.duplicate import Moments, blocks_of, controls_of
    from liarspoker.engine.rollout import play

    table, blocks, controls = _table(contest), blocks_of(contest, part), controls_of(contest)
    players = len(contest.lineup)
    matches = len(blocks) * players
    rollout = play(
        table,
        matches,
        contest.seed,
        contest.lineup,
        first=blocks.start * players,
        rotate=True,
        duplicate=True,
        threads=min(threads, matches),
        keep_deals=int(controls is not None),
    )
    turns = [(turn, (measured + turn) % players) for turn in range(players)]
    if contest.plays_matches:
        winners = rollout.winners.reshape(-1, players)
        won = [1 * (winners[:, turn] == seat) for turn, seat in turns]
    else:
        units = rollout.units.reshape(-1, players, players)
        won = [units[:, turn, seat] for turn, seat in turns]
    values = [sum(won)]
    if controls is not None:
        values += controls.of_kept(rollout.trajectory.deals[::players, 0], table.rules)
    return Moments(
        len(blocks),
        int(rollout.lengths.sum()),
        int(rollout.decisions.sum()),
        sum(int(each @ each) for each in won),
        tuple(int(value.sum()) for value in values),
        tuple(tuple(int(one @ other) for other in values) for one in values),
    )


def totals(contest: Contest, jobs: int) -> Iterator[AnyTally]:
    """Play a contest that the engine can play, and yield the totals so far after every part.

    Jobs are threads here; the same seed gives the same totals with any number of them. The engine draws other random
    numbers than the Python rules, so their results differ as those of two seeds do.
    """
    from liarspoker.bots.contest import summed

    yield from summed(contest, (play_part(contest, number, jobs) for number in range(parts_of(contest))))


def parts_of(contest: Contest) -> int:
    """Return the number of parts into which the engine splits a contest."""
    from liarspoker.engine.totals import count_parts

    return count_parts(contest.hands, _session(contest))


def play_part(contest: Contest, number: int, threads: int = 1) -> AnyTally:
    """Play one part of a contest that the engine can play, numbered from 0, in this process."""
    from liarspoker.bots.tally import Tally, WinTally
    from liarspoker.engine.totals import part_of
    from liarspoker.engine.totals import play_part as play_engine_part

    part = part_of(contest.hands, _session(contest), number)
    sums = play_engine_part(_table(contest), part, contest.seed, contest.lineup, threads=threads)
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
    """Return the hands in a session of the contest; `None` for whole matches."""
    if contest.plays_matches:
        return None
    return HANDS_PER_SLIP if contest.sessions else 1


@lru_cache(maxsize=4)
def _table(contest: Contest) -> Table:
    """Return the table of a contest, made once for all parts."""
    from liarspoker.engine.table import Table

    players, changes = len(contest.lineup), dict(contest.changes)
    if contest.plays_matches:
        return Table.of(contest.game, players, changes)
    from_slips = contest.from_slips if contest.sessions else bool(contest.from_slips)
    return Table.of(contest.game, players, changes, from_slips=from_slips, letters=contest.sessions)
