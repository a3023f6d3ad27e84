"""What is studied: a game, its options, how many seats, and how long is played."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from liarspoker.core import catalogue
from liarspoker.games.digits.hands import HANDS_PER_SLIP
from liarspoker.research.blocks import Block, Vector, named_parts, size_of
from liarspoker.research.errors import CannotStudy
from liarspoker.research.family import StudyRules, study_rules


@dataclass(frozen=True, eq=False)
class Study:
    """A game as it is studied. All that it tells is fixed, whatever is dealt and played.

    Attributes:
        row: the game's row in the catalogue.
        start: the session before its first round.
        rounds: so many rounds are played, fewer if the match is won before; `None`: until the match is won.
        opener: the seat that opens the first round.
        family: what is known of the family of games.
        layout: the blocks of an observation.
        wait: the number of keeping quiet, where a seat is asked whether it challenges out of turn; one more than that
            of all other actions.
        asks: whether seats are asked so.

    >>> Study.of("dollar-bill", 2, options={"hand_size": 2, "symbols": 2}).actions
    10
    """

    row: catalogue.GameRow
    start: Any
    rounds: int | None
    opener: int
    family: StudyRules[Any, Any]
    layout: tuple[Block, ...]
    wait: int
    asks: bool

    @classmethod
    def of(
        cls,
        game: str,
        seats: int,
        *,
        rounds: int | None = 1,
        options: dict[str, object] | None = None,
        opener: int = 0,
        from_slips: bool | None = None,
    ) -> Study:
        """A game as it is to be studied.

        Args:
            game: the catalogue id.
            seats: how many players.
            rounds: how many rounds are played, 1 or more; `None` for a whole match of a card game, or a session of ten
                hands of a digit game.
            options: those that differ from the game's own, names and values as in a record.
            opener: the seat that opens the first round. Afterwards the rules say who does.
            from_slips: deal from slips; by default single hands come as bills, and sessions as the game usually does.

        Raises:
            UnknownGame, BadSeats, BadOption: as the rules have it.
            CannotStudy: options without an end, no such number of rounds or seat, or stakes that no observation holds.
        """
        row = catalogue.row(game)
        loaded: Any = catalogue.load(game)
        if rounds is not None and rounds < 1:
            raise CannotStudy(f"rounds: {rounds}; it is 1 or more, or None for a whole match or session")
        if from_slips is None and rounds == 1 and not row.has_winner:
            from_slips = False
        start = loaded.session(seats, loaded.options(options or {}), from_slips)
        if not 0 <= opener < seats:
            raise CannotStudy(f"opener: {opener} is none of 0 to {seats - 1}")
        study_rules(row.family).check(start)
        return _study(row, start, HANDS_PER_SLIP if rounds is None and not row.has_winner else rounds, opener)

    def __reduce__(self) -> tuple[Any, ...]:
        """How it is pickled: by what the rest follows from."""
        return _study, (self.row, self.start, self.rounds, self.opener)

    @property
    def seats(self) -> int:
        """How many players."""
        seats: int = self.start.seats
        return seats

    @property
    def whole(self) -> bool:
        """Whether the match counts, and not every round by itself."""
        return self.rounds is None

    @property
    def actions(self) -> int:
        """How many actions there are; they are numbered from 0."""
        return self.wait + self.asks

    @property
    def features(self) -> int:
        """How many numbers an observation has."""
        return size_of(self.layout)

    @property
    def history(self) -> Block | None:
        """The block for what a seat remembers beside its observation; `None` where no block can hold it."""
        return self.family.history(self.start, self.rounds)

    @property
    def most_moves(self) -> int:
        """A bound on the number of actions until the end, those of keeping quiet included."""
        return self.family.most_moves(self.start, self.rounds)

    @property
    def most_units(self) -> int:
        """A bound on what one seat wins or loses until the end."""
        return self.family.most_units(self.start, self.rounds)

    @property
    def most_outcomes(self) -> int:
        """Every outcome of chance is below this."""
        return self.family.most_outcomes(self.start)

    def observe(self, view: Any, vector: Vector) -> None:
        """Write what a seat may know into `vector`, float32 `[features]`."""
        vector.fill(0)
        self.family.observe(view, named_parts(vector, self.layout))


def _study(row: catalogue.GameRow, start: Any, rounds: int | None, opener: int) -> Study:
    """The study of a session that is known to have an end."""
    family = study_rules(row.family)
    layout, size = family.layout(start, rounds), family.size(start)
    return Study(row, start, rounds, opener, family, layout, size, start.anyone_challenges)
