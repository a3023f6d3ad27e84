"""Thorin's game for the engine, under any of its options.

Each card that comes is a uniform one of those in the stock. Which discards become the next stock, and when, is for
`liarspoker.games.thorin.deal` to say.
"""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple

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
from liarspoker.games.thorin.actions import DISCARD, TAKE, face_down_known, is_discard, is_held, without
from liarspoker.games.thorin.deal import (
    HAND_CARDS,
    Piles,
    ThorinDeal,
    after_drawing,
    after_exchange,
    stock_left,
    whole_deck,
)
from liarspoker.games.thorin.kernel_bots import SUBSTITUTES, bot_policy
from liarspoker.games.thorin.kernel_policies import ANSWERS, Observation, hand_rank, ranks_table
from liarspoker.games.thorin.ladder import ladder_of
from liarspoker.games.thorin.listed import (
    ALL_WORDS,
    NO_VALUE,
    WORD_BITS,
    Ladder,
    floor_of,
    keeps_promise,
)
from liarspoker.games.thorin.notation import read, write
from liarspoker.games.thorin.options import ThorinRules
from liarspoker.games.thorin.state import (
    NOBODY,
    OVER,
    RoundState,
    after,
    holds_hand,
    living_after,
    loser_and_opener,
    opening,
    passes_left,
    spent_by,
)
from liarspoker.games.thorin.state import refusal as refusal_of

MOST_SEATS = 10
MOST_CARDS = JOKER + 2
DISCARDS = 1 << HAND_CARDS
"""How many choices of cards a hand has."""

NO_DISCARD = -1
"""What stands for a seat that has not had to discard in this round."""

NO_ACTION = -4
"""What stands in a column that is no action at all: a discard that another column has already. It is always refused."""

Seats = Annotated[Ints, MOST_SEATS]
Cards = Annotated[Ints, MOST_CARDS]


class Line:
    """A round in its match.

    Attributes:
        claim, claimant, active, challenger, to_act, phase, spent: the fields of `RoundState`.
        alive: mask of the seats that play this round.
        hand: the hand that goes around, as a mask of `liarspoker.core.cards.deck.mask_of`; secret.
        opener: who opened this round.
        next_opener, next_alive: who opens the round after it, and who plays that.
        loser, value: of the last round, who is out, -1 for nobody, and what the hand was worth, -1 if it was not shown.
        drawn, end, discards: the fields of `Piles`.
        taken: the hand as the active seat got it, and
        thrown: what it has discarded of it, a mask too; secret.
        had: the hand of each seat when it last declared in this round, 0 for none; secret.
        last: what each seat has declared last in this round, -1 for nothing.
        discarded: how many cards each seat discarded last in this round, `NO_DISCARD` if it has not had to.
        stock: the cards still to come, in no order; secret.
        pile: the discards, in the order in which they came; secret.
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
    thrown: int
    had: Seats
    last: Seats
    discarded: Seats
    stock: Cards
    pile: Cards


class Round:
    """A round that was played.

    Attributes:
        openers: the seat that drew the first hand.
        claims: the declaration that stood at the end.
        claimants: who made it.
        challengers: who challenged it; -1 if nobody did.
        losers: who is out; -1 where the hand was thrown in.
        values: what the hand was worth, -1 if it was not shown.
        decisions: how many actions the round had.
        drawn: how many cards were drawn, the opening hand among them.
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
    """A round in play: where it stands, mask of the seats that play it, and the hand that goes around."""

    course: RoundState
    alive: int
    hand: int


class Extra(NamedTuple):
    """What stays the same in all matches: the claims, and what hands are worth."""

    ladder: Ladder
    ranks: Ints


class Wide(NamedTuple):
    """Arrays whose size depends on what is kept.

    Attributes:
        cards: int8, the cards drawn in this round, first to last, as far as there is room; secret.
    """

    cards: NDArray[np.int8]


def start(line: Line, chance: Chance, opener: int, rules: ThorinRules, extra: Extra) -> None:
    line.next_opener, line.next_alive = opener, (1 << rules.seats) - 1
    store(line, State(RoundState(NO_CLAIM, NOBODY, NOBODY, NOBODY, NOBODY, OVER, 0), line.next_alive, 0))


def ready(line: Line, rules: ThorinRules, extra: Extra) -> int:
    return WON if is_won(line.next_alive) else READY


def deal(line: Line, wide: Wide, chance: Chance, rules: ThorinRules, extra: Extra) -> State:
    for seat in range(rules.seats):
        line.had[seat], line.last[seat], line.discarded[seat] = 0, NO_CLAIM, NO_DISCARD
    whole = whole_deck(deck_size(rules.jokers))
    for place in range(whole.end):
        line.stock[place] = min(place, JOKER)
    hand = draw(chance, whole, after_drawing(HAND_CARDS, whole), line, wide)
    line.opener, line.taken, line.thrown = line.next_opener, hand, 0
    return State(opening(line.opener, line.spent), line.next_alive, hand)


