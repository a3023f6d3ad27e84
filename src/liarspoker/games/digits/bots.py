"""The bots of the digit games.

- The Beginner never bluffs. It uses expected counts and ignores probabilities and bonuses.
- The Calculator knows the exact probability and payoff of every bid, given its own hand. It ignores what others bid and
  never bluffs.
- The Bluffer calculates in the same way, but updates its beliefs after each bid and sometimes bids a digit it lacks.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import NamedTuple

from liarspoker.bots.protocol import ActionProbabilities, DeterministicBot
from liarspoker.games.digits.appraisal import answer_value, best_bid, hand_of
from liarspoker.games.digits.auction import COUNT, DECIDE
from liarspoker.games.digits.beliefs import bids_of, expected_counts
from liarspoker.games.digits.ladder import NO_CLAIM, claim_of, digit_of, level_of
from liarspoker.games.digits.options import Rules
from liarspoker.games.digits.result import DigitView


def expected_action(view: DigitView) -> int:
    """Return the Beginner's action.

    It opens with its most frequent digit, raises as little as possible, and challenges a bid above its expected count:
    what it holds itself plus an even share of the other digits. Challenged all around, it counts.

    >>> from liarspoker.core import catalogue
    >>> from liarspoker.games.digits.deal import DigitDeal
    >>> session = catalogue.load("dollar-bill").session(seats=2).deal(DigitDeal(("06742088", "92859819")))
    >>> session.write(expected_action(session.view(0)))
    '2x8'
    >>> session = session.apply(session.read("2x8"))
    >>> session.write(expected_action(session.view(1)))
    '2x9'
    """
    rules, legal = view.rules, view.legal
    own = hand_of(view)

    def margin_of(claim: int) -> float:
        return margin(claim, own[claim % rules.symbols], rules)

    if not legal.answers:
        most = max(range(rules.symbols), key=lambda rank: (own[rank], rank))
        return opening_bid(own[most], most, rules)
    answer = legal.answers[0]
    if answer == COUNT or not legal.claims or (view.auction is not None and margin_of(view.auction.claim) < 0):
        return answer
    raised = max(legal.claims[: rules.symbols], key=margin_of)
    return raised if margin_of(raised) >= 0 else answer


def opening_bid(own: int, rank: int, rules: Rules) -> int:
    """Return the Beginner's opening bid if it holds `own` of its most frequent digit, the one of rank `rank`."""
    return claim_of(own, digit_of(rank, rules), rules)


def margin(claim: int, own: int, rules: Rules) -> float:
    """Return the expected count of the bid's digit, given `own` of it in hand, minus the bid's level."""
    share = rules.hand_size * (rules.seats - 1) / rules.symbols
    return own + share - level_of(claim, rules)


beginner = DeterministicBot(expected_action, uses_history=False)
"""The Beginner bot."""


def best_action(view: DigitView) -> int:
    """Return the Calculator's action: the one with the highest expected value if the auction ended with it.

    It evaluates a bid as if everybody challenged it, and a challenge as if the bid were counted. It takes every unseen
    digit to be uniform over the digits in play, whatever was bid.

    >>> from liarspoker.core import catalogue
    >>> from liarspoker.games.digits.deal import DigitDeal
    >>> session = catalogue.load("dollar-bill").session(seats=2).deal(DigitDeal(("06742088", "92859819")))
    >>> session = session.apply(session.read("2x8"))
    >>> session.write(best_action(session.view(1)))
    '3x9'
    """
    own, blind = hand_of(view), 1 / view.rules.symbols
    value, claim = best_bid(view, own, (blind,) * view.rules.symbols)
    answers = view.legal.answers
    if not answers or view.auction is None:
        return claim
    mine = own[view.auction.claim % view.rules.symbols]
    return answers[0] if answer_value(view, mine, blind, blind, blind) >= value else claim


binomial = DeterministicBot(best_action, uses_history=False)
"""The Calculator bot."""


EIGHTHS = 8
"""Expected counts are rounded to eighths of a digit, so that values can be cached."""


class Beliefs(NamedTuple):
    """A Bluffer's beliefs about unseen digits, as probabilities.

    Attributes:
        probabilities: for each digit in play, lowest first, the probability that a digit of another player is this one.
        bidder: the probability that a digit of the bidder is the standing bid's; 0 at the opening.
        rest: the same for a digit of a player who is neither the bidder nor the Bluffer; 0 at the opening.
    """

    probabilities: tuple[float, ...]
    bidder: float
    rest: float


