"""View model of a table's settings in words: the clock, spectators and house rules."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from msgspec import UNSET, UnsetType
from msgspec.structs import asdict

from liarspoker.core import catalogue
from liarspoker.language import N_, _, ngettext, per_language, pgettext, speaking
from liarspoker.protocol.settings import Clock, Settings
from liarspoker.tables.house_rules import code_of
from liarspoker.web.words import typeset

PACES: Mapping[str, Mapping[str, int]] = {
    "relaxed": {"turn": 90, "bank": 300, "ready": 120},
    "normal": {"turn": 30, "bank": 120, "ready": 60},
    "fast": {"turn": 15, "bank": 60, "ready": 30},
}
"""The clock of each pace: seconds per decision, in the time bank, and between rounds."""


@dataclass(frozen=True, slots=True)
class Term:
    """A setting of a table and its value in words."""

    label: str
    words: str


@dataclass(frozen=True, slots=True)
class Change:
    """A house rule: its value here, its default, what it decides, and the URL of its explanation."""

    label: str
    now: str
    usual: str
    meaning: str
    explained: str


@dataclass(frozen=True, slots=True)
class Terms:
    """The settings of a table: the game's badge and summary, the settings, the house rules, and the rules' code."""

    badge: str
    summary: str
    terms: tuple[Term, ...]
    changes: tuple[Change, ...]
    code: str


@per_language()
def badge(game: str) -> str:
    """Return a game's short name.

    >>> badge("salomon-1986")
    'Salomon 1986'
    """
    found = catalogue.preset(game)
    return typeset(_(found.badge or found.title))


GUIDED_TITLE = N_("Guided hand")
QUICK_TITLE = N_("Quick table")


def title_with_bots(game: str) -> str:
    """Return the title under which a table of a game with bots is stored: in English, as those of this module."""
    with speaking("en"):
        return _with_bots(game)


def _with_bots(game: str) -> str:
    return _("{game} with bots", game=badge(game))


@per_language(maxsize=1024)
def title_words(title: str, game: str) -> str:
    """Return a table's title as people read it: that of its game if it has none, and those of this module translated.

    >>> title_words("", "slips"), title_words("Friday night", "slips"), title_words(QUICK_TITLE, "slips")
    ('Super Liars Poker SLIPS', 'Friday night', 'Quick table')
    """
    return own_title(title, game) or typeset(_(catalogue.preset(game).title))


def own_title(title: str, game: str) -> str:
    """Return a table's title as people read it, see `title_words`; empty if it has none."""
    if title in (GUIDED_TITLE, QUICK_TITLE):
        return _(title)
    return _with_bots(game) if title == title_with_bots(game) else title


@per_language()
def _option_labels() -> Mapping[str, str]:
    """Return the names of all options in words."""
    return {
        "cap_level": pgettext("an option", "Cap level"),
        "carry_across_slips": pgettext("an option", "Carry across slips"),
        "compound_carry": pgettext("an option", "Compound carry"),
        "dealers_choice": pgettext("an option", "Dealers choice"),
        "duplicate": pgettext("an option", "Duplicate"),
        "first_opener_tie": pgettext("an option", "First opener tie"),
        "flush_of_straight": pgettext("an option", "Flush of straight"),
        "flush_order": pgettext("an option", "Flush order"),
        "hand_size": pgettext("an option", "Hand size"),
        "hero": pgettext("an option", "Hero"),
        "jokers": pgettext("an option", "Jokers"),
        "level_bonus": pgettext("an option", "Level bonus"),
        "loose_order": pgettext("an option", "Loose order"),
        "next_opener": pgettext("an option", "Next opener"),
        "none_carry": pgettext("an option", "None carry"),
        "none_wins": pgettext("an option", "None wins"),
        "or_better": pgettext("an option", "Or better"),
        "order": pgettext("an option", "Order"),
        "passes": pgettext("an option", "Passes"),
        "progressive": pgettext("an option", "Progressive"),
        "rebid": pgettext("an option", "Rebid"),
        "reveal": pgettext("an option", "Reveal"),
        "row_letters": pgettext("an option", "Row letters"),
        "sixes": pgettext("an option", "Sixes"),
        "stud_deal_to": pgettext("an option", "Stud deal to"),
        "stud_everyone_lost": pgettext("an option", "Stud everyone lost"),
        "stud_exit_losses": pgettext("an option", "Stud exit losses"),
        "symbols": pgettext("an option", "Symbols"),
        "take_top": pgettext("an option", "Take top"),
        "tenth_double": pgettext("an option", "Tenth double"),
        "two_player_none": pgettext("an option", "Two player none"),
        "wheel": pgettext("an option", "Wheel"),
        "who_may_challenge": pgettext("an option", "Who may challenge"),
        "wild_ranks": pgettext("an option", "Wild ranks"),
    }


