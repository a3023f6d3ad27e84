"""Statistics of card games equal a slow count of the same rounds by the rules, one action at a time."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import liarspoker
from liarspoker import engine

if not engine.available():
    pytest.skip("the extra engine is not installed", allow_module_level=True)

from liarspoker.coach.statistics import blocks, hand_statistics, record_statistics, statistics_of
from liarspoker.core.cards.claims import WORDS
from liarspoker.core.cards.hand_values import hand_value
from liarspoker.engine.chance import Chance
from liarspoker.engine.errors import CannotPlay
from liarspoker.engine.lineup import Policy
from liarspoker.engine.rollout import Rollout, play
from liarspoker.engine.table import Table
from liarspoker.games.cards.statistics_sums import CardSums, summed
from liarspoker.games.queen_annes.ladder import named_hand, prove
from liarspoker.games.thorin.actions import CHALLENGE, PASS, TAKE
from liarspoker.games.thorin.kernel_policies import claim_count, is_answer, nth_claim, nth_discard
from liarspoker.games.thorin.ladder import keeps_promise
from liarspoker.games.thorin.state import DECLARE, DISCARDING
from liarspoker.records import Replay, document_of, read_toml, replay
from liarspoker.web.view_models.plain import pages_for
from liarspoker.web.view_models.round_replay import round_replay
from tests.another_preset import add_preset
from tests.coach.means import mean_of

GOLDEN = Path(__file__).parents[1] / "records" / "golden"

GAMES: tuple[tuple[str, int, dict[str, object]], ...] = (
    ("thorin", 2, {}),
    ("thorin", 4, {"passes": 1, "take_top": True, "jokers": 2, "or_better": "words"}),
    ("queen-annes", 3, {"who_may_challenge": "anyone", "next_opener": "rotate"}),
    ("queen-annes", 2, {"jokers": 1, "wild_ranks": "29", "flush_order": "suit_first"}),
    ("queen-annes-indian", 3, {}),
    ("queen-annes-stud", 2, {"stud_deal_to": "everyone", "stud_everyone_lost": "at_once"}),
    ("queen-annes-stud", 3, {"next_opener": "winner"}),
)

games = st.sampled_from(GAMES)
seeds = st.integers(0, 2**32)


def recorded(game: str, seats: int, options: Mapping[str, object], bot: str, matches: int, seed: int) -> Rollout:
    table = Table.of(game, seats, options)
    return play(table, matches, seed, [bot], rotate=True, keep_deals=2_000, keep_moves=300)


def records(rollout: Rollout, game: str, seats: int, options: Mapping[str, object]) -> Iterator[Replay]:
    """Yield the record of each match of a rollout, played again by the rules."""
    loaded: Any = liarspoker.load(game)
    for match in range(rollout.lengths.size):
        session = loaded.session(seats, loaded.options(dict(options)))
        for number in range(rollout.lengths[match]):
            session = session.deal(rollout.deal_of(match, number))
            for _seat, action in rollout.moves[match, number, : rollout.decisions[match, number]].tolist():
                session = session.apply(action)
        found = replay(document_of(loaded, session, tuple(f"Player {seat}" for seat in range(seats))))
        assert found.fault is None
        yield found


class Slow:
    """The same statistics, counted one action at a time, with the bluffs of a player's profile."""

    def __init__(self) -> None:
        self.units: list[tuple[int, ...]] = []
        self.rounds: Counter[int] = Counter()
        self.lengths: defaultdict[int, Counter[str]] = defaultdict(Counter)
        self.outcomes: defaultdict[int, Counter[str]] = defaultdict(Counter)
        self.actions: Counter[tuple[int, int, str]] = Counter()
        self.losses: defaultdict[tuple[int, int], list[tuple[int, int]]] = defaultdict(list)
        # By players still in and position, or `None` for all together, and the kind of hand.
        self.claims: defaultdict[tuple[int | None, int | None, str], Counter[str]] = defaultdict(Counter)
        self.lost: defaultdict[tuple[int | None, int | None, str], list[tuple[int, int]]] = defaultdict(list)

    def add(self, record: Replay) -> None:
        """Count a record."""
        assert record.game is not None
        losses: defaultdict[tuple[int, int], list[int]] = defaultdict(list)
        lost: defaultdict[tuple[int | None, int | None, str], list[int]] = defaultdict(list)
        for index, session in enumerate(record.rounds):
            self._add_round(record, index, session, losses, lost)
        for cell, each in losses.items():
            self.losses[cell].append((sum(each), len(each)))
        for kind, each in lost.items():
            self.lost[kind].append((sum(each), len(each)))
        first: Any = record.rounds[0]
        last = record.session
        assert last is not None
        if last.winner is not None:
            opener = first.round.terms.opener
            self.units.append((*last.score[opener:], *last.score[:opener]))

    def _add_round(self, record: Replay, index: int, session: Any, losses: Any, lost: Any) -> None:
        result, dealt = session.round_result, session.round
        alive = [seat for seat in range(session.seats) if seat in dealt.terms.alive]
        start = alive.index(dealt.terms.opener)
        order = alive[start:] + alive[:start]
        players = len(order)
        moves = [(seat, session.write(action)) for seat, action in dealt.moves]
        moves = [(seat, text) for seat, text in moves if not text.startswith("show")]
        self.rounds[players] += 1
        self.lengths[players][str(len(moves))] += 1
        if result.challenger is not None:
            outcome = "failed" if result.loser == result.claimant else "stood"
        else:
            outcome = "thrown_in" if result.loser is None else "took_top"
        self.outcomes[players][outcome] += 1
        for position, seat in enumerate(order):
            losses[players, position].append(int(result.loser == seat))
        for place, (seat, text) in enumerate(moves):
            position, word = order.index(seat), text.split()[0]
            claims = {"claim", "declare", "name"}
            kind = "claims" if word in claims else {"take": "takes", "pass": "passes"}.get(word, f"{word}s")
            self.actions[players, position, kind] += 1
            if word not in claims:
                continue
            answer = next((other for _seat, other in moves[place + 1 :] if other != "pass"), None)
            is_challenged = answer is not None and answer.startswith("challenge")
            false = not self.is_true(record, index, place + 1)
            for cell in cells(players, position, text.split()[1]):
                one = self.claims[cell]
                one["claims"] += 1
                one["challenged"] += is_challenged
                one["taken"] += answer is not None and not is_challenged
                one["stood"] += is_challenged and result.loser != seat
                one["judged"] += 1
                one["false"] += false
                lost[cell].append(int(result.loser == seat))
        for position, seat in enumerate(order):
            assert record.game is not None
            profile = pages_for(record.game.preset).profile
            assert profile is not None
            for key, made in profile.bids(round_replay(record, index, str(seat))).made:
                for cell in cells(players, position, WORDS[key]):
                    self.claims[cell] += Counter(
                        known=made.known, bluffs=made.bluffs, bluffs_challenged=made.bluffs_challenged
                    )

    def is_true(self, record: Replay, index: int, made: int) -> bool:
        """Return whether the claim after a number of actions was true, by the rules."""
        dealt: Any = round_replay(record, index, "all").sessions[made].round
        if hasattr(dealt, "pool"):
            return prove(named_hand(dealt.state.claim, dealt.rules), dealt.pool, dealt.rules).exists
        return keeps_promise(hand_value(dealt.hand, bool(dealt.rules.double_any)), dealt.state.claim, dealt.rules)


