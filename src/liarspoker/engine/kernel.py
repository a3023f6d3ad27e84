"""What a family of games tells the engine: a `Kernel`, which is a set of plain functions and two record types.

Records store, NamedTuples compute: a round in play is one record, the `line`. The engine loads a `State` from it, a
NamedTuple of ints, works on that, and stores it again. `batch` and `rollout` are written once, over the functions at
the end of this module, which do nothing; the family's own, which `Kernel.bound` lists, are compiled in their place.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from functools import cache
from itertools import chain
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    Generic,
    NamedTuple,
    TypeVar,
    get_args,
    get_origin,
    get_type_hints,
)

import numpy as np
from numpy.typing import NDArray

from liarspoker.core import catalogue
from liarspoker.engine.chance import Chance
from liarspoker.engine.errors import CannotPlay

if TYPE_CHECKING:
    from liarspoker.engine.lineup import Policy

Ints = NDArray[np.int64]
Array = NDArray[Any]
Small = Annotated[int, np.int32]
"""The type of a record's field that is stored in 32 bits."""

READY, WON, OUTGROWN = 0, 1, 2
"""What `ready` returns: the next round can be dealt; the match is won; the stake is beyond what the engine counts."""

NO_CHALLENGE = 0
"""What `out_of_turn` returns for a seat that may not challenge now."""

NO_WINNER = -1

Line = TypeVar("Line")
State = TypeVar("State")
Rules = TypeVar("Rules")
Extra = TypeVar("Extra")
Wide = TypeVar("Wide")


class Trajectory(NamedTuple):
    """What a rollout writes down of `n` matches, at most `r` rounds each.

    Attributes:
        rounds: records `[n, r]` of the kernel's type.
        seats: int64 `[n, r, seats]`, or `[n, 1, seats]` where only the end of a match counts.
        lengths: int32 `[n]`, rounds played.
        winners: int32 `[n]`, the seat that has won the match, -1 for nobody.
        deals: `[n, r, some]` if deals are kept, else empty.
        moves: `[n, r, some, 2]` if moves are kept, seat and action; else empty.
    """

    rounds: Any
    seats: Ints
    lengths: NDArray[np.int32]
    winners: NDArray[np.int32]
    deals: Array
    moves: Array


class BatchState(NamedTuple):
    """All rounds of a batch of `n`.

    Attributes:
        lines: records `[n]` of the kernel's type.
        wide: the kernel's arrays whose size depends on the table, `[n, ...]` each.
        streams: uint64 `[n, 1]`, from which each match is dealt.
        rounds: int32 `[n]`, rounds dealt so far.
    """

    lines: Any
    wide: Any
    streams: NDArray[np.uint64]
    rounds: NDArray[np.int32]


class Choice(NamedTuple):
    """What a kernel makes of a session of the rules: everything that stays the same in all matches of a table.

    Attributes:
        rules: the options and seats as ints, as the rules read them; it has a field `seats`.
        start: what else tells tables of the same rules apart, hashable.
    """

    rules: Any
    start: Hashable


def never_others(state: Any, rules: Any) -> bool:
    """Nobody may challenge while it is another's turn."""
    return False


def no_challenge(state: Any, seat: int, rules: Any) -> int:
    """There is no challenge out of turn."""
    return NO_CHALLENGE


def open_action(action: int) -> int:
    """All see the action as it is."""
    return action


def all_of(wide: Any, index: int) -> Any:
    """The family has no arrays whose size depends on the table."""
    return wide


class Begin(NamedTuple, Generic[Line, State, Rules, Extra, Wide]):
    """Compiled functions that begin matches and rounds.

    Of all compiled functions, `line` is a record, `wide` the batch element's arrays, `extra` what `Kernel.extra` made
    for the table; none may allocate.

    Attributes:
        start: begin a match; the line is between rounds.
        ready: `READY`, `WON` or `OUTGROWN`.
        deal: deal the next round and return its state.
        load: the state that a line holds.
        store: write a state into a line.
    """

    start: Callable[[Line, Chance, int, Rules, Extra], None]
    ready: Callable[[Line, Rules, Extra], int]
    deal: Callable[[Line, Wide, Chance, Rules, Extra], State]
    load: Callable[[Line], State]
    store: Callable[[Line, State], None]


