"""A session of a digit game: a sequence of hands with the stake, opener, slips and score that carry over."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from liarspoker.core.errors import BadDeal, BadOption, BadRound, BadSeats, MissingInformation, NotNow, format_value
from liarspoker.core.session import (
    BY_THE_RULES,
    CarryOver,
    Deal,
    FaceDownChoice,
    PlayedRound,
    PresetGame,
    Reason,
    RoundSetup,
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
from liarspoker.games.digits.settlement import base_stake, is_doubled, resets_stake, stake_of_hand
from liarspoker.language import _

SPARE_BILLS = 2
"""The number of bills or slips beyond one per player, so that the last player to choose has a choice too."""

MAX_STAKE = 10**1000
"""The highest stake in units. With `compound_carry`, stakes grow without bound."""


@dataclass(frozen=True, slots=True)
class Setup:
    """The fixed settings of a session.

    Attributes:
        preset: the game's preset.
        options: the options in force.
        rules: the same, packed for the rule functions.
        from_slips: the session is dealt from slips.
    """

    preset: DigitPreset
    options: DigitOptions
    rules: Rules
    from_slips: bool


@dataclass(frozen=True, slots=True)
class Ledger:
    """The history of a session.

    Attributes:
        hands: the finished hands with their results, in order.
        slips: each seat's numbers on all its slips so far, fifteen per slip; secret.
        score: units won or lost by each seat; they sum to zero.
        row: the row of the current slip played last; -1 for none.
        played_rows: mask of the rows played on the current slip.
        numbers_shown: a player has asked to see the numbers of the last hand.
    """

    hands: tuple[tuple[DigitRound, DigitResult], ...]
    slips: tuple[tuple[str, ...], ...]
    score: tuple[int, ...]
    row: int = -1
    played_rows: int = 0
    numbers_shown: bool = False


@dataclass(frozen=True, slots=True)
class DigitSession(Session):
    """A session of a digit game. It is immutable: `deal` and `apply` return the next session.

    `liarspoker.core.session.Session` documents the methods.

    Attributes:
        setup: the fixed settings.
        ledger: the history.
        round: the hand on the table; `None` before the first.

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
        """The number of players."""
        return self.setup.rules.seats

    @property
    def alive(self) -> tuple[int, ...]:
        """All seats; nobody is eliminated in a digit game."""
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
        """The number of hands that have been counted."""
        return len(self.ledger.hands)

    @property
    def winner(self) -> int | None:
        """Always `None`: a digit game has no winner."""
        return None

    @property
    def round_result(self) -> DigitResult | None:
        """The result of the hand on the table; `None` before its count."""
        return None if self.in_play or not self.ledger.hands else self.ledger.hands[-1][1]

    @property
    def next_opener(self) -> int:
        """The seat that opens the next hand, unless letters or the table determine another."""
        return self.ledger.hands[-1][1].next_opener if self.ledger.hands else 0

    def option_changes(self) -> dict[str, object]:
        """Return the options that differ from the preset, as a record writes them."""
        return self.setup.options.changes_from(self.setup.preset.options)

    def read(self, text: str) -> int:
        """Return the action that `text` denotes, such as `5x7`, `challenge` or `count`."""
        return read(text, self.setup.rules)

    def write(self, action: int) -> str:
        """Return `action` in the notation."""
        return write(action, self.setup.rules)

    def chance_spec(self, options: Mapping[str, object] | None = None) -> DigitChance:
        """Return what is drawn for the next hand."""
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
            raise BadDeal(_("deal: {deal} isn't a deal of a digit game", deal=type(deal).__name__))
        if opener is not None and not 0 <= opener < rules.seats:
            raise BadRound(
                _(
                    "opener: {opener} isn't a seat; seats are 0 to {last}",
                    opener=format_value(opener),
                    last=rules.seats - 1,
                )
            )
        if stake is not None and not 1 <= stake <= MAX_STAKE:
            raise BadRound(_("stake: it must be at least 1") if stake < 1 else _("stake: it is too large"))
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
        terms = self._terms(deal, setup, row)
        return DigitSession(self.setup, ledger, DigitRound.begin(rules, terms, numbers, deal.counts))

    def apply(self, action: int) -> DigitSession:
        """Return the session after the seat to act plays `action`."""
        if self.round is None:
            raise NotNow("round-over", _("no hand is in play"))
        later = self.round.apply(action)
        if later.auction.phase != OVER:
            return DigitSession(self.setup, self.ledger, later)
        return DigitSession(self.setup, self._closed(later), later)

    def refusal(self, action: int) -> int:
        """Return `LEGAL` (0) if `action` may be played now, else a refusal code of `liarspoker.core.errors`."""
        if self.round is None:
            raise NotNow("round-over", _("no hand is in play"))
        return self.round.refusal(action)

    def legal(self) -> Legal:
        """Return the legal actions; none between hands."""
        return Legal((), (), endless=False) if self.round is None else self.round.legal()

    def default_action(self) -> int:
        """Return the lowest bid for the opener, a challenge for a responder, a count for the bidder."""
        legal = self.legal()
        return next((answer for answer in (CHALLENGE, COUNT) if answer in legal.answers), legal.min_claim or 0)

    def units(self) -> tuple[int, ...]:
        """Return the payoffs of the hand just counted."""
        assert self.round_result is not None
        return self.round_result.payoffs

    @property
    def outcome(self) -> int:
        """The outcome of the hand just counted, an index of `liarspoker.games.digits.settlement.OUTCOMES`."""
        assert self.round_result is not None
        return self.round_result.settlement.outcome

    def carry_over(self) -> CarryOver:
        """Return the opener and the stake of the next hand."""
        result = self.round_result
        if result is None:
            return CarryOver()
        return CarryOver(result.next_opener, result.next_stake if result.next_stake > 1 else None)

    def face_down_choice(self, opener: int | None = None) -> FaceDownChoice | None:
        """Return the choice of a bill or a slip by each player, the final bidder first (source 000, "Use of Bills")."""
        drawn = self.chance_spec()
        if not drawn.numbers and not drawn.slips:
            return None
        first = opener if self.round_result is None else self.round_result.bidder
        return FaceDownChoice("bill" if drawn.numbers else "slip", self.seats + SPARE_BILLS, first, everybody=True)

    def history(self, first: int = 0) -> tuple[PlayedRound, ...]:
        """Return the hands dealt so far; slips are in the deal of the first hand played from them."""
        hands = [hand for hand, _ in self.ledger.hands]
        if self.in_play and self.round is not None:
            hands.append(self.round)
        return tuple(map(self._played, hands[first:]))

    def _played(self, hand: DigitRound) -> PlayedRound:
        terms = hand.terms
        redrawn = terms.hand == 0 and self.setup.options.first_opener_tie == "redraw"
        opener = terms.opener if terms.opener_agreed or redrawn else None
        carried = terms.stake_agreed and terms.why == (Reason("carried", terms.stake),)
        setup = RoundSetup(opener, terms.stake if terms.stake_agreed else None, carried=carried)
        if terms.row is None:
            return PlayedRound(DigitDeal(hand.numbers, letters=terms.letters, counts=hand.counts), setup, hand.moves)
        slip, hands_before = divmod(terms.hand, HANDS_PER_SLIP)
        rows = slice(slip * ROWS, (slip + 1) * ROWS)
        slips = () if hands_before else tuple(numbers[rows] for numbers in self.ledger.slips)
        return PlayedRound(DigitDeal(slips=slips, counts=hand.counts), setup, hand.moves)

    @property
    def all_known(self) -> bool:
        """Whether all numbers of the hand in play and on slips are known."""
        dealt = [*self.ledger.slips, *([self.round.numbers] if self.in_play and self.round else [])]
        return not any(HIDDEN in number for numbers in dealt for number in numbers)

    def show_numbers(self) -> DigitSession:
        """Return the session after a player has asked to see the numbers of the hand just counted.

        Source 003 (Shackleford) gives the challenged player the right to see the bills.

        Raises:
            NotNow: before the count, or if the option `reveal` isn't `on_request`.
        """
        if self.round_result is None:
            raise NotNow("wrong-phase", _("numbers can only be shown after the count"))
        if self.setup.options.reveal != "on_request":
            raise NotNow(
                "wrong-phase",
                _("numbers can't be requested: the option reveal is {value}", value=self.setup.options.reveal),
            )
        return replace(self, ledger=replace(self.ledger, numbers_shown=True))

    def view(self, seat: int | None) -> DigitView:
        """Return what `seat` may know; for `None`, what a spectator may know.

        This is the only place where hidden information reaches a seat: its own number and slip, and the numbers that
        the count has shown.

        Raises:
            BadSeats: there is no such seat.
        """
        if seat is not None and not 0 <= seat < self.seats:
            raise BadSeats(_("seat: {seat} must be between 0 and {last}", seat=seat, last=self.seats - 1))
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
        """Return each seat's number if the last count has made them public; else nothing."""
        if self.round is None or self.round_result is None:
            return ()
        reveal = self.setup.options.reveal
        public = reveal == "full" or (reveal == "on_request" and self.ledger.numbers_shown)
        return self.round.numbers if public else ()

    def _played_rows(self) -> int:
        """Return the mask of rows counted on the current slip; during its first hand, none."""
        new_slip = self.in_play and begins_slip(len(self.ledger.hands))
        return 0 if new_slip else self.ledger.played_rows

    def _own_slip(self, seat: int) -> tuple[str, ...]:
        if not self.ledger.slips or self.round is None:
            return ()
        start = self.round.terms.hand // HANDS_PER_SLIP * ROWS
        return self.ledger.slips[seat][start : start + ROWS]

    def _between_hands(self) -> None:
        if self.in_play:
            raise NotNow("round-unfinished", _("the hand in play has not ended"))

    def _slip_start(self) -> int:
        return len(self.ledger.hands) // HANDS_PER_SLIP * ROWS

    def _rows_held(self) -> int:
        return len(self.ledger.slips[0]) if self.ledger.slips else 0

    def _with_slips(self, deal: DigitDeal) -> Ledger:
        """Return the ledger with the slips of `deal` added."""
        ledger = self.ledger
        if bool(deal.numbers) == self.setup.from_slips:
            raise BadDeal(
                _("deal: this session is dealt from slips")
                if self.setup.from_slips
                else _("deal: this session is dealt from bills")
            )
        if not deal.slips:
            return ledger
        if not self.setup.from_slips:
            raise BadDeal(_("slips: this session is dealt from bills"))
        check_slips(deal.slips, self.setup.rules)
        held = ledger.slips or ((),) * self.seats
        return replace(ledger, slips=tuple(old + new for old, new in zip(held, deal.slips, strict=True)))

    def _check_letters(self, deal: DigitDeal) -> None:
        if not self.setup.preset.letters or self.setup.from_slips or self.ledger.hands:
            raise BadDeal(
                _("letters: only the first hand of a session dealt from bills can have them, in a game that uses them")
            )
        check_letters(deal.letters, self.setup.rules)

    def _next_row(self) -> int | None:
        """Return the row that the next hand plays; `None` where bills are dealt."""
        if not self.setup.from_slips:
            return None
        hand = len(self.ledger.hands)
        odd = sum(self.ledger.hands[-1][1].odd_endings) if hand else 0
        return row_of_hand(hand, self.ledger.row, self.ledger.played_rows, odd)

    def _numbers_in(self, ledger: Ledger, row: int) -> tuple[str, ...]:
        start = self._slip_start()
        if not ledger.slips or start >= len(ledger.slips[0]):
            raise BadDeal(
                _(
                    "slips: hand {hand} needs slip {slip}, which is missing",
                    hand=len(ledger.hands) + 1,
                    slip=start // ROWS + 1,
                )
            )
        return tuple(rows[start + row] for rows in ledger.slips)

    def _opener(self, deal: DigitDeal, agreed: int | None) -> int:
        if agreed is not None:
            return agreed
        if not deal.letters:
            return self.next_opener
        lowest = min(deal.letters)
        if self.setup.options.first_opener_tie == "redraw" and deal.letters.count(lowest) > 1:
            raise MissingInformation(
                _(
                    "opener: the lowest letters {letters} are tied, and ties are drawn again; give the opener",
                    letters=lowest,
                )
            )
        return deal.letters.index(lowest)

    def _terms(self, deal: DigitDeal, setup: RoundSetup, row: int | None) -> Terms:
        rules, hand, stake = self.setup.rules, len(self.ledger.hands), setup.stake
        first, named = self._opener(deal, setup.opener), setup.opener is not None
        if stake is not None:
            why = (Reason("carried" if setup.carried else "agreed", stake),)
            return Terms(hand, first, stake, stake, why, row, deal.letters, named, stake_agreed=True)
        carried = self.ledger.hands[-1][1].next_stake if self.ledger.hands else 1
        base = base_stake(hand, carried, rules)
        total = stake_of_hand(hand, base, rules)
        if total > MAX_STAKE:
            raise BadRound(_("stake: it is too large; agree on a smaller one"))
        return Terms(hand, first, base, total, _stake_reasons(self, base), row, deal.letters, named)

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
    """Return the rules behind the stake, as `base_stake` and `stake_of_hand` apply them."""
    rules, hands = session.setup.rules, session.ledger.hands
    reasons = []
    if hands and rules.progressive:
        carried = hands[-1][1].next_stake
        if resets_stake(len(hands), rules):
            reasons.append(Reason("new-slip", base))
        elif carried > 1:
            reasons.append(Reason("carried", carried))
    if is_doubled(len(hands), rules):
        reasons.append(Reason("tenth", 2))
    return tuple(reasons)


class DigitGame(PresetGame[DigitPreset, DigitSession]):
    """A digit game of the catalogue; see `liarspoker.core.session.PresetGame`."""

    def _new_session(
        self, seats: int, options: DigitOptions, from_slips: bool | None, losses: Sequence[int] | None
    ) -> DigitSession:
        standard = options.hand_size == 8 and options.symbols == 10
        if from_slips is None:
            from_slips = self.preset.deals_slips and standard
        if from_slips and not self.preset.slips:
            raise BadOption(_("slips: {game} is played with bills only", game=self.preset.id))
        if from_slips and not standard:
            raise BadOption(_("slips: they need hand_size = 8 and symbols = 10"))
        setup = Setup(self.preset, options, packed(options, seats, from_slips), from_slips)
        return DigitSession(setup, Ledger((), (), (0,) * seats), None)


GAME = DigitGame
"""The class of the family's games."""
