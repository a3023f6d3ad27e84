"""Chances in Thorin's game: what a discard can reach, and what a hand that one has not seen may be."""

from __future__ import annotations

from liarspoker.core.cards.deck import read_joined_cards
from liarspoker.core.cards.hand_values import hand_value
from liarspoker.games.cards.record_words import value_in_ranks
from liarspoker.games.thorin.actions import cards_of, is_discard
from liarspoker.games.thorin.ladder import floor_of, keeps_promise, next_value
from liarspoker.games.thorin.record_text import declared_in_words, sentence
from liarspoker.games.thorin.round import Stint
from liarspoker.games.thorin.state import DISCARDING
from liarspoker.games.thorin.terminal_cards import throw_words, thrown, told, worth
from liarspoker.games.thorin.terminal_claims import claim_heard
from liarspoker.games.thorin.view import ThorinView
from liarspoker.odds.draws import Choice, best_discard, chance_of_fresh_hand, choices, reach
from liarspoker.odds.figures import percent
from liarspoker.terminal.screen import Screen

SHOWN = 5
"""Discards in a table of the best."""


def tell_odds(screen: Screen, view: ThorinView, question: str) -> None:
    """The chances of a declaration, or of a discard, as far as the seat can know them.

    Args:
        screen: where.
        view: what the seat knows.
        question: a declaration, or in the discard also the cards to be thrown; empty for what stands.

    Raises:
        LiarsPokerError: the question is neither.
    """
    if view.standing is None:
        screen.say("Nothing has been dealt yet.")
    elif view.result is not None:
        screen.say("The round is over; why tells how it came out.")
    elif view.hand is not None and view.standing.phase == DISCARDING:
        _tell_discards(screen, view, view.hand, question)
    elif view.hand is not None:
        _tell_declaring(screen, view, view.hand, question)
    else:
        _tell_unseen(screen, view, question)


def _tell_discards(screen: Screen, view: ThorinView, hand: tuple[int, ...], question: str) -> None:
    """What each discard reaches: the least that must be declared, or a declaration of one's choice."""
    rules = view.rules
    cards = throw_words(question) if question else None
    if cards:
        target = next_value(view.floor, rules)
        throw = read_joined_cards(thrown(cards, hand).removeprefix("discard ").replace("-", ""))
        chance = reach(hand, throw, target or view.floor, rules.jokers, bool(rules.double_any))
        screen.say(f"Throw {told(throw)}: {percent(chance)} for {value_in_ranks(target or view.floor)} or better.")
        return
    value = floor_of(claim_heard(question, rules)) if question else next_value(view.floor, rules)
    if value is None:
        screen.say("Nothing beats what was declared.")
        return
    screen.say(f"The chance to hold {value_in_ranks(value)} or better, by what you throw:")
    for choice in choices(hand, value, rules.jokers, bool(rules.double_any))[:SHOWN]:
        screen.say(f"{told(choice.discard):<16}{percent(choice.chance):>8}", indent="  ")
    screen.say("No other discard is better. Ask about one: odds discard and its cards; or about a hand: odds three")


def _tell_declaring(screen: Screen, view: ThorinView, hand: tuple[int, ...], question: str) -> None:
    """Whether a declaration is true of the hand, and what the next player can make of it."""
    rules = view.rules
    value = hand_value(hand, bool(rules.double_any))
    screen.say(f"Your hand is {worth(hand, rules)}.")
    if not question:
        verdict = "beats" if value > view.floor else "does not beat"
        screen.say(f"It {verdict} what stands, {value_in_ranks(view.floor)}.")
        target = next_value(max(value, view.floor), rules)
    else:
        claim = claim_heard(question, rules)
        holds = "true" if keeps_promise(value, claim, rules) else "not true"
        screen.say(sentence(f"{declared_in_words(claim)} is {holds} of it"))
        target = next_value(floor_of(claim), rules)
    if target is not None:
        choice = best_discard(hand, target, rules.jokers, bool(rules.double_any))
        best = f"{percent(choice.chance)}, if he throws {told(choice.discard)}"
        screen.say(f"Who takes it can reach {value_in_ranks(target)} or better: {best}.")


def _tell_unseen(screen: Screen, view: ThorinView, question: str) -> None:
    """The chance that a hand which the seat has not seen keeps what was declared."""
    assert view.standing is not None
    if not question and view.standing.claim < 0:
        screen.say("Nothing has been declared yet; ask about a declaration, as in: odds two-pair")
        return
    rules = view.rules
    claim = claim_heard(question, rules) if question else view.standing.claim
    said = declared_in_words(claim)
    screen.say(f"{said[:1].upper()}{said[1:]}:")
    fresh = chance_of_fresh_hand(floor_of(claim), rules.jokers, bool(rules.double_any))
    screen.say(f"Five cards off a whole deck are that or better with {percent(fresh)}.", indent="  ")
    since = _since(view)
    if since is None:
        return
    hand, throws = since
    known = tell_memory(view)
    if not sum(throws):
        holds = keeps_promise(hand_value(hand, bool(rules.double_any)), claim, rules)
        screen.say(f"{known} So it is {'true' if holds else 'not true'}.", indent="  ")
    elif len([count for count in throws if count]) == 1:
        best = _best_of(hand, floor_of(claim), max(throws), view)
        screen.say(
            f"{known} If {told(best.discard)} went, it is that or better with {percent(best.chance)}.", indent="  "
        )
    else:
        screen.say(known, indent="  ")


def tell_memory(view: ThorinView) -> str:
    """What the seat knows of the hand that it has passed on, and how many cards were thrown since; empty if nothing."""
    since = _since(view)
    if since is None:
        return ""
    hand, throws = since
    count = sum(throws)
    cards = "1 card was" if count == 1 else f"{count or 'no'} cards were"
    return f"When you passed it on it was {told(hand)}; since then {cards} thrown."


def passed_on(stint: Stint) -> tuple[int, ...]:
    """The hand as a seat passed it on."""
    kept = list(stint.taken)
    for card in stint.thrown:
        kept.remove(card)
    return (*kept, *stint.drawn)


def _since(view: ThorinView) -> tuple[tuple[int, ...], tuple[int, ...]] | None:
    """The hand as the seat passed it on, and how many cards each taker has thrown since; `None` if it never had it."""
    if not view.stints or view.hand is not None:
        return None
    last = max(place for place, (seat, action) in enumerate(view.moves) if seat == view.seat and action >= 0)
    throws = tuple(len(cards_of(action)) for _, action in view.moves[last:] if is_discard(action))
    return passed_on(view.stints[-1]), throws


def _best_of(hand: tuple[int, ...], value: int, count: int, view: ThorinView) -> Choice:
    """The best discard of so many cards."""
    found = choices(hand, value, view.rules.jokers, bool(view.rules.double_any))
    return next(choice for choice in found if len(choice.discard) == count)
