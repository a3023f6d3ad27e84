"""The actions of a round, and what the viewer knows about the hand."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from liarspoker.core.cards.deck import card_text, read_cards
from liarspoker.games.cards.wording import high_to_low
from liarspoker.games.thorin.messages import ThorinRound
from liarspoker.games.thorin.page.promises import Promise, format_card_symbols, promise_of
from liarspoker.games.thorin.page.seen import SeenRound
from liarspoker.language import N_, _, ngettext, pgettext
from liarspoker.records.words import YOU, said_of

_TAKING = ("take", "discard")
"""Actions that precede every declaration except the first."""


@dataclass(frozen=True, slots=True)
class Step:
    """An action: the player, a short description, the declaration, and whether it is the last one."""

    name: str
    words: str
    promise: Promise | None
    standing: bool


@dataclass(frozen=True, slots=True)
class Memory:
    """The hand as the viewer took it, their discards and draws; each from high to low."""

    taken: tuple[str, ...]
    discarded: tuple[str, ...]
    drawn: tuple[str, ...]


def steps_of(seen: SeenRound) -> tuple[Step, ...]:
    """Return the actions of the round, newest first; a declaration includes the discard before it."""
    steps: list[Step] = []
    last, own = -1, 0
    for seat, action in seen.view.moves:
        name, claim = seen.names[seat], seen.claim_in(action)
        if claim is None:
            own += action.startswith(_TAKING)
            steps.append(Step(name, _done(action), None, standing=False))
            continue
        words = steps[-1].words if own == len(_TAKING) else ""
        del steps[len(steps) - own :]
        last, own = len(steps), 0
        steps.append(Step(name, words, promise_of(claim), standing=False))
    view = [replace(step, standing=place == last) for place, step in enumerate(steps)]
    return tuple(reversed(view))


def _done(action: str) -> str:
    """Describe an action without its player.

    >>> _done("discard ????"), _done("discard -"), _done("take"), _done("challenge")
    ('discarded 2', 'kept all five cards', 'took the hand', 'challenged')
    """
    verb = action.partition(" ")[0]
    if verb == "discard":
        count = cards_discarded(action)
        # Translators: {count} is the number of cards.
        return ngettext("discarded {count}", "discarded {count}", count) if count else _("kept all five cards")
    return _(_DONE[verb]) if verb in _DONE else verb


# Translators: what a player has done, after their name.
_DONE = {"take": N_("took the hand"), "pass": N_("passed"), "challenge": N_("challenged"), "declare": N_("declared")}


def cards_discarded(action: str) -> int:
    """Count the cards of a discard."""
    cards = action.partition(" ")[2].replace(" ", "")
    return 0 if cards == "-" else len(cards) // 2


def acts_of(seen: SeenRound) -> dict[str, str]:
    """Return each player's status by user, such as "has the hand" or "under the gun"."""
    view = seen.view
    acts = {}
    outs = _outs(seen)
    passed = {seat for seat, action in _since_declared(view) if action == "pass"}
    for seat, user in enumerate(view.users):
        if seat not in view.alive:
            out = pgettext("a player", "out")
            acts[user] = _("out, round {number}", number=outs[user]) if user in outs else out
        elif view.winner == seat:
            acts[user] = _("wins the match")
        elif seen.result is not None:
            acts[user] = _(_DONE["challenge"]) if seat == seen.result.challenger else _("still in")
        elif seat == view.active:
            acts[user] = _("has the hand")
        elif seat == seen.under_the_gun:
            acts[user] = _("under the gun")
        else:
            acts[user] = _(_DONE["pass"]) if seat in passed else _("still in")
    return acts


def _outs(seen: SeenRound) -> dict[str, int]:
    """Return the round, from 1, in which each player was eliminated, as far as the view shows it."""
    ended = seen.view.round + (seen.result is not None)
    match = seen.public.sheet[-ended:] if ended else ()
    first = seen.view.round - len(match) + (seen.result is not None)
    return {user: first + place for place, played in enumerate(match, 1) for user in played.lost}


