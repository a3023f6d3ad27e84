"""One bid of digits: the chance that it is good, how it is spread, from which chance it pays, and what."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from liarspoker.core import catalogue
from liarspoker.core.errors import LiarsPokerError
from liarspoker.games.digits.ladder import claim_of, digit_of
from liarspoker.games.digits.options import Rules
from liarspoker.games.digits.page.odds_chart import MOST_PLAYERS, Glance, bars_of, glance_of
from liarspoker.games.digits.result import bid_reasons
from liarspoker.games.digits.settlement import OUTCOMES
from liarspoker.odds.bid_report import BidReport, bid_from_text, check_stronger, digit_rules, signed
from liarspoker.odds.bids import Prospect, unseen_digits
from liarspoker.odds.figures import one_in, written
from liarspoker.records.words import bid_in_words, digit_name, reason_in_words
from liarspoker.web.view_models.odds_fields import Answer, Even, Field, Question, address, counted, per_cent, whole
from liarspoker.web.words import MINUS, sentence, typeset

PATH = "/odds"
_FIRST = {"players": "5", "level": "5", "digit": "6", "own": "1", "game": "salomon-1986", "over": ""}
_CLOSE = Fraction(3, 100)
_OUTCOME_WORDS = {"made": "made", "failed": "failed", "hero": "hero", "none": "skunk"}


@dataclass(frozen=True, slots=True)
class Outcome:
    """One way in which the bid may come out: in a word, its chance, who pays whom, and the bidder's units."""

    word: str
    chance: str
    pays: str
    units: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BidAnswer(Answer):
    """What a bid is worth, said and drawn.

    Attributes:
        heading: over the chart.
        left: the note left of the cut.
        right: the note right of it.
        wide: the chart's bars stand for several counts each.
    """

    verdict: str
    why: str
    even: Even
    heading: str
    left: str
    right: str
    wide: bool
    glance: Glance
    outcomes: tuple[Outcome, ...]
    average: str
    reasons: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class BidScene:
    """The page of one bid: four fields with steps, further fields, the answer; `None` while a field can't be read."""

    steps: tuple[Field, ...]
    game: Field
    over: Field
    answer: BidAnswer | None
    more: bool


def scene(given: Mapping[str, str]) -> BidScene:
    """The page that answers what an address asks; what it leaves out is asked as on the first visit."""
    asked = Question.of(given, _FIRST)
    typed, errors = asked.typed, asked.errors
    players = _number(typed, "players", 2, MOST_PLAYERS, errors, "players at one table")
    digit = _number(typed, "digit", 0, 9, errors, "one digit; 0 is the ten")
    rules = _rules(typed, players or 5, errors)
    most = rules.hand_size * rules.seats
    level = _number(typed, "level", 1, most, errors, f"all digits of {counted(rules.seats)} players")
    own = _number(typed, "own", 0, rules.hand_size, errors, "what one number can hold")
    standing = None
    if typed["over"] and not errors:
        standing = _standing(typed, rules, int(level or 1), int(digit or 0), errors)
    answer = None
    if not errors and level is not None and digit is not None and own is not None:
        claim = claim_of(level, digit, rules)
        answer = _answer(BidReport(typed["game"], rules, claim, own, standing), _where(typed))
    return BidScene(
        steps=(
            _stepped(typed, "players", "Players", 2, MOST_PLAYERS, errors),
            _stepped(typed, "level", "Bid level", 1, most, errors),
            _digit_step(typed, rules, errors),
            _stepped(typed, "own", "You hold", 0, rules.hand_size, errors),
        ),
        game=asked.field("game", "Whose rules pay", choices=_games()),
        over=asked.field(
            "over",
            "Standing bid, if there is one",
            hint="As 4x8, or in words: four eights. Left empty, it pays a single stake.",
        ),
        answer=answer,
        more=bool(typed["over"] or errors.get("game") or typed["game"] != _FIRST["game"]),
    )


def _games() -> tuple[tuple[str, str], ...]:
    return tuple((row.id, typeset(row.title)) for row in catalogue.games() if row.family == "digits")


def _number(
    typed: Mapping[str, str], name: str, least: int, most: int, errors: dict[str, str], what: str
) -> int | None:
    found = whole(typed[name], least, most)
    if found is None:
        errors[name] = f"Give a whole number from {least} to {most}: {what}."
    return found


def _rules(typed: dict[str, str], players: int, errors: dict[str, str]) -> Rules:
    """The rules of the game that is named; of the usual one where none is."""
    try:
        return digit_rules(typed["game"], players)
    except LiarsPokerError:
        errors["game"] = f"Choose one of these: {', '.join(name for _, name in _games())}."
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
    now = whole(typed[name], least, most)
    less = "" if now is None or now == least else _where(typed, **_kept_possible(typed, name, now - 1))
    more = "" if now is None or now == most else _where(typed, **_kept_possible(typed, name, now + 1))
    return Field(name, label, typed[name], errors.get(name, ""), less, more)


