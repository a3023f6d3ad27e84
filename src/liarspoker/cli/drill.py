"""`liarspoker drill`: puzzles in the terminal."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from fractions import Fraction
from textwrap import wrap
from typing import TYPE_CHECKING

from liarspoker.cli.arguments import UsageError, integer
from liarspoker.cli.style import heading
from liarspoker.language import N_, _, ngettext, number

if TYPE_CHECKING:
    from liarspoker.puzzles import Puzzle
    from liarspoker.puzzles.odds import OddsQuestion

DESCRIPTION = N_("""\
Train your decisions: bid or challenge? Each puzzle is a hand between bots in
which one action is clearly the best. Type its number, or the action itself.
--odds asks how likely bids are: type a percentage.""")

EXAMPLES = N_("""\
examples:
  liarspoker drill                     puzzle after puzzle, until you type q
  liarspoker drill --today             the puzzle of the day
  liarspoker drill --puzzle 12         one puzzle
  liarspoker drill --lesson 1          the first of twelve lessons
  liarspoker drill --sheet 4           a simple strategy for four players
  liarspoker drill --odds              how likely is a bid? until you type q""")

_LETTERS = "abcd"
_SHEET_GAME = "salomon-1986"
"""The game of the cheat sheets."""
_PERCENTAGE = re.compile(r"(\d{1,3}(?:[.,]\d{1,6})?) ?%?", re.ASCII)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `drill`."""
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--today", action="store_true", help=_("the puzzle of the day, the same for everybody"))
    which.add_argument("--sheet", type=integer(2, 6), metavar="P", help=_("the cheat sheet for P players, 2 to 6"))
    which.add_argument("--lesson", type=integer(1, 12), metavar="L", help=_("a lesson, 1 to 12: an idea and a hand"))
    which.add_argument("--puzzle", type=integer(1), metavar="N", help=_("one puzzle, from 1"))
    which.add_argument("--odds", action="store_true", help=_("questions about the odds, each with its distribution"))


def run(args: argparse.Namespace) -> int:
    """Ask puzzles until the user stops."""
    from liarspoker.puzzles import Progress, of_the_day, puzzles

    if args.sheet is not None:
        return _print_sheet(args.sheet)
    if args.lesson is not None:
        return _teach(args.lesson)
    if args.odds:
        return _drill_odds()
    progress = Progress()
    if args.puzzle is not None and args.puzzle > len(puzzles()):
        raise UsageError(_("--puzzle {number}: there are {count} puzzles", number=args.puzzle, count=len(puzzles())))
    only = of_the_day(datetime.now(UTC).date()) if args.today else puzzles()[args.puzzle - 1] if args.puzzle else None
    while True:
        puzzle = only or progress.next
        action = _asked(puzzle)
        if action is None:
            break
        progress = progress.answered(puzzle, action)
        _explain(puzzle, action)
        if only is not None:
            return 0
        print(
            "\n"
            + _(
                "Rating {rating}, {right} of {count} right.",
                rating=progress.rating,
                right=progress.right,
                count=progress.tried,
            )
            + "\n"
        )
    return 0


def _print_sheet(players: int) -> int:
    from liarspoker.core import catalogue
    from liarspoker.odds.figures import signed_mean
    from liarspoker.puzzles import sheet_in_words, sheets

    sheet = next(one for one in sheets() if one.players == players)
    title = _("Cheat sheet for {count} players", count=players)
    print(heading(f"{title}: {_(catalogue.preset(_SHEET_GAME).title)}"))
    for place, line in enumerate(sheet_in_words(sheet), 1):
        print("\n".join(wrap(line, 78, initial_indent=f"  {place}. ", subsequent_indent="     ")))
    for name, found in (
        (_("Champion"), sheet.champion),
        (_("Calculator"), sheet.binomial),
        (_("Bluffer"), sheet.bluffer),
    ):
        mean = f"{signed_mean(found.mean, 3)} ±{number(f'{found.half_width:.3f}')}"
        print("  " + _("{mean} units per hand against {name}", mean=mean, name=name))
    print("  " + _("Units per hand at stake 1, with 95% intervals."))
    return 0


def _teach(number: int) -> int:
    """Show a lesson, and ask its question."""
    from liarspoker.puzzles.lessons import LESSONS

    lesson = LESSONS[number - 1]
    print(heading(_("Lesson {number} of 12: {title}", number=number, title=lesson.say(lesson.title))))
    print("\n".join(wrap(lesson.say(lesson.idea), 78)) + "\n")
    puzzle = lesson.position
    if puzzle is not None:
        action = _asked(puzzle)
        if action is not None:
            _explain(puzzle, action)
        return 0
    print("\n".join(wrap(lesson.say(lesson.question), 78)))
    for place, choice in enumerate(lesson.choices, 1):
        print(f"  {place}  {lesson.say(choice)}")
    typed = _typed([str(place) for place in range(len(lesson.choices))])
    if typed is not None:
        print(heading(_("Right.") if int(typed) == lesson.best else _("Not quite.")))
        print("\n".join(wrap(lesson.say(lesson.why), 78)))
    return 0


def _typed(choices: Sequence[str], read: Callable[[str], str] | None = None) -> str | None:
    """Return the choice that the user types; `None` to stop.

    A choice is typed by its number, as an action that `read` understands, or by its letter unless that is an action.
    """
    by_number = {str(place): choice for place, choice in enumerate(choices, 1)}
    by_letter = dict(zip(_LETTERS, choices, strict=False))
    hint = (
        N_("Type a number from 1 to {last}, or q to stop.")
        if read is None
        else N_("Type a number from 1 to {last} or the action itself, or q to stop.")
    )
    while (typed := _line()) is not None:
        action = "" if read is None else read(typed)
        found = by_number.get(typed) or (action if action in choices else by_letter.get(typed))
        if found is not None:
            return found
        print(_(hint, last=len(choices)))
    return None


