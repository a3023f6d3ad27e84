"""Duplicate deals: every deal is played once for each player, so that everyone holds every hand.

The unit of all statistics is a block: the hands, or whole matches, of one deal. In block number n and turn t, player i
of the line-up sits in seat (i + t) mod players, seat 0 opens, and the deal is the same in every turn. So a block
compares how players do with equal cards. In a match, all turns begin with the same deal and draw from equal random
numbers later on.

A part of the luck that is left is explained by the deal itself: where the family of games has controls, sums over the
deal with exactly known expected values, :class:`Estimate` subtracts their deviation from the expected values, times
coefficients. The coefficients for each part of a contest are fitted to the parts before it, so they are independent of
its deals, and the expected value of the estimate doesn't change.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import sqrt
from random import Random
from typing import Any, NamedTuple, Protocol

from liarspoker.bots.contest import Contest, play_hand, play_match, seated, table
from liarspoker.bots.protocol import Bot
from liarspoker.bots.tally import Z
from liarspoker.core import catalogue as games
from liarspoker.core.errors import BadOption
from liarspoker.language import _

BLOCKS, MATCH_BLOCKS = 500, 10
"""Blocks in a part: of hands, and of matches."""


class DealControls(Protocol):
    """The controls of a family of games: its module `controls`."""

    def of_deal(self, deal: Any, rules: Any) -> tuple[int, ...]:
        """Return the controls of a deal."""

    def of_kept(self, deals: Any, rules: Any) -> list[Any]:
        """Return the controls of many deals, each as an array; the deals are an array as the engine keeps it."""

    def expected(self, rules: Any, seats: int) -> Sequence[Any]:
        """Return their exact expected values."""


class Moments(NamedTuple):
    """Exact sums over blocks.

    Attributes:
        blocks: the number of blocks.
        rounds: the number of hands dealt.
        decisions: the number of actions.
        singles: the sum over all hands or matches of the squared winnings of the player who is measured.
        sums: over the blocks, that player's winnings, then each control.
        products: over the blocks, the products of every two of these, as a matrix.
    """

    blocks: int
    rounds: int
    decisions: int
    singles: int
    sums: tuple[int, ...]
    products: tuple[tuple[int, ...], ...]

    def plus(self, other: Moments) -> Moments:
        """Return the sums over the blocks of both."""
        return Moments(
            self.blocks + other.blocks,
            self.rounds + other.rounds,
            self.decisions + other.decisions,
            self.singles + other.singles,
            tuple(map(sum, zip(self.sums, other.sums, strict=True))),
            tuple(tuple(map(sum, zip(*rows, strict=True))) for rows in zip(self.products, other.products, strict=True)),
        )


def controls_of(contest: Contest) -> DealControls | None:
    """Return the controls of the contest's family; `None` if it has none, and for whole matches."""
    return None if contest.plays_matches else games.family(games.preset(contest.game).family).controls()


def expected_controls(contest: Contest) -> tuple[float, ...]:
    """Return the expected values of the contest's controls; empty if it has none."""
    controls = controls_of(contest)
    if controls is None:
        return ()
    return tuple(map(float, controls.expected(table(contest).setup.rules, len(contest.lineup))))


