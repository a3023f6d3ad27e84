"""Playing on from a ply of a replay with another action, against bots."""

from __future__ import annotations

import html
import json
import re
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from liarspoker.core import catalogue
from liarspoker.core.cards.deck import full_deck, shuffled
from liarspoker.games.thorin.page.what_if import completed
from liarspoker.records import read_toml, replay
from liarspoker.web.view_models.replay import view_model
from liarspoker.web.view_models.round_replay import round_replay
from liarspoker.web.view_models.what_if import MOST_ACTIONS, played_on
from tests.server.inprocess import Person, Running
from tests.web.study.played_tables import played
from tests.web.study.test_replay import brought

GOLDEN = Path(__file__).parents[2] / "records" / "golden"
GAMES = [preset.id for preset in catalogue.games()]

KNOWN: dict[str, Any] = {
    "lpn": 1,
    "game": "salomon-1986",
    "players": ["Ann", "Bob", "Cy"],
    "rounds": [
        {"deal": ["06742088", "92859819", "07202503"], "actions": ["2x0", "3x0", "challenge", "challenge", "count"]}
    ],
}


def choices(page: str) -> list[str]:
    """Return the links of the actions to choose from."""
    return [html.unescape(one) for one in re.findall(r'class="btn" data-step href="([^"]*;if=[^"&]+&amp;if=)"', page)]


def what_if_link(page: str) -> str | None:
    """Return where "What if?" leads; `None` if it isn't offered."""
    found = re.search(r'href="([^"]+)"[^>]*>(?:(?!</a>).)*What if\?', page, re.DOTALL)
    return None if found is None else html.unescape(found[1])


def played_out(person: Person, page: str) -> str:
    """Play the first of the choices until the round is over, and return the last page."""
    for _turn in range(MOST_ACTIONS):
        if "What happened" in page:
            return page
        links = choices(page)
        if not links:
            example = re.search(r'placeholder="([^"]+)"', page)
            assert example is not None
            form = dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', page))
            action = re.search(r'method="get" action="([^"]+)"', page)
            assert action is not None
            mine = [html.unescape(one) for one in re.findall(r'name="if" value="([^"]*)"', page)]
            page = person.http.get(action[1], params={"ply": form["ply"], "if": [*mine, example[1]]}).text
        else:
            page = person.http.get(links[0]).text
    raise AssertionError("the round has no end")


@pytest.mark.parametrize("game", GAMES)
def test_a_finished_round_is_played_on_to_its_end(site: Running, game: str) -> None:
    owner, table = played(site, game)
    page = owner.http.get(f"/t/{table}/replay/1?ply=1").text
    link = what_if_link(page)
    assert link is not None
    begun = owner.http.get(link).text
    since = re.search(r"[?&]ply=(\d+)", link)
    assert since is not None
    assert int(since[1]) in (0, 1), "0 if the first action is the owner's, who decides again"
    assert f"You play on from ply {since[1]}" in begun
    ended = played_out(owner, begun)
    assert "Your line" in ended
    assert "Start again" in ended
    last = re.search(r"ply \d+ of (\d+)", page)
    assert last is not None
    over = owner.http.get(f"/t/{table}/replay/1?ply={last[1]}").text
    link = what_if_link(over)
    assert link is None or f"ply={int(last[1]) - 1}&" in link, (
        "the round is over there, but for a last action of their own"
    )


def test_a_decision_of_the_users_own_is_made_again() -> None:
    """Bob acts at plies 2 and 5, which are made again from the ply before; the round is over at the last one."""
    bob = replay({**KNOWN, "x-seat": 1})
    assert [view_model(bob, 0, 1, 1, ply).goes_on for ply in range(6)] == [0, 1, 1, 3, 4, 4]
    assert [view_model(replay(KNOWN), 0, 1, 1, ply).goes_on for ply in range(6)] == [0, 1, 2, 3, 4, None]


def test_the_same_line_is_always_answered_in_the_same_way_and_by_the_rules() -> None:
    record = replay(KNOWN)
    first, again = (played_on(record, 0, 2, ["4x0", "challenge"]) for _ in range(2))
    assert first is not None
    assert first == again
    shown, asked = first
    assert (asked.seat, asked.since, asked.are_drawn) == (2, 2, False)
    line = [text for _seat, text in shown.moves]
    assert line[:3] == ["2x0", "3x0", "4x0"]
    rounds = [{**KNOWN["rounds"][0], "actions": line}]
    assert replay({**KNOWN, "rounds": rounds}).fault is None
    other = played_on(record, 0, 0, ["1x8"])
    assert other is not None
    assert other[0].moves[0] == (0, "1x8")


