"""Whole matches and sessions between policies: what holds of all of them, and what is refused."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

from liarspoker.core.cards.deck import mask_of, read_joined_cards
from liarspoker.core.errors import BadOption, BadSeats, UnknownGame
from liarspoker.engine.chance import Chance, seed_of
from liarspoker.engine.errors import CannotCompile, CannotPlay, EndlessRound, IllegalActions, OutgrownStake
from liarspoker.engine.kernel import Trajectory
from liarspoker.engine.lineup import Policy
from liarspoker.engine.rollout import Rollout, play
from liarspoker.engine.table import Table
from liarspoker.games.digits.auction import CHALLENGE, COUNT, DECIDE, OPEN, RESPOND, Auction, opening
from liarspoker.games.digits.hands import packed_counts
from liarspoker.games.digits.kernel_policies import Observation, best_by_value, priced, uniform
from liarspoker.games.thorin import kernel_policies, state
from liarspoker.games.thorin.actions import PASS, TAKE, cards_of
from liarspoker.games.thorin.ladder import full_claim, ladder_of
from tests.engine.puppets import BRAGGART, CHEAT, MODEST, OPENER, TOP_BID, UNIFORM, VARIED, playing
from tests.engine.tables import GAMES

GAME = Table.of("salomon-1986", seats=3)
ANYONE: dict[str, object] = {"who_may_challenge": "anyone", "jokers": 2, "wild_ranks": "29"}
STUD = Table.of("queen-annes-stud", seats=3, options=ANYONE)
THORIN = Table.of("thorin", seats=3, options={"jokers": 2, "passes": 1, "take_top": True})
ONE_OF_EACH = pytest.mark.parametrize("table", [GAME, STUD, THORIN], ids=lambda table: table.game)


def same(left: Rollout | Trajectory, right: Rollout | Trajectory) -> bool:
    mine, yours = (each.trajectory if isinstance(each, Rollout) else each for each in (left, right))
    return all(map(np.array_equal, mine, yours))


def some(table: Table, matches: int, **more: Any) -> Rollout:
    policies = [playing(way, family=table.kernel.family) for way in (VARIED, UNIFORM)]
    return play(table, matches, 11, policies, rounds=9, rotate=True, keep_deals=60, keep_moves=40, **more)


@ONE_OF_EACH
def test_the_same_matches_come_out_however_they_are_cut(table: Table) -> None:
    whole = some(table, 60)
    parts = zip(some(table, 7).trajectory, some(table, 53, first=7).trajectory, strict=True)
    assert same(whole, Trajectory(*map(np.concatenate, parts)))
    assert same(whole, some(table, 60, threads=3))
    assert not same(whole, some(table, 60, first=1))


@ONE_OF_EACH
def test_a_few_rounds_are_the_beginning_of_a_match(table: Table) -> None:
    long, short = (
        play(table, 50, 5, [playing(VARIED, family=table.kernel.family)], rounds=rounds) for rounds in (12, 2)
    )
    assert np.array_equal(long.trajectory.rounds[:, :2], short.trajectory.rounds)
    if table is not THORIN:  # two rounds of it may be a match
        assert (short.winners == -1).all()


@ONE_OF_EACH
def test_an_action_that_the_rules_refuse_ends_the_run_by_name(table: Table) -> None:
    with pytest.raises(IllegalActions, match=r"wrong-phase|not-stronger") as caught:
        play(table, 20, 1, [playing(CHEAT, family=table.kernel.family)], first=4)
    assert caught.value.row >= 4


@pytest.mark.parametrize("game", GAMES)
def test_an_unknown_policy_is_refused_with_those_there_are(game: str) -> None:
    with pytest.raises(CannotPlay, match=f"there is no policy 'deep-thought' for {game}; there are uniform"):
        play(Table.of(game, 2), 3, 1, ["deep-thought"])


def test_what_one_wins_others_lose() -> None:
    for game, slips in (("dollar-bill", False), ("salomon-1986", True), ("slips", True)):
        for seats in (2, 3, 4, 7, 16):
            rounds = play(Table.of(game, seats, from_slips=slips), 200, 1, (playing(VARIED),), rounds=11)
            assert not rounds.payoffs.sum(axis=2).any()
            assert (abs(rounds.payoffs).max(axis=2) == rounds.multipliers * rounds.stakes * (seats - 1)).all()
            assert rounds.claims.min() >= 0
            assert (rounds.totals >= rounds.owns).all()
            assert ((rounds.rows >= 0) == slips).all()


def test_a_single_hand_is_for_one_unit_and_the_first_seat_opens() -> None:
    rounds = play(Table.of("slips", seats=4), 500, 2)
    assert (rounds.stakes == 1).all()
    assert (rounds.openers == 0).all()
    assert (play(GAME, 10, 1, opener=2).openers == 2).all()


def test_ten_rows_of_a_slip_are_played_and_none_twice() -> None:
    rows = play(Table.of("slips", seats=3), 300, 2, (playing(VARIED),), rounds=20).rows
    assert (rows[:, [0, 10]] == 0).all()
    assert all(len(set(slip)) == 10 for session in rows for slip in (session[:10], session[10:]))


def test_in_turn_everybody_sits_everywhere() -> None:
    lineup = (playing(OPENER, 17), playing(UNIFORM))
    still = play(GAME, 30, 8, lineup, keep_moves=1)
    turning = play(GAME, 30, 8, lineup, keep_moves=1, rotate=True)
    assert (still.moves[:, 0, 0, 1] == 17).all()
    assert (turning.moves[::3, 0, 0, 1] == 17).all()
    assert not (turning.moves[1::3, 0, 0, 1] == 17).all()


def test_policies_are_given_their_own_data() -> None:
    rounds = play(Table.of("dollar-bill", seats=2), 10, 1, (playing(MODEST, 3), playing(MODEST, 7)), rotate=True)
    assert (rounds.claims[::2] == 4).all()
    assert (rounds.claims[1::2] == 7).all()


def test_letters_choose_the_first_opener_alike_and_the_lowest_seat_in_a_tie() -> None:
    table = Table.of("salomon-1986", seats=4, letters=True)
    openers = np.bincount(play(table, 20_000, 3).openers.ravel(), minlength=4)
    assert abs(openers - 5000).max() < 5 * 61
    assert table.extra.letter_pairs == 300
    assert Table.of("dollar-bill", seats=4, letters=True).extra.letter_pairs == 0


def test_uniform_play_takes_every_legal_action_alike() -> None:
    table = Table.of("dollar-bill", seats=2, options={"hand_size": 2, "symbols": 2})
    moves = play(table, 40_000, 6, keep_moves=2).moves[:, 0, :2, 1]
    openings = np.bincount(moves[:, 0], minlength=8)
    assert abs(openings - 5000).max() < 5 * 67
    answers = moves[moves[:, 0] == 4, 1]
    assert set(answers) == {CHALLENGE, 5, 6, 7}
    assert all(
        abs((answers == answer).sum() - answers.size / 4) < 5 * (answers.size * 3 / 16) ** 0.5
        for answer in set(answers)
    )


def asked(at: state.RoundState, hand: str, draws: int) -> Counter[int]:
    """What the uniform player of Thorin's game answers, out of so many times."""
    nobody, cards = np.zeros((1, 2), np.int64), mask_of(read_joined_cards(hand))
    ladder, ranks = THORIN.extra
    seen = kernel_policies.Observation(THORIN.rules, ladder, ranks, 7, at, cards, 0, cards, 0, 40, 0, 0, nobody)
    chance = np.array([5], np.uint64)
    with np.errstate(over="ignore"):
        return Counter(int(kernel_policies.uniform(seen, chance, ())) for _ in range(draws))