def cells(players: int, position: int, kind: str) -> list[tuple[int | None, int | None, str]]:
    return [(None, None, kind), (players, None, kind), (players, position, kind)]


def agree(found: CardSums, slow: Slow) -> None:
    """Check a report against a slow count: integers exactly, means to the last digits."""
    report = found.report()
    assert report["matches"] == len(slow.units)
    for position, one in enumerate(report["units_per_match"]):
        assert one == {"position": position, **mean_of([(units[position], 1) for units in slow.units])}
    assert report["rounds"] == sum(slow.rounds.values())
    assert report["actions"] == sum(slow.actions.values())
    agree_on_kinds(report["kinds"], slow, None, None)
    assert [one["players"] for one in report["by_players"]] == sorted(slow.rounds)
    for part in report["by_players"]:
        players = part["players"]
        assert part["rounds"] == slow.rounds[players]
        assert part["lengths"] == slow.lengths[players]
        assert Counter(part["outcomes"]) == slow.outcomes[players]
        agree_on_kinds(part["kinds"], slow, players, None)
        assert [one["position"] for one in part["positions"]] == list(range(players))
        for one in part["positions"]:
            cell = players, one["position"]
            assert one["losses_per_round"] == mean_of(slow.losses[cell])
            assert {name: one[name] for name in found.names} == {
                name: slow.actions[(*cell, name)] for name in found.names
            }
            agree_on_kinds(one["kinds"], slow, *cell)


