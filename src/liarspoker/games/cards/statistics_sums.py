"""Sums over many rounds of a card game, and the figures made from them.

:func:`summed` counts the rounds of tables with the same rules, whether they come from bots or from records; such sums
can be added.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from liarspoker.bots.tally import WinTally
from liarspoker.coach.statistics import mean
from liarspoker.core.cards.claims import WORDS
from liarspoker.engine.kernel import Ints

CLAIM, CHALLENGE = range(2)
"""The first kinds of actions of every card game; see `liarspoker.games.cards.statistics.CardStatistics.actions`."""

OUTCOMES = ("failed", "stood", "thrown_in", "took_top")
"""How a round ends: its last claim was challenged and false, or challenged and true; all others passed, so that nobody
lost; or a claim was taken that can't be beaten."""

_KINDS = len(WORDS)
UNKNOWN = -1
"""In place of what isn't known, or has no value."""


class Rounds(NamedTuple):
    """Finished rounds at tables with the same rules, and their actions one after the other.

    Attributes:
        matches: int64 `[rounds]`, the number of the match of each round, from 0.
        alive: int64 `[rounds]`, masks of the seats that play it.
        openers: int64 `[rounds]`, the seat that opened it.
        claimants: int64 `[rounds]`, who made the last claim.
        challengers: int64 `[rounds]`, who challenged it; -1 if no one did.
        losers: int64 `[rounds]`, who lost the round; -1 if no one did.
        lengths: int64 `[rounds]`, the number of actions.
        seats: int64 `[actions]`, who acted.
        kinds: int64 `[actions]`, the kind of each action, an index of `CardStatistics.actions`.
        words: int64 `[actions]`, for a claim, its category, an index of :data:`~liarspoker.core.cards.claims.WORDS`.
        bluffs: int64 `[actions]`, for a claim, 1 if it is a bluff and 0 if it isn't; -1 if unknown.
        false: int64 `[actions]`, for a claim, 1 if it is false and 0 if it is true; -1 if unknown.
        units: int64 `[won matches, seats]`, the units won in each match that is over, beginning with its first opener.
    """

    matches: Ints
    alive: Ints
    openers: Ints
    claimants: Ints
    challengers: Ints
    losers: Ints
    lengths: Ints
    seats: Ints
    kinds: Ints
    words: Ints
    bluffs: Ints
    false: Ints
    units: Ints


class Losses(NamedTuple):
    """Sums over rounds or claims, by cell; the rounds and claims of a cell in one match are one sample.

    Attributes:
        number: int64 `[cells]`, the number of rounds or claims.
        samples: int64 `[cells]`, the number of matches with any.
        lengths: int64 `[cells]`, the sum over these matches of their squared number.
        lost: int64 `[cells]`, how often the player, or the claimant, lost the round.
        squares: int64 `[cells]`, the sum over these matches of the squares of that.
        products: int64 `[cells]`, the sum over these matches of that times the number of rounds or claims.
    """

    number: Ints
    samples: Ints
    lengths: Ints
    lost: Ints
    squares: Ints
    products: Ints

    def __add__(self, other: Losses) -> Losses:  # type: ignore[override]  # not the fields of both, one after the other
        return Losses(*map(np.add, self, other))

    def mean(self, cell: int) -> dict[str, float | None]:
        """Return the share that was lost, and half the width of its 95% confidence interval; `None` if unknown."""
        number, samples, lengths, lost, squares, products = (int(sums[cell]) for sums in self)
        return mean(number, samples, lengths, lost, squares, products)


class Answers(NamedTuple):
    """Sums over claims, by cell.

    Attributes:
        known: int64 `[cells]`, the claims of which it is known whether they are bluffs.
        bluffs: int64 `[cells]`, the bluffs among them; see :data:`~liarspoker.games.cards.profile.BLUFF`.
        judged: int64 `[cells]`, the claims of which it is known whether they were true.
        false: int64 `[cells]`, those that were false.
        challenged: int64 `[cells]`, the claims whose answer, the next action that isn't a pass, was a challenge.
        bluffs_challenged: int64 `[cells]`, the bluffs among them.
        taken: int64 `[cells]`, the claims that were answered in another way.
        stood: int64 `[cells]`, the challenged claims that were true.
    """

    known: Ints
    bluffs: Ints
    judged: Ints
    false: Ints
    challenged: Ints
    bluffs_challenged: Ints
    taken: Ints
    stood: Ints

    def __add__(self, other: Answers) -> Answers:  # type: ignore[override]  # as above
        return Answers(*map(np.add, self, other))


class Claims(NamedTuple):
    """Sums over claims, by cell: how often the claimant lost the round, and how they were answered."""

    losses: Losses
    answers: Answers

    def __add__(self, other: Claims) -> Claims:  # type: ignore[override]  # as above
        return Claims(self.losses + other.losses, self.answers + other.answers)


