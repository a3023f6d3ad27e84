"""Options and dealing of Queen Anne's games, and both packed into ints for the rule functions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from liarspoker.core.cards.deck import RANKS, deck_size
from liarspoker.core.option_info import GameOptions, OptionInfo
from liarspoker.language import N_

NEXT_OPENERS = ("loser", "winner", "rotate")
EVERYONE_LOST = ("skip_slot", "forgive", "at_once")


@dataclass(frozen=True, slots=True)
class QueenAnnesOptions(GameOptions):
    """Options of a game. The defaults are those of Queen Anne's games (source 004)."""

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
    """How cards are dealt, who sees them, and what a loss costs.

    Attributes:
        hand_cards: number of cards dealt to each player at the start of a round.
        loss_costs_card: if true, each loss costs one of those cards, and a player without cards is out; if false, each
            loss costs one extra card.
        faces: whether each extra card, one per turn, is dealt face up.
        blind: players see the other players' cards, but not their own.
    """

    hand_cards: int
    loss_costs_card: bool
    faces: tuple[bool, ...] = ()
    blind: bool = False


class QueenAnnesRules(NamedTuple):
    """Options, dealing and the number of seats as ints for the rule functions; 1 is on, 0 is off.

    `wild_ranks` is a mask with bit r for rank r (0 is the two, 12 the ace). `faces` is a mask with bit s set if extra
    card s + 1 is dealt face up.
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
        """The number of cards in the deck."""
        return deck_size(self.jokers)


def packed(options: QueenAnnesOptions, dealing: Dealing, seats: int) -> QueenAnnesRules:
    """Pack `options` and `dealing` for a table of `seats` players into ints."""
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
    OptionInfo("jokers", (0, 1, 2), N_("jokers in the deck; they are wild"), N_("004: wilds if desired")),
    OptionInfo(
        "wild_ranks",
        ("", "2", "29"),
        N_("wild ranks, each listed once; a wild card substitutes for any missing card"),
        N_("004: wilds if desired"),
        pattern=rf"(?:([{RANKS}])(?!.*\1))*",
    ),
    OptionInfo(
        "next_opener",
        NEXT_OPENERS,
        N_(
            "who opens the next round: the loser, or the next player if the loser is out; the winner of the challenge; "
            "or the player after the last opener"
        ),
        N_("not in 004; by custom, the loser"),
    ),
    OptionInfo(
        "who_may_challenge",
        ("next", "anyone"),
        N_("who may challenge a hand: only the next player, or anyone except the player who named it"),
        N_("004: in turn"),
    ),
    OptionInfo(
        "flush_order",
        ("ranks_first", "suit_first"),
        N_("how flushes compare: by ranks, then suit, or by suit, then ranks"),
        N_("004 names both, but no order"),
    ),
    OptionInfo("wheel", _ON_OFF, N_("A-2-3-4-5 is the lowest straight"), N_("not in 004")),
    OptionInfo(
        "flush_of_straight",
        _ON_OFF,
        N_("five cards of one suit in sequence may also be named as a flush"),
        N_("not in 004"),
    ),
)

STUD_OPTIONS: tuple[OptionInfo, ...] = (
    OptionInfo(
        "stud_everyone_lost",
        EVERYONE_LOST,
        N_(
            "when every remaining player has lost: skip the extra cards that nobody would get, so that the next one "
            "comes on the first turn; ignore the losses that all of them have; or deal each player's extra cards from "
            "their first turn on"
        ),
        N_("004: ignored"),
    ),
    OptionInfo(
        "stud_exit_losses",
        (6, 5),
        N_("number of losses after which a player is out"),
        N_('004: after six; or "exhausted", which is five'),
    ),
    OptionInfo(
        "stud_deal_to",
        ("to_act", "everyone"),
        N_("who gets an extra card: the player to act, before they act; or everyone, when the opener is to act"),
        N_("004: on each turn"),
    ),
)
