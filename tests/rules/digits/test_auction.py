"""Turns, challenges, rebids and counts. Sources 000 (overview, extensions), 001 (rules 1), 003 (steps 6 to 11)."""

import pytest

from liarspoker.core.errors import LEGAL, ROUND_OVER, WRONG_PHASE, IllegalAction
from liarspoker.games.digits.auction import CHALLENGE, COUNT
from liarspoker.games.digits.session import DigitSession
from tests.rules.digits.plays import GAME_IDS, bid_on, holding, play, result_of, table

WITH_REBIDS = ["salomon-1986", "slips"]
SAMPLE = ("06742088", "92859819", "07202503")  # source 003


def dealt(game_id: str, seats: int, actions: str = "", opener: int = 0) -> DigitSession:
    return play(table(game_id, seats), holding(7, *[2] * seats), actions, opener=opener)


def words_of(session: DigitSession) -> list[str]:
    """The legal answers, in the notation."""
    return [session.write(answer) for answer in session.legal().answers]


@pytest.mark.parametrize("game_id", GAME_IDS)
def test_play_begins_with_one_players_opening_bid_and_nothing_else(game_id: str) -> None:
    session = dealt(game_id, 3, opener=1)
    assert (session.phase, session.to_act) == ("open", 1)
    assert words_of(session) == []
    assert session.legal().min_claim == session.read("1x0" if game_id == "dollar-bill" else "1x1")
    assert session.refusal(CHALLENGE) == session.refusal(COUNT) == WRONG_PHASE


@pytest.mark.parametrize("game_id", GAME_IDS)
def test_the_turn_passes_clockwise_to_the_next_player_on_the_left(game_id: str) -> None:
    session = dealt(game_id, 4, "1x2", opener=2)
    for bid, seat in [("2x2", 3), ("3x2", 0), ("4x2", 1), ("5x2", 2), ("6x2", 3)]:
        assert session.to_act == seat
        session = bid_on(session, bid)


@pytest.mark.parametrize("game_id", GAME_IDS)
def test_in_turn_a_player_makes_a_stronger_bid_or_challenges_and_cannot_pass_or_count(game_id: str) -> None:
    session = dealt(game_id, 3, "5x7")
    assert session.phase == "respond"
    assert words_of(session) == ["challenge"]
    assert session.legal().min_claim == session.read("5x8")
    assert session.refusal(COUNT) == WRONG_PHASE


@pytest.mark.parametrize("game_id", GAME_IDS)
def test_a_player_may_bid_more_than_he_holds(game_id: str) -> None:
    session = dealt(game_id, 4, "5x7")
    assert session.view(0).number == "77333333"
    assert session.round is not None
    assert session.round.auction.bidder == 0


@pytest.mark.parametrize("game_id", GAME_IDS)
def test_a_challenge_is_not_final_and_the_next_player_may_challenge_too_or_bid_on(game_id: str) -> None:
    challenged = dealt(game_id, 3, "4x1 challenge")
    assert challenged.to_act == 2
    assert words_of(challenged) == ["challenge"]
    bid_over = bid_on(challenged, "5x1")
    assert bid_over.round is not None
    assert bid_over.round.auction.challenges == 0
    # Who challenged is in again.
    again = bid_on(bid_over, "challenge")
    assert again.to_act == 1
    assert again.refusal(again.read("6x1")) == LEGAL


@pytest.mark.parametrize("seats", [2, 3, 4, 6, 16])
@pytest.mark.parametrize("game_id", GAME_IDS)
def test_only_when_all_others_challenge_is_a_bid_held_against_the_numbers(game_id: str, seats: int) -> None:
    session = dealt(game_id, seats, "2x7")
    for answered in range(seats - 1):
        assert (session.phase, session.round_result) == ("respond", None)
        assert session.to_act == answered + 1
        session = session.apply(CHALLENGE)
    assert session.phase == ("over" if game_id == "dollar-bill" else "decide")


def test_with_dollar_bills_the_hand_ends_when_the_whole_group_has_called_the_bluff() -> None:
    session = dealt("dollar-bill", 3, "2x7 around")
    assert session.phase == "over"
    assert session.to_act is None
    assert session.legal().actions == ()
    assert session.refusal(CHALLENGE) == ROUND_OVER


def test_two_players_end_a_hand_with_one_challenge() -> None:
    assert dealt("dollar-bill", 2, "2x7 challenge").phase == "over"
    assert dealt("salomon-1986", 2, "2x7 challenge").phase == "decide"
    assert dealt("salomon-1986", 2, "2x7 challenge 3x7 challenge").phase == "over"


