"""Terminal renderer of Thorin's game: the hand that is passed around, declarations, discards and challenges."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import reduce

from liarspoker.core.cards.deck import read_cards, read_joined_cards
from liarspoker.core.cards.hand_values import CATEGORIES, hand_value
from liarspoker.core.errors import LiarsPokerError
from liarspoker.core.session import RoundSetup
from liarspoker.games.cards.terminal import ANSWERS, CardTerminal, begins, show_standings
from liarspoker.games.cards.wording import format_cards, format_value_ranks, high_to_low
from liarspoker.games.thorin.actions import CHALLENGE, PASS, TAKE, cards_of, discard_of, face_down, is_discard
from liarspoker.games.thorin.deal import ThorinDeal
from liarspoker.games.thorin.known_discards import discards_known_in
from liarspoker.games.thorin.ladder import floor_of, keeps_promise, next_value
from liarspoker.games.thorin.messages import ThorinHand
from liarspoker.games.thorin.messages import ThorinRound as ThorinRoundView
from liarspoker.games.thorin.record_text import (
    describe_action,
    describe_declaration,
    describe_discard_of,
    describe_outcome,
    describe_reason,
    format_named_option,
)
from liarspoker.games.thorin.result import ThorinView
from liarspoker.games.thorin.round import Stint
from liarspoker.games.thorin.session import ThorinSession
from liarspoker.games.thorin.state import DECLARE, DISCARDING, NOBODY, RESPOND, Terms, packed_passes
from liarspoker.games.thorin.terminal_claims import (
    cards_or_nothing,
    claim_from_text,
    compare,
    complete_claim,
    describe_hand_value,
    discard_action,
    discard_words,
    least_above,
    show_check,
    with_positions,
)
from liarspoker.language import N_, _, ngettext, pgettext
from liarspoker.odds.draws import DiscardChoice, Gone, best_discard, choices, choices_of_size, fresh_outcomes, reach
from liarspoker.odds.figures import percent
from liarspoker.records.words import capital, name_shown, said_of, sentence
from liarspoker.terminal.renderer import Ask, LiveRound, Position
from liarspoker.terminal.screen import Screen

SHOWN = 5
"""Number of discards to list in `odds`."""

HELP = N_("""  t, c, p      take the hand without seeing it, challenge it, or pass (if passes are allowed)
  discard 7h   discard cards by name or position (discard 3 5); discard - keeps all cards
  declare      declare the hand step by step; or type it: two pair, sevens over threes
  check CLAIM  show what a declaration promises and what beats it, without making it
  ranks        list the hand categories, lowest first
  odds         show the probability of the declaration, or compare your discards
  odds CLAIM   show the probability of another declaration
  why          explain the declaration, or the result of the round
  hand         show the hand, if you have it
  score        show who is still in""")


ThorinPosition = Position[ThorinSession, ThorinView]


class ThorinTerminal(CardTerminal[ThorinSession, ThorinView]):
    """Renderer of Thorin's game."""

    help = HELP
    kinds = CATEGORIES
    ties = N_("Same category: the ranks compare, never the suits. Five of a kind needs a joker.")

    def option_changes(self, position: ThorinPosition) -> Mapping[str, object]:
        """Return the options of the current round, with those that the player who began it named."""
        terms = position.view.terms
        return {**super().option_changes(position), **dict(terms.named if terms else ())}

    def deal(self, screen: Screen, position: ThorinPosition) -> None:
        """Print who draws the first hand and the options; when resuming a round, also the actions so far."""
        view, names = position.view, position.names
        assert view.terms is not None
        usual = N_("Round {number}: You draw the first hand."), N_("Round {number}: {name} draws the first hand.")
        drawn = (
            N_("Round {number}: You draw the first hand (drawn at random)."),
            N_("Round {number}: {name} draws the first hand (drawn at random)."),
        )
        screen.say(begins(position, view.terms, usual, drawn))
        for name, value in view.terms.named:
            screen.say(sentence(format_named_option(name, value)), indent="  ")
        if view.options.dealers_choice and not view.terms.named:
            screen.say(_("This round uses the table's usual options."))
        if view.rules.passes:
            have = ", ".join(name_shown(names[seat]) for seat in view.alive if view.passes[seat])
            screen.say(_("Players with a pass left: {names}.", names=have or pgettext("players", "none")))
        for seat, action in view.moves:
            screen.say(_describe_action(seat, action, view, names), indent="  ")

    def _hand(self, screen: Screen, position: ThorinPosition, rest: str) -> None:
        """Print the hand while the seat has it; otherwise what the seat knows about it."""
        view, names = position.view, position.names
        if view.state is None:
            screen.say(_("Nothing has been dealt yet."))
        elif view.hand is not None:
            screen.say(
                _(
                    "The hand: {cards}. It is {hand}.",
                    cards=screen.strong(with_positions(view.hand)),
                    hand=describe_hand_value(view.hand, view.rules),
                )
            )
        elif view.result is not None:
            screen.say(_("The round is over; no player has a hand."))
        else:
            has = N_("You have the hand; you can't see it."), N_("{name} has the hand; you can't see it.")
            screen.say(said_of(names[view.state.active], *has))
            if memory := describe_memory(view):
                screen.say(memory)

    def action(self, screen: Screen, before: ThorinPosition, after: ThorinPosition) -> None:
        """Print an action; other players' discards are face down."""
        view, names = after.view, after.names
        seat, action = view.moves[-1]
        if seat != view.seat:
            screen.say(_describe_action(seat, action, view, names))
        elif action >= 0:
            following = least_above(view.floor, view.rules)
            more = _("The next declaration must be at least {hand}.", hand=following) if following else ""
            declared = _("You declare {hand}.", hand=describe_declaration(action))
            screen.say(f"{declared} {more or _('Nothing beats it.')}")
        elif is_discard(action):
            cards, drawn = format_cards(high_to_low(cards_of(action))), format_cards(high_to_low(view.stints[-1].drawn))
            if not cards:
                screen.say(_("You keep all five cards."))
            elif not drawn:
                screen.say(_("You discard {cards}.", cards=cards))
            else:
                screen.say(_("You discard {cards} and draw {drawn}.", cards=cards, drawn=drawn))

    def turn(self, screen: Screen, position: ThorinPosition) -> None:
        """Print the last declaration, and to the active seat the hand."""
        view, names = position.view, position.names
        assert view.state is not None
        state = view.state
        if state.claimant != NOBODY:
            hand = describe_declaration(state.claim)
            screen.say(said_of(names[state.claimant], *_HAS_DECLARED, hand=hand))
        if state.phase == RESPOND:
            screen.say(_("You must answer without seeing the hand."))
            if memory := describe_memory(view):
                screen.say(memory)
        else:
            self._hand(screen, position, "")
            if view.hand is not None and state.claimant != NOBODY:
                enough = hand_value(view.hand, bool(view.rules.double_any)) > view.floor
                message = (
                    N_("It beats {hand}, which you must beat.")
                    if enough
                    else N_("It does not beat {hand}, which you must beat.")
                )
                screen.say(_(message, hand=format_value_ranks(view.floor)))

    def legal(self, screen: Screen, position: ThorinPosition) -> None:
        """Print the legal actions, with examples."""
        view = position.view
        assert view.state is not None
        phase = view.state.phase
        if phase == RESPOND:
            # Translators: {actions} is a message such as "take the hand (t), or challenge (c)".
            turn = _("Your turn: {actions}.", actions=_answers(view))
            screen.say(" ".join((turn, *_not_offered(view))))
        elif phase == DISCARDING:
            assert view.hand is not None
            screen.say(
                _(
                    "Your turn: discard up to five cards (type discard and the cards, or their positions 1 to 5), or"
                    " keep all (discard -)."
                )
            )
        elif phase == DECLARE:
            least = least_above(view.floor, view.rules)
            screen.say(_("Your turn: declare at least {hand}, or type declare to be asked step by step.", hand=least))

    def complete(self, screen: Screen, position: ThorinPosition, typed: str, ask: Ask) -> str:
        """Return the complete action, asking for what is missing; empty if the player cancels."""
        view = position.view
        assert view.state is not None
        if typed.lower() in ANSWERS:
            return ANSWERS[typed.lower()]
        if view.state.phase == DISCARDING and view.hand is not None:
            words = discard_words(typed)
            if words == "":
                words = ask(_("Cards to discard, or - for none > "))
                words = discard_words(words) or words
            try:
                return typed if words is None else discard_action(words, view.hand) if words else ""
            except LiarsPokerError as error:
                screen.say(f"{error}.")
                return ""
        if view.state.phase == DECLARE:
            return complete_claim(screen, view, typed, ask)
        return typed

    def _why(self, screen: Screen, position: ThorinPosition, rest: str) -> None:
        """Explain the declaration and what a challenge would decide, or the result of the last round."""
        view, names = position.view, position.names
        if view.state is None:
            screen.say(_("Nothing has been dealt yet."))
        elif view.result is not None:
            result = view.result
            screen.say(_("Declared: {hand}.", hand=describe_declaration(result.final_claim)))
            for reason in result.why:
                screen.say(f"- {sentence(describe_reason(reason, names))}", indent="  ")
        elif view.state.claimant == NOBODY:
            screen.say(_("No hand has been declared yet. The first declaration must beat 7-5-4-3-2, the weakest hand."))
        else:
            hand = describe_action(view.state.claim)
            screen.say(said_of(names[view.state.claimant], *_HAS_DECLARED, hand=hand))
            screen.say(_("The weakest hand that fits it is {hand}.", hand=format_value_ranks(view.floor)))
            if view.rules.by_words:
                message = N_(
                    "On a challenge, the challenger is out if the hand fits the declaration or beats every hand that"
                    " does; if not, the player who declared it is out."
                )
            else:
                message = N_(
                    "On a challenge, the challenger is out if the hand is at least that good; if not, the player who"
                    " declared it is out."
                )
            screen.say(_(message))

    def result(self, screen: Screen, position: ThorinPosition) -> None:
        """Print the hand that was shown, and who is out."""
        view, names = position.view, position.names
        assert view.result is not None
        for line in describe_outcome(view.result, names):
            screen.say(line)

    def _score(self, screen: Screen, position: ThorinPosition, rest: str) -> None:
        """Print who is still in, and who has a pass left."""
        view, names = position.view, position.names
        left = [_("a pass left") if left else _("no pass left") for left in view.passes]
        if not view.rules.passes:
            left = [pgettext("a player", "in")] * len(names)
        show_standings(screen, names, tuple(left), view.alive, view.winner)

    def rebuild(self, live: LiveRound, moves: int) -> tuple[ThorinSession, ThorinView]:
        """Return the round after its first `moves` actions; cards that the seat hasn't seen are unknown."""
        sent, held, seat = live.round, live.hand, live.seat
        assert isinstance(sent, ThorinRoundView)
        assert held is None or isinstance(held, ThorinHand)
        held = held or ThorinHand()
        whole = moves == len(sent.moves)
        result = sent.result if whole else None
        session = _at_start(live, sent)
        memory, had = _memory(held, seat), int(sent.opener == seat)
        seen: list[tuple[int, int]] = []
        for place, (mover, text) in enumerate(sent.moves[:moves], 1):
            if result is not None and result.hand is not None and place == moves:
                session = _with_hand(session, result.hand)
            action = session.read(text)
            session = session.apply(action)
            had += mover == seat and action == TAKE
            # After the table has ended, the server no longer sends private cards, not even the player's own.
            own = mover == seat and is_discard(action) and had <= len(memory)
            seen.append((mover, discard_of(memory[had - 1].discarded) if own else face_down(action)))
        if whole and result is None and held.hand is not None:
            session = _with_hand(session, held.hand)
        alive = _alive_before(sent) if result is None else session.alive
        return session, replace(session.view(seat), moves=tuple(seen), stints=memory[:had], alive=alive)

    def _odds(self, screen: Screen, position: ThorinPosition, rest: str) -> None:
        """Print the probability of a declaration or a discard, given what the seat knows."""
        view = position.view
        if view.state is None:
            screen.say(_("Nothing has been dealt yet."))
        elif view.result is not None:
            screen.say(_("The round is over; type why for the result."))
        elif view.hand is not None and view.state.phase == DISCARDING:
            _show_discard_odds(screen, view, view.hand, rest)
        elif view.hand is not None:
            _show_declaration_odds(screen, view, view.hand, rest)
        else:
            _show_unseen_odds(screen, view, rest)

    def _check(self, screen: Screen, position: ThorinPosition, rest: str) -> None:
        show_check(screen, position.view, claim_from_text(rest, position.view.rules))


