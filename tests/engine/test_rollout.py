"""Rollouts of whole matches and sessions between policies: invariants and rejected arguments."""

from __future__ import annotations

import re
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
from liarspoker.games.digits.kernel_policies import Observation, best_by_value, highest_value_policy, uniform
from liarspoker.games.thorin import kernel_policies, state
from liarspoker.games.thorin.actions import PASS, TAKE, cards_of
from liarspoker.games.thorin.ladder import full_claim, ladder_of
from tests.engine.scripted_policies import BRAGGART, CHEAT, MODEST, OPENER, TOP_BID, UNIFORM, VARIED, playing
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
def test_results_do_not_depend_on_how_matches_are_batched(table: Table) -> None:
    whole = some(table, 60)
    parts = zip(some(table, 7).trajectory, some(table, 53, first=7).trajectory, strict=True)
    assert same(whole, Trajectory(*map(np.concatenate, parts)))
    assert same(whole, some(table, 60, threads=3))
    assert not same(whole, some(table, 60, first=1))


@ONE_OF_EACH
def test_a_few_rounds_are_a_prefix_of_the_match(table: Table) -> None:
    long, short = (
        play(table, 50, 5, [playing(VARIED, family=table.kernel.family)], rounds=rounds) for rounds in (12, 2)
    )
    assert np.array_equal(long.trajectory.rounds[:, :2], short.trajectory.rounds)
    if table is not THORIN:  # a match may be over after two rounds
        assert (short.winners == -1).all()


@ONE_OF_EACH
def test_an_illegal_action_of_a_policy_raises_an_error_that_names_it(table: Table) -> None:
    with pytest.raises(IllegalActions, match=r"^match \d+: action .*(wrong-phase|not-stronger)") as caught:
        play(table, 20, 1, [playing(CHEAT, family=table.kernel.family)], first=4)
    assert caught.value.row >= 4


@pytest.mark.parametrize("game", GAMES)
def test_an_unknown_policy_is_rejected_with_a_list_of_the_known_ones(game: str) -> None:
    with pytest.raises(CannotPlay, match=f"there is no policy 'deep-thought' for {game}; choose from uniform"):
        play(Table.of(game, 2), 3, 1, ["deep-thought"])


def test_payoffs_are_zero_sum() -> None:
    for game, slips in (("dollar-bill", False), ("salomon-1986", True), ("slips", True)):
        for seats in (2, 3, 4, 7, 16):
            rounds = play(Table.of(game, seats, from_slips=slips), 200, 1, (playing(VARIED),), rounds=11)
            assert not rounds.payoffs.sum(axis=2).any()
            assert (abs(rounds.payoffs).max(axis=2) == rounds.multipliers * rounds.stakes * (seats - 1)).all()
            assert rounds.claims.min() >= 0
            assert (rounds.totals >= rounds.owns).all()
            assert ((rounds.rows >= 0) == slips).all()


def test_a_single_hand_has_stake_one_and_seat_zero_opens() -> None:
    rounds = play(Table.of("slips", seats=4), 500, 2)
    assert (rounds.stakes == 1).all()
    assert (rounds.openers == 0).all()
    assert (play(GAME, 10, 1, opener=2).openers == 2).all()


def test_ten_different_rows_of_a_slip_are_played() -> None:
    rows = play(Table.of("slips", seats=3), 300, 2, (playing(VARIED),), rounds=20).rows
    assert (rows[:, [0, 10]] == 0).all()
    assert all(len(set(slip)) == 10 for session in rows for slip in (session[:10], session[10:]))


def test_players_rotate_through_all_seats() -> None:
    lineup = (playing(OPENER, 17), playing(UNIFORM))
    still = play(GAME, 30, 8, lineup, keep_moves=1)
    turning = play(GAME, 30, 8, lineup, keep_moves=1, rotate=True)
    assert (still.moves[:, 0, 0, 1] == 17).all()
    assert (turning.moves[::3, 0, 0, 1] == 17).all()
    assert not (turning.moves[1::3, 0, 0, 1] == 17).all()


def test_each_policy_gets_its_own_data() -> None:
    rounds = play(Table.of("dollar-bill", seats=2), 10, 1, (playing(MODEST, 3), playing(MODEST, 7)), rotate=True)
    assert (rounds.claims[::2] == 4).all()
    assert (rounds.claims[1::2] == 7).all()


def test_letters_choose_the_first_opener_uniformly_and_the_lowest_seat_in_a_tie() -> None:
    table = Table.of("salomon-1986", seats=4, letters=True)
    openers = np.bincount(play(table, 20_000, 3).openers.ravel(), minlength=4)
    assert abs(openers - 5000).max() < 5 * 61
    assert table.extra.letter_pairs == 300
    assert Table.of("dollar-bill", seats=4, letters=True).extra.letter_pairs == 0


def test_uniform_play_chooses_all_legal_actions_equally_often() -> None:
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
    """Count what the uniform player of Thorin's game answers in this number of draws."""
    nobody, cards = np.zeros((1, 2), np.int64), mask_of(read_joined_cards(hand))
    ladder, ranks = THORIN.extra
    seen = kernel_policies.Observation(THORIN.rules, ladder, ranks, 7, at, cards, 0, cards, 0, 40, 0, 0, nobody)
    chance = np.array([5], np.uint64)
    with np.errstate(over="ignore"):
        return Counter(int(kernel_policies.uniform(seen, chance, ())) for _ in range(draws))


def test_uniform_play_chooses_all_answers_and_discards_equally_often() -> None:
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


