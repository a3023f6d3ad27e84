"""Turns, challenges, rebids and counts. Sources 000 (overview, extensions), 001 (rules 1), 003 (steps 6 to 11)."""

from __future__ import annotations

import pytest

from liarspoker.core.errors import LEGAL, NOT_STRONGER, ROUND_OVER, WRONG_PHASE
from liarspoker.games.digits.auction import CHALLENGE, COUNT
from liarspoker.games.digits.session import DigitSession
from tests.rules.digits.plays import GAME_IDS, WITH_REBIDS, bid_on, holding, play, result_of, round_of, table

SAMPLE = ("06742088", "92859819", "07202503")  # source 003
Situation = tuple[str, int | None, str, str | None]
"""The phase, the seat to act, its answers, and the lowest bid."""
OVER: Situation = ("over", None, "", None)

# By seats and moves.
IN_EVERY_GAME: dict[tuple[int, str], Situation] = {
    (3, "5x7"): ("respond", 1, "challenge", "5x8"),
    (3, "4x1 challenge"): ("respond", 2, "challenge", "4x2"),
    (3, "4x1 challenge 5x1"): ("respond", 0, "challenge", "5x2"),
    (3, "4x1 challenge 5x1 challenge"): ("respond", 1, "challenge", "5x2"),  # a player who challenged may act again
    (4, "2x7 challenge challenge"): ("respond", 3, "challenge", "2x8"),
    (4, "1x2 2x2 3x2 4x2 5x2"): ("respond", 1, "challenge", "5x3"),
}
WITHOUT_REBID: dict[tuple[int, str], Situation] = {
    **dict.fromkeys([(2, "2x7 challenge"), (3, "2x7 around"), (6, "2x7 around"), (16, "2x7 around")], OVER),
}
WITH_REBID: dict[tuple[int, str], Situation] = {
    **{(seats, "2x7 around"): ("decide", 0, "count", "2x8") for seats in (2, 3, 4, 6, 16)},
    **dict.fromkeys([(3, "5x7 around count"), (2, "2x7 challenge 3x7 challenge"), (3, "2x7 around 6x7 around")], OVER),
    (3, "5x7 around 5x8"): ("respond", 1, "challenge", "5x9"),
    # Seat 2 bids over the rebid of seat 0 and may rebid; seat 0 may then rebid again.
    (3, "2x7 around 3x7 challenge 4x7 around"): ("decide", 2, "count", "4x8"),
    (3, "2x7 around 3x7 challenge 4x7 5x7 around"): ("decide", 0, "count", "5x8"),
    (3, "2x7 around 3x7 challenge 4x7 5x7 around 6x7 around"): OVER,
    (2, "1x7 challenge 2x7 3x7 challenge"): ("decide", 1, "count", "3x8"),
    (3, "24x0"): ("respond", 1, "challenge", None),
    (3, "24x0 around"): ("decide", 0, "count", None),
    (3, "24x0 around count"): OVER,
}


def dealt(game_id: str, seats: int, actions: str = "", opener: int = 0, **options: object) -> DigitSession:
    return play(table(game_id, seats, **options), holding(7, *[2] * seats), actions, opener=opener)


def situation(session: DigitSession) -> Situation:
    legal = session.legal()
    answers = " ".join(map(session.write, legal.answers))
    return session.phase, session.to_act, answers, None if legal.min_claim is None else session.write(legal.min_claim)


@pytest.mark.parametrize("game_id", GAME_IDS)
def test_phase_seat_and_actions_after_moves(game_id: str) -> None:
    expected = IN_EVERY_GAME | (WITH_REBID if game_id in WITH_REBIDS else WITHOUT_REBID)
    expected[3, ""] = ("open", 0, "", "1x0" if game_id == "dollar-bill" else "1x1")
    sessions = {moves: dealt(game_id, *moves) for moves in expected}
    assert {moves: situation(session) for moves, session in sessions.items()} == expected
    for session in sessions.values():
        refused = WRONG_PHASE if session.in_play else ROUND_OVER
        for answer in (CHALLENGE, COUNT):
            assert session.refusal(answer) == (LEGAL if answer in session.legal().answers else refused)
    assert dealt(game_id, 3, opener=1).to_act == 1


@pytest.mark.parametrize("game_id", GAME_IDS)
def test_players_may_bid_more_than_they_hold(game_id: str) -> None:
    session = dealt(game_id, 4, "5x7")
    assert (session.view(0).number, round_of(session).auction.bidder) == ("77333333", 0)


@pytest.mark.parametrize("game_id", WITH_REBIDS)
def test_a_rebid_must_be_stronger_and_is_allowed_once_per_bid(game_id: str) -> None:
    session = dealt(game_id, 3, "5x7 around")
    assert {session.refusal(session.read(bid)) for bid in ("5x7", "5x6", "4x9")} == {NOT_STRONGER}
    assert round_of(bid_on(session, "5x8")).auction.is_rebid
    assert not round_of(bid_on(session, "5x8 5x9")).auction.is_rebid
    result = result_of(bid_on(session, "6x7 around"))
    assert (session.write(result.final_claim), result.bidder) == ("6x7", 0)


def test_the_rebid_is_optional() -> None:
    assert dealt("dollar-bill", 3, "2x7 around", rebid=True).phase == "decide"
    assert dealt("salomon-1986", 3, "2x7 around", rebid=False).phase == "over"


@pytest.mark.parametrize(("second", "total", "score"), [("92859819", 5, (1, 1, -2)), ("92859810", 6, (-1, -1, 2))])
def test_the_sample_game_of_the_dollar_bills(second: str, total: int, score: tuple[int, ...]) -> None:
    """Source 003: three players for one dollar. Zeros are low; otherwise, the second and fourth bids would be illegal.

    If the second player had held a zero, the third would have won. Player 2 challenges five zeros, and
    acts again at six.
    """
    numbers = (SAMPLE[0], second, SAMPLE[2])
    session = play(table("dollar-bill", 3), numbers, "2x0 2x5 3x0 3x8 3x9 4x0 5x0 challenge 6x0 challenge")
    assert session.to_act == 1
    session = bid_on(session, "challenge")
    result = result_of(session)
    assert (session.write(result.final_claim), result.bidder, result.total) == ("6x0", 2, total)
    assert (result.counts, session.score) == ((2, total - 5, 3), score)
