"""Thorin's game in the terminal: a hand that goes around unseen, declarations, discards and the challenge."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from liarspoker.core.cards.hand_values import CATEGORIES, hand_value
from liarspoker.core.errors import LiarsPokerError, NotNow
from liarspoker.core.session import RoundSetup
from liarspoker.games.cards.record_words import value_in_ranks
from liarspoker.games.cards.terminal_matches import KINDS, begins, tell_standings
from liarspoker.games.cards.terminal_matches import ROUND as ROUND
from liarspoker.games.cards.terminal_matches import lot as lot
from liarspoker.games.cards.terminal_matches import watching as watching
from liarspoker.games.cards.terminal_typed import ANSWERS
from liarspoker.games.thorin.actions import CHALLENGE, PASS, TAKE, cards_of, is_discard
from liarspoker.games.thorin.options import NAMED_OPTIONS
from liarspoker.games.thorin.record import RECORDS
from liarspoker.games.thorin.record_text import (
    declared_in_words,
    option_in_words,
    reason_in_words,
    said_of,
    sentence,
    tell_end,
    thrown_in_words,
)
from liarspoker.games.thorin.session import ThorinSession
from liarspoker.games.thorin.standing import DECLARE, DISCARDING, NOBODY, RESPOND
from liarspoker.games.thorin.terminal_cards import placed, throw_words, thrown, told, worth
from liarspoker.games.thorin.terminal_claims import claim_heard, complete_claim, least_above, tell_check
from liarspoker.games.thorin.terminal_odds import tell_memory
from liarspoker.games.thorin.terminal_odds import tell_odds as tell_odds
from liarspoker.games.thorin.view import ThorinView
from liarspoker.records.words import subject
from liarspoker.terminal.face import Ask
from liarspoker.terminal.screen import Screen

HELP = """  t, c, p      take the hand unseen, challenge it, pass (where passes are played)
  discard 7h   throw cards, by name or by place, as in discard 3 5; discard - for none
  declare      say what the hand is, step by step; or type it: two pair, sevens over threes
  check CLAIM  what a declaration promises and what beats it, without saying it
  ranks        the kinds of hands, lowest first
  odds         the chances now: of what was declared, or of what you may throw
  odds CLAIM   the chance of a declaration of your choice
  why          what was declared promises, or why the last round came out so
  hand         the hand, if you have it
  score        who is still in"""


def tell_deal(screen: Screen, view: ThorinView, names: tuple[str, ...]) -> None:
    """Who draws the first hand, what is in effect, and what has happened, if the round goes on."""
    assert view.terms is not None
    screen.say(
        begins(view, names, "draws")
        .replace("draws", "draws the first hand")
        .replace("You draw", "You draw the first hand")
    )
    for name, value in view.terms.named:
        screen.say(sentence(option_in_words(name, value)), indent="  ")
    if view.options.dealers_choice and not view.terms.named:
        screen.say("The usual rules are played in this round.")
    if view.rules.passes:
        have = [names[seat] for seat in view.alive if view.passes[seat]]
        screen.say(f"A pass is left to: {', '.join(have) or 'nobody'}.")
    for seat, action in view.moves:
        screen.say(_did(seat, action, view, names), indent="  ")


def tell_hand(screen: Screen, view: ThorinView, names: tuple[str, ...]) -> None:
    """The hand, while the seat has it; else what the seat remembers of it."""
    if view.standing is None:
        screen.say("Nothing has been dealt yet.")
    elif view.hand is not None:
        screen.say(f"The hand: {screen.strong(placed(view.hand))}. It is {worth(view.hand, view.rules)}.")
    elif view.result is not None:
        screen.say("The round is over; no hand is out.")
    else:
        screen.say(f"{subject(names[view.standing.active], 'has')} the hand, and you do not see it.")
        if memory := tell_memory(view):
            screen.say(memory)


def tell_action(screen: Screen, before: ThorinView, after: ThorinView, names: tuple[str, ...]) -> None:
    """What somebody does, discards face down; of what the seat itself does, what it brings."""
    seat, action = after.moves[-1]
    if seat != after.seat:
        screen.say(_did(seat, action, after, names))
    elif action >= 0:
        following = least_above(after.floor, after.rules)
        least = f"The next must declare {following} at least" if following else "Nothing beats it"
        screen.say(f"You declare {declared_in_words(action)}. {least}.")
    elif is_discard(action):
        drawn = after.stints[-1].drawn
        screen.say(f"You throw {told(cards_of(action))}{f' and draw {told(drawn)}' if drawn else ''}.")


def _did(seat: int, action: int, view: ThorinView, names: tuple[str, ...]) -> str:
    """One line for what somebody did."""
    if is_discard(action):
        return f"{subject(names[seat], 'throws')}{thrown_in_words(cards_of(action)).removeprefix('throws')}."
    if action >= 0:
        return f"{names[seat]}: {declared_in_words(action)}"
    return f"{subject(names[seat], 'takes')} the hand." if action == TAKE else f"{names[seat]}: {said_of(action)}"


def tell_turn(screen: Screen, view: ThorinView, names: tuple[str, ...]) -> None:
    """What was declared and, to the active seat, the hand; then what may be done."""
    assert view.standing is not None
    standing = view.standing
    if standing.claimant != NOBODY:
        who = subject(names[standing.claimant], "has")
        screen.say(f"{who} declared {declared_in_words(standing.claim)}.")
    if standing.phase == RESPOND:
        screen.say("You decide before you see the hand.")
        if memory := tell_memory(view):
            screen.say(memory)
    else:
        tell_hand(screen, view, names)
        if view.hand is not None and standing.claimant != NOBODY:
            enough = hand_value(view.hand, bool(view.rules.double_any)) > view.floor
            screen.say(f"It {'beats' if enough else 'does not beat'} {value_in_ranks(view.floor)}, which you must.")
    tell_legal(screen, view)


def tell_legal(screen: Screen, view: ThorinView) -> None:
    """What may be typed now, with examples."""
    assert view.standing is not None
    phase = view.standing.phase
    if phase == RESPOND:
        screen.say(f"Your turn: {', or '.join(_answers(view))}.{_not_offered(view)}")
    elif phase == DISCARDING:
        assert view.hand is not None
        screen.say(
            "Your turn: discard up to five cards by name or place (type discard and the cards, or their places 1 to 5),"
            " or keep all (discard -)."
        )
    elif phase == DECLARE:
        least = least_above(view.floor, view.rules)
        screen.say(f"Your turn: declare {least} or better, step by step with declare.")


def _answers(view: ThorinView) -> list[str]:
    words = {TAKE: "take the hand (t)", CHALLENGE: "challenge (c)", PASS: "pass (p), your only one"}
    return [words[answer] for answer in view.legal.answers]


def _not_offered(view: ThorinView) -> str:
    """Why the hand cannot be taken, and that the pass is spent."""
    assert view.seat is not None
    told_so = ""
    if TAKE not in view.legal.answers:
        told_so += " Nothing beats what was declared, so the hand cannot be taken."
    if view.rules.passes and not view.passes[view.seat]:
        told_so += " Your pass is spent."
    return told_so


def complete(screen: Screen, view: ThorinView, typed: str, ask: Ask) -> str:
    """The whole of what was typed: an answer, a discard by names or places, or a declaration; empty if given up."""
    assert view.standing is not None
    if typed.lower() in ANSWERS:
        return ANSWERS[typed.lower()]
    if view.standing.phase == DISCARDING and view.hand is not None:
        words = throw_words(typed)
        if words == "":
            words = ask("Which cards? - for none > ")
            words = throw_words(words) or words
        try:
            return typed if words is None else thrown(words, view.hand) if words else ""
        except LiarsPokerError as error:
            screen.say(f"{error}.")
            return ""
    if view.standing.phase == DECLARE:
        return complete_claim(screen, view, typed, ask)
    return typed


def read(session: ThorinSession, text: str) -> int:
    """The action typed, which `complete` has written out."""
    return RECORDS.read(session, text)


def tell_why(screen: Screen, view: ThorinView, names: tuple[str, ...]) -> None:
    """What was declared promises, and whom a challenge puts out; or why the last round came out as it did."""
    if view.standing is None:
        screen.say("Nothing has been dealt yet.")
    elif view.result is not None:
        result = view.result
        screen.say(f"Declared: {declared_in_words(result.final_claim)}.")
        for reason in result.why:
            screen.say(f"- {sentence(reason_in_words(reason, names))}", indent="  ")
    elif view.standing.claimant == NOBODY:
        screen.say("Nothing has been declared yet. The worst hand of all is 7-5-4-3-2; the first must promise more.")
    else:
        who = subject(names[view.standing.claimant], "has")
        screen.say(f"{who} declared {said_of(view.standing.claim)}.")
        screen.say(f"The weakest hand that fits it is {value_in_ranks(view.floor)}.")
        saved = "fits the words or beats every hand that does" if view.rules.by_words else "is that good or better"
        screen.say(f"If it is challenged and the hand {saved}, the challenger is out; if not, he who declared it.")


def tell_result(screen: Screen, view: ThorinView, names: tuple[str, ...]) -> None:
    """The hand that the challenge shows, and who is out."""
    assert view.result is not None
    for line in tell_end(view.result, names):
        screen.say(line)


def tell_score(screen: Screen, view: ThorinView, names: tuple[str, ...]) -> None:
    """Who is still in, and who has a pass left."""
    passes = ["a pass left" if left else "pass spent" for left in view.passes]
    tell_standings(screen, view, names, tuple(passes) if view.rules.passes else ("in",) * len(names))


def own_command(
    screen: Screen, session: ThorinSession, seat: int, typed: str, names: tuple[str, ...]
) -> ThorinSession | None:
    """`check CLAIM` and `ranks`, which change nothing."""
    word, _, rest = typed.partition(" ")
    view = session.view(seat)
    if word.lower() == "ranks" and not rest:
        screen.say("Kinds of hands, lowest first:")
        for number, kind in enumerate(CATEGORIES, 1):
            screen.say(f"{number:2}  {KINDS[kind]}", indent="  ")
        screen.say("Alike hands: the ranks decide. Suits never do. Five of a kind needs a joker.")
        return session
    if word.lower() != "check":
        return None
    tell_check(screen, view, claim_heard(rest, view.rules))
    return session


def choice(session: ThorinSession, opener: int | None, seat: int) -> str:
    """What the person who begins may name for the round, where the dealer has the choice."""
    begins_next = session.next_opener if opener is None else opener
    if not session.setup.options.dealers_choice or begins_next != seat:
        return ""
    lines = ["You begin the next round and may name its rules, as in: passes=1 jokers=2"]
    for info in NAMED_OPTIONS:
        now = _written(getattr(session.setup.options, info.name))
        lines.append(f"  {info.name}={'|'.join(map(_written, info.choices))}, usually {now}: {info.meaning}")
    return "\n".join(lines)


def deal(session: ThorinSession, chance: Random, wish: str, opener: int | None, seat: int) -> ThorinSession:
    """The next round dealt, under the rules that the person has named for it if he begins it.

    Raises:
        NotNow: he may name nothing, or says nothing that can be named.
        BadOption: no such option, or no such value.
    """
    if wish and not choice(session, opener, seat):
        raise NotNow("unreadable-action", f"{wish!r}: no round is in play; Enter deals the next")
    named = _named(wish)
    return session.deal(session.chance_spec(named).draw(chance.randrange), RoundSetup(opener, options=named))


def _named(wish: str) -> dict[str, object]:
    """The options that are named in `passes=1 jokers=2`."""
    named: dict[str, object] = {}
    values = {info.name: {_written(value): value for value in info.choices} for info in NAMED_OPTIONS}
    for word in wish.replace(",", " ").split():
        name, equals, value = word.partition("=")
        if not equals:
            raise NotNow("unreadable-action", f"{word!r}: name rules as in passes=1 jokers=2, or press Enter")
        if name in named:
            raise NotNow("unreadable-action", f"{word!r}: name each rule once")
        named[name] = values.get(name, {}).get(value, value)
    return named


def _written(value: object) -> str:
    return str(value).lower()


def taken_up(session: ThorinSession, chance: Random) -> ThorinSession:
    """The session with new chance for the discards, should they be shuffled: its record keeps only the deck."""
    dealt = session.round
    if dealt is None or dealt.stock.deck is None:
        return session
    seed = chance.randbytes(32)
    return replace(session, round=replace(dealt, stock=replace(dealt.stock, seed=seed)))
