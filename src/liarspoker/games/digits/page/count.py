"""The count, seat by seat from the bidder's left; its payoffs and their reasons; and the next row of a slip."""

from __future__ import annotations

from dataclasses import dataclass

from liarspoker.games.digits.hands import HANDS_PER_SLIP, next_row
from liarspoker.games.digits.ladder import digit_of, level_of
from liarspoker.games.digits.messages import DigitsResult
from liarspoker.games.digits.page.context import HandContext, reasons_of
from liarspoker.games.digits.record_text import describe_outcome
from liarspoker.games.digits.settlement import FAILED, HERO, NONE, OUTCOMES, Settlement, base_stake, stake_of_hand
from liarspoker.language import N_, _, pgettext
from liarspoker.records.words import bid_in_words, count_in_words, digit_name, name_shown, reason_in_words, said_of


@dataclass(frozen=True, slots=True)
class Held:
    """One seat at the count.

    Attributes:
        user: the user's ID.
        name: the player's name, or `You`.
        step: the position in the count, from 1.
        fingers: how many of the digit the seat holds.
        words: the same in words.
        number: the digits of the number, each with whether it counts; empty if the number stays hidden.
        before: the player's units before this hand.
        payoff: units won or lost in this hand.
        now: the player's units after this hand.
        bidder: the seat made the bid.
        total: the running total of the count.
    """

    user: str
    name: str
    step: int
    fingers: int
    words: str
    number: tuple[tuple[str, bool], ...]
    before: int
    payoff: int
    now: int
    bidder: bool
    total: int


@dataclass(frozen=True, slots=True)
class Parity:
    """How the odd last digits choose the next row of a slip.

    Attributes:
        seats: for each seat the player's name and whether the number ends in an odd digit.
        odd: the number of odd endings.
        row: the letter of the row just played.
        skipped: the letters of the rows that are skipped; empty if they aren't known.
        next: the letter of the next row; empty if it isn't known.
        new_slip: this was the last hand of the slip.
    """

    seats: tuple[tuple[str, bool], ...]
    odd: int
    row: str
    skipped: tuple[str, ...]
    next: str
    new_slip: bool


@dataclass(frozen=True, slots=True)
class Count:
    """The result of a hand.

    Attributes:
        key: identifies this count.
        outcome: `made`, `failed`, `hero` or `none`, as the protocol names it.
        title: the outcome as a heading.
        verdict: who wins or pays what, in a sentence.
        why: the rules behind the payoffs.
        seats: the seats, clockwise from the bidder's left.
        bidder: the bidder's name, or `You`.
        total: how many of the digit all players hold.
        needed: how many were bid.
        noun: the digit's name, in the plural if the total needs it.
        words: the bid in words.
        multiplier: stakes paid by or to each of the others.
        stake: the stake in units.
        a_head: units that each of the others wins or pays.
        bidder_units: units that the bidder wins, or pays if negative.
        next_words: who opens the next hand, and its stake.
        parity: how the next row is chosen; `None` where bills are dealt.
        may_ask: the viewer may ask to see the numbers.
        shown: the numbers are shown.
    """

    key: str
    outcome: str
    title: str
    verdict: str
    why: tuple[str, ...]
    seats: tuple[Held, ...]
    bidder: str
    total: int
    needed: int
    noun: str
    words: str
    multiplier: int
    stake: int
    a_head: int
    bidder_units: int
    next_words: str
    parity: Parity | None
    may_ask: bool
    shown: bool

    def held(self, user: str) -> Held | None:
        """Return what `user` held; `None` for a user who did not play."""
        return next((one for one in self.seats if one.user == user), None)