@dataclass(frozen=True, slots=True, eq=False)
class CardSums:
    """Sums over many rounds at tables with the same rules.

    A position is the distance from the opener of a round, clockwise, among the players still in; 0 is the opener. The
    cells are categories of claims (indices of :data:`~liarspoker.core.cards.claims.WORDS`), for each number of players
    still in, and for each position among them.

    Attributes:
        rules: the rules of the tables.
        names: the kinds of actions, `CardStatistics.actions`.
        matches: the number of matches that were won.
        won: int64 `[seats]`, units won in them by distance from the seat that opened the match; they sum to 0.
        squares: int64 `[seats]`, the sum of the squared units.
        rounds: int64 `[seats + 1]`, the number of rounds by the number of players still in.
        outcomes: int64 `[seats + 1, 4]`, these rounds by outcome, in the order of `OUTCOMES`.
        lengths: the number of rounds by the number of players still in and the number of actions.
        actions: int64 `[seats + 1, seats, kinds]`, the number of actions by players still in, position and kind.
        losses: the rounds of each position, with `[(seats + 1) * seats]` cells.
        claims: the claims of each category, with 13 cells.
        claims_by_players: the same by the number of players still in, `[(seats + 1) * 13]`.
        claims_by_position: the same by the number of players still in and position, `[(seats + 1) * seats * 13]`.
    """

    rules: Any
    names: tuple[str, ...]
    matches: int
    won: Ints
    squares: Ints
    rounds: Ints
    outcomes: Ints
    lengths: Counter[tuple[int, int]]
    actions: Ints
    losses: Losses
    claims: Claims
    claims_by_players: Claims
    claims_by_position: Claims

    def __add__(self, other: CardSums) -> CardSums:
        if self.rules != other.rules:
            raise ValueError("statistics of tables with different rules can't be added")
        sums = (getattr(self, name) + getattr(other, name) for name in CardSums.__slots__[2:])
        return CardSums(self.rules, self.names, *sums)

    @property
    def played(self) -> int:
        """The number of matches that were won."""
        return self.matches

    @property
    def dealt(self) -> int:
        """The number of rounds."""
        return int(self.rounds.sum())

    def report(self) -> dict[str, Any]:
        """Return the figures with the names that `liarspoker report --json` gives them."""
        seats = self.rules.seats
        return {
            "players": seats,
            "matches": self.matches,
            "rounds": self.dealt,
            "actions": int(self.actions.sum()),
            "units_per_match": [
                {"position": position, **mean(self.matches, self.matches, self.matches, won, squares, won)}
                for position, (won, squares) in enumerate(zip(self.won.tolist(), self.squares.tolist(), strict=True))
            ],
            "kinds": _kinds(self.claims, 0),
            "by_players": [self._by_players(number) for number in range(2, seats + 1) if self.rounds[number]],
        }

    def _by_players(self, number: int) -> dict[str, Any]:
        """Return the figures of the rounds with a number of players still in."""
        lengths = sorted((length, count) for (players, length), count in self.lengths.items() if players == number)
        return {
            "players": number,
            "rounds": int(self.rounds[number]),
            "actions": int(self.actions[number].sum()),
            "lengths": {str(length): count for length, count in lengths},
            "outcomes": dict(zip(OUTCOMES, self.outcomes[number].tolist(), strict=True)),
            "positions": [self._position(number, position) for position in range(number)],
            "kinds": _kinds(self.claims_by_players, number),
        }

    def _position(self, number: int, position: int) -> dict[str, Any]:
        """Return the figures of a position."""
        cell = number * self.rules.seats + position
        return {
            "position": position,
            "losses_per_round": self.losses.mean(cell),
            **dict(zip(self.names, self.actions[number, position].tolist(), strict=True)),
            "kinds": _kinds(self.claims_by_position, cell),
        }


def _kinds(claims: Claims, group: int) -> list[dict[str, Any]]:
    """Return the figures of each category of claims in a group of 13 cells, the weakest first."""
    numbers = claims.losses.number[group * _KINDS : (group + 1) * _KINDS]
    return [_kind(claims, group * _KINDS + word, WORDS[word]) for word in np.flatnonzero(numbers).tolist()]


def _kind(claims: Claims, cell: int, word: str) -> dict[str, Any]:
    """Return the figures of a category of claims."""
    answers = {name: int(sums[cell]) for name, sums in claims.answers._asdict().items()}
    return {
        "kind": word,
        "claims": int(claims.losses.number[cell]),
        "losses": claims.losses.mean(cell),
        **answers,
        "stood_interval": WinTally(answers["challenged"], 0, 0, (answers["stood"],)).win_interval(0),
    }


