"""Puzzles: what to do in a hand, among four actions of which one is clearly the best.

`puzzles.json` was made by :mod:`liarspoker.coach.puzzles` from hands between bots.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date
from functools import lru_cache
from importlib.resources import files
from typing import Any, NamedTuple, cast

from liarspoker.core import catalogue
from liarspoker.core.session import RoundSetup
from liarspoker.games.digits.deal import DigitDeal
from liarspoker.games.digits.hands import HIDDEN
from liarspoker.games.digits.session import DigitSession
from liarspoker.language import N_, _, language

MOST_COUNTS = 5
"""The number of columns of a belief: none of a digit, one, two, three, and four or more."""

MOST_DOUBT = 3
"""A sheet mentions when to challenge at once up to this much above what its own bids may ask of the others."""

NAMES = ("Ann", "Ben", "Cleo", "Dan", "Eve", "Finn")
"""The other players' names, by seat."""

FIRST_RATING = 1200
"""The rating before the first puzzle."""

_STRIDE = 37
"""Puzzles come in steps of this many, so that neighbours in the file aren't neighbours for the solver."""

_SWING = 40
"""The most points that a puzzle can change a rating by."""

_SCALE = 400


@dataclass(frozen=True, slots=True)
class Choice:
    """An action to choose, and what it wins on average, in units at stake 1, with half its 95% interval."""

    action: str
    mean: float
    half_width: float


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A decision.

    Attributes:
        number: its number, from 0.
        game: the catalogue id.
        players: the number of players.
        seat: the seat that decides.
        hand: its number.
        actions: the actions before it, in notation.
        rating: how hard it is, in points of the solver's rating.
        choices: the actions to choose from, bids first.
        best: the best of them.
        digit: the digit of the standing bid.
        beliefs: for each seat the probability that it holds 0, 1, ... of that digit; the last column is of all higher
            counts.
        means: for each seat how many of that digit it holds on average.
        reasons: sentences on each choice, by language.
    """

    number: int
    game: str
    players: int
    seat: int
    hand: str
    actions: tuple[str, ...]
    rating: int
    choices: tuple[Choice, ...]
    best: str
    digit: int
    beliefs: tuple[tuple[float, ...], ...]
    means: tuple[float, ...]
    reasons: Mapping[str, Mapping[str, list[str]]]

    def session(self) -> DigitSession:
        """Return the session before the decision; only the seat's own number is known."""
        game: Any = catalogue.load(self.game)
        hidden = HIDDEN * len(self.hand)
        numbers = tuple(self.hand if seat == self.seat else hidden for seat in range(self.players))
        session: Any = game.session(self.players, None, False).deal(DigitDeal(numbers=numbers), RoundSetup(0, 1))
        for action in self.actions:
            session = session.apply(session.read(action))
        return cast(DigitSession, session)

    def worth(self, action: str) -> float:
        """Return what an action wins less than the best one, in units at stake 1."""
        means = {choice.action: choice.mean for choice in self.choices}
        return means[self.best] - means[action]

    def why(self, action: str) -> list[str]:
        """Return the reasons of a choice in the current language."""
        return self.reasons.get(language(), self.reasons["en"])[action]

    @property
    def names(self) -> tuple[str, ...]:
        """The players' names by seat; that of the seat itself isn't used."""
        return NAMES[: self.players]


def stored() -> list[dict[str, Any]]:
    """Return all puzzles as they are stored, with the names of `Puzzle`'s attributes."""
    rows: list[dict[str, Any]] = json.loads(files(__package__).joinpath("puzzles.json").read_text("utf-8"))
    return rows


@lru_cache(1)
def puzzles() -> tuple[Puzzle, ...]:
    """Return all puzzles."""
    return tuple(
        Puzzle(
            number=number,
            **{
                **row,
                "actions": tuple(row["actions"]),
                "choices": tuple(Choice(**choice) for choice in row["choices"]),
                "beliefs": tuple(map(tuple, row["beliefs"])),
                "means": tuple(row["means"]),
            },
        )
        for number, row in enumerate(stored())
    )


def of_the_day(day: date) -> Puzzle:
    """Return the puzzle of a day, the same for everybody."""
    return puzzles()[day.toordinal() * _STRIDE % len(puzzles())]


class Measured(NamedTuple):
    """What a sheet wins per hand at stake 1 from others that play as one bot, with half its 95% interval."""

    mean: float
    half_width: float


