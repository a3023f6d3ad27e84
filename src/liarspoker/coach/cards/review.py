"""The review of a record of a card game: what every claim was worth, and how likely it was."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache, partial
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

from liarspoker.coach.cards.arrays import CardArrays, arrays_of
from liarspoker.coach.cards.positions import CardPosition, chance_of, won
from liarspoker.coach.decisions import Decision, Payoffs, raced
from liarspoker.core import catalogue
from liarspoker.core.catalogue import GamePreset
from liarspoker.core.errors import BadDeal
from liarspoker.core.session import Session
from liarspoker.engine.errors import CannotPlay
from liarspoker.engine.finish import Finisher
from liarspoker.engine.table import Table
from liarspoker.language import _
from liarspoker.processes import in_order
from liarspoker.records import Replay
from liarspoker.records.family import record_format, sessions_of_round

MIXED = "bluffer+binomial"
"""The model by default: half the time everybody plays like the Bluffer, who believes claims, and half the time like the
Calculator, who doesn't. An action that only fools one of them isn't worth much."""

BLUFF = 0.25
"""A claim is a bluff if it is true with a lower probability, given what the claimant sees and has heard."""

_DEALS = 20_000
"""The number of deals from which those that are played out are drawn, and from which probabilities are computed."""

_WEIGHED = 400_000
"""With more actions, fewer deals are drawn, so that about this number of claims is weighed in all of them."""

_FEWEST = 2_000
"""The least number of deals."""

_AT_ONCE = 20_000
"""The maximum number of playouts whose lines are in memory at the same time."""

_MOST_BOTS = 2
"""The maximum number of bots that a model mixes."""

_OF_EACH_CATEGORY = 1_000
"""The number of deals in which the best hand is looked for."""


class PlayedRound(NamedTuple):
    """A round of a record.

    Attributes:
        number: its number, from 1.
        before: the session before it.
        session: the session at its end.
        seen: the round's `x-seen`, with cards that some seats have seen; `None` for no more cards than the deck has.
    """

    number: int
    before: Any
    session: Session
    seen: Any


class CardEffort(NamedTuple):
    """How much is computed.

    Attributes:
        playouts: the number of playouts of each of the best actions; `None` for the default of the position.
        seed: of all random numbers.
        threads: the number of threads; the results don't depend on it.
    """

    playouts: int | None
    seed: int
    threads: int


@dataclass(frozen=True, slots=True)
class Claimed:
    """An action, and how likely a claim was.

    Attributes:
        seat: who acted.
        action: what they did.
        chance: the probability that the claim is true if it is challenged at once, given what its player sees and has
            heard; `None` if it isn't a claim or the player isn't reviewed.
        hands: the probability that the best hand is of each category, weakest first, given what the player saw and had
            heard before the action: the best hand of all cards dealt, or in Thorin's game the hand that they answer.
            `None` if they aren't reviewed, or know the hand.
        was_believed: whether the next player believed it and didn't challenge; `None` if that isn't known, and if it
            isn't a claim.
    """

    seat: int
    action: int
    chance: float | None = None
    hands: tuple[tuple[str, float], ...] | None = None
    was_believed: bool | None = None

    @property
    def bluff(self) -> float | None:
        """How likely the claim was to be false; `None` if it isn't a bluff."""
        return None if self.chance is None or self.chance >= BLUFF else 1.0 - self.chance


@dataclass(frozen=True, slots=True)
class RoundReview:
    """The review of a round.

    Attributes:
        number: the round's number in the record, from 1.
        position: the class of its positions.
        sessions: the sessions after the deal and after each action; before a reviewed decision, with all cards that its
            seat has seen.
        heard: every action, in order.
        decisions: the decision behind each action; `None` where a seat isn't reviewed or its cards are unknown.
    """

    number: int
    position: type[CardPosition]
    sessions: tuple[Session, ...]
    heard: tuple[Claimed, ...]
    decisions: tuple[Decision | None, ...]

    @property
    def stake(self) -> int:
        """The stake of the round: rounds of card games have none, so 1."""
        return 1


