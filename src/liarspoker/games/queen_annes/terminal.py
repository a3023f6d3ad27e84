"""Queen Anne's games in the terminal: cards that are thrown together, named hands, and the proof on a challenge."""

from __future__ import annotations

from random import Random

from liarspoker.core.cards.deck import RANKS
from liarspoker.core.errors import NotNow
from liarspoker.core.session import RoundSetup
from liarspoker.games.cards.record_words import cards_in_words, rank_sign
from liarspoker.games.cards.terminal_matches import KINDS, begins
from liarspoker.games.cards.terminal_matches import ROUND as ROUND
from liarspoker.games.cards.terminal_matches import lot as lot
from liarspoker.games.cards.terminal_matches import watching as watching
from liarspoker.games.queen_annes.ladder import named_hand
from liarspoker.games.queen_annes.pool import prove
from liarspoker.games.queen_annes.record import RECORDS
from liarspoker.games.queen_annes.record_text import (
    REASONS,
    hand_in_words,
    reason_in_words,
    said_of,
    tell_challenge,
    tell_proof,
    there,
    with_promise,
)
from liarspoker.games.queen_annes.round import CHALLENGE, NOBODY
from liarspoker.games.queen_annes.session import QueenAnnesSession
from liarspoker.games.queen_annes.terminal_claims import (
    above,
    bare,
    claim_heard,
    example,
    tell_check,
)
from liarspoker.games.queen_annes.terminal_claims import (
    complete as complete,
)
from liarspoker.games.queen_annes.terminal_table import (
    own_cards,
    plural,
    schedule,
    tell_cards,
    tell_extras,
    tell_revealed,
    tell_schedule,
)
from liarspoker.games.queen_annes.terminal_table import (
    tell_score as tell_score,
)
from liarspoker.games.queen_annes.view import QueenAnnesView
from liarspoker.odds.figures import percent
from liarspoker.odds.pools import half_known_pool
from liarspoker.records.words import object_of, subject
from liarspoker.terminal.screen import Screen

HELP = """  claim        name a hand step by step; or type it: pair 7, two pair jacks over eights
  c            challenge the hand named last
  check CLAIM  what a hand promises and what beats it, without naming it
  ranks        the kinds of hands, lowest first
  odds         the chance that the hand named last is there
  odds CLAIM   the chance of a hand of your choice
  why          what the hand named last must show, or why the last round came out so
  hand         the cards that you see, once more
  score        who is still in, and with how many cards"""

_ORDER = (
    "high",
    "pair",
    "two-pair",
    "three",
    "straight",
    "flush",
    "full-house",
    "four",
    "straight-flush",
    "royal-flush",
)


def tell_deal(screen: Screen, view: QueenAnnesView, names: tuple[str, ...]) -> None:
    """Who opens, how many cards are in play, and those that the seat sees; what has happened, if it goes on."""
    assert view.terms is not None
    assert view.standing is not None
    rules = view.rules
    screen.say(begins(view, names, "opens"))
    if rules.extras and view.seat in view.terms.alive:
        assert view.seat is not None
        turns = ", ".join(schedule(view, view.seat)) or "none"
        screen.say(f"{plural(rules.hand_cards, 'hole card')} each. Further cards on your turns: {turns}.")
    wild_ranks = map(rank_sign, map(RANKS.index, view.options.wild_ranks))
    wild = ["jokers"] * bool(rules.jokers) + [f"all {rank}s" for rank in wild_ranks]
    if wild:
        screen.say(f"Wild: {', '.join(wild)}.")
    if not view.moves:
        tell_extras(screen, view.extras, view, names)
    tell_cards(screen, view, names)
    if view.moves:
        screen.say("So far: " + "; ".join(f"{names[seat]}: {said_of(move, rules)}" for seat, move in view.moves) + ".")


def tell_hand(screen: Screen, view: QueenAnnesView, names: tuple[str, ...]) -> None:
    """The cards that the seat sees, and in stud which are still to come."""
    if view.terms is None:
        screen.say("Nothing has been dealt yet.")
        return
    if view.result is not None:
        tell_revealed(screen, view, names)
        return
    tell_cards(screen, view, names)
    if view.rules.extras:
        tell_schedule(screen, view, names)


def tell_action(screen: Screen, before: QueenAnnesView, after: QueenAnnesView, names: tuple[str, ...]) -> None:
    """What somebody says; of the seat's own hand what it promises; then the cards that come with the next turn."""
    seat, action = after.moves[-1]
    if seat != after.seat:
        screen.say(f"{names[seat]}: {said_of(action, after.rules)}")
    elif action >= 0:
        named = named_hand(action, after.rules)
        following = above(action, after.rules)
        more = f"the next is {following}" if following else "nothing is above it"
        promised = with_promise(named, ": {}, at least")
        screen.say(f"You name {hand_in_words(named)}{promised}. Of hands above it {more}.")
    tell_extras(screen, after.extras[len(before.extras) :], after, names)


def tell_turn(screen: Screen, view: QueenAnnesView, names: tuple[str, ...]) -> None:
    """The hand named last with what it promises, the seat's own cards, and what may be done."""
    assert view.standing is not None
    standing = view.standing
    if standing.claim >= 0:
        named = named_hand(standing.claim, view.rules)
        who = object_of(names[standing.claimant])
        promised = with_promise(named, ", that is {} among all cards")
        screen.say(f"Standing: {hand_in_words(named)} by {who}{promised}.")
    if view.moves and not view.rules.blind:
        screen.say(own_cards(screen, view)[0])
    tell_legal(screen, view)


