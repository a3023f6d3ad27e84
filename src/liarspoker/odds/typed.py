"""What a person types for one question: a game, a bid, a hand."""

from __future__ import annotations

from liarspoker.core import catalogue
from liarspoker.core.errors import LEGAL, NOT_STRONGER, UNREADABLE_ACTION, BadDeal, IllegalAction, LiarsPokerError
from liarspoker.games.digits.auction import opening, refusal
from liarspoker.games.digits.deal import check_numbers
from liarspoker.games.digits.hands import HIDDEN, count_of, packed_counts
from liarspoker.games.digits.ladder import beats, digit_of
from liarspoker.games.digits.notation import read
from liarspoker.games.digits.options import Rules, packed
from liarspoker.games.digits.presets import presets
from liarspoker.records.words import bid_in_words, refusal_in_words, spoken_bid

_FAMILY = "digits"
_NO_BID = "{!r} is no bid; write one as 5x7, or say five sevens"


def digit_rules(game: str, players: int) -> Rules:
    """The rules of a digit game of the catalogue for so many players, even more than it seats.

    Raises:
        UnknownGame: the catalogue has no such game.
        LiarsPokerError: the game is played with cards.
    """
    if catalogue.row(game).family != _FAMILY:
        known = ", ".join(row.id for row in catalogue.games() if row.family == _FAMILY)
        raise LiarsPokerError(f"{game} has no bids of digits; these have: {known}")
    return packed(presets()[game].options, players)


def bid_from_text(text: str, rules: Rules) -> int:
    """The bid that `text` writes (`5x7`) or says (`five sevens`), as an int of the ladder.

    Raises:
        LiarsPokerError: it is no bid, or not one of this table; the message says what would be.

    >>> from liarspoker.games.digits.options import DigitOptions
    >>> rules = packed(DigitOptions(), seats=4)
    >>> bid_from_text("5x7", rules) == bid_from_text("five sevens", rules)
    True
    """
    try:
        spoken = spoken_bid(text, rules)
        claim = read(text, rules) if spoken is None else spoken
        code = UNREADABLE_ACTION if claim < 0 else refusal(opening(0), claim, rules)
        if code != LEGAL:
            raise IllegalAction(text, code)
    except IllegalAction as error:
        raise _in_words(error, text, "", rules) from error
    return claim


def check_stronger(claim: int, standing: int | None, rules: Rules) -> None:
    """Refuse a bid that may not be made over the standing one.

    Raises:
        LiarsPokerError: naming both.
    """
    if standing is not None and not beats(claim, standing, rules):
        said = bid_in_words(claim, rules)
        raise _in_words(IllegalAction(claim, NOT_STRONGER), said, bid_in_words(standing, rules), rules)


def own_count(hand: str, claim: int, rules: Rules) -> int:
    """How many of the bid's digit `hand` holds.

    Raises:
        BadDeal: the hand is of another length, or holds something else than digits in play.

    >>> from liarspoker.games.digits.options import DigitOptions
    >>> rules = packed(DigitOptions(), seats=4)
    >>> own_count("06742088", bid_from_text("3x8", rules), rules)
    2
    """
    check_numbers((hand,), rules, "hand")
    if HIDDEN in hand:
        raise BadDeal(f"hand: {hand!r} hides a digit; give all of them, or only how many you hold")
    return count_of(packed_counts(hand), digit_of(claim, rules))


def check_own(own: int, rules: Rules) -> None:
    """Refuse a number of digits that no hand holds.

    Raises:
        BadDeal: naming both numbers.
    """
    if not 0 <= own <= rules.hand_size:
        raise BadDeal(f"own: {own} of a digit in a hand of {rules.hand_size}")


def _in_words(error: IllegalAction, said: str, standing: str, rules: Rules) -> LiarsPokerError:
    words = refusal_in_words(error, said, standing, rules.hand_size * rules.seats)
    told = LiarsPokerError(_NO_BID.format(said) if error.refusal == UNREADABLE_ACTION else words)
    told.code = error.code
    return told
