"""Options of Thorin's game: their names, values and packed form."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from liarspoker.core.option_info import GameOptions, OptionInfo
from liarspoker.language import N_

_OFF_ON = (False, True)

OPTIONS: tuple[OptionInfo, ...] = (
    OptionInfo("jokers", (0, 1, 2), N_("jokers in the deck; they are wild"), N_("002: jokers are optional")),
    OptionInfo(
        "passes", (0, 1), N_("passes that each player has per match, for use when under the gun"), N_("002, variants")
    ),
    OptionInfo(
        "dealers_choice",
        _OFF_ON,
        N_(
            "the player who begins a round chooses its options: jokers, passes, whether a joker may duplicate a card "
            "of the hand, which hands make a declaration true, and whether the best possible hand may be taken"
        ),
        N_("002, variants"),
    ),
    OptionInfo(
        "duplicate",
        ("five_only", "any"),
        N_("when a joker may duplicate a card of the hand: only to make five of a kind, or always"),
        N_("not in 002"),
    ),
    OptionInfo(
        "or_better",
        ("worst", "words"),
        N_(
            "which hands make a declaration true: any hand at least as good as the weakest that fits it; or only hands "
            "that fit it or beat every hand that does"
        ),
        N_("002: as good as declared, or better"),
    ),
    OptionInfo(
        "take_top",
        _OFF_ON,
        N_("a hand declared to be the best possible may be taken; the player who takes it is out"),
        N_("not in 002"),
    ),
)

NAMED_OPTIONS = tuple(info for info in OPTIONS if info.name != "dealers_choice")
"""Options that the player who begins a round may choose for it, under `dealers_choice`."""


@dataclass(frozen=True, slots=True)
class ThorinOptions(GameOptions):
    """Options of Thorin's game. The defaults are those of its rules (source 002)."""

    unknown: ClassVar[str] = N_("{name}: there is no such option; the options are {options}")
    infos: ClassVar[tuple[OptionInfo, ...]] = OPTIONS

    jokers: int = 0
    passes: int = 0
    dealers_choice: bool = False
    duplicate: str = "five_only"
    or_better: str = "worst"
    take_top: bool = False


class ThorinRules(NamedTuple):
    """Options of a round and the number of seats as ints for the rule functions; 1 is on, 0 is off."""

    seats: int
    jokers: int
    passes: int
    double_any: int
    by_words: int
    take_top: int

    @property
    def deck_size(self) -> int:
        """The number of cards in the deck."""
        return 52 + self.jokers


def packed(options: ThorinOptions, seats: int) -> ThorinRules:
    """Pack `options` for a table of `seats` players into ints."""
    return ThorinRules(
        seats=seats,
        jokers=options.jokers,
        passes=options.passes,
        double_any=int(options.duplicate == "any"),
        by_words=int(options.or_better == "words"),
        take_top=int(options.take_top),
    )
