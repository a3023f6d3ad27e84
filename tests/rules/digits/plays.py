"""Helpers that play hands of the digit games, given in one line or at random."""

from __future__ import annotations

from random import Random

from hypothesis import strategies as st

from liarspoker.core.session import RoundSetup
from liarspoker.games.digits.deal import DigitDeal
from liarspoker.games.digits.options import OPTIONS, DigitOptions
from liarspoker.games.digits.presets import presets
from liarspoker.games.digits.result import DigitResult
from liarspoker.games.digits.round import DigitRound
from liarspoker.games.digits.session import DigitGame, DigitSession
from liarspoker.games.digits.settlement import OUTCOMES

GAME_IDS = ("dollar-bill", "salomon-1986", "slips")
WITH_REBIDS = GAME_IDS[1:]
chances = st.integers(0, 2**32).map(Random)


def table(game_id: str, seats: int, from_slips: bool = False, /, **options: object) -> DigitSession:
    """Return a session before its first hand, dealt from bills by default."""
    found = DigitGame(presets()[game_id])
    return found.session(seats, found.options(options), from_slips)


def study(seats: int, options: DigitOptions) -> DigitSession:
    """Draw a session with any options, dealt from bills."""
    return DigitGame(presets()["salomon-1986"]).session(seats, options, from_slips=False)


def random_options(chance: Random, **fixed: object) -> DigitOptions:
    """Draw options other than the `fixed` ones; half of the time with hands of eight digits of ten."""
    chosen: dict[str, object] = {info.name: chance.choice(info.choices) for info in OPTIONS}
    if chance.random() < 0.5:
        chosen |= {"hand_size": 8, "symbols": 10}
    return DigitOptions().with_values(chosen | fixed)


def random_table(chance: Random, **fixed: object) -> DigitSession:
    """Draw a session before its first hand, dealt from bills, with any options; usually for two to five players."""
    options = random_options(chance, **fixed)
    # In the loose order, all bids below the standing one are checked; few players keep this fast.
    most = 4 if options.loose_order else chance.choice((5, 16))
    return study(chance.randint(2, most), options)


def holding(digit: int, *counts: int) -> tuple[str, ...]:
    """Return a number for each seat that contains `digit` as often as `counts` says."""
    filler = "3" if digit != 3 else "4"
    return tuple(str(digit) * count + filler * (8 - count) for count in counts)


def bid_on(session: DigitSession, actions: str) -> DigitSession:
    """Return the session after `actions` in the notation; `around` is a challenge by each of the others."""
    for word in actions.split():
        for text in ["challenge"] * (session.seats - 1) if word == "around" else [word]:
            session = session.apply(session.read(text))
    return session


def play(
    session: DigitSession,
    numbers: tuple[str, ...],
    actions: str = "",
    *,
    opener: int | None = None,
    stake: int | None = None,
) -> DigitSession:
    """Return the session after one more hand, or part of one, dealt from bills."""
    return bid_on(session.deal(DigitDeal(numbers=numbers), RoundSetup(opener, stake=stake)), actions)


def counted(session: DigitSession) -> DigitSession:
    """Return the session after the count, if the bidder may still rebid."""
    return bid_on(session, "count") if session.in_play else session


def final(session: DigitSession, numbers: tuple[str, ...], bid: str, *, stake: int | None = None) -> DigitSession:
    """Return the session after a hand in which seat 0 opens with `bid`, all challenge, and it is counted."""
    return counted(play(session, numbers, f"{bid} around", opener=0, stake=stake))


def round_of(session: DigitSession) -> DigitRound:
    """Return the hand on the table."""
    assert session.round is not None
    return session.round


def result_of(session: DigitSession) -> DigitResult:
    """Return the result of the hand just counted."""
    result = session.round_result
    assert result is not None
    return result


def outcome_of(session: DigitSession) -> str:
    """`made`, `hero`, `none` or `failed`."""
    return OUTCOMES[result_of(session).settlement.outcome]


def stake_next(session: DigitSession) -> int:
    """Return the stake of the next hand."""
    spec = session.chance_spec()
    dealt = session.deal(DigitDeal(numbers=(spec.digits[0] * spec.hand_size,) * session.seats))
    return round_of(dealt).terms.stake
