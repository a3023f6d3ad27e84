"""The metadata with which a page describes itself to sites that show link previews (Open Graph and Twitter cards)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from zlib import crc32

from starlette.requests import HTTPConnection

from liarspoker.language import _, language
from liarspoker.puzzles import of_the_day
from liarspoker.server.tables.actor import TableActor
from liarspoker.tables.view import may_watch
from liarspoker.web.invitation import address_here, link_to
from liarspoker.web.share.cards import ShareCard, closed_card, puzzle_card, table_card

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


def shared_round(connection: HTTPConnection, table_id: str, number: int, title: str, ply: int | None) -> SharedPage:
    """Return the page of a finished round of a table that strangers may watch, as link previews show it.

    Args:
        connection: the request.
        table_id: the id of the table.
        number: the round's number, from 1.
        title: the title of the page.
        ply: the moment that is shown; `None` for the whole round.
    """
    url, at = f"{link_to(connection, table_id)}/replay/{number}", "" if ply is None else f"?ply={ply}"
    text = _("Step through the bids, see the count.")
    return SharedPage(f"{url}{at}", _titled(title), text, f"{url}/card.png{at}{_in_language('&' if at else '?')}")


def shared_puzzle(connection: HTTPConnection, day: date) -> SharedPage:
    """Return the page of the puzzle of the day as link previews show it. The URL of the image changes every day."""
    url, card = f"{address_here(connection)}/trainer/today", puzzle_card(of_the_day(day))
    image = f"{address_here(connection)}/trainer/today/card.png?day={day.toordinal()}{_in_language('&')}"
    return SharedPage(url, _titled(_("Puzzle of the day")), card.description, image)


def _titled(title: str) -> str:
    return f"{title} · {_('Liar’s Poker')}"


def _in_language(before: str) -> str:
    """Return the query of an image in the current language, after `before`; empty in English.

    Sites fetch a page and its image with different headers.
    """
    return "" if language() == "en" else f"{before}{IMAGE_LANGUAGE}={language()}"
