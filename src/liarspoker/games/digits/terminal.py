"""The digit games in the terminal: your bill or slip, the standing bid, the count with fingers and fists."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from liarspoker.core.session import Reason
from liarspoker.games.digits.auction import CHALLENGE, COUNT, DECIDE
from liarspoker.games.digits.deal import digits_in_play
from liarspoker.games.digits.hands import HIDDEN, ROWS
from liarspoker.games.digits.ladder import beats, digit_of, ladder_length, level_of
from liarspoker.games.digits.messages import DigitsHand, DigitsResult, DigitsRound
from liarspoker.games.digits.notation import read
from liarspoker.games.digits.options import ROW_LETTERS, Rules
from liarspoker.games.digits.record_text import say, stake_in_words, tell_count
from liarspoker.games.digits.result import DigitResult, DigitView, bid_reasons
from liarspoker.games.digits.round import DigitRound, Terms
from liarspoker.games.digits.session import DigitSession
from liarspoker.games.digits.settlement import bid_multiplier, settle
from liarspoker.odds.bid_report import bid_from_text, signed
from liarspoker.odds.bids import bid_value, chance_to_make, needed_to_raise
from liarspoker.odds.figures import percent
from liarspoker.records.words import bid_in_words, digit_name, object_of, reason_in_words, subject
from liarspoker.terminal.renderer import Ask, LiveRound, Position, Question, TerminalRenderer
from liarspoker.terminal.screen import Screen, show_units

HELP = """  odds         the chance that the standing bid is good
  odds CLAIM   the chance of a claim of your choice
  why          the rules behind the stake, the bid, the payment
  hand         what you hold, once more
  score        who has won and lost how much
  numbers      the numbers of the last hand, where a count shows them on request
  stake 2      between hands: play the next one at stake 2"""

_SAID_BEFORE = re.compile(r"^(i )?bid ", re.IGNORECASE)
_AROUND_X = re.compile(r"^([0-9]+) *x *([0-9])$", re.IGNORECASE)
_ANSWERS = {
    "c": "challenge",
    "ch": "challenge",
    "liar": "challenge",
    "challenge": "challenge",
    "k": "count",
    "count": "count",
}


DigitPosition = Position[DigitSession, DigitView]


class DigitsTerminal(TerminalRenderer[DigitSession, DigitView]):
    """Show the digit games."""

    help = HELP

    def questions(self) -> Mapping[str, Question[DigitSession, DigitView]]:
        """Return what can be asked."""
        return {**super().questions(), "numbers": self._numbers}

    def deal(self, screen: Screen, position: DigitPosition) -> None:
        """What is played for, who opens, and the seat's bill or slip."""
        view, names = position.view, position.names
        assert view.terms is not None
        terms = view.terms
        screen.say(f"Hand {terms.hand + 1}: {stake_in_words(terms.stake, terms.why, view.rules)}.")
        if terms.letters:
            pairs = ", ".join(f"{name} {pair}" for name, pair in zip(names, terms.letters, strict=True))
            screen.say(f"The bills' letters: {pairs}; the lowest opens.")
        screen.say(f"{subject(names[terms.opener], 'opens')}.")
        self._hand(screen, position, "")
        for seat, action in view.moves:  # of a hand that is taken up again
            screen.say(f"{names[seat]}: {say(action, view.rules)}")

    def _hand(self, screen: Screen, position: DigitPosition, rest: str) -> None:
        """The seat's number, as a bill or as a row of its slip."""
        view = position.view
        if view.number is None or view.terms is None:
            screen.say("No number has been dealt yet.")
            return
        if view.slip:
            screen.draw(_slip(screen, view))
        elif screen.boxes:
            screen.draw(_bill(screen, view))
        number = view.number
        counts = sorted((-number.count(digit), digit) for digit in digits_in_play(view.rules) if digit in number)
        held = [f"{-count} {digit_name(int(digit), -count, view.rules)}" for count, digit in counts]
        screen.say(f"Your number is {screen.strong(view.number)}: {', '.join(held)}.")

    def action(self, screen: Screen, before: DigitPosition, after: DigitPosition) -> None:
        """One line for what another does; a rebid is named, for it is the bidder's last."""
        old, view, names = before.view, after.view, after.names
        seat, action = view.moves[-1]
        if seat == old.seat:
            return
        rebid = old.auction is not None and old.auction.phase == DECIDE and action >= 0
        screen.say(f"{names[seat]}: {say(action, old.rules)}" + (" (a rebid)" if rebid else ""))

    def turn(self, screen: Screen, position: DigitPosition) -> None:
        """The standing bid with what it is worth, and what may be done."""
        view, names = position.view, position.names
        assert view.auction is not None
        assert view.terms is not None
        auction = view.auction
        if auction.claim >= 0:
            bonus = view.rules.level_bonus or view.rules.sixes or view.rules.hero
            worth = f", made it wins ×{bid_multiplier(auction.claim, view.rules)}" if bonus else ""
            reasons = "; ".join(
                reason_in_words(reason, view.rules) for reason in bid_reasons(auction.claim, view.rules)
            )
            worth += f" ({reasons})" if reasons else ""
            screen.say(
                f"Standing: {bid_in_words(auction.claim, view.rules)} by {object_of(names[auction.bidder])}, "
                f"{_challenges(view)}. Stake {view.terms.stake}{worth}."
            )

    def legal(self, screen: Screen, position: DigitPosition) -> None:
        """What may be typed now, with an example."""
        view = position.view
        legal = view.legal
        may = []
        if legal.min_claim is not None:
            example = f"{level_of(legal.min_claim, view.rules)}x{digit_of(legal.min_claim, view.rules)}"
            least = bid_in_words(legal.min_claim, view.rules)
            stronger = "or another that beats it" if view.rules.loose else "or stronger"
            may.append(f"bid {least} {stronger} (type {example}, or {least})")
        if CHALLENGE in legal.answers:
            may.append("challenge (c)")
        if COUNT in legal.answers:
            may.append("count (k)")
        screen.say(f"Your turn: {' or '.join(may)}.")

    def _odds(self, screen: Screen, position: DigitPosition, question: str) -> None:
        """The chance that a bid is good, given the seat's own number and nothing else."""
        view = position.view
        if view.number is None or view.auction is None or view.result is not None:
            screen.say("No hand is in play.")
            return
        claim = bid_from_text(question, view.rules) if question else view.auction.claim
        if claim < 0:
            screen.say("Nothing has been bid yet; ask about a bid, as in: odds 3x7")
            return
        own = view.number.count(str(digit_of(claim, view.rules)))
        rules, level = view.rules, level_of(claim, view.rules)
        stake = view.terms.stake if view.terms else 1
        chance = chance_to_make(rules, own, level)
        need = max(0, level - own)
        name = digit_name(digit_of(claim, rules), need, rules)
        rest = f"so the others must hold {need} {name}" if need else "so it is there already"
        screen.say(f"{bid_in_words(claim, rules)}: you hold {own}, {rest}.")
        if need:
            screen.say(f"The chance of that is {percent(chance)}, if their numbers are random.", indent="  ")
        standing = view.auction.claim
        if claim == standing and view.auction.bidder != view.seat:
            return
        if claim != standing and not _may_be_bid(view, claim):
            screen.say("It cannot be bid now.", indent="  ")
            return
        value = signed(bid_value(rules, claim, own, stake))
        screen.say(f"If you bid it and it is counted, you can expect {value} units.", indent="  ")
        if standing >= 0 and view.auction.bidder != view.seat:
            threshold = percent(needed_to_raise(rules, claim, own, standing))
            screen.say(
                f"If the standing bid is good and all challenge yours, bidding beats challenging from {threshold} on.",
                indent="  ",
            )

    def _why(self, screen: Screen, position: DigitPosition, rest: str) -> None:
        """The rules behind the stake and the standing bid, or behind the last count."""
        view, names = position.view, position.names
        if view.terms is None or view.auction is None:
            screen.say("Nothing has been dealt yet.")
            return
        rules = view.rules
        screen.say(f"This hand: {stake_in_words(view.terms.stake, view.terms.why, rules)}.")
        if view.result is not None:
            screen.say(f"{bid_in_words(view.result.final_claim, rules)} by {object_of(names[view.result.bidder])}:")
            reasons = view.result.why
        elif view.auction.claim >= 0:
            worth = bid_multiplier(view.auction.claim, rules)
            screen.say(f"{bid_in_words(view.auction.claim, rules)}: made, it wins ×{worth}; failed, it costs ×1.")
            reasons = bid_reasons(view.auction.claim, rules)
        else:
            reasons = ()
        for reason in reasons:
            screen.say(f"- {reason_in_words(reason, rules)}", indent="  ")

    def result(self, screen: Screen, position: DigitPosition) -> None:
        """The count clockwise from the bidder's left, the payoffs with their reasons, and the numbers if shown."""
        view, names = position.view, position.names
        assert view.result is not None
        for line in tell_count(view.result, view.rules, names):
            screen.say(line)
        if view.shown:
            _show_numbers(screen, view.shown, names)
        elif view.options.reveal == "on_request":
            screen.say("Type numbers to ask for the numbers.")

    def _score(self, screen: Screen, position: DigitPosition, rest: str) -> None:
        view, names = position.view, position.names
        show_units(screen, names, view.score)

    def complete(self, screen: Screen, position: DigitPosition, typed: str, ask: Ask) -> str:
        """Return the action without what may be said around it; bids are short enough to be typed in full."""
        plain = _SAID_BEFORE.sub("", typed)
        return _ANSWERS.get(plain.lower()) or _AROUND_X.sub(r"\1x\2", plain)

    def rebuild(self, live: LiveRound, moves: int) -> tuple[DigitSession, DigitView]:
        """Return the hand after its first moves; the others' numbers are unknown."""
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
        for _, action in sent.moves[:moves]:
            hand = hand.apply(read(action, rules))
        hands = () if result is None else ((hand, _result(sent, result, rules)),)
        ledger = replace(begun.ledger, hands=hands, score=sent.score, numbers_shown=bool(shown))
        session = replace(begun, ledger=ledger, round=hand)
        played_rows = sum(1 << row for row in held.rows_played or ())
        return session, replace(session.view(live.seat), slip=held.slip, played_rows=played_rows)

    def _numbers(self, screen: Screen, position: DigitPosition, rest: str) -> DigitSession | None:
        """Show the numbers, after a count that shows them on request only."""
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
    """The count: it is public, so the server sends all of it."""
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
    """Whether the claim beats the standing one, and is not beyond all that can be made."""
    assert view.auction is not None
    beyond = view.rules.capped and claim >= ladder_length(view.rules)
    return not beyond and (view.auction.claim < 0 or beats(claim, view.auction.claim, view.rules))


