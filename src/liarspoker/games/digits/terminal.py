"""The digit games in the terminal: your bill or slip, the standing bid, and the count with fingers and fists."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from liarspoker.core.errors import LEGAL
from liarspoker.core.session import Reason
from liarspoker.games.digits.auction import CHALLENGE, COUNT, DECIDE, Auction, refusal_with_repeats
from liarspoker.games.digits.deal import digits_in_play
from liarspoker.games.digits.hands import HIDDEN, ROWS
from liarspoker.games.digits.ladder import digit_of, level_of
from liarspoker.games.digits.messages import DigitsHand, DigitsResult, DigitsRound
from liarspoker.games.digits.notation import read
from liarspoker.games.digits.options import ROW_LETTERS, Rules
from liarspoker.games.digits.record_text import action_in_words, describe_count, describe_opener, stake_in_words
from liarspoker.games.digits.result import DigitResult, DigitView, bid_reasons
from liarspoker.games.digits.round import DigitRound, Terms
from liarspoker.games.digits.session import DigitSession
from liarspoker.games.digits.settlement import HERO, NONE, OUTCOMES, Settlement, settle
from liarspoker.language import N_, _, speaking
from liarspoker.odds.bid_report import bid_from_text, signed
from liarspoker.odds.bids import bid_value, break_even_probability, probability_made
from liarspoker.odds.figures import percent
from liarspoker.records.words import aligned, any_of, bid_in_words, count_in_words, name_shown, reason_in_words, said_of
from liarspoker.terminal.renderer import Ask, LiveRound, Position, Question, TerminalRenderer
from liarspoker.terminal.screen import Screen, show_units

HELP = N_("""  odds         the chance that the standing bid is good
  odds BID     the chance that another bid is good, such as: odds 3x7
  why          the rules behind the stake, the bid and the payoff
  hand         show your bill or slip again
  score        units won and lost so far
  numbers      show the numbers of the last hand, if the table allows it
  stake 2      between hands: set the stake of the next hand to 2""")
"""The commands of the digit games in the terminal's help; a message."""

_BID_PREFIX = re.compile(r"^(i )?bid ", re.IGNORECASE)
_AROUND_X = re.compile(r"^([0-9]+) *x *([0-9])$", re.IGNORECASE)
_ANSWERS = {
    "c": "challenge",
    "ch": "challenge",
    "liar": "challenge",
    "challenge": "challenge",
    "k": "count",
    "count": "count",
}


def whole_action(typed: str) -> str:
    """Return what a player types for an action as the notation writes it, or as it is.

    >>> whole_action("bid 5 x 7"), whole_action("c"), whole_action("five sevens")
    ('5x7', 'challenge', 'five sevens')
    """
    plain = _BID_PREFIX.sub("", typed)
    return _ANSWERS.get(plain.lower()) or _AROUND_X.sub(r"\1x\2", plain)


DigitPosition = Position[DigitSession, DigitView]
"""A position of a digit game in the terminal."""


