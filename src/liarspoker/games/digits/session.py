"""A session of hands: what carries from one hand to the next, the stake, the opener, the slips and the score."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from liarspoker.core.errors import BadDeal, BadOption, BadRound, BadSeats, NotNow, NotTold, told
from liarspoker.core.session import (
    BY_THE_RULES,
    CarryOver,
    Deal,
    FaceDownChoice,
    PlayedRound,
    Reason,
    RoundSetup,
    RowGame,
    Session,
)
from liarspoker.games.digits.auction import CHALLENGE, COUNT, NOBODY, OVER, PHASES
from liarspoker.games.digits.deal import (
    DigitChance,
    DigitDeal,
    check_counts,
    check_letters,
    check_numbers,
    check_seats,
    check_slips,
    digits_in_play,
)
from liarspoker.games.digits.hands import HANDS_PER_SLIP, HIDDEN, ROWS, begins_slip, played_after, row_of_hand
from liarspoker.games.digits.notation import read, write
from liarspoker.games.digits.options import DigitOptions, Rules, packed
from liarspoker.games.digits.presets import DigitPreset
from liarspoker.games.digits.result import DigitResult, DigitView, conclude
from liarspoker.games.digits.round import DigitRound, Legal, Terms
from liarspoker.games.digits.settlement import base_stake, is_doubled, stake_of_hand, starts_anew

SPARE_BILLS = 2
"""How many more bills or slips lie on the table than there are players, so that the last one has a choice too."""

MAX_STAKE = 10**1000
"""Stakes beyond this are refused; compounding would in the end outgrow every printed number."""


@dataclass(frozen=True, slots=True)
class Setup:
    """What stays the same all session.

    Attributes:
        preset: the game's preset, which tells how it may be dealt.
        options: the options in force.
        rules: the same, packed for the rule functions.
        from_slips: numbers come from slips.
    """

    preset: DigitPreset
    options: DigitOptions
    rules: Rules
    from_slips: bool


@dataclass(frozen=True, slots=True)
class Ledger:
    """What the hands so far leave behind.

    Attributes:
        hands: every finished hand with its result, first to last.
        slips: each seat's numbers of all its slips so far, fifteen a slip; secret.
        score: units won or lost by each seat; they sum to zero.
        row: the row played last on the slip in play.
        played_rows: mask of the rows played on it, that row included.
        numbers_shown: somebody has asked to see the numbers of the last hand.
    """

    hands: tuple[tuple[DigitRound, DigitResult], ...]
    slips: tuple[tuple[str, ...], ...]
    score: tuple[int, ...]
    row: int = -1
    played_rows: int = 0
    numbers_shown: bool = False


@dataclass(frozen=True, slots=True)
class DigitSession(Session):
    """One session of a digit game; frozen: `deal` and `apply` answer with the next one.

    >>> from liarspoker.core import catalogue
    >>> session = catalogue.load("dollar-bill").session(seats=2)
    >>> session = session.deal(DigitDeal(numbers=("06742088", "92859819")))
    >>> for text in ("2x8", "4x8", "challenge"):
    ...     session = session.apply(session.read(text))
    >>> session.score, session.next_opener
    ((-1, 1), 1)
    """

    setup: Setup
    ledger: Ledger
    round: DigitRound | None

    @property
    def seats(self) -> int:
        """How many players."""
        return self.setup.rules.seats

    @property
    def alive(self) -> tuple[int, ...]:
        """All seats: nobody drops out of a digit game."""
        return tuple(range(self.seats))

    @property
    def in_play(self) -> bool:
        """Whether a hand has been dealt and not yet counted."""
        return self.round is not None and self.round.auction.phase != OVER

    @property
    def to_act(self) -> int | None:
        """The seat whose turn it is; `None` between hands."""
        if self.round is None or self.round.auction.to_act == NOBODY:
            return None
        return self.round.auction.to_act

    @property
    def phase(self) -> str:
        """`open`, `respond` or `decide`; `over` between hands."""
        return "over" if self.round is None else PHASES[self.round.auction.phase]

    @property
    def score(self) -> tuple[int, ...]:
        """Units won or lost by each seat so far; they sum to zero."""
        return self.ledger.score

    @property
    def rounds_played(self) -> int:
        """How many hands have been counted."""
        return len(self.ledger.hands)

    @property
    def winner(self) -> int | None:
        """Always `None`: no digit game ends by itself."""
        return None

    @property
    def round_result(self) -> DigitResult | None:
        """How the hand on the table came out; `None` before its count."""
        return None if self.in_play or not self.ledger.hands else self.ledger.hands[-1][1]

    @property
    def next_opener(self) -> int:
        """Who opens the next hand, unless letters or the table say otherwise."""
        return self.ledger.hands[-1][1].next_opener if self.ledger.hands else 0

    def option_changes(self) -> dict[str, object]:
        """The options that differ from the game's preset, as a record writes them."""
        return self.setup.options.changes_from(self.setup.preset.options)

    def read(self, text: str) -> int:
        """The action that `text` writes, such as `5x7`, `challenge` or `count`."""
        return read(text, self.setup.rules)

    def write(self, action: int) -> str:
        """`action` in the notation."""
        return write(action, self.setup.rules)

    def chance_spec(self, options: Mapping[str, object] | None = None) -> DigitChance:
        """Return what the next hand draws."""
        self._between_hands()
        self.check_round_options(options or {})
        setup, rules = self.setup, self.setup.rules
        letters = setup.preset.letters and not setup.from_slips and not self.ledger.hands
        return DigitChance(
            seats=rules.seats,
            hand_size=rules.hand_size,
            digits=digits_in_play(rules),
            numbers=not setup.from_slips,
            slips=setup.from_slips and self._slip_start() >= self._rows_held(),
            letters=letters,
            redraw=setup.options.first_opener_tie == "redraw",
            opener=not letters and not self.ledger.hands,
        )

    def deal(self, deal: Deal, setup: RoundSetup = BY_THE_RULES) -> DigitSession:
        """Return the session with the next hand on the table."""
        self._between_hands()
        self.check_round_options(setup.options)
        rules, opener, stake = self.setup.rules, setup.opener, setup.stake
        if not isinstance(deal, DigitDeal):
            raise BadDeal(f"deal: {type(deal).__name__} isn't a deal of a digit game")
        if opener is not None and not 0 <= opener < rules.seats:
            raise BadRound(f"opener: {told(opener)} is no seat; they are 0 to {rules.seats - 1}")
        if stake is not None and not 1 <= stake <= MAX_STAKE:
            raise BadRound("stake: it is below 1" if stake < 1 else "stake: it is beyond all counting")
        ledger = self._with_slips(deal)
        if deal.letters:
            self._check_letters(deal)
        if deal.counts is not None:
            check_counts(deal.counts, rules)
        row = self._next_row()
        numbers = deal.numbers if row is None else self._numbers_in(ledger, row)
        if row is None:
            check_seats(numbers, rules, "deal")
            check_numbers(numbers, rules, "deal")
        terms = self._terms(deal, opener, stake, row)
        return DigitSession(self.setup, ledger, DigitRound.begin(rules, terms, numbers, deal.counts))

    def apply(self, action: int) -> DigitSession:
        """The session after the seat to act plays `action`."""
        if self.round is None:
            raise NotNow("round-over", "no hand is in play")
        later = self.round.apply(action)
        if later.auction.phase != OVER:
            return DigitSession(self.setup, self.ledger, later)
        return DigitSession(self.setup, self._closed(later), later)

    def refusal(self, action: int) -> int:
        """Why `action` may not be played now, 0 if it may; see `liarspoker.core.errors`."""
        if self.round is None:
            raise NotNow("round-over", "no hand is in play")
        return self.round.refusal(action)

    def legal(self) -> Legal:
        """What the seat to act may do; nothing between hands."""
        return Legal((), (), endless=False) if self.round is None else self.round.legal()

    def default_action(self) -> int:
        """Return the lowest bid for an opener, a challenge for a responder, a count for a bidder."""
        legal = self.legal()
        return next((answer for answer in (CHALLENGE, COUNT) if answer in legal.answers), legal.min_claim or 0)

    def units(self) -> tuple[int, ...]:
        """Return the payoffs of the hand just counted."""
        assert self.round_result is not None
        return self.round_result.payoffs

    @property
    def outcome(self) -> int:
        """How the hand just counted came out, as numbered in `settlement.OUTCOMES`."""
        assert self.round_result is not None
        return self.round_result.settlement.outcome

    def carry_over(self) -> CarryOver:
        """Return the opener and the stake of the next hand."""
        result = self.round_result
        if result is None:
            return CarryOver()
        return CarryOver(result.next_opener, result.next_stake if result.next_stake > 1 else None)

    def face_down_choice(self, opener: int | None = None) -> FaceDownChoice | None:
        """Return the choice of a bill or a slip each, the final bidder first (source 000, "Use of Bills")."""
        drawn = self.chance_spec()
        if not drawn.numbers and not drawn.slips:
            return None
        first = opener if self.round_result is None else self.round_result.bidder
        return FaceDownChoice("bill" if drawn.numbers else "slip", self.seats + SPARE_BILLS, first, everybody=True)

    def history(self, first: int = 0) -> tuple[PlayedRound, ...]:
        """Return the hands dealt so far; of slips, the hand that begins them has them."""
        hands = [hand for hand, _ in self.ledger.hands]
        if self.in_play and self.round is not None:
            hands.append(self.round)
        return tuple(map(self._played, hands[first:]))

    def _played(self, hand: DigitRound) -> PlayedRound:
        terms = hand.terms
        redrawn = terms.hand == 0 and self.setup.options.first_opener_tie == "redraw"
        opener = terms.opener if terms.opener_agreed or redrawn else None
        setup = RoundSetup(opener, terms.stake if terms.stake_agreed else None)
        if terms.row is None:
            return PlayedRound(DigitDeal(hand.numbers, letters=terms.letters, counts=hand.counts), setup, hand.moves)
        slip, hands_before = divmod(terms.hand, HANDS_PER_SLIP)
        rows = slice(slip * ROWS, (slip + 1) * ROWS)
        slips = () if hands_before else tuple(numbers[rows] for numbers in self.ledger.slips)
        return PlayedRound(DigitDeal(slips=slips, counts=hand.counts), setup, hand.moves)

    @property
    def all_known(self) -> bool:
        """Whether no number of the hand in play, and none on a slip, is hidden."""
        dealt = [*self.ledger.slips, *([self.round.numbers] if self.in_play and self.round else [])]
        return not any(HIDDEN in number for numbers in dealt for number in numbers)

    def show_numbers(self) -> DigitSession:
        """The session after a player has asked to see the numbers of the hand just counted.

        Source 003: "the challenged player reserves the right to see the bills if he so requests".
        """
        if self.round_result is None:
            raise NotNow("wrong-phase", "numbers are shown after the count")
        if self.setup.options.reveal != "on_request":
            raise NotNow("wrong-phase", f"at this table a count shows: {self.setup.options.reveal}")
        return replace(self, ledger=replace(self.ledger, numbers_shown=True))

    def view(self, seat: int | None) -> DigitView:
        """What `seat` may know, or, for `None`, somebody who holds no number.

        This is the one place where secrets pass to a seat: each field is named here, and only the seat's own number
        and slip, or what a count has shown, come from the secret side.
        """
        if seat is not None and not 0 <= seat < self.seats:
            raise BadSeats(f"seat: {seat} is none of 0 to {self.seats - 1}")
        setup, ledger, hand = self.setup, self.ledger, self.round
        result = self.round_result
        return DigitView(
            game=setup.preset.id,
            options=setup.options,
            rules=setup.rules,
            seat=seat,
            terms=None if hand is None else hand.terms,
            auction=None if hand is None else hand.auction,
            moves=() if hand is None else hand.moves,
            number=None if hand is None or seat is None else hand.numbers[seat],
            slip=() if seat is None else self._own_slip(seat),
            played_rows=self._played_rows(),
            score=ledger.score,
            result=result,
            shown=self._shown(),
        )

    def _shown(self) -> tuple[str, ...]:
        """The numbers that the last count has made public, one a seat; empty if none."""
        if self.round is None or self.round_result is None:
            return ()
        reveal = self.setup.options.reveal
        public = reveal == "full" or (reveal == "on_request" and self.ledger.numbers_shown)
        return self.round.numbers if public else ()

    def _played_rows(self) -> int:
        """The rows counted on the slip in play: none at its first hand, when the ledger still has the last one's."""
        new_slip = self.in_play and begins_slip(len(self.ledger.hands))
        return 0 if new_slip else self.ledger.played_rows

    def _own_slip(self, seat: int) -> tuple[str, ...]:
        if not self.ledger.slips or self.round is None:
            return ()
        start = self.round.terms.hand // HANDS_PER_SLIP * ROWS
        return self.ledger.slips[seat][start : start + ROWS]

    def _between_hands(self) -> None:
        if self.in_play:
            raise NotNow("round-unfinished", "the hand in play has not ended")

    def _slip_start(self) -> int:
        return len(self.ledger.hands) // HANDS_PER_SLIP * ROWS

    def _rows_held(self) -> int:
        return len(self.ledger.slips[0]) if self.ledger.slips else 0

    def _with_slips(self, deal: DigitDeal) -> Ledger:
        """The ledger with the slips of `deal` added."""
        ledger = self.ledger
        if bool(deal.numbers) == self.setup.from_slips:
            raise BadDeal("deal: this session is dealt " + ("from slips" if self.setup.from_slips else "as numbers"))
        if not deal.slips:
            return ledger
        if not self.setup.from_slips:
            raise BadDeal("slips: this session is dealt as numbers")
        check_slips(deal.slips, self.setup.rules)
        held = ledger.slips or ((),) * self.seats
        return replace(ledger, slips=tuple(old + new for old, new in zip(held, deal.slips, strict=True)))

    def _check_letters(self, deal: DigitDeal) -> None:
        if not self.setup.preset.letters or self.setup.from_slips or self.ledger.hands:
            raise BadDeal("letters: they choose the first opener of a session dealt as bills, where the game has them")
        check_letters(deal.letters, self.setup.rules)

    def _next_row(self) -> int | None:
        """The row that the next hand plays; `None` where bills are dealt."""
        if not self.setup.from_slips:
            return None
        hand = len(self.ledger.hands)
        odd = sum(self.ledger.hands[-1][1].odd_endings) if hand else 0
        return row_of_hand(hand, self.ledger.row, self.ledger.played_rows, odd)

    def _numbers_in(self, ledger: Ledger, row: int) -> tuple[str, ...]:
        start = self._slip_start()
        if not ledger.slips or start >= len(ledger.slips[0]):
            raise BadDeal(f"slips: hand {len(ledger.hands) + 1} begins slip {start // ROWS + 1}, which is missing")
        return tuple(rows[start + row] for rows in ledger.slips)

    def _opener(self, deal: DigitDeal, agreed: int | None) -> int:
        if agreed is not None:
            return agreed
        if not deal.letters:
            return self.next_opener
        lowest = min(deal.letters)
        if self.setup.options.first_opener_tie == "redraw" and deal.letters.count(lowest) > 1:
            raise NotTold(f"opener: letters {lowest} tie and ties are drawn again; say who opens")
        return deal.letters.index(lowest)

    def _terms(self, deal: DigitDeal, opener: int | None, stake: int | None, row: int | None) -> Terms:
        rules, hand = self.setup.rules, len(self.ledger.hands)
        first, named = self._opener(deal, opener), opener is not None
        if stake is not None:
            why = (Reason("agreed", stake),)
            return Terms(hand, first, stake, stake, why, row, deal.letters, named, stake_agreed=True)
        carried = self.ledger.hands[-1][1].next_stake if self.ledger.hands else 1
        base = base_stake(hand, carried, rules)
        whole = stake_of_hand(hand, base, rules)
        if whole > MAX_STAKE:
            raise BadRound("stake: it has outgrown all counting; agree on a smaller one")
        return Terms(hand, first, base, whole, _stake_reasons(self, base), row, deal.letters, named)

    def _closed(self, hand: DigitRound) -> Ledger:
        result = conclude(hand)
        row = hand.terms.row
        return Ledger(
            hands=(*self.ledger.hands, (hand, result)),
            slips=self.ledger.slips,
            score=tuple(total + won for total, won in zip(self.ledger.score, result.payoffs, strict=True)),
            row=-1 if row is None else row,
            played_rows=0 if row is None else played_after(hand.terms.hand, row, self.ledger.played_rows),
        )