def agree_on_kinds(kinds: list[dict[str, Any]], slow: Slow, players: int | None, position: int | None) -> None:
    """Check the claims of each kind."""
    counted = {kind for *where, kind in slow.claims if where == [players, position]}
    assert [one["kind"] for one in kinds] == sorted(counted, key=WORDS.index)
    for one in kinds:
        cell = players, position, one["kind"]
        exact = slow.claims[cell]
        names = ("claims", "known", "bluffs", "judged", "false", "challenged", "bluffs_challenged", "taken", "stood")
        assert [one[name] for name in names] == [exact[name] for name in names]
        assert one["losses"] == mean_of(slow.lost[cell])
        assert (one["stood_interval"] is None) == (exact["challenged"] == 0)


def counted(rollout: Rollout, seed: int) -> CardSums:
    """Return the statistics of a rollout."""
    table: Any = rollout.table
    family: Any = statistics_of(table.game)
    return summed(family.rounds_in(rollout, 0, seed), table.rules, family.actions)


@pytest.mark.slow
@given(games, seeds, st.integers(1, 3))
def test_statistics_of_bots_and_of_their_records_equal_a_slow_count(
    named: tuple[str, int, dict[str, object]], seed: int, matches: int
) -> None:
    rollout, slow = recorded(*named, "uniform", matches, seed), Slow()
    played = list(records(rollout, *named))
    for record in played:
        slow.add(record)
    found = counted(rollout, seed)
    agree(found, slow)
    first, *others = map(record_statistics, played)
    assert sum(others, first).report() == found.report()
    assert int(found.won.sum()) == 0


@pytest.mark.parametrize("game", ["thorin", "queen-annes", "queen-annes-indian", "queen-annes-stud"])
def test_a_slow_count_of_bluffers_agrees(game: str) -> None:
    named, slow = (game, 3, dict[str, object]()), Slow()
    rollout = recorded(*named, "bluffer", 12, 7)
    for record in records(rollout, *named):
        slow.add(record)
    agree(counted(rollout, 7), slow)


@given(games, seeds, st.integers(1, 20), st.integers(2, 5))
def test_neither_threads_nor_blocks_matter(
    named: tuple[str, int, dict[str, object]], seed: int, matches: int, threads: int
) -> None:
    table = Table.of(*named)
    found = hand_statistics(table, matches, seed, threads=threads)
    assert found.report() == hand_statistics(table, matches, seed).report()
    assert found.matches == found.played == matches
    assert found.dealt == sum(part["rounds"] for part in found.report()["by_players"])


