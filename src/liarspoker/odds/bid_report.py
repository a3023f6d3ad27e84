"""One bid as somebody types it: what you hold, what you need, what it pays and whether to raise to it."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from liarspoker.core import catalogue
from liarspoker.core.errors import LEGAL, NOT_STRONGER, UNREADABLE_ACTION, BadDeal, IllegalAction, LiarsPokerError
from liarspoker.core.session import Reason
from liarspoker.games.digits.auction import opening, refusal
from liarspoker.games.digits.deal import check_numbers
from liarspoker.games.digits.hands import HIDDEN, count_of, packed_counts
from liarspoker.games.digits.ladder import beats, digit_of, level_of
from liarspoker.games.digits.notation import read, write
from liarspoker.games.digits.options import Rules, packed
from liarspoker.games.digits.presets import presets
from liarspoker.games.digits.result import bid_reasons
from liarspoker.games.digits.settlement import FAILED, HERO, NONE, OUTCOMES, bid_multiplier
from liarspoker.odds.bids import Prospect, bid_value, chance_to_make, needed_to_raise, prospects, unseen_digits
from liarspoker.odds.figures import exact, one_in, percent, rounded
from liarspoker.records.words import bid_in_words, digit_name, reason_in_words, refusal_in_words, spoken_bid

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


@dataclass(frozen=True, slots=True)
class BidReport:
    """A bid before its count, at stake 1.

    Attributes:
        game: the catalogue id.
        rules: the table's rules.
        claim: the bid.
        own: how many of its digit you hold.
        standing: the bid that you would otherwise challenge; `None` for one that pays a single stake.

    >>> from liarspoker.games.digits.options import DigitOptions, packed
    >>> from liarspoker.games.digits.notation import read
    >>> rules = packed(DigitOptions(), seats=5)
    >>> report = BidReport("salomon-1986", rules, read("8x5", rules), own=3)
    >>> report.need, str(report.break_even), float(report.chance) > 0.15
    (5, '1/4', True)
    """

    game: str
    rules: Rules
    claim: int
    own: int
    standing: int | None = None

    @property
    def need(self) -> int:
        """How many the others must hold, 0 or more."""
        return max(0, level_of(self.claim, self.rules) - self.own)

    @property
    def chance(self) -> Fraction:
        """The chance that the table holds as many as the bid asks for."""
        return chance_to_make(self.rules, self.own, level_of(self.claim, self.rules))

    @property
    def value(self) -> Fraction:
        """The units that you expect to win when the bid is counted."""
        return bid_value(self.rules, self.claim, self.own)

    @property
    def prospects(self) -> tuple[Prospect, ...]:
        """The ways in which it may come out, the best first."""
        return prospects(self.rules, self.claim, self.own)

    @property
    def challenge_value(self) -> int:
        """The units, below 0, of a challenge that loses against the standing bid."""
        return -1 if self.standing is None else -bid_multiplier(self.standing, self.rules)

    @property
    def break_even(self) -> Fraction:
        """The chance to make it from which raising beats that challenge; see `liarspoker.odds.bids.needed_to_raise`."""
        return needed_to_raise(self.rules, self.claim, self.own, self.standing)

    def as_json(self) -> dict[str, object]:
        """The report as JSON has it; every chance and expectation as a float and as an exact fraction."""
        return {
            "game": self.game,
            "players": self.rules.seats,
            "bid": write(self.claim, self.rules),
            "own": self.own,
            "need": self.need,
            "p_made": exact(self.chance),
            "multiplier": bid_multiplier(self.claim, self.rules),
            "prospects": [_prospect_as_json(prospect) for prospect in self.prospects],
            "expected_units": exact(self.value),
            "over": None if self.standing is None else write(self.standing, self.rules),
            "challenge_units": self.challenge_value,
            "break_even": exact(self.break_even),
        }


def _prospect_as_json(prospect: Prospect) -> dict[str, object]:
    return {
        "outcome": OUTCOMES[prospect.outcome],
        "multiplier": prospect.multiplier,
        "units": prospect.units,
        "chance": exact(prospect.chance),
    }


def told(report: BidReport) -> str:
    """The report as lines of plain text, none wider than 80 columns."""
    return "\n".join((*_holding(report), "", *_outcomes(report), "", *_advice(report)))


def signed(units: Fraction | int) -> str:
    """Units won or lost: whole ones plain, others with three places.

    >>> signed(3), signed(0), signed(Fraction(-7, 3))
    ('+3', '0', '-2.333')
    """
    sign = "+" if units > 0 else ""
    return f"{sign}{units}" if units == int(units) else sign + rounded(Fraction(units), 3)


def _holding(report: BidReport) -> list[str]:
    rules, own, need = report.rules, report.own, report.need
    digit = digit_of(report.claim, rules)
    others = "the other player" if rules.seats == 2 else f"the {rules.seats - 1} others"
    needed = f"{need} more, among the {unseen_digits(rules)} digits of {others}" if need else "no more"
    return [
        f"{bid_in_words(report.claim, rules)}, {rules.seats} players, {report.game}",
        "",
        f"  you hold    {own or 'no'} {digit_name(digit, own, rules)}",
        f"  you need    {needed}",
        f"  chance      {percent(report.chance)}{one_in(report.chance)}",
    ]


def _outcomes(report: BidReport) -> list[str]:
    lines = ["If the bid is counted, at stake 1:"]
    for prospect in report.prospects:
        row = f"  {OUTCOMES[prospect.outcome]:<8}{percent(prospect.chance):>9}   {_each(prospect):<18}"
        lines.append(f"{row}{signed(prospect.units)}")
    lines.append(f"  {'on average':<38}{signed(report.value)}")
    return [*lines, *(f"  {reason}" for reason in _reasons(report))]


def _each(prospect: Prospect) -> str:
    if prospect.multiplier == 0:
        return "nobody pays"
    if prospect.outcome == FAILED:
        return f"you pay each {prospect.multiplier}"
    return f"each pays you {prospect.multiplier}"


def _reasons(report: BidReport) -> list[str]:
    """The rules behind what the bid pays, in the order in which they apply."""
    special = [prospect for prospect in report.prospects if prospect.outcome in (HERO, NONE)]
    reasons = [
        *bid_reasons(report.claim, report.rules),
        *(Reason(OUTCOMES[prospect.outcome], prospect.multiplier) for prospect in sorted(special)),
    ]
    return [reason_in_words(reason, report.rules) for reason in reasons]


def _advice(report: BidReport) -> list[str]:
    """Whether to raise to this bid in the spot of source 003: a challenge surely loses, all will challenge a raise."""
    standing = report.standing
    against = "it pays ×1" if standing is None else bid_in_words(standing, report.rules)
    better = report.value - report.challenge_value
    verdict = "raise" if better > 0 else "challenge" if better < 0 else "it makes no difference"
    skunk = ", the skunk aside" if any(prospect.outcome == NONE for prospect in report.prospects) else ""
    return [
        f"Say the standing bid ({against}) is good, and all will challenge your raise:",
        f"  challenge   {signed(report.challenge_value)}",
        f"  raise       {signed(report.value)} on average",
        f"  so          {verdict}; raising pays from {percent(report.break_even)} on{skunk}",
    ]
