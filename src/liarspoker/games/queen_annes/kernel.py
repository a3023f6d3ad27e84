"""Kernel of Queen Anne's games for the engine, with all options.

The deck is shuffled only as far as it is dealt: each card is drawn uniformly from the rest (Fisher-Yates).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from liarspoker.core.cards.claims import NO_CLAIM
from liarspoker.core.cards.deck import JOKER, JOKER_TEXT, RANKS, SUITS, card_text, cards_in, deck_size
from liarspoker.core.cards.match import is_won, next_in
from liarspoker.core.errors import LEGAL
from liarspoker.engine.chance import Chance, below
from liarspoker.engine.errors import CannotPlay
from liarspoker.engine.kernel import (
    NO_CHALLENGE,
    NO_WINNER,
    READY,
    WON,
    Array,
    BatchState,
    Begin,
    Choice,
    Ints,
    Kernel,
    Number,
    Play,
    Show,
    Small,
    Trajectory,
    column,
    match_units,
    opening_seat,
    seat_mask,
)
from liarspoker.engine.networks import Inputs, policy_of
from liarspoker.games.queen_annes.kernel_policies import bot_policy
from liarspoker.games.queen_annes.ladder import KIND_BITS, all_requirements, ladder_length, missing
from liarspoker.games.queen_annes.network_bot import NETWORK_BOTS
from liarspoker.games.queen_annes.notation import read, write
from liarspoker.games.queen_annes.options import QueenAnnesRules
from liarspoker.games.queen_annes.result import alive_mask, outcome, seats_alive
from liarspoker.games.queen_annes.round import QueenAnnesDeal
from liarspoker.games.queen_annes.seen import Observation
from liarspoker.games.queen_annes.state import (
    LOSS_BITS,
    NOBODY,
    OVER,
    RESPOND,
    PackedTerms,
    RoundState,
    after,
    cards_at_once,
    challenge_by,
    challenger_of,
    face_up,
    first_receiver,
    losses_of,
    opening,
    packed_losses,
    sees_extra,
    sees_hand,
    slot_of,
)
from liarspoker.games.queen_annes.state import refusal as refusal_of

if TYPE_CHECKING:
    from liarspoker.engine.lineup import Policy

MOST_SEATS = 10
MOST_CARDS = JOKER + 2
_PLAIN = (1 << JOKER) - 1

Seats = Annotated[Ints, MOST_SEATS]


class Line:
    """A match and its current round.

    Attributes:
        opener, alive, losses: the fields of `PackedTerms` for the current round.
        next_opener, next_alive, next_losses: the fields of `PackedTerms` for the next round.
        claim, claimant, challenger, to_act, phase, made, drawn, dealt_to: the fields of `RoundState`.
        dealt: number of cards in the pool.
        loser, missing: who lost the last challenge, and how many cards of the hand were missing.
        known: masks of the cards in the pool that each seat sees; secret.
        last: each seat's last claim in this round, -1 for none.
        deck: the `dealt` cards in dealing order, then the others; secret.
    """

    opener: int
    alive: int
    losses: int
    next_opener: int
    next_alive: int
    next_losses: int
    claim: int
    claimant: int
    challenger: int
    to_act: int
    phase: int
    made: int
    drawn: int
    dealt_to: int
    dealt: int
    loser: int
    missing: int
    known: Seats
    last: Seats
    deck: Annotated[Ints, MOST_CARDS]


class Round:
    """A finished round.

    Attributes:
        openers: the seat that named the first hand.
        claims: the hand that was challenged, as an index on the ladder.
        claimants: who named it.
        challengers: who challenged it.
        losers: who lost the round.
        missing: number of cards missing; 0 if the hand existed.
        decisions: number of actions.
        dealt: number of cards in the pool.
    """

    openers: Small
    claims: Small
    claimants: Small
    challengers: Small
    losers: Small
    missing: Small
    decisions: Small
    dealt: Small


class State(NamedTuple):
    """The terms and the state of a round in progress."""

    terms: PackedTerms
    round_state: RoundState


class Extra(NamedTuple):
    """Constants of a table.

    Attributes:
        requirements: int64 `[claims]`, the cards that each claim requires, from `ladder.all_requirements`.
        losses: each seat's losses at the start of a match, from `state.packed_losses`.
    """

    requirements: Ints
    losses: int


def start(line: Line, chance: Chance, opener: int, rules: QueenAnnesRules, extra: Extra) -> None:
    line.next_opener, line.next_alive, line.next_losses = opener, alive_mask(extra.losses, rules), extra.losses
    terms = PackedTerms(opener, line.next_alive, extra.losses)
    store(line, State(terms, RoundState(NO_CLAIM, NOBODY, NOBODY, NOBODY, OVER, 0, 0, 0)))


def ready(line: Line, rules: QueenAnnesRules, extra: Extra) -> int:
    return WON if is_won(line.next_alive) else READY


def deal(line: Line, wide: Any, chance: Chance, rules: QueenAnnesRules, extra: Extra) -> State:
    terms = PackedTerms(line.next_opener, line.next_alive, line.next_losses)
    size = deck_size(rules.jokers)
    for place in range(size):
        line.deck[place] = min(place, JOKER)
    for seat in range(rules.seats):
        line.known[seat] = 0
        line.last[seat] = NO_CLAIM
    dealt = 0
    for owner in range(rules.seats):
        cards = 0
        for _ in range(cards_at_once(losses_of(owner, terms.losses), rules)):
            cards += 1 << next_card(chance, line.deck, dealt, size)
            dealt += 1
        for seat in range(rules.seats):
            if terms.alive >> seat & 1 and sees_hand(seat, owner, rules.blind == 1):
                line.known[seat] += cards
    line.dealt = dealt
    return turn_begun(line, chance, opening(terms, rules), terms, rules)


def next_card(chance: Chance, deck: Ints, dealt: int, size: int) -> int:
    """Draw the next card from a deck of `size`, whose first `dealt` cards have been dealt."""
    place = dealt + below(chance, size - dealt)
    card: int = deck[place]
    deck[place] = deck[dealt]
    deck[dealt] = card
    return card


def turn_begun(
    line: Line, chance: Chance, round_state: RoundState, terms: PackedTerms, rules: QueenAnnesRules
) -> State:
    """Deal the extra cards of a turn, if any, and return the round."""
    dealt_to = round_state.dealt_to
    while dealt_to:
        owner = first_receiver(round_state.to_act, dealt_to)
        card = next_card(chance, line.deck, line.dealt, deck_size(rules.jokers))
        line.dealt += 1
        slot = slot_of(owner, round_state.made, terms, rules)
        for seat in range(rules.seats):
            if terms.alive >> seat & 1 and sees_extra(seat, owner, face_up(slot, rules)):
                line.known[seat] += 1 << card
        dealt_to ^= 1 << owner
    return State(terms, round_state)


def load(line: Line) -> State:
    terms = PackedTerms(line.opener, line.alive, line.losses)
    round_state = RoundState(
        line.claim, line.claimant, line.challenger, line.to_act, line.phase, line.made, line.drawn, line.dealt_to
    )
    return State(terms, round_state)


def store(line: Line, state: State) -> None:
    terms, round_state = state
    line.opener, line.alive, line.losses = terms.opener, terms.alive, terms.losses
    line.claim, line.claimant, line.challenger = round_state.claim, round_state.claimant, round_state.challenger
    line.to_act, line.phase, line.made = round_state.to_act, round_state.phase, round_state.made
    line.drawn, line.dealt_to = round_state.drawn, round_state.dealt_to


def seat_of(state: State) -> int:
    return state.round_state.to_act


def mover(state: State, action: int) -> int:
    return state.round_state.to_act if action >= 0 else challenger_of(action, state.round_state.to_act)


def refusal(state: State, action: int, wide: Any, rules: QueenAnnesRules, extra: Extra) -> int:
    return refusal_of(state.round_state, action, state.terms.alive, rules)


def apply(
    state: State, action: int, line: Line, wide: Any, chance: Chance, rules: QueenAnnesRules, extra: Extra
) -> State:
    return turn_begun(line, chance, after(state.round_state, action, state.terms, rules), state.terms, rules)


def note(state: State, action: int, line: Line, wide: Any, rules: QueenAnnesRules) -> None:
    if action >= 0:
        line.last[state.round_state.to_act] = action


def settle(state: State, line: Line, rules: QueenAnnesRules, extra: Extra) -> None:
    terms, round_state, pool = state.terms, state.round_state, 0
    for place in range(line.dealt):
        pool += 1 << line.deck[place]
    line.missing = missing(extra.requirements[round_state.claim], pool, rules)
    led_to = outcome(round_state.claimant, round_state.challenger, line.missing == 0, terms, rules)
    line.loser = led_to.loser
    line.next_opener, line.next_alive, line.next_losses = led_to.terms


def winner(line: Line) -> int:
    return next_in(-1, line.next_alive) if is_won(line.next_alive) else NO_WINNER


def observe(
    state: State, line: Line, wide: Any, seat: int, made: int, moves: Array, rules: QueenAnnesRules, extra: Extra
) -> Observation:
    known, terms, round_state = line.known[seat], state.terms, state.round_state
    shared = shared_by(known, line.known)
    return Observation(rules, terms, round_state, seat, known, shared, line.dealt, extra.requirements, made, moves)


def shared_by(known: int, of: Ints) -> tuple[int, ...]:
    """Return, for each of `MOST_SEATS`, a mask of the cards except jokers that both this seat and that seat see.

    A tuple is computed only if a policy reads it; an array would be filled at every decision.
    """
    plain = known & _PLAIN
    first = (plain & of[0], plain & of[1], plain & of[2], plain & of[3], plain & of[4])
    last = (plain & of[5], plain & of[6], plain & of[7], plain & of[8], plain & of[9])
    return first + last


ROUND = ("respond", "hidden", "standing", "made", "claimant")
"""Columns of an observation that every table has."""

REQUIRED = tuple(f"needs {rank}" for rank in RANKS) + tuple(f"needs {suit}" for suit in SUITS)
"""Columns for the cards that the last claim requires: the count of each rank, and the suit."""

SEATS = ("cards", "losses", "last")
"""Columns for each seat, counted clockwise from the seat to act, which is 0."""

_ROUND = JOKER + 1
_REQUIRED = _ROUND + len(ROUND)
_SUITS = _REQUIRED + len(RANKS)
_SEATS = _SUITS + len(SUITS)
_EACH = len(SEATS)


def feature_names(rules: QueenAnnesRules) -> list[str]:
    """Return the names of the columns of an observation.

    `sees 2c` is 1 if the seat to act sees that card in the pool, `sees Jk` is the number of jokers that it sees, and
    `hidden` the number of cards in the pool that it can't see. `standing` is the index of the last claim on the ladder
    and `claimant` its seat, counted from the seat to act; both are -1 before the first claim. `made` is the number of
    hands named. `needs 7` is the number of sevens that the last claim requires, `needs c` is 1 if it requires clubs.
    `cards 1` is the number of cards dealt to the next seat at the start, and `last 1` the index of its last claim in
    this round, -1 for none.

    >>> from liarspoker.games.queen_annes.options import packed
    >>> from liarspoker.games.queen_annes.presets import presets
    >>> stud = presets()["queen-annes-stud"]
    >>> names = feature_names(packed(stud.options, stud.dealing, seats=2))
    >>> names[:2], names[52:55], names[-3:], len(names)
    (['sees 2c', 'sees 2d'], ['sees Jk', 'respond', 'hidden'], ['cards 1', 'losses 1', 'last 1'], 81)
    """
    return [
        *(f"sees {card_text(card)}" for card in range(JOKER)),
        f"sees {JOKER_TEXT}",
        *ROUND,
        *REQUIRED,
        *(f"{column} {seat}" for seat in range(rules.seats) for column in SEATS),
    ]


def features(
    state: State, line: Line, wide: Any, rules: QueenAnnesRules, extra: Extra, out: NDArray[np.float32]
) -> None:
    terms, round_state = state.terms, state.round_state
    seat = round_state.to_act
    known = line.known[seat]
    for card in range(JOKER):
        out[card] = known >> card & 1
    out[JOKER] = known >> JOKER
    out[_ROUND] = 0.0 if round_state.claim == NO_CLAIM else 1.0
    out[_ROUND + 1] = line.dealt - cards_in(known)
    out[_ROUND + 2] = round_state.claim
    out[_ROUND + 3] = round_state.made
    out[_ROUND + 4] = -1.0 if round_state.claim == NO_CLAIM else (round_state.claimant - seat) % rules.seats
    requirement = 0 if round_state.claim == NO_CLAIM else extra.requirements[round_state.claim]
    while requirement > 0:
        out[_REQUIRED + (requirement & 15)] = requirement >> 7 & 7
        if requirement >> 4 & 7:
            out[_SUITS + (requirement >> 4 & 7) - 1] = 1.0
        requirement >>= KIND_BITS
    for other in range(rules.seats):
        of = (seat + other) % rules.seats
        lost = losses_of(of, terms.losses)
        out[_SEATS + _EACH * other] = cards_at_once(lost, rules)
        out[_SEATS + _EACH * other + 1] = lost
        out[_SEATS + _EACH * other + 2] = line.last[of]


def claims_in(rules: QueenAnnesRules, extra: Extra) -> int:
    return ladder_length(rules)


def claim_at(column: int, extra: Extra) -> int:
    return column


def answer_at(place: int, state: State) -> int:
    """Return the challenge of the seat to act, then those out of turn, for `place` from 0."""
    return -1 - place


def keep(state: State, line: Line, made: int, result: Any, seats: Ints) -> None:
    round_state = state.round_state
    result.openers, result.claims, result.claimants = state.terms.opener, round_state.claim, round_state.claimant
    result.challengers, result.losers, result.missing = round_state.challenger, line.loser, line.missing
    result.decisions, result.dealt = made, line.dealt
    for seat in range(seats.size):
        seats[seat] = losses_of(seat, line.next_losses)


def keep_deal(line: Line, wide: Any, out: NDArray[np.int8]) -> None:
    for place in range(line.dealt):
        out[place] = line.deck[place]


def others_may(state: State, rules: QueenAnnesRules) -> bool:
    return rules.anyone_challenges == 1 and state.round_state.phase == RESPOND


def out_of_turn(state: State, seat: int, rules: QueenAnnesRules) -> int:
    challenge = challenge_by(seat)
    return challenge if refusal_of(state.round_state, challenge, state.terms.alive, rules) == LEGAL else NO_CHALLENGE


# Nothing below is compiled.


def choice(game: Any, seats: int, options: Any, losses: Any = None) -> Choice:
    """Return the table of a session; `losses` as in `Table.of`.

    Raises:
        CannotPlay: only one player is still in.
    """
    session = game.session(seats, options, losses=losses)
    if session.winner is not None:
        raise CannotPlay(f"losses: seat {session.winner} has won before the first round")
    return Choice(session.setup.rules, session.losses)


def actions(rules: QueenAnnesRules) -> int:
    return ladder_length(rules) + 1 + (rules.seats if rules.anyone_challenges else 0)


def most_rounds(rules: QueenAnnesRules, losses: tuple[int, ...]) -> int:
    """Return the largest number of rounds: all losses until one player is left."""
    return sum(rules.exit_losses - lost for lost in losses) - 1


def opener(named: int | None, rules: QueenAnnesRules, losses: tuple[int, ...]) -> int:
    alive = seats_alive(losses, rules)
    if named is not None and opening_seat(named, rules, losses) not in alive:
        raise CannotPlay(f"opener: seat {named} isn't in the match; seats still in: {', '.join(map(str, alive))}")
    return alive[0] if named is None else named


def losses_in(state: BatchState, rules: QueenAnnesRules) -> Array:
    """Return int64 `[n, seats]`: each seat's losses, including the last challenge."""
    found: Array = state.lines.next_losses[:, None] >> LOSS_BITS * np.arange(rules.seats) & (1 << LOSS_BITS) - 1
    return found


