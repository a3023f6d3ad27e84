"""Contests: many hands or matches between bots, reproducible from a seed however the work is split.

The hands are cut into chunks of fixed length. Each chunk has its own random numbers, so chunks can be played in any
order and in any process. Deals and bots draw from separate streams: other bots get the same deals.

In a game with a winner, whole matches are played. They are cut into chunks too, and each match has its own random
numbers; other bots get the same first deals.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from random import Random
from typing import Any

from liarspoker.bots import catalogue
from liarspoker.bots.protocol import Bot, first_challenge
from liarspoker.bots.tally import Tally, WinTally
from liarspoker.core import catalogue as games
from liarspoker.core.errors import BadOption, IllegalAction, LiarsPokerError
from liarspoker.core.option_info import python_value
from liarspoker.core.session import BY_THE_RULES, RoundSetup
from liarspoker.games.digits.hands import HANDS_PER_SLIP
from liarspoker.games.digits.settlement import OUTCOMES
from liarspoker.language import _
from liarspoker.processes import in_order

CHUNK = 1000
"""Hands per chunk; a multiple of the hands of a session."""

MATCHES_CHUNK = 20
"""Matches per chunk."""


class BadLineup(LiarsPokerError):
    """A bot doesn't play the game, or played an illegal action."""

    code = "bad-lineup"


class BadContest(LiarsPokerError):
    """The number of hands is below 1, or the seed isn't an int."""

    code = "bad-contest"


AnyTally = Tally | WinTally
"""The totals of a contest: of hands or sessions, or of matches."""