@per_language()
def _option_values() -> Mapping[str, str]:
    """Return the values of all options that are words, in words."""
    return {
        "": pgettext("an option’s value", "none"),
        "A_to_P": pgettext("an option’s value", "A to P"),
        "ace_high": pgettext("an option’s value", "ace high"),
        "any": pgettext("an option’s value", "any"),
        "anyone": pgettext("an option’s value", "anyone"),
        "at_once": pgettext("an option’s value", "at once"),
        "bid": pgettext("an option’s value", "bid"),
        "counts": pgettext("an option’s value", "counts"),
        "double": pgettext("an option’s value", "double"),
        "everyone": pgettext("an option’s value", "everyone"),
        "final_bidder": pgettext("an option’s value", "final bidder"),
        "five_only": pgettext("an option’s value", "five only"),
        "forgive": pgettext("an option’s value", "forgive"),
        "full": pgettext("an option’s value", "full"),
        "loser": pgettext("an option’s value", "loser"),
        "loses": pgettext("an option’s value", "loses"),
        "lowest_seat": pgettext("an option’s value", "lowest seat"),
        "next": pgettext("an option’s value", "next"),
        "on_request": pgettext("an option’s value", "on request"),
        "push": pgettext("an option’s value", "push"),
        "ranks_first": pgettext("an option’s value", "ranks first"),
        "redraw": pgettext("an option’s value", "redraw"),
        "rotate": pgettext("an option’s value", "rotate"),
        "skip_IO": pgettext("an option’s value", "skip IO"),
        "skip_slot": pgettext("an option’s value", "skip slot"),
        "suit_first": pgettext("an option’s value", "suit first"),
        "to_act": pgettext("an option’s value", "to act"),
        "winner": pgettext("an option’s value", "winner"),
        "words": pgettext("an option’s value", "words"),
        "worst": pgettext("an option’s value", "worst"),
        "zero_high": pgettext("an option’s value", "zero high"),
        "zero_low": pgettext("an option’s value", "zero low"),
    }


def option_label(name: str) -> str:
    """Return an option's name in words.

    >>> option_label("level_bonus")
    'Level bonus'
    """
    return _option_labels().get(name) or name.replace("_", " ").capitalize()


def option_words(value: object) -> str:
    """Return a value of an option in words.

    >>> option_words(True), option_words("zero_high"), option_words(8), option_words("")
    ('on', 'zero high', '8', 'none')
    """
    if isinstance(value, bool):
        return pgettext("an option", "on") if value else pgettext("an option", "off")
    return _option_values().get(str(value)) or str(value).replace("_", " ")


def round_word(game: catalogue.GamePreset) -> str:
    """Return what a round of the game is called in code; see `rounds_words` for people.

    >>> round_word(catalogue.preset("slips")), round_word(catalogue.preset("thorin"))
    ('hand', 'round')
    """
    return "round" if game.has_winner else "hand"


def rounds_words(game: catalogue.GamePreset, count: int) -> str:
    """Return a number of rounds in words.

    >>> rounds_words(catalogue.preset("slips"), 3), rounds_words(catalogue.preset("thorin"), 1)
    ('3 hands', '1 round')
    """
    if game.has_winner:
        return ngettext("{count} round", "{count} rounds", count)
    return ngettext("{count} hand", "{count} hands", count)


def title_of_round(title: str, game: catalogue.GamePreset, number: int) -> str:
    """Return the title of a round of a table.

    >>> title_of_round("Friday night", catalogue.preset("slips"), 7)
    'Friday night, hand 7'
    """
    if game.has_winner:
        return _("{title}, round {number}", title=title, number=number)
    return _("{title}, hand {number}", title=title, number=number)


