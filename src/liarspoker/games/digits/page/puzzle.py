"""View model of a puzzle: the table before a decision, the actions to choose from, and after the answer the coach."""

from __future__ import annotations

from dataclasses import dataclass

from liarspoker.core import catalogue
from liarspoker.core.catalogue import GamePreset
from liarspoker.games.digits.auction import CHALLENGE
from liarspoker.games.digits.ladder import level_of
from liarspoker.games.digits.record_text import action_in_words
from liarspoker.games.digits.settlement import bid_multiplier
from liarspoker.language import _, number
from liarspoker.puzzles import Puzzle
from liarspoker.records.words import YOU, capital, digit_name, name_shown, verdict_in_words
from liarspoker.web.view_models.review import Belief, CoachViewModel, Considered, Mark
from liarspoker.web.words import MINUS

GOOD = 0.1
"""A choice is nearly as good if it is worth less than this less than the best one, in units."""


@dataclass(frozen=True, slots=True)
class PuzzleMove:
    """An action before the decision: who did what, and whether it is the standing bid."""

    name: str
    words: str
    is_challenge: bool
    is_standing: bool


@dataclass(frozen=True, slots=True)
class PuzzleChoice:
    """An action to choose: in notation and in words, and whether it was chosen or is the best."""

    action: str
    words: str
    is_chosen: bool
    is_best: bool


@dataclass(frozen=True, slots=True)
class PuzzleViewModel:
    """A puzzle.

    Attributes:
        number: its number, from 1.
        game: the game.
        players: the number of players.
        hand: the number in hand.
        moves: the actions before the decision.
        level: the level of the standing bid.
        digits: the name of its digit.
        under: what it pays if that isn't 1, else empty.
        bidder: who made it.
        choices: the actions to choose from.
        is_right: whether the best one was chosen; `None` before the answer.
        coach: what the coach says of the answer; `None` before it.
    """

    number: int
    game: GamePreset
    players: int
    hand: str
    moves: tuple[PuzzleMove, ...]
    level: int
    digits: str
    under: str
    bidder: str
    choices: tuple[PuzzleChoice, ...]
    is_right: bool | None
    coach: CoachViewModel | None


def puzzle_view_model(puzzle: Puzzle, chosen: str) -> PuzzleViewModel:
    """Return the view model of a puzzle.

    Args:
        puzzle: the puzzle.
        chosen: the action that was chosen, in notation; empty before the answer.
    """
    session = puzzle.session()
    hand = session.round
    assert hand is not None
    rules, auction = hand.rules, hand.auction
    names = tuple(YOU if seat == puzzle.seat else name for seat, name in enumerate(puzzle.names))
    words = {one.action: capital(action_in_words(session.read(one.action), rules)) for one in puzzle.choices}
    standing = max(place for place, (_seat, action) in enumerate(hand.moves) if action >= 0)
    moves = tuple(
        PuzzleMove(name_shown(names[seat]), action_in_words(action, rules), action == CHALLENGE, place == standing)
        for place, (seat, action) in enumerate(hand.moves)
    )
    pays, level = bid_multiplier(auction.claim, rules), level_of(auction.claim, rules)
    digits = digit_name(puzzle.digit, level, rules)
    coach = None if not chosen else _coach(puzzle, chosen, words, names, digit_name(puzzle.digit, 2, rules))
    return PuzzleViewModel(
        number=puzzle.number + 1,
        game=catalogue.preset(puzzle.game),
        players=puzzle.players,
        hand=puzzle.hand,
        moves=moves,
        level=level,
        digits=digits,
        under=_("pays ×{pays}", pays=pays) if pays > 1 else "",
        bidder=names[auction.bidder],
        choices=tuple(
            PuzzleChoice(action, said, action == chosen, action == puzzle.best) for action, said in words.items()
        ),
        is_right=None if not chosen else chosen == puzzle.best,
        coach=coach,
    )


def _coach(puzzle: Puzzle, chosen: str, words: dict[str, str], names: tuple[str, ...], digits: str) -> CoachViewModel:
    loss = puzzle.worth(chosen)
    verdict = "best" if chosen == puzzle.best else "fine" if loss < GOOD else "mistake"
    mark = Mark(verdict, verdict_in_words(verdict), number(f"{MINUS}{loss:.2f}") if verdict == "mistake" else "", loss)
    values = sorted(puzzle.choices, key=lambda one: -one.mean)
    beliefs = tuple(
        Belief(
            name_shown(names[seat]),
            number(f"{puzzle.means[seat]:.1f}"),
            chances,
            puzzle.hand.count(str(puzzle.digit)) if seat == puzzle.seat else None,
        )
        for seat, chances in enumerate(puzzle.beliefs)
    )
    return CoachViewModel(
        mark=mark,
        said=f"{name_shown(YOU)}: {words[chosen]}",
        reasons=tuple(puzzle.why(chosen)),
        values=tuple(
            Considered.of(words[one.action], one.mean, one.half_width, one.action == chosen) for one in values
        ),
        bluff="",
        model=_("Champion"),
        beliefs_title=_("How many {digits} each may hold", digits=digits),
        beliefs=beliefs,
    )
