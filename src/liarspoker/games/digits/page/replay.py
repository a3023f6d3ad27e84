"""A replayed hand of a digit game, action by action."""

from __future__ import annotations

from fractions import Fraction
from typing import cast

from liarspoker.games.digits.auction import CHALLENGE
from liarspoker.games.digits.hands import HIDDEN
from liarspoker.games.digits.ladder import digit_of, level_of
from liarspoker.games.digits.options import ROW_LETTERS
from liarspoker.games.digits.page.profile import expected_units
from liarspoker.games.digits.record_text import (
    action_in_words,
    describe_move,
    describe_opener,
    describe_outcome,
    stake_in_words,
)
from liarspoker.games.digits.round import DigitRound
from liarspoker.games.digits.session import DigitSession
from liarspoker.games.digits.settlement import HERO, settle
from liarspoker.language import N_, _, pgettext
from liarspoker.odds.counts import at_least
from liarspoker.records.words import count_or_no, digit_name, name_shown, reason_in_words, said_of
from liarspoker.web.view_models.odds_fields import percent
from liarspoker.web.view_models.round_replay import ALL, Player, Ply, Position, RoundReplay, player_of
from liarspoker.web.words import sentence

MOST_DRAWN = 99
"""The highest number that is drawn large."""


def heading(replay: RoundReplay) -> str:
    """Return the stake with the rules behind it and, on slips, the row: `row C, stake 2 (2 carried over)`."""
    session = cast(DigitSession, replay.sessions[0])
    terms = _hand(session).terms
    stake = stake_in_words(terms.stake, terms.why, session.setup.rules)
    if terms.row is None:
        return stake
    row = ROW_LETTERS[session.setup.options.row_letters][terms.row]
    return _("row {row}, {stake}", row=row, stake=stake)


def position(replay: RoundReplay, at: int) -> Position:
    """Return the table after `at` actions."""
    session = cast(DigitSession, replay.sessions[at])
    hand, result = _hand(session), session.round_result
    standing, rules = hand.auction, hand.rules
    players = tuple(_player(replay, session, seat) for seat in range(len(replay.names)))
    text = _describe_move(replay, at)
    if result is not None:
        noun = digit_name(digit_of(result.final_claim, rules), result.total, rules)
        words = describe_outcome(result.bidder, result.settlement, result.stake, rules, replay.names)
        why = tuple(sentence(reason_in_words(one, rules)) for one in result.why if one != ("made", 1))
        level = level_of(result.final_claim, rules)
        bid = said_of(replay.names[result.bidder], N_("You bid {level}"), N_("{name} bids {level}"), level=level)
        if not result.total:
            noun = count_or_no(0, digit_of(result.final_claim, rules), rules)
        return Position(bid, *_drawn(result.total, noun), (), (), players, (words, *why), text)
    if standing.claim < 0:
        opener = said_of(replay.names[hand.terms.opener], N_("You open"), N_("{name} to open"))
        return Position(_("No bid yet"), None, opener, (), (), players, (), text)
    level = level_of(standing.claim, rules)
    noun = digit_name(digit_of(standing.claim, rules), level, rules)
    number = _number(replay, session, standing.bidder)
    own = 1 if HIDDEN in number else number.count(str(digit_of(standing.claim, rules)))
    made = settle(standing.claim, own, max(own, level), rules)
    pays = _("pays ×{pays}", pays=made.multiplier) if made.multiplier > 1 else ""
    if made.outcome == HERO:
        pays = _("pays ×{pays} as a hero", pays=made.multiplier)
    under = (pays, _("a rebid") if standing.is_rebid else "")
    over = said_of(replay.names[standing.bidder], N_("Standing bid by you"), N_("Standing bid by {name}"))
    return Position(over, *_drawn(level, noun), tuple(filter(None, under)), (), players, (), text)


def _drawn(count: int, noun: str) -> tuple[int | None, str]:
    """Return a number that is drawn large and the words beside it; a long number is among the words."""
    return (count or None, noun) if count <= MOST_DRAWN else (None, f"{count} {noun}")


