"""Explanations of the badges and symbols on the pages, each with a link to its rule."""

from __future__ import annotations

from dataclasses import dataclass

from liarspoker.core import catalogue
from liarspoker.language import N_, _, per_language
from liarspoker.protocol.settings import Settings
from liarspoker.web.view_models.family import options_key
from liarspoker.web.view_models.rules import headings_of, options_of
from liarspoker.web.view_models.terms import badge
from liarspoker.web.words import typeset


@dataclass(frozen=True, slots=True)
class Tip:
    """An explanation.

    Attributes:
        name: its name, as in `tips.sign`.
        title: what is explained.
        text: the explanation.
        href: URL of the rule.
    """

    name: str
    title: str
    text: str
    href: str


@dataclass(frozen=True, slots=True)
class Symbol:
    """A symbol of all games: its name, what it looks like, what it means, and the headings of the rules behind it.

    What it looks like and what it means are messages.
    The first of `headings` that a game's rules have is linked; without one, the list of symbols is. Only tables of the
    games of `family` have it, if it isn't empty.
    """

    name: str
    sign: str
    text: str
    headings: tuple[str, ...] = ()
    family: str = ""


SYMBOLS = (
    Symbol("units", "▲ 3 ▼ 3 ■ 0", N_("Units won, units lost, or even."), ("payoffs", "what-a-loss-costs")),
    Symbol("ring", N_("Ring"), N_("The time that the player has left to decide, at tables with a clock.")),
    Symbol("connection", N_("Dot"), N_("A full dot: the player is connected. An empty one: they are disconnected.")),
    Symbol("bot", N_("bot"), N_("A program plays this seat. “Bot plays”: it plays for an absent player.")),
    Symbol(
        "challenge",
        N_("Diamond"),
        N_("The player has challenged."),
        ("auction", "challenge", "turns-and-challenge", "responses"),
    ),
    Symbol(
        "bidder",
        N_("Double frame"),
        N_("The player made the standing bid or claim."),
        ("auction", "turns", "turns-and-challenge", "declarations"),
    ),
    Symbol("stake", N_("stake"), N_("Units that a multiplier of one wins or costs."), ("payoffs",), "digits"),
    Symbol(
        "multiplier", "×2", N_("Stakes that the bid wins from each opponent if it is made."), ("payoffs",), "digits"
    ),
    Symbol(
        "per-player",
        N_("per player"),
        N_("Stake times multipliers: what each opponent pays if the bid is made."),
        ("payoffs",),
        "digits",
    ),
    Symbol("lives", "▮ ▯", N_("Cards or lives left, and those lost."), ("what-a-loss-costs",), "queen_annes"),
    Symbol(
        "extra-cards",
        "▴ ▾",
        N_("Extra cards, dealt face up or face down; outlined until they are dealt."),
        ("extra-cards",),
        "queen_annes",
    ),
    Symbol("passes", "P", N_("The player can still pass once; struck through once used."), ("responses",), "thorin"),
    Symbol(
        "fair",
        N_("Fair deal"),
        N_("The deal was fixed before anyone saw a hand. Anyone can verify it once the table closes."),
    ),
    Symbol(
        "private", N_("private"), N_("Only people with the link can join. The lobby lists it only for its own players.")
    ),
    Symbol("rated", N_("Rated"), N_("The result changes the players’ ratings. Everyone at the table has an account.")),
    Symbol("clock", N_("30 s"), N_("The time that each player has for a decision.")),
    Symbol("seats", "3/6", N_("Seats taken, and seats in all.")),
)
"""Every symbol, in the order of the rules page."""

SEAT = ("units", "ring", "connection", "bot", "challenge", "bidder")
"""The symbols of a seat, which one tip explains together."""

LOBBY = ("private", "rated", "clock", "seats")
"""The symbols in the lobby's list of tables."""

OPTIONS = ("level_bonus", "sixes", "rebid", "hero", "none_wins")
"""The options whose rules have badges at a table."""


def _symbol_tip(symbol: Symbol, game: str | None) -> Tip:
    headings = () if game is None else headings_of(game)
    found = next((one for one in symbol.headings if one in headings), None)
    href = f"/rules#symbol-{symbol.name}" if found is None else f"/rules/{game}#{found}"
    return Tip(symbol.name, _(symbol.sign), _(symbol.text), href)


def _game_tip(row: catalogue.GamePreset) -> Tip:
    return Tip(f"game-{row.id}", badge(row.id), typeset(_(row.summary)), f"/rules/{row.id}")


def table_tips(settings: Settings) -> tuple[Tip, ...]:
    """Return the tips on the page of a table: its game, its options that have badges, and symbols."""
    return _table_tips(settings.game, options_key(settings))


@per_language(256)
def _table_tips(game: str, changes: tuple[tuple[str, object], ...]) -> tuple[Tip, ...]:
    row, options = catalogue.preset(game), catalogue.load(game).options(dict(changes))
    rules = (
        Tip(f"rule-{one.name}", one.title, one.meaning, f"/rules/{game}#option-{one.name}")
        for one in options_of(game)
        if one.name in OPTIONS and getattr(options, one.name)
    )
    here = (one for one in SYMBOLS if one.name not in LOBBY and one.family in ("", row.family))
    return (_game_tip(row), *rules, *(_symbol_tip(one, game) for one in here))


def lobby_tips() -> tuple[Tip, ...]:
    """Return the tips in the lobby: the games and the symbols in its list of tables."""
    return (*map(_game_tip, catalogue.games()), *(_symbol_tip(one, None) for one in SYMBOLS if one.name in LOBBY))
