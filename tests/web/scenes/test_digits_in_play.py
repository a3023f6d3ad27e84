import pytest

from liarspoker.games.digits.ladder import digit_of, level_of
from liarspoker.games.digits.notation import write
from liarspoker.games.digits.settlement import bid_multiplier
from tests.inside import inside
from tests.tables.play import Played
from tests.web.scenes.hands import WAYS, page, seen, states


def everybody(played: Played) -> tuple[str | None, ...]:
    return (*(chair.user for chair in played.table.seated), None)


@pytest.mark.parametrize("users", [2, 4])
@pytest.mark.parametrize("way", WAYS)
def test_the_pad_offers_what_the_rules_allow(way: str, users: int) -> None:
    for played in states(way, users, seed=users, rounds=3):
        session = inside(played.table.sitting.session)  # type: ignore[union-attr]
        for user in everybody(played):
            pad = seen(played, user).pad
            legal = [write(claim, session.setup.rules) for claim in session.legal().claims]
            if user != played.table.to_act or not legal:
                assert pad is None
                continue
            assert pad is not None
            keys = [key for level in pad.levels for key in level.keys]
            assert [key.action for key in keys if key.legal] == [key.action for key in keys if key.action in legal]
            assert [key.action for key in keys if key.least] == [pad.least.action] == legal[:1]
            assert all(bool(key.why_not) != key.legal for key in keys)
            assert all(len(level.keys) == session.setup.rules.symbols for level in pad.levels)


@pytest.mark.parametrize("users", [2, 3, 5])
@pytest.mark.parametrize("way", WAYS)
def test_what_is_promised_is_paid(way: str, users: int) -> None:
    promised, outcomes = None, set[str]()
    for played in states(way, users, seed=10 * users, rounds=8):
        told = seen(played, played.table.to_act)
        if told.count is None:
            if told.standing is not None:
                bidder = next(seat for seat in told.marked if "bidder" in told.marks(seat))
                promised = seen(played, bidder).standing
            continue
        assert promised is not None
        count, outcomes = told.count, outcomes | {told.count.outcome}
        if count.outcome == "failed" or (count.outcome == "none" and count.total == count.needed - 1):
            assert promised.if_not[0].units == count.bidder_units
        elif count.total >= count.needed:
            assert promised.if_made[0].units == count.bidder_units
    assert outcomes


@pytest.mark.parametrize("way", WAYS)
def test_a_count_adds_up(way: str) -> None:
    counted = 0
    for played in states(way, 4, seed=7, rounds=6):
        hand = seen(played, "user-0")
        if hand.count is None:
            continue
        counted += 1
        result = played.table.sitting.session.round_result  # type: ignore[union-attr]
        count = hand.count
        assert [held.step for held in count.seats] == [1, 2, 3, 4]
        assert count.seats[-1].bidder
        assert count.seats[-1].total == count.total == result.total
        assert sum(held.fingers for held in count.seats) == count.total
        assert sum(held.payoff for held in count.seats) == 0
        assert all(held.before + held.payoff == held.now for held in count.seats)
        assert count.title
        assert count.verdict.endswith(".")
    assert counted == 6


@pytest.mark.parametrize("way", WAYS)
def test_the_ladder_tells_every_action(way: str) -> None:
    for played in states(way, 3, seed=5, rounds=3):
        session = inside(played.table.sitting.session)  # type: ignore[union-attr]
        steps = seen(played, None).ladder
        moves = session.view(None).moves
        assert len(steps) == len(moves)
        standing = [step for step in steps if step.standing]
        assert len(standing) == (1 if session.round.auction.claim >= 0 else 0)
        if standing:
            claim, rules = session.round.auction.claim, session.setup.rules
            assert standing[0].multiplier == bid_multiplier(claim, rules)
            bid = seen(played, None).standing
            assert bid is not None
            assert (bid.level, bid.digit) == (level_of(claim, rules), str(digit_of(claim, rules)))


@pytest.mark.parametrize(("way", "users"), [*((way, 3) for way in WAYS), ("zeros low", 2), ("slips", 8)])
def test_every_state_is_one_sentence_and_a_page_for_everybody(way: str, users: int) -> None:
    for number, played in enumerate(states(way, users, seed=3, rounds=1)):
        for user in {"user-0", played.table.to_act, None}:
            said = seen(played, user).said
            assert (said.endswith((".", "!")) and said[0].isupper()) or said[0].isdigit()
            assert "You is" not in said
            assert "you is" not in said
            assert ": You" not in said
            if number % 4 == 0 or played.table.stage != "round":
                html = page(played, user)
                assert "style=" not in html
                assert "None" not in html


def test_who_looks_on_sees_no_number_before_the_count() -> None:
    for played in states("slips", 3, seed=9, rounds=2):
        watcher = seen(played, None)
        assert watcher.paper is None
        assert watcher.slip is None
        assert watcher.pad is None
        assert not watcher.playing
        if played.table.stage == "round":
            numbers = [number for user in everybody(played)[:-1] for number in _slip(played, str(user))]
            html = page(played, None)
            assert not any(number in html for number in numbers)


def _slip(played: Played, user: str) -> list[str]:
    slip = seen(played, user).slip
    assert slip is not None
    return [row.serial for row in slip.rows]