def marks_of(seen: SeenRound) -> dict[str, tuple[str, ...]]:
    """Return the marks of each seat by user."""
    view, result = seen.view, seen.result
    marks: dict[str, tuple[str, ...]]
    marks = {user: () if seat in view.alive else ("out",) for seat, user in enumerate(view.users)}
    if result is None:
        marks[view.users[view.active]] += ("bidder",)
    elif result.challenger is not None:
        marks[view.users[result.challenger]] += ("challenged",)
    if view.winner is not None:
        marks[view.users[view.winner]] += ("won",)
    return marks


def _since_declared(view: ThorinRound) -> Iterator[tuple[int, str]]:
    """Yield the actions after the last declaration, newest first."""
    for seat, action in reversed(view.moves):
        if action.startswith("declare"):
            return
        yield seat, action


def describe_last_action(seen: SeenRound) -> str:
    """Describe the last action."""
    view, names = seen.view, seen.names
    if not view.moves:
        return said_of(names[view.opener], N_("You draw the first hand."), N_("{name} draws the first hand."))
    seat, action = view.moves[-1]
    verb, who = action.partition(" ")[0], names[seat]
    claim = seen.claim_in(action)
    if claim is not None:
        declares = said_of(who, N_("You declare {hand}."), N_("{name} declares {hand}."), hand=promise_of(claim).said)
        return declares + _gun(seen)
    if verb == "discard":
        return _discards(who, cards_discarded(action))
    if verb == "pass":
        return said_of(who, N_("You pass."), N_("{name} passes.")) + _gun(seen)
    if verb == "take":
        return said_of(who, N_("You take the hand."), N_("{name} takes the hand."))
    return said_of(who, N_("You challenge."), N_("{name} challenges."))


def _gun(seen: SeenRound) -> str:
    """Return who is under the gun, as a sentence after a space; empty after the round."""
    seat = seen.under_the_gun
    if seat is None:
        return ""
    return " " + said_of(seen.names[seat], N_("You are under the gun."), N_("{name} is under the gun."))


def _discards(who: str, count: int) -> str:
    if not count:
        return said_of(who, N_("You discard nothing."), N_("{name} discards nothing."))
    if who == YOU:
        return ngettext(
            "You discard {count} card and draw {count}.", "You discard {count} cards and draw {count}.", count
        )
    return ngettext(
        "{name} discards {count} card and draws {count}.",
        "{name} discards {count} cards and draws {count}.",
        count,
        name=who,
    )


def memory_of(seen: SeenRound) -> tuple[Memory, ...]:
    """Return each time that the viewer had the hand, the latest first."""
    view = [Memory(_sorted(stint.taken), _sorted(stint.discarded), _sorted(stint.drawn)) for stint in seen.hand.memory]
    return tuple(reversed(view))


def _sorted(cards: Iterable[str]) -> tuple[str, ...]:
    return tuple(card_text(card) for card in high_to_low(read_cards(cards)))


def since_then(seen: SeenRound) -> str:
    """Describe how many cards were discarded since the viewer passed the hand on; empty if not applicable."""
    if not seen.hand.memory or seen.hand.hand is not None or seen.seat is None:
        return ""
    discard_sizes: list[int] = []
    for seat, action in reversed(seen.view.moves):
        if seat == seen.seat and action.startswith("declare"):
            break
        discard_sizes += [cards_discarded(action)] if action.startswith("discard") else []
    count = sum(discard_sizes)
    if not discard_sizes or not count:
        return _("No cards have been discarded since.")
    return ngettext(
        "Since then {count} card has been discarded.", "Since then {count} cards have been discarded.", count
    )


def passed_on(memory: Memory) -> tuple[str, ...]:
    """Return the hand as the viewer passed it on, from high to low."""
    kept = list(memory.taken)
    for card in memory.discarded:
        kept.remove(card)
    return _sorted([*kept, *memory.drawn])


def changed(memory: Memory) -> str:
    """Describe what you discarded and drew; empty if you kept all cards.

    >>> changed(Memory(("Kc", "Kd", "7h", "5s", "2s"), ("5s", "2s"), ("9h", "9d")))
    'You discarded 5♠ 2♠ and drew 9♥ 9♦.'
    """
    if not memory.discarded:
        return ""
    discarded, drawn = (format_card_symbols(read_cards(cards)) for cards in (memory.discarded, memory.drawn))
    return _("You discarded {cards} and drew {drawn}.", cards=discarded, drawn=drawn)