def tell_legal(screen: Screen, view: QueenAnnesView) -> None:
    """What may be typed now, with the least hand as an example."""
    legal = view.legal
    may = []
    if legal.min_claim is not None:
        may.append(f"name {example(legal.min_claim, view.rules)} or higher, step by step with claim")
    if CHALLENGE in legal.answers:
        may.append("challenge (c)")
    screen.say(f"Your turn: {', or '.join(may)}.")


def read(session: QueenAnnesSession, text: str) -> int:
    """The action typed, which `complete` has written out."""
    return RECORDS.read(session, text)


def tell_odds(screen: Screen, view: QueenAnnesView, question: str) -> None:
    """The chance that a hand is among the cards in play, given those that the seat sees."""
    if view.standing is None:
        screen.say("Nothing has been dealt yet.")
        return
    claim = claim_heard(question, view.rules) if question else view.standing.claim
    if claim < 0:
        screen.say("Nothing has been named yet; ask about a hand, as in: odds pair 7")
        return
    named = named_hand(claim, view.rules)
    said = hand_in_words(named)
    said = said[:1].upper() + said[1:]
    if view.result is not None:
        pool = (*(card for hand in view.result.hands for card in hand), *(extra.card for extra in view.result.extras))
        found = prove(named, pool, view.rules).exists
        screen.say(f"{said}: all cards are shown, and it {'is' if found else 'is not'} there.")
        return
    proof = prove(named, view.known, view.rules)
    seen = cards_in_words((*proof.cards, *proof.wilds))
    if proof.exists:
        screen.say(f"{said} is there: you see {seen}.")
        return
    screen.say(f"{said}: of it you see {seen or 'nothing'}.")
    chance = half_known_pool(view.known, view.hidden, view.rules).chance(named)
    hidden = f"{view.hidden} of the {plural(view.hidden + len(view.known))} in play"
    screen.say(f"You do not see {hidden}; if those are random, the chance is {percent(chance)}.", indent="  ")


def tell_why(screen: Screen, view: QueenAnnesView, names: tuple[str, ...]) -> None:
    """What the hand named last must show and who loses what; or why the last round came out as it did."""
    if view.standing is None:
        screen.say("Nothing has been dealt yet.")
    elif view.result is not None:
        result = view.result
        for line in tell_proof(named_hand(result.final_claim, view.rules), result.proof):
            screen.say(line)
        for reason in result.why:
            if reason.rule in REASONS:
                screen.say(f"- {reason_in_words(reason, result.loser, names)}", indent="  ")
    elif view.standing.claimant == NOBODY:
        screen.say("Nothing has been named yet; the opener names any hand.")
    else:
        tell_check_of(screen, view, names)
        cost = "one card less" if view.rules.loss_costs_card else "a further card less"
        screen.say("On a challenge all cards are shown: if it is there, the challenger loses; if not, he who named it.")
        screen.say(f"A loss is {cost} in the rounds to come.")


def tell_check_of(screen: Screen, view: QueenAnnesView, names: tuple[str, ...]) -> None:
    """What the standing hand promises, and the least hand above it."""
    assert view.standing is not None
    named = named_hand(view.standing.claim, view.rules)
    who = subject(names[view.standing.claimant], "says")
    screen.say(f"{who} {bare(hand_in_words(named))}: among all cards {there(named)}.")
    following = above(view.standing.claim, view.rules)
    screen.say(f"The least hand above it is {following}." if following else "Nothing is above it.")


def tell_result(screen: Screen, view: QueenAnnesView, names: tuple[str, ...]) -> None:
    """All cards, the proof, and who loses what."""
    assert view.result is not None
    tell_revealed(screen, view, names)
    for line in tell_challenge(view.result, view.rules, names):
        screen.say(line)


def own_command(
    screen: Screen, session: QueenAnnesSession, seat: int, typed: str, names: tuple[str, ...]
) -> QueenAnnesSession | None:
    """`check CLAIM` and `ranks`, which change nothing."""
    word, _, rest = typed.partition(" ")
    view = session.view(seat)
    if word.lower() == "ranks" and not rest:
        screen.say("Kinds of hands, lowest first:")
        for number, kind in enumerate(_ORDER, 1):
            screen.say(f"{number:2}  {KINDS[kind]}", indent="  ")
        screen.say("Alike hands: the ranks decide as they are named, then the suit; clubs are lowest, then d, h, s.")
        return session
    if word.lower() != "check":
        return None
    tell_check(screen, view, claim_heard(rest, view.rules))
    return session


def choice(session: QueenAnnesSession, opener: int | None, seat: int) -> str:
    """Nothing is named before a round but hands."""
    return ""


def deal(session: QueenAnnesSession, chance: Random, wish: str, opener: int | None, seat: int) -> QueenAnnesSession:
    """The next round dealt.

    Raises:
        NotNow: somebody wishes for something.
    """
    if wish:
        raise NotNow("unreadable-action", f"{wish!r}: no round is in play; Enter deals the next")
    return session.deal(session.chance_spec().draw(chance.randrange), RoundSetup(opener))


def taken_up(session: QueenAnnesSession, chance: Random) -> QueenAnnesSession:
    """The session as it is: its record keeps the whole deck that is dealt from."""
    return session