def test_a_hand_that_everyone_passes_is_abandoned_without_a_loser() -> None:
    played = play(THORIN, 2_000, 3, [playing(VARIED, family="thorin")])
    real = np.arange(THORIN.most_rounds) < played.lengths[:, None]
    assert ((played.losers < 0) & real).sum() > 10
    assert (played.winners >= 0).all()
    assert played.spent.max() == 1
    assert ((played.losers >= 0) & real).sum() == 2 * 2_000


def test_other_policies_get_the_same_first_deals() -> None:
    one, other = (
        play(STUD, 30, 1, [playing(way, family="queen_annes")], rounds=1, keep_deals=1).decks
        for way in (VARIED, UNIFORM)
    )
    assert np.array_equal(one[:, :, :7], other[:, :, :7])


def test_the_opener_can_be_chosen() -> None:
    table = Table.of("queen-annes", seats=4, losses=(5, 0, 5, 2))
    assert (play(table, 20, 1, rounds=1).openers == 1).all()
    assert (play(table, 20, 1, rounds=1, opener=3).openers == 3).all()
    with pytest.raises(CannotPlay, match="opener: seat 0 isn't in the match; seats still in: 1, 3"):
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
        {"policies": "uniform"},
        {"policies": (uniform,)},
        {"policies": (None,)},
        *({name: 1.0} for name in ("matches", "rounds", "first", "threads", "opener", "keep_moves", "keep_deals")),
        *({"seed": seed} for seed in (None, 1.0, "1")),
    ],
    ids=lambda change: ", ".join(re.sub(" at 0x[^>]*", "", f"{name} {value!r}") for name, value in change.items()),
)
def test_arguments_of_the_wrong_type_or_out_of_range_are_rejected(table: Table, change: dict[str, Any]) -> None:
    with pytest.raises(CannotPlay, match=next(iter(change))):
        play(table, **({"matches": 1, "seed": 1} | change))


def test_invalid_tables_are_rejected() -> None:
    with pytest.raises(CannotPlay, match="thorin isn't a digit game"):
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
    with pytest.raises(CannotPlay, match="cap_level = false"):
        assert endless.actions
    with pytest.raises(AttributeError):
        play(GAME, 1, 1).nonsense  # noqa: B018


@ONE_OF_EACH
def test_a_deal_that_was_not_recorded_is_not_returned(table: Table) -> None:
    with pytest.raises(CannotPlay, match="deals weren't recorded"):
        play(table, 1, 1).deal_of(0)


def test_endless_hands_and_unbounded_stakes_raise_errors() -> None:
    with pytest.raises(EndlessRound, match="match 0"):
        play(Table.of("slips", seats=3, options={"cap_level": False}), 1, 1, (playing(BRAGGART),))
    compound = Table.of("salomon-1986", seats=3, options={"compound_carry": True, "none_carry": "bid"})
    with pytest.raises(OutgrownStake, match="match 0"):
        play(compound, 1, 1, (playing(TOP_BID, 239),), rounds=25)


def test_a_policy_that_reads_untracked_state_is_rejected() -> None:
    with pytest.raises(CannotCompile, match="TABLE is neither a function nor a constant"):
        play(GAME, 1, 1, (Policy(unclear),))
    bid = 5

    def enclosed(seen: Observation, chance: Chance, data: Any) -> int:
        return bid

    with pytest.raises(CannotCompile, match="variables of an enclosing function"):
        play(GAME, 1, 1, (Policy(enclosed),))


TABLE = {1: 2}


def unclear(seen: Observation, chance: Chance, data: Any) -> int:
    return TABLE[1]


def allocating(seen: Observation, chance: Chance, data: Any) -> int:
    """Work on an array of its own, as policies may."""
    bids = np.zeros(4, np.int64)
    bids[:] = 9
    return int(bids[2]) if seen.auction.phase == OPEN else uniform(seen, chance, data)


def test_each_policy_plays_its_own_seat() -> None:
    played = play(GAME, 20, 3, (playing(OPENER, 17), Policy(allocating), "uniform"), keep_moves=1, rotate=True)
    assert (played.moves[::3, 0, 0, 1] == 17).all()
    assert (played.moves[1::3, 0, 0, 1] != 17).any()
    assert (played.moves[2::3, 0, 0, 1] == 9).all()


def test_the_action_with_the_highest_value_is_played_and_the_strongest_of_equals() -> None:
    rules = Table.of("salomon-1986", seats=2, options={"hand_size": 2, "symbols": 2}).rules
    worth = {0: 1.0, 1: 3.0, 2: 3.0, 3: 9.0, 4: 2.0, 5: 0.0, 6: 0.0, 7: 0.0}
    policy = highest_value_policy(rules, lambda claim, own: worth[claim] + 10 * own, lambda claim, own: 2.5 - own, 3, 2)
    nobody, nothing = np.zeros((1, 2), np.int32), np.zeros(0, np.bool_)

    def played(auction: Auction, number: str) -> int:
        seen = Observation(rules, auction, 0, packed_counts(number), 0, 1, 0, nobody, nothing)
        return best_by_value(seen, np.array([seed_of(1)]), policy.data)

    assert played(opening(0), "33") == 2  # it holds no three; of the three bids evaluated, the stronger of the best two
    assert played(opening(0), "22") == 1  # two twos add twenty to the value
    assert played(Auction(3, 0, 0, 0, 1, RESPOND), "33") == CHALLENGE  # 2.5, over 2 and 0
    assert played(Auction(2, 0, 0, 0, 1, RESPOND), "33") == 3  # 9, over 2.5
    assert played(Auction(5, 0, 0, 1, 0, DECIDE), "33") == COUNT  # all have value 0
    assert played(Auction(7, 0, 0, 0, 1, RESPOND), "22") == CHALLENGE  # there is no bid
