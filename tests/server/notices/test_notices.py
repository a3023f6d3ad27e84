"""Notices of turns and invitations, delivered by Web Push to a push service on this machine."""

from __future__ import annotations

import asyncio
import json
import socket
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from liarspoker.language import _, speaking
from liarspoker.server.config import Limit, Limits
from liarspoker.server.notices import notices, push
from liarspoker.server.notices.push import MOST_DEVICES, BadSubscription, check_endpoint, check_keys
from liarspoker.server.storage import notices as queries
from liarspoker.server.storage.connection import Connection
from liarspoker.server.storage.storage import Storage
from liarspoker.web.app import mount_pages
from tests.server.inprocess import PATIENCE, Person, Running, eventually, running
from tests.server.notices.push_service import CONTACT, Browser, PushService, certificate, push_service
from tests.server.storage.tables import SEALER

TITLE = "Friday table"
RETRY = 2.0
"""Seconds until a second attempt; a notice of another player is sent before it, even on a busy machine."""


@pytest.fixture
def service(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[PushService]:
    monkeypatch.setattr(notices, "RETRY_SECONDS", (0.0, 0.0, 0.0))
    authority = certificate(tmp_path)
    monkeypatch.setenv("SSL_CERT_FILE", str(authority))
    with push_service(authority) as made:
        yield made


@pytest.fixture
def server(tmp_path: Path, service: PushService) -> Iterator[Running]:
    changes: dict[str, Any] = {"push_contact": CONTACT, "push_private": True, "notify_after": 0.0}
    with running(tmp_path / "data", mount_pages, **changes) as made:
        yield made


def in_turn(ann: Person, bob: Person, table: str) -> tuple[Person, Person]:
    """Return who is to act, and the other player."""
    return (ann, bob) if ann.view(table)["public"]["to_act"] == ann.user else (bob, ann)


def bid(person: Person, table: str, action: str) -> None:
    turn = person.view(table)["public"]["turn"]
    assert person.ask(table, do="act", turn=turn, action=action)["ok"]


def invite(server: Running, table: str, *people: Person) -> None:
    """Notify these users that Ann invites them."""
    actor = server.service.registry.loaded(table)
    assert actor is not None
    for person in people:
        server.loop.call_soon_threadsafe(server.service.notices.invite, person.user, "Ann", actor.table)


def devices(person: Person) -> int:
    """Return the number of browsers on a user's settings page."""
    return person.http.get("/settings").text.count("data-device=")


def stored(server: Running) -> list[str]:
    """Return the last part of every stored endpoint."""

    def query(connection: Connection) -> list[str]:
        rows = connection.execute("SELECT endpoint FROM subscriptions ORDER BY created_at")
        return [endpoint.rpartition("/")[2] for (endpoint,) in rows]

    return asyncio.run_coroutine_threadsafe(server.service.storage.read(query), server.loop).result(PATIENCE)


def test_a_player_without_an_open_page_is_notified_once_of_each_turn(server: Running, service: PushService) -> None:
    ann, bob, table = server.in_a_round(title=TITLE)
    first, second = in_turn(ann, bob, table)
    browsers = {person.user: Browser(service, person.user) for person in (ann, bob)}
    with first.socket(table) as watching:
        watching.until("presence")
        browsers[first.user].subscribe(first)
        browsers[second.user].subscribe(second)
        bid(first, table, "1x1")
        told = service.next()
        assert told.path == f"/{second.user}", "the player to act has a page open, so only the other one is notified"
        bid(second, table, "2x1")
        assert first.view(table)["public"]["to_act"] == first.user
        invite(server, table, second)
        assert service.next().path == f"/{second.user}", (
            "only the invitation was sent, since the player has a page open"
        )
    again = service.next()
    assert again.path == f"/{first.user}", "the page was closed while it was their turn"
    with first.socket(table) as watching:
        watching.until("presence")
    bid(first, table, "3x1")
    assert service.next().path == f"/{second.user}", "no second notice of the same turn came in between"

    content = browsers[second.user].read(told)
    assert content == {"title": "Your turn", "body": TITLE, "path": f"/t/{table}", "tag": f"turn /t/{table}"}
    assert len(told.body) == len(again.body), "padded"
    claims = told.claims()
    assert (claims["aud"], claims["sub"]) == (service.url, CONTACT)
    assert server.clock.now() < claims["exp"] <= server.clock.now() + 86_400
    assert f"k={server.service.push.public_key}" in told.headers["authorization"]  # type: ignore[union-attr]
    assert (told.headers["content-encoding"], told.headers["urgency"]) == ("aes128gcm", "high")
    assert 0 < int(told.headers["ttl"]) <= 86_400
    assert len(told.headers["topic"]) == 32


def test_a_notice_of_a_turn_waits_at_the_push_service_until_the_deadline_only(
    server: Running, service: PushService
) -> None:
    clock = {"turn": 300, "bank": 0, "ready": 60}
    ann, bob, table = server.in_a_round(clock=clock)
    _, second = in_turn(ann, bob, table)
    Browser(service, "second").subscribe(second)
    bid(in_turn(ann, bob, table)[0], table, "1x1")
    assert 290 <= int(service.next().headers["ttl"]) <= 300


def test_an_unknown_subscription_is_deleted_and_others_are_retried(server: Running, service: PushService) -> None:
    ann, bob, table = server.in_a_round()
    first, second = in_turn(ann, bob, table)
    Browser(service, "old").subscribe(second)
    assert devices(second) == 1
    service.answers.put((503, {"Retry-After": "0"}))
    service.answers.put((429, {"Retry-After": "Wed, 21 Oct 2026 07:28:00 GMT"}))
    service.answers.put((410, {}))
    bid(first, table, "1x1")
    assert [service.next().path for _ in range(3)] == ["/old"] * 3
    eventually(lambda: server.service.notices.outcomes == {("push", "gone"): 1})
    assert devices(second) == 0
    assert b'liarspoker_notices_total{channel="push",outcome="gone"} 1.0' in server.service.metrics.text()


def test_a_delivery_is_given_up_when_the_turn_is_over(
    server: Running, service: PushService, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, bob, table = server.in_a_round()
    first, second = in_turn(ann, bob, table)
    Browser(service, "second").subscribe(second)
    monkeypatch.setattr(notices, "RETRY_SECONDS", (RETRY,))
    service.answers.put((500, {}))
    bid(first, table, "1x1")
    assert service.next().path == "/second"
    Browser(service, "first").subscribe(first)  # not earlier, since it was their turn before
    bid(second, table, "2x1")
    assert service.next().path == "/first"
    with server.person("Eve").socket(table) as watching:  # until the second attempt would have been made
        watching.until("presence")
        until = time.monotonic() + 1.1 * RETRY
        eventually(lambda: time.monotonic() > until)
    assert service.is_quiet


def test_a_redirect_is_not_followed(server: Running, service: PushService) -> None:
    ann, bob, table = server.in_a_round()
    first, second = in_turn(ann, bob, table)
    Browser(service, "here").subscribe(second)
    service.answers.put((307, {"Location": f"{service.url}/elsewhere"}))
    bid(first, table, "1x1")
    assert service.next().path == "/here"
    eventually(lambda: server.service.notices.outcomes["push", "refused"] == 1)
    assert service.is_quiet
    assert devices(second) == 1


def test_a_user_is_invited_once_and_only_if_they_want_that(server: Running, service: PushService) -> None:
    _, table = server.hosted(title=TITLE)
    bea, cat = server.person("Bea"), server.person("Cat")
    browsers = [Browser(service, name) for name in ("bea", "cat")]
    for browser, person in zip(browsers, (bea, cat), strict=True):
        browser.subscribe(person)
    assert bea.http.post("/settings/notices", data={"push-invitation": "off"}, follow_redirects=True).status_code == 200

    invite(server, table, bea, cat, cat)
    told = service.next()
    assert told.path == "/cat"
    assert browsers[1].read(told)["title"] == "Ann invites you"
    assert bea.http.post("/settings/notices", data={"push-invitation": "on"}, follow_redirects=True).status_code == 200
    invite(server, table, cat, bea)
    assert service.next().path == "/bea"
    assert service.is_quiet


def test_a_banned_user_gets_no_notices(server: Running, service: PushService) -> None:
    bob, bea = server.person("Bob"), server.person("Bea")
    _, table = server.hosted()
    for person, path in ((bob, "bob"), (bea, "bea")):
        Browser(service, path).subscribe(person)
    server.ban(bob)
    invite(server, table, bob, bea)
    assert service.next().path == "/bea"
    assert service.is_quiet


def test_a_subscription_ends_with_its_session(server: Running, service: PushService) -> None:
    ann, bob, table = server.in_a_round()
    first, second = in_turn(ann, bob, table)
    Browser(service, "second").subscribe(second)
    Browser(service, "first").subscribe(first)
    second.post("/api/logout")
    assert stored(server) == ["first"]
    account = {"login": "first", "passphrase": "a cold and frosty morning"}
    assert first.post("/api/account", account).status_code == 200
    assert stored(server) == [], "the session was replaced"


def test_users_see_and_remove_only_their_own_browsers(server: Running, service: PushService) -> None:
    ann, eve = server.person("Ann"), server.person("Eve")
    for number in range(MOST_DEVICES + 2):
        server.clock.ahead += 1
        Browser(service, str(number)).subscribe(ann)
    assert stored(server) == [str(number) for number in range(2, MOST_DEVICES + 2)], "the oldest were replaced"
    page = ann.http.get("/settings").text
    assert "Firefox on Linux" in page
    device = page.split('data-device="')[1][:32]
    assert eve.http.post(f"/settings/devices/{device}/remove").status_code == 404
    assert ann.http.post(f"/settings/devices/{device}/remove").status_code == 303
    assert stored(server) == [str(number) for number in range(2, MOST_DEVICES + 1)]
    assert server.person().post("/push/subscribe", Browser(service, "x").subscription).status_code == 401


def test_a_browser_belongs_to_the_user_who_subscribed_last(server: Running, service: PushService) -> None:
    ann, bea = server.person("Ann"), server.person("Bea")
    browser = Browser(service, "shared")
    browser.subscribe(ann)
    browser.subscribe(bea)
    assert (devices(ann), devices(bea)) == (0, 1)


def test_notices_to_one_user_are_limited(tmp_path: Path, service: PushService) -> None:
    changes: dict[str, Any] = {"push_contact": CONTACT, "push_private": True, "notify_after": 0.0}
    with running(tmp_path / "data", mount_pages, limits=Limits(notices=Limit(1, 0.001)), **changes) as server:
        ann, bob, table = server.in_a_round()
        first, second = in_turn(ann, bob, table)
        for action, reached in (("1x1", second), ("2x1", first)):
            # Only now, so that the notice of the first turn, which nobody gets, doesn't count.
            Browser(service, reached.user).subscribe(reached)
            bid(in_turn(ann, bob, table)[0], table, action)
            assert service.next().path == f"/{reached.user}"
        bid(in_turn(ann, bob, table)[0], table, "3x1")
        eventually(lambda: server.service.refusals()["notices"] == 1)
        assert service.is_quiet


def test_a_server_without_a_contact_sends_nothing(tmp_path: Path, service: PushService) -> None:
    with running(tmp_path / "data", mount_pages, push_private=True, notify_after=0.0) as server:
        ann = server.person("Ann")
        assert ann.post("/push/subscribe", Browser(service, "ann").subscription).status_code == 404
        assert "data-push" not in ann.http.get("/settings").text


PRIVATE = (
    "http://push.example.org/a",
    "https://localhost/a",
    "https://127.0.0.1/a",
    "https://127.1/a",
    "https://2130706433/a",
    "https://0x7f000001/a",
    "https://[::1]/a",
    "https://[::ffff:10.0.0.1]/a",
    "https://[64:ff9b::a00:1]/a",
    "https://10.0.0.1/a",
    "https://169.254.169.254/latest",
    "https://push.example.org:8443/a",
    "https://user@push.example.org/a",
    "https://push.example.org/a#b",
    "https://push.example.org/a b",
    "https://push.example.org/a\r\nX: y",
    "https://[/a",
    "https://push.example.org/" + "a" * 1000,
    "ftp://push.example.org/a",
    "",
)


@pytest.mark.parametrize("endpoint", PRIVATE)
def test_endpoints_elsewhere_than_at_public_https_addresses_are_rejected(endpoint: str) -> None:
    with pytest.raises(BadSubscription):
        check_endpoint(endpoint)


@pytest.mark.parametrize(
    "endpoint",
    [
        "https://fcm.googleapis.com/fcm/send/abc:def-ghi_jkl",
        "https://updates.push.services.mozilla.com/wpush/v2/gAAAA",
        "https://web.push.apple.com/QGuQyavXut",
        "https://wns2-par02p.notify.windows.com/w/?token=BQYAAAB%2b",
        "https://[2606:4700::1111]/a",
    ],
)
def test_endpoints_of_push_services_are_accepted(endpoint: str) -> None:
    check_endpoint(endpoint)


async def test_nothing_is_sent_to_a_name_of_a_private_address(
    storage: Storage, service: PushService, monkeypatch: pytest.MonkeyPatch
) -> None:
    local = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", 443))]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *args, **named: local)
    channel = push.WebPush(storage, bytes(32), CONTACT, private=False, now=time.time)
    keys = Browser(service, "ann").subscription["keys"]
    made = queries.Subscription("id", "https://push.example.org/a", keys["p256dh"], keys["auth"], "Firefox", 0.0)
    with pytest.raises(notices.TryAgain) as refused:
        await channel.deliver(made, notices.Notice("ann", "turn", "T", 1, "slips", TITLE))
    assert "no public address" in repr(refused.value.__cause__)
    await channel.close()


@pytest.mark.parametrize(("p256dh", "auth"), [("", ""), ("A" * 87, "A" * 22), ("BA" + "A" * 85, "A" * 22), ("é", "A")])
def test_malformed_keys_are_rejected(p256dh: str, auth: str) -> None:
    with pytest.raises(BadSubscription):
        check_keys(p256dh, auth)


async def test_each_version_of_a_notice_is_claimed_once_by_all_servers(url: str, storage: Storage) -> None:
    async with await Storage.open(url, SEALER) as other:

        async def claimed(where: Storage, version: int, now: float, kind: str = "turn") -> bool:
            given = {"user_id": "ann", "table_id": "T", "kind": kind, "version": version, "now": now}
            return await where.write(partial(queries.claim, **given))  # type: ignore[arg-type]

        assert await claimed(storage, 3, 1.0)
        assert not await claimed(other, 3, 2.0)
        assert await claimed(storage, 3, 1.0), "the same claim, repeated after a commit with unknown outcome"
        assert not await claimed(other, 2, 3.0)
        assert await claimed(other, 4, 4.0)
        assert await claimed(other, 3, 5.0, "invitation")


def test_a_notice_is_in_the_language_of_the_subscription() -> None:
    turn = notices.Notice("ann", "turn", "T", 1, "dollar-bill", "")
    invited = notices.Notice("ann", "invitation", "T", 1, "slips", "Friday", by="Bob")
    shown = [json.loads(push.payload_of(one, code)) for one in (turn, invited) for code in ("en", "de")]
    with speaking("de"):
        assert shown[1]["title"] == _("Your turn") != shown[0]["title"] == "Your turn"
        assert shown[1]["body"] == _("Dollar-bill Liar's Poker")
        assert shown[3]["title"] == _("{name} invites you", name="Bob")
    assert [one["body"] for one in shown[2:]] == ["Friday", "Friday"]
