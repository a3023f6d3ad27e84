"""The last state of a table that the server sent, and what follows from it for the player at this terminal."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from liarspoker.core import catalogue
from liarspoker.core.session import Game
from liarspoker.protocol import frames
from liarspoker.protocol.views import ChairView, PrivateView, PublicView, RoundView, WantedView
from liarspoker.records.words import short_name
from liarspoker.terminal.renderer import LiveRound, Position, renderer_of

ME = "You"
NOT_WANTED = WantedView(ready=False, wanted=False, open_nonce=False, name=False, pick=False)
NOBODY = PrivateView(user="", chair=None, owner=False, votes=(), muted=())


@dataclass(frozen=True)
class State:
    """A table as the player may know it, at the server's time; `you` is `NOBODY` for a spectator without a name."""

    public: PublicView
    you: PrivateView
    now: float

    @classmethod
    def of(cls, frame: frames.State) -> State:
        """Return the state of a frame."""
        return cls(frame.public, frame.you or NOBODY, frame.now)

    @property
    def user(self) -> str | None:
        """The player's id."""
        return self.you.user or None

    @property
    def waiting(self) -> bool:
        """Whether the table waits for its owner to start the game."""
        return self.public.stage == "waiting"

    @property
    def gathering(self) -> bool:
        """Whether the table waits for players before a round."""
        return self.public.stage == "gathering"

    @property
    def ended(self) -> bool:
        """Whether the table has ended."""
        return self.public.stage == "ended"

    @cached_property
    def game(self) -> Game:
        """The game."""
        return catalogue.load(self.public.settings.game)

    @property
    def chairs(self) -> dict[str, ChairView]:
        """The players at the table, by id."""
        return {chair.user: chair for chair in self.public.chairs if chair is not None}

    @property
    def sits(self) -> bool:
        """Whether the player has a seat."""
        return self.you.chair is not None

    @property
    def needs(self) -> WantedView:
        """What the next deal needs from the player; nothing during a round."""
        return self.you.gathering or NOT_WANTED

    @property
    def wanted(self) -> bool:
        """Whether the next round waits for the player, also if they are eliminated and only bots play on."""
        needs, gathering = self.you.gathering, self.public.gathering
        if needs is None or needs.ready or needs.wanted:
            return needs is not None and needs.wanted
        users = () if gathering is None else gathering.users
        return all(self.chairs[user].bot for user in users if user in self.chairs)

    def name_of(self, user: str | int | None) -> str:
        """Return a player's name; the player at this terminal is `You`, and nobody else is."""
        if user is not None and user == self.user:
            return ME
        names = {one.user: one.name for one in self.public.units}
        names |= {chair.user: chair.name for chair in self.chairs.values()}
        return _another(names.get(str(user), "somebody"))

    @property
    def names(self) -> tuple[str, ...]:
        """The players of the current round, seat by seat."""
        dealt = self.dealt
        return tuple(
            ME if user == self.user else _another(name) for user, name in zip(dealt.users, dealt.names, strict=True)
        )

    @property
    def dealt(self) -> RoundView:
        """The current or last round."""
        assert self.public.round is not None
        return self.public.round

    @property
    def in_play(self) -> bool:
        """Whether a round is in play."""
        return self.public.stage == "round" and self.public.round is not None and self.dealt.to_act is not None

    @cached_property
    def live_round(self) -> LiveRound:
        """The current or last round as the server sent it."""
        return LiveRound(self.game, self.public.settings, self.dealt, self.you.hand, self.you.seat)

    def after(self, moves: int) -> Position[Any, Any]:
        """Return the round after its first `moves` moves."""
        session, view = renderer_of(self.game).rebuild(self.live_round, moves)
        return Position(session, view, self.names, self.public.round_number)

    @cached_property
    def position(self) -> Position[Any, Any]:
        """The current or last round."""
        return self.after(len(self.dealt.moves))

    @property
    def turn(self) -> int:
        """The turn number that an action must name; 0 if the server doesn't send it."""
        return self.public.turn or 0

    @property
    def my_turn(self) -> bool:
        """Whether it is the player's turn."""
        return self.in_play and self.user is not None and self.public.to_act == self.user

    @property
    def out_of_turn(self) -> int | None:
        """The challenge that the player may make out of turn; `None` if they may not."""
        seat = self.you.seat
        if not self.in_play or self.my_turn or seat is None:
            return None
        challenge: int | None = self.position.session.out_of_turn_challenge(seat)
        return challenge

    @property
    def seconds(self) -> int | None:
        """Seconds that the player to act has; `None` without a limit."""
        deadline = self.public.deadline
        return None if deadline is None else max(0, round(deadline - self.now))


def _another(name: str) -> str:
    """Return the name of another player; a player called `You` gets quotation marks."""
    shown = short_name(name)
    return f"“{shown}”" if shown == ME else shown