def _describe_action(seat: int, action: int, view: ThorinView, names: tuple[str, ...]) -> str:
    if is_discard(action):
        return sentence(describe_discard_of(names[seat], cards_of(action)))
    if action >= 0:
        return f"{name_shown(names[seat])}: {describe_declaration(action)}"
    if action == TAKE:
        return said_of(names[seat], N_("You take the hand."), N_("{name} takes the hand."))
    return f"{name_shown(names[seat])}: {describe_action(action)}"


_HAS_DECLARED = N_("You have declared {hand}."), N_("{name} has declared {hand}.")
_ANSWERS = {TAKE: N_("take the hand (t)"), CHALLENGE: N_("challenge (c)"), PASS: N_("pass (p), once per match")}


def _answers(view: ThorinView) -> str:
    texts = [_(_ANSWERS[answer]) for answer in view.legal.answers]
    return reduce(lambda one, other: _("{actions}, or {last}", actions=one, last=other), texts)


def _not_offered(view: ThorinView) -> Iterator[str]:
    """Yield why the hand can't be taken, and whether the pass is used."""
    assert view.seat is not None
    if TAKE not in view.legal.answers:
        yield _("Nothing beats the declaration, so the hand can't be taken.")
    if view.rules.passes and not view.passes[view.seat]:
        yield _("Your pass is used.")