class Play(NamedTuple, Generic[Line, State, Rules, Extra, Wide]):
    """Compiled functions that play a round.

    Attributes:
        seat_of: the seat to act, -1 once the round is over.
        mover: the seat that plays this action.
        refusal: why an action may not be played, `LEGAL` if it may.
        apply: the state after a legal action.
        settle: work out what a round that is over led to, and write it into the line.
        winner: the seat that has won the match, `NO_WINNER` before that.
        others_may: whether a challenge out of turn is possible now.
        out_of_turn: the challenge of a seat whose turn it is not, `NO_CHALLENGE` if it may not.
    """

    seat_of: Callable[[State], int]
    mover: Callable[[State, int], int]
    refusal: Callable[[State, int, Wide, Rules, Extra], int]
    apply: Callable[[State, int, Line, Wide, Chance, Rules, Extra], State]
    settle: Callable[[State, Line, Rules, Extra], None]
    winner: Callable[[Line], int]
    others_may: Callable[[State, Rules], bool] = never_others
    out_of_turn: Callable[[State, int, Rules], int] = no_challenge


class Show(NamedTuple, Generic[Line, State, Rules, Extra, Wide]):
    """Compiled functions that say what a seat may know, and what a round was.

    Attributes:
        observe: what a policy may know, a NamedTuple: the observation of a seat.
        features: the same for the seat to act as a row of float32, which holds zeros.
        note: remember an action that is about to be played, for `features`.
        keep: write a round that is over, of so many actions, into a record and a row of seats of a `Trajectory`.
        keep_deal: write its deal.
        shown: an action as the whole table sees it.
    """

    observe: Callable[[State, Line, Wide, int, int, Array, Rules, Extra], Any]
    features: Callable[[State, Line, Wide, Rules, Extra, NDArray[np.float32]], None]
    note: Callable[[State, int, Line, Wide, Rules], None]
    keep: Callable[[State, Line, int, Any, Ints], None]
    keep_deal: Callable[[Line, Wide, Array], None]
    shown: Callable[[int], int] = open_action


class Number(NamedTuple, Generic[State, Rules, Extra, Wide]):
    """Compiled functions that number actions and elements.

    Attributes:
        claims_in: how many claims the mask has.
        claim_at: the claim of a column.
        answer_at: the action of a column after those of the claims.
        at: one element of `wide`.
    """

    claims_in: Callable[[Rules, Extra], int]
    claim_at: Callable[[int, Extra], int]
    answer_at: Callable[[int, State], int]
    at: Callable[[Wide, int], Wide] = all_of


@dataclass(frozen=True)
class Kernel(Generic[Line, State, Rules, Extra, Wide]):
    """A family of games for the engine.

    Attributes:
        begin, play, show, number: its compiled functions.
        family: as `GameRow.family` names it.
        kind: "digit game", for messages.
        line: the type of a round in play.
        round: the type of a round of a trajectory.
        starts: the keywords of `Table.of` that only this family has.
        choice: a game's table for so many seats, options, and these keywords.
        extra: what compiled functions read beside the rules, once for each table.
        wide: the arrays of so many elements; how many numbers of each deal are kept.
        is_finite: whether the ladder has a top.
        actions: how many columns the mask has.
        most_moves: how many actions a round may have.
        most_rounds: how many rounds a match may have; 0 where it has no end.
        opener: the seat that opens a match, from the one that is named, if any.
        feature_names: the columns of an observation.
        deal_width: how many numbers a deal is, out of what `keep_deals` asks for.
        deal_type: their type.
        move_type: the type of moves.
        each_round: whether `seats` of a trajectory is kept round by round.
        outcomes: into how many `outcomes` rounds fall; 0 where a round has no such field.
        batch: what else a `Batch` can be asked for, by name.
        rollout: what else a `Rollout` can be asked for, by name.
        units: int64 `[n, seats]`, units won by each seat in each match.
        unsummed: why units of so many rounds cannot be summed, `None` if they can.
        read: the action that a text writes, where the round stands as in a line.
        write: an action as text.
        deal_of: the deal of a round as the rules take it: of match and round of a trajectory.
        policies: the names of the bots that the engine plays as well.
        policy: one of them for a table's rules.
        substitutes: functions that stand in for others which these call in Python.
    """

    begin: Begin[Line, State, Rules, Extra, Wide]
    play: Play[Line, State, Rules, Extra, Wide]
    show: Show[Line, State, Rules, Extra, Wide]
    number: Number[State, Rules, Extra, Wide]

    family: str
    kind: str
    line: type
    round: type
    starts: tuple[str, ...]
    choice: Callable[..., Choice]
    extra: Callable[[Rules, Any], Extra]
    wide: Callable[[int, int, Rules, Any], Wide]
    actions: Callable[[Rules], int]
    most_moves: Callable[[Rules], int]
    most_rounds: Callable[[Rules, Any], int]
    opener: Callable[[int | None, Rules, Any], int]
    feature_names: Callable[[Rules], list[str]]
    deal_width: Callable[[int, Rules], int]
    batch: Mapping[str, Callable[[BatchState, Rules], Array]]
    rollout: Mapping[str, Callable[[Trajectory], Array]]
    units: Callable[[Trajectory], Ints]
    read: Callable[[str, Line, Rules], int]
    write: Callable[[int, Rules], str]
    deal_of: Callable[[Trajectory, int, int, Rules, Any], Any]
    policies: tuple[str, ...]
    policy: Callable[[str, Rules], Policy]

    deal_type: type[np.generic] = np.int64
    move_type: type[np.generic] = np.int32
    is_finite: Callable[[Rules], bool] = lambda rules: True
    each_round: bool = False
    outcomes: int = 0
    unsummed: Callable[[Rules, int], str | None] = lambda rules, rounds: None
    substitutes: Mapping[Any, Any] = field(default_factory=dict)

    def bound(self) -> dict[Any, Any]:
        """The family's functions, each by the one below in whose place it is compiled."""
        groups = (self.begin, self.play, self.show, self.number)
        return {**dict(zip(chain(*_STUBS), chain(*groups), strict=True)), **self.substitutes}

    def runnable(
        self, function: Callable[..., Any], substitutes: Mapping[Any, Any] | None = None
    ) -> Callable[..., Any]:
        """A function over the stubs below, compiled for the family.

        Args:
            function: plain Python that can be compiled.
            substitutes: what stands in for other functions.
        """
        from liarspoker.engine.compiling import compiled

        return compiled(function, self.bound() | dict(substitutes or {}))

    def lines(self, number: int) -> Any:
        """So many lines that hold zeros."""
        return np.zeros(number, record_type(self.line)).view(np.recarray)


