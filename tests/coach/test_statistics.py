"""Statistics of many hands equal a slow count of the same hands by the rules, one action at a time."""

from __future__ import annotations

import copy
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import liarspoker
from liarspoker import engine

if not engine.available():
    pytest.skip("the extra engine is not installed", allow_module_level=True)

from liarspoker.coach.statistics import LONGEST_BLOCK, Hands, Statistics, blocks, hand_statistics, hands_in, summed
from liarspoker.core.session import RoundSetup
from liarspoker.engine.errors import CannotPlay
from liarspoker.engine.rollout import Rollout, play
from liarspoker.engine.table import Table
from liarspoker.games.digits.auction import CHALLENGE, COUNT, DECIDE
from liarspoker.games.digits.ladder import digit_of, level_of
from liarspoker.games.digits.session import DigitSession
from tests.coach.means import mean_of
from tests.coach.records import SMALL
from tests.solve.tables import Small, small_games

GAMES: tuple[tuple[str, int, dict[str, object]], ...] = (
    ("salomon-1986", 2, {}),
    ("salomon-1986", 3, {"loose_order": True, "hand_size": 3, "symbols": 3}),
    ("slips", 5, {"rebid": True}),
    ("dollar-bill", 4, {"hand_size": 2, "symbols": 10}),
)


def recorded(game: str, seats: int, options: Mapping[str, object], bot: str, hands: int, seed: int) -> Rollout:
    table = Table.of(game, seats, options, from_slips=False)
    return play(table, hands, seed, [bot], rotate=True, keep_deals=1, keep_moves=table.most_moves)


def sessions(rollout: Rollout, game: str, seats: int, options: Mapping[str, object]) -> Iterable[DigitSession]:
    """Yield each hand of a rollout, played again by the rules."""
    loaded: Any = liarspoker.load(game)
    for match in range(rollout.lengths.size):
        session = loaded.session(seats, loaded.options(options), False)
        session = session.deal(rollout.deal_of(match), RoundSetup(opener=0, stake=1))
        for _seat, action in rollout.moves[match, 0, : rollout.decisions[match, 0]].tolist():
            session = session.apply(action)
        assert not session.in_play
        yield session