def count_of_hand(context: HandContext) -> Count | None:
    """Return the result of the hand; `None` before the count."""
    result = context.result
    if result is None:
        return None
    claim, bidder = context.bid(result.final_claim), result.bidder
    noun = digit_name(digit_of(claim, context.rules), result.total, context.rules)
    return Count(
        key=f"{context.public.table}-{context.public.rounds_played}-{result.final_claim}",
        outcome=result.outcome,
        title=_title(result),
        verdict=verdict_of(context),
        why=tuple(reason_in_words(reason, context.rules) for reason in reasons_of(result.reasons)),
        seats=_seats(claim, result, context),
        bidder=context.names[bidder],
        total=result.total,
        needed=level_of(claim, context.rules),
        noun=noun,
        words=bid_in_words(claim, context.rules),
        multiplier=result.multiplier,
        stake=context.view.stake,
        a_head=result.multiplier * context.view.stake,
        bidder_units=result.payoffs[bidder],
        next_words=_next_words(result, context),
        parity=_parity(result, context),
        may_ask=_may_ask(context),
        shown=bool(context.view.shown),
    )


def verdict_of(context: HandContext) -> str:
    """Return who wins or pays what, as text."""
    result = context.result
    assert result is not None
    settlement = Settlement(OUTCOMES.index(result.outcome), result.multiplier, result.bid_multiplier)
    return describe_outcome(result.bidder, settlement, context.view.stake, context.rules, context.names)


def _title(result: DigitsResult) -> str:
    # Translators: how a count came out, as a heading
    if result.outcome == OUTCOMES[NONE]:
        return pgettext("outcome", "Skunk") if result.multiplier else pgettext("outcome", "Push")
    if result.outcome == OUTCOMES[HERO]:
        return pgettext("outcome", "Hero")
    return pgettext("outcome", "Failed") if result.outcome == OUTCOMES[FAILED] else pgettext("outcome", "Made")


def _seats(claim: int, result: DigitsResult, context: HandContext) -> tuple[Held, ...]:
    sign, running = str(digit_of(claim, context.rules)), 0
    shown = {one.seat: one.hand[0] for one in context.public.hands} | dict(enumerate(context.view.shown))
    now = {entry.user: entry.units for entry in context.public.units}
    seats = []
    for step, seat in enumerate(context.after(result.bidder), 1):
        user, held, payoff = context.view.users[seat], result.counts[seat], result.payoffs[seat]
        running += held
        seats.append(
            Held(
                user=user,
                name=name_shown(context.names[seat]),
                step=step,
                fingers=held,
                words=count_in_words(held, int(sign), context.rules) if held else _("a fist"),
                number=tuple((one, one == sign) for one in shown.get(seat, "")),
                before=now.get(user, 0) - payoff,
                payoff=payoff,
                now=now.get(user, 0),
                bidder=seat == result.bidder,
                total=running,
            )
        )
    return tuple(seats)


def _next_words(result: DigitsResult, context: HandContext) -> str:
    hand = context.view.round + 1
    stake = stake_of_hand(hand, base_stake(hand, result.next_stake, context.rules), context.rules)
    agreed = context.public.stake
    return said_of(
        context.names[result.next_opener],
        N_("Next hand: you open, stake {stake}."),
        N_("Next hand: {name} opens, stake {stake}."),
        stake=stake if agreed is None else agreed,
    )


def _parity(result: DigitsResult, context: HandContext) -> Parity | None:
    """Return how the row just played leads to the next one; `None` where bills are dealt."""
    endings, row = result.odd_endings, context.view.row
    if not endings or row is None:
        return None
    odd, skipped, following = sum(endings), tuple[str, ...](), ""
    played = context.hand.rows_played
    last = context.view.round % HANDS_PER_SLIP == HANDS_PER_SLIP - 1
    if played is not None and not last:
        mask = sum(1 << place for place in {*played, row})
        rows = [next_row(row, mask, steps) for steps in range(odd + 1)]
        skipped, following = tuple(context.row_letters[one] for one in rows[:-1]), context.row_letters[rows[-1]]
    return Parity(
        tuple(zip(map(name_shown, context.names), endings, strict=True)),
        odd,
        context.view.letter or "",
        skipped,
        following,
        last,
    )


def _may_ask(context: HandContext) -> bool:
    """Return whether the viewer played and may ask to see the hidden numbers."""
    return context.options.reveal == "on_request" and context.seat is not None and not context.view.shown
