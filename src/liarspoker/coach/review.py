"""The review of a record: what every bid revealed, and what every decision was worth."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

from liarspoker.coach.ahead import playouts_compiled
from liarspoker.coach.arrays import ReviewArrays, arrays_of
from liarspoker.coach.cards.review import CardReview, is_reviewed, review_cards
from liarspoker.coach.decisions import (
    PLAYOUTS,
    Appraisal,
    Decision,
    Effort,
    appraise,
    chance_of,
    chances_of,
    odds_of,
    skunk_of,
)
from liarspoker.coach.models import Model, model_of, other_model, table_of
from liarspoker.core.session import Session
from liarspoker.engine.errors import CannotPlay
from liarspoker.engine.table import Table
from liarspoker.games.digits.auction import CHALLENGE, OPEN
from liarspoker.games.digits.deal import digits_in_play
from liarspoker.games.digits.hands import HIDDEN
from liarspoker.games.digits.options import Rules
from liarspoker.games.digits.round import DigitRound
from liarspoker.games.digits.session import DigitSession
from liarspoker.language import _
from liarspoker.processes import in_order
from liarspoker.records import Replay
from liarspoker.solve.beliefs.posterior import Beliefs
from liarspoker.solve.hands import Floats, counts_of, index_of
from liarspoker.solve.tree import ranks_of_bids

BLUFF = 1.0
"""A bid is a bluff if the bidder holds at least this many fewer of its digit than the bid makes the others believe."""


@dataclass(frozen=True, slots=True)
class Heard:
    """An action, and what it revealed.

    Attributes:
        seat: who acted.
        action: what they did.
        before: float64 `[symbols, hand_size + 1]`, the probability of each count of each digit in their hand before it,
            by the first model, the lowest digit first.
        after: the same after it.
        expected: how many of the bid's digit they may then be believed to hold, on average; `None` if it isn't a bid.
        held: how many they hold; `None` if it isn't a bid or the number is hidden.
        was_believed: whether the next player to act didn't challenge; `None` if it isn't a bid or nobody acted.
    """

    seat: int
    action: int
    before: Floats
    after: Floats
    expected: float | None = None
    held: int | None = None
    was_believed: bool | None = None

    @property
    def bluff(self) -> float | None:
        """How many fewer of the digit they hold than they may be believed to; `None` if that isn't a bluff."""
        if self.expected is None or self.held is None or self.expected - self.held < BLUFF:
            return None
        return self.expected - self.held


@dataclass(frozen=True, slots=True)
class HandReview:
    """The review of a hand.

    Attributes:
        number: the hand's number in the record, from 1.
        hand: the hand.
        heard: every action, in order.
        decisions: the decision behind each action; `None` where a seat isn't reviewed or its number is hidden.
    """

    number: int
    hand: DigitRound
    heard: tuple[Heard, ...]
    decisions: tuple[Decision | None, ...]

    @property
    def stake(self) -> int:
        """The stake."""
        return self.hand.terms.stake


@dataclass(frozen=True, slots=True)
class Review:
    """The review of a record.

    Attributes:
        game: the catalogue id.
        players: the players' names.
        seat: the seat that is reviewed; `None` for all.
        digits: the digits in play, the lowest first.
        model: the name of the model by which hands are read and values computed.
        other: the name of the second model; `None` if there is none.
        rules: the table's rules.
        hands: the hands that were counted.
    """

    game: str
    players: tuple[str, ...]
    seat: int | None
    digits: tuple[str, ...]
    model: str
    other: str | None
    rules: Rules
    hands: tuple[HandReview, ...]

    def arrays(self) -> ReviewArrays:
        """Return the review as NumPy arrays, with a row for each action; `nan` and -1 where something is unknown."""
        return arrays_of(self)


def review(
    replay: Replay,
    seat: int | None = None,
    model: str | None = None,
    *,
    hand: int | None = None,
    playouts: int | None = None,
    seed: int = 1,
    jobs: int = 1,
    on_hand: Callable[[int, int], None] | None = None,
) -> Review | CardReview:
    """Review a record.

    Args:
        replay: the replayed record.
        seat: the seat whose decisions are reviewed; `None` for every seat whose number the record gives.
        model: how everybody is assumed to play: a bot's name; in digit games also `net:` and a file, or the file of a
            strategy, which makes all values exact. By default the Champion, or the Bluffer where no network is trained;
            in card games :data:`~liarspoker.coach.cards.review.MIXED`.
        hand: the number of the only hand to review, from 1; `None` for all that were counted.
        playouts: the number of playouts of each of the best actions; by default
            :data:`~liarspoker.coach.decisions.PLAYOUTS`. The intervals shrink with its square root.
        seed: of the playouts.
        jobs: the number of processes; the result doesn't depend on it.
        on_hand: called after each hand with the number of hands so far and of all.

    Raises:
        CannotPlay: its game has no review, its ladder has no top, there is no such seat or model, or there is no such
            hand or it isn't over.
        BadStrategy, BadNetwork: the model is for other rules.

    >>> from liarspoker.records import read_toml
    >>> record = '''
    ... lpn = 1
    ... game = "salomon-1986"
    ... options = { hand_size = 2, symbols = 3 }
    ... players = ["Ann", "Bob"]
    ... [[rounds]]
    ... deal = ["13", "33"]
    ... actions = ["2x3", "challenge", "count"]
    ... '''
    >>> ann, bob, again = review(read_toml(record), playouts=4000).hands[0].decisions
    >>> ann.appraisal.verdict, bob.appraisal.verdict, bob.truth
    ('fine', 'blunder', 1.0)
    """
    numbers, session = counted(replay, hand), replay.start
    if session is not None and seat is not None and not 0 <= seat < session.seats:
        raise CannotPlay(_("seat: {seat}; it must be between 0 and {last}", seat=seat, last=session.seats - 1))
    if not isinstance(session, DigitSession):
        return review_cards(replay, seat, model, numbers, playouts, seed, jobs, on_hand)
    table, used, rules = table_of(session), model_of(model, session), session.setup.rules
    other = other_model(used, session)
    sampled = [one.name for one in (used, other) if one is not None and one.strategy is None]
    wanted, found = [(number, _hand(replay.rounds[number - 1])) for number in numbers], list[HandReview]()
    in_threads = len(wanted) < 2 * jobs  # processes take seconds to start
    effort = Effort(PLAYOUTS if playouts is None else playouts, seed, jobs if in_threads else 1)
    with playouts_compiled(table, session.option_changes(), sampled if wanted else []):
        for one in in_order(partial(_reviewed, session, seat, model, effort), wanted, 1 if in_threads else jobs):
            found.append(one)
            if on_hand is not None:
                on_hand(len(found), len(wanted))
    return Review(
        game=session.setup.preset.id,
        players=replay.players,
        seat=seat,
        digits=tuple(digits_in_play(rules)),
        model=used.name,
        other=None if other is None else other.name,
        rules=rules,
        hands=tuple(found),
    )