def _show_numbers(screen: Screen, numbers: tuple[str, ...], names: tuple[str, ...]) -> None:
    """Show the numbers that the count has made public."""
    width = max(map(len, names))
    screen.say("The numbers:")
    for name, number in zip(names, numbers, strict=True):
        screen.say(f"{name:<{width}}  {number}", indent="  ")


def _challenges(view: DigitView) -> str:
    assert view.auction is not None
    if view.auction.phase == DECIDE:
        return "challenged all around"
    others = view.rules.seats - 1
    done = view.auction.challenges
    rebid = ", a rebid" if view.auction.is_rebid else ""
    return f"challenged by {done} of {others}{rebid}" if done else f"unchallenged{rebid}"


def _bill(screen: Screen, view: DigitView) -> list[str]:
    """The number on a bill, between its letters if it has them."""
    assert view.number is not None
    assert view.terms is not None
    letters = view.terms.letters[view.seat] if view.terms.letters and view.seat is not None else "  "
    digits = " ".join(view.number) if len(view.number) <= 12 else view.number
    serial = f"{letters[0]}  {digits}  {letters[1]}"
    edge = f"+{'-' * (len(serial) + 4)}+"
    face = f"|  {screen.strong(serial)}  |"
    return [edge, face, f"|{'ONE DOLLAR':^{len(serial) + 4}}|", edge]


def _slip(screen: Screen, view: DigitView) -> list[str]:
    """The fifteen rows in columns, the row in play marked >, those played marked x."""
    assert view.terms is not None
    letters = ROW_LETTERS[view.options.row_letters]
    cells = []
    for row, number in enumerate(view.slip):
        current = row == view.terms.row
        mark = ">" if current else "x" if view.row_played(row) else " "
        cell = f"{mark} {letters[row]} {number}"
        cells.append(screen.strong(cell) if current else cell)
    columns = (screen.width + 1) // 15  # of twelve letters, two before and three between
    depth = -(-ROWS // columns)
    lines = ["   ".join(cells[line::depth]) for line in range(depth)]
    return ["Your slip (> in play, x played):", *("  " + line for line in lines)]


RENDERER = DigitsTerminal()
"""How the terminal shows these games."""
