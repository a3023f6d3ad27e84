"""The digit games in the terminal: your bill or slip, the standing bid, the count with fingers and fists."""

from __future__ import annotations

from liarspoker.odds.bid_words import signed
from liarspoker.odds.bids import bid_value, chance_to_make, needed_to_raise
from liarspoker.odds.figures import percent
from liarspoker.odds.typed import bid_from_text
from liarspoker.records.digits import read as read_words
from liarspoker.records.tell_digits import say, stake_in_words, tell_count
from liarspoker.records.words import bid_in_words, digit_name, object_of, reason_in_words, subject
from liarspoker.rules.digits.auction import CHALLENGE, COUNT, DECIDE
from liarspoker.rules.digits.deal import DigitDeal, digits_in_play
from liarspoker.rules.digits.ladder import digit_of, level_of
from liarspoker.rules.digits.options import ROW_LETTERS
from liarspoker.rules.digits.result import bid_reasons
from liarspoker.rules.digits.session import DigitSession
from liarspoker.rules.digits.settlement import bid_multiplier
from liarspoker.rules.digits.slips import ROWS
from liarspoker.rules.digits.view import DigitView
from liarspoker.rules.errors import NotNow
from liarspoker.terminal.screen import Screen

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
    tell_hand(screen, view)


def tell_hand(screen: Screen, view: DigitView) -> None:
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


def tell_action(screen: Screen, view: DigitView, seat: int, action: int, names: tuple[str, ...]) -> None:
    """One line for what somebody does; a rebid is named, for it is the bidder's last."""
    rebid = view.auction is not None and view.auction.phase == DECIDE and action >= 0
    screen.say(f"{names[seat]}: {say(action, view.rules)}" + (" (a rebid)" if rebid else ""))


def tell_turn(screen: Screen, view: DigitView, names: tuple[str, ...]) -> None:
    """The standing bid with what it is worth, and what may be done."""
    assert view.auction is not None
    assert view.terms is not None
    auction = view.auction
    if auction.claim >= 0:
        bonus = view.rules.level_bonus or view.rules.sixes or view.rules.hero
        worth = f", made it wins ×{bid_multiplier(auction.claim, view.rules)}" if bonus else ""
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
        may.append(f"bid {least} or stronger (type {example}, or {least})")
    if CHALLENGE in legal.answers:
        may.append("challenge (c)")
    if COUNT in legal.answers:
        may.append("count (k)")
    screen.say(f"Your turn: {' or '.join(may)}.")


def read(session: DigitSession, text: str) -> int:
    """The action typed: notation, words, or a letter for an answer."""
    return read_words(session, _SHORT.get(text.lower(), text.lower()))


def tell_odds(screen: Screen, view: DigitView, question: str) -> None:
    """The chance that a bid is good, given the seat's own number and nothing else."""
    if view.number is None or view.auction is None:
        screen.say("No number has been dealt yet.")
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
    screen.say(f"{bid_in_words(claim, rules)}: you hold {own}, so the others must hold {need} {name}.")
    screen.say(f"The chance of that is {percent(chance)}, if their numbers are random.", indent="  ")
    mine = view.auction.claim != claim or view.auction.bidder == view.seat
    if mine:
        value = signed(bid_value(rules, claim, own, stake))
        screen.say(f"If you bid it and it is counted, you can expect {value} units.", indent="  ")
    if mine and claim > view.auction.claim >= 0 and view.auction.bidder != view.seat:
        threshold = percent(needed_to_raise(rules, claim, own, view.auction.claim))
        screen.say(
            f"If the standing bid is good and all challenge yours, bidding beats challenging from {threshold} on.",
            indent="  ",
        )


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
        _tell_numbers(screen, view, names)
    elif view.options.reveal == "on_request":
        screen.say("Type numbers to ask for the numbers.")


def own_command(
    screen: Screen, session: DigitSession, seat: int, word: str, names: tuple[str, ...]
) -> DigitSession | None:
    """`numbers`, after a count that shows them on request only."""
    if word != "numbers":
        return None
    shown = session if session.view(seat).shown else session.show_numbers()
    _tell_numbers(screen, shown.view(seat), names)
    return shown


def _tell_numbers(screen: Screen, view: DigitView, names: tuple[str, ...]) -> None:
    """The numbers that the count has made public."""
    width = max(map(len, names))
    screen.say("The numbers:")
    for name, number in zip(names, view.shown, strict=True):
        screen.say(f"{name:<{width}}  {number}", indent="  ")


def agree(session: DigitSession, deal: DigitDeal, wish: str) -> DigitSession:
    """The next hand dealt at the stake that the table has agreed on, `stake 2`."""
    words = wish.split()
    if len(words) == 2 and words[0] == "stake" and words[1].isdecimal():
        return session.deal(deal, stake=int(words[1]))
    raise NotNow(
        "unreadable-action", f"{wish!r}: no hand is in play; Enter deals the next, stake 2 deals it at stake 2"
    )


def _challenges(view: DigitView) -> str:
    assert view.auction is not None
    if view.auction.phase == DECIDE:
        return "challenged all around"
    others = view.rules.seats - 1
    done = view.auction.challenges
    rebid = ", a rebid" if view.auction.is_rebid else ""
    return f"{done} of {others} {'challenge' if done != 1 else 'challenges'}{rebid}" if done else f"unchallenged{rebid}"


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
    columns = screen.width // 14
    depth = -(-ROWS // columns)
    lines = ["   ".join(cells[line::depth]) for line in range(depth)]
    return ["Your slip (> in play, x played):", *("  " + line for line in lines)]
