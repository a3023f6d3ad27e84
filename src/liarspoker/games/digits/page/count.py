"""The count: seat by seat clockwise from the bidder's left, then what it pays and why, and which row comes next."""

from __future__ import annotations

from dataclasses import dataclass

from liarspoker.games.digits.hands import HANDS_PER_SLIP, next_row
from liarspoker.games.digits.ladder import digit_of, level_of
from liarspoker.games.digits.messages import DigitsResult
from liarspoker.games.digits.page.seen import SeenHand
from liarspoker.games.digits.record_text import verdict
from liarspoker.games.digits.settlement import HERO, NONE, OUTCOMES, Settlement, base_stake, stake_of_hand
from liarspoker.records.words import digit_name, subject
from liarspoker.web.view_models.family import YOU


@dataclass(frozen=True, slots=True)
class Held:
    """One seat at the count.

    Attributes:
        step: when he shows, from 1.
        number: his number sign by sign, each with whether it counts; empty where it is not shown.
        total: how many there are with those counted before.
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
    """Odd endings on slips, seat by seat, the rows that they skip, and the next one; empty if that can't be known."""

    seats: tuple[tuple[str, bool], ...]
    odd: int
    row: str
    skipped: tuple[str, ...]
    next: str
    new_slip: bool


@dataclass(frozen=True, slots=True)
class Count:
    """How a hand came out.

    Attributes:
        key: which count it is; another one has another key.
        outcome: `made`, `failed`, `hero` or `none`, as the protocol names it.
        seats: clockwise from the bidder's left.
        needed: how many were bid.
        multiplier: stakes paid by or to each of the others.
        a_head: units that each of the others wins or pays.
        bidder_units: what the bidder wins, or pays below 0.
        may_ask: who looks can ask for the numbers.
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
        """What `user` has shown; `None` for who did not play."""
        return next((one for one in self.seats if one.user == user), None)


def count_of_hand(seen: SeenHand) -> Count | None:
    """How the hand came out; `None` before its count."""
    result = seen.result
    if result is None:
        return None
    claim, bidder = seen.bid(result.final_claim), result.bidder
    noun = digit_name(digit_of(claim, seen.rules), result.total, seen.rules)
    return Count(
        key=f"{seen.public.table}-{seen.public.rounds_played}-{result.final_claim}",
        outcome=result.outcome,
        title=_title(result),
        verdict=verdict_of(seen),
        why=result.why,
        seats=_seats(claim, result, seen),
        bidder=seen.names[bidder],
        total=result.total,
        needed=level_of(claim, seen.rules),
        noun=noun,
        words=result.final_claim_words,
        multiplier=result.multiplier,
        stake=seen.view.stake,
        a_head=result.multiplier * seen.view.stake,
        bidder_units=result.payoffs[bidder],
        next_words=_next_words(result, seen),
        parity=_parity(result, seen),
        may_ask=_may_ask(seen),
        shown=bool(seen.view.shown),
    )


def verdict_of(seen: SeenHand) -> str:
    """Who wins or pays what, in a sentence."""
    result = seen.result
    assert result is not None
    settlement = Settlement(OUTCOMES.index(result.outcome), result.multiplier, result.bid_multiplier)
    said = verdict(result.bidder, settlement, seen.view.stake, seen.rules, seen.names)
    return said.replace(f": {YOU} ", f": {YOU.lower()} ")


def _title(result: DigitsResult) -> str:
    if result.outcome == OUTCOMES[NONE]:
        return "Skunk" if result.multiplier else "Push"
    return "Hero" if result.outcome == OUTCOMES[HERO] else result.outcome.title()


def _seats(claim: int, result: DigitsResult, seen: SeenHand) -> tuple[Held, ...]:
    sign, shown, running = str(digit_of(claim, seen.rules)), seen.view.shown, 0
    now = {entry.user: entry.units for entry in seen.public.units}
    seats = []
    for step, seat in enumerate(seen.after(result.bidder), 1):
        user, held, payoff = seen.view.users[seat], result.counts[seat], result.payoffs[seat]
        running += held
        seats.append(
            Held(
                user=user,
                name=seen.names[seat],
                step=step,
                fingers=held,
                words=f"{held} {digit_name(int(sign), held, seen.rules)}" if held else "a fist",
                number=tuple((one, one == sign) for one in shown[seat]) if shown else (),
                before=now.get(user, 0) - payoff,
                payoff=payoff,
                now=now.get(user, 0),
                bidder=seat == result.bidder,
                total=running,
            )
        )
    return tuple(seats)


def _next_words(result: DigitsResult, seen: SeenHand) -> str:
    hand = seen.view.round + 1
    stake = stake_of_hand(hand, base_stake(hand, result.next_stake, seen.rules), seen.rules)
    agreed = seen.public.stake
    opens = subject(seen.names[result.next_opener], "opens")
    opens = opens.replace(YOU, "you") if opens.startswith(f"{YOU} ") else opens
    return f"Next hand: {opens}, stake {stake if agreed is None else agreed}."


def _parity(result: DigitsResult, seen: SeenHand) -> Parity | None:
    """The way from the row that was played to the next one; the rules walk it step by step."""
    endings, row = result.odd_endings, seen.view.row
    if not endings or row is None:
        return None
    odd, skipped, following = sum(endings), tuple[str, ...](), ""
    played = seen.hand.rows_played
    last = seen.view.round % HANDS_PER_SLIP == HANDS_PER_SLIP - 1
    if played is not None and not last:
        mask = sum(1 << place for place in {*played, row})
        rows = [next_row(row, mask, steps) for steps in range(odd + 1)]
        skipped, following = tuple(seen.row_letters[one] for one in rows[:-1]), seen.row_letters[rows[-1]]
    return Parity(tuple(zip(seen.names, endings, strict=True)), odd, seen.view.letter or "", skipped, following, last)


def _may_ask(seen: SeenHand) -> bool:
    """Whether the numbers lie covered until somebody asks for them, and who looks has played."""
    return seen.options.reveal == "on_request" and seen.seat is not None and not seen.view.shown