def blocks_in(contest: Contest) -> int:
    """Return the number of blocks: as many as have at least the contest's number of hands or matches."""
    return -(-contest.hands // len(contest.lineup))


def parts_of(contest: Contest) -> int:
    """Return the number of parts of the contest; the last one may be shorter."""
    return -(-blocks_in(contest) // (MATCH_BLOCKS if contest.plays_matches else BLOCKS))


def blocks_of(contest: Contest, part: int) -> range:
    """Return the numbers of the blocks in a part, numbered from 0."""
    size = MATCH_BLOCKS if contest.plays_matches else BLOCKS
    return range(part * size, min(blocks_in(contest), (part + 1) * size))


def check(contest: Contest) -> None:
    """Check that a contest can be played in duplicate deals.

    Raises:
        BadOption: it is played in sessions or from slips, whose hands depend on each other.
        LiarsPokerError: the game, an option or the line-up isn't valid.
    """
    if contest.sessions or contest.from_slips:
        raise BadOption(_("duplicate deals are single hands, dealt as bills, or whole matches"))
    table(contest)
    seated(contest)


def play_part(contest: Contest, part: int, measured: int = 0, bots: Sequence[Bot] | None = None) -> Moments:
    """Play the blocks of one part by the Python rules, and return the sums.

    Args:
        contest: what is played.
        part: the number of the part, from 0.
        measured: the player of the line-up whose winnings are summed.
        bots: the players, if they aren't those that the line-up names.

    Returns:
        The sums; winnings are in units, or in a game with a winner in matches won.

    Raises:
        BadLineup: a bot played an illegal action.
    """
    lineup = seated(contest) if bots is None else tuple(bots)
    start, players, controls = table(contest), len(lineup), controls_of(contest)
    moments = None
    for block in blocks_of(contest, part):
        deals = f"{contest.seed} deals {block}"
        won = singles = rounds = decisions = 0
        for turn in range(players):
            seats = tuple(lineup[(seat - turn) % players] for seat in range(players))
            chance, own = Random(f"{contest.seed} bots {block}.{turn}"), (measured + turn) % players
            play = play_match if contest.plays_matches else play_hand
            session, made = play(start, seats, Random(deals), chance)
            units = int(session.winner == own) if contest.plays_matches else session.score[own]
            won, singles = won + units, singles + units * units
            rounds, decisions = rounds + session.rounds_played, decisions + made
        values = [won]
        if controls is not None:
            deal = start.chance_spec().draw(Random(deals).randrange)
            values += controls.of_deal(deal, start.setup.rules)
        products = tuple(tuple(one * other for other in values) for one in values)
        block_moments = Moments(1, rounds, decisions, singles, tuple(values), products)
        moments = block_moments if moments is None else moments.plus(block_moments)
    assert moments is not None
    return moments


@dataclass(slots=True)
class Estimate:
    """What the measured player wins in a hand, or match, estimated from the parts of a contest so far.

    Attributes:
        players: the number of players.
        expected: the exact expected values of the controls.
        baseline: is subtracted from the mean, such as the fair share of the matches.
        moments: the sums over all parts so far.
    """

    players: int
    expected: tuple[float, ...] = ()
    baseline: float = 0.0
    moments: Moments | None = None
    _won: float = field(default=0.0, init=False)
    _squares: float = field(default=0.0, init=False)

    def add(self, part: Moments) -> None:
        """Add the next part, with coefficients that are fitted to the parts before it."""
        weights = [1.0, *(-value for value in self._coefficients())]
        offset = -sum(weight * value for weight, value in zip(weights[1:], self.expected, strict=True))
        won = sum(weight * value for weight, value in zip(weights, part.sums, strict=True))
        squares = sum(
            weights[row] * weights[column] * part.products[row][column]
            for row in range(len(weights))
            for column in range(len(weights))
        )
        self._won += won + part.blocks * offset
        self._squares += squares + 2 * offset * won + part.blocks * offset**2
        self.moments = part if self.moments is None else self.moments.plus(part)

    @property
    def blocks(self) -> int:
        """The number of blocks so far."""
        return 0 if self.moments is None else self.moments.blocks

    @property
    def mean(self) -> float:
        """The estimate: units per hand, or the share of the matches, less `baseline`."""
        return self._won / self.blocks / self.players - self.baseline

    @property
    def variance(self) -> float | None:
        """The estimated variance of `mean`; `None` with fewer than two blocks, or if they are alike."""
        return self._variance(self._won, self._squares)

    @property
    def half_width(self) -> float | None:
        """Half the width of the 95% confidence interval, 1.96 standard errors; `None` if it can't be estimated."""
        return None if self.variance is None else Z * sqrt(self.variance)

    @property
    def duplicate_gain(self) -> float | None:
        """How many times as many hands with independent deals would give an equally narrow interval.

        It compares the duplicate deals alone, without controls, with single hands of the same contest.
        """
        alone = self._alone
        return None if alone is None else self._single / alone

    @property
    def gain(self) -> float | None:
        """As `duplicate_gain`, but with controls."""
        return None if self._alone is None or self.variance is None else self._single / self.variance

    @property
    def _alone(self) -> float | None:
        """The variance of the mean without controls."""
        moments = self.moments
        return None if moments is None else self._variance(moments.sums[0], moments.products[0][0])

    @property
    def _single(self) -> float:
        """The variance that the mean would have if all hands had independent deals."""
        assert self.moments is not None
        hands = self.moments.blocks * self.players
        return (self.moments.singles / hands - (self.moments.sums[0] / hands) ** 2) / hands

    def _variance(self, won: float, squares: float) -> float | None:
        """Return the variance of the mean per hand, from sums over blocks."""
        n = self.blocks
        scatter = squares - won * won / n if n > 1 else 0.0
        return scatter / (n - 1) / n / self.players**2 if scatter > 1e-9 * squares else None

    def _coefficients(self) -> list[float]:
        """Return the least-squares coefficients of the controls in the parts so far; 0 before the first."""
        controls = range(1, len(self.expected) + 1)
        if self.moments is None:
            return [0.0 for _ in controls]
        n, sums, products = self.moments.blocks, self.moments.sums, self.moments.products

        def covariance(row: int, column: int) -> float:
            return products[row][column] - sums[row] * sums[column] / n

        return solved(
            [[covariance(row, column) for column in controls] for row in controls],
            [covariance(row, 0) for row in controls],
        )


def solved(matrix: list[list[float]], right: list[float]) -> list[float]:
    """Solve normal equations by elimination; an unknown that others determine becomes 0.

    >>> solved([[2.0, 1.0], [1.0, 3.0]], [3.0, 4.0])
    [1.0, 1.0]
    >>> solved([[2.0, 2.0], [2.0, 2.0]], [3.0, 3.0])
    [1.5, 0.0]
    """
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    size = len(rows)
    pivots = []
    for index in range(size):
        if rows[index][index] <= 1e-9 * matrix[index][index] or rows[index][index] <= 0:
            continue
        pivots.append(index)
        for other in range(size):
            if other != index:
                factor = rows[other][index] / rows[index][index]
                rows[other] = [a - factor * b for a, b in zip(rows[other], rows[index], strict=True)]
    return [rows[index][size] / rows[index][index] if index in pivots else 0.0 for index in range(size)]
