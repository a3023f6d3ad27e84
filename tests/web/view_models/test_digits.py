"""View models of digit games, for players and spectators, checked against the session."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import product
from typing import Any

import pytest

from liarspoker.core import catalogue
from liarspoker.games.digits import options, result, settlement
from liarspoker.games.digits.ladder import digit_of, level_of
from liarspoker.games.digits.notation import write
from liarspoker.games.digits.options import DigitOptions, Rules
from liarspoker.games.digits.presets import DigitPreset
from liarspoker.games.digits.settlement import bid_multiplier
from tests.tables.play import new_table
from tests.untyped import untyped
from tests.web.view_models.snapshots import act, dealt, everybody, mover, page, seen, states

WAYS: dict[str, dict[str, Any]] = {
    "dollar-bill": {"game": "dollar-bill"},
    "salomon-1986": {"game": "salomon-1986"},
    "slips": {"game": "slips"},
    "zeros low": {"game": "salomon-1986", "options": {"order": "zero_low"}},
    "aces high": {"game": "dollar-bill", "options": {"order": "ace_high"}},
    "loose order": {"game": "salomon-1986", "options": {"loose_order": True}},
    "loose and without a top": {"game": "slips", "options": {"loose_order": True, "cap_level": False}},
    "no top": {"game": "dollar-bill", "options": {"cap_level": False, "reveal": "on_request"}},
    "small numbers": {"game": "salomon-1986", "options": {"hand_size": 2, "symbols": 3, "compound_carry": True}},
    "long numbers": {"game": "salomon-1986", "options": {"hand_size": 15, "two_player_none": "push"}},
}
"""Settings of tables: every preset, and unusual options."""


@pytest.mark.parametrize(("way", "users"), [*product(WAYS, (2, 4)), ("slips", 3)])
def test_every_state_of_a_hand_matches_the_rules(way: str, users: int) -> None:
    promised, counted = None, 0
    for number, played in enumerate(states(users=users, seed=users, rounds=6, **WAYS[way])):
        session = untyped(played.table.sitting.session)  # type: ignore[union-attr]
        views = {user: seen(played, user) for user in everybody(played)}
        for user, model in views.items():
            check_pad(model.pad, session, user == played.table.to_act)
            check_sentence(model.said)
        check_ladder(views[None], session)
        model = views[played.table.to_act]
        if model.count is None:
            if model.standing is not None:
                promised = next(views[user].standing for user in model.marked if "bidder" in model.marks(user))
        else:
            counted += 1
            check_count(model.count, session, users)
            check_promise(promised, model.count)
        if number % 8 == 0:
            for user in (played.table.to_act, None):
                assert not re.search("style=|None", page(played, user))
    assert counted == 6


def check_pad(pad: Any, session: Any, my_turn: bool) -> None:
    """Check that the pad offers exactly the legal bids."""
    legal = [write(claim, session.setup.rules) for claim in session.legal().claims] if my_turn else []
    if not legal:
        assert pad is None
        return
    keys = [key for level in pad.levels for key in level.keys]
    assert [key.action for key in keys if key.legal] == [key.action for key in keys if key.action in legal]
    assert [key.action for key in keys if key.chosen] == [pad.chosen.action] == legal[:1]
    assert all(bool(key.why_not) != key.legal for key in keys)
    assert all(len(level.keys) == session.setup.rules.symbols for level in pad.levels)


def check_sentence(said: str) -> None:
    assert (said.endswith((".", "!")) and said[0].isupper()) or said[0].isdigit()
    assert not re.search("[Yy]ou is|: You", said)


def check_ladder(model: Any, session: Any) -> None:
    """Check that the ladder has every action and marks the standing bid."""
    assert len(model.ladder) == len(session.view(None).moves)
    claim, rules = session.round.auction.claim, session.setup.rules
    standing = [step.multiplier for step in model.ladder if step.standing]
    assert standing == ([bid_multiplier(claim, rules)] if claim >= 0 else [])
    if claim >= 0 and model.count is None:
        assert (model.standing.level, model.standing.digit) == (level_of(claim, rules), str(digit_of(claim, rules)))


def check_count(count: Any, session: Any, users: int) -> None:
    """Check that the count adds up seat by seat."""
    assert [held.step for held in count.seats] == [*range(1, users + 1)]
    assert count.seats[-1].bidder
    assert count.seats[-1].total == count.total == session.round_result.total
    assert sum(held.fingers for held in count.seats) == count.total
    assert sum(held.payoff for held in count.seats) == 0
    assert all(held.before + held.payoff == held.now for held in count.seats)
    assert count.title
    assert count.verdict.endswith(".")


def check_promise(promised: Any, count: Any) -> None:
    """Check that the bidder gets the announced payoff, except for a hero and a skunk, which have their own rules."""
    if count.outcome == "failed" or (count.outcome == "none" and count.total == count.needed - 1):
        assert promised.if_not[0].units == count.bidder_units
    elif count.total >= count.needed:
        assert promised.if_made[0].units == count.bidder_units


@pytest.mark.parametrize(
    ("game", "order", "row", "noun", "called"),
    [
        ("dollar-bill", "zero_low", "0123456789", "zeros", {}),
        ("salomon-1986", "zero_high", "1234567890", "zeros", {}),
        ("salomon-1986", "ace_high", "2345678901", "zeros", {"1": "ace"}),
    ],
)
def test_digits_are_in_the_order_of_the_game_and_high_aces_are_named(
    game: str, order: str, row: str, noun: str, called: dict[str, str]
) -> None:
    played = dealt(game, options={"order": order})
    keys = seen(played, mover(played)).pad.levels[0].keys
    assert "".join(key.digit for key in keys) == row
    assert {key.digit: key.called for key in keys if key.called} == called
    assert seen(act(played, "3x0"), None).standing.noun == noun


def test_a_bid_shows_its_multiplier_and_the_payoff_of_each_outcome() -> None:
    played = new_table("salomon-1986", users=4, seed=2)
    played.do("user-1", "propose", kind="stake", value=2)
    for user in ("user-0", "user-2", "user-3"):
        if played.table.proposals:
            played.do(user, "answer", proposal=0, yes=True)
    played.make_ready()
    opener = mover(played)
    act(played, "7x6")
    watcher, answering = seen(played, None), seen(played, mover(played)).standing
    assert [(part.label, part.times) for part in watcher.standing.parts] == [("n + 3", 2), ("sixes", 2)]
    assert (watcher.stake, watcher.standing.a_head) == (2, 8)
    assert [(one.name, one.units) for one in watcher.standing.if_made] == [(opener.title(), 24)]
    assert [(one.name, one.units) for one in answering.if_made] == [(opener.title(), 24), ("You", -8)]
    assert [one.units for one in answering.if_not] == [-6, 2]
    assert answering.bidder == opener.title()


def test_one_sentence_says_who_has_yet_to_respond() -> None:
    played = dealt("salomon-1986", users=5, seed=1)
    opener = int(mover(played)[-1])
    users = [f"user-{(opener + step) % 5}" for step in range(5)]
    names = [user.title() for user in users]
    act(played, "2x7")
    assert seen(played, users[4]).said == f"{names[0]} bids 2 sevens."
    act(played, "challenge")
    one_of_four = f"{names[1]} challenges. One of four has;"
    assert seen(played, None).said == f"{one_of_four} three are still to act."
    assert seen(played, users[2]).said == f"{one_of_four} you and two more are still to act."
    assert seen(played, users[4]).to_come == f"{names[2]} and {names[3]} act before you."
    act(played, "challenge", "challenge")
    assert seen(played, None).said == f"{names[3]} challenges. Three of four have; {names[4]} is still to act."
    assert seen(played, users[4]).said.endswith("you are still to act.")
    act(played, "challenge")
    assert seen(played, None).said == f"{names[4]} challenges. All four have; {names[0]} rebids or counts."
    deciding = seen(played, users[0])
    assert deciding.said.endswith("you rebid or count.")
    assert (deciding.may_count, deciding.pad.verb) == ("count", "Rebid")
    act(played, "2x8")
    assert seen(played, None).said == f"{names[0]} rebids 2 eights."
    assert seen(played, users[0]).ladder[0].rebid


def test_with_the_loose_order_the_pad_has_lower_and_higher_levels() -> None:
    played = act(dealt("salomon-1986", users=4, options={"loose_order": True}), "9x3")
    pad = seen(played, mover(played)).pad
    assert [level.level for level in pad.levels] == [1, 2, 3, 10, 11, 12]
    refused = {key.digit: key.why_not for key in pad.levels[0].keys if not key.legal}
    assert refused == dict.fromkeys("123", "does not beat 9 threes")


def test_short_numbers_have_a_small_pad_and_banknote() -> None:
    played = dealt("salomon-1986", options={"hand_size": 2, "symbols": 3})
    model = seen(played, mover(played))
    assert (model.pad.digits, len(model.paper.serial), len(model.pad.levels), model.pad.higher) == (3, 2, 6, "")


def test_bids_beyond_the_pad_can_be_typed() -> None:
    for rules, higher in (({}, "7 to 24"), ({"cap_level": False}, "7 or more")):
        played = dealt("dollar-bill", options=rules)
        assert seen(played, mover(played)).pad.higher == higher
        assert seen(act(played, "eleven sixes"), None).standing.words == "11 sixes"


@pytest.mark.parametrize("may_help", [True, False])
def test_odds_are_shown_only_if_the_table_allows_them(may_help: bool) -> None:
    played = dealt("dollar-bill", help=may_help)
    pad = seen(played, mover(played)).pad
    assert pad.help is may_help
    assert all((key.chance is not None) is may_help for level in pad.levels for key in level.keys)


def test_the_banknote_groups_its_digits_and_marks_those_of_the_bid() -> None:
    played = dealt("salomon-1986", seed=4)
    opener = mover(played)
    number = seen(played, opener).paper.serial
    sign = number[3]
    paper = seen(act(played, f"2x{sign}"), opener).paper
    assert [number[place] for place in paper.marked] == [sign] * number.count(sign)
    assert [paper.grouped[place] for place in paper.grouped_marked] == [sign] * number.count(sign)
    assert sorted(paper.grouped) == sorted(number) == sorted("".join(group.sign for group in paper.groups))
    assert [group.sign[0] for group in paper.groups if group.bid_words] == [sign]
    assert paper.bid_words == f"{number.count(sign)} of the bid"
    assert paper.before
    assert paper.after


def test_a_slip_predicts_the_next_row_and_a_spectator_sees_none() -> None:
    told_next, followed = None, 0
    for played in states("slips", 3, seed=6, rounds=11):
        hand, watcher = seen(played, "user-1"), seen(played, None)
        assert (watcher.paper, watcher.slip, watcher.pad, watcher.playing) == (None, None, None, False)
        if hand.count is None:
            if told_next is not None:
                assert hand.slip.letter == told_next
                followed, told_next = followed + 1, None
            [current] = [row for row in hand.slip.rows if row.current]
            assert (current.letter, current.serial) == (hand.slip.letter, hand.paper.serial)
            assert len(hand.slip.rows) == 15
            assert sum(row.played for row in hand.slip.rows) == hand.slip.hand - 1
            assert any(row.note.startswith("next if") for row in hand.slip.rows) == (hand.slip.hand < 10)
        else:
            parity = hand.count.parity
            assert parity.odd == sum(odd for _, odd in parity.seats)
            assert parity.new_slip == (hand.slip.hand == 10) == (parity.next == "")
            told_next = parity.next or None
    assert followed == 9


def test_hidden_numbers_can_be_requested() -> None:
    played = dealt("dollar-bill", options={"reveal": "on_request"})
    played.play_round()
    before = seen(played, "user-0").count
    assert (before.may_ask, before.shown) == (True, False)
    assert "Show all numbers" in page(played, "user-0")
    assert not seen(played, None).count.may_ask
    played.do("user-1", "ask_numbers")
    after = seen(played, "user-0").count
    assert (after.may_ask, after.shown) == (False, True)
    assert all(sum(counts for _, counts in held.number) == held.fingers for held in after.seats)


def test_hero_and_skunk_are_named() -> None:
    titles = {}
    for seed in range(40):
        played = dealt("salomon-1986", users=4, seed=seed, options={"hand_size": 1})
        count = seen(act(played, "1x6", "challenge", "challenge", "challenge", "count"), "user-0").count
        if count.outcome not in titles:
            assert f"<b>{count.title}</b>" in page(played, "user-0")
        titles[count.outcome] = count.title
    assert titles == {"hero": "Hero", "none": "Skunk", "made": "Made"}


@pytest.fixture
def _invented_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """An invented game in which fives are lowest, fours are highest, and sevens pay three times."""

    def sevens(claim: int, rules: Rules) -> int:
        return 3 if digit_of(claim, rules) == 7 else 1

    monkeypatch.setitem(options.LOWEST_DIGIT, "five_low", 5)
    row = DigitPreset(
        id="invented-game",
        title="An invented game",
        seats=(2, 16),
        source="none",
        summary="A game for tests.",
        options=replace(DigitOptions(), order="five_low", level_bonus=False),
    )
    monkeypatch.setattr(catalogue, "_registered", lambda: (row,))
    monkeypatch.setattr(settlement, "sixes_factor", sevens)
    monkeypatch.setattr(result, "sixes_factor", sevens)


@pytest.mark.usefixtures("_invented_game")
def test_an_unknown_game_is_shown_by_its_own_rules() -> None:
    played = act(dealt("invented-game", seed=3), "2x7")
    keys = seen(played, mover(played)).pad.levels[1].keys
    assert "".join(key.digit for key in keys) == "5678901234"
    bid = seen(played, None).standing
    assert ([part.times for part in bid.parts], bid.a_head) == ([3], 3)
    html = page(played, mover(played))
    row = html[html.index('data-level="2"') :]
    assert re.findall(r'data-digit="(\d)"', row)[:10] == list("5678901234")
    assert re.findall(r'value="2x(\d)"[^>]*checked', html) == ["8"]
    assert [key.made for key in keys if key.digit == "7"] in ([6], [8])