def deal_of(
    kept: Trajectory, match: int, number: int, rules: QueenAnnesRules, losses: tuple[int, ...]
) -> QueenAnnesDeal:
    """Return the deal of a round: the hands, and the extra cards."""
    before = list(losses)
    for loser in kept.rounds.losers[match, :number]:
        before[loser] += 1
    deck = kept.deals[match, number, : kept.rounds.dealt[match, number]].tolist()
    return split_deal(deck, [cards_at_once(lost, rules) for lost in before])


def split_deal(deck: list[int], hand_sizes: list[int]) -> QueenAnnesDeal:
    """Split cards in dealing order into hands and extra cards.

    Args:
        deck: the cards in dealing order.
        hand_sizes: number of cards dealt to each seat at the start; the rest are extra cards.

    >>> split_deal([3, 9, 51, 0], [2, 0, 1])
    QueenAnnesDeal(hands=((3, 9), (), (51,)), extras=(0,))
    """
    hands, begin = [], 0
    for size in hand_sizes:
        hands.append(tuple(deck[begin : begin + size]))
        begin += size
    return QueenAnnesDeal(tuple(hands), tuple(deck[begin:]))


def policy(name: str, rules: QueenAnnesRules) -> Policy:
    """Return the policy of a bot, by its name or `net:` and the file of its network."""
    return policy_of(name, rules, NETWORK_BOTS, networks, bot_policy)


