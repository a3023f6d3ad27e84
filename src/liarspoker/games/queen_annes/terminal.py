"""Terminal renderer of Queen Anne's games: the cards, the named hands, and the result of a challenge."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from liarspoker.core.cards.deck import RANKS, UNKNOWN, card_text, read_cards
from liarspoker.games.cards.terminal import CardTerminal, begins, show_standings
from liarspoker.games.cards.wording import format_cards, format_rank, high_to_low
from liarspoker.games.queen_annes.ladder import named_hand, prove
from liarspoker.games.queen_annes.messages import QueenAnnesHand, QueenAnnesResult
from liarspoker.games.queen_annes.messages import QueenAnnesRound as QueenAnnesRoundView
from liarspoker.games.queen_annes.record_text import (
    CONSEQUENCES,
    by_promise,
    describe_action,
    describe_challenge,
    describe_extra_card,
    describe_hand,
    describe_proof,
    describe_reason,
    promise,
    says_promise,
)
from liarspoker.games.queen_annes.result import QueenAnnesView
from liarspoker.games.queen_annes.round import Extra, QueenAnnesRound, Terms
from liarspoker.games.queen_annes.session import QueenAnnesSession
from liarspoker.games.queen_annes.state import CHALLENGE, NO_SLOT, NOBODY, cards_at_once, extra_slot, face_up
from liarspoker.games.queen_annes.terminal_claims import above, claim_from_text, complete, example, show_check
from liarspoker.language import N_, _, ngettext, pgettext
from liarspoker.odds.figures import percent
from liarspoker.odds.pools import partial_pool
from liarspoker.records.words import aligned, capital, name_shown, said_of, sentence
from liarspoker.terminal.renderer import Ask, LiveRound, Position
from liarspoker.terminal.screen import Screen

HELP = N_("""  claim        name a hand step by step; or type it: pair 7, two pair jacks over eights
  c            challenge the last hand named
  check CLAIM  show what a hand requires and what beats it, without naming it
  ranks        list the hand categories, lowest first
  odds         show the probability that the last hand named exists
  odds CLAIM   show the probability that another hand exists
  why          explain the last hand named, or the result of the round
  hand         show the cards that you can see
  score        show who is still in, and with how many cards""")

QueenAnnesPosition = Position[QueenAnnesSession, QueenAnnesView]


class QueenAnnesTerminal(CardTerminal[QueenAnnesSession, QueenAnnesView]):
    """Renderer of Queen Anne's games."""

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
    ties = N_(
        "Same category: the ranks compare in the order named, then the suit: clubs (lowest), diamonds, hearts, spades."
    )

    def deal(self, screen: Screen, position: QueenAnnesPosition) -> None:
        """Print who opens and the cards that the seat sees; when resuming a round, also the claims so far."""
        view, names = position.view, position.names
        assert view.terms is not None
        assert view.state is not None
        rules = view.rules
        usual = N_("Round {number}: You open."), N_("Round {number}: {name} opens.")
        drawn = N_("Round {number}: You open (drawn at random)."), N_("Round {number}: {name} opens (drawn at random).")
        screen.say(begins(position, view.terms, usual, drawn))
        if rules.extras and view.seat in view.terms.alive:
            assert view.seat is not None
            turns = ", ".join(schedule(view, view.seat)) or pgettext("extra cards", "none")
            cards = ngettext("{count} hole card each.", "{count} hole cards each.", rules.hand_cards)
            extras = _("Extra cards on your turns: {turns}.", turns=turns)
            screen.say(f"{cards} {extras}")
        wild_ranks = map(format_rank, map(RANKS.index, view.options.wild_ranks))
        # Translators: {rank} is as on cards: "10" or "K".
        wild = [_("jokers")] * bool(rules.jokers) + [_("all {rank}s", rank=rank) for rank in wild_ranks]
        if wild:
            screen.say(_("Wild: {cards}.", cards=", ".join(wild)))
        if not view.moves:
            show_extra_cards(screen, view.extras, view, names)
        show_cards(screen, view, names)
        if view.moves:
            moves = [f"{name_shown(names[seat])}: {describe_action(move, rules)}" for seat, move in view.moves]
            screen.say(_("So far: {moves}.", moves="; ".join(moves)))

    def _hand(self, screen: Screen, position: QueenAnnesPosition, rest: str) -> None:
        """Print the cards that the seat sees, and in Stud the extra cards still to come."""
        view, names = position.view, position.names
        if view.terms is None:
            screen.say(_("Nothing has been dealt yet."))
            return
        if view.result is not None:
            show_all_cards(screen, view, names)
            return
        show_cards(screen, view, names)
        if view.rules.extras:
            show_schedule(screen, view, names)

    def action(self, screen: Screen, before: QueenAnnesPosition, after: QueenAnnesPosition) -> None:
        """Print an action, what the seat's own claim requires, and the extra cards dealt for the next turn."""
        old, view, names = before.view, after.view, after.names
        seat, action = view.moves[-1]
        if seat != view.seat:
            screen.say(f"{name_shown(names[seat])}: {describe_action(action, view.rules)}")
        elif action >= 0:
            named = named_hand(action, view.rules)
            message = N_("You name {hand}.") if says_promise(named) else N_("You name {hand}: at least {cards}.")
            said = _(message, hand=describe_hand(named), cards=promise(named))
            screen.say(f"{said} {above(action, view.rules)}")
        show_extra_cards(screen, view.extras[len(old.extras) :], view, names)

    def turn(self, screen: Screen, position: QueenAnnesPosition) -> None:
        """Print the last hand named with what it requires, and the seat's own cards."""
        view, names = position.view, position.names
        assert view.state is not None
        state = view.state
        if state.claim >= 0:
            named = named_hand(state.claim, view.rules)
            if says_promise(named):
                message = N_("To beat: {hand} by {name}.")
            else:
                message = N_("To beat: {hand} by {name}, that is, {cards} among all cards.")
            name = names[state.claimant]
            screen.say(_(message, hand=describe_hand(named), name=name, cards=promise(named)))
        if view.moves and not view.rules.blind:
            screen.say(own_cards(screen, view)[0])

    def legal(self, screen: Screen, position: QueenAnnesPosition) -> None:
        """Print the legal actions, with the lowest legal hand as an example."""
        view = position.view
        legal = view.legal
        if legal.min_claim is None:
            screen.say(_("Your turn: challenge (c)."))
            return
        if CHALLENGE in legal.answers:
            message = N_("Your turn: name at least {hand}, or type claim to be asked step by step, or challenge (c).")
        else:
            message = N_("Your turn: name at least {hand}, or type claim to be asked step by step.")
        screen.say(_(message, hand=example(legal.min_claim, view.rules)))

    def _odds(self, screen: Screen, position: QueenAnnesPosition, question: str) -> None:
        """Print the probability that a hand exists, given the cards that the seat sees."""
        view = position.view
        if view.state is None:
            screen.say(_("Nothing has been dealt yet."))
            return
        claim = claim_from_text(question, view.rules) if question else view.state.claim
        if claim < 0:
            screen.say(_("No hand has been named yet. Ask about one, for example: odds pair 7"))
            return
        named = named_hand(claim, view.rules)
        words = capital(describe_hand(named))
        if view.result is not None:
            pool = (
                *(card for hand in view.result.hands for card in hand),
                *(extra.card for extra in view.result.extras),
            )
            found = prove(named, pool, view.rules).exists
            message = (
                N_("{hand}: the hand exists; all cards are shown.")
                if found
                else N_("{hand}: the hand doesn't exist; all cards are shown.")
            )
            screen.say(_(message, hand=words))
            return
        proof = prove(named, view.known, view.rules)
        seen = format_cards((*proof.cards, *proof.wilds))
        if proof.exists:
            screen.say(_("{hand}: the hand exists; you see {cards}.", hand=words, cards=seen))
            return
        if seen:
            screen.say(_("{hand}: you see {cards} of the required cards.", hand=words, cards=seen))
        else:
            screen.say(_("{hand}: you see none of the required cards.", hand=words))
        chance = partial_pool(view.known, view.hidden, view.rules).probability(named)
        hidden = ngettext(
            "You can't see {hidden} of the {count} card in play.",
            "You can't see {hidden} of the {count} cards in play.",
            view.hidden + len(view.known),
            hidden=view.hidden,
        )
        figure = _("If they are random, the probability is {percent}.", percent=percent(chance))
        screen.say(f"{hidden} {figure}", indent="  ")

    def _why(self, screen: Screen, position: QueenAnnesPosition, rest: str) -> None:
        """Explain the last hand named and what a challenge costs, or the result of the last round."""
        view, names = position.view, position.names
        if view.state is None:
            screen.say(_("Nothing has been dealt yet."))
        elif view.result is not None:
            result = view.result
            for line in describe_proof(named_hand(result.final_claim, view.rules), result.proof):
                screen.say(line)
            for reason in result.why:
                if reason.rule in CONSEQUENCES:
                    screen.say(f"- {describe_reason(reason, result.loser, names)}", indent="  ")
        elif view.state.claimant == NOBODY:
            screen.say(_("No hand has been named yet; the opener may name any hand."))
        else:
            show_standing_claim(screen, view, names)
            screen.say(
                _(
                    "On a challenge all cards are shown. If the hand exists, the challenger loses; if not, the player"
                    " who named it loses."
                )
            )
            if view.rules.loss_costs_card:
                screen.say(_("A loss costs one card in each later round."))
            else:
                screen.say(_("A loss costs one extra card in each later round."))

    def result(self, screen: Screen, position: QueenAnnesPosition) -> None:
        """Print all cards, the proof, and who loses what."""
        view, names = position.view, position.names
        assert view.result is not None
        show_all_cards(screen, view, names)
        for line in describe_challenge(view.result, view.rules, names):
            screen.say(line)

    def complete(self, screen: Screen, position: QueenAnnesPosition, typed: str, ask: Ask) -> str:
        """Return the complete action; ask step by step for what a claim lacks."""
        return complete(screen, position.view, typed, ask)

    def rebuild(self, live: LiveRound, moves: int) -> tuple[QueenAnnesSession, QueenAnnesView]:
        """Return the round after its first `moves` actions; cards that the seat doesn't see are unknown."""
        sent, held, begun = live.round, live.hand, live.begun()
        assert isinstance(sent, QueenAnnesRoundView)
        assert isinstance(begun, QueenAnnesSession)
        assert held is None or isinstance(held, QueenAnnesHand)
        # The server sends the losses after the round; the session needs those before it.
        loser = None if sent.result is None else sent.result.loser
        losses = tuple(lost - (seat == loser) for seat, lost in enumerate(sent.losses))
        begun = replace(begun, setup=replace(begun.setup, losses=losses))
        result = sent.result if live.is_over(moves) else None
        alive = tuple(seat for seat, size in enumerate(sent.hand_sizes) if size)
        terms = Terms(sent.round, sent.opener, losses, alive, opener_agreed=sent.round == 0)
        hands, extras = _cards(sent, held or QueenAnnesHand(), result)
        session = replace(begun, round=QueenAnnesRound.begin(begun.setup.rules, terms, hands, extras))
        for _seat, action in sent.moves[:moves]:
            session = session.apply(session.read(action))
        return session, session.view(live.seat)

    def _score(self, screen: Screen, position: QueenAnnesPosition, rest: str) -> None:
        """Print who is still in, with their losses and cards."""
        view, rules = position.view, position.view.rules
        left = []
        for lost in view.losses:
            if rules.loss_costs_card:
                count = cards_at_once(lost, rules)
                # Translators: the cards that a player has left, and the number of those lost.
                left.append(ngettext("{count} card, {lost} lost", "{count} cards, {lost} lost", count, lost=lost))
            else:
                # Translators: the number of rounds that a player has lost, of those that they may lose.
                left.append(_("{lost} of {most} lost", lost=lost, most=rules.exit_losses))
        show_standings(screen, position.names, tuple(left), view.alive, view.winner)

    def _ranks(self, screen: Screen, position: QueenAnnesPosition, rest: str) -> None:
        super()._ranks(screen, position, rest)
        if position.view.rules.suit_first:
            screen.say(_("Flushes compare by suit first, then by their ranks."))

    def _check(self, screen: Screen, position: QueenAnnesPosition, rest: str) -> None:
        show_check(screen, position.view, claim_from_text(rest, position.view.rules))


