"""The interface between a family of games and the engine: a :class:`Kernel` of plain functions and two record types.

A round in play is stored as one record, the `line`. To compute, the engine loads a `State` from it, a NamedTuple of
ints, and stores it again afterwards. `batch` and `rollout` are written once, in terms of the stub functions at the end
of this module. For each family, its own functions, from :meth:`Kernel.bound`, are compiled in place of the stubs.
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
    ClassVar,
    Generic,
    NamedTuple,
    TypeVar,
    get_args,
    get_origin,
    get_type_hints,
)

import numpy as np
from numpy.typing import NDArray

from liarspoker.bots.network_bot import FROM_FILE
from liarspoker.core import catalogue
from liarspoker.engine.chance import Chance
from liarspoker.engine.running import check_range

if TYPE_CHECKING:
    from liarspoker.engine.lineup import Policy
    from liarspoker.engine.networks import Inputs

Ints = NDArray[np.int64]
"""An int64 array."""
Array = NDArray[Any]
"""An array of any dtype."""
Small = Annotated[int, np.int32]
"""The type of a record field that is stored in 32 bits."""

READY, WON, OUTGROWN = 0, 1, 2
"""What `ready` returns: the next round can be dealt; the match is won; the stake is beyond what the engine counts."""

NO_CHALLENGE = 0
"""What `out_of_turn` returns for a seat that may not challenge now."""

NO_WINNER = -1
"""What `winner` returns before a match is won."""

Line = TypeVar("Line")
State = TypeVar("State")
Rules = TypeVar("Rules")
Extra = TypeVar("Extra")
Wide = TypeVar("Wide")


class Trajectory(NamedTuple):
    """What a rollout records of n matches with at most r rounds each.

    Attributes:
        rounds: records `[n, r]` of the kernel's type `round`.
        seats: int64 `[n, r, seats]`, or `[n, 1, seats]` if only the end of a match is recorded.
        lengths: int32 `[n]`, the number of rounds played.
        winners: int32 `[n]`, the seat that has won the match, -1 for nobody.
        deals: `[n, r, deal width]` if deals are recorded, else empty.
        moves: `[n, r, moves, 2]` if moves are recorded, seat and action; else empty.
    """

    rounds: Any
    seats: Ints
    lengths: NDArray[np.int32]
    winners: NDArray[np.int32]
    deals: Array
    moves: Array


class BatchState(NamedTuple):
    """The state of a batch of n matches.

    Attributes:
        lines: records `[n]` of the kernel's type `line`.
        wide: the kernel's arrays whose size depends on the table, `[n, ...]` each.
        streams: uint64 `[n, 1]`, the random streams from which the matches are dealt.
        rounds: int32 `[n]`, the number of rounds dealt so far.
    """

    lines: Any
    wide: Any
    streams: NDArray[np.uint64]
    rounds: NDArray[np.int32]


class Choice(NamedTuple):
    """A table as a kernel sees it: everything that is the same in all its matches.

    Attributes:
        rules: the options and the number of seats as ints, as the rules read them; it has a field `seats`.
        start: what else distinguishes tables with the same rules; hashable.
    """

    rules: Any
    start: Hashable


def never_others(state: Any, rules: Any) -> bool:
    """Return false: no one may challenge out of turn."""
    return False


def no_challenge(state: Any, seat: int, rules: Any) -> int:
    """Return `NO_CHALLENGE`: there is no challenge out of turn."""
    return NO_CHALLENGE


def open_action(action: int) -> int:
    """Return the action: it is fully public."""
    return action


def all_of(wide: Any, index: int) -> Any:
    """Return `wide` itself: the family has no arrays whose size depends on the table."""
    return wide


class Begin(NamedTuple, Generic[Line, State, Rules, Extra, Wide]):
    """Compiled functions that begin matches and rounds.

    In all compiled functions, `line` is a record, `wide` holds the arrays of one batch element, and `extra` is the
    result of `Kernel.extra` for the table. None of them may allocate memory.

    Attributes:
        start: begin a match; afterwards the line is between rounds.
        ready: return `READY`, `WON` or `OUTGROWN`.
        deal: deal the next round and return its state.
        load: return the state that a line holds.
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
        seat_of: return the seat to act, -1 once the round is over.
        mover: return the seat that plays this action.
        refusal: return why an action isn't legal, `LEGAL` if it is.
        apply: return the state after a legal action.
        settle: compute the result of a round that is over, and write it into the line.
        winner: return the seat that has won the match, `NO_WINNER` if none has.
        others_may: return whether a challenge out of turn is possible now.
        out_of_turn: return the challenge of a seat that isn't to act, `NO_CHALLENGE` if it may not challenge.
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
    """Compiled functions that return what a seat may know, and record what happened.

    Attributes:
        observe: return what a policy may know: the family's observation of a seat, a NamedTuple.
        features: write the same for the seat to act into a row of float32, which holds zeros.
        note: remember an action that is about to be played, for `features`.
        keep: write the result of a finished round, with its number of actions, into a record and a row of seats of a
            :class:`Trajectory`.
        keep_deal: write its deal.
        shown: return the part of an action that is public.
    """

    observe: Callable[[State, Line, Wide, int, int, Array, Rules, Extra], Any]
    features: Callable[[State, Line, Wide, Rules, Extra, NDArray[np.float32]], None]
    note: Callable[[State, int, Line, Wide, Rules], None]
    keep: Callable[[State, Line, int, Any, Ints], None]
    keep_deal: Callable[[Line, Wide, Array], None]
    shown: Callable[[int], int] = open_action


