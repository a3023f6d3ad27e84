"""View model of the hall of bots: the results of the arena that come with the package."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from liarspoker.bots.arena import ArenaResults, Interval, OverallRatings, TableResult, Unit, shipped_results
from liarspoker.bots.catalogue import bots, title_of
from liarspoker.language import N_, _, ngettext, number, per_language
from liarspoker.web.words import MINUS


@dataclass(frozen=True, slots=True)
class Figure:
    """A mean in words, and half the width of its 95% confidence interval; empty if it can't be estimated."""

    mean: str
    half_width: str


@dataclass(frozen=True, slots=True)
class Line:
    """A bot and its figures, one for each column; `None` where it would meet itself.

    Attributes:
        title: the bot's name for people.
        summary: a sentence on how it plays; empty in all but the first table.
        figures: what it wins.
    """

    title: str
    summary: str
    figures: tuple[Figure | None, ...]


@dataclass(frozen=True, slots=True)
class Board:
    """A table of results: its title, the titles of its columns, and its lines."""

    title: str
    columns: tuple[str, ...]
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class GameBoards:
    """The results in one game.

    Attributes:
        game: the catalogue id.
        ratings: the ratings for each number of players.
        pairs: for each number of players, what a bot of a line wins from those of a column.
    """

    game: str
    ratings: Board
    pairs: tuple[Board, ...]


@dataclass(frozen=True, slots=True)
class Hall:
    """A part of the hall of bots: the results of one arena.

    Attributes:
        explanation: what was played, and what the figures mean.
        overall: the mean ratings over all tables with the same unit.
        games: the results of each game.
    """

    explanation: str
    overall: tuple[Board, ...]
    games: tuple[GameBoards, ...]


class Words(NamedTuple):
    """The messages about results in a unit: what was played, all its games, and what is measured."""

    explanation: str
    games: str
    figures: str


WORDS: dict[Unit, Words] = {
    "units_per_round": Words(
        N_(
            "In the digit games every bot has played {rounds} hands against every other one, each deal once in every "
            "seat. A rating is what it wins on average from the bots of this list; “±” is half the width of a 95% "
            "confidence interval."
        ),
        N_("All digit games and numbers of players"),
        N_("Units per hand"),
    ),
    "win_rate_above_share": Words(
        N_(
            "In the card games each of these bots has played {rounds} matches against every other one. A rating is the "
            "share of the matches that it wins above its fair share."
        ),
        N_("All card games and numbers of players"),
        N_("Matches won above the fair share"),
    ),
}


@per_language()
def halls() -> tuple[Hall, ...]:
    """Return the hall of bots in the current language."""
    return tuple(_hall(results, is_first=place == 0) for place, results in enumerate(shipped_results()))


def _hall(results: ArenaResults, *, is_first: bool) -> Hall:
    """Return a part of the hall; the first one describes the bots."""
    games = {table.game: [one for one in results.tables if one.game == table.game] for table in results.tables}
    return Hall(
        explanation=_(WORDS[results.tables[0].unit].explanation, rounds=number(f"{results.rounds:,}")),
        overall=tuple(_overall(one, is_first) for one in results.ratings),
        games=tuple(_game(game, tables) for game, tables in games.items()),
    )


def _overall(one: OverallRatings, describes: bool) -> Board:
    lines = tuple(
        Line(title_of(rated.bot), _summary(rated.bot) if describes else "", (_figure(rated.rating),))
        for rated in one.ratings
    )
    return Board(_(WORDS[one.unit].games), (_(WORDS[one.unit].figures),), lines)


def _game(game: str, tables: list[TableResult]) -> GameBoards:
    by_table = [{rated.bot: rated.rating for rated in table.ratings} for table in tables]
    order = sorted(by_table[0], key=lambda bot: sum(ratings[bot].mean for ratings in by_table), reverse=True)
    lines = (Line(title_of(bot), "", tuple(_figure(ratings[bot]) for ratings in by_table)) for bot in order)
    columns = tuple(_players(table.players) for table in tables)
    ratings = Board(_(WORDS[tables[0].unit].figures), columns, tuple(lines))
    return GameBoards(game, ratings, tuple(_pairs(table, order) for table in tables))


def _pairs(table: TableResult, order: list[str]) -> Board:
    won = {(pair.bot, pair.others): pair.won for pair in table.pairs}
    if table.players == 2:
        won |= {(pair.others, pair.bot): Interval(-pair.won.mean, pair.won.half_width) for pair in table.pairs}
    lines = (
        Line(title_of(bot), "", tuple(_figure(won[bot, other]) if bot != other else None for other in order))
        for bot in order
    )
    return Board(_players(table.players), tuple(title_of(bot) for bot in order), tuple(lines))


def _players(count: int) -> str:
    return ngettext("{count} player", "{count} players", count)


def _summary(bot: str) -> str:
    return next((_(row.summary) for row in bots() if row.name == bot), "")


def _figure(one: Interval) -> Figure:
    """Return a figure with three decimals.

    >>> _figure(Interval(-0.1234, 0.0061)), _figure(Interval(1.0, None))
    (Figure(mean='−0.123', half_width='0.006'), Figure(mean='+1.000', half_width=''))
    """
    mean = f"{MINUS if one.mean < 0 else '+'}{abs(one.mean):.3f}"
    return Figure(number(mean), "" if one.half_width is None else number(f"{one.half_width:.3f}"))
