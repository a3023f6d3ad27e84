"""Thorin's game in the terminal: a hand that goes around unseen, declarations, discards and the challenge."""

from __future__ import annotations

from dataclasses import replace

from liarspoker.core.cards.deck import read_cards, read_joined_cards
from liarspoker.core.cards.hand_values import CATEGORIES, hand_value
from liarspoker.core.errors import LiarsPokerError
from liarspoker.core.session import RoundSetup
from liarspoker.games.cards.record_words import value_in_ranks
from liarspoker.games.cards.terminal import ANSWERS, CardTerminal, begins, show_standings
from liarspoker.games.thorin.actions import CHALLENGE, PASS, TAKE, cards_of, discard_of, face_down, is_discard
from liarspoker.games.thorin.deal import ThorinDeal
from liarspoker.games.thorin.ladder import floor_of, keeps_promise, next_value
from liarspoker.games.thorin.messages import ThorinHand
from liarspoker.games.thorin.messages import ThorinRound as ThorinRoundView
from liarspoker.games.thorin.record_text import (
    declared_in_words,
    option_in_words,
    reason_in_words,
    said_of,
    tell_end,
    thrown_in_words,
)
from liarspoker.games.thorin.result import ThorinView
from liarspoker.games.thorin.round import Stint
from liarspoker.games.thorin.session import ThorinSession
from liarspoker.games.thorin.state import DECLARE, DISCARDING, NOBODY, RESPOND, Terms, packed_passes
from liarspoker.games.thorin.terminal_claims import (
    cards_or_nothing,
    claim_heard,
    complete_claim,
    least_above,
    placed,
    tell_check,
    throw_words,
    thrown,
    worth,
)
from liarspoker.odds.draws import Choice, best_discard, chance_of_fresh_hand, choices, reach
from liarspoker.odds.figures import percent
from liarspoker.records.words import capital, sentence, subject
from liarspoker.terminal.renderer import Ask, LiveRound, Position
from liarspoker.terminal.screen import Screen

SHOWN = 5
"""Discards in a table of the best."""

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


ThorinPosition = Position[ThorinSession, ThorinView]