def _kept_possible(typed: Mapping[str, str], name: str, value: int) -> dict[str, object]:
    """The change, and with fewer players a level that they can still make."""
    if name != "players":
        return {name: value}
    rules, level = digit_rules(_FIRST["game"], value), whole(typed["level"], 1, 8 * MOST_PLAYERS)
    return {name: value, "level": min(level or 1, rules.hand_size * value) if level else typed["level"]}


def _digit_step(typed: Mapping[str, str], rules: Rules, errors: Mapping[str, str]) -> Field:
    """Steps through the digits in the order of the game."""
    now = whole(typed["digit"], 0, 9)
    if now is None:
        return Field("digit", "Digit", typed["digit"], errors.get("digit", ""))
    order = [digit_of(claim, rules) for claim in range(rules.symbols)]
    at = order.index(now)
    less = _where(typed, digit=order[at - 1]) if at else ""
    more = _where(typed, digit=order[at + 1]) if at + 1 < len(order) else ""
    return Field("digit", "Digit", typed["digit"], "", less, more)


def _answer(report: BidReport, where: str) -> BidAnswer:
    rules, chance = report.rules, report.chance
    digit, digits = digit_of(report.claim, rules), unseen_digits(rules)
    noun = digit_name(digit, 2, rules)
    bars, grouped = bars_of(report.need, digits, rules.symbols)
    left, right = _notes(report.need, chance)
    return BidAnswer(
        question=_question(report),
        lead=_lead(report, digits),
        figure=per_cent(chance),
        rarity=one_in(chance),
        fraction=_short(chance),
        verdict=_verdict(report),
        why=_why(report),
        even=_even(report),
        heading=f"How many {noun} the others hold",
        bars=bars,
        left=left,
        right=right,
        told=f"How many {noun} there are among the {digits} digits of the others; {right}",
        wide=grouped,
        glance=glance_of(report.need, rules),
        outcomes=tuple(_outcome(prospect) for prospect in report.prospects),
        average=_units(report.value),
        reasons=tuple(sentence(reason_in_words(reason, rules)) for reason in bid_reasons(report.claim, rules)),
        address=where,
    )


def _question(report: BidReport) -> str:
    words = bid_in_words(report.claim, report.rules)
    level, _, noun = words.partition(" ")
    return f"{'Is there' if level == '1' else 'Are there'} {counted(int(level))} {noun}?"


def _lead(report: BidReport, digits: int) -> str:
    held = (
        "none of them" if report.own == 0 else "one yourself" if report.own == 1 else f"{counted(report.own)} yourself"
    )
    missing = f"must bring {counted(report.need)} more" if report.need else "need not bring any"
    return (
        f"{counted(report.rules.seats).capitalize()} players, and you hold {held}: the other {digits} digits {missing}."
    )


def _short(chance: Fraction) -> str:
    """The fraction, where it is short enough to be read."""
    text = written(chance)
    return text if len(text) <= 40 else ""


def _verdict(report: BidReport) -> str:
    better = report.value - report.challenge_value
    if better == 0:
        return "It makes no difference."
    word = "Raise" if better > 0 else "Challenge"
    return f"{word}, narrowly." if abs(report.chance - report.break_even) < _CLOSE else f"{word}."


def _why(report: BidReport) -> str:
    against = "a bid that is good and pays one stake"
    if report.standing is not None:
        against = f"{bid_in_words(report.standing, report.rules)}, if that is good"
    return (
        f"Over {against}, a raise that all will challenge pays from {per_cent(report.break_even)} % on: "
        f"{_units(report.value)} on average, where a lost challenge costs {-report.challenge_value}."
    )


def _units(units: Fraction | int) -> str:
    return signed(units).replace("-", MINUS)


def _even(report: BidReport) -> Even:
    return Even(
        float(report.chance * 100),
        float(report.break_even * 100),
        f"your chance {per_cent(report.chance)} %",
        f"break-even {per_cent(report.break_even)} %",
    )


def _notes(need: int, chance: Fraction) -> tuple[str, str]:
    if need == 0:
        return "", "you need no more"
    fewer = "none" if need == 1 else f"{counted(need - 1)} or fewer"
    return f"{fewer}: {per_cent(1 - chance)} %", f"{counted(need)} or more: {per_cent(chance)} %"


def _outcome(prospect: Prospect) -> Outcome:
    outcome, multiplier, units, chance = prospect
    name = OUTCOMES[outcome]
    pays = (
        "nobody pays" if multiplier == 0 else f"{'you pay each' if name == 'failed' else 'each pays you'} {multiplier}"
    )
    return Outcome(_OUTCOME_WORDS[name], per_cent(chance), pays, _units(units))
