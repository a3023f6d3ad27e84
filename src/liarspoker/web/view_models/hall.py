"""View model of the hall of bots: the results of the arena that come with the package."""

from __future__ import annotations

from dataclasses import dataclass

from liarspoker.bots.arena import ArenaResults, Interval, OverallRatings, TableResult, shipped_results
from liarspoker.bots.catalogue import bots, title_of
from liarspoker.language import _, ngettext, number, per_language
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


@per_language()
def halls() -> tuple[Hall, ...]:
    """Return the hall of bots in the current language."""
    return tuple(map(_hall, shipped_results()))


def _hall(results: ArenaResults) -> Hall:
    games = {table.game: [one for one in results.tables if one.game == table.game] for table in results.tables}
    rounds = number(f"{results.rounds:,}")
    if results.tables[0].unit == "units_per_round":
        explanation = _(
            "In the digit games every bot has played {rounds} hands against every other one, each deal once in every "
            "seat. A rating is what it wins on average from the bots of this list; “±” is half the width of a 95% "
            "confidence interval.",
            rounds=rounds,
        )
    else:
        explanation = _(
            "In the card games every bot has played {rounds} matches against every other one. A rating is the share of "
            "the matches that it wins above its fair share.",
            rounds=rounds,
        )
    return Hall(
        explanation=explanation,
        overall=tuple(_overall(one) for one in results.ratings),
        games=tuple(_game(game, tables) for game, tables in games.items()),
    )


def _overall(one: OverallRatings) -> Board:
    digits = one.unit == "units_per_round"
    title = _("All digit games and numbers of players") if digits else _("All card games and numbers of players")
    lines = tuple(
        Line(title_of(rated.bot), _summary(rated.bot) if digits else "", (_figure(rated.rating),))
        for rated in one.ratings
    )
    return Board(title, (_unit(one.unit),), lines)


def _game(game: str, tables: list[TableResult]) -> GameBoards:
    by_table = [{rated.bot: rated.rating for rated in table.ratings} for table in tables]
    order = sorted(by_table[0], key=lambda bot: sum(ratings[bot].mean for ratings in by_table), reverse=True)
    lines = (Line(title_of(bot), "", tuple(_figure(ratings[bot]) for ratings in by_table)) for bot in order)
    columns = tuple(_players(table.players) for table in tables)
    return GameBoards(
        game, Board(_unit(tables[0].unit), columns, tuple(lines)), tuple(_pairs(table, order) for table in tables)
    )


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


def _unit(unit: str) -> str:
    return _("Units per hand") if unit == "units_per_round" else _("Matches won above the fair share")


def _summary(bot: str) -> str:
    return next((_(row.summary) for row in bots() if row.name == bot), "")


def _figure(one: Interval) -> Figure:
    """Return a figure with three decimals.

    >>> _figure(Interval(-0.1234, 0.0061)), _figure(Interval(1.0, None))
    (Figure(mean='−0.123', half_width='0.006'), Figure(mean='+1.000', half_width=''))
    """
    mean = f"{MINUS if one.mean < 0 else '+'}{abs(one.mean):.3f}"
    return Figure(number(mean), "" if one.half_width is None else number(f"{one.half_width:.3f}"))
