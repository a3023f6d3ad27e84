"""A player's bids in a counted hand of a digit game, and the bids that they answered."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from typing import cast

from liarspoker.games.digits.auction import CHALLENGE
from liarspoker.games.digits.hands import HIDDEN
from liarspoker.games.digits.ladder import digit_of, level_of
from liarspoker.games.digits.options import Rules
from liarspoker.games.digits.result import DigitResult
from liarspoker.games.digits.round import DigitRound
from liarspoker.games.digits.session import DigitSession
from liarspoker.games.digits.settlement import FAILED, payoff, settle
from liarspoker.language import _, pgettext
from liarspoker.odds.bids import bid_value, unseen_digits
from liarspoker.odds.counts import ways
from liarspoker.web.view_models.profile import Bids, Heard, Made, Profile, ProfileWords, sums
from liarspoker.web.view_models.round_replay import RoundReplay


def bids(replay: RoundReplay) -> Bids:
    """Return the bids of the viewpoint's seat in a counted hand, and the bids of others that it answered.

    A bid is a bluff if its bidder holds fewer of its digit than an average hand, as in
    `liarspoker.coach.statistics.Statistics`. The expected units keep the seat's hand, the final bid and its bidder; all
    other digits are random.
    """
    session, seat, names = cast(DigitSession, replay.sessions[-1]), replay.seat, replay.names
    hand, result = session.round, session.round_result
    assert seat is not None
    assert hand is not None
    assert result is not None
    made = list[tuple[int, Made]]()
    heard = list[tuple[str, Heard]]()
    standing = by = -1
    for place, (player, action) in enumerate(hand.moves):
        if player == seat and standing >= 0 and by != seat:
            heard.append((names[by], _heard(hand, result, standing, action)))
        if action >= 0:
            standing, by = action, player
            if player == seat:
                is_final = all(later < 0 for _player, later in hand.moves[place + 1 :])
                is_challenged = hand.moves[place + 1][1] == CHALLENGE
                made.append((_level(action, hand.rules), _made(hand, result, seat, action, is_challenged, is_final)))
    units = payoff(seat, result.bidder, result.settlement, 1, hand.rules)
    held = _held(hand, result, seat, digit_of(result.final_claim, hand.rules))
    assert held is not None
    expected = float(expected_units(hand.rules, result.final_claim, held, seat == result.bidder))
    return Bids(1, units, expected, sums(made, Made()), sums(heard, Heard()))


@lru_cache(maxsize=8192)
def expected_units(rules: Rules, claim: int, held: int, is_bidder: bool) -> Fraction:
    """Return a player's expected units at stake 1 when `claim` is counted and only their own hand is known.

    Args:
        rules: the table's rules.
        claim: the final bid.
        held: how many of its digit the player holds, 0 to `hand_size`.
        is_bidder: whether the bid is theirs.

    >>> from liarspoker.games.digits.ladder import claim_of
    >>> from liarspoker.games.digits.options import DigitOptions, packed
    >>> two = packed(DigitOptions(), seats=2)
    >>> [round(float(expected_units(two, claim_of(3, 7, two), 1, one)), 3) for one in (True, False)]
    [-0.626, 0.626]
    """
    if is_bidder:
        return bid_value(rules, claim, held)
    weighed = sum(
        weight * payoff(0, 1, settle(claim, own, held + others, rules), 1, rules)
        for others, weights in enumerate(_ways_by_bidder(rules))
        for own, weight in enumerate(weights)
        if weight
    )
    return Fraction(weighed, rules.symbols ** unseen_digits(rules))


def _ways_by_bidder(rules: Rules) -> Iterator[tuple[int, int]]:
    """Yield, for each count of a digit among the others, in how many ways the bidder holds none and some of it.

    How many they hold doesn't matter to `settle`, only whether they hold any: adding up both cases is quick enough for
    a replay with thousands of bids.
    """
    bidder_without = (rules.symbols - 1) ** rules.hand_size
    rest = ways(rules.hand_size * (rules.seats - 2), rules.symbols)
    for count, weight in enumerate(ways(unseen_digits(rules), rules.symbols)):
        none = bidder_without * rest[count] if count < len(rest) else 0
        yield none, weight - none


def _made(hand: DigitRound, result: DigitResult, seat: int, claim: int, is_challenged: bool, is_final: bool) -> Made:
    held = _held(hand, result, seat, digit_of(claim, hand.rules))
    is_bluff = held is not None and held * hand.rules.symbols < hand.rules.hand_size
    failed = is_final and result.settlement.outcome == FAILED
    return Made(
        bids=1,
        known=int(held is not None),
        bluffs=int(is_bluff),
        challenged=int(is_challenged),
        bluffs_challenged=int(is_bluff and is_challenged),
        counted=int(is_final),
        failed=int(failed),
        caught=int(is_bluff and failed),
    )


def _heard(hand: DigitRound, result: DigitResult, claim: int, answer: int) -> Heard:
    """Return what a player's answer to another's bid counts as: a challenge or a stronger bid."""
    counts = [_held(hand, result, seat, digit_of(claim, hand.rules)) for seat in range(hand.rules.seats)]
    known = [count for count in counts if count is not None]
    is_known = len(known) == len(counts)
    is_there = is_known and sum(known) >= level_of(claim, hand.rules)
    if answer == CHALLENGE:
        return Heard(challenged=1, challenged_known=int(is_known), challenged_there=int(is_there))
    return Heard(raised=1, raised_known=int(is_known), raised_missing=int(is_known and not is_there))


def _held(hand: DigitRound, result: DigitResult, seat: int, digit: int) -> int | None:
    """Return how many of a digit a seat holds; `None` if unknown."""
    if digit == digit_of(result.final_claim, hand.rules):
        return result.counts[seat]
    number = hand.numbers[seat]
    return None if HIDDEN in number else number.count(str(digit))


def _level(claim: int, rules: Rules) -> int:
    """Return the level of a bid; of a bid for more digits than are on the table, the lowest such level."""
    return min(level_of(claim, rules), rules.hand_size * rules.seats + 1)


def _words() -> ProfileWords:
    return ProfileWords(
        title=_("Your bids"),
        made=_("Bids made"),
        bluffs=_("Bids that were bluffs"),
        others_challenged=_("Other bids that the next player challenged"),
        meaning=_(
            "Here a bluff is a bid of a digit of which you held fewer than an average hand does. It is caught if it is "
            "counted and fails."
        ),
        by_level=_("By level"),
        level=pgettext("of a bid", "Level"),
        several_games=_(
            "Levels of all tables are added up, although more players hold more of a digit. Choose a game to compare "
            "like with like."
        ),
        answered=_("Bids answered"),
        missing=_("You raised, and it wasn’t there"),
        there=_("You challenged, and it was there"),
        belief=_(
            "If you often raise over a player’s bids that aren’t there, you believe them too much; if you often "
            "challenge bids that are there, too little. Those you believe too much come first. Only bids are counted "
            "of which you learned whether they were there: those of the digit that was counted, and all bids of hands "
            "that were shown."
        ),
    )


PROFILE = Profile(bids, str, _words, has_luck=True)
