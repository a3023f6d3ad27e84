"""The rules of liar's dice."""

from __future__ import annotations

from dataclasses import dataclass, replace

from liarspoker.core.errors import (
    LEGAL,
    NO_SUCH_CLAIM,
    NOT_STRONGER,
    ROUND_OVER,
    UNREADABLE_ACTION,
    WRONG_PHASE,
    IllegalAction,
)
from liarspoker.core.simple import HandDraw, SimpleLegal, SimpleOptions, SimpleSession

FACES = "123456"
CHALLENGE = -1


@dataclass(frozen=True, slots=True)
class DiceOptions(SimpleOptions):
    """How many dice each player rolls, and whether ones count as every face."""

    dice: int = 3
    wild_ones: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class DiceSession(SimpleSession):
    """A session; the bid of `n` dice of a face is `6 * (n - 1) + face - 1`.

    Attributes:
        to_act: the seat whose turn it is.
    """

    options: DiceOptions = DiceOptions()
    to_act: int | None = None

    @property
    def bids(self) -> int:
        """How many bids there are."""
        return len(FACES) * self.seats * self.options.dice

    def draw(self) -> HandDraw:
        """Return the dice of every player."""
        return HandDraw(FACES, (self.options.dice,) * self.seats)

    def begun(self, hands: tuple[str, ...], opener: int) -> DiceSession:
        """Return the session at the beginning of a hand."""
        return replace(self, to_act=opener)

    def after(self, action: int) -> DiceSession:
        """Return the session after a bid, or after the challenge that ends the hand."""
        assert self.to_act is not None
        return replace(self, to_act=None if action == CHALLENGE else (self.to_act + 1) % self.seats)

    def refusal(self, action: int) -> int:
        """Return why an action may not be played now."""
        if not self.in_play:
            return ROUND_OVER
        if action == CHALLENGE:
            return WRONG_PHASE if self.claim is None else LEGAL
        if not 0 <= action < self.bids:
            return NO_SUCH_CLAIM
        return LEGAL if self.claim is None or action > self.claim else NOT_STRONGER

    def legal(self) -> SimpleLegal:
        """Return what the seat to act may do."""
        if not self.in_play:
            return SimpleLegal()
        if self.claim is None:
            return SimpleLegal(range(self.bids))
        return SimpleLegal(range(self.claim + 1, self.bids), (CHALLENGE,))

    def read(self, text: str) -> int:
        """Return the action that a text writes, such as `2x5` or `liar`."""
        if text in ("liar", "challenge"):
            return CHALLENGE
        level, _, face = text.partition("x")
        if not (level.isascii() and level.isdigit() and len(level) < 3 and len(face) == 1 and face in FACES):
            raise IllegalAction(text, UNREADABLE_ACTION)
        if int(level) == 0:
            raise IllegalAction(text, NO_SUCH_CLAIM)
        return len(FACES) * (int(level) - 1) + FACES.index(face)

    def write(self, action: int) -> str:
        """Return an action in the notation."""
        return "liar" if action == CHALLENGE else f"{action // len(FACES) + 1}x{FACES[action % len(FACES)]}"

    def count(self, claim: int) -> int:
        """Return how many dice show the face of a bid."""
        faces = {FACES[claim % len(FACES)], *("1" if self.options.wild_ones else "")}
        return sum(die in faces for hand in self.hands for die in hand)

    @property
    def loser(self) -> int:
        """The seat that pays: the bidder where there were too few, else the challenger."""
        assert self.claim is not None
        assert self.claimant is not None
        return self.claimant if self.count(self.claim) <= self.claim // len(FACES) else self.moves[-1][0]

    def won(self) -> tuple[int, ...]:
        """Return what each seat wins: the loser pays a unit to the other."""
        winner = self.moves[-1][0] if self.loser == self.claimant else self.claimant
        return tuple((seat == winner) - (seat == self.loser) for seat in range(self.seats))

    def result_text(self) -> list[str]:
        """Return how the hand came out."""
        assert self.claim is not None
        return [
            f"The bid is {self.write(self.claim)}, the count {self.count(self.claim)}; {{{self.loser}}} pays a unit"
        ]

    @property
    def next_opener(self) -> int:
        """The loser of the last hand."""
        return self.loser if self.rounds and not self.in_play else 0
