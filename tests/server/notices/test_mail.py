"""E-mail about turns in correspondence play, received by a real mail server."""

from __future__ import annotations

import asyncio
import re
import socket
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest
from aiosmtpd.controller import Controller

from liarspoker.server.config import Limit, MailConfig, no_limits
from liarspoker.server.notices import mail
from liarspoker.server.notices.smtp import mail_server
from liarspoker.web.app import mount_pages
from tests.server.inprocess import Person, Running, running
from tests.web.pages.reading import Reader
from tests.web.study.played_tables import act, begun, to_act

SITE = "https://poker.example.org"
AFTER = 600.0


@dataclass
class PostOffice:
    """A mail server that keeps what it receives, or answers with `answer` if the recipient is one of `refused`."""

    mail: list[EmailMessage] = field(default_factory=list)
    answer: str = ""
    refused: str = ""
    port: int = 0

    async def handle_RCPT(  # noqa: N802  # aiosmtpd looks for this name
        self, server: Any, session: Any, envelope: Any, address: str, options: list[str]
    ) -> str:
        if self.answer and self.refused in address:
            return self.answer
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:  # noqa: N802  # likewise
        message = message_from_bytes(envelope.content, policy=policy.default)
        assert isinstance(message, EmailMessage)
        self.mail.append(message)
        return "250 OK"

    def text(self, index: int = -1) -> str:
        """Return the text of a received message."""
        return str(self.mail[index].get_content()).replace("\r\n", "\n")


@pytest.fixture
def office() -> Iterator[PostOffice]:
    office = PostOffice()
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        office.port = free.getsockname()[1]
    controller = Controller(office, hostname="127.0.0.1", port=office.port)
    controller.start()
    yield office
    controller.stop()


@pytest.fixture
def server(office: PostOffice, tmp_path: Path) -> Iterator[Running]:
    """A server that sends mail only when a test lets it look for users."""
    url = f"smtp+plain://127.0.0.1:{office.port}"
    config = MailConfig(url, "poker@example.org", SITE, AFTER)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(mail, "POLL_SECONDS", 3600.0)
        with running(tmp_path, mount_pages, mail=config) as server:
            yield server


def poll(server: Running) -> bool:
    """Let the server send the mail that is due; return false if the mail server failed."""
    assert server.service.mail is not None
    return asyncio.run_coroutine_threadsafe(server.service.mail.poll(), server.loop).result(20)


def path_in(text: str, path: str) -> str:
    """Return the path and query of a link of this site in a text."""
    found = re.search(rf"{re.escape(SITE)}({path}\S*)", text)
    assert found is not None, text
    return found[1]


def with_mail(person: Person, office: PostOffice, address: str) -> Reader:
    """Give a person a confirmed address."""
    reader = Reader(person).read("/correspondence")
    reader.send("Send me a link", email=address)
    assert "not confirmed" in reader.page.text
    Reader(person.server.person()).read(path_in(office.text(), "/mail/confirm")).send("Confirm")
    assert "not confirmed" not in reader.read("/correspondence").page.text
    return reader