class ThorinTerminal(CardTerminal[ThorinSession, ThorinView]):
    """Show Thorin's game."""

    help = HELP
    kinds = CATEGORIES
    ties = "Alike hands: the ranks decide. Suits never do. Five of a kind needs a joker."

    def deal(self, screen: Screen, position: ThorinPosition) -> None:
        """Who draws the first hand, what is in effect, and what has happened, if the round goes on."""
        view, names = position.view, position.names
        assert view.terms is not None
        screen.say(
            begins(view.terms, names, "draws")
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

    def _hand(self, screen: Screen, position: ThorinPosition, rest: str) -> None:
        """The hand, while the seat has it; else what the seat remembers of it."""
        view, names = position.view, position.names
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

    def action(self, screen: Screen, before: ThorinPosition, after: ThorinPosition) -> None:
        """What somebody does, discards face down; of what the seat itself does, what it brings."""
        view, names = after.view, after.names
        seat, action = view.moves[-1]
        if seat != view.seat:
            screen.say(_did(seat, action, view, names))
        elif action >= 0:
            following = least_above(view.floor, view.rules)
            least = f"The next must declare {following} at least" if following else "Nothing beats it"
            screen.say(f"You declare {declared_in_words(action)}. {least}.")
        elif is_discard(action):
            drawn = view.stints[-1].drawn
            draws = f" and draw {cards_or_nothing(drawn)}" if drawn else ""
            screen.say(f"You throw {cards_or_nothing(cards_of(action))}{draws}.")

    def turn(self, screen: Screen, position: ThorinPosition) -> None:
        """What was declared and, to the active seat, the hand; then what may be done."""
        view, names = position.view, position.names
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
            self._hand(screen, position, "")
            if view.hand is not None and standing.claimant != NOBODY:
                enough = hand_value(view.hand, bool(view.rules.double_any)) > view.floor
                screen.say(f"It {'beats' if enough else 'does not beat'} {value_in_ranks(view.floor)}, which you must.")

    def legal(self, screen: Screen, position: ThorinPosition) -> None:
        """What may be typed now, with examples."""
        view = position.view
        assert view.standing is not None
        phase = view.standing.phase
        if phase == RESPOND:
            screen.say(f"Your turn: {', or '.join(_answers(view))}.{_not_offered(view)}")
        elif phase == DISCARDING:
            assert view.hand is not None
            screen.say(
                "Your turn: discard up to five cards by name or place (type discard and the cards, or their places"
                " 1 to 5), or keep all (discard -)."
            )
        elif phase == DECLARE:
            least = least_above(view.floor, view.rules)
            screen.say(f"Your turn: declare {least} or better, step by step with declare.")

    def complete(self, screen: Screen, position: ThorinPosition, typed: str, ask: Ask) -> str:
        """The whole of what was typed: an answer, a discard by names or places, or a declaration; empty if given up."""
        view = position.view
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

    def _why(self, screen: Screen, position: ThorinPosition, rest: str) -> None:
        """What was declared promises, and whom a challenge puts out; or why the last round came out as it did."""
        view, names = position.view, position.names
        if view.standing is None:
            screen.say("Nothing has been dealt yet.")
        elif view.result is not None:
            result = view.result
            screen.say(f"Declared: {declared_in_words(result.final_claim)}.")
            for reason in result.why:
                screen.say(f"- {sentence(reason_in_words(reason, names))}", indent="  ")
        elif view.standing.claimant == NOBODY:
            screen.say(
                "Nothing has been declared yet. The worst hand of all is 7-5-4-3-2; the first must promise more."
            )
        else:
            who = subject(names[view.standing.claimant], "has")
            screen.say(f"{who} declared {said_of(view.standing.claim)}.")
            screen.say(f"The weakest hand that fits it is {value_in_ranks(view.floor)}.")
            saved = "fits the words or beats every hand that does" if view.rules.by_words else "is that good or better"
            screen.say(
                f"If it is challenged and the hand {saved}, the challenger is out; if not, the one who declared it."
            )

    def result(self, screen: Screen, position: ThorinPosition) -> None:
        """The hand that the challenge shows, and who is out."""
        view, names = position.view, position.names
        assert view.result is not None
        for line in tell_end(view.result, names):
            screen.say(line)

    def _score(self, screen: Screen, position: ThorinPosition, rest: str) -> None:
        """Who is still in, and who has a pass left."""
        view, names = position.view, position.names
        passes = ["a pass left" if left else "pass spent" for left in view.passes]
        show_standings(
            screen, names, tuple(passes) if view.rules.passes else ("in",) * len(names), view.alive, view.winner
        )

    def rebuild(self, live: LiveRound, moves: int) -> tuple[ThorinSession, ThorinView]:
        """Return the round after its first moves; a hand or a discard that the seat hasn't seen is unknown."""
        sent, held, seat = live.round, live.hand, live.seat
        assert isinstance(sent, ThorinRoundView)
        assert held is None or isinstance(held, ThorinHand)
        held = held or ThorinHand()
        whole = moves == len(sent.moves)
        result = sent.result if whole else None
        session = _begun(live, sent)
        memory, had = _memory(held, seat), int(sent.opener == seat)
        seen: list[tuple[int, int]] = []
        for place, (mover, text) in enumerate(sent.moves[:moves], 1):
            if result is not None and result.hand is not None and place == moves:
                session = _holding(session, result.hand)
            action = session.read(text)
            session = session.apply(action)
            had += mover == seat and action == TAKE
            # After the table's end the server sends nobody's cards any more, not even one's own.
            own = mover == seat and is_discard(action) and had <= len(memory)
            seen.append((mover, discard_of(memory[had - 1].thrown) if own else face_down(action)))
        if whole and result is None and held.hand is not None:
            session = _holding(session, held.hand)
        alive = _alive_before(sent) if result is None else session.alive
        return session, replace(session.view(seat), moves=tuple(seen), stints=memory[:had], alive=alive)

    def _odds(self, screen: Screen, position: ThorinPosition, rest: str) -> None:
        """The chances of a declaration, or of a discard, as far as the seat can know them."""
        view = position.view
        if view.standing is None:
            screen.say("Nothing has been dealt yet.")
        elif view.result is not None:
            screen.say("The round is over; why tells how it came out.")
        elif view.hand is not None and view.standing.phase == DISCARDING:
            _tell_discards(screen, view, view.hand, rest)
        elif view.hand is not None:
            _tell_declaring(screen, view, view.hand, rest)
        else:
            _tell_unseen(screen, view, rest)

    def _check(self, screen: Screen, position: ThorinPosition, rest: str) -> None:
        tell_check(screen, position.view, claim_heard(rest, position.view.rules))


def _did(seat: int, action: int, view: ThorinView, names: tuple[str, ...]) -> str:
    if is_discard(action):
        return f"{subject(names[seat], 'throws')}{thrown_in_words(cards_of(action)).removeprefix('throws')}."
    if action >= 0:
        return f"{names[seat]}: {declared_in_words(action)}"
    return f"{subject(names[seat], 'takes')} the hand." if action == TAKE else f"{names[seat]}: {said_of(action)}"


def _answers(view: ThorinView) -> list[str]:
    words = {TAKE: "take the hand (t)", CHALLENGE: "challenge (c)", PASS: "pass (p), your only one"}
    return [words[answer] for answer in view.legal.answers]


def _not_offered(view: ThorinView) -> str:
    """Why the hand cannot be taken, and that the pass is spent."""
    assert view.seat is not None
    more = ""
    if TAKE not in view.legal.answers:
        more += " Nothing beats what was declared, so the hand cannot be taken."
    if view.rules.passes and not view.passes[view.seat]:
        more += " Your pass is spent."
    return more


def _tell_discards(screen: Screen, view: ThorinView, hand: tuple[int, ...], question: str) -> None:
    """What each discard reaches: the least that must be declared, or a declaration of one's choice."""
    rules = view.rules
    cards = throw_words(question) if question else None
    if cards:
        target = next_value(view.floor, rules)
        throw = read_joined_cards(thrown(cards, hand).removeprefix("discard ").replace("-", ""))
        chance = reach(hand, throw, target or view.floor, rules.jokers, bool(rules.double_any))
        screen.say(
            f"Throw {cards_or_nothing(throw)}: {percent(chance)} for {value_in_ranks(target or view.floor)} or better."
        )
        return
    value = floor_of(claim_heard(question, rules)) if question else next_value(view.floor, rules)
    if value is None:
        screen.say("Nothing beats what was declared.")
        return
    screen.say(f"The chance to hold {value_in_ranks(value)} or better, by what you throw:")
    for choice in choices(hand, value, rules.jokers, bool(rules.double_any))[:SHOWN]:
        screen.say(f"{cards_or_nothing(choice.discard):<16}{percent(choice.chance):>8}", indent="  ")
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
        best = f"{percent(choice.chance)}, if they throw {cards_or_nothing(choice.discard)}"
        screen.say(f"Who takes it can reach {value_in_ranks(target)} or better: {best}.")


def _tell_unseen(screen: Screen, view: ThorinView, question: str) -> None:
    """The chance that a hand which the seat has not seen keeps what was declared."""
    assert view.standing is not None
    if not question and view.standing.claim < 0:
        screen.say("Nothing has been declared yet; ask about a declaration, as in: odds two-pair")
        return
    rules = view.rules
    claim = claim_heard(question, rules) if question else view.standing.claim
    screen.say(f"{capital(declared_in_words(claim))}:")
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
            f"{known} If {cards_or_nothing(best.discard)} went, it is that or better with {percent(best.chance)}.",
            indent="  ",
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
    return f"When you passed it on it was {cards_or_nothing(hand)}; since then {cards} thrown."


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
    found = choices(hand, value, view.rules.jokers, bool(view.rules.double_any))
    return next(choice for choice in found if len(choice.discard) == count)


def _begun(live: LiveRound, sent: ThorinRoundView) -> ThorinSession:
    """The round before its first declaration."""
    fresh = live.begun()
    assert isinstance(fresh, ThorinSession)
    begun = fresh.deal(ThorinDeal(), RoundSetup(sent.opener, options=sent.named))
    assert begun.round is not None
    named = tuple(sent.named.items())
    terms = Terms(sent.round, sent.opener, _alive_before(sent), named, opener_agreed=sent.round == 0)
    passed = [seat for seat, action in sent.moves if action == "pass"]
    passes = begun.round.rules.passes
    spent = packed_passes(max(0, passes - left - passed.count(seat)) for seat, left in enumerate(sent.passes))
    standing = begun.round.standing._replace(spent=spent)
    return replace(begun, round=replace(begun.round, terms=terms, standing=standing))


def _alive_before(sent: ThorinRoundView) -> tuple[int, ...]:
    """The seats that play the round; a seat that it puts out isn't among those that the server calls alive."""
    loser = None if sent.result is None else sent.result.loser
    return tuple(sorted({*sent.alive, *(() if loser is None else (loser,))}))


def _memory(held: ThorinHand, seat: int | None) -> tuple[Stint, ...]:
    """What the seat remembers of each time that it had the hand."""
    return tuple(
        Stint(seat or 0, read_cards(stint.taken), read_cards(stint.thrown), read_cards(stint.drawn))
        for stint in held.memory
    )


def _holding(session: ThorinSession, hand: tuple[str, ...]) -> ThorinSession:
    """The session when the hand that goes around is known."""
    assert session.round is not None
    return replace(session, round=replace(session.round, hand=read_cards(hand)))


RENDERER = ThorinTerminal()
"""How the terminal shows these games."""