def column(name: str) -> Callable[[BatchState, Any], Array]:
    """What reads a field of all lines of a batch."""
    return lambda state, rules: state.lines[name].copy()


def seat_column(name: str) -> Callable[[BatchState, Any], Array]:
    """What reads a field of all lines of a batch that has a number for each seat."""
    return lambda state, rules: state.lines[name][:, : rules.seats].copy()


def seat_mask(name: str) -> Callable[[BatchState, Any], Array]:
    """What reads a field of all lines of a batch that is a mask of seats, as bool `[n, seats]`."""
    return lambda state, rules: (state.lines[name][:, None] >> np.arange(rules.seats) & 1).astype(bool)


def match_units(kept: Trajectory) -> Ints:
    """int64 `[n, seats]`: the winner has one unit from every other; nobody has any before the end."""
    seats = kept.seats.shape[2]
    won = kept.winners[:, None] == np.arange(seats)
    found: Ints = np.where(kept.winners[:, None] < 0, 0, np.where(won, seats - 1, -1))
    return found


def opening_seat(named: int | None, rules: Any, start: Any) -> int:
    """The seat that opens a match in which all seats play.

    Raises:
        CannotPlay: there is no such seat.
    """
    if named is not None and not 0 <= named < rules.seats:
        raise CannotPlay(f"opener: {named} is none of 0 to {rules.seats - 1}")
    return named or 0


@cache
def record_type(kind: type) -> np.dtype[Any]:
    """The record type of a class's annotations: `int`, `Small`, or `Annotated[Ints, length]` for that many int64.

    >>> class Pair(NamedTuple):
    ...     left: int
    ...     right: Annotated[Ints, 3]
    >>> record_type(Pair).itemsize
    32
    """
    columns: list[Any] = []
    for name, hint in get_type_hints(kind, include_extras=True).items():
        assert not hasattr(np.record, name), f"{name}: every record has an attribute of this name"
        about = get_args(hint)[1] if get_origin(hint) is Annotated else None
        columns.append((name, np.int64, (about,)) if isinstance(about, int) else (name, about or np.int64))
    return np.dtype(columns, align=True)


def kernel_for(game: str) -> Kernel[Any, Any, Any, Any, Any]:
    """The kernel of the family of a game of the catalogue.

    Raises:
        UnknownGame: there is no such game.
    """
    return kernel_of(catalogue.row(game).family)


def kernel_of(family: str) -> Kernel[Any, Any, Any, Any, Any]:
    """The kernel of a family of games, as `GameRow.family` names it; of one that brings none, that of its sessions."""
    kernel = catalogue.family(family).kernel()
    if kernel is None:
        from liarspoker.engine.sessions import session_kernel

        return session_kernel(family)
    return kernel


def _stub(name: str) -> Any:
    """A function in whose place that of a kernel is compiled; see `Kernel` for what it does."""

    def stub(*arguments: Any) -> Any:
        raise NotImplementedError(name)

    stub.__name__ = name
    return stub


_STUBS = tuple(tuple(map(_stub, group._fields)) for group in (Begin, Play, Show, Number))
(
    (start, ready, deal, load, store),
    (seat_of, mover, refusal, apply, settle, winner, others_may, out_of_turn),
    (observe, features, note, keep, keep_deal, shown),
    (claims_in, claim_at, answer_at, at),
) = _STUBS