class DigitsTerminal(TerminalRenderer[DigitSession, DigitView]):
    """Terminal renderer of the digit games; see `liarspoker.terminal.renderer.TerminalRenderer`."""

    help = HELP

    def questions(self) -> Mapping[str, Question[DigitSession, DigitView]]:
        """Return the commands that ask for information, by name."""
        return {**super().questions(), "numbers": self._numbers}

    def deal(self, screen: Screen, position: DigitPosition) -> None:
        """Show the stake, the opener, and the seat's bill or slip."""
        view, names = position.view, position.names
        assert view.terms is not None
        terms = view.terms
        stake = stake_in_words(terms.stake, terms.why, view.rules)
        screen.say(_("Hand {number}: {stake}.", number=position.numbered(terms.hand), stake=stake))
        if terms.letters:
            pairs = ", ".join(f"{name_shown(name)} {pair}" for name, pair in zip(names, terms.letters, strict=True))
            screen.say(_("Letters of the bills: {pairs}. The lowest pair opens.", pairs=pairs))
        screen.say(describe_opener(names[terms.opener]))
        self._hand(screen, position, "")
        for seat, action in view.moves:  # if a saved hand is resumed
            screen.say(f"{name_shown(names[seat])}: {action_in_words(action, view.rules)}")

    def _hand(self, screen: Screen, position: DigitPosition, rest: str) -> None:
        """Show the seat's number, as a bill or as a row of its slip."""
        view = position.view
        if view.number is None or view.terms is None:
            screen.say(_("No hand has been dealt yet.") if view.terms is None else _("You aren't in this hand."))
            return
        if view.slip:
            screen.draw(_slip(screen, view))
        elif screen.boxes:
            screen.draw(_bill(screen, view))
        number = view.number
        counts = sorted((-number.count(digit), digit) for digit in digits_in_play(view.rules) if digit in number)
        held = [count_in_words(-count, int(digit), view.rules) for count, digit in counts]
        screen.say(_("Your number is {number}: {digits}.", number=screen.strong(view.number), digits=", ".join(held)))

    def action(self, screen: Screen, before: DigitPosition, after: DigitPosition) -> None:
        """Show another player's action in one line, marking a rebid."""
        old, view, names = before.view, after.view, after.names
        seat, action = view.moves[-1]
        if seat == old.seat:
            return
        rebid = old.auction is not None and old.auction.phase == DECIDE and action >= 0
        name, words = name_shown(names[seat]), action_in_words(action, old.rules)
        screen.say(_("{name}: {bid} (a rebid)", name=name, bid=words) if rebid else f"{name}: {words}")

    def turn(self, screen: Screen, position: DigitPosition) -> None:
        """Show the standing bid, the challenges to it, and what it wins."""
        view, names = position.view, position.names
        assert view.auction is not None
        assert view.terms is not None
        auction = view.auction
        if auction.claim >= 0:
            said = [_standing_bid(view, auction, names), _("Stake {stake}.", stake=view.terms.stake)]
            if view.rules.level_bonus or view.rules.sixes or view.rules.hero:
                said[1] = _stake_and_multiplier(view.terms.stake, auction.claim, _own_count(view), view.rules)
            screen.say(" ".join(said))

    def legal(self, screen: Screen, position: DigitPosition) -> None:
        """Show the legal actions, with an example."""
        view = position.view
        legal = view.legal
        may = []
        if legal.min_claim is not None:
            may.append(
                _(
                    N_("bid {bid} or another bid that beats the standing one (type {example}, or {spoken})")
                    if view.rules.loose
                    else N_("bid {bid} or higher (type {example}, or {spoken})"),
                    bid=bid_in_words(legal.min_claim, view.rules),
                    example=f"{level_of(legal.min_claim, view.rules)}x{digit_of(legal.min_claim, view.rules)}",
                    spoken=_spoken(legal.min_claim, view.rules),
                )
            )
        if CHALLENGE in legal.answers:
            # Translators: (c) is what players type
            may.append(_("challenge (c)"))
        if COUNT in legal.answers:
            # Translators: (k) is what players type
            may.append(_("count (k)"))
        screen.say(_("Your turn: {actions}.", actions=any_of(may)))

    def _odds(self, screen: Screen, position: DigitPosition, question: str) -> None:
        """Show the probability that a bid is good, given only the seat's own number."""
        view = position.view
        if view.number is None or view.auction is None or view.result is not None:
            screen.say(_("No hand is in play."))
            return
        claim = bid_from_text(question, view.rules) if question else view.auction.claim
        if claim < 0:
            screen.say(_("Nothing has been bid yet. Name a bid, such as: {example}", example="odds 3x7"))
            return
        own = view.number.count(str(digit_of(claim, view.rules)))
        rules, level = view.rules, level_of(claim, view.rules)
        stake = view.terms.stake if view.terms else 1
        probability = probability_made(rules, own, level)
        need = max(0, level - own)
        bid = bid_in_words(claim, rules)
        if need:
            needed = count_in_words(need, digit_of(claim, rules), rules)
            screen.say(_("{bid}: you hold {own}, so the others must hold {needed}.", bid=bid, own=own, needed=needed))
            chance = percent(probability)
            screen.say(_("The chance of that is {chance} if their numbers are random.", chance=chance), indent="  ")
        else:
            screen.say(_("{bid}: you hold {own}, so the bid is good.", bid=bid, own=own))
        standing = view.auction.claim
        if claim == standing and view.auction.bidder != view.seat:
            return
        if claim != standing and not _may_be_bid(view, claim):
            screen.say(_("This bid isn't legal now."), indent="  ")
            return
        value = signed(bid_value(rules, claim, own, stake))
        screen.say(_("If you bid it and it is counted, your EV is {value} units.", value=value), indent="  ")
        if standing >= 0 and view.auction.bidder != view.seat:
            threshold = percent(break_even_probability(rules, claim, own, standing))
            screen.say(
                _(
                    "If the standing bid is good and everyone challenges yours, a raise pays off above {threshold}.",
                    threshold=threshold,
                ),
                indent="  ",
            )

    def _why(self, screen: Screen, position: DigitPosition, rest: str) -> None:
        """Show the rules behind the stake and the standing bid, or behind the last count."""
        view, names = position.view, position.names
        if view.terms is None or view.auction is None:
            screen.say(_("No hand has been dealt yet."))
            return
        rules = view.rules
        screen.say(_("This hand: {stake}.", stake=stake_in_words(view.terms.stake, view.terms.why, rules)))
        if view.result is not None:
            bid, bidder = bid_in_words(view.result.final_claim, rules), names[view.result.bidder]
            screen.say(said_of(bidder, N_("{bid} by you:"), N_("{bid} by {name}:"), bid=bid))
            reasons = view.result.why
        elif view.auction.claim >= 0:
            claim, own = view.auction.claim, _own_count(view)
            pays = _made(claim, own, rules).multiplier
            bid = bid_in_words(claim, rules)
            screen.say(_("{bid}: wins ×{pays} if made, costs ×1 if it fails.", bid=bid, pays=pays))
            reasons = (*_made_reasons(claim, own, rules), *_skunk_reasons(claim, own, rules))
        else:
            reasons = ()
        for reason in reasons:
            screen.say(f"- {reason_in_words(reason, rules)}", indent="  ")

    def result(self, screen: Screen, position: DigitPosition) -> None:
        """Show the count, the payoffs with their reasons, and the numbers if they are public."""
        view, names = position.view, position.names
        assert view.result is not None
        assert view.terms is not None
        for line in describe_count(view.result, view.rules, names, view.terms.hand):
            screen.say(line)
        if view.shown:
            _show_numbers(screen, view.shown, names)
        elif view.options.reveal == "on_request":
            screen.say(_("Type {command} to see the numbers.", command="numbers"))

    def _score(self, screen: Screen, position: DigitPosition, rest: str) -> None:
        view, names = position.view, position.names
        show_units(screen, names, view.score)

    def complete(self, screen: Screen, position: DigitPosition, typed: str, ask: Ask) -> str:
        """Return the action in the notation; see `whole_action`."""
        return whole_action(typed)

    def rebuild(self, live: LiveRound, moves: int) -> tuple[DigitSession, DigitView]:
        """Return the hand after its first `moves` moves, with the other numbers hidden."""
        sent, held, begun = live.round, live.hand, live.begun()
        assert isinstance(sent, DigitsRound)
        assert isinstance(begun, DigitSession)
        assert held is None or isinstance(held, DigitsHand)
        rules, held = begun.setup.rules, held or DigitsHand()
        result = sent.result if live.is_over(moves) else None
        shown = sent.shown if result is not None else ()
        unknown = HIDDEN * rules.hand_size
        own = held.number or unknown
        numbers = shown or tuple(own if seat == live.seat else unknown for seat in range(begun.seats))
        hand = DigitRound.begin(rules, _terms(sent), numbers, None)
        for _seat, action in sent.moves[:moves]:
            hand = hand.apply(read(action, rules))
        hands = () if result is None else ((hand, _result(sent, result, rules)),)
        ledger = replace(begun.ledger, hands=hands, score=sent.score, numbers_shown=bool(shown))
        session = replace(begun, ledger=ledger, round=hand)
        played_rows = sum(1 << row for row in held.rows_played or ())
        return session, replace(session.view(live.seat), slip=held.slip, played_rows=played_rows)

    def _numbers(self, screen: Screen, position: DigitPosition, rest: str) -> DigitSession | None:
        """Show the numbers; if the table shows them on request, return the session that has shown them."""
        session, view = position.session, position.view
        if view.shown:
            _show_numbers(screen, view.shown, position.names)
            return None
        asked = session.show_numbers()
        _show_numbers(screen, asked.view(view.seat).shown, position.names)
        return asked


