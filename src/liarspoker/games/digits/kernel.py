"""The engine kernel of the digit games.

A number is one int with four bits per digit, first digit lowest. Counts are packed as in
`liarspoker.games.digits.hands`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from liarspoker.engine.chance import BITS, Chance, below, drawn
from liarspoker.engine.errors import CannotPlay
from liarspoker.engine.kernel import (
    NO_WINNER,
    OUTGROWN,
    READY,
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
    opening_seat,
    seat_column,
)
from liarspoker.engine.lineup import Policy
from liarspoker.games.digits.auction import NOBODY, OVER, Auction, after, opening
from liarspoker.games.digits.auction import refusal as plain_refusal
from liarspoker.games.digits.deal import LETTER_PAIRS, DigitDeal
from liarspoker.games.digits.hands import HANDS_PER_SLIP, ROWS, begins_slip, count_of, played_after, row_of_hand
from liarspoker.games.digits.kernel_policies import Observation, refusal_of
from liarspoker.games.digits.ladder import NO_CLAIM, digit_of, ladder_length, level_of, rank_of
from liarspoker.games.digits.network_bot import NETWORK_BOTS
from liarspoker.games.digits.notation import read, write
from liarspoker.games.digits.options import Rules
from liarspoker.games.digits.settlement import OUTCOMES, base_stake, next_opener, next_stake, payoff, stake_of_hand
from liarspoker.games.digits.settlement import settle as settled

if TYPE_CHECKING:
    from liarspoker.engine.networks import Inputs

MOST_SEATS = 16
"""The most players."""
MOST_STAKE = 1 << 40
"""The highest stake that the engine supports, in units."""

MOST_ACTIONS = 1 << 16
"""The most actions of a hand that are stored if the ladder isn't capped."""

Seats = Annotated[Ints, MOST_SEATS]
"""int64 `[MOST_SEATS]`, a value per seat."""
_BELOW = (1 << BITS) - 1


class Line:
    """The state of a session and of its current hand.

    Attributes:
        hand: the hand's number in the session, from 0; between hands, that of the next one.
        opener: the seat that opens the next hand.
        first: the seat that opened this hand.
        carried: the stake carried from the previous hand.
        row: the slip row of the previous hand; -1 for none.
        played: mask of the rows played on that slip.
        odd: how many of the previous hand's numbers end in an odd digit.
        now: the slip row of this hand; -1 without slips.
        undoubled: the stake of this hand before the doubling of a tenth hand.
        stake: the stake of this hand.
        claim, bidder, is_rebid, challenges, to_act, phase: the fields of `liarspoker.games.digits.auction.Auction`.
        own: how many of the final bid's digit the bidder held in the hand counted last.
        total: how many all players held.
        outcome: its outcome, an index of `liarspoker.games.digits.settlement.OUTCOMES`.
        multiplier: stakes paid to or by each opponent.
        numbers: each seat's number; secret.
        counts: each seat's packed counts; secret.
        payoffs: units won by each seat in the last hand.
        scores: units won by each seat in the session.
    """

    hand: int
    opener: int
    first: int
    carried: int
    row: int
    played: int
    odd: int
    now: int
    undoubled: int
    stake: int
    claim: int
    bidder: int
    is_rebid: int
    challenges: int
    to_act: int
    phase: int
    own: int
    total: int
    outcome: int
    multiplier: int
    numbers: Seats
    counts: Seats
    payoffs: Seats
    scores: Seats


class Round:
    """The record of a finished hand.

    Attributes:
        stakes: the stake in units, 1 to 2**40.
        openers: the seat that opened.
        rows: the row of the slip, 0 to 14; -1 where bills are dealt.
        claims: the bid that was counted.
        bidders: the seat that made it.
        owns: how many of its digit that seat held.
        totals: how many of it all players held.
        outcomes: indices of `liarspoker.games.digits.settlement.OUTCOMES`: failed, made, hero, none.
        multipliers: stakes paid to or by each opponent.
        decisions: the number of actions in the hand.
    """

    stakes: int
    openers: Small
    rows: Small
    claims: Small
    bidders: Small
    owns: Small
    totals: Small
    outcomes: Small
    multipliers: Small
    decisions: Small


