"""Queen Anne's three games as data: how each is dealt, and which options it has."""

from __future__ import annotations

from dataclasses import dataclass

from liarspoker.core.cards.deck import RANKS
from liarspoker.core.option_info import OptionInfo
from liarspoker.games.queen_annes.options import EVERYONE_LOST, NEXT_OPENERS, Dealing, PooledOptions

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

_UP_UP_UP_UP_DOWN = (True, True, True, True, False)


@dataclass(frozen=True, slots=True)
class Preset:
    """A pooled game: its options and how it is dealt.

    Attributes:
        options: what the document sets.
        dealing: how cards come to the players, and who sees them.
        option_infos: the options that this game has.
    """

    options: PooledOptions
    dealing: Dealing
    option_infos: tuple[OptionInfo, ...] = OPTIONS


PRESETS = {
    "queen-annes": Preset(PooledOptions(), Dealing(hand_cards=5, loss_costs_card=True)),
    "queen-annes-indian": Preset(PooledOptions(), Dealing(hand_cards=5, loss_costs_card=True, blind=True)),
    "queen-annes-stud": Preset(
        PooledOptions(),
        Dealing(hand_cards=2, loss_costs_card=False, faces=_UP_UP_UP_UP_DOWN),
        (*OPTIONS, *STUD_OPTIONS),
    ),
}
