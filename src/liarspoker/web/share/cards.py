"""What share images show: only what a stranger with the link may see, even if a player asks for the image."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from liarspoker.core import catalogue
from liarspoker.games.digits.auction import DECIDE
from liarspoker.games.digits.ladder import level_of
from liarspoker.games.digits.record_text import action_in_words
from liarspoker.language import N_, _, ngettext, pgettext
from liarspoker.protocol.views import PublicView
from liarspoker.puzzles import Puzzle
from liarspoker.records import replay
from liarspoker.records.words import YOU, capital, digit_name, name_shown
from liarspoker.web.view_models.replay import LAST, view_model
from liarspoker.web.view_models.result import Result, result_of
from liarspoker.web.view_models.round_replay import SPECTATOR, Player
from liarspoker.web.view_models.terms import badge, changes_of, rounds_words, title_of_round, title_words
from liarspoker.web.words import signed, suited, typeset

MOST_LINES = 6
"""The number of players on an image; further ones are counted."""

DRAWN = re.compile(r"[ -~\xa0-\u017f\u0386-\u03ce\u0400-\u045f\u1e00-\u1ef9\u2010-\u2026€№−▲▼■♠♣♥♦]*")
"""Texts that the fonts of the images can draw."""


@dataclass(frozen=True, slots=True)
class ShareCard:
    """The content of a share image.

    Attributes:
        over: a short line above the title.
        title: the title.
        under: a line below the title.
        heading: heading of the lines.
        lines: players or cards on the left, with figures on the right; the right text may be empty.
        foot: a line at the bottom; may be empty.
    """

    over: str
    title: str
    under: str
    heading: str = ""
    lines: tuple[tuple[str, str], ...] = ()
    foot: str = ""

    @property
    def description(self) -> str:
        """The card as one line of text."""
        shown = ", ".join(f"{left} {right}".strip() for left, right in self.lines)
        return ". ".join(filter(None, (self.under, f"{self.heading}: {shown}" if shown else "", self.foot)))


def site_card() -> ShareCard:
    """Return the card of the site."""
    return ShareCard(_("LIAR’S POKER"), _("Liar’s Poker"), _("Bluff with the digits of banknotes, or with cards"))


def closed_card() -> ShareCard:
    """Return the card of a table that only its players may see."""
    return ShareCard(_("LIAR’S POKER"), _("You are invited"), _("A private table: open the link to join"))


def table_card(public: PublicView) -> ShareCard:
    """Return the card of a table, given the public view of a stranger: an invitation, or the result."""
    result = result_of(public, None)
    title = _title(public)
    if result is not None:
        return _result_card(public, result, title)
    if public.stage == "ended":
        return ShareCard(_over(public), title, _("This table is closed"))
    seated = [(_name(chair.name), "") for chair in public.chairs if chair is not None]
    lines = _listed([*seated, *((_name(kept.name), pgettext("a seat", "reserved")) for kept in public.reserved)])
    seats = len(public.chairs) - len(seated) - len(public.reserved)
    free = ngettext("{count} free seat", "{count} free seats", seats) if seats else _("All seats taken")
    if public.stage != "waiting":
        number = public.rounds_played + 1
        under = (
            _("Round {number} is being played", number=number)
            if catalogue.preset(public.settings.game).has_winner
            else _("Hand {number} is being played", number=number)
        )
        return ShareCard(_over(public), title, under, _("At the table"), lines)
    changes = changes_of(public.settings.game, public.settings.options)
    rules = ", ".join(f"{one.label} {one.now}" for one in changes)
    foot = _("House rules: {rules}", rules=rules) if changes else _("Standard rules")
    return ShareCard(_over(public), title, free, pgettext("players", "Waiting"), lines, foot)


def _result_card(public: PublicView, result: Result, title: str) -> ShareCard:
    won = [(_name(line.name), signed(line.units)) for line in result.standings]
    first, game = result.standings[0].name, catalogue.preset(public.settings.game)
    said = result.title if _is_drawn(result.title) else result.title.replace(first, _name(first))
    bluff = next((one for one in result.highlights if one.round and one.title == _("Best bluff")), None)
    return ShareCard(
        over=_over(public),
        title=said if _is_drawn(said) else _("Result"),
        under=_("{title}, {rounds}", title=title, rounds=rounds_words(game, public.rounds_played)),
        heading=_("Final score"),
        lines=_listed(won),
        foot="" if bluff is None else _("Best bluff by {name}: {bid}", name=_name(bluff.name), bid=bluff.words),
    )


def round_card(document: Mapping[str, Any], index: int, number: int, title: str, ply: int = LAST) -> ShareCard:
    """Return the card of a finished round, or of a moment in it.

    Args:
        document: the record with the round, as a spectator may know it.
        index: the round's index in the record.
        number: its number, from 1.
        title: the title of the table.
        ply: the number of actions so far; by default all of them.
    """
    shown = view_model(replay(document), index, number, number, ply, view=SPECTATOR, odds=False)
    at = shown.position
    level = "" if at.numeral is None else f"{at.numeral} "
    named = title_words(title if _is_drawn(title) else "", shown.game.id)
    return ShareCard(
        over=f"{_('LIAR’S POKER')}  ·  {badge(shown.game.id)}",
        title=_cut(capital(f"{level}{at.words}")),
        under=_drawable(at.over),
        heading=title_of_round(named, shown.game, number),
        lines=_listed([_holding(player) for player in at.players]),
        foot=_drawable(typeset(at.outcome[0] if at.outcome else at.said)),
    )


def puzzle_card(puzzle: Puzzle) -> ShareCard:
    """Return the card of a puzzle, without its answer."""
    session = puzzle.session()
    hand = session.round
    assert hand is not None
    level, names = level_of(hand.auction.claim, hand.rules), puzzle.names
    bids = [(name_shown(YOU if seat == puzzle.seat else names[seat]), action) for seat, action in hand.moves]
    return ShareCard(
        over=f"{_('LIAR’S POKER')}  ·  {badge(puzzle.game)}",
        title=f"{level} {digit_name(puzzle.digit, level, hand.rules)}",
        under=_(
            N_("You hold {hand}. Count or rebid?")
            if hand.auction.phase == DECIDE
            else N_("You hold {hand}. Bid or challenge?"),
            hand=puzzle.hand,
        ),
        heading=_("The bidding"),
        lines=_listed([(name, action_in_words(action, hand.rules)) for name, action in bids[-MOST_LINES:]]),
        foot=_("Puzzle of the day"),
    )


def _holding(player: Player) -> tuple[str, str]:
    cards = " ".join(suited(text) for text, _ in player.cards if "?" not in text)
    fingers = "" if player.fingers is None else str(player.fingers)
    return _name(player.name), cards or fingers or _drawable(player.act)


def _listed(lines: list[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    more = len(lines) - MOST_LINES
    if more <= 0:
        return tuple(lines)
    return (*lines[: MOST_LINES - 1], (ngettext("and {count} more", "and {count} more", more + 1), ""))


def _over(public: PublicView) -> str:
    return f"{_('LIAR’S POKER')}  ·  {badge(public.settings.game)}"


def _title(public: PublicView) -> str:
    title = public.settings.title
    return title_words(title if _is_drawn(title) else "", public.settings.game)


def _is_drawn(text: str) -> bool:
    return DRAWN.fullmatch(text) is not None


def _name(name: str) -> str:
    return name if _is_drawn(name) else _("Player")


def _drawable(text: str) -> str:
    """Return a text without the names that can't be drawn."""
    return " ".join(word if _is_drawn(word) else "…" for word in text.split(" "))


_cut = partial(re.compile(r"(?<=^.{60}).+").sub, "…")
