"""Random tables of the digit games in mid-hand."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

from hypothesis import strategies as st

from liarspoker.core import catalogue
from liarspoker.core.session import RoundSetup
from liarspoker.games.digits.options import DigitOptions
from liarspoker.games.digits.session import DigitSession
from tests.rules.digits.plays import random_options

PRESETS = [row.id for row in catalogue.games() if row.family == "digits"]


def new_hand(game: str, players: int, seed: int, options: DigitOptions | None = None) -> DigitSession:
    """Return a hand of bills before its first bid."""
    loaded: Any = catalogue.load(game)
    session: DigitSession = loaded.session(players, options, from_slips=False)
    return session.deal(session.chance_spec().draw(Random(seed).randrange), RoundSetup(opener=0, stake=1))


def dealt(chance: Random, options: DigitOptions | None = None) -> DigitSession:
    """Return a hand before its first bid, with any options, for two to sixteen players."""
    options = options or random_options(chance)
    # Under the loose order a bot evaluates every bid below the standing one; few players keep that fast.
    players = chance.randint(2, 4 if options.loose_order else 16)
    return new_hand("salomon-1986", players, chance.randrange(2**32), options)


def mid_hand(chance: Random, options: DigitOptions | None = None) -> DigitSession:
    """Return a hand at any point of its auction except the end."""
    session = dealt(chance, options)
    for _ in range(chance.randint(0, 20)):
        later = session.apply(leap(session, chance))
        if not later.in_play:
            break
        session = later
    return session


@st.composite
def in_play(draw: st.DrawFn, options: st.SearchStrategy[DigitOptions] | None = None) -> DigitSession:
    """Draw a hand in play with given options."""
    return mid_hand(Random(draw(st.integers(0, 2**32))), None if options is None else draw(options))


def leap(session: DigitSession, chance: Random) -> int:
    """Return a legal action: an answer, a small raise, any listed bid, or, on an endless ladder, a far higher bid."""
    legal = session.legal()
    if legal.answers and (not legal.claims or chance.random() < 0.4):
        return legal.answers[0]
    # Not under the loose order, which lists every bid up to the standing one and would never end here.
    if legal.endless and not session.setup.options.loose_order and chance.random() < 0.05:
        return legal.claims[-1] + chance.randrange(10**30)
    reach = len(legal.claims) if chance.random() < 0.1 else min(8, len(legal.claims))
    return legal.claims[chance.randrange(reach)]


def with_other_numbers(session: DigitSession, seat: int, seed: int) -> DigitSession:
    """Return the same hand, except that everyone but `seat` holds another number."""
    assert session.round is not None
    others = new_hand("salomon-1986", session.seats, seed, session.setup.options)
    assert others.round is not None
    numbers = tuple(
        own if player == seat else other
        for player, (own, other) in enumerate(zip(session.round.numbers, others.round.numbers, strict=True))
    )
    return replace(session, round=replace(session.round, numbers=numbers))