def counted(replay: Replay, hand: int | None = None) -> list[int]:
    """Return the numbers of a record's hands that are over.

    Args:
        replay: the replayed record.
        hand: the number of the only one that is wanted.

    Raises:
        CannotPlay: the game has no review, or there is no such hand or it isn't over.
    """
    if replay.game is None or not (isinstance(replay.start, DigitSession) or is_reviewed(replay.game.preset)):
        raise CannotPlay(_("{game}: games of this kind can't be reviewed", game=replay.named))
    found = [
        number
        for number, one in enumerate(replay.rounds, 1)
        if one.history(-1) and not one.in_play and hand in (None, number)
    ]
    if hand is not None and not found:
        raise CannotPlay(_("hand {hand}: the record has no such hand, or it wasn't counted", hand=hand))
    return found


def _hand(session: Session) -> DigitRound:
    assert isinstance(session, DigitSession)
    assert session.round is not None
    return session.round


def _reviewed(
    session: DigitSession, seat: int | None, model: str | None, effort: Effort, numbered: tuple[int, DigitRound]
) -> HandReview:
    """Return the review of one hand."""
    number, hand = numbered
    first = model_of(model, session, effort.threads)
    second = other_model(first, session)
    return reviewed(number, hand, table_of(session), first, second, seat, effort)


def reviewed(
    number: int, hand: DigitRound, table: Table, first: Model, second: Model | None, seat: int | None, effort: Effort
) -> HandReview:
    """Return the review of one hand.

    Args:
        number: its number in the record.
        hand: the hand, whose auction is over.
        table: the table.
        first: the model by which hands are read and values computed.
        second: the model by which verdicts are checked.
        seat: the seat that is reviewed; `None` for all.
        effort: how much is computed.
    """
    rules, opener = hand.rules, hand.terms.opener
    indices = [None if HIDDEN in one else index_of(counts_of(one, rules)) for one in hand.numbers]
    beliefs = Beliefs.at(table, [first.policy], opener)
    others = None if second is None else Beliefs.at(table, [second.policy], opener)
    heard: list[Heard] = []
    decisions: list[Decision | None] = []
    for place, (mover, action) in enumerate(hand.moves):
        mine = indices[mover]
        if mine is None or seat not in (None, mover):
            decisions.append(None)
        else:
            at = replace(effort, seed=1_000_003 * effort.seed + number)
            appraisal = appraise(first, table, beliefs, mine, action, at)
            other = None if second is None or others is None else appraise(second, table, others, mine, action, at)
            plays = first.policy.row(beliefs.position, mine)
            decisions.append(replace(_decision(beliefs, mine, action, appraisal, other), plays=plays))
        later = beliefs.after(action, surprise="keep")
        others = None if others is None else others.after(action, surprise="keep")
        seen = Heard(mover, action, beliefs.counts(mover), later.counts(mover))
        if action >= 0:
            rank = int(ranks_of_bids(rules)[action])
            expected = float(seen.after[rank] @ range(rules.hand_size + 1))
            held = None if mine is None else int(beliefs.hands.counts[mine, rank])
            next_action = hand.moves[place + 1][1] if place + 1 < len(hand.moves) else None
            believed = None if next_action is None else next_action != CHALLENGE
            seen = Heard(mover, action, seen.before, seen.after, expected, held, believed)
        heard.append(seen)
        beliefs = later
    return HandReview(number, hand, tuple(heard), tuple(decisions))


def _decision(
    beliefs: Beliefs, hand: int, action: int, appraisal: Appraisal | None, other: Appraisal | None
) -> Decision:
    """Return a decision with everything that explains it."""
    position = beliefs.position
    bids = () if appraisal is None else [value.action for value in appraisal.values if value.action >= 0]
    chances = chances_of(beliefs, hand, bids)
    if position.auction.phase == OPEN:
        return Decision(position.to_act, action, appraisal, other, None, None, chances)
    odds = odds_of(position.auction.claim, hand, position.rules)
    truth, skunk = (find(beliefs, position.to_act, hand) for find in (chance_of, skunk_of))
    return Decision(position.to_act, action, appraisal, other, odds, truth, chances, skunk=skunk)
