"""Environment rules of the digit games: actions are the bids of the ladder, then challenge, then count."""

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
from liarspoker.research.errors import BadEnvironment
from liarspoker.research.rules import EnvironmentRules, Weights


class DigitEnvironment(EnvironmentRules[DigitSession, DigitView]):
    """Environment rules of the digit games; see `liarspoker.research.rules.EnvironmentRules`."""

    answers = 2

    def check(self, session: DigitSession) -> None:
        """Check that the ladder is capped."""
        if not session.setup.rules.capped:
            raise BadEnvironment("cap_level = false: without a cap, the number of bids is infinite; leave cap_level on")

    def claims(self, session: DigitSession) -> range:
        """Return the bids; with challenge and count, they have the same indices as in the engine's masks."""
        return range(ladder_length(session.setup.rules))

    def chance_weights(
        self, session: DigitSession, drawn: Sequence[int], action: int | None, named: Mapping[str, object]
    ) -> Weights:
        """Return the weights of the next count of a digit, or on slips of the next digit; see `dealt`."""
        if session.in_play:
            return {}
        spec = session.chance_spec()
        if spec.slips:
            total = spec.seats * ROWS * spec.hand_size
            return dict.fromkeys(range(len(spec.digits)), 1) if len(drawn) < total else {}
        if not spec.numbers:
            return {}
        _, left, others = _counted(drawn, session.setup.rules)
        # Each of the remaining digits is this one with probability 1 / (others + 1).
        return {count: comb(left, count) * others ** (left - count) for count in range(left + 1)} if left else {}

    def dealt(
        self, session: DigitSession, drawn: Sequence[int], opener: int | None, named: Mapping[str, object]
    ) -> DigitSession:
        """Return the session with the next hand dealt.

        For bills, the counts of each seat's digits are drawn, lowest digit first, until the number is complete; the
        order of the digits within a number carries no information. For slips, each digit is drawn, row after row.
        """
        spec, rules = session.chance_spec(), session.setup.rules
        digits = digits_in_play(rules)
        numbers: tuple[str, ...] = ()
        slips: tuple[tuple[str, ...], ...] = ()
        if spec.slips:
            text, width = "".join(digits[rank] for rank in drawn), rules.hand_size
            rows = [text[start : start + width] for start in range(0, len(text), width)]
            slips = tuple(tuple(rows[seat * ROWS : (seat + 1) * ROWS]) for seat in range(rules.seats))
        elif spec.numbers:
            counted, _, _ = _counted(drawn, rules)
            numbers = tuple("".join(digits[rank] * count for rank, count in enumerate(counts)) for counts in counted)
        return session.deal(DigitDeal(numbers, slips), RoundSetup(opener))

    def most_moves(self, session: DigitSession, rounds: int | None) -> int:
        """Return the number of moves if every bid is made and challenged by all others."""
        rules: Rules = session.setup.rules
        return (ladder_length(rules) * rules.seats + 2) * (rounds or 1)

    def most_units(self, session: DigitSession, rounds: int | None) -> int:
        """Return a bound on the units that one seat can win or lose."""
        rules: Rules = session.setup.rules
        return (rules.seats - 1) * _max_multiplier(rules) * sum(_most_stakes(rules, rounds or 1))

    def most_outcomes(self, session: DigitSession) -> int:
        """Return the most outcomes of one draw: counts, or ranks of digits."""
        rules: Rules = session.setup.rules
        return max(rules.hand_size + 1, rules.symbols)

    def layout(self, session: DigitSession, rounds: int | None) -> tuple[Block, ...]:
        """Return the blocks of an observation: those of the engine, and more for sessions of several hands."""
        rules, hands = session.setup.rules, rounds or 1
        digits, seats, top = rules.symbols, rules.seats, rules.hand_size * rules.seats
        most, bound = _most_stakes(rules, hands)[-1], self.most_units(session, rounds)
        if bound > float(np.finfo(np.float32).max):
            raise BadEnvironment(
                f"compound_carry = true: in {hands} rounds the stakes can exceed the range of float32; "
                "play fewer rounds, or leave compound_carry off"
            )
        blocks = [
            Block("own", (digits,), 0, rules.hand_size, "count of each digit in the seat's number, lowest rank first"),
            Block("level", (1,), 0, top, "level of the standing bid; 0 before the first"),
            Block("standing", (digits,), 0, 1, "one-hot digit of the standing bid"),
            Block("phase", (3,), 0, 1, "one-hot: open, respond, decide"),
            Block("challenges", (1,), 0, seats - 1, "challenges to the standing bid"),
            Block("is rebid", (1,), 0, 1, "1 if the standing bid is a rebid"),
            Block("bidder", (1,), -1, seats - 1, "seat of the bidder, clockwise from this seat; -1 for none"),
            Block("stake", (1,), 1, most, "stake in units"),
            Block("hand of ten", (1,), 0, HANDS_PER_SLIP - 1, "the hand's number on its slip"),
            Block("bids", (seats, digits), 0, top, "highest level of each digit that each seat has bid in this hand"),
        ]
        if hands > 1:
            blocks.append(Block("score", (seats,), -bound, bound, "units won or lost so far"))
        if session.setup.from_slips:
            blocks += [
                Block("slip", (ROWS, digits), 0, rules.hand_size, "count of each digit in each row of the seat's slip"),
                Block("odd", (ROWS,), 0, 1, "1 if the row's number ends in an odd digit"),
                Block("played", (ROWS,), 0, 1, "1 if the row has been played and counted"),
                Block("row", (ROWS,), 0, 1, "one-hot row in play"),
            ]
        return tuple(blocks)

    def observe(self, view: DigitView, parts: Mapping[str, Vector]) -> None:
        """Write an observation; seats are numbered clockwise from the observing seat, which is 0."""
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
        """Return the block of the moves of a single hand; `None` for several hands."""
        if rounds != 1:
            return None
        rules: Rules = session.setup.rules
        columns = rules.seats + 1 + rules.symbols + 2
        meaning = "one row per move: one-hot seat, level, one-hot digit, 1 for a challenge, 1 for a count"
        return Block("moves", (self.most_moves(session, 1), columns), 0, rules.hand_size * rules.seats, meaning)

    def write_history(self, view: DigitView, part: Vector) -> None:
        """Write the moves of the hand in order; seats are numbered from the observing seat."""
        assert view.seat is not None
        seats, symbols = view.rules.seats, view.rules.symbols
        for line, (seat, action) in zip(part, view.moves, strict=False):
            line[(seat - view.seat) % seats] = 1
            if action >= 0:
                line[seats] = level_of(action, view.rules)
                line[seats + 1 + rank_of(digit_of(action, view.rules), view.rules)] = 1
            else:
                line[seats + 1 + symbols + (action == COUNT)] = 1

    def information_state(self, view: DigitView, session: DigitSession) -> list[str]:
        """Return the seat's number or slip, the stake, the moves and, after the count, all that is public, as lines."""
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
    """Return the counts drawn so far for each seat, the digits left in the current number, and the ranks left after it.

    No digits are left once everything is drawn.
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


def _max_multiplier(rules: Rules) -> int:
    """Return the highest multiplier of any outcome."""
    hands = rules.hand_size * rules.seats
    worst = [settle(claim, 0, 0, rules).multiplier for claim in (0, ladder_length(rules) - 1)]
    made = [settle(claim, 0, hands, rules).multiplier for claim in range(ladder_length(rules))]
    return max(*worst, *made)


def _most_stakes(rules: Rules, hands: int) -> list[int]:
    """Return a bound on the stake of each of the first `hands` hands."""
    multipliers = {bid_multiplier(claim, rules) for claim in range(ladder_length(rules))}
    carried, most = 1, [1]
    for _ in range(hands - 1):
        carried = max(1, 2, *(next_stake(each, own, carried, rules) for each in multipliers for own in (0, 1)))
        most.append(2 * carried if rules.tenth_double else carried)
    return most


def _counts(number: str, rules: Rules) -> list[int]:
    packed = packed_counts(number)
    return [count_of(packed, digit_of(rank, rules)) for rank in range(rules.symbols)]


ENVIRONMENT = DigitEnvironment()
"""The environment rules of the family."""