def _cards(
    sent: QueenAnnesRoundView, held: QueenAnnesHand, result: QueenAnnesResult | None
) -> tuple[tuple[tuple[int, ...], ...], tuple[int, ...]]:
    """Return the hands and the extra cards: those that the seat sees, or all of them after a challenge."""
    if result is not None:
        return tuple(map(read_cards, result.hands)), read_cards([extra.card for extra in result.extras])
    sizes = sent.hand_sizes
    seen = held.seen or ((),) * len(sizes)
    hands = tuple(read_cards(cards) or (UNKNOWN,) * size for cards, size in zip(seen, sizes, strict=True))
    own = {(extra.seat, extra.turn): extra.card for extra in held.extras}
    return hands, read_cards([own.get((extra.seat, extra.turn), extra.card) for extra in sent.extras])


def show_standing_claim(screen: Screen, view: QueenAnnesView, names: tuple[str, ...]) -> None:
    """Print what the last hand named requires, and the next higher hand."""
    assert view.state is not None
    named = named_hand(view.state.claim, view.rules)
    you = by_promise(
        named,
        N_("You claim {hand}: among all cards, there is at least {cards}."),
        N_("You claim {hand}: among all cards, there are at least {cards}."),
        N_("You claim {hand}: among all cards, there are {cards}."),
    )
    other = by_promise(
        named,
        N_("{name} claims {hand}: among all cards, there is at least {cards}."),
        N_("{name} claims {hand}: among all cards, there are at least {cards}."),
        N_("{name} claims {hand}: among all cards, there are {cards}."),
    )
    screen.say(said_of(names[view.state.claimant], you, other, hand=describe_hand(named), cards=promise(named)))
    screen.say(above(view.state.claim, view.rules))


