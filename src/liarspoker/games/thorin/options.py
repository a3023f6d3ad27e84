"""Thorin's options: what each is called, which values it takes, and their packed form."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from liarspoker.core.option_info import GameOptions, OptionInfo

_OFF_ON = (False, True)

OPTIONS: tuple[OptionInfo, ...] = (
    OptionInfo("jokers", (0, 1, 2), "jokers in the deck; they are wild", "002: jokers are optional"),
    OptionInfo("passes", (0, 1), "how often in a match each player under the gun may pass", "002, variants"),
    OptionInfo(
        "dealers_choice",
        _OFF_ON,
        "who begins a round says what holds for it: how many jokers and passes, when a joker may be a card that the "
        "hand holds already, what saves a declaration, and whether the best hand of all may be taken",
        "002, variants",
    ),
    OptionInfo(
        "duplicate",
        ("five_only", "any"),
        "when a joker may be a card that the hand holds already: only to make five of a kind, or always",
        "002 leaves it open",
    ),
    OptionInfo(
        "or_better",
        ("worst", "words"),
        "what saves a declaration: a hand as good as the worst that fits it; or one that fits it or beats all that do",
        "002: as good as declared, or better",
    ),
    OptionInfo(
        "take_top",
        _OFF_ON,
        "a hand declared to be the best of all may be taken, and then the taker is out",
        "002 leaves it open",
    ),
)

NAMED_OPTIONS = tuple(info for info in OPTIONS if info.name != "dealers_choice")
"""What the player who begins a round may name for it, where the dealer has the choice."""


@dataclass(frozen=True, slots=True)
class ThorinOptions(GameOptions):
    """How Thorin's game is played. The defaults are those of its rules (source 002)."""

    whose: ClassVar[str] = "there is"
    infos: ClassVar[tuple[OptionInfo, ...]] = OPTIONS

    jokers: int = 0
    passes: int = 0
    dealers_choice: bool = False
    duplicate: str = "five_only"
    or_better: str = "worst"
    take_top: bool = False


class ThorinRules(NamedTuple):
    """The options of a round and the number of seats as ints, 1 for on and 0 for off, for the rule functions."""

    seats: int
    jokers: int
    passes: int
    double_any: int
    by_words: int
    take_top: int

    @property
    def deck_size(self) -> int:
        """Cards in the deck."""
        return 52 + self.jokers


def packed(options: ThorinOptions, seats: int) -> ThorinRules:
    """`options` for a table of `seats` players, as ints."""
    return ThorinRules(
        seats=seats,
        jokers=options.jokers,
        passes=options.passes,
        double_any=int(options.duplicate == "any"),
        by_words=int(options.or_better == "words"),
        take_top=int(options.take_top),
    )
