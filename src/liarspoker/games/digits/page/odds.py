"""The odds page of a digit bid: the probability of making it, its distribution, break-even point and payoffs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from liarspoker.core import catalogue
from liarspoker.core.errors import LiarsPokerError
from liarspoker.games.digits.ladder import claim_of, digit_of, level_of
from liarspoker.games.digits.options import Rules
from liarspoker.games.digits.page.odds_chart import MOST_PLAYERS, Glance, bars_of, glance_of
from liarspoker.games.digits.result import bid_reasons
from liarspoker.games.digits.settlement import OUTCOMES
from liarspoker.language import N_, _, ngettext, pgettext
from liarspoker.odds.bid_report import BidReport, bid_from_text, check_stronger, describe_payers, digit_rules, signed
from liarspoker.odds.bids import Prospect, unseen_digits
from liarspoker.odds.figures import one_in, written
from liarspoker.records.words import any_of, bid_in_words, digit_name, reason_in_words
from liarspoker.web.view_models.odds_fields import (
    Answer,
    BreakEven,
    Field,
    Question,
    address,
    number_in_words,
    percent,
    read_integer,
)
from liarspoker.web.words import MINUS, sentence, typeset

PATH = "/odds"
"""The path of the page."""
_FIRST = {"players": "5", "level": "5", "digit": "6", "own": "1", "game": "salomon-1986", "over": ""}
_CLOSE = Fraction(3, 100)
_OUTCOME_WORDS = {"made": N_("made"), "failed": N_("failed"), "hero": N_("hero"), "none": N_("skunk")}


@dataclass(frozen=True, slots=True)
class Outcome:
    """One outcome of the bid.

    Attributes:
        word: its name.
        chance: its probability in percent.
        pays: who pays whom.
        units: what the bidder wins, in units.
    """

    word: str
    chance: str
    pays: str
    units: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BidAnswer(Answer):
    """The answer for one bid, in words and figures.

    Attributes:
        verdict: whether to raise or to challenge.
        why: the figures behind the verdict.
        even: the probability next to the break-even probability.
        heading: the heading of the chart.
        left: the note for the counts that fail.
        right: the note for the counts that make the bid.
        wide: each bar of the chart covers several counts.
        glance: the table of neighboring probabilities.
        outcomes: the possible outcomes, best first.
        average: the expected value in units.
        reasons: the rules behind the payoffs.
    """

    verdict: str
    why: str
    even: BreakEven
    heading: str
    left: str
    right: str
    wide: bool
    glance: Glance
    outcomes: tuple[Outcome, ...]
    average: str
    reasons: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class BidViewModel:
    """The odds page of a digit bid.

    Attributes:
        steps: the four fields with step buttons: players, level, digit, own count.
        game: the field that chooses the game.
        over: the field for the standing bid.
        answer: the answer; `None` if a field is invalid.
        more: the further fields are shown from the start.
    """

    steps: tuple[Field, ...]
    game: Field
    over: Field
    answer: BidAnswer | None
    more: bool


def view_model(given: Mapping[str, str]) -> BidViewModel:
    """Return the page for the query parameters `given`; missing ones have the values of the first visit."""
    asked = Question.of(given, _FIRST)
    typed, errors = asked.typed, asked.errors
    players = _number(typed, "players", 2, MOST_PLAYERS, errors, _("players at one table"))
    digit = _number(typed, "digit", 0, 9, errors, _("the digit bid on"))
    rules = _rules(typed, players or 5, errors)
    most = rules.hand_size * rules.seats
    digits = _("the digits of {players} players", players=number_in_words(rules.seats))
    level = _number(typed, "level", 1, most, errors, digits)
    own = _number(typed, "own", 0, rules.hand_size, errors, _("the digits in one number"))
    standing = None
    if typed["over"] and not errors:
        standing = _standing(typed, rules, int(level or 1), int(digit or 0), errors)
    answer = None
    if not errors and level is not None and digit is not None and own is not None:
        claim = claim_of(level, digit, rules)
        answer = _answer(BidReport(typed["game"], rules, claim, own, standing), _where(typed))
    return BidViewModel(
        steps=(
            _stepped(typed, "players", _("Players"), 2, MOST_PLAYERS, errors),
            _stepped(typed, "level", _("Bid level"), 1, most, errors),
            _digit_step(typed, rules, errors),
            _stepped(typed, "own", _("You hold"), 0, rules.hand_size, errors),
        ),
        game=asked.field("game", _("Rules"), choices=_games()),
        over=asked.field(
            "over",
            _("Standing bid, if any"),
            hint=_(
                "Such as {examples}. If empty, a bid that pays one stake is assumed.",
                examples=any_of(("4x8", "four eights")),
            ),
        ),
        answer=answer,
        more=bool(typed["over"] or errors.get("game") or typed["game"] != _FIRST["game"]),
    )


def _games() -> tuple[tuple[str, str], ...]:
    return tuple((row.id, typeset(_(row.title))) for row in catalogue.games() if row.family == "digits")


def _number(
    typed: Mapping[str, str], name: str, least: int, most: int, errors: dict[str, str], what: str
) -> int | None:
    found = read_integer(typed[name], least, most)
    if found is None:
        errors[name] = _("Enter a number from {least} to {most} ({what}).", least=least, most=most, what=what)
    return found


def _rules(typed: dict[str, str], players: int, errors: dict[str, str]) -> Rules:
    """Return the rules of the chosen game, or of the default game if there is no such game."""
    try:
        return digit_rules(typed["game"], players)
    except LiarsPokerError:
        errors["game"] = _("Choose one of these games: {games}.", games=", ".join(name for _id, name in _games()))
        return digit_rules(_FIRST["game"], players)


def _standing(typed: Mapping[str, str], rules: Rules, level: int, digit: int, errors: dict[str, str]) -> int | None:
    try:
        standing = bid_from_text(typed["over"], rules)
        check_stronger(claim_of(level, digit, rules), standing, rules)
    except LiarsPokerError as error:
        errors["over"] = sentence(str(error))
        return None
    return standing


def _where(typed: Mapping[str, str], **changes: object) -> str:
    fields = {**typed, **changes}
    return address(
        PATH, {name: "" if value == _FIRST[name] == "salomon-1986" else value for name, value in fields.items()}
    )


def _stepped(
    typed: Mapping[str, str], name: str, label: str, least: int, most: int, errors: Mapping[str, str]
) -> Field:
    now = read_integer(typed[name], least, most)
    less = "" if now is None or now == least else _where(typed, **_possible_change(typed, name, now - 1))
    more = "" if now is None or now == most else _where(typed, **_possible_change(typed, name, now + 1))
    return Field(name, label, typed[name], errors.get(name, ""), less, more)


def _possible_change(typed: Mapping[str, str], name: str, value: int) -> dict[str, object]:
    """Return the change, and the highest possible level if fewer players can't make the current one."""
    if name != "players":
        return {name: value}
    rules, level = digit_rules(_FIRST["game"], value), read_integer(typed["level"], 1, 8 * MOST_PLAYERS)
    return {name: value, "level": min(level or 1, rules.hand_size * value) if level else typed["level"]}