def _terms(sent: DigitsRound) -> Terms:
    return Terms(
        hand=sent.round,
        opener=sent.opener,
        base=sent.stake,
        stake=sent.stake,
        why=_reasons(sent.stake_reasons),
        row=sent.row,
        letters=sent.letters,
    )


def _result(sent: DigitsRound, result: DigitsResult, rules: Rules) -> DigitResult:
    """Return the result that the server sent; all of it is public."""
    claim = read(result.final_claim, rules)
    return DigitResult(
        opener=sent.opener,
        stake=sent.stake,
        final_claim=claim,
        bidder=result.bidder,
        total=result.total,
        counts=result.counts,
        settlement=settle(claim, result.counts[result.bidder], result.total, rules),
        payoffs=result.payoffs,
        next_stake=result.next_stake,
        next_opener=result.next_opener,
        why=_reasons(result.reasons),
        odd_endings=result.odd_endings,
    )


def _reasons(pairs: tuple[tuple[str, int], ...]) -> tuple[Reason, ...]:
    return tuple(Reason(rule, amount) for rule, amount in pairs)


def _may_be_bid(view: DigitView, claim: int) -> bool:
    """Return whether the claim is within the cap, beats the standing one and isn't a repeated bid."""
    assert view.auction is not None
    made_before = any(action == claim for _seat, action in view.moves)
    return refusal_with_repeats(view.auction, claim, made_before, view.rules) == LEGAL


