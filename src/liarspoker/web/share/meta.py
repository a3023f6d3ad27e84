"""The metadata with which a page describes itself to sites that show link previews (Open Graph and Twitter cards)."""

from __future__ import annotations

from dataclasses import dataclass
from zlib import crc32

from starlette.requests import HTTPConnection

from liarspoker.language import _, language
from liarspoker.server.tables.actor import TableActor
from liarspoker.tables.view import may_watch
from liarspoker.web.invitation import link_to
from liarspoker.web.share.cards import ShareCard, closed_card, table_card

IMAGE_LANGUAGE = "lang"
"""Query parameter with the language of a share image; without it, the image is in English."""


@dataclass(frozen=True, slots=True)
class SharedPage:
    """A page as link previews show it: its URL, title and description, and the URL of its image."""

    url: str
    title: str
    description: str
    image: str


def card_of(actor: TableActor) -> ShareCard:
    """Return the card of a table as a stranger may see it."""
    return table_card(actor.state_for(None).message.public) if may_watch(actor.table, None) else closed_card()


def shared_table(connection: HTTPConnection, actor: TableActor) -> SharedPage:
    """Return a table's page as link previews show it. The URL of the image changes with its content."""
    card, url = card_of(actor), link_to(connection, actor.table.id)
    version = crc32(repr(card).encode())
    image = f"{url}/card.png?v={version:08x}{_in_language('&')}"
    return SharedPage(url, _titled(card.title), card.description, image)


def shared_round(connection: HTTPConnection, table_id: str, number: int, title: str) -> SharedPage:
    """Return the page of a finished round of a table that strangers may watch, as link previews show it."""
    url = f"{link_to(connection, table_id)}/replay/{number}"
    text = _("Step through the bids, see the count.")
    return SharedPage(url, _titled(title), text, f"{url}/card.png{_in_language('?')}")


def _titled(title: str) -> str:
    return f"{title} · {_('Liar’s Poker')}"


def _in_language(before: str) -> str:
    """Return the query of an image in the current language, after `before`; empty in English.

    Sites fetch a page and its image with different headers.
    """
    return "" if language() == "en" else f"{before}{IMAGE_LANGUAGE}={language()}"