def show_cards(screen: Screen, view: QueenAnnesView, names: tuple[str, ...]) -> None:
    """Print the cards in play as the seat sees them."""
    assert view.terms is not None
    for line in own_cards(screen, view):
        screen.say(line)
    if not view.rules.blind and not view.rules.extras:
        others = [seat for seat in view.terms.alive if seat != view.seat]
        held = ", ".join(f"{names[seat]} {view.hand_sizes[seat]}" for seat in others)
        # Translators: {counts} is a list such as "Ann 5, Ben 4".
        screen.say(_("Hidden cards: {counts}.", counts=held))
        return
    shown = aligned(names)
    for seat in view.terms.alive:
        if seat != view.seat:
            screen.say(f"{shown[seat]}  {_seen(view, seat)}", indent="  ")


def own_cards(screen: Screen, view: QueenAnnesView) -> list[str]:
    """Return lines that show the seat's own cards."""
    seat = view.seat
    if seat is None or view.terms is None or seat not in view.terms.alive:
        return [_("You are out and hold no cards.")]
    if view.rules.blind:
        return [
            ngettext(
                "Your own {count} card: hidden from you. The other players' cards:",
                "Your own {count} cards: hidden from you. The other players' cards:",
                view.hand_sizes[seat],
            )
        ]
    hand = screen.strong(format_cards(high_to_low(view.seen[seat])))
    if not view.rules.extras:
        return [_("Your cards: {cards}.", cards=hand)]
    extras = [extra for extra in view.extras if extra.seat == seat]
    up = format_cards(extra.card for extra in extras if extra.face_up)
    down = format_cards(extra.card for extra in extras if not extra.face_up)
    down = f"{hand} {down}" if down else hand
    if up:
        return [_("Your cards: face down {down}, face up {up}.", down=down, up=up)]
    return [_("Your cards: face down {down}.", down=down)]


