"""The arena: every bot against every other one in duplicate deals, and ratings with confidence intervals.

At a table of two players, each pair plays once; at larger tables, one copy of each bot plays among copies of each other
one. The rating of a bot is the least-squares solution of the model in which a bot wins from another one the difference
of their ratings. Since every pair plays, that is the mean of what the bot wins from each bot of the arena, itself
included, where at larger tables the two directions of a pair are averaged. Ratings of a table sum to 0. Over several
tables, they are averaged. Pairs have independent deals, so that the variances add up.

The results are saved as JSON. :func:`shipped_results` returns those that come with the package.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from math import sqrt
from random import Random
from typing import Literal, overload

from msgspec import Struct, json

from liarspoker.bots.contest import Contest
from liarspoker.bots.duplicate import Estimate, Moments, expected_controls
from liarspoker.bots.sprt import Hypothesis, Sprt
from liarspoker.core import catalogue as games

Unit = Literal["units_per_round", "win_rate_above_share"]
"""What is measured: units per hand at stake 1; or, in a game with a winner, the share of the matches that a bot wins,
less its fair share."""

ARENA_FILES = ("arena.json", "arena_cards.json")
"""The results that come with the package, next to this module: in the digit games and in the card games."""


class Interval(Struct, frozen=True):
    """A mean, and half the width of its 95% confidence interval; `None` if that can't be estimated."""

    mean: float
    half_width: float | None


class RatedBot(Struct, frozen=True):
    """A bot with its rating."""

    bot: str
    rating: Interval


class PairResult(Struct, frozen=True, omit_defaults=True):
    """What one copy of `bot` wins at a table where all others are copies of `others`.

    Attributes:
        bot: the bot's name.
        others: the name of all others.
        engine: `compiled` or `python`.
        deals: the number of deals; each was played once for each player.
        rounds: the number of hands played, including those of the same deal.
        won: what the bot won per hand, or per match.
        duplicate_gain: how many times as many hands with independent deals would give an equally narrow interval,
            without controls.
        gain: the same with controls.
        log_likelihood_ratio: of the sequential test, if there was one.
        accepted: the hypothesis that it accepted; omitted if it reached the maximum number of hands.
    """

    bot: str
    others: str
    engine: str
    deals: int
    rounds: int
    won: Interval
    duplicate_gain: float | None
    gain: float | None
    log_likelihood_ratio: float | None = None
    accepted: Hypothesis | None = None


class TableResult(Struct, frozen=True):
    """The results in one game with one number of players; the ratings are sorted, the best first."""

    game: str
    players: int
    unit: Unit
    ratings: tuple[RatedBot, ...]
    pairs: tuple[PairResult, ...]


class OverallRatings(Struct, frozen=True):
    """The mean ratings over all tables with the same unit."""

    unit: Unit
    tables: int
    ratings: tuple[RatedBot, ...]


class Hypotheses(Struct, frozen=True):
    """The sequential test; see :class:`~liarspoker.bots.sprt.Sprt`."""

    h0: float
    h1: float
    alpha: float
    beta: float


class ArenaResults(Struct, frozen=True):
    """The results of an arena.

    Attributes:
        bots: the bots.
        options: options that differ from the games' defaults.
        seed: of all random numbers.
        rounds: the maximum number of hands, or of matches, of a pair.
        test: the sequential test; `None` for none.
        tables: the results of each table.
        ratings: the mean ratings.
    """

    bots: tuple[str, ...]
    options: dict[str, object]
    seed: int
    rounds: int
    test: Hypotheses | None
    tables: tuple[TableResult, ...]
    ratings: tuple[OverallRatings, ...]


@dataclass(frozen=True, slots=True)
class Pair:
    """One copy of a bot among copies of another one.

    Attributes:
        bot: the bot whose winnings are measured.
        others: all other players.
        contest: what is played.
        measured: the bot's number in the contest's line-up.
    """

    bot: str
    others: str
    contest: Contest
    measured: int


def pairs_at(
    game: str, players: int, bots: Sequence[str], rounds: int, seed: int, changes: tuple[tuple[str, object], ...] = ()
) -> tuple[Pair, ...]:
    """Return the pairs that play at a table: all pairs with two players, else all in both directions.

    In a line-up the bots have the order of `bots`.

    Args:
        game: the catalogue id.
        players: the number of players, 2 or more.
        bots: two or more different bots, by name.
        rounds: hands, or matches, for each pair.
        seed: of all random numbers; each pair gets its own from it.
        changes: options that differ from the game's defaults, as (name, value).

    >>> [(pair.bot, pair.contest.lineup) for pair in pairs_at("slips", 3, ["uniform", "beginner"], 1000, 1)]
    [('uniform', ('uniform', 'beginner', 'beginner')), ('beginner', ('uniform', 'uniform', 'beginner'))]
    """
    pairs = []
    for row, bot in enumerate(bots):
        for column, others in enumerate(bots):
            if row == column or (players == 2 and row < column):
                continue
            mates = (others,) * (players - 1)
            lineup, measured = ((bot, *mates), 0) if row < column else ((*mates, bot), players - 1)
            own = Random(f"{seed} {game} {players} {bot} {others}").getrandbits(62)
            pairs.append(Pair(bot, others, Contest(game, lineup, rounds, own, changes), measured))
    return tuple(pairs)


