"""Kernel of Thorin's game for the engine, with all options.

Each card is drawn uniformly from the stock. `liarspoker.games.thorin.deal` determines when discards are shuffled in.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from liarspoker.core.cards.claims import NO_CLAIM
from liarspoker.core.cards.deck import JOKER, card_text, cards_in, deck_size
from liarspoker.core.cards.hand_values import CATEGORIES
from liarspoker.core.cards.match import is_won, next_in
from liarspoker.engine.chance import Chance, below
from liarspoker.engine.kernel import (
    NO_WINNER,
    READY,
    WON,
    Array,
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
from liarspoker.games.thorin.actions import DISCARD, TAKE, face_down_known, is_discard, is_held, without
from liarspoker.games.thorin.claim_table import (
    ALL_WORDS,
    NO_VALUE,
    WORD_BITS,
    Ladder,
    floor_of,
    keeps_promise,
)
from liarspoker.games.thorin.deal import (
    HAND_CARDS,
    Piles,
    ThorinDeal,
    after_drawing,
    after_exchange,
    stock_left,
    whole_deck,
)
from liarspoker.games.thorin.kernel_bots import SUBSTITUTES, bot_policy, constants
from liarspoker.games.thorin.kernel_policies import ANSWERS, Observation, hand_rank, ranks_table
from liarspoker.games.thorin.ladder import ladder_of
from liarspoker.games.thorin.network_bot import NETWORK_BOTS
from liarspoker.games.thorin.notation import read, write
from liarspoker.games.thorin.options import ThorinRules
from liarspoker.games.thorin.state import (
    NOBODY,
    OVER,
    RoundState,
    after,
    alive_after,
    holds_hand,
    loser_and_opener,
    opening,
    passes_left,
    spent_by,
)
from liarspoker.games.thorin.state import refusal as refusal_of

if TYPE_CHECKING:
    from liarspoker.engine.lineup import Policy

MOST_SEATS = 10
MOST_CARDS = JOKER + 2
DISCARDS = 1 << HAND_CARDS
"""Number of subsets of a hand."""

NO_DISCARD = -1
"""Marks a seat that hasn't discarded in this round."""

NO_ACTION = -4
"""Marks a column without an action, where another column has the same discard; it is always illegal."""

Seats = Annotated[Ints, MOST_SEATS]
Cards = Annotated[Ints, MOST_CARDS]


class Line:
    """A match and its current round.

    Attributes:
        claim, claimant, active, challenger, to_act, phase, spent: the fields of `RoundState`.
        alive: mask of the seats that play this round.
        hand: the hand, as a mask of `liarspoker.core.cards.deck.mask_of`; secret.
        opener: the opener of this round.
        next_opener, next_alive: the opener and the seats of the next round.
        loser, value: the seat eliminated in the last round, -1 for none, and the hand rank, -1 if it wasn't shown.
        drawn, end, discards: the fields of `Piles`.
        taken: mask of the hand as the active seat got it; secret.
        discarded: mask of the cards that it has discarded; secret.
        had: the hand of each seat at its last declaration in this round, 0 for none; secret.
        last: each seat's last declaration in this round, -1 for none.
        discard_counts: size of each seat's last discard in this round, or `NO_DISCARD`.
        stock: the cards of the stock, unordered; secret.
        pile: the discards in order; secret.
    """

    claim: int
    claimant: int
    active: int
    challenger: int
    to_act: int
    phase: int
    spent: int
    alive: int
    hand: int
    opener: int
    next_opener: int
    next_alive: int
    loser: int
    value: int
    drawn: int
    end: int
    discards: int
    taken: int
    discarded: int
    had: Seats
    last: Seats
    discard_counts: Seats
    stock: Cards
    pile: Cards


class Round:
    """A finished round.

    Attributes:
        openers: the seat that drew the first hand.
        claims: the last declaration.
        claimants: who made it.
        challengers: who challenged it; -1 if no one did.
        losers: who is out; -1 if all others passed.
        values: the hand rank, -1 if the hand wasn't shown.
        decisions: number of actions.
        drawn: number of cards drawn, including the opening hand.
    """

    openers: Small
    claims: Small
    claimants: Small
    challengers: Small
    losers: Small
    values: Small
    decisions: Small
    drawn: Small


class State(NamedTuple):
    """The state of a round in progress, a mask of its seats, and the hand."""

    round_state: RoundState
    alive: int
    hand: int


class Extra(NamedTuple):
    """Constants of a table: the claims, and the table of hand ranks."""

    ladder: Ladder
    ranks: Ints


class Wide(NamedTuple):
    """Arrays whose size depends on the rollout.

    Attributes:
        cards: int8, the cards drawn in this round in order, as far as they fit; secret.
    """

    cards: NDArray[np.int8]


