"""E-mail to users whose turn it is in correspondence play, if they have had no page open since.

Mail isn't sent for every turn at once: a message lists all tables that wait for the user, and covers all turns that
have begun until then, so each turn leads to one message at most. The database records that time before a message is
sent, so that only one of several servers sends it. A message contains nothing about a hand.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import logging
import re
import smtplib
from collections.abc import Callable, Sequence
from email.message import EmailMessage
from email.utils import formatdate, make_msgid
from functools import partial
from typing import Literal, TypeAlias
from urllib.parse import urlencode

from liarspoker.core import catalogue
from liarspoker.core.errors import LiarsPokerError
from liarspoker.language import _, language, ngettext, speaking
from liarspoker.server.config import Limiter, MailConfig, check
from liarspoker.server.notices.smtp import MailServer, mail_server, send
from liarspoker.server.storage import mail as queries
from liarspoker.server.storage.errors import StorageError
from liarspoker.server.storage.log import Listed
from liarspoker.server.storage.mail import Due, Mailbox
from liarspoker.server.storage.storage import Storage

log = logging.getLogger(__name__)

POLL_SECONDS = 30.0
"""Interval at which the server looks for users to send mail to."""
FAILURE_SECONDS = 300.0
"""Pause after the mail server couldn't be used."""
USERS_AT_ONCE = 50
LISTED = 20
"""The maximum number of tables in a message."""
CONFIRM_SECONDS = 86_400.0
"""How long the link that confirms an address is valid."""

Outcome: TypeAlias = Literal["done", "postponed", "unreachable"]
"""The outcome of sending a message: `done` if it was sent or refused for good, `postponed` if only its recipient was
refused for now, `unreachable` if the mail server couldn't be used."""

_ADDRESS = re.compile(r"[A-Za-z0-9._%+'-]{1,64}@(?:[A-Za-z0-9-]{1,63}\.)+[A-Za-z]{2,63}")


class BadAddress(LiarsPokerError):
    """An e-mail address isn't valid."""

    code = "bad-address"


class BadLink(LiarsPokerError):
    """A link from an e-mail isn't valid, or not any more."""

    code = "bad-link"