def slowly(seen: Any, chance: Chance, data: Any) -> int:
    """Declare a little more each time, and never challenge what can be taken."""
    if seen.state.phase == DECLARE:
        return nth_claim(claim_count(seen) // 40, seen)
    return nth_discard(0, seen.hand) if seen.state.phase == DISCARDING else TAKE


def test_long_rounds_are_counted_whole() -> None:
    table = Table.of("thorin", 2, {"take_top": True})
    found = hand_statistics(table, 5, 3, [Policy(slowly)])
    (part,) = found.report()["by_players"]
    assert part["outcomes"] == {"failed": 0, "stood": 0, "thrown_in": 0, "took_top": 5}
    ((length, rounds),) = part["lengths"].items()
    assert rounds == 5
    assert int(length) > 300
    assert part["actions"] == 5 * int(length)
    assert [sum(one["actions"] for one in (part,))] == [found.report()["actions"]]


def passing(seen: Any, chance: Chance, data: Any) -> int:
    """Declare the weakest hand, and pass while that is possible; then challenge."""
    if seen.state.phase == DECLARE:
        return nth_claim(0, seen)
    return PASS if is_answer(PASS, seen) else CHALLENGE


def test_a_claim_that_all_others_pass_is_neither_challenged_nor_taken() -> None:
    table = Table.of("thorin", 2, {"passes": 1})
    report = hand_statistics(table, 5, 3, [Policy(passing)]).report()
    (part,) = report["by_players"]
    assert part["outcomes"]["thrown_in"] == 5
    assert part["rounds"] == 10
    (kind,) = report["kinds"]
    assert [kind[name] for name in ("claims", "challenged", "taken")] == [10, 5, 0]


def test_what_a_record_hides_is_not_counted_as_known() -> None:
    record = read_toml((GOLDEN / "thorin-unknown.toml").read_bytes())
    found = record_statistics(record).report()
    assert found["rounds"]
    rounds = [one for one in record.rounds if one.round_result is not None]
    written = [one.write(action) for one in rounds for _seat, action in one.round.moves]  # type: ignore[attr-defined]
    shown = sum(text.startswith("show") for text in written)
    assert shown  # and not counted
    assert found["actions"] == len(written) - shown
    claims, known, judged = (sum(one[name] for one in found["kinds"]) for name in ("claims", "known", "judged"))
    assert 0 <= known <= judged < claims
    assert judged >= sum(one["challenged"] for one in found["kinds"])  # the hand was shown


def test_unfinished_rounds_and_matches_with_losses() -> None:
    stud = (GOLDEN / "queen-annes-stud.toml").read_text(encoding="utf-8")
    assert "losses" in stud
    record = read_toml(stud)
    found = record_statistics(record)
    assert found.matches == 0
    assert found.dealt == sum(one.round_result is not None for one in record.rounds)
    empty = record_statistics(replay({"lpn": 1, "game": "thorin", "players": ["Ann", "Bob"], "rounds": []})).report()
    assert (empty["matches"], empty["rounds"], empty["actions"], empty["kinds"], empty["by_players"]) == (
        0,
        0,
        0,
        [],
        [],
    )
    assert empty["units_per_match"][0] == {"position": 0, "mean": None, "half_width": None}


def test_different_rules_are_not_added() -> None:
    two, three = (hand_statistics(Table.of("thorin", seats), 2, 1) for seats in (2, 3))
    with pytest.raises(ValueError, match="different rules"):
        _ = two + three
    assert (two + two).matches == 4


def test_a_game_of_a_family_of_this_package_is_counted_and_another_family_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    row = add_preset(monkeypatch, "thorin")
    assert hand_statistics(Table.of(row.id, 2), 3, 1).matches == 3
    with pytest.raises(CannotPlay, match="hands"):
        next(blocks(Table.of("thorin", 2), 0, 1, ["uniform"]))
    unread = replay({"lpn": 1, "game": "no-such-game", "players": ["Ann", "Bob"], "rounds": []})
    with pytest.raises(CannotPlay, match="no-such-game: there are no statistics"):
        record_statistics(unread)