def start(line: Line, chance: Chance, opener: int, rules: ThorinRules, extra: Extra) -> None:
    line.next_opener, line.next_alive = opener, (1 << rules.seats) - 1
    store(line, State(RoundState(NO_CLAIM, NOBODY, NOBODY, NOBODY, NOBODY, OVER, 0), line.next_alive, 0))


def ready(line: Line, rules: ThorinRules, extra: Extra) -> int:
    return WON if is_won(line.next_alive) else READY


def deal(line: Line, wide: Wide, chance: Chance, rules: ThorinRules, extra: Extra) -> State:
    for seat in range(rules.seats):
        line.had[seat], line.last[seat], line.discard_counts[seat] = 0, NO_CLAIM, NO_DISCARD
    whole = whole_deck(deck_size(rules.jokers))
    for place in range(whole.end):
        line.stock[place] = min(place, JOKER)
    hand = draw(chance, whole, after_drawing(HAND_CARDS, whole), line, wide)
    line.opener, line.taken, line.discarded = line.next_opener, hand, 0
    return State(opening(line.opener, line.spent), line.next_alive, hand)


def draw(chance: Chance, before: Piles, later: Piles, line: Line, wide: Wide) -> int:
    """Draw cards until the piles `later` are reached, and return them as a mask."""
    cards = 0
    end = before.end
    for number in range(before.drawn, later.drawn):
        if number == end:
            count = later.end - end
            for place in range(count):
                line.stock[place] = line.pile[place]
            for place in range(later.discards):
                line.pile[place] = line.pile[count + place]
            end = later.end
        last = end - number - 1
        place = below(chance, last + 1)
        card = line.stock[place]
        line.stock[place] = line.stock[last]
        if number < wide.cards.size:
            wide.cards[number] = card
        cards += 1 << card
    line.drawn, line.end, line.discards = later
    return cards


def load(line: Line) -> State:
    round_state = RoundState(
        line.claim, line.claimant, line.active, line.challenger, line.to_act, line.phase, line.spent
    )
    return State(round_state, line.alive, line.hand)


def store(line: Line, state: State) -> None:
    round_state = state.round_state
    line.claim, line.claimant, line.active = round_state.claim, round_state.claimant, round_state.active
    line.challenger, line.to_act, line.phase = round_state.challenger, round_state.to_act, round_state.phase
    line.spent, line.alive, line.hand = round_state.spent, state.alive, state.hand


def seat_of(state: State) -> int:
    return state.round_state.to_act


def mover(state: State, action: int) -> int:
    return state.round_state.to_act


def refusal(state: State, action: int, wide: Wide, rules: ThorinRules, extra: Extra) -> int:
    held = is_discard(action) and is_held(action, state.hand)
    return refusal_of(state.round_state, action, held, extra.ladder, rules)


def apply(state: State, action: int, line: Line, wide: Wide, chance: Chance, rules: ThorinRules, extra: Extra) -> State:
    hand = state.hand
    if action == TAKE:
        line.taken, line.discarded = hand, 0
    if is_discard(action):
        line.discarded = DISCARD - action
        hand = exchange(chance, without(action, hand), DISCARD - action, line, wide)
    if action >= 0:
        line.had[state.round_state.to_act] = hand
    return State(after(state.round_state, action, state.alive, True, extra.ladder), state.alive, hand)


def exchange(chance: Chance, kept: int, discarded: int, line: Line, wide: Wide) -> int:
    """Put the discards on the pile, draw as many cards, and return the new hand as a mask."""
    piles = Piles(line.drawn, line.end, line.discards)
    place = piles.discards
    for card in range(JOKER):
        if discarded >> card & 1:
            line.pile[place] = card
            place += 1
    for _ in range(discarded >> JOKER):
        line.pile[place] = JOKER
        place += 1
    return kept + draw(chance, piles, after_exchange(cards_in(discarded), piles), line, wide)


def note(state: State, action: int, line: Line, wide: Wide, rules: ThorinRules) -> None:
    if action >= 0:
        line.last[state.round_state.to_act] = action
    elif is_discard(action):
        line.discard_counts[state.round_state.to_act] = cards_in(DISCARD - action)


def settle(state: State, line: Line, rules: ThorinRules, extra: Extra) -> None:
    round_state, value, truthful = state.round_state, NO_VALUE, False
    if round_state.challenger != NOBODY:
        value = hand_rank(state.hand, extra.ranks)
        truthful = keeps_promise(value, round_state.claim, rules.by_words, extra.ladder)
    line.loser, line.next_opener = loser_and_opener(round_state, truthful)
    line.next_alive = alive_after(state.alive, line.loser)
    line.value, line.spent = value, round_state.spent