class Source(NamedTuple):
    """How hands are dealt.

    Attributes:
        alphabet: the digits in play, packed by `alphabet_of`.
        from_slips: 1 if hands are dealt from slips.
        letter_pairs: the number of letter pairs, if letters choose the first opener; else 0.
        redraw: 1 if letters are drawn again when the lowest pair isn't unique.
    """

    alphabet: int
    from_slips: int
    letter_pairs: int
    redraw: int


class Wide(NamedTuple):
    """Arrays whose shape depends on the table.

    Attributes:
        slips: int64 `[15, seats]`, each seat's slip, or `[0, 0]` where bills are dealt; secret.
        bids: bool `[ladder_length]` with `loose_order`, else `[0]`: the bids made in this hand.
        levels: int32 `[seats, symbols]`, the highest level of each digit that each seat has bid in this hand.
    """

    slips: Ints
    bids: NDArray[np.bool_]
    levels: NDArray[np.int32]


def start(line: Line, chance: Chance, opener: int, rules: Rules, source: Source) -> None:
    """Begin a session; for letters, draw the first opener."""
    line.hand, line.opener, line.carried, line.row, line.played, line.odd = 0, opener, 1, -1, 0, 0
    if source.letter_pairs:
        line.opener = lowest_pair(chance, rules.seats, source)
    for seat in range(rules.seats):
        line.scores[seat] = 0
    store(line, Auction(NO_CLAIM, NOBODY, 0, 0, NOBODY, OVER))


def lowest_pair(chance: Chance, seats: int, source: Source) -> int:
    """Draw letters and return the seat with the lowest; ties go to the lower seat or are drawn again."""
    while True:
        lowest, seat, tied = source.letter_pairs, 0, False
        for other in range(seats):
            pair = below(chance, source.letter_pairs)
            if pair < lowest:
                lowest, seat, tied = pair, other, False
            elif pair == lowest:
                tied = True
        if not (tied and source.redraw):
            return seat


def ready(line: Line, rules: Rules, source: Source) -> int:
    """Return whether the next hand can be dealt: `READY`, or `OUTGROWN` if its stake is too large."""
    stake = stake_of_hand(line.hand, base_stake(line.hand, line.carried, rules), rules)
    return OUTGROWN if stake > MOST_STAKE else READY


def deal(line: Line, wide: Wide, chance: Chance, rules: Rules, source: Source) -> Auction:
    """Deal the next hand and return its auction."""
    if source.from_slips and begins_slip(line.hand):
        for seat in range(rules.seats):
            for row in range(ROWS):
                wide.slips[row, seat] = dealt_number(chance, source.alphabet, rules)
    line.now = row_of_hand(line.hand, line.row, line.played, line.odd) if source.from_slips else -1
    line.undoubled = base_stake(line.hand, line.carried, rules)
    line.stake = stake_of_hand(line.hand, line.undoubled, rules)
    for seat in range(rules.seats):
        number = wide.slips[line.now, seat] if source.from_slips else dealt_number(chance, source.alphabet, rules)
        line.numbers[seat] = number
        line.counts[seat] = counts_in(number, rules)
    for claim in range(wide.bids.size):
        wide.bids[claim] = False
    for seat in range(wide.levels.shape[0]):
        for rank in range(wide.levels.shape[1]):
            wide.levels[seat, rank] = 0
    line.first = line.opener
    return opening(line.opener)


def dealt_number(chance: Chance, alphabet: int, rules: Rules) -> int:
    """Draw a number of `hand_size` digits in play, exactly uniformly.

    All digits come from one draw, taken as a fraction: multiplying it by the number of digits in play gives a digit
    and the fraction for the next one. As in `liarspoker.engine.chance.below`, draws that would bias the result are
    rejected.
    """
    while True:
        left = drawn(chance)
        number = 0
        ways = 1
        for place in range(rules.hand_size):
            left = left * rules.symbols
            number |= (alphabet >> 4 * (left >> BITS) & 15) << 4 * place
            left &= _BELOW
            ways *= rules.symbols
        if left >= ways or left >= (1 << BITS) % ways:
            return number


