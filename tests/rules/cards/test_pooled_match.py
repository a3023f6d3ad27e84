"""A match of Queen Anne's games: turns, challenges, losses. Source 004; RULES C1, C3 and C4."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liarspoker.core.cards.deck import card_text, full_deck
from liarspoker.core.errors import (
    BadDeal,
    BadOption,
    BadRound,
    BadStart,
    NotNow,
)
from liarspoker.core.session import RoundSetup
from liarspoker.games.queen_annes.session import QueenAnnesSession
from liarspoker.games.queen_annes.state import CHALLENGE, challenge_by
from tests.rules.cards.matches import (
    POOLED_IDS,
    any_move,
    code_of,
    name_on,
    pooled_result,
    queen_annes,
    throw_in,
)

ONE_CARD_EACH = (4, 4, 4)
chances = st.integers(0, 2**32).map(Random)


def three(**options: object) -> QueenAnnesSession:
    """Three players with one card each."""
    return queen_annes("queen-annes", 3, ONE_CARD_EACH, **options)


@st.composite
def tables(draw: st.DrawFn) -> QueenAnnesSession:
    """A match of any of the games, with any options, before its first round."""
    game_id = draw(st.sampled_from(POOLED_IDS))
    session = queen_annes(game_id, draw(st.integers(2, 10)))
    infos = session.setup.preset.option_infos
    options = {info.name: draw(st.sampled_from(list(info.choices))) for info in infos}
    return queen_annes(game_id, session.seats, **options)


@given(tables(), chances)
def test_a_match_ends_with_one_winner_and_every_round_with_one_loss(session: QueenAnnesSession, chance: Random) -> None:
    most = session.seats * session.setup.rules.exit_losses
    while session.winner is None:
        before = session.losses
        session = session.deal(session.chance_spec().draw(chance.randrange))
        while session.in_play:
            action = any_move(session, chance)
            assert session.refusal(action) == 0
            assert session.read(session.write(action)) == action
            session = session.apply(action)
        result = pooled_result(session)
        assert sum(session.losses) == sum(before) + 1
        assert result.loser in (result.claimant, result.challenger)
        assert (result.loser == result.challenger) == result.exists
    assert len(session.rounds) <= most
    assert sum(session.score) == 0
    assert session.score[session.winner] == session.seats - 1
    assert session.next_opener is None
    with pytest.raises(NotNow) as refused:
        session.chance_spec()
    assert refused.value.code == "match-over"


@given(tables(), chances)
def test_no_card_is_dealt_twice_and_none_is_lost(session: QueenAnnesSession, chance: Random) -> None:
    needs = session.chance_spec()
    deal = needs.draw(chance.randrange)
    session = session.deal(deal)
    while session.in_play:
        session = session.apply(any_move(session, chance, boldness=0.95))
    assert session.round is not None
    pool = session.round.pool
    left = deal.extras[session.round.standing.drawn :]
    deck = list(full_deck(session.setup.rules.jokers))
    if needs.extras:
        assert sorted((*pool, *left)) == deck
    else:
        assert all(pool.count(card) <= deck.count(card) for card in pool)
    assert [len(hand) for hand in deal.hands] == list(needs.hand_sizes)


def test_the_first_player_must_name_a_hand() -> None:
    session = throw_in(three(), "2c|3d|4h")
    assert session.phase == "open"
    assert code_of(session, "challenge") == "wrong-phase"
    assert session.legal().answers == ()


def test_play_goes_round_and_jumps_over_who_is_out() -> None:
    session = throw_in(queen_annes("queen-annes", 4, (4, 5, 4, 4)), "2c||3d|4h", "high 2, high 3")
    assert session.to_act == 3
    assert name_on(session, "high 4").to_act == 0


def test_if_the_hand_exists_the_challenger_loses() -> None:
    session = throw_in(three(), "7c|7d|4h", "pair 7, challenge")
    result = pooled_result(session)
    assert (result.exists, result.claimant, result.challenger, result.loser) == (True, 0, 1, 1)
    assert [card_text(card) for card in result.proof.cards] == ["7c", "7d"]
    assert (result.losses, result.alive, result.next_opener) == ((4, 5, 4), (0, 2), 2)


def test_if_it_does_not_exist_he_who_named_it_loses_though_a_better_one_is_there() -> None:
    session = throw_in(three(), "7c|7d|7h", "pair 8, challenge")
    result = pooled_result(session)
    assert (result.exists, result.loser, result.proof.missing) == (False, 0, 2)
    assert [reason.rule for reason in result.why] == ["missing", "out", "after-loser-opens"]


def test_a_higher_hand_that_does_not_exist_is_no_ground_the_named_one_is_judged() -> None:
    session = throw_in(queen_annes("queen-annes", 2, (4, 4)), "As|2c", "high A, challenge")
    assert pooled_result(session).loser == 1


def test_each_loss_costs_a_card_and_the_last_the_match() -> None:
    session = queen_annes("queen-annes", 2)
    chance = Random(1)
    for cards_left in (5, 4, 3, 2, 1):
        assert session.chance_spec().hand_sizes == (cards_left, 5)
        session = session.deal(session.chance_spec().draw(chance.randrange), RoundSetup(opener=0))
        session = name_on(session, "royal-flush s, challenge")
    assert session.winner == 1


@pytest.mark.parametrize(
    ("rule", "exists", "opens"),
    [("loser", 1, 1), ("loser", 0, 0), ("winner", 1, 0), ("winner", 0, 1), ("rotate", 1, 1)],
)
def test_who_opens_next(rule: str, exists: int, opens: int) -> None:
    session = queen_annes("queen-annes", 3, (3, 3, 3), next_opener=rule)
    session = throw_in(session, "7c7s|7d2c|4h5h", "pair 7, challenge" if exists else "pair 8, challenge")
    assert session.next_opener == opens


def test_the_turn_to_open_rotates_over_the_living() -> None:
    session = throw_in(three(next_opener="rotate"), "7c|7d|4h", "pair 7, challenge")
    assert session.next_opener == 2


def test_the_winner_of_the_challenge_opens_though_the_loser_is_out() -> None:
    session = throw_in(three(next_opener="winner"), "7c|7d|4h", "pair 8, challenge")
    assert (session.alive, session.next_opener) == ((1, 2), 1)


def test_the_top_hand_can_only_be_challenged() -> None:
    session = throw_in(three(), "2c|3d|4h", "royal-flush s")
    legal = session.legal()
    assert (legal.min_claim, legal.actions) == (None, (CHALLENGE,))


def test_the_next_player_alone_may_challenge() -> None:
    session = throw_in(three(), "2c|3d|4h", "high 2")
    assert code_of(session, "challenge 2") == "unreadable-action"
    assert session.refusal(challenge_by(2)) != 0


def test_where_anyone_may_challenge_so_may_a_player_whose_turn_it_is_not() -> None:
    session = throw_in(three(who_may_challenge="anyone"), "2c|3d|4h", "high 2")
    assert [session.write(action) for action in session.legal().answers] == ["challenge", "challenge 2"]
    assert session.read("challenge 1") == CHALLENGE
    result = pooled_result(name_on(session, "challenge 2"))
    assert (result.challenger, result.loser) == (2, 2)


@pytest.mark.parametrize(
    ("text", "code"),
    [("challenge 0", "wrong-phase"), ("challenge 3", "unreadable-action"), ("challenge -1", "unreadable-action")],
)
def test_he_who_named_the_hand_cannot_challenge_nor_who_is_no_player(text: str, code: str) -> None:
    session = throw_in(three(who_may_challenge="anyone"), "2c|3d|4h", "high 2")
    assert code_of(session, text) == code


def test_who_is_out_cannot_challenge_and_nobody_can_before_the_first_hand() -> None:
    session = queen_annes("queen-annes", 4, (4, 5, 4, 4), who_may_challenge="anyone")
    session = throw_in(session, "2c||3d|4h")
    assert code_of(session, "challenge 3") == "wrong-phase"
    assert code_of(name_on(session, "high 2"), "challenge 1") == "wrong-phase"


@pytest.mark.parametrize(
    "text",
    ["pair 7", "claim", "claim all red", "claim 7", "claim pair X", "declare pair 7", "take", "", "claim pair 7 x"],
)
def test_what_is_no_action_is_not_read(text: str) -> None:
    assert code_of(throw_in(three(), "2c|3d|4h"), text) == "unreadable-action"


def test_ranks_may_stand_apart_and_are_written_together() -> None:
    session = throw_in(three(), "2c|3d|4h")
    for text in ("claim flush K J 7 5 2 c", " claim  flush KJ 752  c ", "claim flush KJ752 c"):
        assert session.write(session.read(text)) == "claim flush KJ752 c"


@pytest.mark.parametrize("hands", ["2c|3d", "2c|3d|4h|5h", "2c|3d|4h5h", "2c|3d|", "2c|3d|2c", "2c|3d|Jk", "2c|3d|??"])
def test_a_deal_that_cannot_be_is_refused(hands: str) -> None:
    with pytest.raises(BadDeal):
        throw_in(three(), hands)


def test_as_many_jokers_as_the_option_allows_may_be_dealt() -> None:
    throw_in(three(jokers=2), "Jk|Jk|4h")
    with pytest.raises(BadDeal, match="2 jokers; the option jokers is 1"):
        throw_in(three(jokers=1), "Jk|Jk|4h")


def test_further_cards_come_in_stud_alone() -> None:
    with pytest.raises(BadDeal, match="no further cards"):
        throw_in(three(), "2c|3d|4h", extras="5h")


@pytest.mark.parametrize("losses", [(0, 0), (0, 0, 0, 0), (0, -1, 0), (0, 6, 0), (5, 5, 5)])
def test_losses_with_which_no_match_begins_are_refused(losses: tuple[int, ...]) -> None:
    with pytest.raises(BadStart) as refused:
        queen_annes("queen-annes", 3, losses)
    assert refused.value.code == "bad-record"


def test_a_match_may_begin_with_losses_and_the_first_living_seat_opens() -> None:
    session = queen_annes("queen-annes", 3, (5, 2, 0))
    assert (session.alive, session.next_opener, session.chance_spec().hand_sizes) == ((1, 2), 1, (0, 3, 5))
    assert queen_annes("queen-annes", 3, (5, 5, 0)).winner == 2


def test_the_table_may_name_a_living_opener() -> None:
    session = queen_annes("queen-annes", 3, (5, 4, 4))
    assert throw_in(session, "|2c|3c", opener=2).to_act == 2
    for seat in (0, 3, -1):
        with pytest.raises(BadRound):
            throw_in(session, "|2c|3c", opener=seat)


@pytest.mark.parametrize(
    "options",
    [
        {"stud_exit_losses": 5},
        {"wild_ranks": "1"},
        {"wild_ranks": "2,9"},
        {"wild_ranks": "292"},
        {"jokers": 3},
        {"wheel": 1},
        {"x": 1},
    ],
)
def test_an_option_that_the_game_has_not_is_refused(options: dict[str, object]) -> None:
    with pytest.raises(BadOption):
        queen_annes("queen-annes", 3, **options)


def test_what_differs_from_the_preset_is_told() -> None:
    assert three(wild_ranks="92", jokers=1).option_changes() == {"jokers": 1, "wild_ranks": "92"}
    assert queen_annes("queen-annes-stud", 3).option_changes() == {}
