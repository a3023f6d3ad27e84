"""Bots against bots, many hands long, the same for the same seed however the work is split.

The hands are cut into chunks of fixed length, each with chance of its own, so a chunk can be played anywhere. In every
chunk the deals and the bots draw from different sources: other bots meet the same deals.

A game in which players drop out until one has won is played to its end, again and again. Such games are cut into
chunks too, and each has chance of its own; other bots meet the same first deals.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from random import Random
from typing import Any

from liarspoker.bots import catalogue
from liarspoker.bots.protocol import Bot, shout
from liarspoker.bots.tally import Tally, WinTally
from liarspoker.core import catalogue as games
from liarspoker.core.errors import BadOption, IllegalAction, LiarsPokerError
from liarspoker.core.session import BY_THE_RULES, RoundSetup
from liarspoker.games.digits.hands import HANDS_PER_SLIP
from liarspoker.games.digits.settlement import OUTCOMES
from liarspoker.processes import in_order

CHUNK = 1000
"""Hands in a chunk, a whole number of sessions."""

GAMES_CHUNK = 20
"""Whole games in a chunk."""


class BadLineup(LiarsPokerError):
    """A bot that does not know the game, or that played what the rules refuse."""

    code = "bad-lineup"


AnyTally = Tally | WinTally


@dataclass(frozen=True, slots=True)
class Contest:
    """Who plays what, and how long. Everything in it is plain, so it can be handed to another process.

    Attributes:
        game: the catalogue id.
        lineup: one bot a player, by name or by place (`module:name`).
        hands: how many hands in all; where a game has a winner, how many whole games.
        seed: of all chance.
        changes: options that differ from the game's, as (name, value).
        sessions: play sessions of ten hands, with their stakes and openers, and not single hands.
        from_slips: deal from slips; by default single hands come as bills, and sessions as the game usually does.
    """

    game: str
    lineup: tuple[str, ...]
    hands: int
    seed: int
    changes: tuple[tuple[str, object], ...] = ()
    sessions: bool = False
    from_slips: bool | None = None

    @property
    def to_the_end(self) -> bool:
        """Whether whole games are played, until one has won."""
        return games.row(self.game).has_winner

    @property
    def chunk_length(self) -> int:
        """How many hands, or whole games, are in a chunk."""
        return GAMES_CHUNK if self.to_the_end else CHUNK

    @property
    def chunks(self) -> int:
        """Into how many chunks the hands are cut; the last may be shorter."""
        return -(-self.hands // self.chunk_length)

    def nothing(self) -> AnyTally:
        """The totals before anything was played."""
        return (WinTally if self.to_the_end else Tally).empty(len(self.lineup))


def table(contest: Contest) -> Any:
    """The contest's session before its first hand.

    Raises:
        LiarsPokerError: there is no such game, option or way to deal, or it does not seat so many.
    """
    game: Any = games.load(contest.game)
    if contest.to_the_end:
        if contest.sessions or contest.from_slips is not None:
            raise BadOption(f"{contest.game} is a match, played to its end: no sessions, slips or bills")
        return game.session(len(contest.lineup), game.options(dict(contest.changes)))
    from_slips = contest.from_slips if contest.sessions else bool(contest.from_slips)
    return game.session(len(contest.lineup), game.options(dict(contest.changes)), from_slips)


def seated(contest: Contest) -> tuple[Bot, ...]:
    """The bots of the lineup, loaded.

    Raises:
        UnknownBot: one of the names is no bot's.
        BadLineup: one of the bots does not play this game.
    """
    game = games.row(contest.game)
    for name in contest.lineup:
        if ":" not in name and not catalogue.row(name).plays(game):
            raise BadLineup(f"{name} does not play {game.id}")
    return tuple(catalogue.at(name) if ":" in name else catalogue.load(name, game.family) for name in contest.lineup)


def play_chunk(contest: Contest, chunk: int) -> AnyTally:
    """Play one chunk, numbered from 0.

    Player i of the lineup sits in seat (i + number) mod players in the hand (or session, or game) of that number, and
    seat 0 opens it: in turn everybody sits everywhere, and everybody keeps the same neighbours.

    Raises:
        BadLineup: a bot played what the rules refuse.

    >>> play_chunk(Contest("slips", ("beginner", "uniform"), hands=50, seed=1), 0).won
    (37, -37)
    """
    return _games(contest, chunk) if contest.to_the_end else _hands(contest, chunk)


def _games(contest: Contest, chunk: int) -> WinTally:
    """The whole games of a chunk."""
    start, bots = table(contest), seated(contest)
    players = len(bots)
    tally = WinTally.empty(players)
    for number in range(chunk * GAMES_CHUNK, min(contest.hands, (chunk + 1) * GAMES_CHUNK)):
        deals, chance = (
            Random(f"{contest.seed} deals of game {number}"),
            Random(f"{contest.seed} bots in game {number}"),
        )
        seats = tuple(bots[(seat - number) % players] for seat in range(players))
        session, decisions = start, 0
        while session.winner is None:
            session = session.deal(session.chance_spec().draw(deals.randrange))
            while session.in_play:
                challenge = shout(session, seats, chance)
                session = session.apply(challenge) if challenge is not None else _after(session, seats, chance)
                decisions += 1
        winner = (session.winner - number) % players
        wins = tuple(int(player == winner) for player in range(players))
        tally += WinTally(1, session.rounds_played, decisions, wins)
    return tally


def _hands(contest: Contest, chunk: int) -> Tally:
    """The hands, or the sessions, of a chunk."""
    start, bots = table(contest), seated(contest)
    deals, chance = Random(f"{contest.seed} deals {chunk}"), Random(f"{contest.seed} bots {chunk}")
    first, end = chunk * CHUNK, min(contest.hands, (chunk + 1) * CHUNK)
    step = HANDS_PER_SLIP if contest.sessions else 1
    players = len(bots)
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
    """The totals so far, after each of the tallies of a contest."""
    total: Any = contest.nothing()
    for tally in tallies:
        total += tally
        yield total


def _play(
    session: Any, bots: tuple[Bot, ...], hands: int, deals: Random, chance: Random, *, carry: bool
) -> tuple[Any, tuple[int, ...], int]:
    """So many hands in a row: the session after them, how they came out, and how many decisions they took."""
    setup = BY_THE_RULES if carry else RoundSetup(opener=0, stake=1)
    outcomes = [0] * len(OUTCOMES)
    decisions = 0
    for _ in range(hands):
        session = session.deal(session.chance_spec().draw(deals.randrange), setup)
        while session.in_play:
            session = _after(session, bots, chance)
            decisions += 1
        outcomes[session.outcome] += 1
    return session, tuple(outcomes), decisions


def _after(session: Any, bots: tuple[Bot, ...], chance: Random) -> Any:
    """The session after the bot whose turn it is has acted."""
    bot = bots[session.to_act]
    name = getattr(bot, "__name__", repr(bot))
    try:
        action = bot(session.view(session.to_act), chance)
    except TypeError as error:
        raise BadLineup(f"{name} is no bot, or fails as one: {error}") from error
    if type(action) is not int:
        raise BadLineup(f"{name} played {action!r}; an action is a whole number")
    try:
        return session.apply(action)
    except IllegalAction as error:
        raise BadLineup(f"{name} played what the rules refuse: {error}") from error


def totals(contest: Contest, jobs: int) -> Iterator[AnyTally]:
    """Play a contest with so many processes; after each chunk, in their order, the totals so far.

    Args:
        contest: what is played.
        jobs: 1 plays in this process, more start so many others.
    """
    return summed(contest, in_order(partial(play_chunk, contest), range(contest.chunks), jobs))