def winner(line: Line) -> int:
    return next_in(-1, line.next_alive) if is_won(line.next_alive) else NO_WINNER


def observe(
    state: State, line: Line, wide: Wide, seat: int, made: int, moves: Array, rules: ThorinRules, extra: Extra
) -> Observation:
    hand, taken, discarded = (
        (state.hand, line.taken, line.discarded) if holds_hand(seat, state.round_state) else (0, 0, 0)
    )
    stock, had = stock_left(Piles(line.drawn, line.end, line.discards)), line.had[seat]
    ladder, ranks, round_state, discards = extra.ladder, extra.ranks, state.round_state, line.discards
    return Observation(
        rules, ladder, ranks, state.alive, round_state, hand, had, taken, discarded, stock, discards, made, moves
    )


ROUND = ("declare", "respond", "discard", "hand rank", "floor", "claimant", "holder", "stock", "discards")
"""Columns of an observation that every table has."""

CLAIM = (*CATEGORIES, *(f"key {place}" for place in range(1, WORD_BITS + 1)))
"""Columns for the last claim: its category, and the ranks that it names plus one; 0 for open ranks."""

SEATS = ("alive", "passes", "last", "discarded")
"""Columns for each seat, counted clockwise from the seat to act, which is 0."""

_HAD = JOKER + 1
_ROUND = 2 * _HAD
_CLAIM = _ROUND + len(ROUND)
_KEYS = _CLAIM + len(CATEGORIES)
_SEATS = _CLAIM + len(CLAIM)
_EACH = len(SEATS)


def feature_names(rules: ThorinRules) -> list[str]:
    """Return the names of the columns of an observation.

    `has 2c` is 1 if the seat to act has the hand with that card, `has Jk` is the number of jokers in it; `had` is the
    same for the hand at the seat's last declaration in this round. `hand rank` is the rank of the hand, if the seat has
    it, and `floor` the hand rank that the last claim promises. `claimant` is the seat of that claim, -1 for none, and
    `holder` the seat that has the hand, both counted from the seat to act. `stock` and `discards` are numbers of cards.
    `alive 1` is 1 if the next seat is still in, `passes 1` is the number of passes it has left, `last 1` the hand rank
    that it promised last in this round, and `discarded 1` the size of its last discard in this round, -1 for none.

    >>> from liarspoker.games.thorin.options import ThorinOptions, packed
    >>> names = feature_names(packed(ThorinOptions(), seats=2))
    >>> names[0], names[52:54], names[-4:], len(names)
    ('has 2c', ['has Jk', 'had 2c'], ['alive 1', 'passes 1', 'last 1', 'discarded 1'], 140)
    """
    return [
        *(f"{when} {card_text(card)}" for when in ("has", "had") for card in range(JOKER + 1)),
        *ROUND,
        *CLAIM,
        *(f"{column} {seat}" for seat in range(rules.seats) for column in SEATS),
    ]


def features(state: State, line: Line, wide: Wide, rules: ThorinRules, extra: Extra, out: NDArray[np.float32]) -> None:
    round_state, ladder, seats = state.round_state, extra.ladder, rules.seats
    seat, claim = round_state.to_act, round_state.claim
    if holds_hand(seat, round_state):
        write_cards(state.hand, out, 0)
        out[_ROUND + 3] = hand_rank(state.hand, extra.ranks)
    write_cards(line.had[seat], out, _HAD)
    out[_ROUND + round_state.phase] = 1.0
    out[_ROUND + 4] = floor_of(claim)
    out[_ROUND + 5] = -1.0
    out[_ROUND + 6] = (round_state.active - seat) % seats
    out[_ROUND + 7] = stock_left(Piles(line.drawn, line.end, line.discards))
    out[_ROUND + 8] = line.discards
    if claim != NO_CLAIM:
        out[_ROUND + 5] = (round_state.claimant - seat) % seats
        out[_CLAIM + ladder.categories[floor_of(claim)]] = 1.0
        keys = ladder.keys[floor_of(claim)]
        for place in range(WORD_BITS):
            bit = WORD_BITS - 1 - place
            if (claim & ALL_WORDS) >> bit & 1:
                out[_KEYS + place] = keys >> 4 * bit & 15
    for other in range(seats):
        of = (seat + other) % seats
        column = _SEATS + _EACH * other
        out[column] = state.alive >> of & 1
        out[column + 1] = passes_left(spent_by(of, round_state.spent), rules)
        out[column + 2] = -1.0 if line.last[of] == NO_CLAIM else floor_of(line.last[of])
        out[column + 3] = line.discard_counts[of]


