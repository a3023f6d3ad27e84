"""The digit games as environments: bids of the ladder, then challenge, then count."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import comb

import numpy as np

from liarspoker.core.session import RoundSetup
from liarspoker.games.digits.auction import COUNT, OVER
from liarspoker.games.digits.deal import DigitDeal, digits_in_play
from liarspoker.games.digits.hands import HANDS_PER_SLIP, ROWS, count_of, ends_odd, packed_counts
from liarspoker.games.digits.ladder import NO_CLAIM, digit_of, ladder_length, level_of, rank_of
from liarspoker.games.digits.options import Rules
from liarspoker.games.digits.result import DigitView
from liarspoker.games.digits.session import DigitSession
from liarspoker.games.digits.settlement import bid_multiplier, next_stake, settle
from liarspoker.research.blocks import Block, Vector
from liarspoker.research.errors import CannotStudy
from liarspoker.research.family import StudyRules, Weights


class DigitStudy(StudyRules[DigitSession, DigitView]):
    """The digit games as environments: bids of the ladder, then challenge, then count."""

    answers = 2

    def check(self, session: DigitSession) -> None:
        """Refuse a ladder without a top."""
        if not session.setup.rules.capped:
            raise CannotStudy(
                "cap_level = false: the ladder has no top, so its bids cannot be numbered; leave cap_level on"
            )

    def claims(self, session: DigitSession) -> range:
        """The bids; with challenge and count they are numbered as the engine's masks number them."""
        return range(ladder_length(session.setup.rules))

    def awaited(
        self, session: DigitSession, drawn: Sequence[int], action: int | None, named: Mapping[str, object]
    ) -> Weights:
        """The next count of a digit in a number, or on a slip the next digit; see `dealt`."""
        if session.in_play:
            return {}
        needs = session.chance_spec()
        if needs.slips:
            many = needs.seats * ROWS * needs.hand_size
            return dict.fromkeys(range(len(needs.digits)), 1) if len(drawn) < many else {}
        if not needs.numbers:
            return {}
        _, left, others = _counted(drawn, session.setup.rules)
        # Of the digits that are left, each is this one with chance 1 in (others + 1).
        return {count: comb(left, count) * others ** (left - count) for count in range(left + 1)} if left else {}

    def dealt(
        self, session: DigitSession, drawn: Sequence[int], opener: int | None, named: Mapping[str, object]
    ) -> DigitSession:
        """The session with the next hand dealt.

        Bills: for each seat's number, how many of the lowest digit it has, then of the next, until no place is left;
        the digits are then in order, which tells nothing. Slips: digit after digit, row after row.
        """
        needs, rules = session.chance_spec(), session.setup.rules
        digits = digits_in_play(rules)
        numbers: tuple[str, ...] = ()
        slips: tuple[tuple[str, ...], ...] = ()
        if needs.slips:
            text, width = "".join(digits[rank] for rank in drawn), rules.hand_size
            rows = [text[start : start + width] for start in range(0, len(text), width)]
            slips = tuple(tuple(rows[seat * ROWS : (seat + 1) * ROWS]) for seat in range(rules.seats))
        elif needs.numbers:
            counted, _, _ = _counted(drawn, rules)
            numbers = tuple("".join(digits[rank] * count for rank, count in enumerate(counts)) for counts in counted)
        return session.deal(DigitDeal(numbers, slips), RoundSetup(opener))

    def most_moves(self, session: DigitSession, rounds: int | None) -> int:
        """Every bid, each challenged by all others, and a count."""
        rules: Rules = session.setup.rules
        return (ladder_length(rules) * rules.seats + 2) * (rounds or 1)

    def most_units(self, session: DigitSession, rounds: int | None) -> int:
        """The dearest outcome at the greatest stakes, hand after hand, for one who pays all others."""
        rules: Rules = session.setup.rules
        dearest = _dearest(rules)
        return (rules.seats - 1) * dearest * sum(_most_stakes(rules, rounds or 1))

    def most_outcomes(self, session: DigitSession) -> int:
        """Counts, or ranks of digits."""
        rules: Rules = session.setup.rules
        return max(rules.hand_size + 1, rules.symbols)

    def layout(self, session: DigitSession, rounds: int | None) -> tuple[Block, ...]:
        """The columns of the engine's observations, and for more than one hand what else counts then."""
        rules, hands = session.setup.rules, rounds or 1
        digits, seats, top = rules.symbols, rules.seats, rules.hand_size * rules.seats
        most, bound = _most_stakes(rules, hands)[-1], self.most_units(session, rounds)
        if bound > float(np.finfo(np.float32).max):
            raise CannotStudy(
                f"compound_carry = true: in {hands} rounds the stakes may grow beyond what an observation can hold; "
                "study fewer rounds, or leave compound_carry off"
            )
        blocks = [
            Block("own", (digits,), 0, rules.hand_size, "how often its number has each digit, the weakest digit first"),
            Block("level", (1,), 0, top, "of the standing bid; 0 before the first"),
            Block("standing", (digits,), 0, 1, "1 at the digit of the standing bid"),
            Block("phase", (3,), 0, 1, "1 at the phase: open, respond, decide"),
            Block("challenges", (1,), 0, seats - 1, "how many have challenged the standing bid"),
            Block("is rebid", (1,), 0, 1, "1 where its bidder, challenged by all, raised it himself"),
            Block("bidder", (1,), -1, seats - 1, "who made it, in seats after this one; -1 for nobody"),
            Block("stake", (1,), 1, most, "units played for"),
            Block("hand of ten", (1,), 0, HANDS_PER_SLIP - 1, "the hand's number on its slip"),
            Block(
                "bids", (seats, digits), 0, top, "the highest level of each digit that each seat has bid in this hand"
            ),
        ]
        if hands > 1:
            blocks.append(Block("score", (seats,), -bound, bound, "units won or lost so far"))
        if session.setup.from_slips:
            blocks += [
                Block("slip", (ROWS, digits), 0, rules.hand_size, "how often each row of its slip has each digit"),
                Block("odd", (ROWS,), 0, 1, "1 where the row's number ends in an odd digit"),
                Block("played", (ROWS,), 0, 1, "1 where the row has been played and counted"),
                Block("row", (ROWS,), 0, 1, "1 at the row in play"),
            ]
        return tuple(blocks)

    def observe(self, view: DigitView, parts: Mapping[str, Vector]) -> None:
        """Write what a seat may know; seats are counted from it, clockwise, itself 0."""
        rules, auction = view.rules, view.auction
        parts["bidder"][0] = -1
        if auction is None or view.terms is None or view.seat is None:
            return
        if view.number is not None:
            parts["own"][:] = _counts(view.number, rules)
        parts["stake"][0] = view.terms.stake
        parts["hand of ten"][0] = view.terms.hand % HANDS_PER_SLIP
        if auction.phase != OVER:
            parts["phase"][auction.phase] = 1
        parts["challenges"][0] = auction.challenges
        parts["is rebid"][0] = auction.is_rebid
        if auction.claim != NO_CLAIM:
            parts["level"][0] = level_of(auction.claim, rules)
            parts["standing"][rank_of(digit_of(auction.claim, rules), rules)] = 1
            parts["bidder"][0] = (auction.bidder - view.seat) % rules.seats
        for seat, action in view.moves:
            if action >= 0:
                place = (seat - view.seat) % rules.seats, rank_of(digit_of(action, rules), rules)
                parts["bids"][place] = max(parts["bids"][place], level_of(action, rules))
        if "score" in parts:
            parts["score"][:] = np.roll(view.score, -view.seat)
        if view.slip:
            for row, number in enumerate(view.slip):
                parts["slip"][row] = _counts(number, rules)
                parts["odd"][row] = ends_odd(number)
                parts["played"][row] = view.row_played(row)
            parts["row"][view.terms.row] = 1

    def history(self, session: DigitSession, rounds: int | None) -> Block | None:
        """The moves of a single hand, a row each."""
        if rounds != 1:
            return None
        rules: Rules = session.setup.rules
        columns = rules.seats + 1 + rules.symbols + 2
        meaning = "each move: 1 at the seat that made it, the level bid, 1 at its digit, 1 for challenge, 1 for count"
        return Block("moves", (self.most_moves(session, 1), columns), 0, rules.hand_size * rules.seats, meaning)

    def remember(self, view: DigitView, part: Vector) -> None:
        """Write the moves of the hand, first to last; seats are counted from this one."""
        assert view.seat is not None
        seats, symbols = view.rules.seats, view.rules.symbols
        for line, (seat, action) in zip(part, view.moves, strict=False):
            line[(seat - view.seat) % seats] = 1
            if action >= 0:
                line[seats] = level_of(action, view.rules)
                line[seats + 1 + rank_of(digit_of(action, view.rules), view.rules)] = 1
            else:
                line[seats + 1 + symbols + (action == COUNT)] = 1

    def account(self, view: DigitView, session: DigitSession) -> list[str]:
        """The seat's number or slip, the stake, the moves, and all that the count makes public once it is over."""
        assert view.terms is not None
        lines = [f"holds {' '.join(view.slip) if view.slip else ''.join(sorted(view.number or ''))}"]
        if view.terms.row is not None:
            lines.append(f"row {view.terms.row}")
        lines.append(f"stake {view.terms.stake}")
        lines += [f"{seat}: {session.write(action)}" for seat, action in view.moves]
        if view.result is not None:
            lines.append(f"counts {' '.join(map(str, view.result.counts))}")
            lines.append(f"units {' '.join(map(str, view.result.payoffs))}")
            lines += [f"shown {' '.join(view.shown)}"] if view.shown else []
            lines += [f"odd endings {' '.join(map(str, map(int, view.result.odd_endings)))}"] if view.slip else []
        return lines


