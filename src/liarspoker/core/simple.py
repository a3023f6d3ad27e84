"""The ground that a new family of games builds on: hidden hands, a ladder of claims, and a challenge that shows all.

A family whose session is a `SimpleSession` needs no more than its rules: records, live tables, pages, the terminal,
bots and research environments know such sessions already. The session remembers what was dealt and done; the family
says what a round begins with, which actions are legal, and what follows from each of them.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self, TypeVar

from liarspoker.core.cards.match import check_stake, match_score
from liarspoker.core.catalogue import GameRow
from liarspoker.core.errors import (
    LEGAL,
    NO_SUCH_CLAIM,
    NOT_STRONGER,
    ROUND_OVER,
    WRONG_PHASE,
    BadDeal,
    BadOption,
    BadRound,
    BadSeats,
    BadStart,
    IllegalAction,
    NotNow,
    told,
)
from liarspoker.core.family import GameFamily
from liarspoker.core.option_info import GameOptions
from liarspoker.core.session import (
    BY_THE_RULES,
    Below,
    CarryOver,
    Deal,
    FaceDownChoice,
    PlayedRound,
    RoundSetup,
    RowGame,
    Session,
)

MAX_STAKE = 10**12
"""The highest stake that a table can agree on."""

HIDDEN = "?"
"""A symbol of a hand that isn't known."""


@dataclass(frozen=True, slots=True)
class HandDeal(Deal):
    """A hidden hand for each seat.

    Attributes:
        hands: the symbols that each seat holds; `?` for one that isn't known.
    """

    hands: tuple[str, ...]

    def parts(self) -> dict[str, Any]:
        """Return the hands, under the key of a record."""
        return {"deal": list(self.hands)}


@dataclass(frozen=True, slots=True)
class HandDraw:
    """What the next round draws: symbols for each seat, each as likely as any other.

    Attributes:
        symbols: the symbols, one character each.
        sizes: how many symbols each seat draws.
        opener: no rule says who opens; the table draws a seat at random.
    """

    symbols: str
    sizes: tuple[int, ...]
    opener: bool = False

    def draw(self, below: Below) -> HandDeal:
        """Draw the hands, each in ascending order.

        >>> import random
        >>> HandDraw("123456", (3, 2)).draw(random.Random(1).randrange).hands
        ('125', '13')
        """
        drawn = [sorted(below(len(self.symbols)) for _ in range(size)) for size in self.sizes]
        return HandDeal(tuple("".join(self.symbols[index] for index in hand) for hand in drawn))

    def parts(self) -> dict[str, Any]:
        """Return the symbols, and how many of them each seat draws."""
        return {"kind": "hands", "symbols": self.symbols, "sizes": list(self.sizes)}

    def check(self, deal: Deal) -> HandDeal:
        """Return `deal` as what this draws.

        Raises:
            BadDeal: it isn't.
        """
        if not isinstance(deal, HandDeal):
            raise BadDeal(f"deal: {type(deal).__name__} isn't a deal of hands")
        if len(deal.hands) != len(self.sizes):
            raise BadDeal(f"deal: {len(deal.hands)} hands; there are {len(self.sizes)} seats")
        for seat, (hand, size) in enumerate(zip(deal.hands, self.sizes, strict=True)):
            if len(hand) != size:
                raise BadDeal(f"deal: seat {seat} has {len(hand)} symbols, not {size}")
            if set(hand) - set(self.symbols) - {HIDDEN}:
                raise BadDeal(f"deal: {told(hand)}, seat {seat}; the symbols are {self.symbols}")
        return deal


@dataclass(frozen=True, slots=True)
class SimpleOptions(GameOptions):
    """The options of a game; a family's own class has a field for each of them."""


@dataclass(frozen=True, slots=True)
class SimpleLegal:
    """What the seat to act may do; see `liarspoker.core.session.Legal`."""

    claims: Sequence[int] = ()
    answers: Sequence[int] = ()

    @property
    def actions(self) -> tuple[int, ...]:
        """Claims, then answers."""
        return (*self.claims, *self.answers)


