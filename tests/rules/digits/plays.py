"""Hands played in one line, for tests that read as the documents do."""

from __future__ import annotations

from liarspoker.core import catalogue
from liarspoker.core.session import RoundSetup
from liarspoker.games.digits.deal import DigitDeal
from liarspoker.games.digits.game import game
from liarspoker.games.digits.options import DigitOptions
from liarspoker.games.digits.result import DigitResult
from liarspoker.games.digits.session import DigitSession
from liarspoker.games.digits.settlement import OUTCOMES

GAME_IDS = ("dollar-bill", "salomon-1986", "slips")


def table(game_id: str, seats: int, from_slips: bool = False, /, **options: object) -> DigitSession:
    """A session before its first hand, with bills unless slips are asked for."""
    found = game(catalogue.row(game_id))
    return found.session(seats, found.options(options), from_slips)


def study(seats: int, options: DigitOptions) -> DigitSession:
    """A session of any options whatever, with bills."""
    return game(catalogue.row("salomon-1986")).session(seats, options, from_slips=False)


def holding(digit: int, *counts: int) -> tuple[str, ...]:
    """One number a seat, with as many of `digit` as `counts` says and nothing else of it."""
    filler = "3" if digit != 3 else "4"
    return tuple(str(digit) * count + filler * (8 - count) for count in counts)


def bid_on(session: DigitSession, actions: str) -> DigitSession:
    """The session after `actions`, in the notation; `around` is a challenge from everybody else."""
    for word in actions.split():
        for text in ["challenge"] * (session.seats - 1) if word == "around" else [word]:
            session = session.apply(session.read(text))
    return session


def play(
    session: DigitSession,
    numbers: tuple[str, ...],
    actions: str,
    *,
    opener: int | None = None,
    stake: int | None = None,
) -> DigitSession:
    """The session after one more hand (or the beginning of one) with bills."""
    return bid_on(session.deal(DigitDeal(numbers=numbers), RoundSetup(opener, stake=stake)), actions)


def final(session: DigitSession, numbers: tuple[str, ...], bid: str, *, stake: int | None = None) -> DigitSession:
    """The session after a hand in which seat 0 opens with `bid`, all challenge, and it is counted."""
    session = play(session, numbers, f"{bid} around", opener=0, stake=stake)
    return bid_on(session, "count") if session.in_play else session


def result_of(session: DigitSession) -> DigitResult:
    """The result of the hand just counted."""
    result = session.round_result
    assert result is not None
    return result


def outcome_of(session: DigitSession) -> str:
    """`made`, `hero`, `none` or `failed`."""
    return OUTCOMES[result_of(session).settlement.outcome]


def stake_next(session: DigitSession) -> int:
    """The stake at which the next hand would be played."""
    needs = session.chance_spec()
    dealt = session.deal(DigitDeal(numbers=(needs.digits[0] * needs.hand_size,) * session.seats))
    assert dealt.round is not None
    return dealt.round.terms.stake