def _seen(view: QueenAnnesView, seat: int) -> str:
    """Describe what the seat sees of another player's cards."""
    if not view.rules.extras:
        unseen = ngettext("{count} card, hidden", "{count} cards, hidden", view.hand_sizes[seat])
        return format_cards(high_to_low(view.seen[seat])) or unseen
    extras = [extra for extra in view.extras if extra.seat == seat]
    up = format_cards(extra.card for extra in extras if extra.face_up)
    down = view.hand_sizes[seat] + sum(not extra.face_up for extra in extras)
    if up:
        # Translators: a player's cards: {up} is such as "9h Qd", {down} the number of the others.
        return _("face up {up}, face down {down}", up=up, down=down)
    return _("face down {down}", down=down)


def show_extra_cards(screen: Screen, extras: Iterable[Extra], view: QueenAnnesView, names: tuple[str, ...]) -> None:
    """Print extra cards that have just been dealt."""
    for extra in extras:
        card = pgettext("a card", "a card") if extra.card == UNKNOWN else card_text(extra.card)
        screen.say(sentence(describe_extra_card(extra, names, card)))


def show_schedule(screen: Screen, view: QueenAnnesView, names: tuple[str, ...]) -> None:
    """Print on which of its turns each seat gets extra cards."""
    assert view.terms is not None
    shown = aligned(tuple(map(name_shown, names)))
    if view.rules.deal_to_everyone:
        screen.say(_("Extra cards are dealt when the opener is to act. By turn number:"))
    else:
        screen.say(_("Extra cards are dealt at the start of each player's turns. By turn number:"))
    for seat in view.terms.alive:
        turns = ", ".join(schedule(view, seat)) or pgettext("extra cards", "none")
        screen.say(f"{shown[seat]}  {turns}", indent="  ")


def schedule(view: QueenAnnesView, seat: int) -> Iterator[str]:
    """Yield the extra cards of a seat in this round as turn and face: `1 up`."""
    assert view.terms is not None
    losses = view.terms.losses
    common = min(losses[other] for other in view.terms.alive)
    for turn in range(1, view.rules.extras + 1):
        slot = extra_slot(turn, losses[seat], common, view.rules)
        if slot != NO_SLOT:
            # Translators: the number of a turn on which a player gets an extra card, and its face.
            yield _("{turn} up", turn=turn) if face_up(slot, view.rules) else _("{turn} down", turn=turn)


def show_all_cards(screen: Screen, view: QueenAnnesView, names: tuple[str, ...]) -> None:
    """Print all cards after a challenge."""
    assert view.result is not None
    shown = aligned(tuple(map(name_shown, names)))
    screen.say(_("All cards are shown:"))
    for seat, hand in enumerate(view.result.hands):
        if hand:
            extras = [extra.card for extra in view.result.extras if extra.seat == seat]
            screen.say(f"{shown[seat]}  {format_cards(high_to_low((*hand, *extras)))}", indent="  ")


RENDERER = QueenAnnesTerminal()
"""The renderer of these games."""
