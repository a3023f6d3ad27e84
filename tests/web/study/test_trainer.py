"""The trainer: puzzles on the web, with a progress that needs no account."""

from __future__ import annotations

import re
from importlib.resources import files

import pytest
from babel.messages.pofile import read_po

from liarspoker.games.digits.options import DigitOptions, packed
from liarspoker.games.digits.page.drill import odds_drill
from liarspoker.odds.counts import at_least
from liarspoker.puzzles import Progress, puzzles, sheet_in_words, sheets
from liarspoker.puzzles.lessons import LESSONS
from liarspoker.records.words import digit_name
from liarspoker.web.routes.trainer import COOKIE, LESSONS_COOKIE
from tests.server.inprocess import Person, Running


def answered(person: Person, place: str, action: str) -> str:
    """Answer a puzzle, and return the page that follows."""
    response = person.http.post(f"/trainer/{place}", data={"answer": action}, headers={"Origin": person.server.url})
    assert response.status_code == 303
    return person.http.get(response.headers["location"]).text


def test_a_puzzle_is_shown_answered_and_counted(site: Running) -> None:
    person = site.person()
    first = Progress().next
    page = person.http.get("/trainer", follow_redirects=True).text
    assert f"Puzzle {first.number + 1}" in page
    assert first.hand in page
    assert page.count('name="answer"') == 4
    assert "How many" not in page, "the beliefs would give the answer away"
    page = answered(person, str(first.number + 1), first.best)
    assert "Right." in page
    assert "1 / 1" in page
    assert len(re.findall(r'<tr><th scope="row">', page)) == first.players
    again = answered(person, str(first.number + 1), first.best)
    assert "1 / 1" in again, "a second try changes nothing"
    second = Progress(1).next
    wrong = next(choice.action for choice in second.choices if choice.action != second.best)
    page = answered(person, str(second.number + 1), wrong)
    assert "Not the best." in page
    assert "1 / 2" in page


def test_the_puzzle_of_the_day_counts_once(site: Running) -> None:
    person = site.person()
    page = person.http.get("/trainer/today").text
    assert "Puzzle of the day" in page
    action = re.search(r'name="answer" value="([^"]+)"', page)
    assert action is not None
    for _ in range(2):
        after = answered(person, "today", action[1])
        assert "Days in a row" in after
        assert f"{site.url}/trainer/today" in after, "a line to share"
    assert Progress.read(person.http.cookies[COOKIE]).tried == 1


def test_an_answer_to_the_puzzle_of_another_day_does_not_count(site: Running) -> None:
    person = site.person()
    number = re.search(r'name="puzzle" value="(\d+)"', person.http.get("/trainer/today").text)
    assert number is not None
    other = str(int(number[1]) % len(puzzles()) + 1)
    for puzzle, counts in ((other, False), (number[1], True)):
        answer = puzzles()[int(number[1]) - 1].best
        given = {"answer": answer, "puzzle": puzzle}
        person.http.post("/trainer/today", data=given, headers={"Origin": person.server.url})
        assert (COOKIE in person.http.cookies) == counts


@pytest.mark.parametrize("number", [*range(1, 60), 9_999])
def test_drills_of_the_odds_have_one_right_answer(number: int) -> None:
    drill = odds_drill(number, None)
    assert drill == odds_drill(number, 7), "no such answer"
    assert len(set(drill.choices)) == 4
    others = 8 * (drill.players - 1)
    level, name = drill.bid.split()
    digit = next(one for one in range(10) if digit_name(one, int(level), packed(DigitOptions(), 2)) == name)
    need = int(level) - drill.hand.count(str(digit))
    assert drill.choices[drill.right] == round(100 * at_least(others, need))
    assert [bar.counts for bar in drill.bars] == sorted(bar.counts for bar in drill.bars)


def test_a_drill_is_answered_and_explained(site: Running) -> None:
    person = site.person()
    assert 'name="answer"' in person.http.get("/trainer/odds", follow_redirects=True).text
    drill = odds_drill(5, None)
    right, wrong = (
        person.http.get(f"/trainer/odds/5?answer={one}").text for one in (drill.right, (drill.right + 1) % 4)
    )
    assert "Right." in right
    assert "Not quite." in wrong
    for page in (right, wrong):
        assert drill.bid in page
        assert "<svg" in page
        link = re.search(r'href="(/odds\?[^"]+)"', page)
        assert link is not None
        answer = person.http.get(link[1].replace("&amp;", "&")).text
        assert drill.exact in answer


def test_the_cheat_sheets_say_what_they_cost(site: Running) -> None:
    page = site.person().http.get("/trainer/sheets").text
    assert page.count('<section class="panel cheat">') == len(sheets()) == 5
    for sheet in sheets():
        for line in sheet_in_words(sheet):
            assert line in page.replace("’", "'")
        assert f"{sheet.champion.mean:+.3f}".replace("-", "−") in page


def test_unknown_puzzles_and_answers(site: Running) -> None:
    person = site.person()
    assert person.http.get(f"/trainer/{len(puzzles()) + 1}").status_code == 404
    assert person.http.get("/trainer/0").status_code in (404, 422)
    page = answered(person, "3", "9x9")
    assert page.count('name="answer"') == 4
    assert 'name="answer"' in person.http.get("/trainer/3?answer=9x9").text
    person.http.cookies.set(COOKIE, "nonsense")
    assert person.http.get("/trainer", follow_redirects=True).status_code == 200


def test_lessons_are_taken_and_ticked_off(site: Running) -> None:
    person = site.person()
    page = person.http.get("/trainer/lessons").text
    assert page.count('href="/trainer/lessons/') == len(LESSONS)
    assert ">done<" not in page
    for number, lesson in enumerate(LESSONS, 1):
        page = person.http.get(f"/trainer/lessons/{number}").text
        assert f"Lesson {number} of 12" in page
        answer = str(lesson.best) if lesson.position is None else lesson.position.best
        after = person.http.post(f"/trainer/lessons/{number}", data={"answer": answer}, follow_redirects=True).text
        assert "Right." in after
        assert f'href="/trainer/lessons/{number % len(LESSONS) + 1}"' in after
    assert person.http.get("/trainer/lessons").text.count(">done<") == len(LESSONS)
    assert COOKIE not in person.http.cookies, "lessons don't change the rating"


def test_unknown_lessons_and_answers(site: Running) -> None:
    person = site.person()
    assert person.http.get("/trainer/lessons/13").status_code == 422
    for number in (1, 5):
        for answer in ("9x9x9", "-1", "99", "é" * 200):
            page = person.http.get(f"/trainer/lessons/{number}", params={"answer": answer})
            assert page.status_code == 200
            assert "Right." not in page.text
    person.http.cookies.set(LESSONS_COOKIE, "1.x.99.-3.." + "7" * 500)
    assert person.http.get("/trainer/lessons").status_code == 200


@pytest.mark.parametrize("language", ["de", "es"])
def test_a_stored_reason_has_the_wording_of_a_review(language: str) -> None:
    with files("liarspoker").joinpath(f"locale/{language}/LC_MESSAGES/liarspoker.po").open("rb") as file:
        messages = [one.string for one in read_po(file) if any("digit_words" in path for path, _ in one.locations)]
    wordings = [re.compile(re.sub(r"\\{\w+\\}", ".+?", re.escape(str(one))), re.IGNORECASE) for one in messages]
    stored = {line for puzzle in puzzles() for lines in puzzle.reasons[language].values() for line in lines}
    assert [line for line in stored if not any(one.fullmatch(line) for one in wordings)] == []
