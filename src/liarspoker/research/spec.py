"""The game of an environment: options, number of seats, and length of an episode."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from liarspoker.core import catalogue
from liarspoker.games.digits.hands import HANDS_PER_SLIP
from liarspoker.research.blocks import Block, Vector, named_parts, size_of
from liarspoker.research.errors import BadEnvironment
from liarspoker.research.rules import EnvironmentRules, environment_rules


@dataclass(frozen=True, eq=False)
class EnvironmentSpec:
    """The game that an environment plays. Create it with :meth:`of`. It doesn't depend on deals or actions.

    Attributes:
        row: the game's entry in the catalogue.
        start: the session before its first round.
        rounds: the number of rounds in an episode, fewer if the match is won earlier; `None`: until the match is won.
        opener: the seat that opens the first round.
        rules: the environment rules of the family of games.
        layout: the blocks of an observation.
        wait: the number of the action of not challenging out of turn; one more than the number of any other action.
        challenges_out_of_turn: whether seats may challenge out of turn.

    >>> EnvironmentSpec.of("dollar-bill", 2, options={"hand_size": 2, "symbols": 2}).actions
    10
    """

    row: catalogue.GamePreset
    start: Any
    rounds: int | None
    opener: int
    rules: EnvironmentRules[Any, Any]
    layout: tuple[Block, ...]
    wait: int
    challenges_out_of_turn: bool

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
    ) -> EnvironmentSpec:
        """Return the specification of an environment.

        Args:
            game: the catalogue id.
            seats: the number of players.
            rounds: the number of rounds in an episode, 1 or more; `None` for a whole match of a card game, or a session
                of ten hands of a digit game.
            options: options that differ from the game's defaults, by name, as in a record.
            opener: the seat that opens the first round. The rules determine the openers of later rounds.
            from_slips: deal from slips. By default, single hands are dealt as bills, and sessions as is usual in the
                game.

        Raises:
            UnknownGame, BadSeats, BadOption: the game, the number of seats or an option isn't valid.
            BadEnvironment: a round may never end under these options, `rounds` or `opener` is out of range, or stakes
                may exceed the range of the observation.
        """
        row = catalogue.preset(game)
        loaded: Any = catalogue.load(game)
        if rounds is not None and rounds < 1:
            raise BadEnvironment(f"rounds: {rounds}; it must be 1 or more, or None for a whole match or session")
        if from_slips is None and rounds == 1 and not row.has_winner:
            from_slips = False
        start = loaded.session(seats, loaded.options(options or {}), from_slips)
        if not 0 <= opener < seats:
            raise BadEnvironment(f"opener: {opener}; it must be between 0 and {seats - 1}")
        environment_rules(row.family).check(start)
        return _spec(row, start, HANDS_PER_SLIP if rounds is None and not row.has_winner else rounds, opener)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle only what determines the rest."""
        return _spec, (self.row, self.start, self.rounds, self.opener)

    @property
    def seats(self) -> int:
        """The number of players."""
        seats: int = self.start.seats
        return seats

    @property
    def is_match(self) -> bool:
        """Whether the result of the match counts, and not every round by itself."""
        return self.rounds is None

    @property
    def actions(self) -> int:
        """The number of actions; they are numbered from 0."""
        return self.wait + self.challenges_out_of_turn

    @property
    def features(self) -> int:
        """The number of entries of an observation."""
        return size_of(self.layout)

    @property
    def history(self) -> Block | None:
        """The block for what a seat remembers in addition to its observation; `None` if no block can hold it."""
        return self.rules.history(self.start, self.rounds)

    @property
    def most_moves(self) -> int:
        """A bound on the number of actions in an episode, including those of not challenging out of turn."""
        return self.rules.most_moves(self.start, self.rounds)

    @property
    def most_units(self) -> int:
        """A bound on what one seat can win or lose in an episode."""
        return self.rules.most_units(self.start, self.rounds)

    @property
    def most_outcomes(self) -> int:
        """A number that is greater than every chance outcome."""
        return self.rules.most_outcomes(self.start)

    def observe(self, view: Any, vector: Vector) -> None:
        """Write what a seat may know into `vector`, float32 `[features]`."""
        vector.fill(0)
        self.rules.observe(view, named_parts(vector, self.layout))


def _spec(row: catalogue.GamePreset, start: Any, rounds: int | None, opener: int) -> EnvironmentSpec:
    """Return the specification of a session that is known to be finite."""
    family = environment_rules(row.family)
    layout, size = family.layout(start, rounds), family.size(start)
    return EnvironmentSpec(row, start, rounds, opener, family, layout, size, start.anyone_challenges)