def _show_discard_odds(screen: Screen, view: ThorinView, hand: tuple[int, ...], question: str) -> None:
    """Print the probability of discards reaching the lowest legal declaration, or the declaration in `question`."""
    rules, gone = view.rules, _gone(view)
    cards = discard_words(question) if question else None
    if cards:
        target = next_value(view.floor, rules)
        discard = read_joined_cards(discard_action(cards, hand).removeprefix("discard ").replace("-", ""))
        chance = reach(hand, discard, target or view.floor, rules.jokers, bool(rules.double_any), gone)
        goal = format_value_ranks(target or view.floor)
        screen.say(
            _(
                "Discard {cards}: {percent} for {hand} or better.",
                cards=cards_or_nothing(discard),
                percent=percent(chance),
                hand=goal,
            )
        )
        return
    claim = claim_from_text(question, rules) if question else None
    value = next_value(view.floor, rules) if claim is None else floor_of(claim)
    if value is None:
        screen.say(_("Nothing beats the declaration."))
        return
    if claim is not None and rules.by_words:
        screen.say(_("Probability that {hand} will be true, by discard:", hand=describe_action(claim)))
        found = choices_of_size(hand, None, _is_true(claim, view), rules.jokers, bool(rules.double_any), gone)
    else:
        screen.say(_("Probability of {hand} or better, by discard:", hand=format_value_ranks(value)))
        found = choices(hand, value, rules.jokers, bool(rules.double_any), gone)
    for choice in found[:SHOWN]:
        screen.say(f"{cards_or_nothing(choice.discard):<16}{percent(choice.probability):>8}", indent="  ")
    screen.say(_("No other discard is better. To compare: odds discard 7h 2s, or odds three."))