def _digit_step(typed: Mapping[str, str], rules: Rules, errors: Mapping[str, str]) -> Field:
    """Return the digit field, which steps through the digits in the order of the game."""
    now = read_integer(typed["digit"], 0, 9)
    if now is None:
        return Field("digit", _("Digit"), typed["digit"], errors.get("digit", ""))
    order = [digit_of(claim, rules) for claim in range(rules.symbols)]
    at = order.index(now)
    less = _where(typed, digit=order[at - 1]) if at else ""
    more = _where(typed, digit=order[at + 1]) if at + 1 < len(order) else ""
    return Field("digit", _("Digit"), typed["digit"], "", less, more)


def _answer(report: BidReport, where: str) -> BidAnswer:
    rules, probability = report.rules, report.probability
    digit, digits = digit_of(report.claim, rules), unseen_digits(rules)
    noun = digit_name(digit, 2, rules)
    bars, grouped = bars_of(report.need, digits, rules.symbols)
    left, right = _notes(report.need, probability)
    return BidAnswer(
        question=_question(report),
        lead=_lead(report, digits),
        figure=percent(probability),
        rarity=one_in(probability),
        fraction=_short(probability),
        verdict=_verdict(report),
        why=_why(report),
        even=_even(report),
        heading=_("{digits} among the other players' digits", digits=noun.capitalize()),
        bars=bars,
        left=left,
        right=right,
        chart_text=_(
            "Number of {digits} among the {unseen} digits of the others; {note}",
            digits=noun,
            unseen=digits,
            note=right,
        ),
        wide=grouped,
        glance=glance_of(report.need, rules),
        outcomes=tuple(_outcome(prospect) for prospect in report.prospects),
        average=_units(report.value),
        reasons=tuple(sentence(reason_in_words(reason, rules)) for reason in bid_reasons(report.claim, rules)),
        address=where,
    )