def plies(replay: RoundReplay) -> tuple[Ply, ...]:
    """Return the deal and every action, with the odds and the EV for the viewpoint."""
    first = cast(DigitSession, replay.sessions[0])
    found = [Ply(0, "", describe_opener(replay.names[_hand(first).terms.opener]), "deal")]
    for number, session in enumerate(replay.sessions[1:], 1):
        hand = _hand(session)
        seat, action = hand.moves[-1]
        kind = "claim" if action >= 0 else "challenge" if action == CHALLENGE else "other"
        probability = _probability(replay, hand) if replay.odds else None
        figure = "" if probability is None else _("{number}%", number=percent(probability))
        words = action_in_words(action, hand.rules)
        found.append(Ply(number, name_shown(replay.names[seat]), words, kind, figure, _units(replay, session)))
    return tuple(found)


def probability(replay: RoundReplay, at: int) -> Fraction | None:
    """Return the probability that the standing bid is good, given the numbers that the viewpoint knows."""
    hand = _hand(replay.sessions[at])
    return None if hand.auction.claim < 0 else _probability(replay, hand)


def _hand(session: DigitSession) -> DigitRound:
    assert session.round is not None
    return session.round


def _player(replay: RoundReplay, session: DigitSession, seat: int) -> Player:
    hand, result = _hand(session), session.round_result
    letters = hand.terms.letters
    return player_of(
        replay,
        seat,
        _act(hand, seat),
        _marks(session, seat),
        units=session.score[seat],
        number=_number(replay, session, seat),
        letters=letters[seat] if letters else "",
        fingers=None if result is None else result.counts[seat],
    )


def _number(replay: RoundReplay, session: DigitSession, seat: int) -> str:
    hand, view = _hand(session), replay.seen(session)
    if replay.view == ALL or (session.round_result is not None and seat in replay.shown):
        return hand.numbers[seat]
    if view.shown:
        return str(view.shown[seat])
    return str(view.number) if seat == replay.seat else HIDDEN * hand.rules.hand_size


def _act(hand: DigitRound, seat: int) -> str:
    own = [action for by, action in hand.moves if by == seat]
    if not own:
        return ""
    if own[-1] >= 0:
        return _("bid {bid}", bid=action_in_words(own[-1], hand.rules))
    return pgettext("a player", "challenges") if own[-1] == CHALLENGE else pgettext("a player", "counts")


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


def _describe_move(replay: RoundReplay, at: int) -> str:
    hand = _hand(replay.sessions[at])
    if not at:
        return describe_opener(replay.names[hand.terms.opener])
    seat, action = hand.moves[-1]
    return describe_move(replay.names[seat], action, hand.rules)


def _own(replay: RoundReplay, hand: DigitRound) -> int | None:
    """Return how many of the standing bid's digit the viewpoint holds; `None` if its number isn't known."""
    if replay.seat is None or HIDDEN in hand.numbers[replay.seat]:
        return None
    return hand.numbers[replay.seat].count(str(digit_of(hand.auction.claim, hand.rules)))


def _probability(replay: RoundReplay, hand: DigitRound) -> Fraction | None:
    rules, claim = hand.rules, hand.auction.claim
    level = level_of(claim, rules)
    if replay.view == ALL:
        held = "".join(hand.numbers)
        known, unknown = held.count(str(digit_of(claim, rules))), held.count(HIDDEN)
        return at_least(unknown, level - known, rules.symbols)
    own = _own(replay, hand)
    if own is None:
        return at_least(rules.hand_size * rules.seats, level, rules.symbols)
    return at_least(rules.hand_size * (rules.seats - 1), level - own, rules.symbols)


def _units(replay: RoundReplay, session: DigitSession) -> float | None:
    """Return the viewpoint's EV if the standing bid were counted now; after the count, its payoff."""
    hand, result = _hand(session), session.round_result
    own = _own(replay, hand)
    if own is None or replay.seat is None or not replay.odds:
        return None
    if result is not None:
        return float(result.payoffs[replay.seat])
    is_bidder = hand.auction.bidder == replay.seat
    return round(float(hand.terms.stake * expected_units(hand.rules, hand.auction.claim, own, is_bidder)), 1)
