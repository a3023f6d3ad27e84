"""Queen Anne's games in the terminal: hands that are thrown together, named hands, and the proof on a challenge."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from liarspoker.core.cards.deck import RANKS, UNKNOWN, card_text, read_cards
from liarspoker.games.cards.record_words import bare, cards_in_words, high_to_low, rank_sign
from liarspoker.games.cards.terminal import CardTerminal, begins, show_standings
from liarspoker.games.queen_annes.ladder import named_hand, prove
from liarspoker.games.queen_annes.messages import QueenAnnesHand, QueenAnnesResult
from liarspoker.games.queen_annes.messages import QueenAnnesRound as QueenAnnesRoundView
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
from liarspoker.games.queen_annes.result import QueenAnnesView
from liarspoker.games.queen_annes.round import Extra, QueenAnnesRound, Terms
from liarspoker.games.queen_annes.session import QueenAnnesSession
from liarspoker.games.queen_annes.state import CHALLENGE, NO_SLOT, NOBODY, cards_at_once, extra_slot, face_up
from liarspoker.games.queen_annes.terminal_claims import above, claim_heard, complete, example, tell_check
from liarspoker.odds.figures import percent
from liarspoker.odds.pools import half_known_pool
from liarspoker.records.words import capital, object_of, plural, subject
from liarspoker.terminal.renderer import Ask, LiveRound, Position
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

QueenAnnesPosition = Position[QueenAnnesSession, QueenAnnesView]


class QueenAnnesTerminal(CardTerminal[QueenAnnesSession, QueenAnnesView]):
    """Show Queen Anne's games."""

    help = HELP
    kinds = (
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
    ties = "Alike hands: the ranks decide as they are named, then the suit; clubs are lowest, then d, h, s."

    def deal(self, screen: Screen, position: QueenAnnesPosition) -> None:
        """Who opens, how many cards are in play, and those that the seat sees; what has happened, if it goes on."""
        view, names = position.view, position.names
        assert view.terms is not None
        assert view.standing is not None
        rules = view.rules
        screen.say(begins(view.terms, names, "opens"))
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
            screen.say(
                "So far: " + "; ".join(f"{names[seat]}: {said_of(move, rules)}" for seat, move in view.moves) + "."
            )

    def _hand(self, screen: Screen, position: QueenAnnesPosition, rest: str) -> None:
        """The cards that the seat sees, and in stud which are still to come."""
        view, names = position.view, position.names
        if view.terms is None:
            screen.say("Nothing has been dealt yet.")
            return
        if view.result is not None:
            tell_revealed(screen, view, names)
            return
        tell_cards(screen, view, names)
        if view.rules.extras:
            tell_schedule(screen, view, names)

    def action(self, screen: Screen, before: QueenAnnesPosition, after: QueenAnnesPosition) -> None:
        """What somebody says; of the seat's own hand what it promises; then the cards that come with the next turn."""
        old, view, names = before.view, after.view, after.names
        seat, action = view.moves[-1]
        if seat != view.seat:
            screen.say(f"{names[seat]}: {said_of(action, view.rules)}")
        elif action >= 0:
            named = named_hand(action, view.rules)
            following = above(action, view.rules)
            more = f"the next is {following}" if following else "nothing is above it"
            promised = with_promise(named, ": {}, at least")
            screen.say(f"You name {hand_in_words(named)}{promised}. Of hands above it {more}.")
        tell_extras(screen, view.extras[len(old.extras) :], view, names)

    def turn(self, screen: Screen, position: QueenAnnesPosition) -> None:
        """The hand named last with what it promises, the seat's own cards, and what may be done."""
        view, names = position.view, position.names
        assert view.standing is not None
        standing = view.standing
        if standing.claim >= 0:
            named = named_hand(standing.claim, view.rules)
            who = object_of(names[standing.claimant])
            promised = with_promise(named, ", that is {} among all cards")
            screen.say(f"Standing: {hand_in_words(named)} by {who}{promised}.")
        if view.moves and not view.rules.blind:
            screen.say(own_cards(screen, view)[0])

    def legal(self, screen: Screen, position: QueenAnnesPosition) -> None:
        """What may be typed now, with the least hand as an example."""
        view = position.view
        legal = view.legal
        may = []
        if legal.min_claim is not None:
            may.append(f"name {example(legal.min_claim, view.rules)} or higher, step by step with claim")
        if CHALLENGE in legal.answers:
            may.append("challenge (c)")
        screen.say(f"Your turn: {', or '.join(may)}.")

    def _odds(self, screen: Screen, position: QueenAnnesPosition, question: str) -> None:
        """The chance that a hand is among the cards in play, given those that the seat sees."""
        view = position.view
        if view.standing is None:
            screen.say("Nothing has been dealt yet.")
            return
        claim = claim_heard(question, view.rules) if question else view.standing.claim
        if claim < 0:
            screen.say("Nothing has been named yet; ask about a hand, as in: odds pair 7")
            return
        named = named_hand(claim, view.rules)
        said = capital(hand_in_words(named))
        if view.result is not None:
            pool = (
                *(card for hand in view.result.hands for card in hand),
                *(extra.card for extra in view.result.extras),
            )
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
        hidden = f"{view.hidden} of the {plural(view.hidden + len(view.known), 'card')} in play"
        screen.say(f"You do not see {hidden}; if those are random, the chance is {percent(chance)}.", indent="  ")

    def _why(self, screen: Screen, position: QueenAnnesPosition, rest: str) -> None:
        """What the hand named last must show and who loses what; or why the last round came out as it did."""
        view, names = position.view, position.names
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
            screen.say(
                "On a challenge all cards are shown: if it is there, the challenger loses; if not, the one who"
                " named it."
            )
            screen.say(f"A loss is {cost} in the rounds to come.")

    def result(self, screen: Screen, position: QueenAnnesPosition) -> None:
        """All cards, the proof, and who loses what."""
        view, names = position.view, position.names
        assert view.result is not None
        tell_revealed(screen, view, names)
        for line in tell_challenge(view.result, view.rules, names):
            screen.say(line)

    def complete(self, screen: Screen, position: QueenAnnesPosition, typed: str, ask: Ask) -> str:
        """Return an answer or a claim in full; what a claim lacks is asked for piece by piece."""
        return complete(screen, position.view, typed, ask)

    def rebuild(self, live: LiveRound, moves: int) -> tuple[QueenAnnesSession, QueenAnnesView]:
        """Return the round after its first moves; cards that the seat doesn't see are unknown."""
        sent, held, begun = live.round, live.hand, live.begun()
        assert isinstance(sent, QueenAnnesRoundView)
        assert isinstance(begun, QueenAnnesSession)
        assert held is None or isinstance(held, QueenAnnesHand)
        # The server sends the losses at the end of the round, and here they are those of its beginning.
        loser = None if sent.result is None else sent.result.loser
        losses = tuple(lost - (seat == loser) for seat, lost in enumerate(sent.losses))
        begun = replace(begun, setup=replace(begun.setup, losses=losses))
        result = sent.result if live.is_over(moves) else None
        alive = tuple(seat for seat, size in enumerate(sent.hand_sizes) if size)
        terms = Terms(sent.round, sent.opener, losses, alive, opener_agreed=sent.round == 0)
        hands, extras = _cards(sent, held or QueenAnnesHand(), result)
        session = replace(begun, round=QueenAnnesRound.begin(begun.setup.rules, terms, hands, extras))
        for _, action in sent.moves[:moves]:
            session = session.apply(session.read(action))
        return session, session.view(live.seat)

    def _score(self, screen: Screen, position: QueenAnnesPosition, rest: str) -> None:
        """Who is still in, what each has lost and how many cards it leaves them."""
        view, rules = position.view, position.view.rules
        left = []
        for lost in view.losses:
            if rules.loss_costs_card:
                left.append(f"{plural(cards_at_once(lost, rules), 'card')}, {lost} lost")
            else:
                left.append(f"{lost} of {rules.exit_losses} lost")
        show_standings(screen, position.names, tuple(left), view.alive, view.winner)

    def _check(self, screen: Screen, position: QueenAnnesPosition, rest: str) -> None:
        tell_check(screen, position.view, claim_heard(rest, position.view.rules))


def _cards(
    sent: QueenAnnesRoundView, held: QueenAnnesHand, result: QueenAnnesResult | None
) -> tuple[tuple[tuple[int, ...], ...], tuple[int, ...]]:
    """The hands, and the cards off the deck as they came: public ones and the seat's own; in the end all."""
    if result is not None:
        return tuple(map(read_cards, result.hands)), read_cards([extra.card for extra in result.extras])
    sizes = sent.hand_sizes
    seen = held.seen or ((),) * len(sizes)
    hands = tuple(read_cards(cards) or (UNKNOWN,) * size for cards, size in zip(seen, sizes, strict=True))
    own = {(extra.seat, extra.turn): extra.card for extra in held.extras}
    return hands, read_cards([own.get((extra.seat, extra.turn), extra.card) for extra in sent.extras])


def tell_check_of(screen: Screen, view: QueenAnnesView, names: tuple[str, ...]) -> None:
    """What the standing hand promises, and the least hand above it."""
    assert view.standing is not None
    named = named_hand(view.standing.claim, view.rules)
    who = subject(names[view.standing.claimant], "says")
    screen.say(f"{who} {bare(hand_in_words(named))}: among all cards {there(named)}.")
    following = above(view.standing.claim, view.rules)
    screen.say(f"The least hand above it is {following}." if following else "Nothing is above it.")


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
        size = plural(view.hand_sizes[seat], "card")
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
        unseen = f"{plural(view.hand_sizes[seat], 'card')}, which you do not see"
        return cards_in_words(high_to_low(view.seen[seat])) or unseen
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
    screen.say(f"Further cards come {turns}, before that player acts, by the number of the turn:")
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


RENDERER = QueenAnnesTerminal()
"""How the terminal shows these games."""