@dataclass(frozen=True, slots=True, kw_only=True)
class SimpleView:
    """What one seat may know of a session.

    Attributes:
        game: the catalogue id.
        seat: whose view this is; `None` for a spectator.
        seats: how many players.
        alive: the seats still in.
        round: the number of the round, from 0.
        opener: the seat that opened it; `None` before the first round.
        phase: as the notation names it.
        to_act: the seat whose turn it is; `None` between rounds.
        moves: seats and their actions.
        texts: each of `moves` in the notation.
        stake: what the round is played for; `None` in a match.
        claim: the claim to beat, in the notation; empty before the first.
        hand: what the seat holds; empty for a spectator.
        shown: all hands, once the round is over; empty before.
        sizes: how many symbols each seat holds.
        units: units won or lost in the round by each seat, once it is over; empty before.
        score: units won or lost so far.
        losses: how often each seat has lost; empty without elimination.
        losses_before: `losses` when the round began.
        winner: the seat that has won the match.
        result: how the round came out, in sentences, with `{2}` for the name of seat 2; `None` before its end.
        legal: what the seat to act may do.
        legal_texts: each of `legal.actions` in the notation.
    """

    game: str
    seat: int | None
    seats: int
    alive: tuple[int, ...]
    round: int
    opener: int | None
    phase: str
    to_act: int | None
    moves: tuple[tuple[int, int], ...]
    texts: tuple[str, ...]
    stake: int | None
    claim: str
    hand: str
    shown: tuple[str, ...]
    sizes: tuple[int, ...]
    units: tuple[int, ...]
    score: tuple[int, ...]
    losses: tuple[int, ...]
    losses_before: tuple[int, ...]
    winner: int | None
    result: tuple[str, ...] | None
    legal: SimpleLegal
    legal_texts: tuple[str, ...]

    @property
    def my_turn(self) -> bool:
        """Whether this seat is to act."""
        return self.seat is not None and self.seat == self.to_act


