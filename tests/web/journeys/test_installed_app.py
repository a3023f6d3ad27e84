"""The installed app: its manifest, the pages without a connection, and push notifications."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import ExitStack
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import httpx2
import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import Browser, BrowserContext, Page, expect

from liarspoker.web.app import mount_pages
from tests.server.inprocess import PATIENCE, Running, eventually, running
from tests.server.notices.push_service import CONTACT, certificate, push_service
from tests.server.notices.push_service import Browser as PushBrowser

STORED = """async () => {
    const found = {};
    for (const name of await caches.keys()) {
        const cache = await caches.open(name);
        for (const request of await cache.keys()) {
            found[new URL(request.url).pathname] = await (await cache.match(request)).text();
        }
    }
    return found;
}"""
TITLE = "Friday table"


@pytest.fixture
def app(browser: Browser) -> Iterator[BrowserContext]:
    """A browser context that allows service workers."""
    context = browser.new_context(service_workers="allow", reduced_motion="reduce")
    context.set_default_timeout(1000 * PATIENCE)
    yield context
    context.close()


def installed(page: Page) -> None:
    """Wait until the service worker has stored its pages."""
    page.evaluate("navigator.serviceWorker.ready")
    eventually(lambda: page.evaluate("navigator.serviceWorker.ready.then((one) => one.active.state)") == "activated")


def at_a_table(url: str, page: Page) -> str:
    """Open a table of the browser's user, called Quentin, with a dealt hand; return its path."""
    assert page.request.post(f"{url}/api/guest", data={"name": "Quentin"}).ok
    path = new_table(url, page)
    page.goto(url + path)
    expect(page.locator(".note").first).to_be_visible()
    return path


def new_table(url: str, page: Page) -> str:
    """Make a table with a dealt hand, in which it is or will be the user's turn; return its path."""
    asked = {"settings": {"game": "dollar-bill", "title": TITLE}, "bots": ["binomial"], "start": True}
    return f"/t/{page.request.post(f'{url}/api/tables', data=asked).json()['table']}"


def test_the_app_is_installable(app: BrowserContext, site: Running) -> None:
    page = app.new_page()
    page.goto(site.url)
    installed(page)
    browser = app.new_cdp_session(page)
    manifest = browser.send("Page.getAppManifest")
    assert manifest["errors"] == []
    assert browser.send("Page.getInstallabilityErrors")["installabilityErrors"] == []
    for icon in json.loads(manifest["data"])["icons"]:
        response = page.request.get(f"{site.url}{icon['src']}")
        assert response.headers["content-type"].startswith(icon["type"])
        if icon["type"] == "image/png":
            width = int.from_bytes(response.body()[16:20])
            assert f"{width}x{width}" == icon["sizes"]


def test_rules_and_recent_tables_are_shown_offline_and_no_hand_is_stored(app: BrowserContext, tmp_path: Path) -> None:
    page = app.new_page()
    with ExitStack() as stack:
        server = stack.enter_context(running(tmp_path, mount_pages))
        path = at_a_table(server.url, page)
        installed(page)
        page.reload()
        expect(page.locator(".note").first).to_be_visible()
        assert TITLE in page.locator("[data-live]").inner_text()
        stored = page.evaluate(STORED)
        assert {"/offline", "/rules", "/rules/dollar-bill", "/static/app.js", "/static/app.css"} <= stored.keys()
        assert not [name for name in stored if name.startswith(("/t/", "/you", "/settings", "/api/")) or name == "/"]
        assert not [name for name, text in stored.items() if "Quentin" in text or TITLE in text]
        url = server.url
    page.goto(f"{url}/rules/dollar-bill")
    expect(page.locator("h1")).to_have_text("Dollar-bill Liar’s Poker")
    assert page.evaluate("getComputedStyle(document.body).margin") == "0px", "the style sheet is stored too"
    page.goto(url + path)
    expect(page.locator("h1")).to_have_text("No connection")
    expect(page.get_by_role("link", name=TITLE)).to_have_attribute("href", path)
    assert Axe().run(page).response["violations"] == []


def test_logging_out_clears_everything_that_is_stored(app: BrowserContext, site: Running) -> None:
    page = app.new_page()
    at_a_table(site.url, page)
    page.goto(f"{site.url}/settings")
    installed(page)
    assert page.evaluate(STORED)
    assert TITLE in page.evaluate("localStorage['recent-tables']")
    page.evaluate("fetch('/api/logout', {method: 'POST'})")
    eventually(lambda: page.evaluate("'recent-tables' in localStorage") is False and page.evaluate(STORED) == {})