def estimates(pair: Pair, played: Iterable[Moments], test: Sprt | None = None) -> Iterator[Estimate]:
    """Yield the estimate of what a pair's bot wins, after each part, until the test is decided or all are played."""
    contest = pair.contest
    baseline = 1 / len(contest.lineup) if contest.plays_matches else 0.0
    estimate = Estimate(len(contest.lineup), expected_controls(contest), baseline)
    for part in played:
        estimate.add(part)
        yield estimate
        if test is not None and test.accepted(estimate):
            return


def result_of(pair: Pair, estimate: Estimate, engine: str, test: Sprt | None = None) -> PairResult:
    """Return the result of a pair."""
    assert estimate.moments is not None
    return PairResult(
        bot=pair.bot,
        others=pair.others,
        engine=engine,
        deals=estimate.blocks,
        rounds=estimate.moments.rounds,
        won=Interval(_rounded(estimate.mean), _rounded(estimate.half_width)),
        duplicate_gain=_rounded(estimate.duplicate_gain),
        gain=_rounded(estimate.gain),
        log_likelihood_ratio=None if test is None else _rounded(test.log_likelihood_ratio(estimate)),
        accepted=None if test is None else test.accepted(estimate),
    )


def table_result(game: str, players: int, bots: Sequence[str], pairs: Sequence[PairResult]) -> TableResult:
    """Return the results of a table, with the ratings of its bots.

    >>> won = {("a", "b"): Interval(0.3, 0.02), ("a", "c"): Interval(0.6, 0.02), ("b", "c"): Interval(0.0, 0.02)}
    >>> pairs = [PairResult(*pair, "python", 10, 20, each, None, None) for pair, each in won.items()]
    >>> for rated in table_result("slips", 2, ["a", "b", "c"], pairs).ratings:
    ...     print(rated.bot, rated.rating)
    a Interval(mean=0.3, half_width=0.009428)
    b Interval(mean=-0.1, half_width=0.009428)
    c Interval(mean=-0.2, half_width=0.009428)
    """
    measured = {(pair.bot, pair.others): pair.won for pair in pairs}
    terms: dict[str, list[Interval]] = {bot: [] for bot in bots}
    for (bot, others), won in measured.items():
        weight = 0.5 if (others, bot) in measured else 1.0
        for rated, share in ((bot, weight), (others, -weight)):
            half = None if won.half_width is None else weight * won.half_width
            terms[rated].append(Interval(share * won.mean, half))
    unit: Unit = "win_rate_above_share" if games.preset(game).has_winner else "units_per_round"
    return TableResult(game, players, unit, _ratings(terms, len(bots)), tuple(pairs))


def overall(tables: Sequence[TableResult]) -> tuple[OverallRatings, ...]:
    """Return the mean ratings of the tables of each unit."""
    found = []
    for unit in dict.fromkeys(table.unit for table in tables):
        same = [table for table in tables if table.unit == unit]
        terms: dict[str, list[Interval]] = {}
        for table in same:
            for rated in table.ratings:
                terms.setdefault(rated.bot, []).append(rated.rating)
        found.append(OverallRatings(unit, len(same), _ratings(terms, len(same))))
    return tuple(found)


def to_json(results: ArenaResults) -> bytes:
    """Return results as an indented JSON document; equal results give equal bytes."""
    return json.format(json.encode(results), indent=1) + b"\n"


def read_results(document: bytes) -> ArenaResults:
    """Read results that `to_json` wrote.

    Raises:
        msgspec.ValidationError: the document isn't one of results.
    """
    return json.decode(document, type=ArenaResults)


@cache
def shipped_results() -> tuple[ArenaResults, ...]:
    """Return the results that come with the package; `docs/reference/arena.md` has the commands that made them."""
    return tuple(read_results(files(__package__).joinpath(file).read_bytes()) for file in ARENA_FILES)


def _ratings(terms: Mapping[str, Sequence[Interval]], count: int) -> tuple[RatedBot, ...]:
    """Return each bot's sum of independent terms, divided by `count`, the best first.

    A term without an interval comes from blocks that were all alike, and adds nothing to the width.
    """
    rated = []
    for bot, each in terms.items():
        halves = [one.half_width for one in each if one.half_width is not None]
        half = sqrt(sum(one**2 for one in halves)) / count if halves else None
        rated.append(RatedBot(bot, Interval(_rounded(sum(one.mean for one in each) / count), _rounded(half))))
    return tuple(sorted(rated, key=lambda one: one.rating.mean, reverse=True))


@overload
def _rounded(value: float) -> float: ...
@overload
def _rounded(value: None) -> None: ...
@overload
def _rounded(value: float | None) -> float | None: ...
def _rounded(value: float | None) -> float | None:
    """Return a figure with six decimals, far fewer than are significant."""
    return None if value is None else round(value, 6)