def test_uniform_takes_every_answer_and_discard_alike() -> None:
    top = full_claim(ladder_of(THORIN.rules).claims[-1] >> 5)
    answers = asked(state.RoundState(top, 0, 0, -1, 1, state.RESPOND, 0), "", 900)
    assert set(answers) == {TAKE, CHALLENGE, PASS}
    assert min(answers.values()) > 240
    assert set(asked(state.RoundState(top, 0, 0, -1, 1, state.RESPOND, 1 << 4), "", 100)) == {TAKE, CHALLENGE}
    thrown = asked(state.RoundState(top, 0, 1, -1, 1, state.DISCARDING, 0), "2c3dJkJk9h", 2_400)
    assert len({cards_of(action) for action in thrown}) == 24
    assert min(thrown.values()) > 60
    below = ladder_of(THORIN.rules).claims[-4]
    last = set(asked(state.RoundState(below, 0, 1, -1, 1, state.DECLARE, 0), "2c3dJkJk9h", 100))
    assert last <= set(THORIN.extra.ladder.claims[-3:])


def test_a_passed_hand_is_thrown_in_and_costs_nobody_the_match() -> None:
    played = play(THORIN, 2_000, 3, [playing(VARIED, family="thorin")])
    real = np.arange(THORIN.most_rounds) < played.lengths[:, None]
    assert ((played.losers < 0) & real).sum() > 10
    assert (played.winners >= 0).all()
    assert played.spent.max() == 1
    assert ((played.losers >= 0) & real).sum() == 2 * 2_000


def test_other_policies_meet_the_same_first_deals() -> None:
    one, other = (
        play(STUD, 30, 1, [playing(way, family="queen_annes")], rounds=1, keep_deals=1).decks
        for way in (VARIED, UNIFORM)
    )
    assert np.array_equal(one[:, :, :7], other[:, :, :7])


def test_the_opener_can_be_named() -> None:
    table = Table.of("queen-annes", seats=4, losses=(5, 0, 5, 2))
    assert (play(table, 20, 1, rounds=1).openers == 1).all()
    assert (play(table, 20, 1, rounds=1, opener=3).openers == 3).all()
    with pytest.raises(CannotPlay, match="opener: 0 is no living seat; they are 1, 3"):
        play(table, 20, 1, opener=0)