def networks() -> Inputs:
    """Return how networks see these games."""
    from liarspoker.games.queen_annes.kernel_network import INPUTS

    return INPUTS


KERNEL = Kernel(
    begin=Begin(start, ready, deal, load, store),
    play=Play(seat_of, mover, refusal, apply, settle, winner, others_may, out_of_turn),
    show=Show(observe, features, note, keep, keep_deal),
    number=Number(claims_in, claim_at, answer_at),
    family="queen_annes",
    kind="game of Queen Anne's",
    line=Line,
    round=Round,
    starts=("losses",),
    choice=choice,
    extra=lambda rules, losses: Extra(np.array(all_requirements(rules), np.int64), packed_losses(losses)),
    wide=lambda number, kept, rules, losses: (),
    actions=actions,
    most_moves=lambda rules: ladder_length(rules) + 1,
    most_rounds=most_rounds,
    opener=opener,
    feature_names=feature_names,
    deal_width=lambda asked, rules: MOST_CARDS,
    deal_type=np.int8,
    batch={
        "losers": column("loser"),
        "missing": column("missing"),
        "losses": losses_in,
        "alive": seat_mask("next_alive"),
        "decks": column("deck"),
        "dealt": column("dealt"),
    },
    rollout={"losses": lambda kept: kept.seats[:, 0], "decks": lambda kept: kept.deals},
    units=match_units,
    read=lambda text, line, rules: read(text, int(line.to_act), rules),
    write=write,
    deal_of=deal_of,
    policies=("uniform", "beginner", "binomial", "bluffer", *NETWORK_BOTS),
    policy=policy,
    networks=networks,
)
