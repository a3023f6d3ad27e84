import re
from collections import deque

import pytest
from playwright.sync_api import Page, Response

from liarspoker.core import catalogue
from tests.web.journeys.survey import PHONE
from tests.web.journeys.visitors import Visitors

ENTRANCES = ("/", "/rules", "/odds", "/you", "/settings")
MOST_PAGES = 60


@pytest.mark.slow
def test_every_page_that_a_link_leads_to_is_there_and_in_order(visitors: Visitors) -> None:
    ann = visitors.come()
    ann.quick_table("Ann")
    waiting, seen = deque(ENTRANCES), set[str]()
    while waiting and len(seen) < MOST_PAGES:
        path = waiting.popleft()
        if kind_of(path) in seen:
            continue
        seen.add(kind_of(path))
        response = ann.page.goto(path)
        assert response is not None, path
        if response.headers.get("content-type", "").startswith("text/html"):
            assert response.ok, f"{path}: {response.status}"
            ann.look()
            waiting += links(ann.page)
    assert {f"/rules/{row.id}" for row in catalogue.games()} <= seen
    assert len(seen) < MOST_PAGES


@pytest.mark.parametrize(
    ("path", "status"), [("/no-such-page", 404), ("/t/no-such-table", 404), ("/rules/no-such-game", 404)]
)
def test_an_address_that_is_wrong_is_told_in_a_page(visitors: Visitors, path: str, status: int) -> None:
    ann = visitors.come()
    ann.watch.forgiven.append("Failed to load resource: the server responded with a status of")
    response = ann.page.goto(path)
    assert isinstance(response, Response)
    assert response.status == status
    ann.look()
    ann.page.get_by_role("link", name="To the lobby").click()
    ann.page.get_by_role("button", name=re.compile("^Quick table")).wait_for()


def test_what_stands_beside_a_table_opens_and_closes(visitors: Visitors) -> None:
    ann = visitors.come(PHONE)
    ann.quick_table("Ann")
    ann.page.locator(".turnflag").wait_for()
    for link in ann.page.get_by_role("navigation").get_by_role("link").all():
        if (link.get_attribute("href") or "").startswith("#"):
            link.click()
            ann.look()
            ann.page.goto(ann.page.url.partition("#")[0])
            ann.at_the_table()


def links(page: Page) -> list[str]:
    """The paths on this server that the page links to."""
    found: list[str] = page.locator("a[href^='/']").evaluate_all("(all) => all.map((one) => one.getAttribute('href'))")
    return [path.partition("#")[0] for path in found]


def kind_of(path: str) -> str:
    """Pages of one kind are alike: one question of the odds is enough, and one table."""
    bare = path.partition("?")[0]
    parts = bare.split("/")
    return bare if parts[1] != "t" else f"/t/{'/'.join(parts[3:])}"
