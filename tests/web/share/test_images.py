"""Share images over HTTP: the same for everyone, and no more than a stranger may see."""

from __future__ import annotations

from datetime import date
from io import BytesIO

import pytest
from PIL import Image

from liarspoker.puzzles import of_the_day
from liarspoker.web.share.cards import closed_card, puzzle_card, round_card, site_card
from liarspoker.web.share.drawing import SIZE, png
from tests.server.inprocess import Person, Running
from tests.web.conftest import Evening
from tests.web.pages.reading import Reader
from tests.web.study.played_tables import act, begun


def image_at(person: Person, path: str) -> bytes:
    """The image at a path."""
    response = person.http.get(path)
    assert response.status_code == 200, path
    assert response.headers["content-type"] == "image/png"
    assert response.headers["cache-control"].startswith("public, max-age=")
    with Image.open(BytesIO(response.content)) as image:
        assert image.size == SIZE
    return response.content


def properties(reader: Reader) -> dict[str, str]:
    """The Open Graph properties of a page."""
    return {one.at["property"]: one.at["content"] for one in reader.page.all("meta") if "property" in one.at}


@pytest.mark.parametrize("game", ["dollar-bill", "thorin", "queen-annes-stud"])
def test_a_table_a_hand_and_a_result_have_images(site: Running, evening: Evening, game: str) -> None:
    owner, table = evening(game)
    stranger = site.person()
    images = []
    for path in ("", "/replay/1"):
        reader = Reader(stranger).read(f"/t/{table}{path}")
        about = properties(reader)
        assert about["og:url"] == f"{site.url}/t/{table}{path}"
        address = about["og:image"].removeprefix(site.url)
        assert image_at(owner, address) == image_at(stranger, address)
        images.append(image_at(stranger, address))
    [record] = stranger.http.get(f"/api/tables/{table}/records").json()
    assert images[1] == png(round_card(record, 0, 1, "Friday"))
    assert "Final score" in properties(Reader(stranger).read(f"/t/{table}"))["og:description"]
    assert len({*images, image_at(stranger, "/card.png")}) == 3
    assert image_at(stranger, "/card.png") == png(site_card())


def test_the_image_of_a_table_changes_with_who_waits(site: Running) -> None:
    ann, bob = site.person("Ann"), site.person("Bob")
    table = site.table(ann, seats=3)
    before = properties(Reader(ann).read(f"/t/{table}"))
    assert bob.ask(table, do="join")["ok"]
    after = properties(Reader(ann).read(f"/t/{table}"))
    assert before["og:image"] != after["og:image"]
    assert "Ann, Bob" in after["og:description"]
    assert image_at(ann, before["og:image"]) == image_at(ann, after["og:image"])


def test_the_image_of_a_page_is_in_its_language_for_everyone(site: Running) -> None:
    ann, bob = site.person("Ann"), site.person()
    table = site.table(ann)
    reader = Reader(ann)
    english, german = (properties(reader.read(f"/t/{table}", **{"Accept-Language": code})) for code in ("en", "de"))
    assert german["og:image"].endswith("&lang=de")
    assert "lang" not in english["og:image"]
    for person, language in ((ann, "en"), (bob, "es")):
        address = german["og:image"].removeprefix(site.url)
        bob.http.headers["Accept-Language"] = language
        assert image_at(person, address) == image_at(bob, address)


def test_a_round_in_play_has_no_image(site: Running) -> None:
    table, people = begun(site)
    for number in (1, 2):
        assert people[0].http.get(f"/t/{table}/replay/{number}/card.png").status_code == 404
    assert site.person().http.get("/t/no-such-table/card.png").status_code == 404


def test_a_table_without_spectators_shows_strangers_and_its_players_only_an_invitation(site: Running) -> None:
    table, people = begun(site, rounds=1, spectators="none", title="Secret")
    act(table, people, "1x1", "challenge")
    assert people[0].http.get(f"/t/{table}/replay/1").status_code == 200
    for person in (people[0], site.person()):
        assert image_at(person, f"/t/{table}/card.png") == png(closed_card())
        assert person.http.get(f"/t/{table}/replay/1/card.png").status_code == 404
    for person in (people[0], site.person()):
        about = properties(Reader(person).read(f"/t/{table}"))
        assert "Secret" not in " ".join(about.values())


def test_a_moment_of_a_round_has_an_image_of_its_own(site: Running, evening: Evening) -> None:
    owner, table = evening("dollar-bill")
    stranger = site.person()
    whole = properties(Reader(stranger).read(f"/t/{table}/replay/1"))
    moment = properties(Reader(stranger).read(f"/t/{table}/replay/1?ply=1&as=all"))
    assert moment["og:url"] == f"{site.url}/t/{table}/replay/1?ply=1"
    assert f'value="{moment["og:url"]}"' in stranger.http.get(f"/t/{table}/replay/1?ply=1").text, "a link to copy"
    first, last = (image_at(owner, one["og:image"].removeprefix(site.url)) for one in (moment, whole))
    [record] = stranger.http.get(f"/api/tables/{table}/records").json()
    assert first == png(round_card(record, 0, 1, "Friday", 1))
    assert first != last
    assert "fingers" not in str(round_card(record, 0, 1, "Friday", 1))


def test_the_puzzle_of_the_day_has_an_image_without_its_answer(site: Running) -> None:
    reader = Reader(site.person())
    about = properties(reader.read("/trainer/today"))
    assert about["og:url"] == f"{site.url}/trainer/today"
    day = int(about["og:image"].partition("day=")[2])
    card = puzzle_card(of_the_day(date.fromordinal(day)))
    address = about["og:image"].removeprefix(site.url)
    assert image_at(reader.person, address) == png(card)
    assert "You hold" in about["og:description"]
    assert reader.person.http.get("/trainer/today/card.png?day=0").status_code == 422