@dataclass(frozen=True, slots=True)
class Contest:
    """Which bots play what, and how long. It can be pickled and sent to another process.

    Attributes:
        game: the catalogue id.
        lineup: one bot per player, by catalogue name or as `module:name`.
        hands: the number of hands, 1 or more; in a game with a winner, the number of matches.
        seed: of all random numbers; any int.
        changes: options that differ from the game's defaults, as (name, value).
        sessions: play sessions of ten hands, with their stakes and openers, instead of single hands.
        from_slips: deal from slips. By default, single hands are dealt as bills, and sessions as is usual in the game.

    Raises:
        BadContest: the number of hands or the seed isn't valid.

    >>> tally = play_contest(Contest("slips", ("beginner", "uniform"), hands=50, seed=1))
    >>> tally.won
    (37, -37)
    """

    game: str
    lineup: tuple[str, ...]
    hands: int
    seed: int
    changes: tuple[tuple[str, object], ...] = ()
    sessions: bool = False
    from_slips: bool | None = None

    def __post_init__(self) -> None:
        if type(python_value(self.hands)) is not int or self.hands < 1:
            raise BadContest(f"hands: {self.hands!r}; it must be an int, 1 or more")
        if type(python_value(self.seed)) is not int:
            raise BadContest(f"seed: {self.seed!r}; it must be an int")

    @property
    def plays_matches(self) -> bool:
        """Whether the game has a winner, so that whole matches are played."""
        return games.preset(self.game).has_winner

    @property
    def chunk_length(self) -> int:
        """The number of hands, or of matches, per chunk."""
        return MATCHES_CHUNK if self.plays_matches else CHUNK

    @property
    def chunks(self) -> int:
        """The number of chunks; the last one may be shorter."""
        return -(-self.hands // self.chunk_length)

    def empty_tally(self) -> AnyTally:
        """Return the totals before anything has been played."""
        return (WinTally if self.plays_matches else Tally).empty(len(self.lineup))


def table(contest: Contest) -> Any:
    """Return the contest's session before its first hand.

    Raises:
        LiarsPokerError: the game, an option, the number of players or the way to deal isn't valid.
    """
    game: Any = games.load(contest.game)
    if contest.plays_matches:
        if contest.sessions or contest.from_slips is not None:
            raise BadOption(_("{game} is played in whole matches, without sessions, slips or bills", game=contest.game))
        return game.session(len(contest.lineup), game.options(dict(contest.changes)))
    from_slips = contest.from_slips if contest.sessions else bool(contest.from_slips)
    return game.session(len(contest.lineup), game.options(dict(contest.changes)), from_slips)


def seated(contest: Contest) -> tuple[Bot, ...]:
    """Load the bots of the lineup.

    Raises:
        UnknownBot: there is no such bot.
        BadLineup: a bot doesn't play this game.
    """
    game = games.preset(contest.game)
    for name in contest.lineup:
        if ":" not in name and not catalogue.row(name).plays(game):
            raise BadLineup(_("{name} does not play {game}", name=name, game=game.id))
    return tuple(
        catalogue.at(name, game.family) if ":" in name else catalogue.load(name, game.family) for name in contest.lineup
    )


def play_contest(contest: Contest, jobs: int = 1) -> AnyTally:
    """Play a contest to its end and return its totals.

    Args:
        contest: what is played.
        jobs: the number of processes; the totals don't depend on it.

    Returns:
        A :class:`~liarspoker.bots.tally.Tally`, or for matches a :class:`~liarspoker.bots.tally.WinTally`.

    Raises:
        LiarsPokerError: the contest isn't valid.
        BadLineup: a bot played an illegal action.
    """
    *_, total = contest.empty_tally(), *totals(contest, jobs)
    return total


def play_chunk(contest: Contest, chunk: int, bots: Sequence[Bot] | None = None) -> AnyTally:
    """Play one chunk of a contest.

    In hand (or session, or match) number n, player i of the lineup sits in seat (i + n) mod players, and seat 0 opens.
    So the players take turns in every seat, and the order around the table never changes.

    Args:
        contest: what is played.
        chunk: the number of the chunk, from 0.
        bots: the players, if they aren't those that the lineup names.

    Raises:
        BadLineup: a bot played an illegal action.

    >>> play_chunk(Contest("slips", ("beginner", "uniform"), hands=50, seed=1), 0).won
    (37, -37)
    """
    players = seated(contest) if bots is None else tuple(bots)
    return (_play_matches if contest.plays_matches else _play_hands)(contest, chunk, players)


def _play_matches(contest: Contest, chunk: int, bots: tuple[Bot, ...]) -> WinTally:
    """Play the matches of a chunk."""
    start, players = table(contest), len(bots)
    tally = WinTally.empty(players)
    for number in range(chunk * MATCHES_CHUNK, min(contest.hands, (chunk + 1) * MATCHES_CHUNK)):
        deals, chance = (
            Random(f"{contest.seed} deals of game {number}"),
            Random(f"{contest.seed} bots in game {number}"),
        )
        seats = tuple(bots[(seat - number) % players] for seat in range(players))
        session, decisions = play_match(start, seats, deals, chance)
        winner = (session.winner - number) % players
        wins = tuple(int(player == winner) for player in range(players))
        tally += WinTally(1, session.rounds_played, decisions, wins)
    return tally


def play_match(session: Any, bots: tuple[Bot, ...], deals: Random, chance: Random) -> tuple[Any, int]:
    """Play a match to its end; return the session and the number of decisions."""
    decisions = 0
    while session.winner is None:
        session = session.deal(session.chance_spec().draw(deals.randrange))
        while session.in_play:
            challenge = first_challenge(session, bots, chance)
            session = session.apply(challenge) if challenge is not None else _after(session, bots, chance)
            decisions += 1
    return session, decisions


def play_hand(session: Any, bots: tuple[Bot, ...], deals: Random, chance: Random) -> tuple[Any, int]:
    """Play one hand at stake 1, which seat 0 opens; return the session and the number of decisions."""
    session, _outcomes, decisions = _play(session, bots, 1, deals, chance, carry=False)
    return session, decisions


def _play_hands(contest: Contest, chunk: int, bots: tuple[Bot, ...]) -> Tally:
    """Play the hands, or the sessions, of a chunk."""
    start, players = table(contest), len(bots)
    deals, chance = Random(f"{contest.seed} deals {chunk}"), Random(f"{contest.seed} bots {chunk}")
    first, end = chunk * CHUNK, min(contest.hands, (chunk + 1) * CHUNK)
    step = HANDS_PER_SLIP if contest.sessions else 1
    tally = Tally.empty(players)
    for hand in range(first, end, step):
        turn = hand // step % players
        seats = tuple((player + turn) % players for player in range(players))
        order = tuple(bots[(seat - turn) % players] for seat in range(players))
        length = min(step, end - hand)
        session, outcomes, decisions = _play(start, order, length, deals, chance, carry=contest.sessions)
        tally = tally.with_sample(tuple(session.score[seat] for seat in seats), outcomes, decisions)
    return tally


def summed(contest: Contest, tallies: Iterable[AnyTally]) -> Iterator[AnyTally]:
    """Yield the running totals of the tallies of a contest's chunks."""
    total: Any = contest.empty_tally()
    for tally in tallies:
        total += tally
        yield total


def _play(
    session: Any, bots: tuple[Bot, ...], hands: int, deals: Random, chance: Random, *, carry: bool
) -> tuple[Any, tuple[int, ...], int]:
    """Play consecutive hands; return the session, the number of hands by outcome, and the number of decisions."""
    setup = BY_THE_RULES if carry else RoundSetup(opener=0, stake=1)
    outcomes = [0] * len(OUTCOMES)
    decisions = 0
    for _hand in range(hands):
        session = session.deal(session.chance_spec().draw(deals.randrange), setup)
        while session.in_play:
            session = _after(session, bots, chance)
            decisions += 1
        outcomes[session.outcome] += 1
    return session, tuple(outcomes), decisions


def _after(session: Any, bots: tuple[Bot, ...], chance: Random) -> Any:
    """Return the session after the bot whose turn it is has acted."""
    bot = bots[session.to_act]
    name = getattr(bot, "__name__", repr(bot))
    try:
        action = bot(session.view(session.to_act), chance)
    except TypeError as error:
        raise BadLineup(_("{name} isn't a bot, or it raised an error: {error}", name=name, error=error)) from error
    if type(action) is not int:
        raise BadLineup(_("{name} played {action}; an action must be an int", name=name, action=repr(action)))
    try:
        return session.apply(action)
    except IllegalAction as error:
        raise BadLineup(_("{name} played an illegal action: {error}", name=name, error=error)) from error


def totals(contest: Contest, jobs: int = 1) -> Iterator[AnyTally]:
    """Play a contest and yield the running totals after each chunk, in the order of the chunks.

    Args:
        contest: what is played.
        jobs: the number of processes; 1 plays in this process. The totals don't depend on it.
    """
    return summed(contest, in_order(partial(play_chunk, contest), range(contest.chunks), jobs))
