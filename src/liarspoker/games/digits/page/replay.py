"""A hand of a digit game at a ply."""

from __future__ import annotations

from fractions import Fraction
from typing import cast

from liarspoker.games.digits.auction import CHALLENGE
from liarspoker.games.digits.hands import HIDDEN
from liarspoker.games.digits.ladder import digit_of, level_of
from liarspoker.games.digits.options import ROW_LETTERS
from liarspoker.games.digits.record_text import say, verdict
from liarspoker.games.digits.round import DigitRound
from liarspoker.games.digits.session import DigitSession
from liarspoker.games.digits.settlement import bid_multiplier
from liarspoker.odds.bids import bid_value
from liarspoker.odds.counts import at_least
from liarspoker.records.words import digit_name, object_of, reason_in_words, subject
from liarspoker.web.view_models.odds_fields import per_cent
from liarspoker.web.view_models.replay_course import ALL, Course, Player, Ply, Stage, player_of
from liarspoker.web.words import sentence


def heading(course: Course) -> str:
    """`row C · stake 2`."""
    session = cast(DigitSession, course.sessions[0])
    terms = _hand(session).terms
    row = "" if terms.row is None else f"row {ROW_LETTERS[session.setup.options.row_letters][terms.row]}, "
    return f"{row}stake {terms.stake}"


def stage(course: Course, at: int) -> Stage:
    """The table after `at` actions."""
    session = cast(DigitSession, course.sessions[at])
    hand, result = _hand(session), session.round_result
    standing, rules = hand.auction, hand.rules
    players = tuple(_player(course, session, seat) for seat in range(len(course.names)))
    said = _said(course, at)
    if result is not None:
        noun = digit_name(digit_of(result.final_claim, rules), result.total, rules)
        words = verdict(result.bidder, result.settlement, result.stake, rules, course.names)
        why = tuple(sentence(reason_in_words(one, rules)) for one in result.why if one != ("made", 1))
        bid = f"{level_of(result.final_claim, rules)} were bid by {object_of(course.names[result.bidder])}"
        return Stage(
            bid, result.total or None, noun if result.total else f"no {noun}", (), (), players, (words, *why), said
        )
    if standing.claim < 0:
        return Stage("No bid yet", None, f"{course.names[hand.terms.opener]} to open", (), (), players, (), said)
    level = level_of(standing.claim, rules)
    noun = digit_name(digit_of(standing.claim, rules), level, rules)
    pays = bid_multiplier(standing.claim, rules)
    under = (f"pays ×{pays}" if pays > 1 else "", "a rebid" if standing.is_rebid else "")
    over = f"Standing bid by {object_of(course.names[standing.bidder])}"
    return Stage(over, level, noun, tuple(filter(None, under)), (), players, (), said)


def plies(course: Course) -> tuple[Ply, ...]:
    """The deal, and every action with what the viewpoint makes of it."""
    first = cast(DigitSession, course.sessions[0])
    listed = [Ply(0, "", sentence(f"{subject(course.names[_hand(first).terms.opener], 'opens')}"), "deal")]
    for number, session in enumerate(course.sessions[1:], 1):
        hand = _hand(session)
        seat, action = hand.moves[-1]
        kind = "claim" if action >= 0 else "challenge" if action == CHALLENGE else "other"
        chance = _chance(course, hand) if course.odds else None
        figure = "" if chance is None else f"{per_cent(chance)} %"
        listed.append(Ply(number, course.names[seat], say(action, hand.rules), kind, figure, _units(course, session)))
    return tuple(listed)


def _hand(session: DigitSession) -> DigitRound:
    assert session.round is not None
    return session.round


def _player(course: Course, session: DigitSession, seat: int) -> Player:
    hand, result = _hand(session), session.round_result
    letters = hand.terms.letters
    return player_of(
        course,
        seat,
        _act(hand, seat),
        _marks(session, seat),
        units=session.score[seat],
        number=_number(course, session, seat),
        letters=letters[seat] if letters else "",
        fingers=None if result is None else result.counts[seat],
    )


def _number(course: Course, session: DigitSession, seat: int) -> str:
    hand, view = _hand(session), course.seen(session)
    if course.view == ALL:
        return hand.numbers[seat]
    if view.shown:
        return str(view.shown[seat])
    return str(view.number) if seat == course.seat else HIDDEN * hand.rules.hand_size


def _act(hand: DigitRound, seat: int) -> str:
    own = [action for by, action in hand.moves if by == seat]
    if not own:
        return ""
    return f"bid {say(own[-1], hand.rules)}" if own[-1] >= 0 else "challenges" if own[-1] == CHALLENGE else "counts"


def _marks(session: DigitSession, seat: int) -> tuple[str, ...]:
    hand = _hand(session)
    marks = ["bidder"] if hand.auction.claim >= 0 and hand.auction.bidder == seat else []
    for by, action in reversed(hand.moves):
        if action != CHALLENGE:
            break
        marks += ["challenged"] if by == seat else []
    if session.to_act == seat:
        marks.append("turn")
    return tuple(marks)


def _said(course: Course, at: int) -> str:
    hand = _hand(course.sessions[at])
    if not at:
        return sentence(subject(course.names[hand.terms.opener], "opens"))
    seat, action = hand.moves[-1]
    if action >= 0:
        return sentence(f"{subject(course.names[seat], 'bids')} {say(action, hand.rules)}")
    return sentence(subject(course.names[seat], "challenges" if action == CHALLENGE else "counts"))


def _own(course: Course, hand: DigitRound) -> int | None:
    """How many of the standing digit the viewpoint holds; `None` where it holds nothing that is known."""
    if course.seat is None or HIDDEN in hand.numbers[course.seat]:
        return None
    return hand.numbers[course.seat].count(str(digit_of(hand.auction.claim, hand.rules)))


def _chance(course: Course, hand: DigitRound) -> Fraction | None:
    """The chance that the standing bid is good, as far as the viewpoint knows the numbers."""
    rules, claim = hand.rules, hand.auction.claim
    level = level_of(claim, rules)
    if course.view == ALL:
        held = "".join(hand.numbers)
        known, unknown = held.count(str(digit_of(claim, rules))), held.count(HIDDEN)
        return at_least(unknown, level - known, rules.symbols)
    own = _own(course, hand)
    if own is None:
        return at_least(rules.hand_size * rules.seats, level, rules.symbols)
    return at_least(rules.hand_size * (rules.seats - 1), level - own, rules.symbols)


def _units(course: Course, session: DigitSession) -> float | None:
    """What the viewpoint's seat wins on average if the standing bid were counted now; in the end, what it has won."""
    hand, result = _hand(session), session.round_result
    own = _own(course, hand)
    if own is None or course.seat is None or not course.odds:
        return None
    if result is not None:
        return float(result.payoffs[course.seat])
    rules, claim, stake = hand.rules, hand.auction.claim, hand.terms.stake
    if hand.auction.bidder == course.seat:
        return round(float(bid_value(rules, claim, own, stake)), 1)
    chance = _chance(course, hand) or Fraction(0)
    return round(float(stake * (1 - chance) - stake * bid_multiplier(claim, rules) * chance), 1)