def write_cards(cards: int, out: NDArray[np.float32], first: int) -> None:
    """Write a mask of cards, one column per card, from column `first` on."""
    for card in range(JOKER):
        out[first + card] = cards >> card & 1
    out[first + JOKER] = cards >> JOKER


def claims_in(rules: ThorinRules, extra: Extra) -> int:
    return len(extra.ladder.claims)


def claim_at(column: int, extra: Extra) -> int:
    return extra.ladder.claims[column]


def answer_at(place: int, state: State) -> int:
    """Return take, challenge and pass, then the discards: bit i is set if the i-th lowest card is discarded.

    Jokers come last. Of two jokers, the first is discarded first, so that discards are unique; duplicates are
    `NO_ACTION`.
    """
    if place < len(ANSWERS):
        return ANSWERS[place]
    discarded, bits = 0, place - len(ANSWERS)
    for card in range(JOKER):
        if state.hand >> card & 1:
            discarded |= (bits & 1) << card
            bits >>= 1
    if bits == 2:
        return NO_ACTION
    return DISCARD - (discarded + (bits + 1 >> 1 << JOKER))


def keep(state: State, line: Line, made: int, result: Any, seats: Ints) -> None:
    round_state = state.round_state
    result.openers, result.claims, result.claimants = line.opener, round_state.claim, round_state.claimant
    result.challengers, result.losers, result.values = round_state.challenger, line.loser, line.value
    result.decisions, result.drawn = made, line.drawn
    for seat in range(seats.size):
        seats[seat] = spent_by(seat, line.spent)


def keep_deal(line: Line, wide: Wide, out: NDArray[np.int8]) -> None:
    for place in range(min(line.drawn, out.size)):
        out[place] = wide.cards[place]


def at(wide: Wide, index: int) -> Wide:
    return Wide(wide.cards[index])


# Nothing below is compiled.


def choice(game: Any, seats: int, options: Any) -> Choice:
    """Return the table of a session, with the default options under `dealers_choice`."""
    return Choice(game.session(seats, options).setup.rules, ())


def extra(rules: ThorinRules, start: Any) -> Extra:
    ladder, _example_hands = constants(rules)
    return Extra(ladder, ranks_table(rules.jokers, bool(rules.double_any)))


def most_moves(rules: ThorinRules) -> int:
    """Return a bound: a claim, a take and a discard for each hand rank, and all passes."""
    return 3 * len(ladder_of(rules).keys) + rules.seats * rules.passes


def most_rounds(rules: ThorinRules, start: Any) -> int:
    """Return a bound: one round for each eliminated player, and one for each pass."""
    return rules.seats - 1 + rules.seats * rules.passes


def deal_of(kept: Trajectory, match: int, number: int, rules: ThorinRules, start: Any) -> ThorinDeal:
    return ThorinDeal(tuple(kept.deals[match, number, : kept.rounds.drawn[match, number]].tolist()))


def policy(name: str, rules: ThorinRules) -> Policy:
    """Return the policy of a bot, by its name or `net:` and the file of its network."""
    return policy_of(name, rules, NETWORK_BOTS, networks, bot_policy)


def networks() -> Inputs:
    """Return how networks see this game."""
    from liarspoker.games.thorin.kernel_network import INPUTS

    return INPUTS


KERNEL = Kernel(
    begin=Begin(start, ready, deal, load, store),
    play=Play(seat_of, mover, refusal, apply, settle, winner),
    show=Show(observe, features, note, keep, keep_deal, face_down_known),
    number=Number(claims_in, claim_at, answer_at, at),
    family="thorin",
    kind="game in which one hand goes around",
    line=Line,
    round=Round,
    starts=(),
    choice=choice,
    extra=extra,
    wide=lambda number, kept, rules, start: Wide(np.zeros((number, kept), np.int8)),
    actions=lambda rules: len(ladder_of(rules).claims) + len(ANSWERS) + DISCARDS,
    most_moves=most_moves,
    most_rounds=most_rounds,
    opener=opening_seat,
    feature_names=feature_names,
    deal_width=lambda asked, rules: asked,
    deal_type=np.int8,
    move_type=np.int64,
    batch={
        "losers": column("loser"),
        "values": column("value"),
        "alive": seat_mask("next_alive"),
        "hands": column("hand"),
        "drawn": column("drawn"),
        "cards": lambda state, rules: state.wide.cards.copy(),
    },
    rollout={"spent": lambda kept: kept.seats[:, 0], "cards": lambda kept: kept.deals},
    units=match_units,
    read=lambda text, line, rules: read(text, int(line.phase), rules),
    write=lambda action, rules: write(action),
    deal_of=deal_of,
    policies=("uniform", "beginner", "binomial", "bluffer", *NETWORK_BOTS),
    policy=policy,
    networks=networks,
    substitutes=SUBSTITUTES,
)