@dataclass(frozen=True, slots=True, kw_only=True)
class SimpleSession(Session):
    """A session of a family that keeps to these conventions.

    A claim is an int from 0, the stronger the greater; other actions are negative. The first round's opener is drawn at
    random. All hands are shown when a round is over. A family adds fields for the state of a round, with defaults for
    the time before the first one, and defines `draw`, `begun`, `to_act`, `playable`, `after`, `read`, `write`, `won`
    and `next_opener`. Where players are eliminated, so that its row says `has_winner`, it defines `alive` too, and
    `after` raises `losses`; the last player left has won the match, which pays one unit from every other.

    Attributes:
        row: the game.
        seats: how many players.
        options: the value of each option, of the family's own class.
        rounds: what was dealt and done in each round, that in play included.
        score: units won or lost by each seat in the rounds that have ended.
        losses: how often each seat has lost; empty without elimination.
        losses_before: `losses` when the round on the table began.
        losses_first: `losses` before the first round.
    """

    row: SimpleRow
    seats: int
    options: SimpleOptions = SimpleOptions()
    rounds: tuple[PlayedRound, ...] = ()
    score: tuple[int, ...]
    losses: tuple[int, ...] = ()
    losses_before: tuple[int, ...] = ()
    losses_first: tuple[int, ...] = ()

    @abstractmethod
    def draw(self) -> HandDraw:
        """Return what the next round draws."""

    @abstractmethod
    def begun(self, hands: tuple[str, ...], opener: int) -> Self:
        """Return the session at the beginning of a round."""

    @abstractmethod
    def after(self, action: int) -> Self:
        """Return the session after a legal action of the seat to act."""

    @abstractmethod
    def playable(self) -> SimpleLegal:
        """Return what the seat to act may do; a round is in play."""

    @abstractmethod
    def won(self) -> tuple[int, ...]:
        """Return what each seat wins in the round that has ended, at a stake of 1; it sums to zero."""

    def units(self) -> tuple[int, ...]:
        """Return the units won or lost by each seat in the round that has ended; a match pays at its end."""
        if self.has_winner:
            return (0,) * self.seats
        return tuple(self.stake * units for units in self.won())

    @property
    def stake(self) -> int:
        """What the round on the table is played for: 1, if the table hasn't agreed otherwise."""
        return (self.rounds[-1].setup.stake or 1) if self.rounds else 1

    @property
    def has_winner(self) -> bool:
        """Whether players are eliminated, as the row says."""
        return self.row.has_winner

    @property
    def alive(self) -> tuple[int, ...]:
        """All seats."""
        return tuple(range(self.seats))

    @property
    def winner(self) -> int | None:
        """The last seat left of a match; else nobody, for the game goes on for as long as the table likes."""
        return self.alive[0] if self.has_winner and len(self.alive) == 1 else None

    @property
    def in_play(self) -> bool:
        """Whether a round has been dealt and not ended."""
        return self.to_act is not None

    @property
    def phase(self) -> str:
        """`open` before the first claim, then `respond`; `over` between rounds."""
        if not self.in_play:
            return "over"
        return "open" if self.claim is None else "respond"

    @property
    def rounds_played(self) -> int:
        """How many rounds have ended."""
        return len(self.rounds) - self.in_play

    @property
    def round_result(self) -> tuple[str, ...] | None:
        """How the round on the table came out, as `result_text` says; `None` before its end."""
        return tuple(self.result_text()) if self.rounds and not self.in_play else None

    @property
    def outcome(self) -> int:
        """1 if the claim was made, 0 if it failed."""
        return int(self.claimant is not None and self.won()[self.claimant] >= 0)

    @property
    def moves(self) -> tuple[tuple[int, int], ...]:
        """Seats and their actions in the round on the table."""
        return self.rounds[-1].moves if self.rounds else ()

    @property
    def hands(self) -> tuple[str, ...]:
        """The hands of the round on the table."""
        deal = self.rounds[-1].deal if self.rounds else None
        return deal.hands if isinstance(deal, HandDeal) else ()

    @property
    def claim(self) -> int | None:
        """The last claim of the round on the table."""
        return next((action for _, action in reversed(self.moves) if action >= 0), None)

    @property
    def claimant(self) -> int | None:
        """The seat that made the last claim."""
        return next((seat for seat, action in reversed(self.moves) if action >= 0), None)

    def legal(self) -> SimpleLegal:
        """Return what the seat to act may do; nothing between rounds."""
        return self.playable() if self.in_play else SimpleLegal()

    def refusal(self, action: int) -> int:
        """Return why `action` may not be played now, 0 if it may; it follows from `playable`."""
        if not self.rounds:
            raise NotNow("round-over", f"no {self.round_word} is in play")
        if not self.in_play:
            return ROUND_OVER
        legal = self.playable()
        if action in legal.claims or action in legal.answers:
            return LEGAL
        if action < 0:
            return WRONG_PHASE
        return NO_SUCH_CLAIM if self.claim is None or action > self.claim else NOT_STRONGER

    def result_text(self) -> list[str]:
        """Return how the round that has ended came out, in sentences.

        `{2}` is the place of the name of seat 2; a word in -s right after it, as in `{2} pays`, is its verb.
        """
        if self.has_winner:
            return [f"{{{seat}}} loses the {self.round_word}" for seat, won in enumerate(self.won()) if won < 0]
        return [f"{{{seat}}}: {units:+d}" for seat, units in enumerate(self.units()) if units]

    def option_changes(self) -> dict[str, object]:
        """Return the options that differ from the game's preset."""
        return self.options.changes_from(self.row.options)

    def chance_spec(self, options: Mapping[str, object] | None = None) -> HandDraw:
        """Return what the next round draws."""
        self._check_between_rounds()
        self.check_round_options(options or {})
        return replace(self.draw(), opener=not self.rounds)

    def deal(self, deal: Deal, setup: RoundSetup = BY_THE_RULES) -> Self:
        """Return the session with the next round on the table."""
        self._check_between_rounds()
        self.check_round_options(setup.options)
        if self.has_winner:
            check_stake(setup)
        if setup.stake is not None and not 1 <= setup.stake <= MAX_STAKE:
            raise BadRound(f"stake: {told(setup.stake)}; it must be from 1 to {MAX_STAKE}")
        opener = self.next_opener if setup.opener is None else setup.opener
        if opener not in self.alive:
            raise BadRound(f"opener: {told(opener)} isn't a seat in play")
        hands = self.draw().check(deal)
        begun = replace(self, rounds=(*self.rounds, PlayedRound(hands, setup)), losses_before=self.losses)
        return begun.begun(hands.hands, opener)

    def apply(self, action: int) -> Self:
        """Return the session after `action` of the seat to act."""
        refusal = self.refusal(action)
        if refusal != LEGAL:
            raise IllegalAction(action, refusal)
        assert self.to_act is not None
        played = replace(self.rounds[-1], moves=(*self.moves, (self.to_act, action)))
        later = replace(self.after(action), rounds=(*self.rounds[:-1], played))
        if later.in_play:
            return later
        if later.has_winner:
            return replace(later, score=match_score(later.seats, later.alive))
        return replace(later, score=tuple(map(sum, zip(later.score, later.units(), strict=True))))

    def history(self, first: int = 0) -> tuple[PlayedRound, ...]:
        """Return the rounds dealt so far."""
        return self.rounds[first:]

    @property
    def all_known(self) -> bool:
        """Whether no symbol of the round in play is hidden."""
        return not self.in_play or not any(HIDDEN in hand for hand in self.hands)

    def default_action(self) -> int:
        """Return the first answer if there is one, else the weakest claim."""
        legal = self.legal()
        return next(iter(legal.answers), next(iter(legal.claims), 0))

    def carry_over(self) -> CarryOver:
        """Return the opener of the next round, and in a match who is still in and what they have lost."""
        opener = self.next_opener if self.rounds and self.winner is None else None
        return CarryOver(opener, losses=self.losses, alive=self.alive if self.has_winner else ())

    def check_end(self) -> None:
        """Refuse hands that a round shows at its end and the deal does not tell."""
        if self.in_play:
            return
        for seat, hand in enumerate(self.hands):
            if HIDDEN in hand:
                raise BadDeal(f"deal: {told(hand)}, seat {seat}; the {self.round_word} has ended and shows all hands")

    def face_down_choice(self, opener: int | None = None) -> FaceDownChoice | None:
        """Return `None`: nothing is chosen face down."""
        return None

    def view(self, seat: int | None) -> SimpleView:
        """Return what `seat` may know: its own hand, and all hands once the round is over."""
        if seat is not None and not 0 <= seat < self.seats:
            raise BadSeats(f"seat: {seat} isn't one of 0 to {self.seats - 1}")
        over = bool(self.rounds) and not self.in_play
        legal = self.legal()
        claim = self.claim
        return SimpleView(
            game=self.row.id,
            seat=seat,
            seats=self.seats,
            alive=self.alive,
            round=max(len(self.rounds) - 1, 0),
            opener=self.opener,
            phase=self.phase,
            to_act=self.to_act,
            moves=self.moves,
            texts=tuple(self.write(action) for _, action in self.moves),
            stake=None if self.has_winner else self.stake,
            claim="" if claim is None else self.write(claim),
            hand=self.hands[seat] if seat is not None and self.hands else "",
            shown=self.hands if over else (),
            sizes=tuple(map(len, self.hands)),
            units=self.units() if over else (),
            score=self.score,
            losses=self.losses,
            losses_before=self.losses_before,
            winner=self.winner,
            result=self.round_result,
            legal=legal,
            legal_texts=tuple(self.write(action) for action in legal.actions),
        )

    @property
    def opener(self) -> int | None:
        """The seat that opened the round on the table: that of the first action, or the one to act."""
        return self.moves[0][0] if self.moves else self.to_act

    def _check_between_rounds(self) -> None:
        if self.in_play:
            raise NotNow("round-unfinished", f"the {self.round_word} in play has not ended")
        if self.winner is not None:
            raise NotNow("match-over", f"seat {self.winner} has won the match")