class Slow:
    """The same statistics, counted one action at a time."""

    def __init__(self) -> None:
        self.hands = 0
        self.units: defaultdict[int, list[int]] = defaultdict(list)
        self.actions: Counter[tuple[int, str]] = Counter()
        self.lengths: Counter[str] = Counter()
        self.outcomes: Counter[str] = Counter()
        # By position, or `None` for all together, and level.
        self.levels: defaultdict[tuple[int | None, int], Counter[str]] = defaultdict(Counter)
        self.won: defaultdict[tuple[int | None, int], list[tuple[int, int]]] = defaultdict(list)
        self.counted: defaultdict[tuple[int | None, int], list[int]] = defaultdict(list)

    def add(self, session: DigitSession) -> None:
        hand, result = session.round, session.round_result
        assert hand is not None
        assert result is not None
        rules = hand.rules
        units = [each // result.stake for each in result.payoffs]
        self.hands += 1
        self.lengths[str(len(hand.moves))] += 1
        self.outcomes[("failed", "made", "hero", "none")[result.settlement.outcome]] += 1
        for seat in range(rules.seats):
            self.units[(seat - result.opener) % rules.seats].append(units[seat])
        made: defaultdict[tuple[int | None, int], list[int]] = defaultdict(list)
        at = type(hand).begin(rules, hand.terms, hand.numbers, hand.counts)
        for place, (seat, action) in enumerate(hand.moves):
            kind = {CHALLENGE: "challenges", COUNT: "counts"}.get(action, "bids")
            if kind == "bids" and at.auction.phase == DECIDE:
                kind = "rebids"
            self.actions[(seat - result.opener) % rules.seats, kind] += 1
            at = at.apply(action)
            if action < 0:
                continue
            level, digit = level_of(action, rules), digit_of(action, rules)
            known = None if "?" in hand.numbers[seat] else hand.numbers[seat].count(str(digit))
            if digit == digit_of(result.final_claim, rules):
                known = result.counts[seat]
            positions = None, (seat - result.opener) % rules.seats
            for cell in ((position, level) for position in positions):
                one = self.levels[cell]
                one["bids"] += 1
                one["challenged"] += hand.moves[place + 1][1] == CHALLENGE
                made[cell].append(units[seat])
                if known is not None:
                    one["known"] += 1
                    one["held"] += known
                    one["bluffs"] += known < rules.hand_size / rules.symbols
        final = level_of(result.final_claim, rules)
        for cell in ((position, final) for position in (None, (result.bidder - result.opener) % rules.seats)):
            self.levels[cell]["counted"] += 1
            self.levels[cell]["stood"] += result.settlement.outcome != 0
            self.counted[cell].append(units[result.bidder])
        for cell, each in made.items():
            self.won[cell].append((sum(each), len(each)))


def agree(found: Statistics, slow: Slow) -> None:
    """Check a report against a slow count: integers exactly, means to the last digits."""
    report = found.report()
    assert report["hands"] == slow.hands
    assert report["actions"] == sum(slow.actions.values())
    assert report["lengths"] == slow.lengths
    assert Counter(report["outcomes"]) == slow.outcomes
    for one in report["positions"]:
        position = one["position"]
        assert [one[kind] for kind in ("bids", "challenges", "rebids", "counts")] == [
            slow.actions[position, kind] for kind in ("bids", "challenges", "rebids", "counts")
        ]
        assert one["units_per_hand"] == mean_of([(units, 1) for units in slow.units[position]])
        agree_on_levels(one["levels"], slow, position)
    agree_on_levels(report["levels"], slow, None)


def agree_on_levels(levels: list[dict[str, Any]], slow: Slow, position: int | None) -> None:
    """Check the levels of one position, or of all together."""
    assert [one["level"] for one in levels] == sorted(level for where, level in slow.levels if where == position)
    for one in levels:
        cell = position, one["level"]
        exact = slow.levels[cell]
        names = ("bids", "known", "bluffs", "challenged", "counted", "stood")
        assert [one[name] for name in names] == [exact[name] for name in names]
        assert one["held"] == (exact["held"] / exact["known"] if exact["known"] else None)
        assert one["units"] == mean_of(slow.won[cell])
        assert one["counted_units"] == mean_of([(units, 1) for units in slow.counted[cell]])
        assert (one["stood_interval"] is None) == (exact["counted"] == 0)


@pytest.mark.parametrize(("game", "seats", "options"), GAMES)
@pytest.mark.parametrize("bot", ["uniform", "bluffer"])
def test_a_slow_count_agrees(game: str, seats: int, options: dict[str, object], bot: str) -> None:
    rollout, slow = recorded(game, seats, options, bot, 300, 7), Slow()
    for session in sessions(rollout, game, seats, options):
        slow.add(session)
    agree(summed(hands_in(rollout), rollout.table.rules), slow)


@given(small_games(), st.integers(0, 2**32), st.integers(1, 30), st.integers(1, 30))
def test_statistics_of_small_games_agree_and_add_up(small: Small, seed: int, first: int, more: int) -> None:
    named = small.game, small.seats, small.options
    rollout, slow = recorded(*named, "uniform", first + more, seed), Slow()
    for session in sessions(rollout, *named):
        slow.add(session)
    hands, rules = hands_in(rollout), rollout.table.rules
    halves: list[Any] = [[array[part] for array in hands] for part in (slice(first), slice(first, None))]
    parts = [summed(Hands(*half), rules) for half in halves]
    agree(parts[0] + parts[1], slow)
    table = Table.of(*named, from_slips=False)
    agree(hand_statistics(table, first + more, seed, ["uniform"], threads=3), slow)


def test_blocks_are_those_of_one_long_run() -> None:
    table = Table.of("dollar-bill", 2, {"hand_size": 2, "symbols": 2}, from_slips=False)
    hands = LONGEST_BLOCK + 100
    parts = list(blocks(table, hands, 5, ["uniform"], threads=2))
    assert [part.hands for part in parts] == [LONGEST_BLOCK, 100]
    rollout = play(table, hands, 5, ["uniform"], rotate=True, keep_deals=1, keep_moves=table.most_moves)
    whole = summed(hands_in(rollout), table.rules).report()
    assert (parts[0] + parts[1]).report() == whole == hand_statistics(table, hands, 5, ["uniform"]).report()


@pytest.mark.parametrize(("game", "seats", "options"), [game for game in GAMES if game[0] != "slips"])
def test_records_of_the_same_hands_have_the_same_statistics(game: str, seats: int, options: dict[str, object]) -> None:
    rollout, found = recorded(game, seats, options, "bluffer", 40, 3), []
    for session in sessions(rollout, game, seats, options):
        document = liarspoker.document_of(
            liarspoker.load(game), session, tuple(f"Player {seat}" for seat in range(seats))
        )
        found.append(liarspoker.record_statistics(liarspoker.replay(document)))
    total = sum(found[1:], found[0])
    assert total.report() == summed(hands_in(rollout), rollout.table.rules).report()


def test_hidden_numbers_are_known_only_by_the_count() -> None:
    document = copy.deepcopy(SMALL)
    document["rounds"][0] |= {"deal": ["112", "???", "1??"], "counts": [2, 0, 2]}
    replay, slow = liarspoker.replay(document), Slow()
    for one in replay.rounds:
        assert isinstance(one, DigitSession)
        slow.add(one)
    found = liarspoker.record_statistics(replay)
    agree(found, slow)
    levels = {one["level"]: one for one in found.report()["levels"]}
    # Ann's 2x1 and Bob's 2x3 of the second hand; Bob's 3x3 of the first is hidden; Cy's 4x1 was counted.
    assert [(level, one["bids"], one["known"]) for level, one in levels.items()] == [(2, 2, 2), (3, 1, 0), (4, 1, 1)]
    assert levels[3]["held"] is None


def test_units_of_a_record_are_at_stake_1() -> None:
    document = {
        "lpn": 1,
        "game": "salomon-1986",
        "players": ["Ann", "Bob"],
        "rounds": [
            {"deal": ["66667777", "11111111"], "opener": 0, "actions": ["3x6", "challenge", "count"]},
            {"deal": ["66667777", "11111111"], "actions": ["2x7", "challenge", "count"]},
        ],
    }
    replay = liarspoker.replay(document)
    assert replay.fault is None
    last = replay.rounds[-1]
    assert isinstance(last, DigitSession)
    assert last.ledger.score == (4, -4)
    assert liarspoker.record_statistics(replay).won.tolist() == [3, -3]


def test_a_bid_above_all_digits_of_the_table_is_in_the_last_level() -> None:
    document = {
        "lpn": 1,
        "game": "dollar-bill",
        "options": {"cap_level": False, "hand_size": 2, "symbols": 2},
        "players": ["Ann", "Bob"],
        "rounds": [{"deal": ["11", "10"], "opener": 0, "actions": ["3x1", "10000000000000000000000x1", "challenge"]}],
    }
    replay = liarspoker.replay(document)
    assert replay.fault is None
    found = liarspoker.record_statistics(replay)
    assert found.levels.bids.tolist() == [0, 0, 1, 0, 1]
    assert found.levels.counted.tolist() == [0, 0, 0, 0, 1]
    assert found.levels.held.tolist() == [0, 0, 2, 0, 1]


def test_a_record_without_counted_hands_and_an_unfinished_hand() -> None:
    unfinished = {**SMALL, "rounds": [{**SMALL["rounds"][0], "actions": ["2x1"]}]}
    for document in (unfinished, {**SMALL, "rounds": []}):
        report = liarspoker.record_statistics(liarspoker.replay(document)).report()
        assert (report["hands"], report["actions"], report["levels"], report["lengths"]) == (0, 0, [], {})
        assert report["positions"][0]["units_per_hand"] == {"mean": None, "half_width": None}


def test_ladders_without_a_top_and_no_hands_are_refused() -> None:
    with pytest.raises(CannotPlay, match="cap_level"):
        hand_statistics(Table.of("slips", 2, {"cap_level": False}), 10, 1)
    with pytest.raises(CannotPlay, match="hands"):
        hand_statistics(Table.of("slips", 2), 0, 1)


def test_different_rules_are_not_added() -> None:
    two, three = (hand_statistics(Table.of("dollar-bill", seats), 10, 1) for seats in (2, 3))
    with pytest.raises(ValueError, match="different rules"):
        _ = two + three
    assert np.array_equal((two + two).won, 2 * two.won)
