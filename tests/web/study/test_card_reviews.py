"""Reviews of card games on the pages of replays."""

from __future__ import annotations

import re

import pytest

from liarspoker import engine

if not engine.available():
    pytest.skip("the extra engine is not installed", allow_module_level=True)

from tests.server.inprocess import Running
from tests.web.study.played_tables import act, begun, to_act
from tests.web.study.test_reviews import VERDICT


@pytest.mark.slow
def test_a_pool_is_reviewed(site: Running) -> None:
    table, people = begun(site, "queen-annes", 3)
    act(table, people, "claim high 4", "claim pair 9", "claim full-house AK", "challenge")
    assert people[0].ask(table, do="end")["ok"]
    page = people[0].http.get(f"/t/{table}/replay/1?ply=3&as=all&review=1").text
    assert len(VERDICT.findall(page)) == 5  # one beside each ply, and that of the current one
    assert "Model of all players: half Bluffer, half Calculator." in page
    assert "The best hand in the pool, for all" in page
    shares = [float(share) for share in re.findall(r'<rect width="([\d.]+)" height="1"/>', page)]
    assert sum(shares) == pytest.approx(100, abs=1)
    assert "The chance of" in page or "worth" in page


@pytest.mark.slow
def test_a_hand_that_is_passed_on_is_reviewed_for_those_who_had_it(site: Running) -> None:
    table, people = begun(site, "thorin", 3)
    act(table, people, "declare pair 4", "take", "discard -", "declare three 6", "challenge")
    assert people[0].ask(table, do="end")["ok"]
    for person in people:
        page = person.http.get(f"/t/{table}/replay/1?ply=2&as=all&review=1").text
        listed = re.sub(r"(?s)<section class=\"panel coach\".*?</section>", "", page)
        assert VERDICT.search(listed)
        assert "The hand, for all" in page


@pytest.mark.slow
def test_a_player_tries_again_after_a_mistake(site: Running) -> None:
    table, people = begun(site, "queen-annes", 2)
    first = people[0].view(table)["public"]["to_act"]
    act(table, people, "claim royal-flush s", "challenge")
    assert people[0].ask(table, do="end")["ok"]
    liar = next(one for one in people if one.user == first)
    assert "0 of 1" in liar.http.get(f"/t/{table}/review").text
    page = liar.http.get(f"/t/{table}/review").text
    assert "royal flush" in page
    guess = re.search(r'href="(/t/[^"]+guess=[^"]*)"', liar.http.get(f"/t/{table}/replay/1?ply=1&review=1").text)
    assert guess is not None
    again = liar.http.get(guess[1].replace("&amp;", "&")).text
    assert "oyal flush" in again
    assert 'class="picks"' in again


@pytest.mark.slow
def test_nobody_learns_from_a_review_what_another_player_discarded(site: Running) -> None:
    table, people = begun(site, "thorin", 3)
    act(table, people, "declare high 76432", "take")
    view = to_act(table, people).view(table)
    held = view["you"]["hand"]["hand"]
    discarded = held[0] + held[1]
    holder = to_act(table, people)
    act(table, people, f"discard {discarded}", "declare pair 2", "challenge")
    assert people[0].ask(table, do="end")["ok"]
    for person in [*people, site.person("Dora")]:
        for ply in range(6):
            page = person.http.get(f"/t/{table}/replay/1?ply={ply}&as=all&review=1").text
            assert 'class="panel coach"' in page
            assert "failed" not in page
            if person is not holder and ply == 3:
                assert f"discarding {held[0]}" not in page
                assert "keeping all five cards" not in page.split('class="panel coach"')[1], "it isn't judged"
