"""What both kinds of card games share: a match goes on round after round until one player is left."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar, Protocol

from liarspoker.core.cards.deck import full_deck
from liarspoker.core.cards.elimination import match_score
from liarspoker.core.errors import NotNow
from liarspoker.core.session import CarryOver, ChanceSpec, FaceDownChoice, RoundSetup, Session

if TYPE_CHECKING:
    from collections.abc import Sequence

OVER = "over"


class CardChance(ChanceSpec, Protocol):
    """What a round of a card game draws: a shuffled deck."""

    @property
    def jokers(self) -> int:
        """Jokers in the deck."""


class CardState(Protocol):
    """Where a round of a card game has got to, in ints."""

    @property
    def phase(self) -> int:
        """Its index in `CardMatch.phases`."""

    @property
    def to_act(self) -> int:
        """The seat whose turn it is; -1 at the end."""


class CardRound(Protocol):
    """A round of a card game."""

    @property
    def standing(self) -> CardState:
        """Where it has got to."""


class CardMatch(Session):
    """A match of a card game: who loses a round loses cards or the match, and the last player wins."""

    __slots__ = ()

    phases: ClassVar[Sequence[str]]
    """The names of a round's phases; the last one is `over`."""

    rounds: Sequence[object]
    round: CardRound | None

    @property
    def in_play(self) -> bool:
        """Whether a round has been dealt and not ended."""
        return self.phase != OVER

    @property
    def to_act(self) -> int | None:
        """The seat whose turn it is; `None` between rounds."""
        return None if self.round is None or self.round.standing.to_act < 0 else self.round.standing.to_act

    @property
    def phase(self) -> str:
        """The name of the phase; `over` between rounds."""
        return OVER if self.round is None else self.phases[self.round.standing.phase]

    @property
    def has_winner(self) -> bool:
        """Whether players are eliminated: always."""
        return True

    @property
    def rounds_played(self) -> int:
        """How many rounds have ended."""
        return len(self.rounds)

    @property
    def winner(self) -> int | None:
        """The last seat still in; `None` while there are two."""
        return self.alive[0] if len(self.alive) == 1 else None

    @property
    def score(self) -> tuple[int, ...]:
        """Units won or lost by each seat: once the match is won, one from every other seat to the winner."""
        return match_score(self.seats, self.alive)

    @property
    def losses(self) -> tuple[int, ...]:
        """Each seat's losses so far; empty where the first loss eliminates."""
        return ()

    @abstractmethod
    def chance_spec(self, options: Mapping[str, object] | None = None) -> CardChance:
        """Return what the next round draws."""

    def carry_over(self) -> CarryOver:
        """Return who begins the next round, who is still in, and what they have lost."""
        return CarryOver(self.next_opener if self.rounds_played else None, losses=self.losses, alive=self.alive)

    def face_down_choice(self, opener: int | None = None) -> FaceDownChoice | None:
        """Return the cut, by the seat before the opener; at a card table that is the dealer's right-hand neighbour."""
        begins = self.next_opener if opener is None else opener
        assert begins is not None  # two are still in
        first = self.alive[self.alive.index(begins) - 1]
        return FaceDownChoice("cut", len(full_deck(self.chance_spec().jokers)), first, everybody=False)


def check_stake(setup: RoundSetup) -> None:
    """Refuse a stake that is agreed on.

    Raises:
        NotNow: there is one.
    """
    if setup.stake is not None:
        raise NotNow("wrong-phase", "stake: a match is played for one unit from each player")