def draw(chance: Chance, before: Piles, later: Piles, line: Line, wide: Wide) -> int:
    """The cards that are drawn from some piles until they stand otherwise, as a mask."""
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
    course = RoundState(line.claim, line.claimant, line.active, line.challenger, line.to_act, line.phase, line.spent)
    return State(course, line.alive, line.hand)


def store(line: Line, state: State) -> None:
    course = state.course
    line.claim, line.claimant, line.active = course.claim, course.claimant, course.active
    line.challenger, line.to_act, line.phase = course.challenger, course.to_act, course.phase
    line.spent, line.alive, line.hand = course.spent, state.alive, state.hand


def seat_of(state: State) -> int:
    return state.course.to_act


def mover(state: State, action: int) -> int:
    return state.course.to_act


def refusal(state: State, action: int, wide: Wide, rules: ThorinRules, extra: Extra) -> int:
    held = is_discard(action) and is_held(action, state.hand)
    return refusal_of(state.course, action, held, extra.ladder, rules)


def apply(state: State, action: int, line: Line, wide: Wide, chance: Chance, rules: ThorinRules, extra: Extra) -> State:
    hand = state.hand
    if action == TAKE:
        line.taken, line.thrown = hand, 0
    if is_discard(action):
        line.thrown = DISCARD - action
        hand = exchange(chance, without(action, hand), DISCARD - action, line, wide)
    if action >= 0:
        line.had[state.course.to_act] = hand
    return State(after(state.course, action, state.alive, True, extra.ladder), state.alive, hand)


def exchange(chance: Chance, kept: int, thrown: int, line: Line, wide: Wide) -> int:
    """Draw as many cards as were discarded, and put those on the pile; the hand then, a mask as the others."""
    piles = Piles(line.drawn, line.end, line.discards)
    place = piles.discards
    for card in range(JOKER):
        if thrown >> card & 1:
            line.pile[place] = card
            place += 1
    for _ in range(thrown >> JOKER):
        line.pile[place] = JOKER
        place += 1
    return kept + draw(chance, piles, after_exchange(cards_in(thrown), piles), line, wide)


def note(state: State, action: int, line: Line, wide: Wide, rules: ThorinRules) -> None:
    if action >= 0:
        line.last[state.course.to_act] = action
    elif is_discard(action):
        line.discarded[state.course.to_act] = cards_in(DISCARD - action)


def settle(state: State, line: Line, rules: ThorinRules, extra: Extra) -> None:
    course, value, truthful = state.course, NO_VALUE, False
    if course.challenger != NOBODY:
        value = hand_rank(state.hand, extra.ranks)
        truthful = keeps_promise(value, course.claim, rules.by_words, extra.ladder)
    line.loser, line.next_opener = loser_and_opener(course, truthful)
    line.next_alive = living_after(state.alive, line.loser)
    line.value, line.spent = value, course.spent


def winner(line: Line) -> int:
    return next_in(-1, line.next_alive) if is_won(line.next_alive) else NO_WINNER


def observe(
    state: State, line: Line, wide: Wide, seat: int, made: int, moves: Array, rules: ThorinRules, extra: Extra
) -> Observation:
    hand, taken, thrown = (state.hand, line.taken, line.thrown) if holds_hand(seat, state.course) else (0, 0, 0)
    stock, had = stock_left(Piles(line.drawn, line.end, line.discards)), line.had[seat]
    ladder, ranks, course, discards = extra.ladder, extra.ranks, state.course, line.discards
    return Observation(
        rules, ladder, ranks, state.alive, course, hand, had, taken, thrown, stock, discards, made, moves
    )


ROUND = ("declare", "respond", "discard", "worth", "floor", "claimant", "holder", "stock", "discards")
"""Columns of an observation that are the same for every table."""

CLAIM = (*CATEGORIES, *(f"key {place}" for place in range(1, WORD_BITS + 1)))
"""Columns for the standing claim: its category, and the ranks that it names, 1 for a 2; 0 where it names none."""

SEATS = ("living", "passes", "last", "thrown")
"""Columns for every seat, counted from the seat to act, which is 0."""

_HAD = JOKER + 1
_ROUND = 2 * _HAD
_CLAIM = _ROUND + len(ROUND)
_KEYS = _CLAIM + len(CATEGORIES)
_SEATS = _CLAIM + len(CLAIM)
_EACH = len(SEATS)


