"""Tables that end at any moment: between two hands or in the middle of one, whoever has come, gone or paused before."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import product
from random import Random
from typing import Any

from liarspoker.core.errors import LiarsPokerError
from liarspoker.protocol.commands import Command
from liarspoker.protocol.events import Event
from liarspoker.protocol.settings import AUDITS
from liarspoker.tables.decide import Asker, make, read_command
from liarspoker.tables.settings import read_settings
from liarspoker.tables.state import ENDED, GATHERING, ROUND, WAITING
from liarspoker.tables.view import public
from tests.tables.play import GAMES, TABLE, as_json
from tests.tables.strolls import USERS, Stroll, random_settings

MOMENTS = (
    "between",
    "ready",
    "opening",
    "dealt",
    "acted",
    "undone",
    "left",
    "removed",
    "paused",
    "joined",
    "with a bot",
)
"""When a table ends, or plays one more round before it does."""

WAYS = ("closed", "left by all", "closed by another", "played to its end")

ROUNDS = {"slips": (0, 1, 9, 10, 11, 19, 20, 21)}
"""How many rounds are played before: in `slips` around the tenth hand of a slip, else up to some matches."""

FEW_ROUNDS = (0, 1, 2, 5)

CALM, LIVELY, WILD = 0.0, 0.03, 0.15
"""How often something happens that does not bring the table on."""


@dataclass(frozen=True)
class Ending:
    """How a table is played, and when and how it ends.

    Attributes:
        game: the catalogue id.
        audit: `full` or `leaves`.
        rounds: how many rounds are played before the moment.
        moment: one of `MOMENTS`.
        way: one of `WAYS`.
        more: how many rounds are played after the moment.
        unrest: how often something happens that does not bring the table on, 0 to 1.
        plain: the game is played as its preset has it.
        seed: of everything else.
    """

    game: str
    audit: str
    rounds: int
    moment: str
    way: str
    more: int
    unrest: float
    plain: bool
    seed: int


def all_endings(seed: int = 0) -> list[Ending]:
    """Every game, audit, number of rounds and moment; how the table ends, and all else, is drawn by chance."""
    chance = Random(seed)
    return [
        Ending(
            *(game, audit, rounds, moment, chance.choice(WAYS)),
            more=chance.choice((0, 0, 1)),
            unrest=chance.choice((CALM, CALM, CALM, LIVELY, WILD)),
            plain=chance.random() < 0.5,
            seed=seed,
        )
        for game, audit in product(GAMES, AUDITS)
        for rounds, moment in product(ROUNDS.get(game, FEW_ROUNDS), MOMENTS)
    ]


@dataclass
class Evening(Stroll):
    """A table that is led to its end.

    Attributes:
        seen: by the number of the deal, every text that anybody could see at the table before the next one.
    """

    seen: dict[int, set[str]] = field(default_factory=dict)

    def decided(self, command: Command, user: str) -> tuple[Event, ...]:
        """What follows from a command; what everybody sees then is remembered."""
        events = super().decided(command, user)
        if self.table.deals and self.table.settings.audit == "leaves":
            self.seen.setdefault(self.table.deals[-1].number, set()).update(texts_in(as_json(public(self.table))))
        return events

    def say(self, user: str, do: str, /, **fields: Any) -> bool:
        """Send a command, never one for another state; whether it took effect."""
        return self.ask(user, read_command({"do": do, **fields}))

    @property
    def over(self) -> bool:
        """Whether the table has ended."""
        return self.table.stage == ENDED

    def play(self, rounds: int, unrest: float) -> None:
        """Play so many more rounds, or until the table ends."""
        goal = self.table.rounds_played + rounds
        while not self.over and self.table.rounds_played < goal:
            self.now += 1
            if self.chance.random() < unrest:
                self.chance.choice((self.ring, self.agree, self.blurt))()
            else:
                self.help()

    def until(self, stage: str) -> None:
        """Bring the table to a stage, or to its end."""
        while not self.over and self.table.stage != stage:
            self.help()

    def into_a_hand(self, most: int) -> None:
        """Bring the table into the middle of a hand of which up to so many actions have been played."""
        self.until(ROUND)
        for _ in range(self.chance.randint(0, most)):
            if self.table.stage == ROUND:
                self.move()
        self.until(ROUND)

    def reach(self, moment: str) -> None:
        """Let one of `MOMENTS` come."""
        do = {
            "between": lambda: None,
            "ready": self._ready,
            "opening": self._opening,
            "dealt": lambda: self.until(ROUND),
            "acted": lambda: self.into_a_hand(12),
            "undone": self._undo,
            "left": self._leave,
            "removed": self._remove,
            "paused": self._pause,
            "joined": self._join,
            "with a bot": self._seat_bot,
        }
        do[moment]()

    def end(self, way: str) -> None:
        """End the table in one of `WAYS`."""
        if way == "closed by another" and not self.over and len(self.table.people) > 1:
            self.say(self.table.owner, "leave")
        if way == "left by all":
            while not self.over:
                self.do(self.chance.choice(self.table.people).user, "leave")
        if way == "played to its end":
            self.play(1000, CALM)
        if not self.over:
            self.do(self.table.owner, "end")

    def _ready(self) -> None:
        self.until(GATHERING)
        if not self.over and self.table.paused is None:
            self.say(self.chance.choice(self.table.people).user, "ready")

    def _opening(self) -> None:
        """Everybody has promised a nonce, and some have opened it; bills and slips are chosen before."""
        self.until(GATHERING)
        for chair in self.table.people:
            if not self.over and self.table.stage == GATHERING:
                self.say(chair.user, "ready", nonce_commitment=self.promise(chair.user))
        for _ in range(self.chance.randrange(4)):
            if self.table.gathering is not None and self.table.paused is None:
                self.help()

    def _undo(self) -> None:
        """Somebody acts, and takes it back with the consent of the others; a count cannot be taken back."""
        for _ in range(20):
            self.into_a_hand(3)
            if self.over:
                return
            self.move()
            sitting = self.table.sitting
            if self.table.stage != ROUND or sitting is None or sitting.mover is None:
                continue
            if self.say(sitting.users[sitting.mover], "propose", kind="undo"):
                self._agree_on("undo")
                return

    def _leave(self) -> None:
        self.into_a_hand(4)
        if len(self.table.people) > 1:
            self.say(self.chance.choice(self.table.people).user, "leave")

    def _remove(self) -> None:
        self.into_a_hand(4)
        if len(self.table.people) > 2:
            by, whom = self.chance.sample(self.table.people, 2)
            self.say(by.user, "propose", kind="remove", value=whom.user)
            self._agree_on("remove")

    def _pause(self) -> None:
        self.into_a_hand(4)
        if not self.over:
            self.say(self.table.owner, "pause")

    def _join(self) -> None:
        self.into_a_hand(4)
        self.say("late", "join")

    def _seat_bot(self) -> None:
        self.into_a_hand(4)
        self.say(self.table.owner, "seat_bot", bot="bluffer")

    def _agree_on(self, kind: str) -> None:
        """Everybody who has a say agrees."""
        for proposal in self.table.proposals:
            for user in proposal.voters if proposal.kind == kind else ():
                if proposal.number in {one.number for one in self.table.proposals}:
                    self.say(user, "answer", proposal=proposal.number, yes=True)


def ended(ending: Ending) -> Evening:
    """The table of an ending, played and ended; the same every time."""
    chance = Random(repr(ending))
    evening = _begun(ending, chance)
    while len(evening.table.seated) < min(evening.table.settings.seats, chance.choice((2, 3, 3, 4))):
        evening.do(USERS[len(evening.table.seated)], "join")
    if ending.rounds or ending.moment != "between":  # else nothing has begun yet
        evening.do(evening.table.owner, "start")
    evening.play(ending.rounds, ending.unrest)
    if not evening.over:
        evening.reach(ending.moment)
    evening.play(ending.more, ending.unrest)
    evening.end(ending.way)
    return evening


def _begun(ending: Ending, chance: Random) -> Evening:
    most = ending.rounds + ending.more + 2 if ending.way == "played to its end" else None
    given: dict[str, Any] = {"game": ending.game, "seats": 5} if ending.plain else random_settings(ending.game, chance)
    given |= {"audit": ending.audit, "rounds": most, "choose": chance.random() < 0.3}
    try:
        settings = read_settings(given)
    except LiarsPokerError:
        settings = read_settings({**given, "options": {}, "from_slips": None})
    events, table = make(TABLE, settings, Asker(USERS[0], "User-0", 1000.0, chance.randbytes(32)))
    assert table.stage == WAITING
    return Evening(table, [events], chance)


def texts_in(told: Any) -> Iterator[str]:
    """Every text in what JSON can hold, keys apart."""
    if isinstance(told, str):
        yield told
    elif isinstance(told, dict | list | tuple):
        for one in told.values() if isinstance(told, dict) else told:
            yield from texts_in(one)
