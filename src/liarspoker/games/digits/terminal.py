"""The digit games in the terminal: your bill or slip, the standing bid, the count with fingers and fists."""

from __future__ import annotations

import re
from random import Random

from liarspoker.core.errors import NotNow
from liarspoker.core.session import RoundSetup
from liarspoker.games.digits.auction import CHALLENGE, COUNT, DECIDE
from liarspoker.games.digits.deal import digits_in_play
from liarspoker.games.digits.ladder import beats, digit_of, ladder_length, level_of
from liarspoker.games.digits.options import ROW_LETTERS
from liarspoker.games.digits.record import read as read_words
from liarspoker.games.digits.record_text import say, stake_in_words, tell_count
from liarspoker.games.digits.result import bid_reasons
from liarspoker.games.digits.session import DigitSession
from liarspoker.games.digits.settlement import bid_multiplier
from liarspoker.games.digits.slips import ROWS
from liarspoker.games.digits.view import DigitView
from liarspoker.odds.bid_report import bid_from_text, signed
from liarspoker.odds.bids import bid_value, chance_to_make, needed_to_raise
from liarspoker.odds.figures import percent
from liarspoker.records.words import bid_in_words, digit_name, object_of, reason_in_words, subject, won
from liarspoker.terminal.face import Ask
from liarspoker.terminal.screen import Screen

ROUND = "hand"

HELP = """  odds         the chance that what stands is good
  odds CLAIM   the chance of a claim of your choice
  why          the rules behind the stake, the bid, the payment
  hand         what you hold, once more
  score        who has won and lost how much
  numbers      the numbers of the last hand, where a count shows them on request
  stake 2      between hands: play the next one at stake 2"""

_SAID_BEFORE = re.compile(r"^(i )?bid ")
_AROUND_X = re.compile(r"^([0-9]+) *x *([0-9])$")
_SHORT = {"c": "challenge", "liar": "challenge", "ch": "challenge", "k": "count"}


def tell_deal(screen: Screen, view: DigitView, names: tuple[str, ...]) -> None:
    """What is played for, who opens, and the seat's bill or slip."""
    assert view.terms is not None
    terms = view.terms
    screen.say(f"Hand {terms.hand + 1}: {stake_in_words(terms.stake, terms.why, view.rules)}.")
    if terms.letters:
        pairs = ", ".join(f"{name} {pair}" for name, pair in zip(names, terms.letters, strict=True))
        screen.say(f"The bills' letters: {pairs}; the lowest opens.")
    screen.say(f"{subject(names[terms.opener], 'opens')}.")
    tell_hand(screen, view, names)
    for seat, action in view.moves:  # of a hand that is taken up again
        screen.say(f"{names[seat]}: {say(action, view.rules)}")


def tell_hand(screen: Screen, view: DigitView, names: tuple[str, ...]) -> None:
    """The seat's number, as a bill or as a row of its slip."""
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


def tell_action(screen: Screen, before: DigitView, after: DigitView, names: tuple[str, ...]) -> None:
    """One line for what another does; a rebid is named, for it is the bidder's last."""
    seat, action = after.moves[-1]
    if seat == before.seat:
        return
    rebid = before.auction is not None and before.auction.phase == DECIDE and action >= 0
    screen.say(f"{names[seat]}: {say(action, before.rules)}" + (" (a rebid)" if rebid else ""))


def tell_turn(screen: Screen, view: DigitView, names: tuple[str, ...]) -> None:
    """The standing bid with what it is worth, and what may be done."""
    assert view.auction is not None
    assert view.terms is not None
    auction = view.auction
    if auction.claim >= 0:
        bonus = view.rules.level_bonus or view.rules.sixes or view.rules.hero
        worth = f", made it wins ×{bid_multiplier(auction.claim, view.rules)}" if bonus else ""
        reasons = "; ".join(reason_in_words(reason, view.rules) for reason in bid_reasons(auction.claim, view.rules))
        worth += f" ({reasons})" if reasons else ""
        screen.say(
            f"Standing: {bid_in_words(auction.claim, view.rules)} by {object_of(names[auction.bidder])}, "
            f"{_challenges(view)}. Stake {view.terms.stake}{worth}."
        )
    tell_legal(screen, view)