def feature_names(rules: ThorinRules) -> list[str]:
    """What stands in each column of an observation.

    `has 2c` is 1 where the seat to act has the hand and in it that card, `has Jk` how many jokers are in it; `had` the
    same of the hand when that seat last declared in this round. `worth` is what the hand is worth, where it has it, and
    `floor` what the standing claim promises, both as values of the rules; `claimant` is whose claim that is, -1 for
    nobody's, and `holder` who has the hand, both counted from the seat to act. `stock` and `discards` are numbers of
    cards. `passes 1` is how many passes the next seat has left, `last 1` the value that it has promised last in this
    round, and `thrown 1` how many cards it discarded last in this round, -1 for nothing.

    >>> from liarspoker.games.thorin.options import ThorinOptions, packed
    >>> names = feature_names(packed(ThorinOptions(), seats=2))
    >>> names[0], names[52:54], names[-4:], len(names)
    ('has 2c', ['has Jk', 'had 2c'], ['living 1', 'passes 1', 'last 1', 'thrown 1'], 140)
    """
    return [
        *(f"{when} {card_text(card)}" for when in ("has", "had") for card in range(JOKER + 1)),
        *ROUND,
        *CLAIM,
        *(f"{column} {seat}" for seat in range(rules.seats) for column in SEATS),
    ]


def features(state: State, line: Line, wide: Wide, rules: ThorinRules, extra: Extra, out: NDArray[np.float32]) -> None:
    course, ladder, seats = state.course, extra.ladder, rules.seats
    seat, claim = course.to_act, course.claim
    if holds_hand(seat, course):
        write_cards(state.hand, out, 0)
        out[_ROUND + 3] = hand_rank(state.hand, extra.ranks)
    write_cards(line.had[seat], out, _HAD)
    out[_ROUND + course.phase] = 1.0
    out[_ROUND + 4] = floor_of(claim)
    out[_ROUND + 5] = -1.0
    out[_ROUND + 6] = (course.active - seat) % seats
    out[_ROUND + 7] = stock_left(Piles(line.drawn, line.end, line.discards))
    out[_ROUND + 8] = line.discards
    if claim != NO_CLAIM:
        out[_ROUND + 5] = (course.claimant - seat) % seats
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
        out[column + 1] = passes_left(spent_by(of, course.spent), rules)
        out[column + 2] = -1.0 if line.last[of] == NO_CLAIM else floor_of(line.last[of])
        out[column + 3] = line.discarded[of]


def write_cards(cards: int, out: NDArray[np.float32], first: int) -> None:
    """Write a mask of cards, a column a card, from column `first` on."""
    for card in range(JOKER):
        out[first + card] = cards >> card & 1
    out[first + JOKER] = cards >> JOKER


def claims_in(rules: ThorinRules, extra: Extra) -> int:
    return len(extra.ladder.claims)


def claim_at(column: int, extra: Extra) -> int:
    return extra.ladder.claims[column]


def answer_at(place: int, state: State) -> int:
    """Taking, challenging, passing; then the discards: bit i says whether the hand's i-th lowest card is discarded.

    Jokers come last, and of two the first goes first, so that no discard is there twice: otherwise it is `NO_ACTION`.
    """
    if place < len(ANSWERS):
        return ANSWERS[place]
    thrown, bits = 0, place - len(ANSWERS)
    for card in range(JOKER):
        if state.hand >> card & 1:
            thrown |= (bits & 1) << card
            bits >>= 1
    if bits == 2:
        return NO_ACTION
    return DISCARD - (thrown + (bits + 1 >> 1 << JOKER))


def keep(state: State, line: Line, made: int, result: Any, seats: Ints) -> None:
    course = state.course
    result.openers, result.claims, result.claimants = line.opener, course.claim, course.claimant
    result.challengers, result.losers, result.values = course.challenger, line.loser, line.value
    result.decisions, result.drawn = made, line.drawn
    for seat in range(seats.size):
        seats[seat] = spent_by(seat, line.spent)


def keep_deal(line: Line, wide: Wide, out: NDArray[np.int8]) -> None:
    for place in range(min(line.drawn, out.size)):
        out[place] = wide.cards[place]


def at(wide: Wide, index: int) -> Wide:
    return Wide(wide.cards[index])


# From here on nothing is compiled.


def choice(game: Any, seats: int, options: Any) -> Choice:
    """The table of a session. Where the dealer has the choice, nobody makes use of it."""
    return Choice(game.session(seats, options).setup.rules, ())


def extra(rules: ThorinRules, start: Any) -> Extra:
    ladder = Ladder(*(np.array(each, np.int64) for each in ladder_of(rules)))  # type: ignore[arg-type]  # read alike
    return Extra(ladder, ranks_table(rules.jokers, bool(rules.double_any)))


def most_moves(rules: ThorinRules) -> int:
    """For each value a claim, a hand taken and cards discarded; and all passes."""
    return 3 * len(ladder_of(rules).keys) + rules.seats * rules.passes


def most_rounds(rules: ThorinRules, start: Any) -> int:
    """One for each player who drops out, and one for each pass."""
    return rules.seats - 1 + rules.seats * rules.passes


def deal_of(kept: Trajectory, match: int, number: int, rules: ThorinRules, start: Any) -> ThorinDeal:
    return ThorinDeal(tuple(kept.deals[match, number, : kept.rounds.drawn[match, number]].tolist()))


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
    policies=("uniform", "beginner", "binomial", "bluffer"),
    policy=bot_policy,
    substitutes=SUBSTITUTES,
)
