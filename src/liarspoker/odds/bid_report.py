"""The odds of one bid: what you need, the possible payoffs, and whether to raise."""

from __future__ import annotations

from collections.abc import Sequence
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
from liarspoker.language import N_, _, number, pgettext
from liarspoker.odds.bids import Prospect, bid_value, break_even_probability, probability_made, prospects, unseen_digits
from liarspoker.odds.figures import exact, one_in, percent, rounded
from liarspoker.records.words import (
    aligned,
    bid_in_words,
    count_or_no,
    read_spoken_bid,
    reason_in_words,
    refusal_in_words,
)

_FAMILY = "digits"


def digit_rules(game: str, players: int) -> Rules:
    """Return the rules of a digit game for a number of players, which may exceed the game's maximum.

    Raises:
        UnknownGame: there is no such game.
        LiarsPokerError: it isn't a digit game.
    """
    if catalogue.preset(game).family != _FAMILY:
        known = ", ".join(preset.id for preset in catalogue.games() if preset.family == _FAMILY)
        raise LiarsPokerError(_("{game} isn't a digit game; the digit games are {known}", game=game, known=known))
    return packed(presets()[game].options, players)


def bid_from_text(text: str, rules: Rules) -> int:
    """Return the bid written as `5x7` or as `five sevens`.

    Raises:
        LiarsPokerError: `text` isn't a bid, or not one of this table; the message says how to fix it.

    >>> from liarspoker.games.digits.options import DigitOptions
    >>> rules = packed(DigitOptions(), seats=4)
    >>> bid_from_text("5x7", rules) == bid_from_text("five sevens", rules)
    True
    """
    try:
        spoken = read_spoken_bid(text, rules)
        claim = read(text, rules) if spoken is None else spoken
        code = UNREADABLE_ACTION if claim < 0 else refusal(opening(0), claim, rules)
        if code != LEGAL:
            raise IllegalAction(text, code)
    except IllegalAction as error:
        raise _in_words(error, text, "", rules) from error
    return claim


def check_stronger(claim: int, standing: int | None, rules: Rules) -> None:
    """Check that a bid beats the standing one.

    Raises:
        LiarsPokerError: it doesn't.
    """
    if standing is not None and not beats(claim, standing, rules):
        words = bid_in_words(claim, rules)
        raise _in_words(IllegalAction(claim, NOT_STRONGER), words, bid_in_words(standing, rules), rules)


def own_count(hand: str, claim: int, rules: Rules) -> int:
    """Return how many of the bid's digit `hand` contains.

    Raises:
        BadDeal: the hand has the wrong length, or contains other characters than digits in play.

    >>> from liarspoker.games.digits.options import DigitOptions
    >>> rules = packed(DigitOptions(), seats=4)
    >>> own_count("06742088", bid_from_text("3x8", rules), rules)
    2
    """
    check_numbers((hand,), rules, "hand")
    if HIDDEN in hand:
        raise BadDeal(
            _("hand: {hand} hides a digit; give all digits, or only the number that you hold", hand=repr(hand))
        )
    return count_of(packed_counts(hand), digit_of(claim, rules))


def check_own(own: int, rules: Rules) -> None:
    """Check that a hand can contain `own` of a digit.

    Raises:
        BadDeal: it can't.
    """
    if not 0 <= own <= rules.hand_size:
        raise BadDeal(_("own: {own}; it must be between 0 and {most}", own=own, most=rules.hand_size))


def _in_words(error: IllegalAction, text: str, standing: str, rules: Rules) -> LiarsPokerError:
    if error.refusal == UNREADABLE_ACTION:
        words = _("{text} isn't a bid; write one as 5x7 or as five sevens", text=repr(text))
    else:
        words = refusal_in_words(error, text, standing, rules.hand_size * rules.seats)
    found = LiarsPokerError(words)
    found.code = error.code
    return found


@dataclass(frozen=True, slots=True)
class BidReport:
    """The odds of a bid before it is counted, at stake 1.

    Attributes:
        game: the catalogue ID.
        rules: the table's rules.
        claim: the bid.
        own: how many of its digit you hold.
        standing: the standing bid, which you could challenge instead; `None` for one with multiplier 1.

    >>> from liarspoker.games.digits.options import DigitOptions, packed
    >>> from liarspoker.games.digits.notation import read
    >>> rules = packed(DigitOptions(), seats=5)
    >>> report = BidReport("salomon-1986", rules, read("8x5", rules), own=3)
    >>> report.need, str(report.break_even), float(report.probability) > 0.15
    (5, '1/4', True)
    """

    game: str
    rules: Rules
    claim: int
    own: int
    standing: int | None = None

    @property
    def need(self) -> int:
        """The number of the digit that the others must hold, 0 or more."""
        return max(0, level_of(self.claim, self.rules) - self.own)

    @property
    def probability(self) -> Fraction:
        """The probability that the bid is good."""
        return probability_made(self.rules, self.own, level_of(self.claim, self.rules))

    @property
    def value(self) -> Fraction:
        """Your expected value in units if the bid is counted."""
        return bid_value(self.rules, self.claim, self.own)

    @property
    def prospects(self) -> tuple[Prospect, ...]:
        """The possible outcomes, the best first."""
        return prospects(self.rules, self.claim, self.own)

    @property
    def challenge_value(self) -> int:
        """The payoff in units, below 0, of a lost challenge to the standing bid."""
        return -1 if self.standing is None else -bid_multiplier(self.standing, self.rules)

    @property
    def break_even(self) -> Fraction:
        """The probability of making the bid at which raising and that challenge have the same expected value."""
        return break_even_probability(self.rules, self.claim, self.own, self.standing)

    def as_json(self) -> dict[str, object]:
        """Return the report for JSON, with each probability and EV as a float and as an exact fraction."""
        return {
            "game": self.game,
            "players": self.rules.seats,
            "bid": write(self.claim, self.rules),
            "own": self.own,
            "need": self.need,
            "p_made": exact(self.probability),
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
        "chance": exact(prospect.probability),
    }


