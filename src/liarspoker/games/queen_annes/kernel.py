"""Queen Anne's games for the engine, under any of their options.

Cards come off a deck that is shuffled as far as it is dealt: each is a uniform one of those that are left, as Fisher
and Yates have it, from the top down.
"""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple

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
    seat_mask,
)
from liarspoker.games.queen_annes.kernel_policies import Observation, bot_policy
from liarspoker.games.queen_annes.ladder import KIND_BITS, all_wants, ladder_length, missing
from liarspoker.games.queen_annes.notation import read, write
from liarspoker.games.queen_annes.options import QueenAnnesRules
from liarspoker.games.queen_annes.result import living, living_mask, outcome
from liarspoker.games.queen_annes.round import QueenAnnesDeal
from liarspoker.games.queen_annes.state import (
    LOSS_BITS,
    NOBODY,
    OVER,
    RESPOND,
    Ground,
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

MOST_SEATS = 10
MOST_CARDS = JOKER + 2
_PLAIN = (1 << JOKER) - 1

Seats = Annotated[Ints, MOST_SEATS]


class Line:
    """A round in its match.

    Attributes:
        opener, alive, losses: the fields of `Ground`, of the round on the table, and
        next_opener, next_alive, next_losses: of the one that comes after it.
        claim, claimant, challenger, to_act, phase, made, drawn, came: the fields of `RoundState`.
        dealt: how many cards are in the pool.
        loser, missing: of the last challenge, who lost, and how many cards the hand lacked.
        known: masks of the cards in the pool that each seat sees; secret.
        last: what each seat has claimed last in this round, -1 for nothing.
        deck: `dealt` cards as they were dealt, and the others; secret.
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
    came: int
    dealt: int
    loser: int
    missing: int
    known: Seats
    last: Seats
    deck: Annotated[Ints, MOST_CARDS]


class Round:
    """A round that was played.

    Attributes:
        openers: the seat that named the first hand.
        claims: the hand that was challenged, as a place on the ladder.
        claimants: who named it.
        challengers: who challenged it.
        losers: who lost the round.
        missing: how many cards the hand lacked; 0 where it existed.
        decisions: how many actions the round had.
        dealt: how many cards were in the pool.
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
    """A round in play: what it is played on, and where it stands."""

    ground: Ground
    course: RoundState


class Extra(NamedTuple):
    """What stays the same in all matches.

    Attributes:
        wants: int64 `[claims]`, what must be in the pool for every hand that can be named, packed as in the rules.
        losses: each seat's losses when a match begins, packed as in the rules.
    """

    wants: Ints
    losses: int


def start(line: Line, chance: Chance, opener: int, rules: QueenAnnesRules, extra: Extra) -> None:
    line.next_opener, line.next_alive, line.next_losses = opener, living_mask(extra.losses, rules), extra.losses
    ground = Ground(opener, line.next_alive, extra.losses)
    store(line, State(ground, RoundState(NO_CLAIM, NOBODY, NOBODY, NOBODY, OVER, 0, 0, 0)))


def ready(line: Line, rules: QueenAnnesRules, extra: Extra) -> int:
    return WON if is_won(line.next_alive) else READY


def deal(line: Line, wide: Any, chance: Chance, rules: QueenAnnesRules, extra: Extra) -> State:
    ground = Ground(line.next_opener, line.next_alive, line.next_losses)
    size = deck_size(rules.jokers)
    for place in range(size):
        line.deck[place] = min(place, JOKER)
    for seat in range(rules.seats):
        line.known[seat] = 0
        line.last[seat] = NO_CLAIM
    dealt = 0
    for owner in range(rules.seats):
        cards = 0
        for _ in range(cards_at_once(losses_of(owner, ground.losses), rules)):
            cards += 1 << next_card(chance, line.deck, dealt, size)
            dealt += 1
        for seat in range(rules.seats):
            if ground.alive >> seat & 1 and sees_hand(seat, owner, rules.blind == 1):
                line.known[seat] += cards
    line.dealt = dealt
    return turn_begun(line, chance, opening(ground, rules), ground, rules)


def next_card(chance: Chance, deck: Ints, dealt: int, size: int) -> int:
    """The card that comes when so many have been dealt off a deck of `size`; they are its first."""
    place = dealt + below(chance, size - dealt)
    card: int = deck[place]
    deck[place] = deck[dealt]
    deck[dealt] = card
    return card


def turn_begun(line: Line, chance: Chance, course: RoundState, ground: Ground, rules: QueenAnnesRules) -> State:
    """The round at the beginning of a turn, with the cards that come with it dealt; or after its end."""
    came = course.came
    while came:
        owner = first_receiver(course.to_act, came)
        card = next_card(chance, line.deck, line.dealt, deck_size(rules.jokers))
        line.dealt += 1
        slot = slot_of(owner, course.made, ground, rules)
        for seat in range(rules.seats):
            if ground.alive >> seat & 1 and sees_extra(seat, owner, face_up(slot, rules)):
                line.known[seat] += 1 << card
        came ^= 1 << owner
    return State(ground, course)


def load(line: Line) -> State:
    ground = Ground(line.opener, line.alive, line.losses)
    course = RoundState(
        line.claim, line.claimant, line.challenger, line.to_act, line.phase, line.made, line.drawn, line.came
    )
    return State(ground, course)


def store(line: Line, state: State) -> None:
    ground, course = state
    line.opener, line.alive, line.losses = ground.opener, ground.alive, ground.losses
    line.claim, line.claimant, line.challenger = course.claim, course.claimant, course.challenger
    line.to_act, line.phase, line.made = course.to_act, course.phase, course.made
    line.drawn, line.came = course.drawn, course.came


def seat_of(state: State) -> int:
    return state.course.to_act


def mover(state: State, action: int) -> int:
    return state.course.to_act if action >= 0 else challenger_of(action, state.course.to_act)


def refusal(state: State, action: int, wide: Any, rules: QueenAnnesRules, extra: Extra) -> int:
    return refusal_of(state.course, action, state.ground.alive, rules)


def apply(
    state: State, action: int, line: Line, wide: Any, chance: Chance, rules: QueenAnnesRules, extra: Extra
) -> State:
    return turn_begun(line, chance, after(state.course, action, state.ground, rules), state.ground, rules)


def note(state: State, action: int, line: Line, wide: Any, rules: QueenAnnesRules) -> None:
    if action >= 0:
        line.last[state.course.to_act] = action


def settle(state: State, line: Line, rules: QueenAnnesRules, extra: Extra) -> None:
    ground, course, pool = state.ground, state.course, 0
    for place in range(line.dealt):
        pool += 1 << line.deck[place]
    line.missing = missing(extra.wants[course.claim], pool, rules)
    led_to = outcome(course.claimant, course.challenger, line.missing == 0, ground, rules)
    line.loser = led_to.loser
    line.next_opener, line.next_alive, line.next_losses = led_to.ground


def winner(line: Line) -> int:
    return next_in(-1, line.next_alive) if is_won(line.next_alive) else NO_WINNER


def observe(
    state: State, line: Line, wide: Any, seat: int, made: int, moves: Array, rules: QueenAnnesRules, extra: Extra
) -> Observation:
    known, ground, course = line.known[seat], state.ground, state.course
    shared = shared_by(known, line.known)
    return Observation(rules, ground, course, seat, known, shared, line.dealt, extra.wants, made, moves)


def shared_by(known: int, of: Ints) -> tuple[int, ...]:
    """The plain ones of the cards that somebody sees, a mask for each of `MOST_SEATS`: those that this seat sees too.

    A tuple is worked out only where a policy reads it; an array would be filled at every decision.
    """
    plain = known & _PLAIN
    first = (plain & of[0], plain & of[1], plain & of[2], plain & of[3], plain & of[4])
    last = (plain & of[5], plain & of[6], plain & of[7], plain & of[8], plain & of[9])
    return first + last


ROUND = ("respond", "hidden", "standing", "made", "claimant")
"""Columns of an observation that are the same for every table."""

WANTED = tuple(f"wants {rank}" for rank in RANKS) + tuple(f"wants {suit}" for suit in SUITS)
"""Columns for what the standing hand needs: how many of each rank, and of which suit all of them."""

SEATS = ("cards", "losses", "last")
"""Columns for every seat, counted from the seat to act, which is 0."""

_ROUND = JOKER + 1
_WANTED = _ROUND + len(ROUND)
_SUITS = _WANTED + len(RANKS)
_SEATS = _SUITS + len(SUITS)
_EACH = len(SEATS)


def feature_names(rules: QueenAnnesRules) -> list[str]:
    """What stands in each column of an observation.

    `sees 2c` is 1 where the seat to act sees that card in the pool, `sees Jk` how many jokers it sees there; `hidden`,
    how many cards are in the pool that it does not see. `standing` is the claim's place on the ladder and `claimant`
    whose it is, counted from the seat to act, both -1 before the first; `made`, how many hands have been named.
    `cards 1` is how many cards the next seat was dealt at once, `last 1` what it has named last in this round, as a
    place on the ladder, -1 for nothing.

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
        *WANTED,
        *(f"{column} {seat}" for seat in range(rules.seats) for column in SEATS),
    ]


def features(
    state: State, line: Line, wide: Any, rules: QueenAnnesRules, extra: Extra, out: NDArray[np.float32]
) -> None:
    ground, course = state.ground, state.course
    seat = course.to_act
    known = line.known[seat]
    for card in range(JOKER):
        out[card] = known >> card & 1
    out[JOKER] = known >> JOKER
    out[_ROUND] = 0.0 if course.claim == NO_CLAIM else 1.0
    out[_ROUND + 1] = line.dealt - cards_in(known)
    out[_ROUND + 2] = course.claim
    out[_ROUND + 3] = course.made
    out[_ROUND + 4] = -1.0 if course.claim == NO_CLAIM else (course.claimant - seat) % rules.seats
    want = 0 if course.claim == NO_CLAIM else extra.wants[course.claim]
    while want > 0:
        out[_WANTED + (want & 15)] = want >> 7 & 7
        if want >> 4 & 7:
            out[_SUITS + (want >> 4 & 7) - 1] = 1.0
        want >>= KIND_BITS
    for other in range(rules.seats):
        of = (seat + other) % rules.seats
        lost = losses_of(of, ground.losses)
        out[_SEATS + _EACH * other] = cards_at_once(lost, rules)
        out[_SEATS + _EACH * other + 1] = lost
        out[_SEATS + _EACH * other + 2] = line.last[of]


def claims_in(rules: QueenAnnesRules, extra: Extra) -> int:
    return ladder_length(rules)


def claim_at(column: int, extra: Extra) -> int:
    return column


def answer_at(place: int, state: State) -> int:
    """The challenge of the seat to act; then, where anyone may challenge, that of each seat whose turn it is not."""
    return -1 - place


def keep(state: State, line: Line, made: int, result: Any, seats: Ints) -> None:
    course = state.course
    result.openers, result.claims, result.claimants = state.ground.opener, course.claim, course.claimant
    result.challengers, result.losers, result.missing = course.challenger, line.loser, line.missing
    result.decisions, result.dealt = made, line.dealt
    for seat in range(seats.size):
        seats[seat] = losses_of(seat, line.next_losses)


def keep_deal(line: Line, wide: Any, out: NDArray[np.int8]) -> None:
    for place in range(line.dealt):
        out[place] = line.deck[place]


def others_may(state: State, rules: QueenAnnesRules) -> bool:
    return rules.anyone_challenges == 1 and state.course.phase == RESPOND


def out_of_turn(state: State, seat: int, rules: QueenAnnesRules) -> int:
    challenge = challenge_by(seat)
    return challenge if refusal_of(state.course, challenge, state.ground.alive, rules) == LEGAL else NO_CHALLENGE


# From here on nothing is compiled.


def choice(game: Any, seats: int, options: Any, losses: Any = None) -> Choice:
    """The table of a session; `losses` is as `Table.of` has it.

    Raises:
        CannotPlay: only one player is living.
    """
    session = game.session(seats, options, losses=losses)
    if session.winner is not None:
        raise CannotPlay(f"losses: seat {session.winner} has won before the first round")
    return Choice(session.setup.rules, session.losses)


def actions(rules: QueenAnnesRules) -> int:
    return ladder_length(rules) + 1 + (rules.seats if rules.anyone_challenges else 0)


def most_rounds(rules: QueenAnnesRules, losses: tuple[int, ...]) -> int:
    """Every loss that puts one out, but the winner's last."""
    return sum(rules.exit_losses - lost for lost in losses) - 1


def opener(named: int | None, rules: QueenAnnesRules, losses: tuple[int, ...]) -> int:
    alive = living(losses, rules)
    if named is not None and named not in alive:
        raise CannotPlay(f"opener: {named} is no living seat; they are {', '.join(map(str, alive))}")
    return alive[0] if named is None else named


def losses_in(state: BatchState, rules: QueenAnnesRules) -> Array:
    """int64 `[n, seats]`: each seat's losses, the last challenge included."""
    found: Array = state.lines.next_losses[:, None] >> LOSS_BITS * np.arange(rules.seats) & (1 << LOSS_BITS) - 1
    return found


def deal_of(
    kept: Trajectory, match: int, number: int, rules: QueenAnnesRules, losses: tuple[int, ...]
) -> QueenAnnesDeal:
    """The deal of a round: the hands that were dealt at once, and the cards that came with the turns."""
    before = list(losses)
    for loser in kept.rounds.losers[match, :number]:
        before[loser] += 1
    deck = kept.deals[match, number, : kept.rounds.dealt[match, number]].tolist()
    return split_deal(deck, [cards_at_once(lost, rules) for lost in before])


def split_deal(deck: list[int], hand_sizes: list[int]) -> QueenAnnesDeal:
    """A deal out of the cards in the order in which they were dealt.

    Args:
        deck: the cards.
        hand_sizes: how many cards each seat was dealt at once; those that are left came with the turns.

    >>> split_deal([3, 9, 51, 0], [2, 0, 1])
    QueenAnnesDeal(hands=((3, 9), (), (51,)), extras=(0,))
    """
    hands, begin = [], 0
    for size in hand_sizes:
        hands.append(tuple(deck[begin : begin + size]))
        begin += size
    return QueenAnnesDeal(tuple(hands), tuple(deck[begin:]))


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
    extra=lambda rules, losses: Extra(np.array(all_wants(rules), np.int64), packed_losses(losses)),
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
    policies=("uniform", "beginner", "binomial", "bluffer"),
    policy=bot_policy,
)
