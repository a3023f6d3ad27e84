"""Batches, action by action: masks agree with the rules, observations hide secrets, and bad actions change nothing."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from liarspoker.core.cards.deck import JOKER, mask_of
from liarspoker.core.errors import LEGAL, WRONG_PHASE, IllegalAction
from liarspoker.engine.batch import Batch
from liarspoker.engine.errors import CannotPlay, IllegalActions, OutgrownStake
from liarspoker.engine.rollout import play
from liarspoker.engine.table import Table
from liarspoker.games.thorin.actions import TAKE, cards_of
from liarspoker.games.thorin.kernel import NO_ACTION, State, answer_at
from tests.effort import effort
from tests.engine.expected_observations import observed
from tests.engine.lockstep import CARDS, any_column, dealt, supplied, wild_action
from tests.engine.scripted_policies import VARIED, playing
from tests.engine.tables import BY_FAMILY, GAMES, Setting, random_setting, setting

ROWS = 4
PLENTY = {
    "digits": effort(8, quick=6, soak=250),
    "queen_annes": effort(4, quick=3, soak=120),
    "thorin": effort(2, quick=2, soak=60),
}


def finite_setting(family: str, chance: random.Random) -> Setting:
    """Return a table whose actions can be numbered and are few enough to check each one in Python."""
    while True:
        of = random_setting(family, chance)
        if family != "digits":
            return of
        if of.table.is_finite and of.table.actions <= (200 if of.table.rules.loose else 700):
            return of


def columns_in(batch: Batch, index: int, columns: Any) -> list[int]:
    """Return the actions of these columns for one batch element."""
    found = []
    for column in columns:
        given = np.zeros(ROWS, np.int64)
        given[index] = column
        found.append(int(batch.actions_at(given)[index]))
    return found


def play_beside(of: Setting, chance: random.Random, rounds: int) -> None:
    """Play a batch and sessions of the rules side by side, and compare everything."""
    table = of.table
    batch = Batch(table, ROWS, chance.randrange(1000), keep_deals=CARDS)
    sessions: list[Any] = [of.session] * ROWS
    claims = int(table.kernel.number.claims_in(table.rules, table.extra))
    for _ in range(rounds):
        batch.deal()
        sessions = dealt(batch, sessions, of)
        while not batch.is_over.all():
            legal, features = batch.legal(), batch.observe()
            sessions = supplied(batch, sessions, of)
            columns = []
            for index, session in enumerate(sessions):
                assert batch.to_act[index] == (-1 if session.to_act is None else session.to_act)
                rights = np.flatnonzero(legal[index])
                assert rights[rights < claims].size == len(session.legal().claims)
                assert sorted(columns_in(batch, index, rights[rights >= claims])) == sorted(session.legal().answers)
                if session.in_play:
                    by_name = dict(zip(batch.features, features[index].tolist(), strict=True))
                    assert by_name == observed(session, of.family, batch.features)
                else:
                    assert not features[index].any()
                columns.append(any_column(legal[index], of, claims, chance) if session.in_play else 0)
            wild = [wild_action(of, session, chance) for session in sessions]
            refused = [s.refusal(action) if s.in_play else 0 for s, action in zip(sessions, wild, strict=True)]
            assert batch.refusals(wild).tolist() == refused
            actions = batch.actions_at(columns)
            texts = [s.write(int(a)) if s.in_play else "anything" for s, a in zip(sessions, actions, strict=True)]
            batch.step(texts if chance.random() < 0.5 else actions)
            sessions = supplied(batch, sessions, of)
            sessions = [s.apply(int(a)) if s.in_play else s for s, a in zip(sessions, actions, strict=True)]
        compare_ends(batch, sessions, of.family)


def compare_ends(batch: Batch, sessions: list[Any], family: str) -> None:
    results = [session.round_result for session in sessions]
    assert batch.is_won.tolist() == [session.winner is not None for session in sessions]
    assert batch.rounds.tolist() == [session.rounds_played for session in sessions]
    if family == "digits":
        assert batch.payoffs.tolist() == [list(result.payoffs) for result in results]
        assert batch.scores.tolist() == [list(session.score) for session in sessions]
        assert batch.outcomes.tolist() == [result.settlement.outcome for result in results]
        return
    assert batch.losers.tolist() == [-1 if result.loser is None else result.loser for result in results]
    assert [tuple(np.flatnonzero(alive)) for alive in batch.alive] == [session.alive for session in sessions]
    if family == "queen_annes":
        assert batch.missing.tolist() == [result.proof.missing for result in results]
        assert batch.losses.tolist() == [list(session.losses) for session in sessions]
    else:
        assert batch.values.tolist() == [-1 if r.hand_value is None else r.hand_value for r in results]
        assert batch.hands.tolist() == [mask_of(session.round.hand) for session in sessions]


@pytest.mark.soak
@pytest.mark.parametrize("family", BY_FAMILY)
def test_masks_observations_refusals_and_results_agree_with_the_rules(family: str) -> None:
    chance = random.Random(20)
    for _ in range(PLENTY[family]):
        of = finite_setting(family, chance)
        slips = family == "digits" and of.table.extra.from_slips
        play_beside(of, chance, rounds=1 if slips else 2)


def test_whole_matches_end_as_they_do_in_python() -> None:
    options: dict[str, object] = {"who_may_challenge": "anyone", "stud_deal_to": "everyone"}
    play_beside(setting("queen-annes-stud", 2, options, losses=(4, 5)), random.Random(1), rounds=4)
    options = {"jokers": 2, "passes": 1, "take_top": True, "or_better": "words"}
    play_beside(setting("thorin", 2, options), random.Random(1), rounds=3)


@pytest.mark.parametrize("game", GAMES)
def test_a_batch_gets_the_same_deals_as_play(game: str) -> None:
    table = Table.of(game, 3, {"passes": 1} if game == "thorin" else {})
    policies = [playing(VARIED, family=table.kernel.family)] * 2
    rounds = 12 if not table.most_rounds else 4
    rollout = play(table, 20, 5, policies, rounds=rounds, first=3, keep_deals=900, keep_moves=400)
    assert rollout.decisions.max() <= 400
    batch = Batch(table, 20, 5, first=3, keep_deals=900)
    for round_ in range(rounds):
        batch.deal()
        real = round_ < rollout.lengths
        for step in range(rollout.decisions[:, round_].max()):
            batch.step(rollout.moves[:, round_, step, 1])
        for name in ("claims", "losers", "missing", "dealt", "drawn", "stakes", "outcomes"):
            if name in rollout.trajectory.rounds.dtype.names and hasattr(batch, name):
                assert np.array_equal(getattr(batch, name)[real], getattr(rollout, name)[real, round_]), name
        for name in ("numbers", "payoffs"):
            if hasattr(batch, name):
                assert np.array_equal(getattr(batch, name), getattr(rollout, name)[:, round_])
        if hasattr(batch, "decks"):
            assert [deck[:n].tolist() for deck, n in zip(batch.decks, batch.dealt, strict=True)] == [
                deck[:n].tolist() for deck, n in zip(rollout.decks[:, round_], batch.dealt, strict=True)
            ]
        if hasattr(batch, "cards"):
            assert all(
                np.array_equal(batch.cards[i, : batch.drawn[i]], rollout.cards[i, round_, : batch.drawn[i]])
                for i in np.flatnonzero(real)
            )
    assert np.array_equal(batch.winners, rollout.winners)


SECRETS: dict[str, dict[str, int]] = {
    "salomon-1986": {"numbers": 0, "counts": 8},
    "queen-annes-stud": {"known": 0},
    "thorin": {"had": 0},
}
"""How to replace what a seat knows; cards that everyone sees stay known to the others."""


def known_to_policies(batch: Batch, seat: int) -> list[str]:
    """Return what a policy for this seat observes, for each batch element."""
    table, state = batch.table, batch._state
    kernel = table.kernel
    found = []
    for index, line in enumerate(state.lines):
        now, wide = kernel.begin.load(line), kernel.number.at(state.wide, index)
        found.append(
            repr(kernel.show.observe(now, line, wide, seat, 0, np.zeros(0, np.int64), table.rules, table.extra))
        )
    return found


@pytest.mark.parametrize("game", SECRETS)
def test_observations_contain_no_hidden_information(game: str) -> None:
    table = Table.of(game, seats=3)
    batch, other = Batch(table, 50, 1), Batch(table, 50, 1)
    for each in (batch, other):
        each.deal()
        each.step(each.actions_at(np.arange(100, 150) if game == "thorin" else np.arange(50)))
        if game != "thorin":
            each.step(np.full(50, 100))
    lines, mine = other._state.lines, int(batch.to_act[0])
    others = [seat for seat in range(table.rules.seats) if seat != mine]
    for name, value in SECRETS[game].items():
        lines[name][:, others] = lines.known[:, others] & lines.known[:, [mine]] if name == "known" else value
    for name in {"deck", "stock", "pile"} & set(lines.dtype.names):
        lines[name][:] = JOKER
    if game == "thorin":
        lines.hand[:] = mask_of((0, 5, 10, 15, 20))
    assert np.array_equal(batch.observe(), other.observe())
    assert np.array_equal(batch.legal(), other.legal())
    assert known_to_policies(batch, mine) == known_to_policies(other, mine)
    if game == "thorin":
        for each in (batch, other):
            each.step(np.full(50, TAKE))
    for name, value in SECRETS[game].items():
        lines[name][:, mine] = value
    assert not np.array_equal(batch.observe(), other.observe())
    assert known_to_policies(batch, mine) != known_to_policies(other, mine)


def test_every_set_of_cards_is_one_discard_and_jokers_are_interchangeable() -> None:
    for hand in ((0, 5, 10, 15, 20), (0, 5, 10, 15, JOKER), (0, 5, 10, JOKER, JOKER)):
        at: Any = None
        found = [answer_at(3 + choice, State(at, 7, mask_of(hand))) for choice in range(32)]
        there = [action for action in found if action != NO_ACTION]
        assert len(there) == len(set(there)) == (24 if hand[3] == JOKER else 32)
        assert all(set(cards_of(action)) <= set(hand) for action in there)


def test_output_arrays_must_have_the_right_shape_and_dtype() -> None:
    batch = Batch(Table.of("slips", seats=2), 4, 1)
    mask, features = np.ones((4, batch.table.actions), np.bool_), np.ones((4, len(batch.features)), np.float32)
    assert batch.legal(mask) is mask
    assert batch.observe(features) is features
    assert not mask.any()  # no round has been dealt
    assert not features.any()
    wrong: Any
    for wrong in (np.ones((3, 162), np.bool_), np.ones((4, 162), np.int8), np.ones((162, 4), np.bool_).T):
        with pytest.raises(CannotPlay, match="out: "):
            batch.legal(wrong)


@pytest.mark.parametrize(
    ("game", "actions", "refusal"),
    [
        ("slips", [5, "1x6", 160], "match 2: action 160: no-such-claim"),
        ("queen-annes", [5, 6, "challenge"], "match 2: action -1: wrong-phase"),
        ("thorin", ["declare pair 7", "declare pair 7", "take"], "match 2: action -2: wrong-phase"),
    ],
)
def test_one_illegal_action_leaves_all_matches_unchanged(game: str, actions: list[Any], refusal: str) -> None:
    batch = Batch(Table.of(game, seats=2), 3, 1)
    batch.deal()
    before = batch._state.lines.copy()
    with pytest.raises(IllegalActions, match=refusal) as caught:
        batch.step(actions)
    assert caught.value.row == 2
    assert np.array_equal(before, batch._state.lines)
    with pytest.raises(IllegalAction, match="unreadable-action"):
        batch.step(["mumble"] * 3)


def test_a_challenge_out_of_turn_is_read_with_its_seat() -> None:
    batch = Batch(Table.of("queen-annes", 3, {"who_may_challenge": "anyone"}), 2, 1)
    batch.deal()
    batch.step(["claim pair 7", 18])
    assert (
        batch.refusals(["challenge 2", "challenge 0"]).tolist()
        == batch.refusals([-4, -2]).tolist()
        == [LEGAL, WRONG_PHASE]
    )
    batch.step(["challenge 2", "challenge 1"])
    assert batch.is_over.all()


@pytest.mark.parametrize("game", ["slips", "queen-annes", "thorin"])
def test_invalid_arguments_of_a_batch_are_rejected(game: str) -> None:
    table = Table.of(game, seats=3)
    batch = Batch(table, 2, 1)
    batch.deal()
    for wrong in ([1], [[1, 2]], [1.0, 2.0], 4, ["challenge"], "challenge"):
        with pytest.raises(CannotPlay, match="must be integers"):
            batch.step(wrong)
    with pytest.raises(CannotPlay, match="still in play"):
        batch.deal()
    with pytest.raises(CannotPlay, match=f"columns: they must be between 0 and {table.actions - 1}"):
        batch.actions_at([0, table.actions])
    with pytest.raises(AttributeError):
        batch.nonsense  # noqa: B018
    for change in ({"matches": 0}, {"matches": 1.0}, {"first": -1}, {"opener": 3}, {"keep_deals": -1}, {"seed": None}):
        with pytest.raises(CannotPlay, match=next(iter(change))):
            Batch(**({"table": table, "matches": 1, "seed": 1} | change))  # type: ignore[arg-type]


def test_a_stake_beyond_the_limit_is_not_dealt() -> None:
    of = setting("salomon-1986", 3, {"compound_carry": True, "none_carry": "bid"}, from_slips=False)
    batch = Batch(of.table, 2, 1)
    while batch.stakes.max() < 1 << 37:
        batch.deal()
        for action in ("24x0", "challenge", "challenge", "count"):
            batch.step([action, action])
    before = batch.numbers
    with pytest.raises(OutgrownStake):
        batch.deal()
    assert np.array_equal(batch.numbers, before)
    assert batch.is_over.all()


def test_a_ladder_without_a_top_has_no_mask() -> None:
    batch = Batch(Table.of("slips", seats=2, options={"cap_level": False}), 1, 1)
    batch.deal()
    batch.step([5000])
    assert batch.refusals(["challenge"]) == [0]
    with pytest.raises(CannotPlay, match="cap_level = false"):
        batch.legal()
    with pytest.raises(CannotPlay, match="cap_level = false"):
        batch.actions_at([0])
