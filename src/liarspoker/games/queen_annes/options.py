"""The options of the pooled games, how their cards are dealt, and both packed into ints for the rule functions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from liarspoker.core.cards.deck import RANKS, deck_size
from liarspoker.core.option_info import GameOptions, OptionInfo

NEXT_OPENERS = ("loser", "winner", "rotate")
EVERYONE_LOST = ("skip_slot", "forgive", "at_once")


@dataclass(frozen=True, slots=True)
class QueenAnnesOptions(GameOptions):
    """How a pooled game is played. The defaults are those of Queen Anne's games (source 004)."""

    jokers: int = 0
    wild_ranks: str = ""
    next_opener: str = "loser"
    who_may_challenge: str = "next"
    flush_order: str = "ranks_first"
    wheel: bool = True
    flush_of_straight: bool = False
    stud_everyone_lost: str = "skip_slot"
    stud_exit_losses: int = 6
    stud_deal_to: str = "to_act"


@dataclass(frozen=True, slots=True)
class Dealing:
    """How the cards of a pooled game come to the players, who sees them, and what a loss costs.

    Attributes:
        hand_cards: cards that are dealt at once.
        loss_costs_card: every loss is one of those cards less, and the last of them the end; otherwise a loss leaves
            out one of the extra cards.
        faces: of the extra cards, one dealt on each turn, which lie face up.
        blind: a player sees the others' cards and not his own.
    """

    hand_cards: int
    loss_costs_card: bool
    faces: tuple[bool, ...] = ()
    blind: bool = False


class QueenAnnesRules(NamedTuple):
    """Options, dealing and the number of seats as ints, 1 for on and 0 for off, for the rule functions.

    `wild_ranks` and `faces` are masks: bit r for rank r (0 is 2, 12 the ace), bit s for extra card s + 1, face up.
    """

    seats: int
    jokers: int
    wild_ranks: int
    hand_cards: int
    loss_costs_card: int
    extras: int
    faces: int
    blind: int
    exit_losses: int
    everyone_lost: int
    deal_to_everyone: int
    next_opener: int
    anyone_challenges: int
    suit_first: int
    wheel: int
    flush_of_straight: int

    @property
    def deck_size(self) -> int:
        """Cards in the deck."""
        return deck_size(self.jokers)


def packed(options: QueenAnnesOptions, dealing: Dealing, seats: int) -> QueenAnnesRules:
    """`options` and `dealing` for a table of `seats` players, as ints."""
    return QueenAnnesRules(
        seats=seats,
        jokers=options.jokers,
        wild_ranks=sum(1 << RANKS.index(rank) for rank in set(options.wild_ranks)),
        hand_cards=dealing.hand_cards,
        loss_costs_card=int(dealing.loss_costs_card),
        extras=len(dealing.faces),
        faces=sum(1 << slot for slot, up in enumerate(dealing.faces) if up),
        blind=int(dealing.blind),
        exit_losses=dealing.hand_cards if dealing.loss_costs_card else options.stud_exit_losses,
        everyone_lost=EVERYONE_LOST.index(options.stud_everyone_lost),
        deal_to_everyone=int(options.stud_deal_to == "everyone"),
        next_opener=NEXT_OPENERS.index(options.next_opener),
        anyone_challenges=int(options.who_may_challenge == "anyone"),
        suit_first=int(options.flush_order == "suit_first"),
        wheel=int(options.wheel),
        flush_of_straight=int(options.flush_of_straight),
    )


_ON_OFF = (True, False)

OPTIONS: tuple[OptionInfo, ...] = (
    OptionInfo("jokers", (0, 1, 2), "jokers in the deck; they are wild", "004: wilds if desired"),
    OptionInfo(
        "wild_ranks",
        ("", "2", "29"),
        "ranks that are wild, each once; a wild card stands for any card that is missing",
        "004: wilds if desired",
        pattern=rf"(?:([{RANKS}])(?!.*\1))*",
    ),
    OptionInfo(
        "next_opener",
        NEXT_OPENERS,
        "who opens the next round: the loser, or the next player if he is out; the winner of the challenge; the next "
        "player in turn",
        "004 leaves it open; the loser by custom",
    ),
    OptionInfo(
        "who_may_challenge",
        ("next", "anyone"),
        "who may challenge a hand: the next player only, or anyone but him who named it",
        "004: in turn",
    ),
    OptionInfo(
        "flush_order",
        ("ranks_first", "suit_first"),
        "what decides between flushes first",
        "004 names both without an order",
    ),
    OptionInfo("wheel", _ON_OFF, "A-2-3-4-5 is a straight, the lowest", "004 leaves it open"),
    OptionInfo(
        "flush_of_straight",
        _ON_OFF,
        "five consecutive ranks of a suit may be named a mere flush",
        "004 leaves it open",
    ),
)

STUD_OPTIONS: tuple[OptionInfo, ...] = (
    OptionInfo(
        "stud_everyone_lost",
        EVERYONE_LOST,
        "when all have lost: the extra cards that all go without are left out, and the first turn brings the next; "
        "losses that all have do not count; everybody's extra cards begin on his first turn",
        "004: ignored",
    ),
    OptionInfo("stud_exit_losses", (6, 5), "losses that put a player out", "004: after six; exhausted, which is five"),
    OptionInfo(
        "stud_deal_to",
        ("to_act", "everyone"),
        "who gets a further card: the player to act, before he acts; everyone, when the opener is to act",
        "004: on each turn",
    ),
)
