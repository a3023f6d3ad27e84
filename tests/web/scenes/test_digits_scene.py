import re
from dataclasses import replace

import pytest

from liarspoker.core import catalogue
from liarspoker.games.digits import options, result, settlement
from liarspoker.games.digits.ladder import digit_of
from liarspoker.games.digits.options import DigitOptions, Rules
from liarspoker.games.digits.presets import DigitPreset
from tests.tables.play import Played, new_table
from tests.web.scenes.hands import bidding, page, seen, states


def digits(played: Played) -> str:
    pad = seen(played, played.table.to_act).pad
    assert pad is not None
    return "".join(key.digit for key in pad.levels[0].keys)


@pytest.mark.parametrize(
    ("game", "order", "row", "name"),
    [
        ("dollar-bill", "zero_low", "0123456789", "zeros"),
        ("salomon-1986", "zero_high", "1234567890", "tens"),
        ("salomon-1986", "ace_high", "2345678901", "tens"),
    ],
)
def test_digits_stand_in_the_order_of_the_game(game: str, order: str, row: str, name: str) -> None:
    played = bidding(new_table(game, options={"order": order}), "3x0")
    assert digits(played) == row
    bid = seen(played, None).standing
    assert bid is not None
    assert bid.noun == name


def test_aces_are_called_so_where_they_are_high() -> None:
    played = bidding(new_table("salomon-1986", options={"order": "ace_high"}))
    pad = seen(played, played.table.to_act).pad
    assert pad is not None
    assert {key.digit: key.called for key in pad.levels[0].keys if key.called} == {"0": "ten", "1": "ace"}


def test_a_bid_says_what_it_is_worth_and_what_each_outcome_pays() -> None:
    played = new_table("salomon-1986", users=4, seed=2)
    played.do("user-1", "propose", kind="stake", value=2)
    for user in ("user-0", "user-2", "user-3"):
        if played.table.proposals:
            played.do(user, "answer", proposal=0, yes=True)
    played.make_ready()
    opener = str(played.table.to_act)
    bidding(played, "7x6")
    watcher, names = seen(played, None), [chair.name for chair in played.table.seated]
    assert watcher.standing is not None
    assert [(part.label, part.times) for part in watcher.standing.parts] == [("n + 3", 2), ("sixes", 2)]
    assert watcher.stake == 2
    assert watcher.standing.a_head == 8
    assert [(one.name, one.units) for one in watcher.standing.if_made] == [(opener.title(), 24)]
    answering = seen(played, str(played.table.to_act)).standing
    assert answering is not None
    assert [one.units for one in answering.if_made] == [24, -8]
    assert [one.units for one in answering.if_not] == [-6, 2]
    assert answering.if_made[1].name == "You"
    assert answering.bidder in names


def test_one_sentence_tells_who_is_still_to_speak() -> None:
    played = bidding(new_table("salomon-1986", users=5, seed=1))
    opener = int(str(played.table.to_act)[-1])
    users = [f"user-{(opener + step) % 5}" for step in range(5)]
    names = [user.title() for user in users]
    bidding(played, "2x7")
    assert seen(played, users[4]).said == f"{names[0]} bids 2 sevens."
    bidding(played, "challenge")
    assert seen(played, None).said == f"{names[1]} challenges. One of four has; three are still to speak."
    assert (
        seen(played, users[2]).said == f"{names[1]} challenges. One of four has; you and two more are still to speak."
    )
    assert seen(played, users[4]).to_come == f"{names[2]} and {names[3]} speak before you."
    bidding(played, "challenge", "challenge")
    said = seen(played, None).said
    assert said == f"{names[3]} challenges. Three of four have; {names[4]} is still to speak."
    assert seen(played, users[4]).said.endswith("you are still to speak.")
    bidding(played, "challenge")
    assert seen(played, None).said == f"{names[4]} challenges. All four have; {names[0]} rebids or counts."
    deciding = seen(played, users[0])
    assert deciding.said.endswith("you rebid or count.")
    assert deciding.may_count == "count"
    assert deciding.may_count == "count"
    assert deciding.pad is not None
    assert deciding.pad.verb == "Rebid"
    bidding(played, "2x8")
    assert seen(played, None).said == f"{names[0]} bids once more: 2 eights."
    assert seen(played, users[0]).ladder[0].rebid


def test_under_the_loose_order_lower_and_higher_levels_stand_on_the_pad() -> None:
    played = bidding(new_table("salomon-1986", users=4, options={"loose_order": True}), "9x3")
    pad = seen(played, played.table.to_act).pad
    assert pad is not None
    assert [level.level for level in pad.levels] == [1, 2, 3, 10, 11, 12]
    refused = {key.digit: key.why_not for key in pad.levels[0].keys if not key.legal}
    assert refused == dict.fromkeys("123", "does not beat 9 threes")


def test_small_numbers_have_a_small_pad_and_paper() -> None:
    played = bidding(new_table("salomon-1986", users=3, options={"hand_size": 2, "symbols": 3}))
    told = seen(played, played.table.to_act)
    assert told.pad is not None
    assert told.paper is not None
    assert (told.pad.digits, len(told.paper.serial), len(told.pad.levels), told.pad.higher) == (3, 2, 6, "")


