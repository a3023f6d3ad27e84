"""Reviews on the pages of replays: computed beside the server, and only from what the reader may see."""

from __future__ import annotations

import asyncio
import json
import re

import pytest

from liarspoker import engine, extras

if not engine.available():
    pytest.skip("the extra engine is not installed", allow_module_level=True)

from liarspoker.coach.document import AppraisalDocument, ReviewDocument, appraisal_of
from liarspoker.records import replay
from liarspoker.server import reviews
from liarspoker.server.reviews import NoReview, Reviews, hands_of, keys_of
from liarspoker.web.view_models.replay import view_model
from tests.coach.records import SMALL
from tests.server.inprocess import Running
from tests.web.study.played_tables import act, begun, played, to_act
from tests.web.study.test_replay import brought

THORIN = {"lpn": 1, "game": "thorin", "players": ["A", "B"], "rounds": [{"actions": []}]}
"""A record without a finished round."""

VERDICT = re.compile(r'class="verdict v-(\w+)"')


def admitted() -> None:
    """Let everybody in."""


def appraisals(review: ReviewDocument) -> list[AppraisalDocument]:
    """Return the values of every decision; all must be judged."""
    found = [appraisal_of(action) for action in review["hands"][0]["actions"]]
    assert None not in found
    return [one for one in found if one is not None]


@pytest.fixture(scope="module")
def review() -> ReviewDocument:
    """The review of a hand."""

    async def asked() -> ReviewDocument:
        made = Reviews()
        try:
            return await made.review(SMALL, 1, "en", "here", admitted)
        finally:
            await made.close()

    return asyncio.run(asked())


@pytest.mark.slow
def test_the_page_shows_verdicts_reasons_values_and_beliefs(site: Running) -> None:
    owner, table = played(site, "salomon-1986", options={"reveal": "full", "hand_size": 3, "symbols": 4})
    plain = owner.http.get(f"/t/{table}/replay/1?ply=2&as=all").text
    assert "review=1" in plain
    assert not VERDICT.search(plain)
    page = owner.http.get(f"/t/{table}/replay/1?ply=2&as=all&review=1").text
    plies = int(re.search(r"ply 2 of (\d+)", page)[1])  # type: ignore[index]  # it is there
    assert len(VERDICT.findall(page)) == plies + 1  # one beside each ply, and that of the current one
    assert f"/t/{table}/replay/1?ply=3&amp;as=all&amp;review=1" in page
    assert 'class="panel coach"' in page
    assert "Model of all players: Bluffer." in page
    assert re.search(r"How many \w+ each may hold", page)
    assert len(re.findall(r'<tr><th scope="row">', page)) == 3


@pytest.mark.slow
def test_a_hidden_hand_is_judged_only_for_its_owner(site: Running) -> None:
    table, people = begun(site, "dollar-bill", 3, options={"reveal": "counts", "hand_size": 3, "symbols": 4})
    act(table, people, "1x2", "2x3", "3x1", "challenge", "challenge")
    assert people[0].ask(table, do="end")["ok"]
    for person in people:
        page = person.http.get(f"/t/{table}/replay/1?ply=5&as=all&review=1").text
        listed = re.sub(r"(?s)<section class=\"panel coach\".*?</section>", "", page)
        assert len(VERDICT.findall(listed)) in (1, 2), "only their own decisions"
        assert page.count("hidden number") == 2
    stranger = site.person("Dora").http.get(f"/t/{table}/replay/1?ply=5&review=1").text
    assert not VERDICT.search(stranger)
    assert "doesn’t show this hand, so the decision isn’t judged" in stranger


@pytest.mark.slow
def test_the_evening_is_sorted_by_loss_once_all_hands_are_reviewed(site: Running) -> None:
    owner, table = played(site, "dollar-bill", rounds=3, options={"hand_size": 3, "symbols": 4})
    for done in (0, 1, 2):
        page = owner.http.get(f"/t/{table}/review").text
        assert f"{done} of 3 hands reviewed" in page
        assert 'http-equiv="refresh"' in page
    page = owner.http.get(f"/t/{table}/review").text
    assert "hands reviewed" not in page
    assert 'http-equiv="refresh"' not in page
    losses = [float(one) for one in re.findall(r'class="fig loss">−([0-9.]+)<', page)]
    assert losses == sorted(losses, reverse=True)
    link = re.search(r'href="(/t/[^"]+/replay/\d[^"]+)"', page)
    assert link is not None
    place = owner.http.get(link[1].replace("&amp;", "&")).text
    assert VERDICT.findall(page)[0] in VERDICT.findall(place)
    assert "You played no hand here." in site.person("Dora").http.get(f"/t/{table}/review").text