def counts_in(number: int, rules: Rules) -> int:
    """Return the packed counts of the digits in a number."""
    counts = 0
    for place in range(rules.hand_size):
        counts += 1 << 4 * (number >> 4 * place & 15)
    return counts


def last_is_odd(number: int, rules: Rules) -> bool:
    """Return whether the number's last digit is odd."""
    return (number >> 4 * (rules.hand_size - 1) & 1) == 1


def load(line: Line) -> Auction:
    """Return the auction stored in a line."""
    return Auction(line.claim, line.bidder, line.is_rebid, line.challenges, line.to_act, line.phase)


def store(line: Line, auction: Auction) -> None:
    """Store an auction in a line."""
    line.claim, line.bidder, line.is_rebid = auction.claim, auction.bidder, auction.is_rebid
    line.challenges, line.to_act, line.phase = auction.challenges, auction.to_act, auction.phase


def seat_of(auction: Auction) -> int:
    """Return the seat to act."""
    return auction.to_act


def mover(auction: Auction, action: int) -> int:
    """Return the seat that makes an action."""
    return auction.to_act


def refusal(auction: Auction, action: int, wide: Wide, rules: Rules, source: Source) -> int:
    """Return `LEGAL` (0) or the refusal code of an action."""
    return refusal_of(auction, action, wide.bids, rules) if rules.loose else plain_refusal(auction, action, rules)


def apply(
    auction: Auction, action: int, line: Line, wide: Wide, chance: Chance, rules: Rules, source: Source
) -> Auction:
    """Return the auction after a legal action."""
    if 0 <= action < wide.bids.size:
        wide.bids[action] = True
    return after(auction, action, rules)


def note(auction: Auction, action: int, line: Line, wide: Wide, rules: Rules) -> None:
    """Update the highest level of each digit that the seat to act has bid."""
    if action >= 0:
        levels, rank = wide.levels[auction.to_act], rank_of(digit_of(action, rules), rules)
        levels[rank] = max(level_of(action, rules), levels[rank])


def settle(auction: Auction, line: Line, rules: Rules, source: Source) -> None:
    """Count the final bid, pay, and prepare the next hand."""
    digit, total, odd = digit_of(auction.claim, rules), 0, 0
    for seat in range(rules.seats):
        total += count_of(line.counts[seat], digit)
    own = count_of(line.counts[auction.bidder], digit)
    found = settled(auction.claim, own, total, rules)
    for seat in range(rules.seats):
        units = payoff(seat, auction.bidder, found, line.stake, rules)
        line.payoffs[seat] = units
        line.scores[seat] += units
    line.own, line.total, line.outcome, line.multiplier = own, total, found.outcome, found.multiplier
    if source.from_slips:
        line.played = played_after(line.hand, line.now, line.played)
        for seat in range(rules.seats):
            odd += last_is_odd(line.numbers[seat], rules)
    line.odd, line.row = odd, line.now
    line.opener = next_opener(line.opener, auction.bidder, found.outcome, rules)
    line.carried = next_stake(found.bid_multiplier, own, line.undoubled, rules)
    line.hand += 1


def winner(line: Line) -> int:
    """Return `NO_WINNER`: a digit game has none."""
    return NO_WINNER


def observe(
    auction: Auction, line: Line, wide: Wide, seat: int, made: int, moves: Array, rules: Rules, source: Source
) -> Observation:
    """Return the observation of a seat."""
    number, counts = line.numbers[seat], line.counts[seat]
    return Observation(rules, auction, number, counts, line.hand, line.stake, made, moves, wide.bids)


STANDING = ("open", "respond", "decide", "challenges", "is rebid", "bidder", "stake", "hand of ten")
"""Feature columns that are the same for every table."""