def summed(rounds: Rounds, rules: Any, names: tuple[str, ...]) -> CardSums:
    """Return the sums over rounds; `names` are the kinds of actions."""
    seats, each = rules.seats, np.arange(rounds.lengths.size)
    players = np.bitwise_count(rounds.alive).astype(np.int64)
    of_round = np.repeat(each, rounds.lengths)
    where = players[of_round] * seats + _positions(rounds.seats, of_round, rounds, seats)
    index, seat = np.nonzero(rounds.alive[:, None] >> np.arange(seats) & 1)
    cells = players[index] * seats + _positions(seat, index, rounds, seats)
    made = np.flatnonzero(rounds.kinds == CLAIM)
    words, of_claim = rounds.words[made], of_round[made]
    lost = rounds.losers[of_claim] == rounds.seats[made]
    answers, groups = list(_answers(rounds, made, of_round, names)), (seats + 1) * seats

    def claims(group: Ints, size: int) -> Claims:
        """Return the sums over claims by group and category."""
        cell = group * _KINDS + words
        return Claims(
            _losses(rounds.matches[of_claim], cell, size * _KINDS, lost),
            Answers(*(np.bincount(cell[of], minlength=size * _KINDS) for of in answers)),
        )

    return CardSums(
        rules,
        names,
        rounds.units.shape[0],
        rounds.units.sum(axis=0),
        (rounds.units**2).sum(axis=0),
        np.bincount(players, minlength=seats + 1),
        np.bincount(players * len(OUTCOMES) + _outcomes(rounds), minlength=(seats + 1) * len(OUTCOMES)).reshape(
            seats + 1, -1
        ),
        Counter(zip(players.tolist(), rounds.lengths.tolist(), strict=True)),
        np.bincount(where * len(names) + rounds.kinds, minlength=groups * len(names)).reshape(seats + 1, seats, -1),
        _losses(rounds.matches[index], cells, groups, rounds.losers[index] == seat),
        claims(np.zeros_like(words), 1),
        claims(players[of_claim], seats + 1),
        claims(where[made], groups),
    )


def _positions(seat: Ints, index: Ints, rounds: Rounds, seats: int) -> Ints:
    """Return the positions of seats in rounds: how many players are still in from the opener on, before the seat."""
    opener, alive = rounds.openers[index], rounds.alive[index]
    clockwise = (alive | alive << seats) >> opener
    found: Ints = np.bitwise_count(clockwise & (1 << (seat - opener) % seats) - 1).astype(np.int64)
    return found


def _outcomes(rounds: Rounds) -> Ints:
    """Return the outcomes of rounds, indices of `OUTCOMES`."""
    challenged = np.where(rounds.losers == rounds.claimants, 0, 1)
    return np.where(rounds.challengers >= 0, challenged, np.where(rounds.losers < 0, 2, 3))


def _losses(matches: Ints, cells: Ints, size: int, lost: NDArray[np.bool_]) -> Losses:
    """Return the sums over rounds or claims by cell.

    Args:
        matches: int64 `[n]`, the match of each.
        cells: int64 `[n]`, the cell of each.
        size: the number of cells.
        lost: bool `[n]`, whether the round was lost.
    """
    samples, index, made = np.unique(matches * size + cells, return_inverse=True, return_counts=True)
    losses, of = np.bincount(index[lost], minlength=samples.size), samples % size

    def total(values: Ints) -> Ints:
        return np.bincount(of, values, size).astype(np.int64)  # exact below 2**53

    ones = np.ones_like(made)
    return Losses(*map(total, (made, ones, made**2, losses, losses**2, losses * made)))


def _answers(rounds: Rounds, made: Ints, of_round: Ints, names: tuple[str, ...]) -> Iterator[NDArray[np.bool_]]:
    """Yield which claims each field of `Answers` counts: bool `[claims]` each.

    Args:
        rounds: the rounds.
        made: the indices of the claims among the actions.
        of_round: the round of each action.
        names: the kinds of actions.
    """
    passes = names.index("passes") if "passes" in names else UNKNOWN
    answering = np.flatnonzero(rounds.kinds != passes)
    place = np.searchsorted(answering, made, side="right")
    answer = answering[np.minimum(place, answering.size - 1)]
    is_answered = (place < answering.size) & (of_round[answer] == of_round[made])
    is_challenged = is_answered & (rounds.kinds[answer] == CHALLENGE)
    bluffs, false = rounds.bluffs[made], rounds.false[made]
    loses = rounds.losers[of_round[made]] == rounds.seats[made]
    yield from (bluffs >= 0, bluffs == 1, false >= 0, false == 1)
    yield from (is_challenged, is_challenged & (bluffs == 1), is_answered & ~is_challenged, is_challenged & ~loses)