@dataclass(frozen=True, slots=True)
class CardReview:
    """The review of a record of a card game. A round's loser pays each of the others an equal share of one unit.

    Attributes:
        game: the catalogue id.
        players: the players' names.
        seat: the seat that is reviewed; `None` for all.
        model: the name of the model by which values are computed.
        hands: the rounds that are over.
    """

    game: str
    players: tuple[str, ...]
    seat: int | None
    model: str
    hands: tuple[RoundReview, ...]

    @property
    def other(self) -> None:
        """The second model, of which card games have none."""

    def arrays(self) -> CardArrays:
        """Return the review as NumPy arrays, with a row for each action; `nan` and -1 where something is unknown."""
        return arrays_of(self)


def review_cards(
    replay: Replay,
    seat: int | None,
    model: str | None,
    wanted: list[int],
    playouts: int | None,
    seed: int,
    jobs: int,
    on_round: Callable[[int, int], None] | None,
) -> CardReview:
    """Review a record of a card game; see :func:`~liarspoker.coach.review.review`.

    Args:
        replay: the replayed record.
        seat: the seat that is reviewed; `None` for all.
        model: the name of a bot; `None` for `MIXED`.
        wanted: the numbers of the rounds, from 1.
        playouts: the number of playouts of each of the best actions; `None` for the default.
        seed: of the playouts.
        jobs: the number of processes or threads; the result doesn't depend on it.
        on_round: called after each round with the number of rounds so far and of all.

    Raises:
        CannotPlay: there is no such bot.
    """
    assert replay.start is not None
    used, found = MIXED if model is None else model, list[RoundReview]()
    assert replay.game is not None
    game = replay.game.preset
    policies_of(used, table_at(game.id, replay.start))
    rounds = [played_round(replay, number) for number in wanted]
    in_threads = len(wanted) < 2 * jobs  # processes take seconds to start
    effort = CardEffort(playouts, seed, jobs if in_threads else 1)
    for one in in_order(partial(_reviewed, game.id, seat, used, effort), rounds, 1 if in_threads else jobs):
        found.append(one)
        if on_round is not None:
            on_round(len(found), len(wanted))
    return CardReview(game.id, replay.players, seat, used, tuple(found))


def played_round(replay: Replay, number: int) -> PlayedRound:
    """Return a round of a record that can be replayed, by its number from 1."""
    before = replay.rounds[number - 2] if number > 1 else replay.start
    return PlayedRound(number, before, replay.rounds[number - 1], replay.document["rounds"][number - 1].get("x-seen"))


def is_reviewed(game: GamePreset) -> bool:
    """Return whether rounds of a game can be reviewed here."""
    return catalogue.family(game.family).review() is not None


def _positions_of(game: str) -> type[CardPosition]:
    found = catalogue.family(catalogue.preset(game).family).review()
    assert found is not None
    return found


def policies_of(model: str, table: Table) -> list[str]:
    """Return the bots that a model plays like, each in an equal share of the playouts.

    Raises:
        CannotPlay: there is no such bot, or these are too many.
    """
    names, known = model.split("+"), table.kernel.policies
    if len(set(names)) < len(names) or len(names) > _MOST_BOTS or any(name not in known for name in names):
        message = _("model {model}: it must be a bot, or two with + between; the bots are {names}")
        raise CannotPlay(message.format(model=repr(model), names=", ".join(known)))
    return names


@lru_cache(maxsize=4)
def finisher(table: Table, model: str, threads: int) -> Finisher:
    """Return what plays rounds to their end by a model."""
    return Finisher(table, policies_of(model, table), threads)


def table_at(game: str, session: Session, options: Mapping[str, object] = MappingProxyType({})) -> Table:
    """Return the table of a session; `options` are those that were chosen for a round."""
    return Table.of(game, session.seats, {**session.option_changes(), **options})


