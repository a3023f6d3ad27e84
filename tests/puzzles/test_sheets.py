"""Cheat sheets: what they say, and that the figures of the package can be measured again."""

from __future__ import annotations

import pytest

from liarspoker import engine
from liarspoker.language import LANGUAGES, speaking
from liarspoker.puzzles import sheet_in_words, sheets


def test_there_is_a_sheet_for_each_number_of_players_in_every_language() -> None:
    assert [sheet.players for sheet in sheets()] == [2, 3, 4, 5, 6]
    for sheet in sheets():
        for code in LANGUAGES:
            with speaking(code):
                lines = sheet_in_words(sheet)
                assert 3 <= len(lines) <= 4
                assert all("{" not in line for line in lines)


@pytest.mark.slow
@pytest.mark.skipif(not engine.available(), reason="the extra engine is not installed")
@pytest.mark.parametrize("players", [2, 4])
def test_the_figures_can_be_measured_again(players: int) -> None:
    from liarspoker.coach.sheets import GAME, Sheet, sheet_policy
    from liarspoker.engine.table import Table
    from liarspoker.engine.totals import strength

    sheet = next(one for one in sheets() if one.players == players)
    table = Table.of(GAME, players, from_slips=False)
    policy = sheet_policy(Sheet(sheet.more, sheet.doubt, sheet.most, sheet.again))
    for bot in ("champion", "binomial", "bluffer"):
        shipped = getattr(sheet, bot)
        mean, half_width = strength(table, policy, bot, 24_000, seed=7)
        assert abs(mean - shipped.mean) < 1.7 * (half_width + shipped.half_width), bot


@pytest.mark.skipif(not engine.available(), reason="the extra engine is not installed")
def test_a_sheet_is_played_by_its_rules() -> None:
    from liarspoker.coach.sheets import Sheet, sheet_policy
    from liarspoker.engine.rollout import play
    from liarspoker.engine.table import Table
    from liarspoker.games.digits.ladder import digit_of, level_of

    table = Table.of("salomon-1986", 3, from_slips=False)
    sheet = Sheet(1, 4, 2, 1)
    played = play(table, 300, 3, [sheet_policy(sheet)], keep_moves=40, keep_deals=1)
    for hand in range(300):
        numbers = [f"{int(one):08x}" for one in played.numbers[hand, 0]]
        standing, bidder, challenges = -1, -1, 0
        for seat, action in played.moves[hand, 0, : played.decisions[hand, 0]].tolist():
            held = {digit: numbers[seat].count(str(digit)) for digit in range(10)}
            if standing < 0:
                digit = digit_of(action, table.rules)
                assert held[digit] == max(held.values())
                assert level_of(action, table.rules) == held[digit] + sheet.more
            else:
                asked = level_of(standing, table.rules) - held[digit_of(standing, table.rules)]
                bids = range(standing + 1, standing + 11)
                safest = min(level_of(bid, table.rules) - held[digit_of(bid, table.rules)] for bid in bids)
                decides = seat == bidder and challenges == 2
                bid_it = safest <= (sheet.again if decides else sheet.most) and (decides or asked <= sheet.doubt)
                assert (action >= 0) == bid_it
            challenges = 0 if action >= 0 else challenges + 1
            standing, bidder = (action, seat) if action >= 0 else (standing, bidder)