def test_what_is_beyond_the_pad_can_be_said() -> None:
    played = bidding(new_table("dollar-bill", users=4))
    pad = seen(played, played.table.to_act).pad
    assert pad is not None
    assert pad.higher == "7 to 32"
    bidding(played, "eleven sixes")
    bid = seen(played, None).standing
    assert bid is not None
    assert bid.words == "11 sixes"
    played = bidding(new_table("dollar-bill", options={"cap_level": False}))
    endless = seen(played, played.table.to_act).pad
    assert endless is not None
    assert endless.higher == "7 and more"


def test_chances_are_told_only_where_the_table_helps() -> None:
    for may_help in (True, False):
        played = bidding(new_table("dollar-bill", help=may_help))
        pad = seen(played, played.table.to_act).pad
        assert pad is not None
        assert pad.help is may_help
        assert all((key.chance is not None) is may_help for level in pad.levels for key in level.keys)


def test_the_paper_groups_its_digits_and_marks_those_of_the_bid() -> None:
    played = bidding(new_table("salomon-1986", seed=4))
    opener = str(played.table.to_act)
    number = seen(played, opener).paper.serial  # type: ignore[union-attr]
    sign = number[3]
    bidding(played, f"2x{sign}")
    paper = seen(played, opener).paper
    assert paper is not None
    assert [number[place] for place in paper.marked] == [sign] * number.count(sign)
    assert [paper.grouped[place] for place in paper.grouped_marked] == [sign] * number.count(sign)
    assert sorted(paper.grouped) == sorted(number) == sorted("".join(group.sign for group in paper.groups))
    assert [group.sign[0] for group in paper.groups if group.bid] == [sign]
    assert paper.bid_words == f"{number.count(sign)} of the bid"
    assert paper.before
    assert paper.after


def test_a_slip_says_truly_which_row_comes_next() -> None:
    told_next, followed = None, 0
    for played in states("slips", 3, seed=6, rounds=11):
        hand = seen(played, "user-1")
        assert hand.slip is not None
        if hand.count is None:
            if told_next is not None:
                assert hand.slip.letter == told_next
                followed, told_next = followed + 1, None
            current = [row for row in hand.slip.rows if row.current]
            assert [row.letter for row in current] == [hand.slip.letter]
            assert hand.paper is not None
            assert current[0].serial == hand.paper.serial
            assert len(hand.slip.rows) == 15
            assert sum(row.played for row in hand.slip.rows) == hand.slip.hand - 1
            assert any(row.note.startswith("next if") for row in hand.slip.rows) == (hand.slip.hand < 10)
        else:
            parity = hand.count.parity
            assert parity is not None
            assert parity.odd == sum(odd for _, odd in parity.seats)
            assert parity.new_slip == (hand.slip.hand == 10) == (parity.next == "")
            told_next = parity.next or None
    assert followed == 9


def test_numbers_that_lie_covered_can_be_asked_for() -> None:
    played = new_table("dollar-bill", options={"reveal": "on_request"})
    played.play_round()
    before = seen(played, "user-0").count
    assert before is not None
    assert before.may_ask
    assert not before.shown
    assert "See the numbers" in page(played, "user-0")
    assert not seen(played, None).count.may_ask  # type: ignore[union-attr]
    played.do("user-1", "ask_numbers")
    after = seen(played, "user-0").count
    assert after is not None
    assert after.shown
    assert not after.may_ask
    for held in after.seats:
        assert sum(counts for _, counts in held.number) == held.fingers


def test_hero_and_skunk_are_called_by_their_names() -> None:
    titles = {}
    for seed in range(40):
        played = new_table("salomon-1986", users=4, seed=seed, options={"hand_size": 1})
        bidding(played, "1x6", "challenge", "challenge", "challenge", "count")
        count = seen(played, "user-0").count
        assert count is not None
        titles[count.outcome] = count.title
        assert re.search(rf"<b>{count.title}</b>", page(played, "user-0"))
    assert titles["hero"] == "Hero"
    assert titles["none"] == "Skunk"
    assert titles["made"] == "Made"


@pytest.fixture
def _house_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """A game that no document describes: fives are the lowest, fours the highest digit, and sevens win three times."""

    def sevens(claim: int, rules: Rules) -> int:
        return 3 if digit_of(claim, rules) == 7 else 1

    monkeypatch.setitem(options.LOWEST_DIGIT, "five_low", 5)
    row = DigitPreset(
        id="house-game",
        title="The house's own",
        seats=(2, 16),
        source="none",
        summary="A game for tests.",
        options=replace(DigitOptions(), order="five_low", level_bonus=False),
    )
    monkeypatch.setattr(catalogue, "_registered", lambda: (row,))
    monkeypatch.setattr(settlement, "sixes_part", sevens)
    monkeypatch.setattr(result, "sixes_part", sevens)


@pytest.mark.usefixtures("_house_game")
def test_a_game_that_nobody_has_seen_is_shown_by_its_own_rules() -> None:
    played = bidding(new_table("house-game", users=3, seed=3), "2x7")
    assert digits(played) == "5678901234"
    bid = seen(played, None).standing
    assert bid is not None
    assert [part.times for part in bid.parts] == [3]
    assert bid.a_head == 3
    html = page(played, str(played.table.to_act))
    row = html[html.index('data-level="2"') :]
    assert re.findall(r'data-digit="(\d)"', row)[:10] == list("5678901234")
    assert re.findall(r'value="2x(\d)"[^>]*checked', html) == ["8"]
    assert [key.made for key in seen(played, played.table.to_act).pad.levels[1].keys if key.digit == "7"] in ([6], [8])  # type: ignore[union-attr]
