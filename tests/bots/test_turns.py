"""Challenges out of turn: which seats are asked, and when; and the bots that make them."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liarspoker.bots import catalogue as bots
from liarspoker.bots.contest import Contest, totals
from liarspoker.bots.protocol import first_challenge
from liarspoker.bots.uniform import uniform
from liarspoker.core import catalogue
from liarspoker.core.cards.deck import read_joined_cards
from liarspoker.core.errors import LEGAL
from liarspoker.core.session import RoundSetup
from liarspoker.games.queen_annes.round import QueenAnnesDeal
from liarspoker.games.queen_annes.session import QueenAnnesSession
from liarspoker.games.queen_annes.state import CHALLENGE, challenge_by
from tests.rules.cards.matches import chances

ANYONE: dict[str, object] = {"who_may_challenge": "anyone"}
POOLED = [row.id for row in catalogue.games() if row.family == "queen_annes"]
HANDS = ("2c3d4h5s7c", "2d3h4s5c7d", "AcAdKcKdQc", "2h3s4c5d7h")


@dataclass
class Recorder:
    """Records which seats are asked, and challenges out of turn from some of them."""

    challengers: frozenset[int]
    asked: list[int | None] = field(default_factory=list)

    def __call__(self, view: Any, chance: Random) -> int:
        return uniform(view, chance)

    def challenges_out_of_turn(self, view: Any, chance: Random) -> bool:
        self.asked.append(view.seat)
        return view.seat in self.challengers


def named(claim: str, changes: dict[str, object] = ANYONE, losses: tuple[int, ...] = (0, 0, 0, 0)) -> QueenAnnesSession:
    """Return a round of four in which seat 0 has named a hand."""
    game: Any = catalogue.load("queen-annes")
    session = game.session(4, game.options(changes), losses=losses)
    hands = tuple(read_joined_cards(hand)[: 5 - lost] for hand, lost in zip(HANDS, losses, strict=True))
    session = session.deal(QueenAnnesDeal(hands=hands), RoundSetup(opener=0))
    found: QueenAnnesSession = session.apply(session.read(f"claim {claim}"))
    return found


@pytest.mark.parametrize(("challengers", "asked", "by"), [({3, 2}, [2], 2), ({3}, [2, 3], 3), ({0, 1}, [2, 3], None)])
def test_the_first_challenge_out_of_turn_counts(challengers: set[int], asked: list[int], by: int | None) -> None:
    recorder = Recorder(frozenset(challengers))
    found = first_challenge(named("pair 2"), (recorder,) * 4, Random(0))
    assert found == (None if by is None else challenge_by(by))
    assert recorder.asked == asked  # neither the claimant nor the seat to act


def test_only_players_still_in_are_asked_after_a_claim_where_anyone_may_challenge() -> None:
    recorder = Recorder(frozenset(range(4)))
    assert first_challenge(named("pair 2", losses=(0, 0, 5, 0)), (recorder,) * 4, Random(0)) == challenge_by(3)
    assert recorder.asked == [3]
    game: Any = catalogue.load("queen-annes")
    opening = game.session(4, game.options(ANYONE)).deal(QueenAnnesDeal(hands=tuple(map(read_joined_cards, HANDS))))
    for session in (opening, named("pair 2", {})):
        assert first_challenge(session, (recorder,) * 4, Random(0)) is None
    assert recorder.asked == [3]


def test_other_games_have_no_challenges_out_of_turn() -> None:
    for row in catalogue.games():
        if row.family != "queen_annes":
            session = catalogue.load(row.id).session(3)
            session = session.deal(session.chance_spec().draw(Random(1).randrange))
            session = session.apply(session.view(session.to_act).legal.claims[0])
            assert [session.out_of_turn_challenge(seat) for seat in range(3)] == [None] * 3
            assert first_challenge(session, (Recorder(frozenset(range(3))),) * 3, Random(0)) is None


@pytest.mark.parametrize("level", ["binomial", "bluffer"])
def test_impossible_claims_are_challenged_out_of_turn_and_likely_ones_are_not(level: str) -> None:
    players = (bots.load(level, "queen_annes"),) * 4
    impossible = named("four 2", losses=(4, 4, 4, 4))  # four cards in all, of which seat 2 holds an ace
    assert first_challenge(impossible, players, Random(0)) == challenge_by(2)
    assert first_challenge(named("pair 2"), players, Random(0)) is None


@given(chances, st.sampled_from(["binomial", "bluffer"]))
def test_challenges_out_of_turn_are_legal(chance: Random, level: str) -> None:
    game: Any = catalogue.load("queen-annes")
    session = game.session(5, game.options(ANYONE))
    session = session.deal(session.chance_spec().draw(chance.randrange))
    for claim in sorted(chance.sample(range(2000), chance.randint(1, 6))):
        session = session.apply(claim)
        found = first_challenge(session, (bots.load(level, "queen_annes"),) * 5, chance)
        assert found is None or session.refusal(found) == LEGAL


@pytest.mark.parametrize("game", POOLED)
def test_a_seat_sees_only_its_own_challenges(game: str) -> None:
    loaded: Any = catalogue.load(game)
    session = loaded.session(4, loaded.options(ANYONE))
    session = session.deal(session.chance_spec().draw(Random(3).randrange))
    session = session.apply(session.legal().claims[0])
    own = {seat: session.view(seat).legal.answers for seat in range(4)}
    first, claimant = session.to_act, session.view(None).state.claimant
    assert own[first] == own[claimant] == session.view(None).legal.answers == (CHALLENGE,)
    for seat in {0, 1, 2, 3} - {first, claimant}:
        assert own[seat] == (CHALLENGE, challenge_by(seat))


@pytest.mark.parametrize("lineup", [("bluffer", "binomial", "beginner"), ("uniform",) * 3])
def test_a_contest_where_anyone_may_challenge_is_played_to_its_end(lineup: tuple[str, ...]) -> None:
    changes = tuple(ANYONE.items())
    *_, total = totals(Contest("queen-annes", lineup, 4, 1, changes), 1)
    *_, quiet = totals(Contest("queen-annes", lineup, 4, 1), 1)
    assert total.played == 4
    # Bots that challenge out of turn change the matches; uniform play never does.
    assert (total == quiet) == (lineup[0] == "uniform")
