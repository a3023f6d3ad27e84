"""One hand of a digit game: the numbers and the auction."""

from __future__ import annotations

from dataclasses import dataclass

from liarspoker.core.errors import LEGAL, BadDeal, IllegalAction, MissingInformation
from liarspoker.core.session import Reason
from liarspoker.games.digits.auction import (
    CHALLENGE,
    COUNT,
    OVER,
    Auction,
    after,
    opening,
    refusal,
    refusal_with_repeats,
)
from liarspoker.games.digits.hands import HIDDEN
from liarspoker.games.digits.ladder import digit_of, ladder_length, listing_end
from liarspoker.games.digits.options import Rules
from liarspoker.language import _


@dataclass(frozen=True, slots=True)
class Terms:
    """The public facts of a hand that are fixed when it begins.

    Attributes:
        hand: the hand's number in the session, from 0.
        opener: the seat that bids first.
        base: the stake in units before the doubling of a tenth hand.
        stake: the stake in units.
        why: the rules behind the stake.
        row: the row of the slip in play, 0 to 14; `None` where bills are dealt.
        letters: the letters around the bills' numbers, a pair per seat; empty if they aren't known.
        opener_agreed: the table chose the opener, not the rules.
        stake_agreed: the table chose the stake, not the rules.
    """

    hand: int
    opener: int
    base: int
    stake: int
    why: tuple[Reason, ...]
    row: int | None = None
    letters: tuple[str, ...] = ()
    opener_agreed: bool = False
    stake_agreed: bool = False


@dataclass(frozen=True, slots=True)
class Legal:
    """The legal actions of the seat to act.

    Attributes:
        claims: the legal bids, weakest first. Without `cap_level`, only those up to the number of digits on the table
            and some above the standing bid.
        answers: `CHALLENGE` or `COUNT`, if legal.
        endless: there are higher legal bids than those in `claims`.
    """

    claims: range | tuple[int, ...]
    answers: tuple[int, ...]
    endless: bool

    @property
    def min_claim(self) -> int | None:
        """The weakest legal bid; `None` if there is none."""
        return self.claims[0] if self.claims else None

    @property
    def actions(self) -> tuple[int, ...]:
        """All listed actions: the bids from the weakest, then challenge or count."""
        return (*self.claims, *self.answers)


@dataclass(frozen=True, slots=True)
class DigitRound:
    """One hand. `terms`, `auction` and `moves` are public; `numbers` and `counts` aren't.

    Attributes:
        rules: the table's rules, packed.
        terms: opener, stake and row.
        numbers: each seat's number; hidden digits are `?`.
        counts: each seat's count of the digit last bid, if `numbers` hide it and a record gives it; else `None`.
        auction: the state of the auction.
        moves: the moves so far, as (seat, action).
    """

    rules: Rules
    terms: Terms
    numbers: tuple[str, ...]
    counts: tuple[int, ...] | None
    auction: Auction
    moves: tuple[tuple[int, int], ...]

    @classmethod
    def begin(cls, rules: Rules, terms: Terms, numbers: tuple[str, ...], counts: tuple[int, ...] | None) -> DigitRound:
        """Return the hand before its first bid."""
        return cls(rules, terms, numbers, counts, opening(terms.opener), ())

    def refusal(self, action: int) -> int:
        """Return `LEGAL` (0) if the seat to act may play `action`, else a refusal code of `liarspoker.core.errors`."""
        made_before = bool(self.rules.loose) and any(move[1] == action for move in self.moves)
        return refusal_with_repeats(self.auction, action, made_before, self.rules)

    def apply(self, action: int) -> DigitRound:
        """Return the hand after the seat to act plays `action`.

        Raises:
            IllegalAction: the action isn't legal.
        """
        code = self.refusal(action)
        if code != LEGAL:
            raise IllegalAction(action, code)
        auction = self.auction
        moves = (*self.moves, (auction.to_act, action))
        return DigitRound(self.rules, self.terms, self.numbers, self.counts, after(auction, action, self.rules), moves)

    def legal(self) -> Legal:
        """Return the legal actions; none once the auction is over."""
        rules = self.rules
        auction = self.auction
        if auction.phase == OVER:
            return Legal((), (), endless=False)
        answers = tuple(answer for answer in (CHALLENGE, COUNT) if refusal(auction, answer, rules) == LEGAL)
        length = ladder_length(rules)
        above = auction.claim + 1
        if rules.loose:
            beyond = () if rules.capped else range(max(length, above), above + rules.symbols + len(self.moves))
            claims = tuple(claim for claim in (*range(length), *beyond) if self.refusal(claim) == LEGAL)
            return Legal(claims, answers, endless=not rules.capped)
        return Legal(range(above, listing_end(auction.claim, rules)), answers, endless=not rules.capped)

    def final_counts(self) -> tuple[int, ...]:
        """Return each seat's count of the digit last bid.

        Raises:
            MissingInformation: numbers are hidden and the record gives no counts.
            BadDeal: the counts contradict the digits shown.
        """
        digit = digit_of(self.auction.claim, self.rules)
        seen = tuple(number.count(str(digit)) for number in self.numbers)
        if self.counts is None:
            if any(HIDDEN in number for number in self.numbers):
                raise MissingInformation(
                    _("counts: some numbers were never shown; give each seat's count of {digit}", digit=digit)
                )
            return seen
        for seat, (number, count, shown) in enumerate(zip(self.numbers, self.counts, seen, strict=True)):
            if not shown <= count <= shown + number.count(HIDDEN):
                raise BadDeal(
                    _(
                        "counts, seat {seat}: {number} can't contain {count} of {digit}",
                        seat=seat,
                        number=number,
                        count=count,
                        digit=digit,
                    )
                )
        return self.counts