def _reviewed(game: str, seat: int | None, model: str, effort: CardEffort, given: PlayedRound) -> RoundReview:
    """Return the review of one round.

    Raises:
        CannotPlay: `x-seen` doesn't belong to this round.
    """
    number, before, session, seen = given
    sessions, heard, decisions = sessions_of_round(before, session), list[Claimed](), list[Decision | None]()
    told = list(sessions)
    played = session.history(-1)[0]
    position_of, records = _positions_of(game), record_format(catalogue.load(game))
    table = table_at(game, before, played.setup.options)
    try:
        seats = range(session.seats)
        known = [sessions if seen is None else records.as_seen(sessions, mover, seen) for mover in seats]
    except BadDeal as error:
        raise CannotPlay(_("round {number}, x-seen: {error}", number=number, error=error)) from error
    for place, (mover, action) in enumerate(played.moves):
        decision = hands = None
        if seat in (None, mover) and mover == sessions[place].to_act:
            position = position_of(table, known[mover][: place + 1])
            if position.is_known:
                told[place] = known[mover][place]
                decision, hands = decided(position, model, action, effort, number)
        decisions.append(decision)
        chance = None if decision is None or action < 0 else decision.chances[action]
        is_answered = action >= 0 and place + 1 < len(played.moves)
        believed = position_of.was_believed(played.moves[place + 1][1]) if is_answered else None
        heard.append(Claimed(mover, action, chance, hands, believed))
    return RoundReview(number, position_of, tuple(told), tuple(heard), tuple(decisions))


def decided(
    position: CardPosition, model: str, chosen: int, effort: CardEffort, number: int
) -> tuple[Decision, tuple[tuple[str, float], ...] | None]:
    """Return a decision with its values, and how likely the best hand is of each category; see `Claimed.hands`.

    Args:
        position: the position before it.
        model: the model's name.
        chosen: the action that was chosen.
        effort: how much is computed.
        number: the number of the round, for the random numbers.
    """
    chance = np.random.default_rng((effort.seed % (1 << 64), number, len(position.moves), position.seat))
    heard = position.deals(max(_FEWEST, min(_DEALS, _WEIGHED // (1 + len(position.moves)))), chance)
    finish = finisher(position.table, model, effort.threads)

    def won_by(actions: list[int], playouts: int) -> dict[int, Payoffs]:
        share, seed = -(-playouts // finish.policies), int(chance.integers(1 << 62))
        parts = {action: list[Payoffs]() for action in actions}
        for policy in range(finish.policies):
            lineup = np.full(position.table.rules.seats, policy)
            for begun in range(0, share, _AT_ONCE):
                number = min(_AT_ONCE, share - begun)
                lines = np.tile(heard.drawn(number, chance), len(actions))
                actions_of = np.repeat(np.array(actions, np.int64), number)
                streams = np.tile(np.arange(begun, begun + number), len(actions))
                finish(lines, position.moves, actions_of, seed, lineup, streams)
                payoffs = won(lines, position.seat, position.others).reshape(-1, number)
                for action, each in zip(actions, payoffs, strict=True):
                    parts[action].append(each)
        return {action: np.concatenate(each) for action, each in parts.items()}

    playouts = position.playouts if effort.playouts is None else effort.playouts
    appraisal = raced(model, position.sensible(chosen), chosen, won_by, playouts)
    claims = [value.action for value in appraisal.values if value.action >= 0]
    chances = {claim: chance_of(claim, position, heard) for claim in claims}
    hands = position.hands(heard.drawn(_OF_EACH_CATEGORY, chance))
    if position.standing < 0:
        return Decision(position.seat, chosen, appraisal, None, None, None, chances), hands
    odds, truth = position.odds(chance), chance_of(position.standing, position, heard)
    return Decision(position.seat, chosen, appraisal, None, odds, truth, chances), hands
