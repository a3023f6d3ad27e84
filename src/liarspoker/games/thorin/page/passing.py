"""What has been done in a round, and what you remember of the hand."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from liarspoker.core.cards.deck import card_text, read_cards
from liarspoker.games.cards.record_words import high_to_low
from liarspoker.games.thorin.messages import ThorinRound
from liarspoker.games.thorin.page.promises import Promise, cards_told, promise_of
from liarspoker.games.thorin.page.seen import SeenRound
from liarspoker.records.words import subject

_TAKING = ("take", "discard")
"""What comes before every declaration but the first."""


@dataclass(frozen=True, slots=True)
class Step:
    """Something that was done: who, what in a word or two, what was declared, and whether that stands."""

    name: str
    words: str
    promise: Promise | None
    standing: bool


@dataclass(frozen=True, slots=True)
class Memory:
    """A time at which you had the hand: the cards as you got them, high to low, those thrown and those drawn."""

    taken: tuple[str, ...]
    thrown: tuple[str, ...]
    drawn: tuple[str, ...]


def steps_of(seen: SeenRound) -> tuple[Step, ...]:
    """Everything that was done in the round, newest first; a declaration tells what its maker threw before it."""
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
    """What was done, without who did it.

    >>> _done("discard ????"), _done("discard -"), _done("take"), _done("challenge")
    ('threw 2', 'threw nothing', 'took the hand', 'challenged')
    """
    verb = action.partition(" ")[0]
    if verb == "discard":
        return f"threw {thrown_in(action) or 'nothing'}"
    return {"take": "took the hand", "pass": "passed", "challenge": "challenged", "declare": "declared"}.get(verb, verb)


def thrown_in(action: str) -> int:
    """How many cards a discard throws."""
    cards = action.partition(" ")[2].replace(" ", "")
    return 0 if cards == "-" else len(cards) // 2


def acts_of(seen: SeenRound) -> dict[str, str]:
    """What each player is to the round now, by user: the hand is his, he is next, he is out."""
    view = seen.view
    acts = {}
    outs = _outs(seen)
    passed = {seat for seat, action in _since_declared(view) if action == "pass"}
    for seat, user in enumerate(view.users):
        if seat not in view.alive:
            acts[user] = f"out, round {outs[user]}" if user in outs else "out"
        elif view.winner == seat:
            acts[user] = "wins the match"
        elif seen.result is not None:
            acts[user] = "challenged" if seat == seen.result.challenger else "living"
        elif seat == view.active:
            acts[user] = "has the hand"
        elif seat == seen.under_the_gun:
            acts[user] = "under the gun"
        else:
            acts[user] = "passed" if seat in passed else "living"
    return acts


def _outs(seen: SeenRound) -> dict[str, int]:
    """The round of this match, counted from 1, in which each player who is out was put out, as far as that is told."""
    ended = seen.view.round + (seen.result is not None)
    match = seen.public.sheet[-ended:] if ended else ()
    first = seen.view.round - len(match) + (seen.result is not None)
    return {user: first + place for place, played in enumerate(match, 1) for user in played.lost}


def marks_of(seen: SeenRound) -> dict[str, tuple[str, ...]]:
    """How each seat is marked, by user."""
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
    """The moves after the last declaration, newest first."""
    for seat, action in reversed(view.moves):
        if action.startswith("declare"):
            return
        yield seat, action


def said_of(seen: SeenRound) -> str:
    """One sentence on what has just happened."""
    view, names = seen.view, seen.names
    if not view.moves:
        return f"{subject(names[view.opener], 'draws')} the first hand."
    seat, action = view.moves[-1]
    verb, who = action.partition(" ")[0], names[seat]
    claim = seen.claim_in(action)
    if claim is not None:
        promise = promise_of(claim)
        next_one = seen.under_the_gun
        gun = "" if next_one is None else f" {subject(names[next_one], 'is')} under the gun."
        return f"{subject(who, 'declares')} {promise.said}.{gun}"
    if verb == "discard":
        count = thrown_in(action)
        cards = "nothing" if not count else f"{count} card{'' if count == 1 else 's'}"
        return f"{subject(who, 'throws')} {cards}" + (f" and {_own(who, 'draws')} {count}." if count else ".")
    if verb == "pass":
        told_so = f"{subject(who, 'passes')}; that pass is spent."
        next_one = seen.under_the_gun
        return told_so + ("" if next_one is None else f" {subject(names[next_one], 'is')} under the gun.")
    if verb == "take":
        return f"{subject(who, 'takes')} the hand."
    return f"{subject(who, 'challenges')}."


def _own(who: str, verb: str) -> str:
    """The verb alone, as it follows `who`."""
    return subject(who, verb).removeprefix(who).strip()


def memory_of(seen: SeenRound) -> tuple[Memory, ...]:
    """Each time you had the hand, the last first."""
    view = [Memory(_sorted(stint.taken), _sorted(stint.thrown), _sorted(stint.drawn)) for stint in seen.hand.memory]
    return tuple(reversed(view))


def _sorted(cards: Iterable[str]) -> tuple[str, ...]:
    return tuple(card_text(card) for card in high_to_low(read_cards(cards)))


def since_then(seen: SeenRound) -> str:
    """How many cards have been thrown since you passed the hand on; empty if you never had it, or have it now."""
    if not seen.hand.memory or seen.hand.hand is not None or seen.seat is None:
        return ""
    throws: list[int] = []
    for seat, action in reversed(seen.view.moves):
        if seat == seen.seat and action.startswith("declare"):
            break
        throws += [thrown_in(action)] if action.startswith("discard") else []
    count = sum(throws)
    if not throws or not count:
        return "Nothing has been thrown since."
    return f"Since then {count} card{' was' if count == 1 else 's were'} thrown."


def passed_on(memory: Memory) -> tuple[str, ...]:
    """The hand as you passed it on, from high to low."""
    kept = list(memory.taken)
    for card in memory.thrown:
        kept.remove(card)
    return _sorted([*kept, *memory.drawn])


def changed(memory: Memory) -> str:
    """What you threw and drew, in a sentence; empty if you threw nothing.

    >>> changed(Memory(("Kc", "Kd", "7h", "5s", "2s"), ("5s", "2s"), ("9h", "9d")))
    'You threw 5♠ 2♠ and drew 9♥ 9♦.'
    """
    if not memory.thrown:
        return ""
    return f"You threw {cards_told(read_cards(memory.thrown))} and drew {cards_told(read_cards(memory.drawn))}."