def _question(report: BidReport) -> str:
    level, digit = level_of(report.claim, report.rules), digit_of(report.claim, report.rules)
    return ngettext(
        "Is there {number} {digits}?",
        "Are there {number} {digits}?",
        level,
        number=number_in_words(level),
        digits=digit_name(digit, level, report.rules),
    )


def _lead(report: BidReport, digits: int) -> str:
    players = number_in_words(report.rules.seats).capitalize()
    if report.own:
        hold = ngettext(
            "{players} players, and you hold one yourself.",
            "{players} players, and you hold {number} yourself.",
            report.own,
            players=players,
            number=number_in_words(report.own),
        )
    else:
        hold = _("{players} players, and you hold none of them.", players=players)
    if not report.need:
        need = _("The other {digits} digits need not include any.", digits=digits)
    else:
        need = ngettext(
            "The other {digits} digits must include one more.",
            "The other {digits} digits must include {number} more.",
            report.need,
            digits=digits,
            number=number_in_words(report.need),
        )
    return f"{hold} {need}"


def _short(probability: Fraction) -> str:
    """Return the fraction; empty if it is too long to read."""
    text = written(probability)
    return text if len(text) <= 40 else ""


def _verdict(report: BidReport) -> str:
    better = report.value - report.challenge_value
    if better == 0:
        return _("Raise or challenge: the same EV.")
    if abs(report.probability - report.break_even) < _CLOSE:
        return _("Raise (close).") if better > 0 else _("Challenge (close).")
    return pgettext("advice", "Raise.") if better > 0 else pgettext("advice", "Challenge.")


def _why(report: BidReport) -> str:
    percentage = percent(report.break_even)
    if report.standing is None:
        threshold = _(
            "If the standing bid is good and pays one stake, a raise that everyone challenges pays off above "
            "{number}%.",
            number=percentage,
        )
    else:
        threshold = _(
            "If {bid} is good, a raise that everyone challenges pays off above {number}%.",
            bid=bid_in_words(report.standing, report.rules),
            number=percentage,
        )
    here = _(
        "Here its EV is {value}; a lost challenge costs {cost}.",
        value=_units(report.value),
        cost=-report.challenge_value,
    )
    return f"{threshold} {here}"


def _units(units: Fraction | int) -> str:
    return signed(units).replace("-", MINUS)


def _even(report: BidReport) -> BreakEven:
    return BreakEven(
        float(report.probability * 100),
        float(report.break_even * 100),
        _("your chance {number}%", number=percent(report.probability)),
        _("break-even {number}%", number=percent(report.break_even)),
    )


def _notes(need: int, probability: Fraction) -> tuple[str, str]:
    if need == 0:
        return "", _("you already hold enough")
    none, some = percent(1 - probability), percent(probability)
    fewer = (
        _("none: {percent}%", percent=none)
        if need == 1
        else _("{number} or fewer: {percent}%", number=number_in_words(need - 1), percent=none)
    )
    return fewer, _("{number} or more: {percent}%", number=number_in_words(need), percent=some)


def _outcome(prospect: Prospect) -> Outcome:
    outcome, _multiplier, units, probability = prospect
    name = OUTCOMES[outcome]
    return Outcome(_(_OUTCOME_WORDS[name]), percent(probability), describe_payers(prospect), _units(units))