def _stake_reasons(session: DigitSession, base: int) -> tuple[Reason, ...]:
    """Which rules made the stake, as `base_stake` and `stake_of_hand` apply them."""
    rules, hands = session.setup.rules, session.ledger.hands
    reasons = []
    if hands and rules.progressive:
        carried = hands[-1][1].next_stake
        if starts_anew(len(hands), rules):
            reasons.append(Reason("new-slip", base))
        elif carried > 1:
            reasons.append(Reason("carried", carried))
    if is_doubled(len(hands), rules):
        reasons.append(Reason("tenth", 2))
    return tuple(reasons)


class DigitGame(RowGame[DigitPreset, DigitSession]):
    """A digit game of the catalogue."""

    def _begun(
        self, seats: int, options: DigitOptions, from_slips: bool | None, losses: Sequence[int] | None
    ) -> DigitSession:
        standard = options.hand_size == 8 and options.symbols == 10
        if from_slips is None:
            from_slips = self.row.deals_slips and standard
        if from_slips and not self.row.slips:
            raise BadOption(f"slips: {self.row.id} is played with bills")
        if from_slips and not standard:
            raise BadOption("slips: they hold numbers of eight digits of ten; hand_size and symbols must be 8 and 10")
        setup = Setup(self.row, options, packed(options, seats, from_slips), from_slips)
        return DigitSession(setup, Ledger((), (), (0,) * seats), None)


GAME = DigitGame