def _show_numbers(screen: Screen, numbers: tuple[str, ...], names: tuple[str, ...]) -> None:
    """Show the numbers that are public after the count."""
    screen.say(_("The numbers:"))
    for name, number in zip(aligned(tuple(map(name_shown, names))), numbers, strict=True):
        screen.say(f"{name}  {number}", indent="  ")


def _standing_bid(view: DigitView, auction: Auction, names: tuple[str, ...]) -> str:
    """Return the standing bid and how often it has been challenged, as a sentence."""
    return said_of(
        names[auction.bidder],
        N_("Standing bid: {bid} by you, {challenges}."),
        N_("Standing bid: {bid} by {name}, {challenges}."),
        bid=bid_in_words(auction.claim, view.rules),
        challenges=_challenges(auction, view.rules.seats - 1),
    )


def _challenges(auction: Auction, others: int) -> str:
    if auction.phase == DECIDE:
        # Translators: of a bid
        return _("challenged all around")
    done = auction.challenges
    if done and auction.is_rebid:
        return _("challenged by {done} of {others}, a rebid", done=done, others=others)
    if done:
        return _("challenged by {done} of {others}", done=done, others=others)
    return _("unchallenged, a rebid") if auction.is_rebid else _("unchallenged")


def _own_count(view: DigitView) -> int | None:
    """Return how many of the standing bid's digit the viewer holds; `None` if it isn't their bid."""
    assert view.auction is not None
    if view.auction.bidder != view.seat or view.number is None or HIDDEN in view.number:
        return None
    return view.number.count(str(digit_of(view.auction.claim, view.rules)))


def _made(claim: int, own: int | None, rules: Rules) -> Settlement:
    """Return the result of a made bid whose bidder holds `own` of the digit; `None` if unknown, so not a hero."""
    own = 1 if own is None else own
    return settle(claim, own, max(own, level_of(claim, rules)), rules)


def _made_reasons(claim: int, own: int | None, rules: Rules) -> tuple[Reason, ...]:
    """Return the rules behind what the bid wins if it is made."""
    made = _made(claim, own, rules)
    hero = (Reason(OUTCOMES[HERO], made.multiplier),) if made.outcome == HERO else ()
    return (*bid_reasons(claim, rules), *hero)


def _skunk_reasons(claim: int, own: int | None, rules: Rules) -> tuple[Reason, ...]:
    """Return the rule for a count of 0, if the bidder is known to hold none and the rule is on."""
    counted = settle(claim, 0, 0, rules)
    return (Reason(OUTCOMES[NONE], counted.multiplier),) if own == 0 and counted.outcome == NONE else ()


def _stake_and_multiplier(stake: int, claim: int, own: int | None, rules: Rules) -> str:
    """Return the stake and what the bid wins, with the rules behind it, as a sentence."""
    pays = _made(claim, own, rules).multiplier
    reasons = "; ".join(reason_in_words(reason, rules) for reason in _made_reasons(claim, own, rules))
    if reasons:
        return _("Stake {stake}; if made, it wins ×{pays} ({reasons}).", stake=stake, pays=pays, reasons=reasons)
    return _("Stake {stake}; if made, it wins ×{pays}.", stake=stake, pays=pays)


def _spoken(claim: int, rules: Rules) -> str:
    """Return the bid as players type it: in English in every language."""
    with speaking("en"):
        return bid_in_words(claim, rules)


def _bill(screen: Screen, view: DigitView) -> list[str]:
    """Draw the number on a bill, between its letters if they are known."""
    assert view.number is not None
    assert view.terms is not None
    letters = view.terms.letters[view.seat] if view.terms.letters and view.seat is not None else "  "
    digits = " ".join(view.number) if len(view.number) <= 12 else view.number
    serial = f"{letters[0]}  {digits}  {letters[1]}"
    edge = f"+{'-' * (len(serial) + 4)}+"
    face = f"|  {screen.strong(serial)}  |"
    value = _("ONE DOLLAR")
    return [edge, face, f"|{value:^{len(serial) + 4}}|", edge]


def _slip(screen: Screen, view: DigitView) -> list[str]:
    """Draw the fifteen rows in columns, with the row in play marked > and played rows marked x."""
    assert view.terms is not None
    letters = ROW_LETTERS[view.options.row_letters]
    cells = []
    for row, number in enumerate(view.slip):
        current = row == view.terms.row
        mark = ">" if current else "x" if view.row_played(row) else " "
        cell = f"{mark} {letters[row]} {number}"
        cells.append(screen.strong(cell) if current else cell)
    columns = (screen.width + 1) // 15  # a cell is 12 characters wide, with 3 between cells
    depth = -(-ROWS // columns)
    lines = ["   ".join(cells[line::depth]) for line in range(depth)]
    return [_("Your slip (> in play, x played):"), *("  " + line for line in lines)]


RENDERER = DigitsTerminal()
"""The terminal renderer of these games."""