@dataclass(frozen=True, slots=True)
class Sheet:
    """A strategy of four numbers, which :mod:`liarspoker.coach.sheets` describes and finds.

    Attributes:
        players: the number of players.
        more: how many more than the hand holds the opening bids.
        doubt: the most that another player's bid may ask of the others without being challenged.
        most: the most that a bid may ask of the others.
        again: the same for a rebid.
        champion, binomial, bluffer: what it wins from these bots.
    """

    players: int
    more: int
    doubt: int
    most: int
    again: int
    champion: Measured
    binomial: Measured
    bluffer: Measured


@lru_cache(1)
def sheets() -> tuple[Sheet, ...]:
    """Return the sheets, for the game of 1986, by the number of players."""
    rows = json.loads(files(__package__).joinpath("sheets.json").read_text("utf-8"))["sheets"]
    against = ("champion", "binomial", "bluffer")
    return tuple(Sheet(**{**row, **{name: Measured(**row[name]) for name in against}}) for row in rows)


def sheet_in_words(sheet: Sheet) -> list[str]:
    """Return the rules of a sheet as sentences, in the order in which they apply."""
    opening = N_("Open with your most frequent digit, {count} more than you hold.")
    if sheet.more == 0:
        opening = N_("Open with your most frequent digit, at the number that you hold.")
    doubted = N_("Challenge a bid that needs more than {count} of its digit in the other hands.")
    raised = N_(
        "Otherwise make the higher bid that needs the fewest in the other hands, if those are {count} or fewer. "
        "Challenge if they are more."
    )
    again = N_(
        "If everybody has challenged you, make such a rebid if it needs {count} or fewer. Count if it needs more."
    )
    if sheet.again == 0:
        again = N_("If everybody has challenged you, rebid only what you hold alone. Otherwise count.")
    lines = [_(opening, count=sheet.more)]
    if sheet.doubt <= sheet.most + MOST_DOUBT:  # beyond that, there is no such bid without a safer one above it
        lines.append(_(doubted, count=sheet.doubt))
    return [*lines, _(raised, count=sheet.most), _(again, count=sheet.again)]


@dataclass(frozen=True, slots=True)
class Progress:
    """How somebody does with the puzzles.

    Attributes:
        place: the number of puzzles that were tried in their order.
        tried: the number of all puzzles that were tried.
        right: of how many the best action was chosen.
        streak: how many of the latest were right, in a row.
        longest: the longest streak.
        rating: their rating.
        day: the day of the last puzzle of the day, as :meth:`datetime.date.toordinal`; 0 for none.
        days: on how many days in a row they tried it.
    """

    place: int = 0
    tried: int = 0
    right: int = 0
    streak: int = 0
    longest: int = 0
    rating: int = FIRST_RATING
    day: int = 0
    days: int = 0

    @classmethod
    def read(cls, text: str) -> Progress:
        """Read what `str` wrote; anything else is a beginning."""
        parts = text.split(".")
        if len(parts) != len(cls.__slots__) or not all(part.isascii() and part.isdigit() for part in parts):
            return cls()
        if any(len(part) > 8 for part in parts):
            return cls()
        return cls(*map(int, parts))

    def __str__(self) -> str:
        return ".".join(str(getattr(self, name)) for name in self.__slots__)

    @property
    def next(self) -> Puzzle:
        """The next puzzle."""
        return puzzles()[(self.place + 1) * _STRIDE % len(puzzles())]

    def days_until(self, today: date) -> int:
        """Return on how many days in a row, up to today or yesterday, they tried the puzzle of the day."""
        return self.days if self.day >= today.toordinal() - 1 else 0

    def answered(self, puzzle: Puzzle, action: str, today: date | None = None) -> Progress:
        """Return the progress after an answer.

        Args:
            puzzle: the puzzle.
            action: the action that was chosen.
            today: the day whose puzzle it is; `None` if it isn't one. A second try on the same day changes nothing.
        """
        if today is not None and self.day == today.toordinal():
            return self
        is_right = action == puzzle.best
        expected = 1 / (1 + 10 ** ((puzzle.rating - self.rating) / _SCALE))
        streak = self.streak + 1 if is_right else 0
        after = replace(
            self,
            place=self.place + (today is None),
            tried=self.tried + 1,
            right=self.right + is_right,
            streak=streak,
            longest=max(self.longest, streak),
            rating=max(100, round(self.rating + _SWING * (is_right - expected))),
        )
        if today is None:
            return after
        return replace(after, day=today.toordinal(), days=self.days_until(today) + 1)