@ONE_OF_EACH
@pytest.mark.parametrize(
    "change",
    [
        {"matches": 0},
        {"rounds": 0},
        {"first": -1},
        {"threads": 0},
        {"opener": 3},
        {"keep_moves": -1},
        {"keep_deals": -1},
        {"policies": ()},
        {"policies": ("uniform",) * 4},
    ],
    ids=str,
)
def test_arguments_out_of_range_are_refused(table: Table, change: dict[str, Any]) -> None:
    with pytest.raises(CannotPlay, match=next(iter(change))):
        play(table, **({"matches": 1, "seed": 1} | change))


def test_tables_that_are_none_are_refused() -> None:
    with pytest.raises(CannotPlay, match="thorin is no digit game"):
        Table.of("thorin", seats=3, family="digits", from_slips=False)
    with pytest.raises(CannotPlay, match="thorin has no losses"):
        Table.of("thorin", seats=3, losses=(0, 0, 0))
    with pytest.raises(CannotPlay, match="loose_order without cap_level"):
        Table.of("slips", seats=3, options={"loose_order": True, "cap_level": False})
    with pytest.raises(CannotPlay, match="losses: seat 1 has won before the first round"):
        Table.of("queen-annes", seats=2, losses=(5, 0))
    with pytest.raises(UnknownGame):
        Table.of("bridge", seats=3)
    with pytest.raises(BadSeats):
        Table.of("slips", seats=17)
    with pytest.raises(BadOption):
        Table.of("dollar-bill", seats=3, from_slips=True)
    endless = Table.of("slips", seats=3, options={"cap_level": False})
    with pytest.raises(CannotPlay, match="no top"):
        assert endless.actions
    with pytest.raises(AttributeError):
        play(GAME, 1, 1).nonsense  # noqa: B018


def test_hands_without_end_and_stakes_without_bounds_are_stopped() -> None:
    with pytest.raises(EndlessRound, match="match 0"):
        play(Table.of("slips", seats=3, options={"cap_level": False}), 1, 1, (playing(BRAGGART),))
    compound = Table.of("salomon-1986", seats=3, options={"compound_carry": True, "none_carry": "bid"})
    with pytest.raises(OutgrownStake, match="match 0"):
        play(compound, 1, 1, (playing(TOP_BID, 239),), rounds=25)


def test_a_policy_that_reads_what_may_change_unseen_is_refused() -> None:
    with pytest.raises(CannotCompile, match="TABLE is neither a function nor a constant"):
        play(GAME, 1, 1, (Policy(unclear),))
    bid = 5

    def enclosed(seen: Observation, chance: Chance, data: Any) -> int:
        return bid

    with pytest.raises(CannotCompile, match="variables of the function around it"):
        play(GAME, 1, 1, (Policy(enclosed),))


TABLE = {1: 2}


def unclear(seen: Observation, chance: Chance, data: Any) -> int:
    return TABLE[1]


def allocating(seen: Observation, chance: Chance, data: Any) -> int:
    """Works on an array of its own, as policies may."""
    bids = np.zeros(4, np.int64)
    bids[:] = 9
    return int(bids[2]) if seen.auction.phase == OPEN else uniform(seen, chance, data)


def test_different_policies_are_asked_each_in_its_place() -> None:
    played = play(GAME, 20, 3, (playing(OPENER, 17), Policy(allocating), "uniform"), keep_moves=1, rotate=True)
    assert (played.moves[::3, 0, 0, 1] == 17).all()
    assert (played.moves[1::3, 0, 0, 1] != 17).any()
    assert (played.moves[2::3, 0, 0, 1] == 9).all()


def test_what_is_worth_most_is_played_and_the_strongest_among_equals() -> None:
    rules = Table.of("salomon-1986", seats=2, options={"hand_size": 2, "symbols": 2}).rules
    worth = {0: 1.0, 1: 3.0, 2: 3.0, 3: 9.0, 4: 2.0, 5: 0.0, 6: 0.0, 7: 0.0}
    policy = priced(rules, lambda claim, own: worth[claim] + 10 * own, lambda claim, own: 2.5 - own, 3, 2)
    nobody, nothing = np.zeros((1, 2), np.int32), np.zeros(0, np.bool_)

    def played(auction: Auction, number: str) -> int:
        seen = Observation(rules, auction, 0, packed_counts(number), 0, 1, 0, nobody, nothing)
        return best_by_value(seen, np.array([seed_of(1)]), policy.data)

    assert played(opening(0), "33") == 2  # it holds none; of three bids weighed, the stronger of the best two
    assert played(opening(0), "22") == 1  # two twos are worth twenty more
    assert played(Auction(3, 0, 0, 0, 1, RESPOND), "33") == CHALLENGE  # 2.5, over 2 and 0
    assert played(Auction(2, 0, 0, 0, 1, RESPOND), "33") == 3  # 9, over 2.5
    assert played(Auction(5, 0, 0, 1, 0, DECIDE), "33") == COUNT  # all are worth nothing
    assert played(Auction(7, 0, 0, 0, 1, RESPOND), "22") == CHALLENGE  # there is no bid
