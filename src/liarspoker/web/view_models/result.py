"""View model of the result of a table: winner, standings, payments and highlights."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from liarspoker.core import catalogue
from liarspoker.core.catalogue import GamePreset
from liarspoker.language import N_, _, language, ngettext
from liarspoker.protocol.views import HighlightsView, PublicView
from liarspoker.records.words import name_shown, said_of
from liarspoker.web.view_models.family import YOU, round_title
from liarspoker.web.view_models.terms import round_word
from liarspoker.web.words import signed

LEAST_STREAK = 3
"""Shorter streaks aren't shown."""


@dataclass(frozen=True, slots=True)
class Standing:
    """A player's final place, from 1; players with equal units share it."""

    place: int
    user: str
    name: str
    units: int


@dataclass(frozen=True, slots=True)
class Paid:
    """A payment that settles the table: the names of both players, empty for the user, and the units."""

    payer: str
    payee: str
    units: int

    @property
    def mine(self) -> bool:
        """Whether the user is one of the players."""
        return not (self.payer and self.payee)


@dataclass(frozen=True, slots=True)
class Highlight:
    """Something remarkable: what it is, who did it, what they did, and the number and title of the round, if any."""

    title: str
    name: str
    words: str
    round: int
    round_title: str


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a table.

    Attributes:
        title: who has won.
        standings: the players, the winner first.
        payments: the fewest payments that settle all debts.
        highlights: what was remarkable.
        word: what a round is called: `hand` or `round`.
    """

    title: str
    standings: tuple[Standing, ...]
    payments: tuple[Paid, ...]
    highlights: tuple[Highlight, ...]
    word: str


def result_of(public: PublicView, me: str | None) -> Result | None:
    """Return the result of a table as `me` sees it; `None` if it hasn't ended or no round was played."""
    if public.stage != "ended" or not public.rounds_played or not public.units:
        return None
    units = sorted(public.units, key=lambda entry: -entry.units)
    names = {entry.user: YOU if entry.user == me else entry.name for entry in units}
    ranked = [entry.units for entry in units]
    game = catalogue.preset(public.settings.game)
    return Result(
        title=_title([names[entry.user] for entry in units if entry.units == ranked[0]], ranked[0]),
        standings=tuple(
            Standing(1 + ranked.index(entry.units), entry.user, name_shown(names[entry.user]), entry.units)
            for entry in units
        ),
        payments=tuple(
            Paid("" if one.payer == me else names[one.payer], "" if one.payee == me else names[one.payee], one.units)
            for one in public.settle_up or ()
        ),
        highlights=tuple(_highlights(public.highlights or HighlightsView(), names, game)),
        word=round_word(game),
    )


def _title(winners: list[str], units: int) -> str:
    if not units:
        return _("Nobody wins")
    if len(winners) == 1:
        return said_of(winners[0], N_("You win"), N_("{name} wins"))
    if YOU not in winners:
        return _("{names} and {last} win", names=", ".join(winners[:-1]), last=winners[-1])
    *others, last = (name for name in winners if name != YOU)
    if not others:
        return _("You and {name} win", name=last)
    return _("You, {names} and {last} win", names=", ".join(others), last=last)


def _highlights(kept: HighlightsView, names: dict[str, str], game: GamePreset) -> Iterator[Highlight]:
    if (bluff := kept.bluff) is not None:
        words = "; ".join(bluff.in_languages.get(language(), (bluff.claim_words, bluff.truth_words)))
        yield _highlight(_("Best bluff"), names.get(bluff.user, bluff.name), words, game, bluff.round + 1)
    if (best := kept.best_round) is not None:
        title = _("Biggest round") if game.has_winner else _("Biggest hand")
        yield _highlight(title, names.get(best.user, best.name), signed(best.units), game, best.round + 1)
    if (streak := kept.streak) is not None and streak.rounds >= LEAST_STREAK:
        if game.has_winner:
            words = ngettext("{count} round won in a row", "{count} rounds won in a row", streak.rounds)
        else:
            words = ngettext("{count} hand won in a row", "{count} hands won in a row", streak.rounds)
        yield _highlight(_("Longest streak"), names.get(streak.user, streak.name), words, game)


def _highlight(title: str, name: str, words: str, game: GamePreset, number: int = 0) -> Highlight:
    return Highlight(title, name_shown(name), words, number, round_title(game, number) if number else "")