def _counted(drawn: Sequence[int], rules: Rules) -> tuple[list[list[int]], int, int]:
    """The counts of every seat as drawn so far; how many places the next digit may have, and how many come after it.

    No place is left where all is drawn.
    """
    counts: list[list[int]] = [[]]
    left = rules.hand_size
    for count in drawn:
        counts[-1].append(count)
        left -= count
        if len(counts[-1]) == rules.symbols - 1 and left:
            counts[-1].append(left)
            left = 0
        if not left and len(counts) < rules.seats:
            counts.append([])
            left = rules.hand_size
    return counts, left, rules.symbols - len(counts[-1]) - 1


def _dearest(rules: Rules) -> int:
    """The most stakes that any outcome pays."""
    hands = rules.hand_size * rules.seats
    worst = [settle(claim, 0, 0, rules).multiplier for claim in (0, ladder_length(rules) - 1)]
    made = [settle(claim, 0, hands, rules).multiplier for claim in range(ladder_length(rules))]
    return max(*worst, *made)


def _most_stakes(rules: Rules, hands: int) -> list[int]:
    """A bound on the stake of each of the first hands."""
    worths = {bid_multiplier(claim, rules) for claim in range(ladder_length(rules))}
    carried, most = 1, [1]
    for _ in range(hands - 1):
        carried = max(1, 2, *(next_stake(worth, own, carried, rules) for worth in worths for own in (0, 1)))
        most.append(2 * carried if rules.tenth_double else carried)
    return most


def _counts(number: str, rules: Rules) -> list[int]:
    packed = packed_counts(number)
    return [count_of(packed, digit_of(rank, rules)) for rank in range(rules.symbols)]


STUDY = DigitStudy()