def _show_declaration_odds(screen: Screen, view: ThorinView, hand: tuple[int, ...], question: str) -> None:
    """Print whether a declaration is true of the hand, and the next player's best draw."""
    rules = view.rules
    value = hand_value(hand, bool(rules.double_any))
    screen.say(_("Your hand is {hand}.", hand=describe_hand_value(hand, rules)))
    if not question:
        screen.say(compare(value, view.floor))
        target = next_value(max(value, view.floor), rules)
    else:
        claim = claim_from_text(question, rules)
        message = N_("{hand} is true.") if keeps_promise(value, claim, rules) else N_("{hand} would be a bluff.")
        screen.say(capital(_(message, hand=describe_declaration(claim))))
        target = next_value(floor_of(claim), rules)
    if target is not None:
        choice = best_discard(hand, target, rules.jokers, bool(rules.double_any), _gone(view))
        screen.say(
            _(
                "The next player's best chance of {hand} or better: {percent}, discarding {cards}.",
                hand=format_value_ranks(target),
                percent=percent(choice.probability),
                cards=cards_or_nothing(choice.discard),
            )
        )


def _show_unseen_odds(screen: Screen, view: ThorinView, question: str) -> None:
    """Print the probability that a hand which the seat can't see makes a declaration true."""
    assert view.state is not None
    if not question and view.state.claim < 0:
        screen.say(_("No hand has been declared yet. Ask about one, for example: odds two-pair"))
        return
    rules = view.rules
    claim = claim_from_text(question, rules) if question else view.state.claim
    screen.say(f"{capital(describe_declaration(claim))}:")
    fresh = fresh_outcomes(rules.jokers, bool(rules.double_any)).probability_of(_is_true(claim, view))
    message = (
        N_("Five cards from a full deck make it true with probability {percent}.")
        if rules.by_words
        else N_("Five cards from a full deck are that or better with probability {percent}.")
    )
    screen.say(_(message, percent=percent(fresh)), indent="  ")
    since = _since(view)
    if since is None:
        return
    hand, discard_sizes = since
    known = describe_memory(view)
    if not sum(discard_sizes):
        holds = keeps_promise(hand_value(hand, bool(rules.double_any)), claim, rules)
        verdict = _("So it is true.") if holds else _("So it is a bluff.")
        screen.say(f"{known} {verdict}", indent="  ")
    elif len([count for count in discard_sizes if count]) == 1:
        best = _best_of(hand, claim, max(discard_sizes), view)
        message = (
            N_("With the best discard, {cards}, it is true with probability {percent}.")
            if rules.by_words
            else N_("With the best discard, {cards}, it is that or better with probability {percent}.")
        )
        chance = _(message, cards=cards_or_nothing(best.discard), percent=percent(best.probability))
        screen.say(f"{known} {chance}", indent="  ")
    else:
        screen.say(known, indent="  ")


