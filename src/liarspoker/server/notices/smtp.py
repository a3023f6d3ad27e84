"""The mail server that sends e-mail for this server, by SMTP (RFC 5321)."""

from __future__ import annotations

import smtplib
import ssl
from email.message import EmailMessage
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

SEND_SECONDS = 30.0
"""The time limit of each step of a delivery."""
PORTS = {"smtps": 465, "smtp": 587, "smtp+plain": 25}
"""Schemes with their default ports: TLS from the start, STARTTLS, and no encryption."""


class MailServer(NamedTuple):
    """A mail server.

    Attributes:
        scheme: one of `PORTS`.
        host: its name or address.
        port: its port.
        user: the user name; empty for no authentication.
        password: the password.
    """

    scheme: str
    host: str
    port: int
    user: str
    password: str


def mail_server(text: str) -> MailServer:
    """Parse the URL of a mail server; user name and password are percent-encoded.

    Raises:
        ValueError: it isn't one, or would send a password without encryption.

    >>> mail_server("smtps://ann%40example.org:secret@mail.example.org")
    MailServer(scheme='smtps', host='mail.example.org', port=465, user='ann@example.org', password='secret')
    """
    parts = urlsplit(text)
    if parts.scheme not in PORTS or not parts.hostname or parts.path.strip("/") or parts.query or parts.fragment:
        raise ValueError("not the URL of a mail server")
    if parts.username and parts.scheme == "smtp+plain":
        raise ValueError("a password needs encryption")
    user, password = unquote(parts.username or ""), unquote(parts.password or "")
    return MailServer(parts.scheme, parts.hostname, parts.port or PORTS[parts.scheme], user, password)


def send(server: MailServer, message: EmailMessage) -> None:
    """Send a message. This blocks.

    Raises:
        smtplib.SMTPRecipientsRefused: the recipient was rejected, for good if the status is 500 or more.
        OSError: it wasn't sent for another reason; `smtplib.SMTPException` is a subclass.
    """
    context = ssl.create_default_context()
    if server.scheme == "smtps":
        connection: smtplib.SMTP = smtplib.SMTP_SSL(server.host, server.port, timeout=SEND_SECONDS, context=context)
    else:
        connection = smtplib.SMTP(server.host, server.port, timeout=SEND_SECONDS)
    with connection:
        if server.scheme == "smtp":
            connection.starttls(context=context)
        if server.user:
            connection.login(server.user, server.password)
        connection.send_message(message)
