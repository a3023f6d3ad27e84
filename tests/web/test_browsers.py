import asyncio

import pytest
from playwright.sync_api import Browser

from tests.web import browsers


@pytest.mark.parametrize("turn", ["first", "second"])
def test_the_browser_shows_a_page(browser: Browser, turn: str) -> None:
    page = browser.new_page()
    page.set_content(f"<h1>{turn}</h1>")
    assert page.inner_text("h1") == turn
    assert browser.contexts == [page.context]  # those of the last test are closed


def test_other_tests_can_run_loops_of_their_own_meanwhile() -> None:
    assert asyncio.run(asyncio.sleep(0, "done")) == "done"


def test_the_browser_goes_on_after_them(browser: Browser) -> None:
    page = browser.new_page()
    page.set_content("<h1>third</h1>")
    assert page.inner_text("h1") == "third"


def test_without_a_browser_a_test_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.setenv("PATH", "")
    with pytest.raises(pytest.skip.Exception, match=r"needs a browser \(install the package chromium\)"):
        browsers.program()


def test_but_nothing_is_left_out_in_continuous_integration(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CI", "true")
    monkeypatch.setenv("PATH", "")
    with pytest.raises(pytest.fail.Exception, match="a browser is needed here: install the package chromium"):
        browsers.program()
