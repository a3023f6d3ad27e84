"""The totals of a contest so far. They are exact integers, so parts of a contest can be added in any order."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import Any

from liarspoker.games.digits.settlement import OUTCOMES

Z = 1.96
"""Standard errors on each side of the mean in a 95% confidence interval."""


@dataclass(frozen=True, slots=True)
class Tally:
    """Totals over independent samples: single hands, or whole sessions.

    Attributes:
        hands: the number of hands.
        decisions: the number of actions of all players.
        samples: the number of independent samples.
        lengths: the sum of the squared lengths of the samples, in hands.
        won: units won by each player of the lineup; they sum to zero.
        squares: for each player, the sum of the squared winnings per sample.
        products: for each player, the sum over the samples of winnings times length.
        outcomes: the number of hands by outcome, as numbered in
            `liarspoker.games.digits.settlement.OUTCOMES`.
    """

    hands: int
    decisions: int
    samples: int
    lengths: int
    won: tuple[int, ...]
    squares: tuple[int, ...]
    products: tuple[int, ...]
    outcomes: tuple[int, ...]

    @classmethod
    def empty(cls, players: int) -> Tally:
        """Return totals of zero for this number of players."""
        none = (0,) * players
        return cls(0, 0, 0, 0, none, none, none, (0,) * len(OUTCOMES))

    def __add__(self, other: Tally) -> Tally:
        return Tally(
            self.hands + other.hands,
            self.decisions + other.decisions,
            self.samples + other.samples,
            self.lengths + other.lengths,
            _sums(self.won, other.won),
            _sums(self.squares, other.squares),
            _sums(self.products, other.products),
            _sums(self.outcomes, other.outcomes),
        )

    @property
    def played(self) -> int:
        """The number of hands played."""
        return self.hands

    @property
    def rounds(self) -> int:
        """The number of hands dealt."""
        return self.hands

    def report_fields(self) -> dict[str, Any]:
        """Return the fields of a JSON report that say who won how much."""
        return {
            "units_per_round": [list(self.units_per_hand(player)) for player in range(len(self.won))],
            "outcomes": dict(zip(OUTCOMES, self.outcomes, strict=True)),
        }

    def with_sample(self, payoffs: tuple[int, ...], outcomes: tuple[int, ...], decisions: int) -> Tally:
        """Return the tally with one more sample.

        Args:
            payoffs: units that each player of the lineup won in it.
            outcomes: the number of its hands by outcome.
            decisions: the number of actions in it.
        """
        length = sum(outcomes)
        return self + Tally(
            length,
            decisions,
            1,
            length * length,
            payoffs,
            tuple(units * units for units in payoffs),
            tuple(units * length for units in payoffs),
            outcomes,
        )

    def units_per_hand(self, player: int) -> tuple[float, float | None]:
        """Return a player's mean winnings per hand, and half the width of the 95% confidence interval.

        The half width is 1.96 standard errors of a ratio of sums over the independent samples; for single hands that
        is 1.96 s / sqrt(N). It is `None` if there are fewer than two samples, or all samples are alike: the spread
        can't be estimated then.

        >>> tally = Tally.empty(2)
        >>> for units in (1, -1, 1, 1):
        ...     tally = tally.with_sample((units, -units), (0, 1, 0, 0), decisions=3)
        >>> tally.units_per_hand(0)
        (0.5, 0.98)
        """
        hands, won = self.hands, self.won[player]
        if hands == 0:
            return 0.0, None
        if self.samples < 2:
            return won / hands, None
        # The sum of (units - mean * length) squared, times hands squared, so that it stays an integer until the end.
        scatter = self.squares[player] * hands**2 - 2 * won * hands * self.products[player] + won**2 * self.lengths
        if scatter == 0:
            return won / hands, None
        error = sqrt(scatter * self.samples / (self.samples - 1)) / hands**2
        return won / hands, Z * error


@dataclass(frozen=True, slots=True)
class WinTally:
    """Totals over whole matches, each with one winner.

    Attributes:
        matches: the number of matches.
        rounds: the number of rounds dealt in them.
        decisions: the number of actions of all players.
        wins: the number of matches that each player of the lineup won; they sum to `matches`.
    """

    matches: int
    rounds: int
    decisions: int
    wins: tuple[int, ...]

    @classmethod
    def empty(cls, players: int) -> WinTally:
        """Return totals of zero for this number of players."""
        return cls(0, 0, 0, (0,) * players)

    def __add__(self, other: WinTally) -> WinTally:
        return WinTally(
            self.matches + other.matches,
            self.rounds + other.rounds,
            self.decisions + other.decisions,
            _sums(self.wins, other.wins),
        )

    @property
    def played(self) -> int:
        """The number of matches played."""
        return self.matches

    def report_fields(self) -> dict[str, Any]:
        """Return the fields of a JSON report that say who won how often."""
        players = range(len(self.wins))
        intervals = [self.win_interval(player) for player in players]
        return {
            "games": self.matches,
            "win_rate": [list(self.win_rate(player)) for player in players],
            "win_interval": [None if interval is None else list(interval) for interval in intervals],
        }

    def win_rate(self, player: int) -> tuple[float, float | None]:
        """Return the share of the matches that a player won, and its distance to the farther end of `win_interval`.

        The distance is `None` before the first match.

        >>> rate, half = WinTally(matches=400, rounds=500, decisions=2000, wins=(200, 200)).win_rate(0)
        >>> round(rate, 3), round(half, 3)
        (0.5, 0.049)
        """
        interval = self.win_interval(player)
        if interval is None:
            return 0.0, None
        rate = self.wins[player] / self.matches
        return rate, max(rate - interval[0], interval[1] - rate)

    def win_interval(self, player: int) -> tuple[float, float] | None:
        """Return the 95% Wilson score interval of the probability that a player wins a match.

        It has a positive width even if a player has won every match or none. It is `None` before the first match.

        >>> tally = WinTally(matches=20, rounds=30, decisions=90, wins=(20, 0))
        >>> [[round(end, 3) for end in tally.win_interval(player)] for player in (0, 1)]
        [[0.839, 1.0], [0.0, 0.161]]
        """
        if self.matches == 0:
            return None
        rate, weight = self.wins[player] / self.matches, Z**2 / self.matches
        centre = (rate + weight / 2) / (1 + weight)
        half = sqrt(weight * (rate * (1 - rate) + weight / 4)) / (1 + weight)
        return max(0.0, centre - half), min(1.0, centre + half)


def _sums(left: tuple[int, ...], right: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(a + b for a, b in zip(left, right, strict=True))
