"""What the server has told last of a table, and what follows from it for the one who sits at this terminal."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from liarspoker.core import catalogue
from liarspoker.core.session import Game
from liarspoker.records.words import short_name
from liarspoker.terminal.live.sights import Setting, Sight, is_dealt, sight_of

Json = dict[str, Any]

WAITING, GATHERING, ROUND, ENDED = "waiting", "gathering", "round", "ended"
"""The stages of a table."""

ME = "You"


@dataclass(frozen=True)
class State:
    """A message of the kind `state`.

    Attributes:
        public: what everybody may know.
        you: what one alone may know; empty for somebody who only watches.
        now: the server's time.
    """

    public: Json
    you: Json
    now: float

    @classmethod
    def told(cls, message: Json) -> State:
        """The state of a message."""
        return cls(message["public"], message["you"] or {}, message["now"])

    @property
    def user(self) -> str | None:
        """One's own id."""
        return self.you.get("user")

    @property
    def version(self) -> int:
        """How far the table has come."""
        return int(self.public["version"])

    @property
    def stage(self) -> str:
        """Where the table stands between waiting room and end."""
        return str(self.public["stage"])

    @cached_property
    def game(self) -> Game:
        """What is played."""
        return catalogue.load(self.public["settings"]["game"])

    @property
    def chairs(self) -> dict[str, Json]:
        """Who sits here, by id."""
        return {chair["user"]: chair for chair in self.public["chairs"] if chair is not None}

    @property
    def sits(self) -> bool:
        """Whether one sits here."""
        return self.you.get("chair") is not None

    @property
    def owns(self) -> bool:
        """Whether the table is one's own."""
        return bool(self.you.get("owner"))

    @property
    def gathering(self) -> Json:
        """What is waited for before the next deal, of oneself; empty in a round."""
        return self.you.get("gathering") or {}

    @property
    def wanted(self) -> bool:
        """Whether the next round waits for one's word; also if one is out, and bots alone play on."""
        gathering = self.gathering
        if not gathering or gathering["ready"] or gathering["wanted"]:
            return bool(gathering.get("wanted"))
        users = self.public["gathering"]["users"]
        return all(self.chairs[user]["bot"] for user in users if user in self.chairs)

    def name_of(self, user: str | None) -> str:
        """What somebody is called: oneself is `You`, and nobody else is."""
        if user is not None and user == self.user:
            return ME
        names = {told["user"]: told["name"] for told in self.public["units"]}
        names |= {chair["user"]: chair["name"] for chair in self.chairs.values()}
        return _another(names.get(str(user), "somebody"))

    @property
    def names(self) -> tuple[str, ...]:
        """The players of the round on the table, seat by seat."""
        told = self.public["round"]
        return tuple(
            ME if user == self.user else _another(name) for user, name in zip(told["users"], told["names"], strict=True)
        )

    @property
    def dealt(self) -> bool:
        """Whether a round lies on the table."""
        return is_dealt(self.public["round"])

    @property
    def in_play(self) -> bool:
        """Whether a round is being played."""
        return self.stage == ROUND and self.dealt and "result" not in self.public["round"]

    @cached_property
    def setting(self) -> Setting:
        """The round as the server tells it."""
        settings, told = self.public["settings"], self.public["round"]
        return Setting(self.game, settings, told, self.you.get("seat"), self.you.get("hand") or {})

    @cached_property
    def sight(self) -> Sight:
        """The round on the table, if there is one."""
        return sight_of(self.setting)

    @property
    def turn(self) -> int:
        """The number that an action must name."""
        return int(self.public["turn"])

    @property
    def my_turn(self) -> bool:
        """Whether it is one's turn."""
        return self.in_play and self.user is not None and self.public["to_act"] == self.user

    @property
    def out_of_turn(self) -> int | None:
        """What one may do although it is another's turn, if anything."""
        seat = self.you.get("seat")
        if not self.in_play or self.my_turn or seat is None:
            return None
        action: int | None = self.sight.session.out_of_turn_challenge(seat)
        return action

    @property
    def seconds(self) -> int | None:
        """How long who is to act has; `None` for as long as he likes."""
        deadline = self.public["deadline"]
        return None if deadline is None else max(0, round(deadline - self.now))


def _another(name: str) -> str:
    """The name of somebody else, who may not be taken for oneself."""
    shown = short_name(name)
    return f"“{shown}”" if shown == ME else shown