@pytest.mark.slow
def test_every_decision_in_thorins_game_is_judged_although_cards_were_exchanged_since(site: Running) -> None:
    table, people = begun(site, "thorin", 2)
    for claim in ("high 8", "pair 2", "pair 9", "two-pair 4"):
        act(table, people, f"declare {claim}", "take")
        held = to_act(table, people).view(table)["you"]["hand"]["hand"]
        act(table, people, f"discard {''.join(held[:2])}")
    act(table, people, "declare four 3", "challenge")
    assert people[0].ask(table, do="end")["ok"]
    for person in people:
        page = person.http.get(f"/t/{table}/review").text
        assert "0 of 1 rounds reviewed" in page
        page = person.http.get(f"/t/{table}/review").text
        assert len(VERDICT.findall(page)) == 7, "all of their decisions"
        assert "You played no round here." in site.person("Dora").http.get(f"/t/{table}/review").text


def test_where_odds_are_off_there_is_no_review_before_the_table_has_ended(site: Running) -> None:
    owner, table = played(site, "salomon-1986", end=False, help=False)
    page = owner.http.get(f"/t/{table}/replay/1?review=1").text
    assert "coaching" not in page
    assert owner.http.get(f"/t/{table}/review").status_code == 404
    assert not VERDICT.search(page)
    assert owner.ask(table, do="end")["ok"]
    assert "coaching" in owner.http.get(f"/t/{table}/replay/1").text


def test_an_uploaded_record_is_reviewed(site: Running) -> None:
    page = brought(site, record=json.dumps(SMALL)).text
    assert 'value="1.0.all.review"' in page
    reviewed = brought(site, record=json.dumps(SMALL), go="1.3.all.review").text
    assert len(VERDICT.findall(reviewed)) == 7
    assert 'value="1.4.all.review"' in reviewed
    assert 'value="1.3.all"' in reviewed, "the way back"
    bad = VERDICT.findall(re.sub(r'(?s)<section class="panel coach".*?</section>', "", reviewed))
    better = re.findall(r'class="better" form="brought" name="go" value="1\.\d+\.if\.[^"]+"', reviewed)
    assert len(better) == sum(one not in ("best", "fine") for one in bad) > 0


def test_without_the_packages_the_page_says_so(site: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(extras, "ENGINE", ("no_such_package",))
    other = json.dumps({**SMALL, "players": ["Eve", "Bob", "Cy"]})
    assert "the packages for it aren" in brought(site, record=other, go="1.3.all.review").text


def test_too_many_reviews_are_refused(site: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reviews, "LONGEST_QUEUE", 0)
    other = json.dumps({**SMALL, "players": ["Dan", "Bob", "Cy"]})
    assert "The coach is busy." in brought(site, record=other, go="1.3.all.review").text


def test_reviews_are_kept_and_a_lost_process_is_replaced() -> None:
    calls = []

    async def asked() -> None:
        made = Reviews()
        try:
            first, again = await asyncio.gather(
                *(made.review(SMALL, 1, "en", "here", lambda: calls.append(1)) for _ in "ab")
            )
            assert first == again
            process = made._process
            assert process is not None
            process.kill()
            await process.wait()
            other = await made.review(SMALL, 2, "de", "here", lambda: calls.append(1))
            assert other["hands"][0]["hand"] == 2
            assert made._process is not process
            with pytest.raises(NoReview, match="the record has no such hand"):
                await made.review(THORIN, 1, "en", "here", admitted)
        finally:
            await made.close()
        assert made._process is None

    asyncio.run(asked())
    assert len(calls) == 3


def test_a_process_that_takes_too_long_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reviews, "MOST_SECONDS", 0.01)

    async def asked() -> None:
        made = Reviews()
        with pytest.raises(NoReview) as refused:
            await made.review(SMALL, 1, "en", "here", admitted)
        assert refused.value.code == "review-failed"
        assert made._process is None

    asyncio.run(asked())


def test_a_failure_is_remembered_and_so_is_a_hand_with_too_many_actions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reviews, "MOST_SECONDS", 0.01)
    long = {**SMALL, "rounds": [{**SMALL["rounds"][0], "actions": ["challenge"] * 301}]}

    async def asked() -> None:
        made, calls = Reviews(), list[int]()
        for _ in range(2):
            for record, code in ((SMALL, "review-failed"), (long, "review-too-long")):
                with pytest.raises(NoReview) as refused:
                    await made.review(record, 1, "en", "here", lambda: calls.append(1))
                assert refused.value.code == code
        assert len(calls) == 2
        assert not made.waiting
        await made.close()

    asyncio.run(asked())


def test_an_address_waits_for_few_reviews_at_a_time() -> None:
    async def asked() -> None:
        made = Reviews()
        try:
            records = [{**SMALL, "players": [name, "Bob", "Cy"]} for name in ("Ann", "Eve", "Dan")]
            first = [asyncio.create_task(made.review(record, 1, "en", "here", admitted)) for record in records[:2]]
            await asyncio.sleep(0)
            with pytest.raises(NoReview, match="reviews-busy"):
                await made.review(records[2], 1, "en", "here", admitted)
            other = asyncio.create_task(made.review(records[2], 1, "en", "there", admitted))
            assert len({json.dumps(one) for one in await asyncio.gather(*first, other)}) == 3
        finally:
            await made.close()
        with pytest.raises(NoReview, match="review-failed"):
            await made.review(SMALL, 2, "en", "here", admitted)

    asyncio.run(asked())