class Mail:
    """Sends e-mail.

    Args:
        storage: the database.
        config: the configuration.
        secret: 32 secret bytes that sign links.
        now: returns the time in seconds since 1970.
        present: returns the ids of the users who have a page open on this server.
        limiter: limits messages that confirm an address, per user and per address; `None` for no limit.
    """

    def __init__(
        self,
        storage: Storage,
        config: MailConfig,
        secret: bytes,
        now: Callable[[], float],
        present: Callable[[], set[str]],
        limiter: Limiter | None,
    ) -> None:
        self._storage = storage
        self._config = config
        self._server: MailServer = mail_server(config.server)
        self._secret = secret
        self._now = now
        self._present = present
        self.limiter = limiter

    async def run(self) -> None:
        """Send mail, until cancelled."""
        while True:
            sent = await self.poll()
            await asyncio.sleep(POLL_SECONDS if sent else FAILURE_SECONDS)

    async def poll(self) -> bool:
        """Send the mail that is due now; return false if some of it has to be sent again later."""
        now, complete = self._now(), True
        try:
            present = sorted(self._present())
            if present:
                await self._storage.write(partial(queries.seen, user_ids=present, now=now))
            before = now - self._config.after
            for due in await self._storage.read(partial(queries.due, before=before, now=now, limit=USERS_AT_ONCE)):
                outcome = await self._send_turns(due, now)
                if outcome == "unreachable":
                    return False
                complete = complete and outcome == "done"
        except StorageError as error:
            log.warning("mail not sent", extra={"code": error.code})
        return complete

    async def _send_turns(self, due: Due, now: float) -> Outcome:
        """Send a user a list of the tables that wait for them."""
        if not await self._storage.write(partial(queries.claim, due=due, now=now)):
            return "done"
        tables = await self._storage.listings(awaits=due.user_id, limit=LISTED + 1)
        if not tables:
            return "done"
        stop = self._link("/mail/stop", user=due.user_id, sign=self._sign("stop", due.user_id, due.address))
        tables.sort(key=lambda one: one.listing.due or now)
        with speaking(due.language):
            message = self._message(due.address, *turns_text(tables, self._config.site, stop, now))
        message["List-Unsubscribe"] = f"<{stop}>"
        message["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
        outcome = await self._send(message, due.user_id)
        if outcome != "done":
            await self._storage.write(partial(queries.give_back, due=due, now=now))
        return outcome

    async def _send(self, message: EmailMessage, user: str) -> Outcome:
        """Send a message."""
        try:
            await asyncio.to_thread(send, self._server, message)
        except smtplib.SMTPRecipientsRefused as error:
            final = all(code >= 500 for code, _ in error.recipients.values())
            log.warning("mail refused", extra={"code": "refused" if final else "postponed", "user": user})
            return "done" if final else "postponed"
        except OSError as error:
            log.warning("mail server failed", extra={"error": type(error).__name__, "user": user})
            return "unreachable"
        log.info("mail sent", extra={"user": user})
        return "done"

    async def mailbox(self, user: str) -> Mailbox | None:
        """Return the address of a user; `None` if the user has none."""
        return await self._storage.read(partial(queries.mailbox, user_id=user))

    async def set_address(self, user: str, address: str) -> None:
        """Store a user's address, and send it the link that confirms it.

        Raises:
            BadAddress: it isn't an address, or no mail can be sent to it now.
            Problem: `too-many`.
        """
        address = address.strip()
        if not _ADDRESS.fullmatch(address) or len(address) > 254:
            raise BadAddress(_("this isn't an e-mail address; write one such as ann@example.org"))
        for key in (user, address.casefold()):
            check(self.limiter, key, "messages to confirm an address")
        await self._storage.write(partial(queries.set_address, user_id=user, address=address, language=language()))
        until = str(int(self._now() + CONFIRM_SECONDS))
        link = self._link("/mail/confirm", user=user, until=until, sign=self._sign("confirm", user, address, until))
        text = _(
            "Somebody, probably you, wants to get mail from {site} when it is their turn in a\n"
            "correspondence game. Confirm this address within a day:\n\n{link}\n\n"
            "If it wasn't you, ignore this message: nothing more will be sent.\n",
            site=self._config.site,
            link=link,
        )
        if await self._send(self._message(address, _("Confirm your e-mail address"), text), user) != "done":
            raise BadAddress(_("the message couldn't be sent; try again later"))

    async def remove(self, user: str) -> None:
        """Delete a user's address."""
        await self._storage.write(partial(queries.remove, user_id=user))

    async def check_link(self, purpose: str, user: str, sign: str, until: str = "") -> str:
        """Return the address that a link from an e-mail belongs to.

        Args:
            purpose: `confirm` or `stop`.
            user: the user in the link.
            sign: the signature in the link.
            until: when the link expires, as in the link.

        Raises:
            BadLink: the link isn't valid, or not any more.
        """
        found = await self.mailbox(user)
        signed = (purpose, user, found.address, until) if found and until else (purpose, user, found and found.address)
        expired = purpose == "confirm" and not (until.isdigit() and int(until) > self._now())
        if found is None or expired or not hmac.compare_digest(self._sign(*map(str, signed)), sign):
            raise BadLink(_("this link isn't valid any more; check the address under Correspondence play"))
        return found.address

    async def confirm(self, user: str, sign: str, until: str) -> None:
        """Confirm an address by the link that was sent to it.

        Raises:
            BadLink: the link isn't valid, or not any more.
        """
        address = await self.check_link("confirm", user, sign, until)
        await self._storage.write(partial(queries.confirm, user_id=user, address=address, now=self._now()))

    async def stop(self, user: str, sign: str) -> None:
        """Delete an address by the link in every message to it.

        Raises:
            BadLink: the link isn't valid, or not any more.
        """
        await self.check_link("stop", user, sign)
        await self.remove(user)

    def _sign(self, *parts: str) -> str:
        return hmac.new(self._secret, "\0".join(parts).encode(errors="surrogatepass"), hashlib.sha256).hexdigest()[:32]

    def _link(self, path: str, **fields: str) -> str:
        return f"{self._config.site}{path}?{urlencode(fields)}"

    def _message(self, address: str, subject: str, text: str) -> EmailMessage:
        message = EmailMessage()
        message["From"], message["To"], message["Subject"] = self._config.sender, address, subject
        message["Date"] = formatdate(self._now())
        message["Message-ID"] = make_msgid(domain=self._config.sender.rpartition("@")[2])
        message["Auto-Submitted"] = "auto-generated"
        message.set_content(text)
        return message


def turns_text(tables: Sequence[Listed], site: str, stop: str, now: float) -> tuple[str, str]:
    """Return the subject and the text of a message about the tables that wait for a user.

    Args:
        tables: the tables, the one with the least time left first.
        site: the URL of the site.
        stop: the link that ends these messages.
        now: the time in seconds.
    """
    lines = []
    for table_id, listing in tables[:LISTED]:
        title = listing.title or _(catalogue.preset(listing.game).title)
        hours = 0 if listing.due is None else max(0, int((listing.due - now) // 3600))
        days = hours // 24
        left = (
            ngettext("{count} day left", "{count} days left", days)
            if hours >= 48
            else ngettext("{count} hour left", "{count} hours left", hours)
        )
        lines.append(f"{title}, {left}\n{site}/t/{table_id}\n")
    if len(tables) > LISTED:
        lines.append(_("and more: {link}", link=f"{site}/") + "\n")
    subject = _("Your turn") if len(tables) == 1 else _("Your turn in several games")
    listed = "\n".join(lines)
    text = _(
        "It is your turn:\n\n{tables}\nSettings: {settings}\nNo more messages like this: {stop}\n",
        tables=listed,
        settings=f"{site}/correspondence",
        stop=stop,
    )
    return subject, text