class Number(NamedTuple, Generic[State, Rules, Extra, Wide]):
    """Compiled functions that number actions and batch elements.

    Attributes:
        claims_in: return the number of claims in the action mask.
        claim_at: return the claim of a column.
        answer_at: return the action of a column after those of the claims.
        at: return one batch element of `wide`.
    """

    claims_in: Callable[[Rules, Extra], int]
    claim_at: Callable[[int, Extra], int]
    answer_at: Callable[[int, State], int]
    at: Callable[[Wide, int], Wide] = all_of


@dataclass(frozen=True)
class Kernel(Generic[Line, State, Rules, Extra, Wide]):
    """A family of games, as the engine plays it.

    Attributes:
        begin, play, show, number: its compiled functions.
        family: its name, as in :class:`GamePreset.family <liarspoker.core.catalogue.GamePreset>`.
        kind: what its games are called in messages, such as "digit game".
        line: the type of a round in play.
        round: the type of a round of a trajectory.
        starts: the keywords of :meth:`Table.of <liarspoker.engine.table.Table.of>` that only this family has.
        choice: returns the :class:`Choice` for a game, the number of seats, options, and these keywords.
        extra: returns what compiled functions read in addition to the rules; called once per table.
        wide: returns the arrays for a number of batch elements and a number of recorded cards per deal.
        is_finite: returns whether the ladder has a top.
        actions: returns the number of columns of the action mask.
        most_moves: returns the maximum number of actions in a round.
        most_rounds: returns the maximum number of rounds in a match; 0 if there is none.
        opener: returns the seat that opens a match, given the requested one, if any.
        feature_names: returns the names of the columns of an observation.
        deal_width: returns how many numbers a recorded deal consists of, given `keep_deals`.
        deal_type: the dtype of deals.
        move_type: the dtype of moves.
        each_round: whether `seats` of a trajectory is recorded for each round.
        outcomes: the number of different outcomes of a round; 0 if rounds have no field `outcomes`.
        batch: further attributes of a `Batch`, by name.
        rollout: further attributes of a `Rollout`, by name.
        units: returns the units won by each seat in each match, int64 `[n, seats]`.
        unsummed: returns why the units of this many rounds can't be summed, `None` if they can.
        read: returns the action of a text, for the round in a line.
        write: returns an action as text.
        deal_of: returns the deal of a round in the form that the rules take, given the match and the round of a
            trajectory.
        policies: the names of the bots that the engine can play.
        policy: returns the policy of a bot for a table's rules.
        networks: returns how networks see these games, if they can be trained for them; then `policy` also takes `net:`
            and the file of a network.
        substitutes: replacements for functions that the functions above call in Python.
        is_compiled: whether `runnable` compiles.
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
    networks: Callable[[], Inputs] | None = None
    is_finite: Callable[[Rules], bool] = lambda rules: True
    each_round: bool = False
    outcomes: int = 0
    unsummed: Callable[[Rules, int], str | None] = lambda rules, rounds: None
    substitutes: Mapping[Any, Any] = field(default_factory=dict)
    is_compiled: ClassVar[bool] = True

    def bound(self) -> dict[Any, Any]:
        """Return the family's functions, each keyed by the stub in whose place it is compiled."""
        groups = (self.begin, self.play, self.show, self.number)
        return {**dict(zip(chain(*_STUBS), chain(*groups), strict=True)), **self.substitutes}

    def has_policy(self, name: str) -> bool:
        """Return whether `policy` takes the name of a bot."""
        return name in self.policies or (self.networks is not None and name.startswith(FROM_FILE))

    def runnable(
        self, function: Callable[..., Any], substitutes: Mapping[Any, Any] | None = None
    ) -> Callable[..., Any]:
        """Compile a function that calls the stubs below for this family.

        Args:
            function: plain Python that can be compiled.
            substitutes: replacements for other functions.
        """
        from liarspoker.engine.compiling import compiled

        return compiled(function, self.bound() | dict(substitutes or {}))

    def lines(self, number: int) -> Any:
        """Return a number of lines that hold zeros."""
        return np.zeros(number, record_type(self.line)).view(np.recarray)


