"""The cards of Queen Anne's games as one seat sees them lie, and how the match stands."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from liarspoker.core.cards.deck import UNKNOWN, card_text
from liarspoker.games.cards.record_words import cards_in_words, high_to_low
from liarspoker.games.cards.terminal_matches import tell_standings
from liarspoker.games.queen_annes.dealing import NO_SLOT, cards_at_once, extra_slot, face_up
from liarspoker.games.queen_annes.round import Extra
from liarspoker.games.queen_annes.view import QueenAnnesView
from liarspoker.records.words import subject
from liarspoker.terminal.screen import Screen


def plural(count: int, word: str = "card") -> str:
    """`1 card`, `2 cards`."""
    return f"{count} {word}{'' if count == 1 else 's'}"


def tell_cards(screen: Screen, view: QueenAnnesView, names: tuple[str, ...]) -> None:
    """All cards in play as the seat sees them: its own, and of the others' those that it may see."""
    assert view.terms is not None
    for line in own_cards(screen, view):
        screen.say(line)
    if not view.rules.blind and not view.rules.extras:
        others = [seat for seat in view.terms.alive if seat != view.seat]
        held = ", ".join(f"{names[seat]} {view.hand_sizes[seat]}" for seat in others)
        screen.say(f"The others' cards, which you do not see: {held}.")
        return
    width = max(map(len, names))
    for seat in view.terms.alive:
        if seat != view.seat:
            screen.say(f"{names[seat]:<{width}}  {_seen(view, seat)}", indent="  ")


def own_cards(screen: Screen, view: QueenAnnesView) -> list[str]:
    """The seat's own cards, in a line or two."""
    seat = view.seat
    if seat is None or view.terms is None or seat not in view.terms.alive:
        return ["You hold no cards: you are out."]
    if view.rules.blind:
        size = plural(view.hand_sizes[seat])
        return [f"Your own {size}: hidden from you. You see those of the others:"]
    hand = screen.strong(cards_in_words(high_to_low(view.seen[seat])))
    if not view.rules.extras:
        return [f"Your cards: {hand}."]
    extras = [extra for extra in view.extras if extra.seat == seat]
    up = cards_in_words(extra.card for extra in extras if extra.face_up)
    down = cards_in_words(extra.card for extra in extras if not extra.face_up)
    return [f"Your cards: face down {hand}{f' {down}' if down else ''}{f', face up {up}' if up else ''}."]


def _seen(view: QueenAnnesView, seat: int) -> str:
    """What is seen of another's cards."""
    if not view.rules.extras:
        return cards_in_words(high_to_low(view.seen[seat])) or f"{plural(view.hand_sizes[seat])}, which you do not see"
    extras = [extra for extra in view.extras if extra.seat == seat]
    up = cards_in_words(extra.card for extra in extras if extra.face_up)
    down = view.hand_sizes[seat] + sum(not extra.face_up for extra in extras)
    return f"{f'face up {up}, ' if up else ''}face down {down}"


def tell_extras(screen: Screen, extras: Iterable[Extra], view: QueenAnnesView, names: tuple[str, ...]) -> None:
    """Cards that have just come off the deck: who gets which."""
    for extra in extras:
        who = subject(names[extra.seat], "gets")
        card = "a card" if extra.card == UNKNOWN else card_text(extra.card)
        screen.say(f"{who} {card}, face {'up' if extra.face_up else 'down'}.")


def tell_schedule(screen: Screen, view: QueenAnnesView, names: tuple[str, ...]) -> None:
    """Which further card comes to each seat on which of its turns."""
    assert view.terms is not None
    width = max(map(len, names))
    turns = "when the opener is to act" if view.rules.deal_to_everyone else "on each player's own turns"
    screen.say(f"Further cards come {turns}, before he acts, by the number of the turn:")
    for seat in view.terms.alive:
        screen.say(f"{names[seat]:<{width}}  {', '.join(schedule(view, seat)) or 'none'}", indent="  ")


def schedule(view: QueenAnnesView, seat: int) -> Iterator[str]:
    """The further cards of a seat in this round: `1 up`, the turn and how the card lies."""
    assert view.terms is not None
    losses = view.terms.losses
    common = min(losses[other] for other in view.terms.alive)
    for turn in range(1, view.rules.extras + 1):
        slot = extra_slot(turn, losses[seat], common, view.rules)
        if slot != NO_SLOT:
            yield f"{turn} {'up' if face_up(slot, view.rules) else 'down'}"


def tell_revealed(screen: Screen, view: QueenAnnesView, names: tuple[str, ...]) -> None:
    """All cards, once a challenge has shown them."""
    assert view.result is not None
    width = max(map(len, names))
    screen.say("All cards are shown:")
    for seat, hand in enumerate(view.result.hands):
        if hand:
            extras = [extra.card for extra in view.result.extras if extra.seat == seat]
            screen.say(f"{names[seat]:<{width}}  {cards_in_words(high_to_low((*hand, *extras)))}", indent="  ")


def tell_score(screen: Screen, view: QueenAnnesView, names: tuple[str, ...]) -> None:
    """Who is still in, what each has lost and how many cards it leaves him."""
    rules = view.rules
    told = []
    for lost in view.losses:
        if rules.loss_costs_card:
            left = plural(cards_at_once(lost, rules))
            told.append(f"{left}, {lost} lost")
        else:
            told.append(f"{lost} of {rules.exit_losses} lost")
    tell_standings(screen, view, names, tuple(told))
