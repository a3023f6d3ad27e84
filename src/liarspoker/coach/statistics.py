"""Statistics of many hands: what each position and each level of bids wins, and how it is played.

They come from hands between bots, played by the engine (:func:`hand_statistics`), or from a record
(:func:`record_statistics`). They are sums, so those of tables with the same rules can be added. What is counted is up
to the family of the game, in its module `statistics`; :class:`Statistics` is for digit games.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import add
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from liarspoker.bots.tally import Tally, WinTally
from liarspoker.core import catalogue
from liarspoker.engine.errors import CannotPlay
from liarspoker.engine.kernel import Array, Ints
from liarspoker.engine.lineup import Policy
from liarspoker.engine.rollout import MOST_ACTIONS, Rollout, play
from liarspoker.engine.running import check_range
from liarspoker.engine.table import Table
from liarspoker.games.digits.auction import CHALLENGE
from liarspoker.games.digits.hands import HIDDEN, count_of, packed_counts
from liarspoker.games.digits.ladder import claim_of, digit_of, level_of, rank_of
from liarspoker.games.digits.options import Rules
from liarspoker.games.digits.result import DigitResult
from liarspoker.games.digits.round import DigitRound
from liarspoker.games.digits.session import DigitSession
from liarspoker.games.digits.settlement import FAILED, OUTCOMES
from liarspoker.language import _
from liarspoker.records import Replay

BLOCK = 1 << 26
"""The most bytes of recorded actions in a block of hands, 64 MiB."""

LONGEST_BLOCK = 1 << 15
"""The most hands in a block."""

BID, CHALLENGED, REBID, COUNTED = range(4)
ACTIONS = ("bids", "challenges", "rebids", "counts")
"""The kinds of actions, the columns of `Statistics.actions`."""

_UNKNOWN = -1


class FamilyStatistics(Protocol):
    """How the hands or rounds of a family of games are counted: `STATISTICS` in its module `statistics`.

    Its sums can be added if the rules are the same. They have `played`, the number of hands, or of matches in a game
    with a winner, `dealt`, the number of hands or rounds, and `report()`, which returns the figures with the names that
    `liarspoker report --json` gives them.
    """

    @property
    def legend(self) -> str:
        """What the columns of `lines` mean."""

    def blocks(
        self, table: Table, number: int, seed: int, policies: Sequence[Policy | str], *, threads: int = 1
    ) -> Iterator[Any]:
        """Yield the sums of each block of hands or matches; see :func:`hand_statistics`."""

    def of_record(self, replay: Replay) -> Any:
        """Return the sums of a record of the family; see :func:`record_statistics`."""

    def lines(self, table: Mapping[str, Any], heading: Callable[[str], str]) -> Iterator[str]:
        """Yield figures as text, without a title; nothing if there are none.

        Args:
            table: the figures from `report()`.
            heading: returns a heading as the terminal shows it.
        """


def statistics_of(game: str) -> FamilyStatistics:
    """Return how the hands or rounds of a game are counted.

    Raises:
        UnknownGame: there is no such game.
        CannotPlay: they aren't.
    """
    found = catalogue.family(catalogue.preset(game).family).statistics()
    if found is None:
        raise CannotPlay(_("{game}: there are no statistics of this game", game=game))
    return found


class Hands(NamedTuple):
    """Counted hands at tables with the same rules.

    Attributes:
        moves: int `[hands, most_actions, 2]`, seat and action, in order.
        lengths: int `[hands]`, the number of actions; what follows them in `moves` isn't read.
        openers: int `[hands]`, the seat that opened.
        units: int64 `[hands, seats]`, units won by each seat, at stake 1.
        outcomes: int `[hands]`, indices of :data:`~liarspoker.games.digits.settlement.OUTCOMES`.
        counts: int8 `[hands, seats, symbols]`, how many of each digit each seat holds, the lowest digit of the game's
            order first; -1 if unknown.
    """

    moves: Array
    lengths: Array
    openers: Array
    units: Ints
    outcomes: Array
    counts: NDArray[np.int8]


class Levels(NamedTuple):
    """Sums over the bids of each level; index i is level i + 1. The last level also has all higher ones.

    Attributes:
        bids: int64 `[levels]`, the number of bids.
        samples: int64 `[levels]`, the number of hands with such a bid.
        lengths: int64 `[levels]`, the sum over these hands of the squared number of such bids.
        won: int64 `[levels]`, units that the bidders won in these hands, once for each bid.
        squares: int64 `[levels]`, the sum over these hands of the squares of that.
        products: int64 `[levels]`, the sum over these hands of that times the number of such bids.
        known: int64 `[levels]`, the number of bids whose bidder's count of the digit is known.
        held: int64 `[levels]`, how many of the digit these bidders held.
        bluffs: int64 `[levels]`, the number of bids that are known to be bluffs; see :class:`Statistics`.
        challenged: int64 `[levels]`, the number of bids that the next player challenged.
        counted: int64 `[levels]`, the number of final bids.
        stood: int64 `[levels]`, the number of final bids that didn't fail.
        counted_won: int64 `[levels]`, units that the bidders won with final bids.
        counted_squares: int64 `[levels]`, the sum of their squares.
    """

    bids: Ints
    samples: Ints
    lengths: Ints
    won: Ints
    squares: Ints
    products: Ints
    known: Ints
    held: Ints
    bluffs: Ints
    challenged: Ints
    counted: Ints
    stood: Ints
    counted_won: Ints
    counted_squares: Ints

    def __add__(self, other: Levels) -> Levels:  # type: ignore[override]  # not the fields of both, one after the other
        return Levels(*map(np.add, self, other))


@dataclass(frozen=True, slots=True, eq=False)
class Statistics:
    """Sums over many hands at tables with the same rules. Units are those at stake 1.

    A position is the distance from the opener, clockwise; 0 is the opener. A bid is a bluff if its bidder holds fewer
    of its digit than an average hand, `hand_size / symbols`; so a bid of a digit that one doesn't hold always is one.

    Attributes:
        rules: the rules of the tables.
        hands: the number of hands.
        won: int64 `[seats]`, units won by each position; they sum to 0.
        squares: int64 `[seats]`, the sum of the squared winnings per hand.
        actions: int64 `[seats, 4]`, the number of actions of each position, by kind, the columns of
            :data:`~liarspoker.coach.statistics.ACTIONS`. A rebid isn't counted among the bids.
        levels: the sums by the level of a bid, rebids included.
        levels_by_position: the same for the bids of each position.
        outcomes: int64 `[4]`, hands by outcome: see :data:`~liarspoker.games.digits.settlement.OUTCOMES`.
        lengths: the number of hands with each number of actions.
    """

    rules: Rules
    hands: int
    won: Ints
    squares: Ints
    actions: Ints
    levels: Levels
    levels_by_position: tuple[Levels, ...]
    outcomes: Ints
    lengths: Counter[int]

    def __add__(self, other: Statistics) -> Statistics:
        if self.rules != other.rules:
            raise ValueError("statistics of tables with different rules can't be added")
        return Statistics(
            self.rules,
            self.hands + other.hands,
            self.won + other.won,
            self.squares + other.squares,
            self.actions + other.actions,
            self.levels + other.levels,
            tuple(map(add, self.levels_by_position, other.levels_by_position)),
            self.outcomes + other.outcomes,
            self.lengths + other.lengths,
        )

    @property
    def played(self) -> int:
        """The number of hands."""
        return self.hands

    @property
    def dealt(self) -> int:
        """The number of hands."""
        return self.hands

    def report(self) -> dict[str, Any]:
        """Return the figures with the names that `liarspoker report --json` gives them."""
        return {
            "players": self.rules.seats,
            "hands": self.hands,
            "expectation": expectation(self.rules),
            "actions": int(self.actions.sum()),
            "lengths": {str(length): hands for length, hands in sorted(self.lengths.items())},
            "outcomes": dict(zip(OUTCOMES, self.outcomes.tolist(), strict=True)),
            "positions": [self._position(position) for position in range(self.rules.seats)],
            "levels": self._levels(self.levels),
        }

    def _position(self, position: int) -> dict[str, Any]:
        """Return the figures of a position."""
        won, squares = int(self.won[position]), int(self.squares[position])
        units = mean(self.hands, self.hands, self.hands, won, squares, won)
        return {
            "position": position,
            "units_per_hand": units,
            **dict(zip(ACTIONS, self.actions[position].tolist(), strict=True)),
            "levels": self._levels(self.levels_by_position[position]),
        }

    def _levels(self, levels: Levels) -> list[dict[str, Any]]:
        """Return the figures of each level that was bid."""
        return [self._level(levels, index) for index in np.flatnonzero(levels.bids).tolist()]

    def _level(self, levels: Levels, index: int) -> dict[str, Any]:
        """Return the figures of a level."""
        one = {name: int(sums[index]) for name, sums in levels._asdict().items()}
        counted, won = one["counted"], one["counted_won"]
        clustered = (one[name] for name in ("bids", "samples", "lengths", "won", "squares", "products"))
        return {
            "level": index + 1,
            "above_expectation": index + 1 - expectation(self.rules),
            "bids": one["bids"],
            "units": mean(*clustered),
            "known": one["known"],
            "held": one["held"] / one["known"] if one["known"] else None,
            "bluffs": one["bluffs"],
            "challenged": one["challenged"],
            "counted": counted,
            "stood": one["stood"],
            "stood_interval": WinTally(counted, 0, 0, (one["stood"],)).win_interval(0),
            "counted_units": mean(counted, counted, counted, won, one["counted_squares"], won),
        }


def expectation(rules: Rules) -> float:
    """Return how many of a digit all hands together hold on average."""
    return rules.hand_size * rules.seats / rules.symbols


def mean(number: int, samples: int, lengths: int, won: int, squares: int, products: int) -> dict[str, float | None]:
    """Return the mean per bid or hand, and half the width of its 95% confidence interval; `None` if unknown."""
    tally = Tally(number, 0, samples, lengths, (won,), (squares,), (products,), ())
    mean, half_width = tally.units_per_hand(0)
    return {"mean": mean if number else None, "half_width": half_width}


def hand_statistics(
    table: Table, hands: int, seed: int, policies: Sequence[Policy | str] = ("uniform",), *, threads: int = 1
) -> Any:
    """Play single hands at stake 1, or whole matches of a card game, and return their statistics.

    Player i of the lineup sits in seat (i + the hand's number) mod players, and seat 0 opens. The result depends only
    on the table, the number of hands, the policies and the seed, not on the number of threads.

    Args:
        table: the table; the ladder of a digit game must have a top.
        hands: the number of hands, or of matches of a card game, 1 or more.
        seed: of all random numbers; any int.
        policies: one for each player; the last one also plays for all remaining players.
        threads: the number of threads, 1 or more.

    Returns:
        :class:`Statistics` of a digit game, :class:`~liarspoker.games.cards.statistics_sums.CardSums` of a card game.

    Raises:
        CannotPlay: the game has no statistics, an argument is out of range, or there is no policy of this name.

    >>> found = hand_statistics(Table.of("salomon-1986", seats=3), 1000, seed=1986)
    >>> found.hands, int(found.won.sum()), found.report()["positions"][0]["challenges"]
    (1000, 0, 888)
    >>> found = hand_statistics(Table.of("thorin", seats=3), 1000, seed=1986)
    >>> found.matches, found.dealt, int(found.won.sum())
    (1000, 2000, 0)
    """
    first, *others = blocks(table, hands, seed, policies, threads=threads)
    return sum(others, first)


def blocks(table: Table, hands: int, seed: int, policies: Sequence[Policy | str], *, threads: int = 1) -> Iterator[Any]:
    """Yield the statistics of each block of hands; see :func:`hand_statistics`, which adds them."""
    yield from statistics_of(table.game).blocks(table, hands, seed, policies, threads=threads)


def digit_blocks(
    table: Table, hands: int, seed: int, policies: Sequence[Policy | str], *, threads: int = 1
) -> Iterator[Statistics]:
    """Yield the statistics of each block of hands of a digit game; see :func:`hand_statistics`."""
    check_range("hands", hands, 1, 1 << 40)
    table.actions  # noqa: B018  # raises an error for a ladder without a top
    moves = min(table.most_moves, MOST_ACTIONS)
    block = max(1, min(LONGEST_BLOCK, BLOCK // (moves * 2 * np.dtype(table.kernel.move_type).itemsize)))
    for first in range(0, hands, block):
        size = min(block, hands - first)
        played = play(
            table,
            size,
            seed,
            policies,
            rounds=1,
            first=first,
            rotate=True,
            threads=min(threads, size),
            keep_deals=1,
            keep_moves=moves,
        )
        yield summed(hands_in(played), table.rules)


def hands_in(rollout: Rollout) -> Hands:
    """Return the hands of a rollout of a digit game, in which all actions and deals were recorded."""
    rules, seats = rollout.table.rules, rollout.table.rules.seats
    lengths = rollout.decisions.ravel()
    moves = rollout.moves.reshape(lengths.size, -1, 2)[:, : int(lengths.max())]
    numbers = rollout.trajectory.deals.reshape(-1, seats)
    counts = np.zeros((lengths.size, seats, rules.symbols), np.int8)
    hands, of_digit = np.arange(lengths.size), np.array([rank_of(digit, rules) for digit in range(10)])
    for seat in range(seats):
        for place in range(rules.hand_size):
            counts[hands, seat, of_digit[numbers[:, seat] >> 4 * place & 15]] += 1
    units = rollout.payoffs.reshape(-1, seats) // rollout.stakes.reshape(-1, 1)
    return Hands(moves, lengths, rollout.openers.ravel(), units, rollout.outcomes.ravel(), counts)


def record_statistics(replay: Replay) -> Any:
    """Return the statistics of the counted hands, or the finished rounds, of a record.

    In digit games, payoffs are divided by the stake of the hand. Of a seat whose number is hidden, only the count of
    the final bid's digit is known, and whether a bid of another digit was a bluff isn't. For card games see
    :meth:`liarspoker.games.cards.statistics.CardStatistics.of_record`.

    Returns:
        :class:`Statistics` of a digit game, :class:`~liarspoker.games.cards.statistics_sums.CardSums` of a card game.

    Raises:
        CannotPlay: the record isn't valid from the start, or its game has no statistics.

    >>> from liarspoker.records import read_toml
    >>> record = '''
    ... lpn = 1
    ... game = "dollar-bill"
    ... players = ["Ann", "Bob"]
    ... [[rounds]]
    ... deal = ["06742088", "92859819"]
    ... actions = ["2x8", "4x8", "challenge"]
    ... '''
    >>> found = record_statistics(read_toml(record))
    >>> found.hands, found.won.tolist(), found.levels.bids[:4].tolist(), found.levels.stood[3]
    (1, [-1, 1], [0, 1, 0, 1], np.int64(1))
    """
    if replay.game is None or replay.start is None:
        raise CannotPlay(_("{game}: there are no statistics of this game", game=replay.named))
    return statistics_of(replay.game.preset.id).of_record(replay)


def digit_record_statistics(replay: Replay) -> Statistics:
    """Return the statistics of the counted hands of a record of a digit game; see :func:`record_statistics`."""
    assert isinstance(replay.start, DigitSession)
    rules = replay.start.setup.rules
    counted = [
        (one.round, one.round_result)
        for one in replay.rounds
        if isinstance(one, DigitSession) and one.round is not None and one.round_result is not None
    ]
    lengths = np.array([len(hand.moves) for hand, _result in counted], np.int64)
    moves = np.zeros((len(counted), int(lengths.max(initial=0)), 2), np.int64)
    for place, (hand, _result) in enumerate(counted):
        moves[place, : lengths[place]] = [(seat, _capped(action, rules)) for seat, action in hand.moves]
    units = [[units // result.stake for units in result.payoffs] for _hand, result in counted]
    return summed(
        Hands(
            moves,
            lengths,
            np.array([result.opener for _hand, result in counted], np.int64),
            np.array(units, np.int64).reshape(-1, rules.seats),
            np.array([result.settlement.outcome for _hand, result in counted], np.int64),
            np.array([_known_counts(*one) for one in counted], np.int8).reshape(-1, rules.seats, rules.symbols),
        ),
        rules,
    )


def _capped(action: int, rules: Rules) -> int:
    """Return an action; for a bid of more digits than are on the table, which no cap forbids, the lowest such bid."""
    most = rules.hand_size * rules.seats + 1
    return claim_of(most, digit_of(action, rules), rules) if action >= 0 and level_of(action, rules) > most else action


def _known_counts(hand: DigitRound, result: DigitResult) -> list[list[int]]:
    """Return how many of each digit each seat holds; -1 if unknown."""
    rules, digit = hand.rules, digit_of(result.final_claim, hand.rules)
    found = []
    for number, count in zip(hand.numbers, result.counts, strict=True):
        packed = packed_counts(number)
        known = [
            _UNKNOWN if HIDDEN in number else count_of(packed, digit_of(rank, rules)) for rank in range(rules.symbols)
        ]
        known[rank_of(digit, rules)] = count
        found.append(known)
    return found


def summed(hands: Hands, rules: Rules) -> Statistics:
    """Return the statistics of hands."""
    seats = rules.seats
    hand, place = np.nonzero(np.arange(hands.moves.shape[1]) < hands.lengths[:, None])
    seat, action = hands.moves[hand, place, 0].astype(np.int64), hands.moves[hand, place, 1].astype(np.int64)
    bids = np.flatnonzero(action >= 0)
    kinds = np.where(action == CHALLENGE, CHALLENGED, COUNTED)
    # Only a bidder who was challenged all around raises their own bid.
    again = (np.diff(hand[bids], prepend=-1) == 0) & (np.diff(seat[bids], prepend=-1) == 0)
    kinds[bids] = np.where(again, REBID, BID)
    positions = (seat - hands.openers[hand]) % seats
    by_position = np.take_along_axis(hands.units, (hands.openers[:, None] + np.arange(seats)) % seats, axis=1)
    index, last = positions[bids], np.diff(hand[bids], append=hands.lengths.size) != 0
    made = hand[bids], seat[bids], action[bids], action[bids + 1] == CHALLENGE, last
    return Statistics(
        rules,
        hands.lengths.size,
        by_position.sum(axis=0),
        (by_position**2).sum(axis=0),
        np.bincount(positions * len(ACTIONS) + kinds, minlength=seats * len(ACTIONS)).reshape(seats, -1),
        _by_level(hands, rules, *made),
        tuple(_by_level(hands, rules, *(each[index == position] for each in made)) for position in range(seats)),
        np.bincount(hands.outcomes, minlength=len(OUTCOMES)),
        Counter(hands.lengths.tolist()),
    )


def _by_level(
    hands: Hands,
    rules: Rules,
    hand: Ints,
    seat: Ints,
    claim: Ints,
    challenged: NDArray[np.bool_],
    final: NDArray[np.bool_],
) -> Levels:
    """Return the sums over some bids by level.

    Args:
        hands: the hands.
        rules: the rules of the tables.
        hand: int64 `[bids]`, the index of the hand of each bid, ascending.
        seat: int64 `[bids]`, who made it.
        claim: int64 `[bids]`, its number.
        challenged: bool `[bids]`, whether the next player challenged.
        final: bool `[bids]`, whether it was the final bid.
    """
    size = rules.hand_size * rules.seats + 1 - rules.capped
    ladder = range(size * rules.symbols)
    index = np.array([level_of(bid, rules) - 1 for bid in ladder])[claim]
    ranks = np.array([rank_of(digit_of(bid, rules), rules) for bid in ladder])
    held = hands.counts[hand, seat, ranks[claim]].astype(np.int64)
    units, known = hands.units[hand, seat], held >= 0
    stood = final & (hands.outcomes[hand] != FAILED)

    def number(of: NDArray[np.bool_]) -> Ints:
        return np.bincount(index[of], minlength=size)

    def total(values: Ints, of: NDArray[np.bool_]) -> Ints:
        return np.bincount(index[of], values[of], size).astype(np.int64)  # exact below 2**53

    # The bids of one level in one hand depend on each other, so they are one sample.
    cells = hand * size + index
    made = np.bincount(cells, minlength=hands.lengths.size * size).reshape(-1, size)
    won = np.bincount(cells, units, hands.lengths.size * size).astype(np.int64).reshape(-1, size)
    return Levels(
        bids=made.sum(axis=0),
        samples=(made > 0).sum(axis=0),
        lengths=(made**2).sum(axis=0),
        won=won.sum(axis=0),
        squares=(won**2).sum(axis=0),
        products=(won * made).sum(axis=0),
        known=number(known),
        held=total(held, known),
        bluffs=number(known & (held * rules.symbols < rules.hand_size)),
        challenged=number(challenged),
        counted=number(final),
        stood=number(stood),
        counted_won=total(units, final),
        counted_squares=total(units**2, final),
    )