def duration(seconds: float) -> str:
    """Return a duration in words.

    >>> duration(1), duration(90), duration(120), duration(7200)
    ('1 second', '90 seconds', '2 minutes', '2 hours')
    """
    whole = round(seconds)
    if whole >= 7200 and whole % 3600 == 0:
        return ngettext("{count} hour", "{count} hours", whole // 3600)
    if whole >= 120 and whole % 60 == 0:
        return ngettext("{count} minute", "{count} minutes", whole // 60)
    return ngettext("{count} second", "{count} seconds", whole)


def changes_of(game_id: str, options: Mapping[str, object]) -> tuple[Change, ...]:
    """Return the house rules: where `options` differ from the game's defaults."""
    if not options:
        return ()
    game = catalogue.load(game_id)
    usual = game.options()
    return tuple(
        Change(
            option_label(info.name),
            option_words(options[info.name]),
            option_words(getattr(usual, info.name)),
            _(info.meaning),
            f"/rules/{game_id}#option-{info.name}",
        )
        for info in game.option_infos
        if info.name in options and options[info.name] != getattr(usual, info.name)
    )


def terms_of(settings: Settings) -> Terms:
    """Return the settings of a table in words."""
    return _terms_of(
        settings.game,
        tuple(sorted(settings.options.items())),
        tuple(getattr(settings, name) for name in _SETTINGS),
    )


_SETTINGS = (
    "seats",
    "unit",
    "clock",
    "days",
    "rounds",
    "from_slips",
    "spectators",
    "visibility",
    "audit",
    "choose",
    "chat",
    "help",
    "rated",
)


@per_language(256)
def _terms_of(game: str, options: tuple[tuple[str, Any], ...], values: tuple[Any, ...]) -> Terms:
    row, settings = catalogue.preset(game), dict(zip(_SETTINGS, values, strict=True))
    behind = _("one round behind") if row.has_winner else _("one hand behind")
    spectators = {"live": _("live, without hands"), "behind": behind, "none": _("not allowed")}
    terms = [
        Term(_("Seats"), str(settings["seats"])),
        Term(_("Pace"), pace_words(settings["clock"], settings["days"])),
        Term(_("Length"), _("no limit") if settings["rounds"] is None else rounds_words(row, settings["rounds"])),
        Term(_("1 unit"), settings["unit"] or _("1 point")),
    ]
    if settings["from_slips"] is not None:
        terms.append(Term(_("Numbers"), _("from printed slips") if settings["from_slips"] else _("from bills")))
    terms += [
        Term(
            _("Visibility"),
            _("invite link only") if settings["visibility"] == "private" else _("listed in the lobby"),
        ),
        Term(_("Spectators"), spectators[settings["spectators"]]),
        Term(_("Fairness check"), _(_AUDITS[settings["audit"]])),
        Term(pgettext("noun", "Deal"), _("players pick face down") if settings["choose"] else _("by the server")),
        Term(pgettext("noun", "Chat"), pgettext("chat", "on") if settings["chat"] else pgettext("chat", "off")),
        Term(_("Odds"), pgettext("odds", "shown") if settings["help"] else pgettext("odds", "hidden")),
        *([Term(_("Rated"), _("yes, the result changes everyone’s rating"))] if settings["rated"] else []),
    ]
    changes = changes_of(game, dict(options))
    code = code_of(Settings(game=game, options=dict(options), **settings))
    return Terms(badge(game), _(row.summary), tuple(terms), changes, code)


_AUDITS = {
    "full": N_("all hands, after the table closes"),
    "leaves": N_("only hands that were shown"),
}
PACE_NAMES = {"relaxed": N_("relaxed"), "normal": N_("normal"), "fast": N_("fast")}
"""The names of the paces."""


def pace_words(clock: Clock | None, days: int | UnsetType = UNSET) -> str:
    """Return a table's clock in words.

    >>> pace_words(Clock(30, 120, 60)), pace_words(Clock(20))
    ('normal: 30 seconds per decision, plus a time bank of 2 minutes', '20 seconds per decision')
    >>> pace_words(None, 3), pace_words(None)
    ('3 days per decision', 'no time limit')
    """
    if days:
        return ngettext("{count} day per decision", "{count} days per decision", days)
    if clock is None:
        return _("no time limit")
    turn, bank = duration(clock.turn), duration(clock.bank)
    words = (
        _("{turn} per decision, plus a time bank of {bank}", turn=turn, bank=bank)
        if clock.bank
        else _("{turn} per decision", turn=turn)
    )
    name = next((name for name, one in PACES.items() if one == asdict(clock)), None)
    return words if name is None else _("{pace}: {times}", pace=_(PACE_NAMES[name]), times=words)