def test_hidden_numbers_are_drawn_with_as_many_of_the_digit_as_were_counted() -> None:
    deal, counts = ["06742088", "????????", "0720????"], [2, 1, 3]
    hidden = {**KNOWN, "rounds": [{**KNOWN["rounds"][0], "deal": deal, "counts": counts}]}
    found = played_on(replay(hidden), 0, 2, ["challenge"])
    assert found is not None
    assert found[1].are_drawn
    numbers = found[0].sessions[-1].round.numbers
    assert [number.count("0") for number in numbers] == counts
    assert numbers[0] == deal[0]
    assert numbers[2].startswith("0720")
    assert "?" not in "".join(numbers)


def test_nobody_elses_hand_is_on_the_page_before_the_end(site: Running) -> None:
    page = brought(site, record=json.dumps(KNOWN), go="1.2.if.").text
    shown = re.sub(r'(?s)<form id="brought".*?</form>', "", page)
    assert "07202503" in shown
    assert "06742088" not in shown
    assert "92859819" not in shown
    assert 'value="1.2.if.challenge"' in page


def test_an_action_is_typed_and_a_wrong_one_is_explained(site: Running) -> None:
    typed = brought(site, record=json.dumps(KNOWN), go="1.2.if.", **{"if": "5 eights"}).text
    assert re.search(r"You</span> *<b>5 eights|You</span><b>5 eights", typed), "among the plies"
    wrong = brought(site, record=json.dumps(KNOWN), go="1.2.if.", **{"if": "1x1"}).text
    assert 'role="alert"' in wrong
    assert "Your turn. What do you play?" in wrong
    owner, table = played(site, "slips")
    answer = owner.http.get(f"/t/{table}/replay/1", params={"ply": 0, "if": ["nonsense", "x" * 500]})
    assert answer.status_code == 200
    assert "nonsense" in re.search(r'role="alert">.*?</p>', answer.text, re.DOTALL)[0]  # type: ignore[index]  # it is there
    assert "unreadable-action" not in answer.text


def test_it_is_not_offered_where_odds_are_off(site: Running) -> None:
    owner, table = played(site, "salomon-1986", end=False, help=False)
    assert "What if?" not in owner.http.get(f"/t/{table}/replay/1?ply=1").text
    assert "What if?" not in owner.http.get(f"/t/{table}/replay/1?ply=1&if=").text


def test_all_golden_records_can_be_played_on_or_say_nothing() -> None:
    found = 0
    for path in sorted(GOLDEN.glob("*.toml")):
        record = read_toml(path.read_bytes())
        for index in range(len(record.rounds)):
            line = None if record.game is None else played_on(record, index, 0, [])
            if line is not None:
                found += 1
                assert line[1].choices or line[1].example or line[1].outcome
    assert found > 5


def test_a_number_that_is_too_long_to_be_drawn_is_written(site: Running) -> None:
    uncapped = {**KNOWN, "options": {"cap_level": False}}
    page = brought(site, record=json.dumps(uncapped), go="1.1.if.", **{"if": "1000x8"})
    assert page.status_code == 200
    assert "1000 eights" in page.text


def test_the_reader_acts_for_nobody_else() -> None:
    hands = [["7s", "7d", "3c", "4c", "5h"], ["Kh", "2c", "8d", "9d", "Td"], ["9s", "4d", "Js", "Qd", "2h"]]
    record = {
        "lpn": 1,
        "game": "queen-annes",
        "players": ["Ann", "Bob", "Cy"],
        "options": {"who_may_challenge": "anyone"},
        "rounds": [{"deal": hands, "opener": 0, "actions": ["claim pair 7"]}],
    }
    played = replay(record)
    found = played_on(played, 0, 1, ["challenge 2"])
    assert found is not None
    assert found[1].wrong == "Here you can act only for yourself."
    assert found[1].seat == 1
    assert [seat for seat, _text in found[0].moves] == [0]


def test_cards_of_a_later_shuffle_are_not_dealt_again() -> None:
    played = read_toml((GOLDEN / "thorin-annie.toml").read_bytes())
    first = round_replay(played, 0, "all").sessions[1]
    stock = first.round.stock
    deck = shuffled(full_deck(stock.jokers), Random(1).randrange)
    known = (*stock.deck, *(card for card in deck if card not in stock.deck))
    later = replace(first, round=replace(first.round, stock=replace(stock, deck=(*known, *known[:9]))))
    whole = completed(first, later, Random(2))
    assert whole is not None
    assert whole.round is not None
    assert len(set(whole.round.stock.deck or ())) == len(whole.round.stock.deck or ()) == stock.end