def feature_names(rules: Rules) -> list[str]:
    """Return the names of the feature columns; `bid 7 by 1` is the next player's highest level of sevens.

    >>> from liarspoker.games.digits.options import DigitOptions, packed
    >>> names = feature_names(packed(DigitOptions(symbols=2), seats=2))
    >>> names[:5]
    ['own 1', 'own 2', 'level', 'standing 1', 'standing 2']
    >>> names[5:13] == list(STANDING), names[13:]
    (True, ['bid 1 by 0', 'bid 2 by 0', 'bid 1 by 1', 'bid 2 by 1'])
    """
    digits = [digit_of(rank, rules) for rank in range(rules.symbols)]
    return [
        *(f"own {digit}" for digit in digits),
        "level",
        *(f"standing {digit}" for digit in digits),
        *STANDING,
        *(f"bid {digit} by {other}" for other in range(rules.seats) for digit in digits),
    ]


def features(auction: Auction, line: Line, wide: Wide, rules: Rules, source: Source, out: NDArray[np.float32]) -> None:
    """Write the features of the seat to act; see `feature_names`."""
    symbols, seats, seat = rules.symbols, rules.seats, auction.to_act
    standing = symbols + 1
    rest = standing + symbols
    for rank in range(symbols):
        out[rank] = count_of(line.counts[seat], digit_of(rank, rules))
    out[rest + 5] = -1.0
    if auction.claim != NO_CLAIM:
        out[symbols] = level_of(auction.claim, rules)
        out[standing + rank_of(digit_of(auction.claim, rules), rules)] = 1.0
        out[rest + 5] = (auction.bidder - seat) % seats
    out[rest + auction.phase] = 1.0
    out[rest + 3] = auction.challenges
    out[rest + 4] = auction.is_rebid
    out[rest + 6] = line.stake
    out[rest + 7] = line.hand % HANDS_PER_SLIP
    for other in range(seats):
        by = (seat + other) % seats
        for rank in range(symbols):
            out[rest + 8 + other * symbols + rank] = wide.levels[by, rank]


def claims_in(rules: Rules, source: Source) -> int:
    """Return the number of claims."""
    return ladder_length(rules)


def claim_at(column: int, source: Source) -> int:
    """Return the claim with an index."""
    return column


def answer_at(place: int, auction: Auction) -> int:
    """Return the answer with an index: 0 is the challenge, 1 the count."""
    return -1 - place


def keep(auction: Auction, line: Line, made: int, result: Any, seats: Ints) -> None:
    """Write a finished hand into its record."""
    result.stakes, result.openers, result.rows = line.stake, line.first, line.row
    result.claims, result.bidders, result.owns, result.totals = auction.claim, auction.bidder, line.own, line.total
    result.outcomes, result.multipliers, result.decisions = line.outcome, line.multiplier, made
    for seat in range(seats.size):
        seats[seat] = line.payoffs[seat]


def keep_deal(line: Line, wide: Wide, out: Ints) -> None:
    """Write the numbers of a hand."""
    for seat in range(out.size):
        out[seat] = line.numbers[seat]


def at(wide: Wide, index: int) -> Wide:
    """Return the arrays of one table of a batch."""
    return Wide(wide.slips[index], wide.bids[index], wide.levels[index])


# The functions below aren't compiled.


def alphabet_of(rules: Rules) -> int:
    """Return the digits in play packed four bits each, lowest rank first, as `dealt_number` needs them."""
    alphabet = 0
    for rank in range(rules.symbols):
        alphabet |= digit_of(rank, rules) << 4 * rank
    return alphabet


def number_text(number: int, rules: Rules) -> str:
    """Return a number as text, first digit first.

    >>> from liarspoker.games.digits.options import DigitOptions, packed
    >>> number_text(0x88024760, packed(DigitOptions(), seats=2))
    '06742088'
    """
    return "".join(str(int(number) >> 4 * place & 15) for place in range(rules.hand_size))


def choice(game: Any, seats: int, options: Any, from_slips: bool | None = None, letters: bool = False) -> Choice:
    """Return the kernel's parameters for a table; see `liarspoker.engine.table.Table.of` for the arguments.

    Raises:
        CannotPlay: `loose_order` is on and `cap_level` is off.
    """
    session = game.session(seats, options, from_slips)
    rules: Rules = session.setup.rules
    if rules.loose and not rules.capped:
        raise CannotPlay("loose_order without cap_level: the bids have cycles and no end")
    pairs = LETTER_PAIRS if letters and session.chance_spec().letters else 0
    redraw = session.setup.options.first_opener_tie == "redraw"
    return Choice(rules, Source(alphabet_of(rules), int(session.setup.from_slips), pairs, int(redraw)))


