"""Twelve lessons with one idea each.

Nine are decisions in hands, which are puzzles; three are questions about the odds. The probabilities in the texts are
computed, so that none can be wrong.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from liarspoker.language import N_, _
from liarspoker.odds.answers import answer
from liarspoker.odds.figures import percent
from liarspoker.puzzles import Puzzle, puzzles

Question = Mapping[str, Any]
"""A question for :func:`liarspoker.odds.answers.answer`."""


def _others(others: int, need: int) -> Question:
    return {"kind": "others_at_least", "others": others, "need": need}


def _draw(*discard: str) -> Question:
    hand = ["7s", "7d", "Kh", "9c", "4d"]
    return {"kind": "thorin_reach", "hand": hand, "discard": list(discard), "claim": "two-pair", "jokers": 0}


def _pool(claim: str) -> Question:
    return {"kind": "pooled_exists", "hand": claim, "known": ["8s", "8d", "Kh", "5c", "2d"], "unknown": 10, "jokers": 0}


@dataclass(frozen=True, slots=True)
class Lesson:
    """A lesson.

    Attributes:
        title: its title, a message.
        idea: its idea, a message with the names of figures.
        figures: the probabilities in its texts, by name.
        puzzle: the number of its puzzle, from 0; `None` for a question.
        game: the game of the question.
        question: the question, a message; empty for a puzzle.
        choices: the answers to choose from, messages with the names of figures.
        best: the index of the right one.
        why: why it is right, a message with the names of figures.
    """

    title: str
    idea: str
    figures: Mapping[str, Question] = field(default_factory=dict)
    puzzle: int | None = None
    game: str = ""
    question: str = ""
    choices: Sequence[str] = ()
    best: int = 0
    why: str = ""

    @property
    def position(self) -> Puzzle | None:
        """Its puzzle; `None` for a question."""
        return None if self.puzzle is None else puzzles()[self.puzzle]

    def say(self, message: str) -> str:
        """Return one of its messages in the current language, with the figures."""
        return _(message, **{name: _percent(float(answer(asked).value)) for name, asked in self.figures.items()})


def _percent(probability: float) -> str:
    """Return a probability in whole percent, or with a decimal below ten."""
    return percent(probability, 0 if probability >= 0.1 else 1)


LESSONS = (
    Lesson(
        N_("Count what you hold"),
        N_(
            "Begin with your own hand, and add what the others hold on average. Two opponents have sixteen "
            "digits, and one in ten of them is a six: 1.6 sixes. With the three in your hand there are 4.6 at "
            "the table on average, so 4 sixes is a bid below the average. It needs a single six from the "
            "others, and {one} of the time they have one."
        ),
        {"one": _others(2, 1)},
        puzzle=26,
    ),
    Lesson(
        N_("How fast the odds fall"),
        N_(
            "A bid at the average is a good bet, and every digit more costs a lot. Among sixteen digits that "
            "you don’t see, at least one is a five {one} of the time, two {two}, three {three} and four "
            "{four}. You hold one five, so 3 fives needs two from the others."
        ),
        {"one": _others(2, 1), "two": _others(2, 2), "three": _others(2, 3), "four": _others(2, 4)},
        puzzle=51,
    ),
    Lesson(
        N_("n + 3"),
        N_(
            "In the game of 1986 a high bid pays more than it costs. From three more than the number of "
            "players on, it wins twice the stake if it is made, and still loses the single stake if it fails; "
            "two levels higher it wins three times the stake. So with three players 6 eights wins double, and "
            "one success in three is enough. You hold two of them, and by the odds alone the others have four "
            "more only {four} of the time. But the player before you would hardly bid 5 eights without some."
        ),
        {"four": _others(2, 4)},
        puzzle=64,
    ),
    Lesson(
        N_("When to bid again"),
        N_(
            "If everybody has challenged you, you may bid again instead of counting. Do it when the count "
            "would probably fail and you have a better bid left. Best is one that your own hand makes, "
            "whatever the others hold."
        ),
        puzzle=78,
    ),
    Lesson(
        N_("The skunk"),
        N_(
            "In the game of 1986 the bidder also wins if nobody holds a single one of the digit: the skunk. "
            "With four players it pays two units from each of the others. That is a consolation for a bluff, "
            "not a plan."
        ),
        {
            "none": {"kind": "none_given_bidder_none", "n": 4},
            "three": {"kind": "none_given_bidder_none", "n": 3},
            "two": {"kind": "none_given_bidder_none", "n": 2},
        },
        game="salomon-1986",
        question=N_(
            "Four players. You bid fives without holding one, and everybody challenges. By the odds alone, how "
            "likely is it that nobody holds a five?"
        ),
        choices=(N_("{two}"), N_("{three}"), N_("{none}")),
        best=2,
        why=N_(
            "The others hold twenty-four digits, and each isn’t a five nine times out of ten: together "
            "{none}. With three players it would be {three}, but then the skunk pays nothing."
        ),
    ),
    Lesson(
        N_("A cheap bluff"),
        N_(
            "A bluff is cheap if everything else loses more, and if it looks like an honest bid. Your "
            "opponent bids 2 eights, and you hold two, so a challenge loses for certain. Whatever you bid, "
            "your opponent sees only the bid: they must believe it, find a higher one or challenge."
        ),
        puzzle=104,
    ),
    Lesson(
        N_("Whom to believe"),
        N_(
            "A bid says what its bidder holds. You have a single one, and by the odds alone the others would "
            "have the three that 4 ones needs only {three} of the time. But hardly anybody bids ones without "
            "holding some. So ask first which hands would bid that."
        ),
        {"three": _others(2, 3)},
        puzzle=106,
    ),
    Lesson(
        N_("The last seat"),
        N_(
            "Who answers last knows more. The player before you has challenged, so they hold few threes "
            "themselves, and nobody after you can raise: if you challenge too, the bid is counted. You hold "
            "no three, so all three would have to be in the other two hands, where by the odds alone they are "
            "{three} of the time."
        ),
        {"three": _others(2, 3)},
        puzzle=65,
    ),
    Lesson(
        N_("Two players"),
        N_(
            "Against one opponent only eight digits are unknown, 0.8 of each on average. At least two of a "
            "digit are among them only {two} of the time, and three {three}. So stay close to your own hand: "
            "a bid that you hold yourself can’t fail."
        ),
        {"two": _others(1, 2), "three": _others(1, 3)},
        puzzle=138,
    ),
    Lesson(
        N_("Five players"),
        N_(
            "With four opponents thirty-two digits are unknown, 3.2 of each on average, and the bidding "
            "begins higher. But beyond the average the odds fall just as fast: at least four of a digit are "
            "there {four} of the time, five {five} and seven only {seven}. Here 8 ones needs seven from the "
            "others."
        ),
        {"four": _others(4, 4), "five": _others(4, 5), "seven": _others(4, 7)},
        puzzle=141,
    ),
    Lesson(
        N_("How many cards to draw"),
        N_(
            "In Thorin’s game you take a hand, may exchange any of its cards once, and must then promise more "
            "than was promised to you. A high card that you keep is one card less that can help you."
        ),
        {"one": _draw("4d"), "two": _draw("9c", "4d"), "three": _draw("Kh", "9c", "4d")},
        game="thorin",
        question=N_("You take 7♠ 7♦ K♥ 9♣ 4♦, and want at least two pair. Which cards do you discard?"),
        choices=(N_("Only the four"), N_("The nine and the four"), N_("The king, the nine and the four")),
        best=2,
        why=N_(
            "With three new cards you have at least two pair {three} of the time, with two {two} and with one "
            "{one}. The king helps only if another king comes."
        ),
    ),
    Lesson(
        N_("The pool"),
        N_(
            "In Queen Anne’s game a claim is about all cards in all hands. What you hold counts as much as "
            "what the others may have, and a pool of fifteen cards has more than it seems."
        ),
        {"three": _pool("trips-8"), "kings": _pool("pair-K"), "sixes": _pool("pair-6")},
        game="queen-annes",
        question=N_(
            "Three players with five cards each. You hold 8♠ 8♦ K♥ 5♣ 2♦. How likely are three eights in the pool?"
        ),
        choices=(N_("{kings}"), N_("{three}"), N_("{sixes}")),
        best=1,
        why=N_(
            "Two eights are left, and the others have ten of the forty-seven cards that you don’t see: "
            "{three}. A pair of kings, for which you have one, is there {kings} of the time, and a pair of "
            "sixes, of which you have none, {sixes}."
        ),
    ),
)
"""The lessons, in the order in which to take them."""