def describe_memory(view: ThorinView) -> str:
    """Describe the hand as the seat passed it on, and the number of cards discarded since; empty if it never had it."""
    since = _since(view)
    if since is None:
        return ""
    hand, discard_sizes = since
    count = sum(discard_sizes)
    cards = cards_or_nothing(hand)
    if not count:
        return _("When you passed it on, it was {cards}; since then no cards were discarded.", cards=cards)
    return ngettext(
        "When you passed it on, it was {cards}; since then {count} card was discarded.",
        "When you passed it on, it was {cards}; since then {count} cards were discarded.",
        count,
        cards=cards,
    )


def passed_on(stint: Stint) -> tuple[int, ...]:
    """Return the hand as a seat passed it on."""
    kept = list(stint.taken)
    for card in stint.discarded:
        kept.remove(card)
    return (*kept, *stint.drawn)


def _since(view: ThorinView) -> tuple[tuple[int, ...], tuple[int, ...]] | None:
    """Return the hand as the seat passed it on and the sizes of later discards; `None` if it never had it or has it."""
    if not view.stints or view.hand is not None:
        return None
    last = max(place for place, (seat, action) in enumerate(view.moves) if seat == view.seat and action >= 0)
    discard_sizes = tuple(len(cards_of(action)) for _seat, action in view.moves[last:] if is_discard(action))
    return passed_on(view.stints[-1]), discard_sizes


def _best_of(hand: tuple[int, ...], claim: int, count: int, view: ThorinView) -> DiscardChoice:
    """Return the discard of `count` cards, already made by another seat, that is most likely to make the claim true."""
    rules, gone = view.rules, Gone(discards_known_in(view))
    return choices_of_size(hand, count, _is_true(claim, view), rules.jokers, bool(rules.double_any), gone)[0]


def _is_true(claim: int, view: ThorinView) -> Callable[[int], bool]:
    """Return whether a hand of a given rank makes the claim true, as a function of the rank."""
    return lambda value: keeps_promise(value, claim, view.rules)


def _gone(view: ThorinView) -> Gone:
    """Return the discards that the seat knows, which the next draw can't bring back unless the stock is too short."""
    return Gone(discards_known_in(view), view.stock_left)


def _at_start(live: LiveRound, sent: ThorinRoundView) -> ThorinSession:
    """Return the round before its first declaration."""
    fresh = live.begun()
    assert isinstance(fresh, ThorinSession)
    begun = fresh.deal(ThorinDeal(), RoundSetup(sent.opener, options=sent.named))
    assert begun.round is not None
    named = tuple(sent.named.items())
    terms = Terms(sent.round, sent.opener, _alive_before(sent), named, opener_agreed=sent.round == 0)
    passed = [seat for seat, action in sent.moves if action == "pass"]
    passes = begun.round.rules.passes
    spent = packed_passes(max(0, passes - left - passed.count(seat)) for seat, left in enumerate(sent.passes))
    state = begun.round.state._replace(spent=spent)
    return replace(begun, round=replace(begun.round, terms=terms, state=state))


def _alive_before(sent: ThorinRoundView) -> tuple[int, ...]:
    """Return the seats that play the round, including one that is eliminated by it."""
    loser = None if sent.result is None else sent.result.loser
    return tuple(sorted({*sent.alive, *(() if loser is None else (loser,))}))


def _memory(held: ThorinHand, seat: int | None) -> tuple[Stint, ...]:
    """Return what the seat took, discarded and drew each time it had the hand."""
    return tuple(
        Stint(seat or 0, read_cards(stint.taken), read_cards(stint.discarded), read_cards(stint.drawn))
        for stint in held.memory
    )


def _with_hand(session: ThorinSession, hand: tuple[str, ...]) -> ThorinSession:
    """Return the session with the hand set to known cards."""
    assert session.round is not None
    return replace(session, round=replace(session.round, hand=read_cards(hand)))


RENDERER = ThorinTerminal()
"""The renderer of this game."""