def wide(number: int, kept: int, rules: Rules, source: Source) -> Wide:
    """Return the arrays of a batch of tables."""
    return Wide(
        np.zeros((number, ROWS, rules.seats) if source.from_slips else (number, 0, 0), np.int64),
        np.zeros((number, ladder_length(rules) if rules.loose else 0), np.bool_),
        np.zeros((number, rules.seats, rules.symbols), np.int32),
    )


def actions(rules: Rules) -> int:
    """Return the number of actions: the bids, challenge and count."""
    if not rules.capped:
        raise CannotPlay("cap_level = false: without a cap, the number of actions is infinite")
    return ladder_length(rules) + 2


def most_moves(rules: Rules) -> int:
    """Return the most moves of a hand: every bid is made and challenged by all others."""
    return ladder_length(rules) * rules.seats + 2 if rules.capped else MOST_ACTIONS


def deal_of(kept: Trajectory, match: int, number: int, rules: Rules, source: Source) -> DigitDeal:
    """Return the deal of a hand; slip rows that were not played are filled with ones."""
    if not source.from_slips:
        return DigitDeal(numbers=tuple(number_text(each, rules) for each in kept.deals[match, number]))
    if not begins_slip(number):
        return DigitDeal()
    columns = [["1" * rules.hand_size] * ROWS for _ in range(rules.seats)]
    for later in range(number, min(number + HANDS_PER_SLIP, kept.rounds.shape[1])):
        for seat, each in enumerate(kept.deals[match, later]):
            columns[seat][kept.rounds.rows[match, later]] = number_text(each, rules)
    return DigitDeal(slips=tuple(map(tuple, columns)))


def policy(name: str, rules: Rules) -> Policy:
    """Return the policy of a bot by name."""
    from liarspoker.games.digits.kernel_bots import bot_policy

    return bot_policy(name, rules)


def networks() -> Inputs:
    """Return how networks see these games."""
    from liarspoker.games.digits.kernel_network import INPUTS

    return INPUTS


KERNEL = Kernel(
    begin=Begin(start, ready, deal, load, store),
    play=Play(seat_of, mover, refusal, apply, settle, winner),
    show=Show(observe, features, note, keep, keep_deal),
    number=Number(claims_in, claim_at, answer_at, at),
    family="digits",
    kind="digit game",
    line=Line,
    round=Round,
    starts=("from_slips", "letters"),
    choice=choice,
    extra=lambda rules, source: source,
    wide=wide,
    actions=actions,
    most_moves=most_moves,
    most_rounds=lambda rules, source: 0,
    opener=opening_seat,
    feature_names=feature_names,
    deal_width=lambda asked, rules: rules.seats,
    is_finite=lambda rules: bool(rules.capped),
    each_round=True,
    outcomes=len(OUTCOMES),
    batch={
        "stakes": column("stake"),
        "outcomes": column("outcome"),
        "payoffs": seat_column("payoffs"),
        "scores": seat_column("scores"),
        "numbers": seat_column("numbers"),
    },
    rollout={
        "payoffs": lambda kept: kept.seats,
        "scores": lambda kept: kept.seats.sum(axis=1),
        "numbers": lambda kept: kept.deals,
    },
    units=lambda kept: kept.seats.sum(axis=1),
    unsummed=lambda rules, rounds: (
        "compound_carry: the stakes of sessions can exceed the range of the sums"
        if rules.compound and rounds > 1
        else None
    ),
    read=lambda text, line, rules: read(text, rules),
    write=write,
    deal_of=deal_of,
    policies=("uniform", "beginner", "binomial", "bluffer", *NETWORK_BOTS),
    policy=policy,
    networks=networks,
)
"""The kernel of the family."""
