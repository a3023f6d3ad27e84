import asyncio

import pytest
from playwright.sync_api import Browser

from tests.web import browsers


@pytest.mark.parametrize("turn", ["first", "second"])
def test_the_browser_shows_a_page_and_closes_it_after_the_test(browser: Browser, turn: str) -> None:
    page = browser.new_page()
    page.set_content(f"<h1>{turn}</h1>")
    assert page.inner_text("h1") == turn
    assert browser.contexts == [page.context]


def test_other_tests_can_run_event_loops_while_the_browser_is_open() -> None:
    assert asyncio.run(asyncio.sleep(0, "done")) == "done"


@pytest.mark.parametrize(("ci", "outcome"), [("", pytest.skip.Exception), ("true", pytest.fail.Exception)])
def test_without_a_browser_tests_are_skipped_except_in_continuous_integration(
    monkeypatch: pytest.MonkeyPatch, ci: str, outcome: type[BaseException]
) -> None:
    monkeypatch.setenv("CI", ci)
    monkeypatch.setenv("PATH", "")
    with pytest.raises(
        outcome, match=r"a browser.* install the package chromium|needs a browser \(install the package"
    ):
        browsers.program()
