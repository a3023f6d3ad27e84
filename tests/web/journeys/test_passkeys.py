"""Passkeys in a browser with a virtual device: an account without a passphrase, a second passkey, and removal."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, CDPSession, Page, expect

from liarspoker.server.service import FRESH_SECONDS
from tests.server.inprocess import Running


@pytest.fixture
def page(browser: Browser, site: Running) -> Page:
    """A page at localhost, where browsers allow passkeys without HTTPS."""
    context = browser.new_context(base_url=f"http://localhost:{site.port}", viewport={"width": 390, "height": 844})
    return context.new_page()


def add_authenticator(page: Page) -> tuple[CDPSession, str]:
    """Give the browser a device with a fingerprint reader; return it."""
    devtools = page.context.new_cdp_session(page)
    devtools.send("WebAuthn.enable")
    options = {
        "protocol": "ctap2",
        "transport": "internal",
        "hasResidentKey": True,
        "hasUserVerification": True,
        "isUserVerified": True,
        "automaticPresenceSimulation": True,
    }
    made = devtools.send("WebAuthn.addVirtualAuthenticator", {"options": options})
    return devtools, made["authenticatorId"]


def press(page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()


def test_an_account_is_made_and_used_with_passkeys_only(page: Page, site: Running) -> None:
    devtools, device = add_authenticator(page)
    page.goto("/you")
    page.get_by_label("Shown to other players").fill("Passkey Ann")
    press(page, "Play as guest")
    panel = page.get_by_role("region", name="Create an account")
    panel.get_by_label("Login").fill("x")
    press(page, "Use a passkey instead")
    expect(panel.get_by_role("alert")).to_contain_text("A login must have 3 to 64")
    panel.get_by_label("Login").fill("passkey.ann")
    press(page, "Use a passkey instead")
    expect(page.get_by_text("Account passkey.ann")).to_be_visible()
    [stored] = devtools.send("WebAuthn.getCredentials", {"authenticatorId": device})["credentials"]
    assert stored["rpId"] == "localhost"
    expect(page.get_by_role("button", name="Remove passkey")).to_have_count(0)  # the last way to log in
    press(page, "Create recovery code")
    code = re.compile(r"^([0-9A-Z]{5}-){4}[0-9A-Z]{5}$")
    expect(page.get_by_role("textbox", name="Recovery code")).to_have_value(code)

    press(page, "Log out")
    page.goto("/you")
    devtools.send("WebAuthn.setUserVerified", {"authenticatorId": device, "isUserVerified": False})
    press(page, "Log in with a passkey")
    login = page.get_by_role("region", name="Log in")
    expect(login.get_by_role("alert")).to_contain_text("No passkey was used")
    devtools.send("WebAuthn.setUserVerified", {"authenticatorId": device, "isUserVerified": True})
    press(page, "Log in with a passkey")
    expect(page.get_by_role("heading", name="Passkey Ann")).to_be_visible()
    [used] = devtools.send("WebAuthn.getCredentials", {"authenticatorId": device})["credentials"]
    assert used["signCount"] > stored["signCount"]

    site.clock.ahead += FRESH_SECONDS + 1
    page.reload()
    expect(page.get_by_role("button", name="Add passkey")).to_have_count(0)
    press(page, "Confirm with a passkey")
    expect(page.get_by_role("button", name="Add passkey")).to_be_enabled()
    devtools.send("WebAuthn.removeVirtualAuthenticator", {"authenticatorId": device})
    _, other = add_authenticator(page)
    page.get_by_label("Name of the new passkey").fill("key ring")
    press(page, "Add passkey")
    expect(page.get_by_role("button", name="Remove passkey key ring")).to_be_visible()
    press(page, "Remove passkey passkey")
    expect(page.get_by_role("listitem").filter(has_text="key ring")).to_be_visible()
    expect(page.get_by_role("button", name="Remove passkey")).to_have_count(0)
    assert other != device
