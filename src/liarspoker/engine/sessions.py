"""The kernel of a family that doesn't provide one: the engine plays its sessions in Python.

Batches, rollouts and totals are the same as for compiled families, but run as plain Python on sessions. So a new family
works with the engine immediately, but slowly: about ten thousand actions per second instead of many millions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from functools import cache
from random import Random
from types import FunctionType
from typing import Annotated, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from liarspoker.bots.catalogue import bots, load
from liarspoker.bots.protocol import OutOfTurnBot
from liarspoker.core.session import RoundSetup, Session
from liarspoker.engine.chance import Chance, drawn, random_float
from liarspoker.engine.kernel import (
    NO_CHALLENGE,
    NO_WINNER,
    READY,
    WON,
    Array,
    Begin,
    Choice,
    Ints,
    Kernel,
    Number,
    Play,
    Show,
    Small,
    Trajectory,
    column,
    opening_seat,
)
from liarspoker.engine.lineup import Policy

ANSWERS = 16
"""How many actions are numbered after the claims: `liarspoker.core.session.Legal.answers` are between -1 and minus
this.
"""

VIEW_SIZE = 256
"""How many numbers of a view an observation holds."""

MOST_ROUNDS = 100
"""An assumed bound on the number of rounds in a match of an unknown game."""

_CONSTANT = {"game", "options", "rules", "legal"}
_NO_CLAIM = -1
_QUIET = 0
_WORD = 32

Thing = Annotated[Any, np.object_]


class Line:
    """A session, the opener of its next round, the last deal, the seat to act, and the last claim; -1 for none."""

    session: Thing
    opener: Thing
    dealt: Thing
    to_act: int
    claim: int


class Round:
    """The record of a round: its last claim and the number of its actions."""

    claims: Small
    decisions: Small


@dataclass(frozen=True, eq=False)
class SessionRules:
    """What the engine knows of a table.

    Attributes:
        seats: the number of players.
        session: a session before its first round.
        claims: all claims, the weakest first.
    """

    seats: int
    session: Session
    claims: Sequence[int]


class StreamRandom(Random):
    """Python's `Random` on top of a stream of :mod:`liarspoker.engine.chance`."""

    def __init__(self, stream: Chance) -> None:
        super().__init__(0)
        self._stream = stream

    def random(self) -> float:
        """Return a float from 0 (included) to 1 (excluded)."""
        return random_float(self._stream)

    def getrandbits(self, k: int, /) -> int:
        """Return `k` random bits."""
        words = 0
        for _ in range(-(-k // _WORD)):
            words = words << _WORD | int(drawn(self._stream)) & (1 << _WORD) - 1
        return words >> -k % _WORD


def opening_claims(session: Session) -> Sequence[int]:
    """Return the claims that can open a round, the weakest first; no others are possible in a round."""
    if not session.in_play:
        session = session.deal(session.chance_spec().draw(Random(0).randrange), RoundSetup(session.alive[0]))
    return session.legal().claims


def most_moves(claims: int, seats: int) -> int:
    """Return a bound on the number of actions in a round: each claim, and everyone's answer to it."""
    return claims * (seats + 1) + ANSWERS


def numbers_in(thing: Any) -> Iterator[float]:
    """Yield the numbers and letters of a view in order, -1 for none; fields that never change are left out."""
    if thing is None:
        yield -1
    elif isinstance(thing, bool | int | float):
        yield float(thing)
    elif isinstance(thing, str):
        yield from (int(letter) if letter.isdecimal() else ord(letter) for letter in thing)
    elif isinstance(thing, Mapping):
        yield from numbers_in(tuple(thing.values()))
    elif isinstance(thing, Sequence):
        for part in thing:
            yield from numbers_in(part)
    elif is_dataclass(thing):
        for field in fields(thing):
            if field.name not in _CONSTANT:
                yield from numbers_in(getattr(thing, field.name))


@dataclass(frozen=True)
class SessionKernel(Kernel[Any, Session, SessionRules, SessionRules, tuple[()]]):
    """A kernel whose functions work on sessions and aren't compiled."""

    is_compiled: ClassVar[bool] = False

    def runnable(
        self, function: Callable[..., Any], substitutes: Mapping[Any, Any] | None = None
    ) -> Callable[..., Any]:
        """Return the function itself, with this kernel's functions in place of the stubs."""
        from liarspoker.engine.compiling.dependencies import dependencies_of

        own = self.bound() | dict(substitutes or {})
        copies: dict[FunctionType, FunctionType] = {}

        def bound(function: FunctionType) -> FunctionType:
            if function in own.values():
                return function
            if function not in copies:
                names = dict(function.__globals__)
                copies[function] = FunctionType(function.__code__, names, function.__name__, function.__defaults__)
                names.update((name, bound(called)) for name, called in dependencies_of(function, own).calls.items())
            return copies[function]

        assert isinstance(function, FunctionType)
        run = bound(function)

        def wrapping(*arguments: Any) -> Any:
            with np.errstate(over="ignore"):  # random streams rely on integers that wrap around
                return run(*arguments)

        return wrapping


def _start(line: Any, chance: Chance, opener: int, rules: SessionRules, extra: SessionRules) -> None:
    line.session, line.opener, line.to_act, line.claim = rules.session, opener, -1, _NO_CLAIM


def _ready(line: Any, rules: SessionRules, extra: SessionRules) -> int:
    return READY if line.session.winner is None else WON


def _deal(line: Any, wide: tuple[()], chance: Chance, rules: SessionRules, extra: SessionRules) -> Session:
    line.dealt = line.session.chance_spec().draw(StreamRandom(chance).randrange)
    session: Session = line.session.deal(line.dealt, RoundSetup(line.opener))
    line.opener, line.claim = None, _NO_CLAIM
    return session


def _load(line: Any) -> Session:
    session: Session = line.session
    return session


def _store(line: Any, state: Session) -> None:
    line.session, line.to_act = state, _seat_of(state)


def _seat_of(state: Session) -> int:
    return -1 if state.to_act is None else state.to_act


def _mover(state: Session, action: int) -> int:
    seat = state.mover(int(action))
    return -1 if seat is None else seat


def _refusal(state: Session, action: int, wide: tuple[()], rules: SessionRules, extra: SessionRules) -> int:
    return state.refusal(int(action))


def _apply(
    state: Session, action: int, line: Any, wide: tuple[()], chance: Chance, rules: SessionRules, extra: SessionRules
) -> Session:
    line.claim = action if action >= 0 else line.claim
    return state.apply(int(action))


def _settle(state: Session, line: Any, rules: SessionRules, extra: SessionRules) -> None:
    _store(line, state)


def _winner(line: Any) -> int:
    return NO_WINNER if line.session.winner is None else line.session.winner


def _others_may(state: Session, rules: SessionRules) -> bool:
    return state.anyone_challenges


def _out_of_turn(state: Session, seat: int, rules: SessionRules) -> int:
    challenge = state.out_of_turn_challenge(seat)
    return NO_CHALLENGE if challenge is None else challenge


def _observe(
    state: Session,
    line: Any,
    wide: tuple[()],
    seat: int,
    made: int,
    moves: Array,
    rules: SessionRules,
    extra: SessionRules,
) -> Any:
    return state.view(seat)


def _features(
    state: Session, line: Any, wide: tuple[()], rules: SessionRules, extra: SessionRules, row: NDArray[np.float32]
) -> None:
    for place, number in zip(range(VIEW_SIZE), numbers_in(state.view(state.to_act)), strict=False):
        row[place] = number


def _note(state: Session, action: int, line: Any, wide: tuple[()], rules: SessionRules) -> None:
    """Do nothing: the view contains all actions."""


def _claim_at(column: int, extra: SessionRules) -> int:
    return extra.claims[column]


def _keep(state: Session, line: Any, made: int, result: Any, seats: Ints) -> None:
    result.claims, result.decisions = line.claim, made
    seats[:] = state.score


def _keep_deal(line: Any, wide: tuple[()], out: Array) -> None:
    out[0] = line.dealt


def _choice(game: Any, seats: int, options: Any) -> Choice:
    session = game.session(seats, options)
    return Choice(SessionRules(seats, session, opening_claims(session)), ())


def _deal_of(trajectory: Trajectory, match: int, number: int, rules: SessionRules, start: Any) -> Any:
    return trajectory.deals[match, number, 0]


def _choose(seen: Any, chance: Chance, data: Any) -> int:
    """Return a bot's action, or, out of turn, whether it challenges."""
    (bot,) = data
    random = StreamRandom(chance)
    if seen.legal.actions:
        action: int = bot(seen, random)
        return action
    return -1 if bot.challenges_out_of_turn(seen, random) else _QUIET


@cache
def session_kernel(family: str) -> SessionKernel:
    """Return the kernel of a family that doesn't provide one."""

    def policy(name: str, rules: SessionRules) -> Policy:
        bot = load(name, family)
        return Policy(_choose, (bot,), out_of_turn=isinstance(bot, OutOfTurnBot))

    return SessionKernel(
        begin=Begin(_start, _ready, _deal, _load, _store),
        play=Play(_seat_of, _mover, _refusal, _apply, _settle, _winner, _others_may, _out_of_turn),
        show=Show(_observe, _features, _note, _keep, _keep_deal),
        number=Number(lambda rules, extra: len(rules.claims), _claim_at, lambda place, state: -1 - place),
        family=family,
        kind=f"game of the family {family}",
        line=Line,
        round=Round,
        starts=(),
        choice=_choice,
        extra=lambda rules, start: rules,
        wide=lambda number, keep_deals, rules, start: (),
        actions=lambda rules: len(rules.claims) + ANSWERS,
        most_moves=lambda rules: most_moves(len(rules.claims), rules.seats),
        most_rounds=lambda rules, start: MOST_ROUNDS if rules.session.has_winner else 0,
        opener=opening_seat,
        feature_names=lambda rules: [f"view {place}" for place in range(VIEW_SIZE)],
        deal_width=lambda keep_deals, rules: 1,
        deal_type=np.object_,
        batch={"sessions": column("session")},
        rollout={},
        units=lambda trajectory: trajectory.seats[:, 0],
        read=lambda text, line, rules: line.session.read(text),
        write=lambda action, rules: rules.session.write(action),
        deal_of=_deal_of,
        policies=tuple(row.name for row in bots() if row.place_for(family)),
        policy=policy,
    )