@dataclass(frozen=True, slots=True, kw_only=True)
class SimpleRow(GameRow):
    """A game of such a family; its options are of the family's own class."""

    options: SimpleOptions = SimpleOptions()


Played = TypeVar("Played", bound=SimpleSession)


@dataclass(frozen=True, slots=True)
class SimpleGame(RowGame[SimpleRow, Played]):
    """A game of such a family, with the class of its sessions."""

    begin: type[Played]

    def _begun(
        self, seats: int, options: SimpleOptions, from_slips: bool | None, losses: Sequence[int] | None
    ) -> Played:
        if from_slips:
            raise BadOption(f"slips: {self.row.id} isn't dealt from slips")
        begins = tuple(losses or ((0,) * seats if self.row.has_winner else ()))
        begun = self.begin(
            row=self.row,
            seats=seats,
            options=options,
            score=(0,) * seats,
            losses=begins,
            losses_before=begins,
            losses_first=begins,
        )
        if losses and (len(losses) != seats or min(losses) < 0 or not self.row.has_winner or len(begun.alive) < 2):
            raise BadStart(
                f"losses: {', '.join(map(told, losses))}; no match of {self.row.id} begins so with {seats} players"
            )
        return begun


class SimpleFamily(GameFamily):
    """A family whose sessions are simple; its `rows` are a `SimpleRow` each."""

    session: ClassVar[type[SimpleSession]]
    """The class of its sessions."""

    def game(self, row: GameRow) -> SimpleGame[SimpleSession]:
        """The game of a catalogue row."""
        assert isinstance(row, SimpleRow), row
        return SimpleGame(row, self.session)