def column(name: str) -> Callable[[BatchState, Any], Array]:
    """Return a function that reads a field of all lines of a batch."""
    return lambda state, rules: state.lines[name].copy()


def seat_column(name: str) -> Callable[[BatchState, Any], Array]:
    """Return a function that reads a field with one number per seat from all lines of a batch."""
    return lambda state, rules: state.lines[name][:, : rules.seats].copy()


def seat_mask(name: str) -> Callable[[BatchState, Any], Array]:
    """Return a function that reads a field that is a bit mask of seats from all lines of a batch: bool `[n, seats]`."""
    return lambda state, rules: (state.lines[name][:, None] >> np.arange(rules.seats) & 1).astype(bool)


def match_units(trajectory: Trajectory) -> Ints:
    """Return one unit from every other seat for the winner of each match, 0 before the end: int64 `[n, seats]`."""
    seats = trajectory.seats.shape[2]
    won = trajectory.winners[:, None] == np.arange(seats)
    found: Ints = np.where(trajectory.winners[:, None] < 0, 0, np.where(won, seats - 1, -1))
    return found


def opening_seat(named: int | None, rules: Any, start: Any) -> int:
    """Return the seat that opens a match in which all seats play.

    Raises:
        CannotPlay: the seat is out of range.
    """
    if named is None:
        return 0
    check_range("opener", named, 0, rules.seats - 1)
    return named


@cache
def record_type(kind: type) -> np.dtype[Any]:
    """Return the record dtype of a class's annotations: `int`, `Small`, or `Annotated[Ints, length]` for an array.

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
    """Return the kernel of the family of a game.

    Raises:
        UnknownGame: there is no such game.
    """
    return kernel_of(catalogue.preset(game).family)


def kernel_of(family: str) -> Kernel[Any, Any, Any, Any, Any]:
    """Return the kernel of a family of games; if it has none, a kernel that plays its sessions in Python."""
    kernel = catalogue.family(family).kernel()
    if kernel is None:
        from liarspoker.engine.sessions import session_kernel

        return session_kernel(family)
    return kernel


def _stub(name: str) -> Any:
    """Return a function in whose place that of a kernel is compiled; see `Kernel` for what each one does."""

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