def tell_legal(screen: Screen, view: DigitView) -> None:
    """What may be typed now, with an example."""
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


def read(session: DigitSession, text: str) -> int:
    """The action typed: notation, words, or a letter for an answer."""
    plain = _SAID_BEFORE.sub("", text.lower())
    return read_words(session, _SHORT.get(plain, _AROUND_X.sub(r"\1x\2", plain)))


def tell_odds(screen: Screen, view: DigitView, question: str) -> None:
    """The chance that a bid is good, given the seat's own number and nothing else."""
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


def _may_be_bid(view: DigitView, claim: int) -> bool:
    """Whether the claim beats the standing one, and is not beyond all that can be made."""
    assert view.auction is not None
    beyond = view.rules.capped and claim >= ladder_length(view.rules)
    return not beyond and (view.auction.claim < 0 or beats(claim, view.auction.claim, view.rules))


def tell_why(screen: Screen, view: DigitView, names: tuple[str, ...]) -> None:
    """The rules behind the stake and the standing bid, or behind the last count."""
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


def tell_result(screen: Screen, view: DigitView, names: tuple[str, ...]) -> None:
    """The count clockwise from the bidder's left, the payoffs and their reasons, and the numbers if they are shown."""
    assert view.result is not None
    for line in tell_count(view.result, view.rules, names):
        screen.say(line)
    if view.shown:
        tell_numbers(screen, view, names)
    elif view.options.reveal == "on_request":
        screen.say("Type numbers to ask for the numbers.")


def tell_score(screen: Screen, view: DigitView, names: tuple[str, ...]) -> None:
    """Who has won and lost how much."""
    width = max(map(len, names))
    screen.say("Score in units:")
    for name, units in zip(names, view.score, strict=True):
        screen.say(f"{name:<{width}}  {won(units)}", indent="  ")


def own_command(
    screen: Screen, session: DigitSession, seat: int, typed: str, names: tuple[str, ...]
) -> DigitSession | None:
    """`numbers`, after a count that shows them on request only."""
    if typed.lower() != "numbers":
        return None
    shown = session if session.view(seat).shown else session.show_numbers()
    tell_numbers(screen, shown.view(seat), names)
    return shown


def complete(screen: Screen, view: DigitView, typed: str, ask: Ask) -> str:
    """What was typed: bids are short enough to be typed whole."""
    return typed


def lot(session: DigitSession, chance: Random) -> int | None:
    """Nobody: who opens follows from the rules or the letters dealt, or `deal` draws him."""
    return None


def choice(session: DigitSession, opener: int | None, seat: int) -> str:
    """Nothing is named before a hand."""
    return ""


def taken_up(session: DigitSession, chance: Random) -> DigitSession:
    """The session as it is: all chance of a hand is in its deal."""
    return session


def watching(view: DigitView) -> bool:
    """Never: nobody drops out."""
    return False


def deal(session: DigitSession, chance: Random, wish: str, opener: int | None, seat: int) -> DigitSession:
    """The next hand dealt, at the stake that the table has agreed on, `stake 2`, or at that of the rules."""
    needs = session.chance_spec()
    drawn = needs.draw(chance.randrange)
    if not wish:
        return session.deal(drawn, RoundSetup(opener=chance.randrange(session.seats) if needs.opener else None))
    words = wish.split()
    if len(words) == 2 and words[0] == "stake" and re.fullmatch("[0-9]{1,100}", words[1]):
        return session.deal(drawn, RoundSetup(stake=int(words[1])))
    raise NotNow(
        "unreadable-action", f"{wish!r}: no hand is in play; Enter deals the next, stake 2 deals it at stake 2"
    )


def tell_numbers(screen: Screen, view: DigitView, names: tuple[str, ...]) -> None:
    """The numbers that the count has made public."""
    width = max(map(len, names))
    screen.say("The numbers:")
    for name, number in zip(names, view.shown, strict=True):
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
