"""How many cards a player gets, and on which turn which extra card comes.

The extra cards are slots 1 to 5: up, up, up, up, down. Who has lost L times goes without the first L of them, and if
all living players have lost m times, the first m are left out for the whole table (source 004, Variant 2).
"""

from __future__ import annotations

from liarspoker.games.queen_annes.options import EVERYONE_LOST, QueenAnnesRules

NO_SLOT = 0
_SKIP_SLOT, _FORGIVE, _AT_ONCE = range(len(EVERYONE_LOST))


def cards_at_once(losses: int, rules: QueenAnnesRules) -> int:
    """How many cards a player gets before the round begins; none once he is out."""
    if losses >= rules.exit_losses:
        return 0
    return rules.hand_cards - losses if rules.loss_costs_card else rules.hand_cards


def extra_slot(turn: int, losses: int, common: int, rules: QueenAnnesRules) -> int:
    """Which extra card comes on a turn.

    Args:
        turn: the player's turn in this round, from 1.
        losses: how often he has lost.
        common: how often all living players have lost, the least of their losses.
        rules: the table's rules.

    Returns:
        The slot, 1 to 5; `NO_SLOT` if no card comes.

    >>> from liarspoker.games.queen_annes.options import packed
    >>> from liarspoker.games.queen_annes.presets import presets
    >>> stud = presets()["queen-annes-stud"]
    >>> rules = packed(stud.options, stud.dealing, seats=3)
    >>> [extra_slot(turn, 2, 1, rules) for turn in range(1, 6)]
    [0, 3, 4, 5, 0]
    """
    if rules.everyone_lost == _AT_ONCE:
        slot, omitted = turn + losses, losses
    elif rules.everyone_lost == _FORGIVE:
        slot, omitted = turn, losses - common
    else:
        slot, omitted = turn + common, losses
    return slot if omitted < slot <= rules.extras else NO_SLOT


def face_up(slot: int, rules: QueenAnnesRules) -> bool:
    """Whether the extra card of `slot`, 1 to 5, lies face up."""
    return bool(rules.faces >> slot - 1 & 1)


def sees_hand(seat: int, owner: int, blind: bool) -> bool:
    """Whether a living player sees the cards dealt to `owner` at once: his own, or, where he is blind, the others'."""
    return (owner == seat) != blind


def sees_extra(seat: int | None, owner: int, face_up: bool) -> bool:
    """Whether `seat`, or somebody who does not play, sees an extra card of `owner`: face up, or his own."""
    return face_up or owner == seat
