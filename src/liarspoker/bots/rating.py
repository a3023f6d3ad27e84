"""Rate one bot: play it against each of several opponents, and report its winnings with confidence intervals."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import partial

from liarspoker.bots import catalogue
from liarspoker.bots.contest import Contest, play_chunk, seated, summed
from liarspoker.bots.protocol import Bot
from liarspoker.bots.tally import WinTally
from liarspoker.core import catalogue as games
from liarspoker.core.errors import BadSeats
from liarspoker.core.option_info import python_value
from liarspoker.processes import in_order


@dataclass(frozen=True, slots=True)
class Rating:
    """How a bot did against copies of one opponent.

    Attributes:
        opponent: the opponent's name.
        played: the number of hands; in a game with a winner, the number of matches.
        mean: units that the bot won per hand at stake 1; in a game with a winner, the share of the matches that it won.
        half_width: half the width of the 95% confidence interval of `mean`; `None` if all hands came out alike or fewer
            than two were played.
        unit: `units per hand`, or `of the matches` in a game with a winner.
    """

    opponent: str
    played: int
    mean: float
    half_width: float | None
    unit: str = "units per hand"

    def __str__(self) -> str:
        form = "+.3f" if self.unit == "units per hand" else ".1%"
        width = "" if self.half_width is None else f" ± {self.half_width:{form.lstrip('+')}}"
        return f"against {self.opponent}: {self.mean:{form}}{width} {self.unit}"


def rate_bot(
    bot: Bot | str,
    game: str,
    opponents: Iterable[str] | None = None,
    *,
    seats: int = 2,
    hands: int = 1000,
    seed: int = 1,
    options: Mapping[str, object] | None = None,
    jobs: int = 1,
) -> tuple[Rating, ...]:
    """Rate a bot against each of several opponents.

    At every table the bot plays against copies of one opponent. The players take turns in every seat. All opponents
    get the same deals.

    Args:
        bot: the bot itself, its name in the catalogue, or `module:name`.
        game: the catalogue id.
        opponents: names of bots; by default all bots of the catalogue that play the game, except neural networks,
            which take a millisecond for a decision.
        seats: the number of players at the table, 2 or more.
        hands: the number of hands against each opponent, 1 or more; in a game with a winner, the number of matches.
        seed: of all random numbers; any int.
        options: options that differ from the game's defaults, by name.
        jobs: the number of processes; with more than one, the bot must be picklable. The result doesn't depend on it.

    Returns:
        One :class:`Rating` for each opponent, in the given order.

    Raises:
        BadSeats: the game isn't played by this number of players.
        BadContest: the number of hands or the seed isn't valid.
        BadLineup: a bot doesn't play the game, or plays an illegal action.
        UnknownBot, UnknownGame, BadOption: there is no such bot, game or option.

    >>> def cautious(view, chance):
    ...     return view.legal.answers[0] if view.legal.answers else view.legal.claims[0]
    >>> for rating in rate_bot(cautious, "dollar-bill", ["beginner", "uniform"], hands=400):
    ...     print(rating.opponent, rating.mean > 0)
    beginner False
    uniform True
    """
    seats = python_value(seats)
    if type(seats) is not int or seats < 2:
        raise BadSeats(f"{game}: {seats!r} players; it takes 2 or more")
    row = games.preset(game)
    names = (
        [found.name for found in catalogue.bots() if found.plays(row) and not found.is_network]
        if opponents is None
        else opponents
    )
    name = bot if isinstance(bot, str) else "uniform"  # any bot that plays every game; `bots` replaces it
    changes = tuple((options or {}).items())
    contests = (Contest(game, (name, *[other] * (seats - 1)), hands, seed, changes) for other in names)
    return tuple(_rate(contest, bot, jobs) for contest in contests)


def _rate(contest: Contest, bot: Bot | str, jobs: int) -> Rating:
    """Play one contest and rate its first player."""
    named, *others = seated(contest)
    bots = [named if isinstance(bot, str) else bot, *others]
    chunks = in_order(partial(play_chunk, contest, bots=bots), range(contest.chunks), jobs)
    *_, total = contest.empty_tally(), *summed(contest, chunks)
    if isinstance(total, WinTally):
        return Rating(contest.lineup[1], total.played, *total.win_rate(0), "of the matches")
    return Rating(contest.lineup[1], total.played, *total.units_per_hand(0))