def _line() -> str | None:
    """Return the line that the user types, in lower case; `None` to stop."""
    try:
        typed = input("> ").strip().lower()
    except EOFError:
        print()
        return None
    return None if typed in ("q", "quit") else typed


def _asked(puzzle: Puzzle) -> str | None:
    """Show a puzzle and return the action that the user chooses; `None` to stop."""
    from liarspoker.core import catalogue
    from liarspoker.core.errors import IllegalAction
    from liarspoker.games.digits.record_text import action_in_words
    from liarspoker.games.digits.terminal import whole_action
    from liarspoker.records.family import record_format
    from liarspoker.records.words import bid_in_words

    session = puzzle.session()
    hand, names = session.round, [_("you") if seat == puzzle.seat else name for seat, name in enumerate(puzzle.names)]
    assert hand is not None
    game = catalogue.load(puzzle.game)
    title = _(game.preset.title)
    print(
        heading(
            _("Puzzle {number}: {game}, {count} players", number=puzzle.number + 1, game=title, count=puzzle.players)
        )
    )
    for seat, action in hand.moves:
        print(f"  {names[seat]}: {action_in_words(action, hand.rules)}")
    print(_("Your number is {number}.", number=puzzle.hand))
    print(_("Standing bid: {bid}. What is best?", bid=bid_in_words(hand.auction.claim, hand.rules)))
    choices = [choice.action for choice in puzzle.choices]
    for place, action_text in enumerate(choices, 1):
        print(f"  {place}  {action_in_words(session.read(action_text), hand.rules)}")

    def read(typed: str) -> str:
        try:
            return session.write(record_format(game).read(session, whole_action(typed)))
        except IllegalAction:
            return ""

    return _typed(choices, read)


def _explain(puzzle: Puzzle, action: str) -> None:
    """Say whether an action is the best one, and why."""
    from liarspoker.odds.figures import signed_mean

    print(heading(_("Right.") if action == puzzle.best else _("Not the best.")))
    print("\n".join(wrap(" ".join(puzzle.why(action)), 78)))
    for choice in sorted(puzzle.choices, key=lambda one: -one.mean):
        print(f"  {choice.action:<10} {signed_mean(choice.mean):>5} ±{number(f'{choice.half_width:.2f}')}")


def _drill_odds() -> int:
    """Ask questions about the odds until the user stops."""
    from liarspoker.odds.figures import rounded
    from liarspoker.puzzles.odds import drawn_number, odds_question

    tried = right = 0
    missed = Fraction(0)
    while True:
        question = odds_question(drawn_number())
        guess = _guessed(question)
        if guess is None:
            return 0
        print_answer(question, guess)
        tried, right = tried + 1, right + question.is_right(question.choice_of(guess))
        missed += abs(guess - 100 * question.probability)
        points = number(rounded(missed / tried, 1))
        print(
            "\n"
            + _("{right} of {count} right, {points} points off on average.", right=right, count=tried, points=points)
        )
        print()


def _guessed(question: OddsQuestion) -> Fraction | None:
    """Ask a question about the odds and return the percentage that the user types, 0 to 100; `None` to stop."""
    players = ngettext("{count} player", "{count} players", question.players)
    print(heading(_("Odds drill: {players}", players=players)))
    print(_("Your number is {number}.", number=question.hand))
    print(_("The bid: {bid}. How likely is it, if the other numbers are random?", bid=question.bid))
    while (typed := _line()) is not None:
        found = _PERCENTAGE.fullmatch(typed)
        if found is not None and (guess := Fraction(found[1].replace(",", "."))) <= 100:
            return guess
        print(_("Type a percentage from 0 to 100, or q to stop."))
    return None


def print_answer(question: OddsQuestion, guess: Fraction) -> None:
    """Print whether a guess is right, how likely the bid is, how far off the guess was, and the distribution.

    Args:
        question: the question.
        guess: the guess in percent, 0 to 100.
    """
    from liarspoker.odds.bars import MAKES, bars_as_text
    from liarspoker.odds.figures import percent

    choice = question.choice_of(guess)
    print(heading(_("Right.") if question.is_right(choice) else _("Not quite.")))
    print(f"{question.bid}: {percent(question.probability)}. {_distance(guess - 100 * question.probability)}")
    choices = [_("{number}%", number=one) for one in question.choices]
    nearest = _(
        "Of the choices {choices}, your answer is nearest to {nearest}.",
        choices=", ".join(choices),
        nearest=choices[choice],
    )
    print("\n".join(wrap(f"{nearest} {question.why}", 78)))
    print("\n" + _("How many of the digit the others hold, with {sign} where the bid is there:", sign=MAKES))
    print("\n".join(bars_as_text(question.bars)))


def _distance(off: Fraction) -> str:
    """Return a sentence on how many percentage points a guess was too high, or below 0 too low."""
    from liarspoker.odds.figures import rounded

    points = rounded(abs(off), 1)
    if points == "0.0":
        return _("You were less than 0.1 points off.")
    message = N_("You were {points} points too high.") if off > 0 else N_("You were {points} points too low.")
    return _(message, points=number(points))