def format_bid(report: BidReport) -> str:
    """Return the report as plain text, at most 80 columns wide."""
    return "\n".join((*_holding(report), "", *_outcomes(report), "", *_advice(report)))


def signed(units: Fraction | int) -> str:
    """Return units with their sign; fractions with three decimal places.

    >>> signed(3), signed(0), signed(Fraction(-7, 3))
    ('+3', '0', '-2.333')
    """
    sign = "+" if units > 0 else ""
    return f"{sign}{units}" if units == int(units) else sign + number(rounded(Fraction(units), 3))


def _holding(report: BidReport) -> list[str]:
    rules, own, need = report.rules, report.own, report.need
    digit = digit_of(report.claim, rules)
    if not need:
        needed = _("no more")
    elif rules.seats == 2:
        needed = _("{need} more, among the {digits} digits of the other player", need=need, digits=unseen_digits(rules))
    else:
        needed = _(
            "{need} more, among the {digits} digits of the {others} others",
            need=need,
            digits=unseen_digits(rules),
            others=rules.seats - 1,
        )
    return [
        _(
            "{bid}, {players} players, {game}",
            bid=bid_in_words(report.claim, rules),
            players=rules.seats,
            game=report.game,
        ),
        "",
        *_rows(
            (_("you hold"), count_or_no(own, digit, rules)),
            (_("you need"), needed),
            (_("chance"), f"{percent(report.probability)}{one_in(report.probability)}"),
        ),
    ]


_OUTCOME_WORDS = {"made": N_("made"), "failed": N_("failed"), "hero": N_("hero"), "none": N_("none")}


def _outcomes(report: BidReport) -> list[str]:
    cases = report.prospects
    outcomes = _column(8, [_(_OUTCOME_WORDS[OUTCOMES[case.outcome]]) for case in cases])
    starts = [
        f"{outcome}{percent(case.probability):>9}   {describe_payers(case)}"
        for outcome, case in zip(outcomes, cases, strict=True)
    ]
    units = [signed(case.units) for case in cases] + [signed(report.value)]
    rows = zip(_column(36, [*starts, _("EV")]), units, strict=True)
    return [
        _("If the bid is counted, at stake 1:"),
        *(f"  {start}  {won}" for start, won in rows),
        *(f"  {reason}" for reason in _reasons(report)),
    ]


def describe_payers(prospect: Prospect) -> str:
    """Return who pays whom, and how many stakes."""
    if prospect.multiplier == 0:
        return _("nobody pays")
    if prospect.outcome == FAILED:
        return _("you pay each {stakes}", stakes=prospect.multiplier)
    return _("each pays you {stakes}", stakes=prospect.multiplier)


def _reasons(report: BidReport) -> list[str]:
    """Return the rules behind the payoffs, in the order in which they apply."""
    special = [prospect for prospect in report.prospects if prospect.outcome in (HERO, NONE)]
    reasons = [
        *bid_reasons(report.claim, report.rules),
        *(Reason(OUTCOMES[prospect.outcome], prospect.multiplier) for prospect in sorted(special)),
    ]
    return [reason_in_words(reason, report.rules) for reason in reasons]


def _advice(report: BidReport) -> list[str]:
    """Compare raising with challenging, as in source 003: the standing bid is good, and everyone challenges a raise."""
    standing = report.standing
    better = report.value - report.challenge_value
    skunk = any(prospect.outcome == NONE for prospect in report.prospects)
    if better > 0:
        advice = (
            N_("raise; a raise pays off above {chance} (ignoring the skunk)")
            if skunk
            else N_("raise; a raise pays off above {chance}")
        )
    elif better < 0:
        advice = (
            N_("challenge; a raise pays off above {chance} (ignoring the skunk)")
            if skunk
            else N_("challenge; a raise pays off above {chance}")
        )
    else:
        advice = (
            N_("both have the same EV; a raise pays off above {chance} (ignoring the skunk)")
            if skunk
            else N_("both have the same EV; a raise pays off above {chance}")
        )
    if standing is None:
        compared = _("If the standing bid (it pays ×1) is good and everyone challenges your raise:")
    else:
        bid = bid_in_words(standing, report.rules)
        compared = _("If the standing bid ({bid}) is good and everyone challenges your raise:", bid=bid)
    return [
        compared,
        *_rows(
            (pgettext("action", "challenge"), signed(report.challenge_value)),
            (pgettext("action", "raise"), _("{value} (EV)", value=signed(report.value))),
            (_("advice"), _(advice, chance=percent(report.break_even))),
        ),
    ]


def _rows(*rows: tuple[str, str]) -> list[str]:
    """Return labels and texts in two columns."""
    labels = _column(11, [label for label, _text in rows])
    return [f"  {label} {text}" for label, (_label, text) in zip(labels, rows, strict=True)]


def _column(least: int, texts: Sequence[str]) -> tuple[str, ...]:
    """Return texts that are equally wide, at least `least` columns."""
    return aligned([*texts, " " * least])[:-1]