@pytest.mark.parametrize("game_id", WITH_REBIDS)
def test_challenged_all_around_the_bidder_has_a_count_or_makes_a_new_stronger_bid(game_id: str) -> None:
    session = dealt(game_id, 3, "5x7 around")
    assert (session.phase, session.to_act) == ("decide", 0)
    assert words_of(session) == ["count"]
    assert session.legal().min_claim == session.read("5x8")
    assert session.refusal(CHALLENGE) == WRONG_PHASE
    assert bid_on(session, "count").phase == "over"
    rebid = bid_on(session, "5x8")
    assert (rebid.phase, rebid.to_act) == ("respond", 1)
    assert rebid.round is not None
    assert rebid.round.auction.is_rebid


@pytest.mark.parametrize("game_id", WITH_REBIDS)
def test_a_rebid_must_be_stronger(game_id: str) -> None:
    session = dealt(game_id, 3, "5x7 around")
    for bid in ("5x7", "5x6", "4x9"):
        with pytest.raises(IllegalAction, match="not-stronger"):
            session.apply(session.read(bid))


@pytest.mark.parametrize("game_id", WITH_REBIDS)
def test_only_one_rebid_is_allowed_and_challenged_around_again_a_count_is_forced(game_id: str) -> None:
    session = dealt(game_id, 3, "2x7 around 6x7 around")
    assert session.phase == "over"
    result = result_of(session)
    assert (session.write(result.final_claim), result.bidder) == ("6x7", 0)


@pytest.mark.parametrize("game_id", WITH_REBIDS)
def test_when_a_rebid_is_overbid_everybody_may_rebid_again_its_bidder_too(game_id: str) -> None:
    session = dealt(game_id, 3, "2x7 around 3x7 challenge 4x7")  # seat 2 bids over the rebid of seat 0
    again = bid_on(session, "around")
    assert (again.phase, again.to_act) == ("decide", 2)
    back = bid_on(session, "5x7 around")  # and seat 0, who has made a rebid already, over that
    assert (back.phase, back.to_act) == ("decide", 0)
    assert bid_on(back, "6x7 around").phase == "over"


@pytest.mark.parametrize("game_id", WITH_REBIDS)
def test_a_rebid_belongs_to_the_bid_and_an_intervening_bid_wipes_it_out(game_id: str) -> None:
    session = dealt(game_id, 2, "1x7 challenge 2x7")
    assert session.round is not None
    assert session.round.auction.is_rebid
    session = bid_on(session, "3x7")
    assert session.round is not None
    assert not session.round.auction.is_rebid
    assert bid_on(session, "challenge").phase == "decide"


def test_nobody_raises_his_own_bid_before_all_others_have_challenged_it() -> None:
    session = dealt("salomon-1986", 4, "2x7 challenge challenge")
    assert session.to_act == 3


@pytest.mark.parametrize("game_id", WITH_REBIDS)
def test_the_top_bid_can_only_be_challenged_and_then_only_be_counted(game_id: str) -> None:
    session = dealt(game_id, 3, "24x0")
    assert session.legal().min_claim is None
    assert words_of(session) == ["challenge"]
    session = bid_on(session, "around")
    assert session.phase == "decide"
    assert words_of(session) == ["count"]
    assert session.legal().min_claim is None
    assert bid_on(session, "count").phase == "over"


def test_dollar_bills_know_no_rebid_unless_the_option_is_on() -> None:
    assert dealt("dollar-bill", 3, "2x7 around").phase == "over"
    assert play(table("dollar-bill", 3, rebid=True), SAMPLE, "2x7 around").phase == "decide"
    assert play(table("salomon-1986", 3, rebid=False), SAMPLE, "2x7 around").phase == "over"


def test_the_sample_game_of_the_dollar_bills() -> None:
    """Source 003: three players for one dollar; the zeros are low, or the second and fourth bids would be illegal."""
    session = play(table("dollar-bill", 3), SAMPLE, "2x0 2x5 3x0 3x8 3x9 4x0 5x0 challenge 6x0 challenge challenge")
    result = result_of(session)
    assert (session.write(result.final_claim), result.bidder, result.total) == ("6x0", 2, 5)
    assert result.counts == (2, 0, 3)
    assert session.score == (1, 1, -2)


def test_had_the_second_player_of_the_sample_had_a_zero_the_third_had_won() -> None:
    numbers = (SAMPLE[0], "92859810", SAMPLE[2])
    session = play(table("dollar-bill", 3), numbers, "2x0 2x5 3x0 3x8 3x9 4x0 5x0 challenge 6x0 challenge challenge")
    assert session.score == (-1, -1, 2)


def test_one_who_challenged_stays_in_the_sample_game() -> None:
    """Player 2 challenges five zeros, player 3 bids six, and player 2 is asked again."""
    session = play(table("dollar-bill", 3), SAMPLE, "5x0 challenge 6x0 challenge")
    assert session.to_act == 1