@dataclass(frozen=True, slots=True)
class Bluffer:
    """A bot that infers hands from bids, and bluffs.

    Attributes:
        trust: the probability, 0 to 1, that it gives to another player's bid being honest.
        bluffs: the probability, 0 to 1, that it bids as if it held one more of a digit drawn uniformly.
    """

    trust: float = 0.3
    bluffs: float = 0.2

    def __call__(self, view: DigitView, chance: Random) -> int:
        """Return the action with the highest expected value, given its hand (or bluff) and its beliefs.

        >>> from liarspoker.core import catalogue
        >>> from liarspoker.games.digits.deal import DigitDeal
        >>> session = catalogue.load("dollar-bill").session(seats=2).deal(DigitDeal(("06742088", "92859819")))
        >>> session = session.apply(session.read("3x8"))
        >>> session.write(Bluffer()(session.view(1), Random(0)))
        '3x9'
        """
        probability = self.bluff_probability(view)
        bluffs = probability > 0 and chance.random() < probability
        return self._action(view, self.history_key(view), chance.randrange(view.rules.symbols) if bluffs else None)

    def action_probabilities(self, view: DigitView) -> ActionProbabilities:
        """Return the probability of each action: that with its own hand, and those with one more of each digit."""
        bluff, beliefs = self.bluff_probability(view), self.history_key(view)
        actions = {self._action(view, beliefs, None): 1 - bluff}
        for extra in range(view.rules.symbols if bluff else 0):
            action = self._action(view, beliefs, extra)
            actions[action] = actions.get(action, 0.0) + bluff / view.rules.symbols
        return tuple(actions.items())

    def bluff_probability(self, view: DigitView) -> float:
        """Return the probability that it bids as if it held one more of some digit; 0 for a rebid."""
        return 0.0 if view.auction is not None and view.auction.phase == DECIDE else self.bluffs

    def history_key(self, view: DigitView) -> Beliefs:
        """Return its beliefs about the others' digits, given their bids in this hand."""
        nothing = (0.0,) * view.rules.symbols
        rows = [
            nothing if seat == view.seat else expected_counts(bids, self.trust, view.rules)
            for seat, bids in enumerate(bids_of(view.moves, view.rules.seats))
        ]
        others = view.rules.seats - 1
        probabilities = tuple(_probability(sum(column), others, view.rules) for column in zip(*rows, strict=True))
        if view.auction is None or view.auction.claim == NO_CLAIM:
            return Beliefs(probabilities, 0.0, 0.0)
        believed = [row[view.auction.claim % view.rules.symbols] for row in rows]
        bidder = believed[view.auction.bidder]
        return Beliefs(
            probabilities,
            _probability(bidder, 1, view.rules),
            _probability(sum(believed) - bidder, others - 1, view.rules),
        )

    def _action(self, view: DigitView, beliefs: Beliefs, extra: int | None) -> int:
        """Return its action; with `extra`, a rank, it bids as if it held one more of that digit."""
        own = hand_of(view)
        shown = [count + (rank == extra) for rank, count in enumerate(own)]
        value, claim = best_bid(view, shown, beliefs.probabilities)
        answers, auction = view.legal.answers, view.auction
        if not answers or auction is None:
            return claim
        rank = auction.claim % view.rules.symbols
        counted = answer_value(view, own[rank], beliefs.probabilities[rank], beliefs.bidder, beliefs.rest)
        return answers[0] if counted >= value else claim


def _probability(expected: float, players: int, rules: Rules) -> float:
    """Return the probability that a digit of `players` players is one that they hold `expected` of, rounded."""
    most = max_eighths(players, rules)
    return eighths(expected, most) / most if most else 0.0


def eighths(expected: float, most: int) -> int:
    """Return an expected count rounded to eighths of a digit, at most `most`."""
    return min(most, round(expected * EIGHTHS))


def max_eighths(players: int, rules: Rules) -> int:
    """Return how many digits `players` players hold together, in eighths of a digit."""
    return EIGHTHS * players * rules.hand_size


bluffer = Bluffer()
"""The Bluffer bot."""
