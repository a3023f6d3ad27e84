"""What a bot is: a function from the view of a seat and a random source to an action.

:class:`Bot` is all that is required. The other protocols are optional extras: a bot may challenge out of turn
(:class:`OutOfTurnBot`), it may state the probabilities of its actions (:class:`MixedBot`, :class:`HistoryBot`), so that
its exploitability can be computed exactly, and it may have been trained for some tables only (:class:`TrainedBot`).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Protocol, runtime_checkable

from liarspoker.core.session import Session

ActionProbabilities = tuple[tuple[int, float], ...]
"""Pairs of a legal action and its probability. No action occurs twice; the probabilities sum to 1. An action that is
missing has probability 0."""


class Bot(Protocol):
    """A function, or a frozen object that can be called like one, that chooses actions.

    A bot keeps no state between calls. Everything that it may know is in the view. So one bot can play any number of
    seats at once, and a game can be resumed in the middle of a hand.
    """

    def __call__(self, view: Any, chance: Random, /) -> int:
        """Return the action of the seat to act.

        Args:
            view: what the seat to act may know, such as a
                :class:`DigitView <liarspoker.games.digits.result.DigitView>`; `view.legal` lists its legal actions.
            chance: the only source of randomness that the bot may use. With the same view and the same random numbers
                it must return the same action.

        Returns:
            One of `view.legal.actions`.
        """


@runtime_checkable
class OutOfTurnBot(Bot, Protocol):
    """A bot that may challenge out of turn, where the rules let anyone challenge."""

    def challenges_out_of_turn(self, view: Any, chance: Random, /) -> bool:
        """Return whether the bot challenges the standing claim out of turn.

        It is called once after every claim that the bot neither made nor has to answer.

        Args:
            view: what the bot's seat may know.
            chance: the only source of randomness that the bot may use.
        """


@runtime_checkable
class MixedBot(Bot, Protocol):
    """A bot that states the probability of each of its actions."""

    def action_probabilities(self, view: Any, /) -> ActionProbabilities:
        """Return the bot's actions with their probabilities; a call of the bot draws from this distribution.

        Args:
            view: what the seat to act may know.
        """


@runtime_checkable
class HistoryBot(MixedBot, Protocol):
    """A bot that states how much of the history it uses, so that its probabilities are computed only once per case."""

    def history_key(self, view: Any, /) -> Hashable:
        """Return what the bot derives from the moves so far.

        Wherever the key, the bot's own number, the state of the auction and the legal actions are equal, its
        probabilities are equal too.

        Args:
            view: what the seat to act may know; the bot's own number isn't used.

        Returns:
            A key; `None` in every position if the bot ignores the moves.
        """


@runtime_checkable
class TrainedBot(Bot, Protocol):
    """A bot that was trained for some tables only; at others it plays as the Bluffer."""

    def is_trained(self, rules: Any, /) -> bool:
        """Return whether it was trained for a table with these rules."""


def is_untrained(bot: Bot, session: Any) -> bool:
    """Return whether a bot plays as the Bluffer, since it wasn't trained for such a table.

    Args:
        bot: the bot.
        session: a session at the table.
    """
    return isinstance(bot, TrainedBot) and not bot.is_trained(session.setup.rules)


@dataclass(frozen=True, slots=True)
class DeterministicBot:
    """A bot that never randomizes.

    Attributes:
        choose: returns the action of the seat to act from its view.
        uses_history: whether `choose` depends on more than the bot's own number and the state of the auction.
    """

    choose: Callable[[Any], int]
    uses_history: bool = True

    def __call__(self, view: Any, chance: Random) -> int:
        """Return the action that `choose` selects."""
        return self.choose(view)

    def action_probabilities(self, view: Any) -> ActionProbabilities:
        """Return that action with probability 1."""
        return ((self.choose(view), 1.0),)

    def history_key(self, view: Any) -> Hashable:
        """Return all moves, or `None` if the bot ignores them."""
        return view.moves if self.uses_history else None


def first_challenge(session: Session, bots: Sequence[Bot | None], chance: Random) -> int | None:
    """Return the challenge of the first bot that challenges out of turn, or `None` if none does.

    Seats are asked clockwise, starting after the seat to act. Only an :class:`OutOfTurnBot` is asked.

    Args:
        session: a round in play; call this once after every claim.
        bots: the bot of each seat; `None` where there is none.
        chance: the bots' source of randomness.
    """
    first = session.to_act
    assert first is not None
    for seat in (*range(first + 1, len(bots)), *range(first)):
        bot, challenge = bots[seat], session.out_of_turn_challenge(seat)
        if challenge is None or not isinstance(bot, OutOfTurnBot):
            continue
        if bot.challenges_out_of_turn(session.view(seat), chance):
            return challenge
    return None