def test_a_key_depends_on_the_record_up_to_its_hand() -> None:
    longer = {**SMALL, "rounds": [*SMALL["rounds"], SMALL["rounds"][0]]}
    keys = keys_of(SMALL, "en")
    assert keys_of(longer, "en")[:2] == keys
    assert len({*keys, *keys_of(SMALL, "de"), *keys_of({**SMALL, "x-seat": 1}, "en")}) == 6


def test_the_next_mistake_comes_round_again(review: ReviewDocument) -> None:
    bad = [ply for ply, appraisal in enumerate(appraisals(review), 1) if appraisal["verdict"] not in ("best", "fine")]
    assert bad, "the record has mistakes"
    for at in range(len(review["hands"][0]["actions"]) + 1):
        shown = view_model(replay(SMALL), 0, 1, 2, at, review=review)
        later = [ply for ply in bad if ply > at]
        assert shown.next_mistake == (later or bad)[0]
        assert shown.coach is not None
        assert shown.coach.reasons or at == 0


def test_a_mistake_can_be_tried_again(review: ReviewDocument) -> None:
    document = {**SMALL, "x-seat": 1}
    actions, judged = review["hands"][0]["actions"], appraisals(review)
    bad = next(
        ply
        for ply, (action, appraisal) in enumerate(zip(actions, judged, strict=True), 1)
        if action["seat"] == 1 and appraisal["verdict"] not in ("best", "fine")
    )
    shown = view_model(replay(document), 0, 1, 2, bad, review=review)
    assert shown.coach is not None
    assert shown.coach.lesson == bad - 1
    asked = view_model(replay(document), 0, 1, 2, bad - 1, review=review, guess="").coach
    assert asked is not None
    assert not asked.reasons
    assert not asked.values
    assert {actions[bad - 1]["action"], judged[bad - 1]["best"]} <= dict(asked.choices).keys()
    for guess, words in asked.choices:
        told = view_model(replay(document), 0, 1, 2, bad - 1, review=review, guess=guess).coach
        assert told is not None
        assert told.mark is not None
        assert (told.mark.verdict == "best") == (guess == judged[bad - 1]["best"])
        if guess == actions[bad - 1]["action"]:
            assert told.mark.verdict == judged[bad - 1]["verdict"]
        assert [one.words for one in told.values if one.chosen] == [words]
    stranger = view_model(replay(SMALL), 0, 1, 2, bad, review=review).coach
    assert stranger is not None
    assert stranger.lesson is None


def test_beliefs_are_percentages_with_a_frame_around_what_is_held(review: ReviewDocument) -> None:
    shown = view_model(replay(SMALL), 0, 1, 2, 3, review=review)
    assert shown.coach is not None
    assert [one.name for one in shown.coach.beliefs] == ["Ann", "Bob", "Cy"]
    assert [one.held for one in shown.coach.beliefs] == [2, 0, 2]  # ones
    as_bob = view_model(replay(SMALL), 0, 1, 2, 3, "1", review=review).coach
    assert as_bob is not None
    assert [one.held for one in as_bob.beliefs] == [None, 0, None], "only what the viewpoint sees"
    for one in shown.coach.beliefs:
        assert sum(one.chances) == pytest.approx(1)


def test_decisions_are_kept_with_their_review_until_it_is_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reviews, "KEPT", 2)
    at_a_table = {**SMALL, "x-table": "T"}
    first, second = hands_of(at_a_table)

    async def asked() -> None:
        made = Reviews()
        try:
            assert made.decisions(first) is None
            found = await made.review(at_a_table, 1, "de", "here", admitted)
            judged = [
                (one["seat"], appraisal["verdict"], appraisal["loss"])
                for one in found["hands"][0]["actions"]
                for appraisal in [appraisal_of(one)]
                if appraisal is not None
            ]
            assert judged
            assert made.decisions(first) == tuple(judged)
            assert made.decisions(second) is None
            assert made.tables == {"T": 1}
            await made.review(at_a_table, 2, "en", "here", admitted)
            assert made.tables == {"T": 2}
            assert made.decisions(first), "looking at decisions doesn't keep a review longer"
            with pytest.raises(NoReview):
                await made.review({**THORIN, "x-table": "U"}, 1, "en", "here", admitted)
            assert made.decisions(first) is None
            assert made.decisions(second) is not None
            assert made.decisions(hands_of({**THORIN, "x-table": "U"})[0]) is None, "it was refused"
            assert made.tables == {"T": 1, "U": 1}
            await made.review({**SMALL, "x-table": ["T"]}, 1, "en", "here", admitted)
            assert made.tables == {"U": 1, "": 1}, "not the id of a table"
        finally:
            await made.close()

    asyncio.run(asked())
