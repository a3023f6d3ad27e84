"""What a contest has come to so far, in whole numbers, so that parts of it add up the same in any order."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import Any

from liarspoker.games.digits.settlement import OUTCOMES

_Z = 1.96
"""Standard errors to each side of a 95% confidence interval."""


@dataclass(frozen=True, slots=True)
class Tally:
    """Totals over units of play that do not depend on each other: single hands, or whole sessions.

    Attributes:
        hands: how many hands.
        decisions: how many actions, by all players.
        samples: how many independent units of play.
        lengths: the sum of the squares of their lengths in hands.
        won: units won by each player of the lineup; they sum to zero.
        squares: the sum over the samples of what each player won in it, squared.
        products: the sum over the samples of what each player won in it times its length.
        outcomes: how many hands came out each way, as numbered in `settlement.OUTCOMES`.
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
        """Nothing yet, for a lineup of so many players."""
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
        """How much of a contest has been played: hands."""
        return self.hands

    @property
    def rounds(self) -> int:
        """How many hands were dealt."""
        return self.hands

    def figures(self) -> dict[str, Any]:
        """What a report says of who won how much."""
        return {
            "units_per_round": [list(self.units_a_hand(player)) for player in range(len(self.won))],
            "outcomes": dict(zip(OUTCOMES, self.outcomes, strict=True)),
        }

    def with_sample(self, payoffs: tuple[int, ...], outcomes: tuple[int, ...], decisions: int) -> Tally:
        """The tally with one more unit of play.

        Args:
            payoffs: units won in it by each player of the lineup.
            outcomes: how many of its hands came out each way.
            decisions: how many actions it took.
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

    def units_a_hand(self, player: int) -> tuple[float, float | None]:
        """What a player of the lineup wins a hand: the mean, and half the width of its 95% confidence interval.

        The interval is 1.96 standard errors of a ratio of sums over the independent samples, which for single hands
        is 1.96 s / sqrt(N). It is `None` where there are fewer than two samples, or all are alike: nothing tells how
        far others may differ.

        >>> tally = Tally.empty(2)
        >>> for units in (1, -1, 1, 1):
        ...     tally = tally.with_sample((units, -units), (0, 1, 0, 0), decisions=3)
        >>> tally.units_a_hand(0)
        (0.5, 0.98)
        """
        hands, won = self.hands, self.won[player]
        if hands == 0:
            return 0.0, None
        if self.samples < 2:
            return won / hands, None
        # The sum of (units - mean * length) squared, times hands squared to stay in whole numbers until the end.
        scatter = self.squares[player] * hands**2 - 2 * won * hands * self.products[player] + won**2 * self.lengths
        if scatter == 0:
            return won / hands, None
        error = sqrt(scatter * self.samples / (self.samples - 1)) / hands**2
        return won / hands, _Z * error


@dataclass(frozen=True, slots=True)
class WinTally:
    """Totals over whole games, each with one winner.

    Attributes:
        games: how many games.
        rounds: how many rounds were dealt in them.
        decisions: how many actions, by all players.
        wins: how many games each player of the lineup won; they sum to `games`.
    """

    games: int
    rounds: int
    decisions: int
    wins: tuple[int, ...]

    @classmethod
    def empty(cls, players: int) -> WinTally:
        """Nothing yet, for a lineup of so many players."""
        return cls(0, 0, 0, (0,) * players)

    def __add__(self, other: WinTally) -> WinTally:
        return WinTally(
            self.games + other.games,
            self.rounds + other.rounds,
            self.decisions + other.decisions,
            _sums(self.wins, other.wins),
        )

    @property
    def played(self) -> int:
        """How much of a contest has been played: games."""
        return self.games

    def figures(self) -> dict[str, Any]:
        """What a report says of who won how often."""
        players = range(len(self.wins))
        intervals = [self.win_interval(player) for player in players]
        return {
            "games": self.games,
            "win_rate": [list(self.win_rate(player)) for player in players],
            "win_interval": [None if interval is None else list(interval) for interval in intervals],
        }

    def win_rate(self, player: int) -> tuple[float, float | None]:
        """The share of the games that a player of the lineup won, and how far from it the 95% interval reaches.

        The interval is that of `win_interval`; of its two ends the farther one counts. `None` before the first game.

        >>> rate, half = WinTally(games=400, rounds=500, decisions=2000, wins=(200, 200)).win_rate(0)
        >>> round(rate, 3), round(half, 3)
        (0.5, 0.049)
        """
        interval = self.win_interval(player)
        if interval is None:
            return 0.0, None
        rate = self.wins[player] / self.games
        return rate, max(rate - interval[0], interval[1] - rate)

    def win_interval(self, player: int) -> tuple[float, float] | None:
        """The 95% confidence interval of the probability that a player of the lineup wins a game, by Wilson's score.

        It is never empty, not even where a player has won every game or none. `None` before the first game.

        >>> tally = WinTally(games=20, rounds=30, decisions=90, wins=(20, 0))
        >>> [[round(end, 3) for end in tally.win_interval(player)] for player in (0, 1)]
        [[0.839, 1.0], [0.0, 0.161]]
        """
        if self.games == 0:
            return None
        rate, weight = self.wins[player] / self.games, _Z**2 / self.games
        centre = (rate + weight / 2) / (1 + weight)
        half = sqrt(weight * (rate * (1 - rate) + weight / 4)) / (1 + weight)
        return max(0.0, centre - half), min(1.0, centre + half)


def _sums(left: tuple[int, ...], right: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(a + b for a, b in zip(left, right, strict=True))