class Mixed(BaseHTTPRequestHandler):
    """A proxy of a server; while `others` is set, its style sheet comes from a server of another version."""

    url = ""
    others = False

    def do_GET(self) -> None:
        answer = httpx2.get(self.url + self.path, headers={"Accept-Language": self.headers["Accept-Language"] or "en"})
        is_other = self.others and self.path.startswith("/static/app.css")
        body = b"/* of another version */" if is_other else answer.content
        self.send_response(answer.status_code)
        self.send_header("Content-Type", answer.headers["content-type"])
        self.send_header("Cache-Control", "no-cache" if is_other else answer.headers.get("cache-control", "no-cache"))
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Print nothing."""


REFUSED = """async () => {
    const registration = await navigator.serviceWorker.register("/sw.js");
    const worker = registration.installing;
    if (worker.state !== "redundant") await new Promise((done) => {
        worker.onstatechange = () => ["redundant", "installed"].includes(worker.state) && done();
    });
    return worker.state;
}"""


def test_files_of_another_version_are_not_stored(app: BrowserContext, site: Running) -> None:
    handler = type("Handler", (Mixed,), {"url": site.url, "others": True})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as proxy:
        Thread(target=proxy.serve_forever).start()
        try:
            url, page = f"http://127.0.0.1:{proxy.server_port}", app.new_page()
            page.goto(f"{url}/static/icon.svg")  # doesn't register the worker by itself
            assert page.evaluate(REFUSED) == "redundant"
            handler.others = False  # type: ignore[attr-defined]
            page.goto(f"{url}/rules")
            installed(page)
            assert "another version" not in page.evaluate(STORED)["/static/app.css"]
        finally:
            proxy.shutdown()


# A headless browser has no push service and grants no notifications, so the page gets the test's subscription.
SUBSCRIBED = """(subscription) => {
    let made = null;
    const unsubscribe = async () => { made = null; return true; };
    const browser = { ...subscription, toJSON: () => subscription, unsubscribe };
    PushManager.prototype.subscribe = async () => { made = browser; sessionStorage.made = "yes"; return made; };
    PushManager.prototype.getSubscription = async () => made ?? (sessionStorage.made ? browser : null);
    Notification.requestPermission = async () => "granted";
}"""


def test_a_browser_is_subscribed_and_turned_off_in_the_settings(
    app: BrowserContext, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    authority = certificate(tmp_path)
    monkeypatch.setenv("SSL_CERT_FILE", str(authority))
    changes: dict[str, Any] = {"push_contact": CONTACT, "push_private": True, "notify_after": 0.0}
    with push_service(authority) as service, running(tmp_path / "data", mount_pages, **changes) as server:
        laptop = PushBrowser(service, "laptop")
        page = app.new_page()
        page.add_init_script(f"({SUBSCRIBED})({json.dumps(laptop.subscription)})")
        first = at_a_table(server.url, page)
        page.goto(f"{server.url}/settings")
        page.get_by_role("button", name="Notify me in this browser").click()
        devices = page.locator("#devices li")
        expect(devices).to_contain_text("Chrome")
        expect(devices).to_contain_text("this browser")
        expect(page.get_by_role("button", name="Notify me in this browser")).to_be_hidden()
        assert Axe().run(page).response["violations"] == []

        path = new_table(server.url, page)  # whose turn comes without an open page
        while (sent := laptop.read(service.next())["path"]) != path:
            assert sent == first  # its turn comes only now, if the bot is slow

        page.get_by_role("group", name="Invitations").get_by_label("Off").check()
        expect(page.locator("#saved")).to_contain_text("Saved")
        devices.get_by_role("button", name="Turn off").click()
        expect(devices).to_have_count(0)
        expect(page.get_by_role("group", name="Invitations").get_by_label("Off")).to_be_checked()


# What a headless browser can't show, and windows that it opens only for a person, are recorded instead.
RECORD = """() => {
    self.recorded = [];
    registration.showNotification = async (title, { body, data }) => { recorded.push([title, body, data]); };
    clients.openWindow = async (path) => { recorded.push(path); };
}"""
CLICK = """(data) => {
    dispatchEvent(Object.assign(new ExtendableEvent("notificationclick"), { notification: { data, close() {} } }));
}"""


def test_a_push_message_shows_a_notification_that_opens_the_table(app: BrowserContext, site: Running) -> None:
    page = app.new_page()
    page.goto(site.url)
    installed(page)
    [worker] = app.service_workers
    worker.evaluate(RECORD)
    browser = app.new_cdp_session(page)
    registrations: list[dict[str, Any]] = []
    browser.on("ServiceWorker.workerRegistrationUpdated", lambda event: registrations.extend(event["registrations"]))
    browser.send("ServiceWorker.enable")
    eventually(lambda: page.evaluate("true") and registrations != [])
    notice = {"title": "Your turn", "body": TITLE, "path": "/t/friday", "tag": "turn /t/friday"}
    delivery = {"origin": site.url, "registrationId": registrations[0]["registrationId"], "data": json.dumps(notice)}
    browser.send("ServiceWorker.deliverPushMessage", delivery)
    eventually(lambda: worker.evaluate("recorded") == [["Your turn", TITLE, "/t/friday"]])
    worker.evaluate(CLICK, "/t/friday")
    eventually(lambda: worker.evaluate("recorded[1]") == "/t/friday")
