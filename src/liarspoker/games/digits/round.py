"""One hand of a digit game: the numbers dealt, and the auction over them."""

from __future__ import annotations

from dataclasses import dataclass

from liarspoker.core.errors import LEGAL, BadDeal, IllegalAction, NotTold
from liarspoker.core.session import Reason
from liarspoker.games.digits.auction import CHALLENGE, COUNT, OVER, Auction, after, opening, refusal, refusal_again
from liarspoker.games.digits.hands import HIDDEN
from liarspoker.games.digits.ladder import digit_of, ladder_length, listed_end
from liarspoker.games.digits.options import Rules


@dataclass(frozen=True, slots=True)
class Terms:
    """What a hand is played on; all of it public.

    Attributes:
        hand: the hand's number in the session, from 0.
        opener: the seat that bids first.
        base: the stake before a tenth hand's doubling, in units.
        stake: what is played for, in units.
        why: the rules that made the stake.
        row: the row of the slip in play, 0 to 14; `None` where bills are dealt.
        letters: the letters that flank the bills, one pair a seat, where they are known.
        opener_agreed: the table named the opener, not the rules.
        stake_agreed: the table named the stake, not the rules.
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
    """What the seat to act may do.

    Attributes:
        claims: the bids that may be made, weakest first. Where the ladder has no top, those up to every digit on the
            table, and some next above the standing bid.
        answers: `CHALLENGE` or `COUNT`, where allowed.
        endless: there are higher bids than `claims` lists.
    """

    claims: range | tuple[int, ...]
    answers: tuple[int, ...]
    endless: bool

    @property
    def min_claim(self) -> int | None:
        """The weakest bid that may be made, `None` if none may."""
        return self.claims[0] if self.claims else None

    @property
    def actions(self) -> tuple[int, ...]:
        """Every legal action listed here: the bids from the weakest up, then challenge, then count."""
        return (*self.claims, *self.answers)


@dataclass(frozen=True, slots=True)
class DigitRound:
    """One hand. `terms`, `auction` and `moves` are public; `numbers` are not.

    Attributes:
        rules: the table's rules, packed.
        terms: opener, stake, row.
        numbers: each seat's number; secret until the count, and some perhaps after.
        counts: each seat's count of the digit last bid, where `numbers` hide it and a record tells it.
        auction: where the bidding stands.
        moves: who did what so far, as (seat, action).
    """

    rules: Rules
    terms: Terms
    numbers: tuple[str, ...]
    counts: tuple[int, ...] | None
    auction: Auction
    moves: tuple[tuple[int, int], ...]

    @classmethod
    def begin(cls, rules: Rules, terms: Terms, numbers: tuple[str, ...], counts: tuple[int, ...] | None) -> DigitRound:
        """The hand before its first bid."""
        return cls(rules, terms, numbers, counts, opening(terms.opener), ())

    def refusal(self, action: int) -> int:
        """Why the seat to act may not play `action`; `LEGAL` if it may."""
        made_before = bool(self.rules.loose) and any(move[1] == action for move in self.moves)
        return refusal_again(self.auction, action, made_before, self.rules)

    def apply(self, action: int) -> DigitRound:
        """The hand after the seat to act plays `action`.

        Raises:
            IllegalAction: with the refusal's code; this hand is unchanged.
        """
        code = self.refusal(action)
        if code != LEGAL:
            raise IllegalAction(action, code)
        auction = self.auction
        moves = (*self.moves, (auction.to_act, action))
        return DigitRound(self.rules, self.terms, self.numbers, self.counts, after(auction, action, self.rules), moves)

    def legal(self) -> Legal:
        """What the seat to act may do; nothing once the auction is over."""
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
        return Legal(range(above, listed_end(auction.claim, rules)), answers, endless=not rules.capped)

    def final_counts(self) -> tuple[int, ...]:
        """Each seat's count of the digit last bid.

        Raises:
            NotTold: numbers were never shown and no counts are told.
            BadDeal: the counts told contradict the digits shown.
        """
        digit = digit_of(self.auction.claim, self.rules)
        seen = tuple(number.count(str(digit)) for number in self.numbers)
        if self.counts is None:
            if any(HIDDEN in number for number in self.numbers):
                raise NotTold(f"counts: needed, for some numbers were never shown; each seat's count of {digit}")
            return seen
        for seat, (number, count, shown) in enumerate(zip(self.numbers, self.counts, seen, strict=True)):
            if not shown <= count <= shown + number.count(HIDDEN):
                raise BadDeal(f"counts, seat {seat}: {count} of {digit} cannot be in {number}")
        return self.counts