def test_one_message_lists_all_games_that_wait_and_a_turn_is_mailed_once(server: Running, office: PostOffice) -> None:
    table, people = begun(server, days=3, title="Friday")
    other, _ = begun(server, days=3)
    mover = to_act(table, people)
    with_mail(mover, office, "ann@example.org")
    act(table, people, "1x4", "1x5")  # a turn that begins after the confirmation
    assert to_act(table, people) is mover
    poll(server)
    assert len(office.mail) == 1, "not before the delay"
    server.clock.ahead += AFTER + 1
    poll(server)
    poll(server)
    assert len(office.mail) == 2
    message, text = office.mail[-1], office.text()
    assert (message["To"], message["From"], message["Subject"]) == ("ann@example.org", "poker@example.org", "Your turn")
    assert f"{SITE}/t/{table}" in text
    assert "Friday" in text
    assert other not in text
    number = mover.view(table)["you"]["hand"]["number"]
    assert number not in message.as_string(), "a message reveals nothing about a hand"
    assert message["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    more = [begun_with(server, mover, days=1), begun_with(server, mover, days=7)]
    server.clock.ahead += AFTER + 1
    poll(server)
    assert len(office.mail) == 3
    assert office.mail[-1]["Subject"] == "Your turn in several games"
    assert [office.text().index(one) for one in (more[0], table, more[1])] == sorted(
        office.text().index(one) for one in (more[0], table, more[1])
    ), "the least time left comes first"


def begun_with(server: Running, mover: Person, **settings: Any) -> str:
    """Make a table where it is the turn of `mover`; return its id."""
    other = server.person("Zoe")
    table = server.table(mover, other, game="dollar-bill", seats=2, **settings)
    assert mover.ask(table, do="start")["ok"]
    assert other.ask(table, do="ready")["ok"]
    if to_act(table, [mover, other]) is other:
        act(table, [mover, other], "1x4")
    return table


def test_a_user_with_a_page_open_gets_no_mail(server: Running, office: PostOffice) -> None:
    ann = server.person("Ann")
    with_mail(ann, office, "ann@example.org")
    table = begun_with(server, ann, days=3)
    with ann.socket(table) as seen:
        seen.until("state")
        poll(server)
    server.clock.ahead += AFTER + 1
    poll(server)
    assert len(office.mail) == 1


def test_a_user_on_vacation_gets_mail_afterwards(server: Running, office: PostOffice) -> None:
    ann = server.person("Ann")
    reader = with_mail(ann, office, "ann@example.org")
    begun_with(server, ann, days=3)
    reader.send("Start vacation", days="2")
    server.clock.ahead += AFTER + 1
    poll(server)
    assert len(office.mail) == 1
    reader.read("/correspondence").send("End vacation now")
    server.clock.ahead += 1
    poll(server)
    assert len(office.mail) == 2


@pytest.mark.parametrize(("answer", "again"), [("451 try later", True), ("550 no such user", False)])
def test_a_message_that_could_not_be_sent_is_repeated(
    server: Running, office: PostOffice, answer: str, again: bool
) -> None:
    ann = server.person("Ann")
    with_mail(ann, office, "ann@example.org")
    begun_with(server, ann, days=3)
    server.clock.ahead += AFTER + 1
    office.answer = answer
    assert poll(server) is not again
    office.answer = ""
    assert poll(server)
    assert len(office.mail) == (2 if again else 1)


def test_a_postponed_message_does_not_delay_those_of_other_users(server: Running, office: PostOffice) -> None:
    ann, bea = server.person("Ann"), server.person("Bea")
    for person, address in ((ann, "ann@example.org"), (bea, "bea@example.org")):
        with_mail(person, office, address)
        begun_with(server, person, days=3)
    server.clock.ahead += AFTER + 1
    office.answer, office.refused = "451 try later", "ann@example.org"
    assert not poll(server)
    assert [one["To"] for one in office.mail[2:]] == ["bea@example.org"]
    office.answer = ""
    assert poll(server)
    assert [one["To"] for one in office.mail[2:]] == ["bea@example.org", "ann@example.org"]


BAD_PARTS = ("until=%C2%B2", "sign=%C3%A9", "user=%00", "until=" + "9" * 101)


@pytest.mark.parametrize("bad", BAD_PARTS)
def test_a_malformed_link_is_invalid(server: Running, office: PostOffice, bad: str) -> None:
    ann = server.person("Ann")
    with_mail(ann, office, "ann@example.org")
    for path in ("confirm", "stop"):
        for method in ("GET", "POST"):
            link = f"/mail/{path}?user={ann.user}&until=1&sign=0&{bad}"
            assert ann.http.request(method, link).status_code in (404, 422), (method, link)


def test_an_address_is_used_only_after_its_owner_confirmed_it(server: Running, office: PostOffice) -> None:
    ann = server.person("Ann")
    reader = Reader(ann).read("/correspondence")
    for wrong in ("ann", "ann@example", "a b@example.org", "ann@example.org\nBcc: bea@example.org"):
        reader.send("Send me a link", email=wrong)
        assert (reader.status, bool(reader.mistake("email"))) == (422, True)
    reader.send("Send me a link", email="ann@example.org")
    link = path_in(office.text(), "/mail/confirm")
    begun_with(server, ann, days=3)
    server.clock.ahead += AFTER + 1
    poll(server)
    assert len(office.mail) == 1
    stranger = Reader(server.person())
    assert stranger.read(link[:-1] + ("0" if link[-1] != "0" else "1")).status == 404
    stranger.read(link)
    assert "not confirmed" in reader.read("/correspondence").page.text, "looking at the link confirms nothing"
    server.clock.ahead += mail.CONFIRM_SECONDS
    assert stranger.read(link).status == 404, "a link expires"


def test_a_changed_address_is_confirmed_again_and_a_banned_user_gets_no_mail(
    server: Running, office: PostOffice
) -> None:
    ann, bea = server.person("Ann"), server.person("Bea")
    for person, address in ((ann, "ann@example.org"), (bea, "bea@example.org")):
        with_mail(person, office, address)
        begun_with(server, person, days=3)
    assert ann.http.post("/correspondence/mail", data={"email": "zoe@example.org"}).status_code == 303
    assert "not confirmed" in ann.http.get("/correspondence").text
    server.ban(bea)
    server.clock.ahead += AFTER + 1
    assert poll(server)
    assert [one["To"] for one in office.mail[2:]] == ["zoe@example.org"], "only the link that confirms the address"


def test_mail_ends_with_one_click_and_without_a_login(server: Running, office: PostOffice) -> None:
    ann = server.person("Ann")
    reader = with_mail(ann, office, "ann@example.org")
    begun_with(server, ann, days=3)
    server.clock.ahead += AFTER + 1
    poll(server)
    link = path_in(office.mail[-1]["List-Unsubscribe"].strip("<>"), "/mail/stop")
    assert path_in(office.text(), "/mail/stop") == link
    stranger = server.person()
    assert stranger.http.post(link.replace("sign=", "sign=0")).status_code == 404
    assert Reader(stranger).read(link).status == 200
    assert "ann@example.org" in reader.read("/correspondence").page.text
    assert stranger.http.post(link, data={"List-Unsubscribe": "One-Click"}).status_code == 200
    assert "ann@example.org" not in reader.read("/correspondence").page.text


def test_strangers_are_not_flooded(office: PostOffice, tmp_path: Path) -> None:
    url = f"smtp+plain://127.0.0.1:{office.port}"
    limits = replace(no_limits(), confirmations=Limit(2, 0.0001))
    with running(tmp_path, mount_pages, mail=MailConfig(url, "poker@example.org", SITE), limits=limits) as server:
        statuses = []
        for name in ("Ann", "Bea", "Cyd"):
            reader = Reader(server.person(name)).read("/correspondence")
            statuses.append(reader.send("Send me a link", email="zoe@example.org").status)
    assert statuses == [200, 200, 429]
    assert len(office.mail) == 2


def test_a_server_without_a_mail_server_offers_no_mail(tmp_path: Path) -> None:
    with running(tmp_path, mount_pages) as server:
        reader = Reader(server.person("Ann")).read("/correspondence")
        assert "E-mail" not in reader.page.text
        assert reader.post("/correspondence/mail", email="ann@example.org").status == 404


@pytest.mark.parametrize(
    "wrong",
    ["mail.example.org", "http://mail.example.org", "smtp+plain://ann:secret@localhost", "smtp://", "smtp://h/x"],
)
def test_only_urls_of_mail_servers_are_accepted(wrong: str) -> None:
    with pytest.raises(ValueError, match=r"mail server|encryption"):
        mail_server(wrong)
