"""Base classes for new families of games: hidden hands, a ladder of claims, and a challenge that reveals all hands.

A family whose session is a `SimpleSession` needs only its rules: records, live tables, pages, the terminal, bots and
research environments support such sessions. The base class keeps the deals and the moves. The family defines how a
round begins, which actions are legal, and what each action does.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self, TypeVar

from liarspoker.core.cards.match import check_stake, match_score
from liarspoker.core.catalogue import GamePreset
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
    format_value,
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
    PresetGame,
    RoundSetup,
    Session,
)
from liarspoker.language import N_, _

MAX_STAKE = 10**12
"""The highest stake in units that a table can agree on."""

HIDDEN = "?"
"""Takes the place of a symbol that isn't known."""


@dataclass(frozen=True, slots=True)
class HandDeal(Deal):
    """A hidden hand for each seat.

    Attributes:
        hands: each seat's symbols; `?` for an unknown one.
    """

    hands: tuple[str, ...]

    def parts(self) -> dict[str, Any]:
        """Return the hands under the key of a record."""
        return {"deal": list(self.hands)}


@dataclass(frozen=True, slots=True)
class HandDraw:
    """The draw for the next round: uniformly random symbols for each seat.

    Attributes:
        symbols: the possible symbols, one character each.
        sizes: the number of symbols that each seat draws.
        opener: no rule determines the opener; the table draws a seat at random.
    """

    symbols: str
    sizes: tuple[int, ...]
    opener: bool = False

    def draw(self, below: Below) -> HandDeal:
        """Draw the hands, each sorted in the order of `symbols`.

        >>> import random
        >>> HandDraw("123456", (3, 2)).draw(random.Random(1).randrange).hands
        ('125', '13')
        """
        drawn = [sorted(below(len(self.symbols)) for _ in range(size)) for size in self.sizes]
        return HandDeal(tuple("".join(self.symbols[index] for index in hand) for hand in drawn))

    def parts(self) -> dict[str, Any]:
        """Return the symbols and the number that each seat draws."""
        return {"kind": "hands", "symbols": self.symbols, "sizes": list(self.sizes)}

    def check(self, deal: Deal) -> HandDeal:
        """Check that `deal` is a possible result of this draw, and return it.

        Raises:
            BadDeal: it isn't.
        """
        if not isinstance(deal, HandDeal):
            raise BadDeal(_("deal: {deal} isn't a deal of hands", deal=type(deal).__name__))
        if len(deal.hands) != len(self.sizes):
            raise BadDeal(_("deal: {hands} hands for {seats} seats", hands=len(deal.hands), seats=len(self.sizes)))
        for seat, (hand, size) in enumerate(zip(deal.hands, self.sizes, strict=True)):
            if len(hand) != size:
                raise BadDeal(
                    _("deal: seat {seat} has {count} symbols, not {size}", seat=seat, count=len(hand), size=size)
                )
            if set(hand) - set(self.symbols) - {HIDDEN}:
                raise BadDeal(
                    _(
                        "deal: {hand}, seat {seat}; the symbols are {symbols}",
                        hand=format_value(hand),
                        seat=seat,
                        symbols=self.symbols,
                    )
                )
        return deal


@dataclass(frozen=True, slots=True)
class SimpleOptions(GameOptions):
    """Base class of a game's options; a family's class has a field for each option."""


@dataclass(frozen=True, slots=True)
class SimpleLegal:
    """The legal actions of the seat to act; see `liarspoker.core.session.Legal`.

    Attributes:
        claims: the legal claims, weakest first.
        answers: the other legal actions.
    """

    claims: Sequence[int] = ()
    answers: Sequence[int] = ()

    @property
    def actions(self) -> tuple[int, ...]:
        """All legal actions: claims, then answers."""
        return (*self.claims, *self.answers)


@dataclass(frozen=True, slots=True, kw_only=True)
class SimpleView:
    """The information that one seat, or a spectator, may have.

    Attributes:
        game: the catalogue ID.
        seat: whose view this is; `None` for a spectator.
        seats: the number of players.
        alive: the seats still in.
        round: the number of the round, from 0.
        opener: the seat that opened it; `None` before the first round.
        phase: the name of the phase in the notation.
        to_act: the seat whose turn it is; `None` between rounds.
        moves: the moves of the round, as (seat, action).
        texts: the actions of `moves` in the notation.
        stake: the stake in units; `None` in a match.
        claim: the claim to beat, in the notation; empty before the first.
        hand: the seat's hand; empty for a spectator.
        shown: all hands once the round is over; empty before.
        sizes: the number of symbols in each seat's hand.
        units: units won or lost in the round by each seat, once it is over; empty before.
        score: units won or lost by each seat so far.
        losses: the number of losses of each seat; empty without elimination.
        losses_before: `losses` when the round began.
        winner: the seat that has won the match; `None` if there is no winner.
        result: the result in sentences, with `{2}` for the name of seat 2; `None` before the end of the round.
        legal: the legal actions of the seat to act.
        legal_texts: `legal.actions` in the notation.
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
    """Base class of the sessions of a new family.

    A claim is an int of 0 or more, and the stronger claim is the greater int; other actions are negative. The opener of
    the first round is drawn at random. All hands are shown when a round is over.

    A subclass adds fields for the state of a round, with defaults for the time before the first one, and defines
    `draw`, `begin_round`, `to_act`, `legal_actions`, `after`, `read`, `write`, `payoffs` and `next_opener`. If players
    are eliminated (`has_winner` in the preset), it also defines `alive`, and `after` updates `losses`; the last player
    left wins one unit from each of the others.

    Attributes:
        preset: the game's preset.
        seats: the number of players.
        options: the value of each option.
        rounds: the deal, setup and moves of each round, including the one in play.
        score: units won or lost by each seat in the rounds that have ended.
        losses: the number of losses of each seat; empty without elimination.
        losses_before: `losses` when the round on the table began.
        losses_first: `losses` before the first round.
    """

    preset: SimplePreset
    seats: int
    options: SimpleOptions = SimpleOptions()
    rounds: tuple[PlayedRound, ...] = ()
    score: tuple[int, ...]
    losses: tuple[int, ...] = ()
    losses_before: tuple[int, ...] = ()
    losses_first: tuple[int, ...] = ()

    @abstractmethod
    def draw(self) -> HandDraw:
        """Return the draw for the next round."""

    @abstractmethod
    def begin_round(self, hands: tuple[str, ...], opener: int) -> Self:
        """Return the session at the start of a round.

        Args:
            hands: each seat's hand.
            opener: the seat that opens.
        """

    @abstractmethod
    def after(self, action: int) -> Self:
        """Return the session after `action`, a legal action of the seat to act."""

    @abstractmethod
    def legal_actions(self) -> SimpleLegal:
        """Return the legal actions of the seat to act; a round is in play."""

    @abstractmethod
    def payoffs(self) -> tuple[int, ...]:
        """Return each seat's payoff at stake 1 in the round that has ended; payoffs sum to zero."""

    def units(self) -> tuple[int, ...]:
        """Return the units won or lost by each seat in the round that has ended; 0 in a match."""
        if self.has_winner:
            return (0,) * self.seats
        return tuple(self.stake * units for units in self.payoffs())

    @property
    def stake(self) -> int:
        """The stake of the round on the table in units: 1 unless the table has agreed on another."""
        return (self.rounds[-1].setup.stake or 1) if self.rounds else 1

    @property
    def has_winner(self) -> bool:
        """Whether players are eliminated, as in the preset."""
        return self.preset.has_winner

    @property
    def alive(self) -> tuple[int, ...]:
        """All seats."""
        return tuple(range(self.seats))

    @property
    def winner(self) -> int | None:
        """The last seat still in, in a match; else `None`."""
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
        """The number of rounds that have ended."""
        return len(self.rounds) - self.in_play

    @property
    def round_result(self) -> tuple[str, ...] | None:
        """The result of the round on the table, as in `result_text`; `None` before its end."""
        return tuple(self.result_text()) if self.rounds and not self.in_play else None

    @property
    def outcome(self) -> int:
        """1 if the claim was made, 0 if it failed."""
        return int(self.claimant is not None and self.payoffs()[self.claimant] >= 0)

    @property
    def moves(self) -> tuple[tuple[int, int], ...]:
        """The moves of the round on the table, as (seat, action)."""
        return self.rounds[-1].moves if self.rounds else ()

    @property
    def hands(self) -> tuple[str, ...]:
        """The hands of the round on the table."""
        deal = self.rounds[-1].deal if self.rounds else None
        return deal.hands if isinstance(deal, HandDeal) else ()

    @property
    def claim(self) -> int | None:
        """The last claim of the round on the table; `None` before the first."""
        return next((action for _, action in reversed(self.moves) if action >= 0), None)

    @property
    def claimant(self) -> int | None:
        """The seat that made the last claim; `None` before the first."""
        return next((seat for seat, action in reversed(self.moves) if action >= 0), None)

    def legal(self) -> SimpleLegal:
        """Return the legal actions of the seat to act; none between rounds."""
        return self.legal_actions() if self.in_play else SimpleLegal()

    def refusal(self, action: int) -> int:
        """Return `LEGAL` (0) if `action` may be played now, else a refusal code of `liarspoker.core.errors`."""
        if not self.rounds:
            raise NotNow("round-over", _("no round is in play") if self.has_winner else _("no hand is in play"))
        if not self.in_play:
            return ROUND_OVER
        legal = self.legal_actions()
        if action in legal.claims or action in legal.answers:
            return LEGAL
        if action < 0:
            return WRONG_PHASE
        return NO_SUCH_CLAIM if self.claim is None or action > self.claim else NOT_STRONGER

    def result_text(self) -> list[str]:
        """Return the result of the round that has ended, in sentences.

        `{2}` is replaced by the name of seat 2. A word ending in -s right after it, as in `{2} pays`, is its verb.
        """
        if self.has_winner:
            losers = [f"{{{seat}}}" for seat, won in enumerate(self.payoffs()) if won < 0]
            return [_("{player} loses the round", player=loser) for loser in losers]
        return [f"{{{seat}}}: {units:+d}" for seat, units in enumerate(self.units()) if units]

    def option_changes(self) -> dict[str, object]:
        """Return the options that differ from the preset."""
        return self.options.changes_from(self.preset.options)

    def chance_spec(self, options: Mapping[str, object] | None = None) -> HandDraw:
        """Return the draw for the next round."""
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
            raise BadRound(
                _("stake: {stake}; it must be between 1 and {most}", stake=format_value(setup.stake), most=MAX_STAKE)
            )
        opener = self.next_opener if setup.opener is None else setup.opener
        if opener not in self.alive:
            raise BadRound(_("opener: {opener} isn't a seat still in", opener=format_value(opener)))
        hands = self.draw().check(deal)
        begun = replace(self, rounds=(*self.rounds, PlayedRound(hands, setup)), losses_before=self.losses)
        return begun.begin_round(hands.hands, opener)

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
        """Whether all hands of the round in play are known."""
        return not self.in_play or not any(HIDDEN in hand for hand in self.hands)

    def default_action(self) -> int:
        """Return the first answer if there is one, else the weakest claim."""
        legal = self.legal()
        return next(iter(legal.answers), next(iter(legal.claims), 0))

    def carry_over(self) -> CarryOver:
        """Return the opener of the next round and, in a match, the seats still in and their losses."""
        opener = self.next_opener if self.rounds and self.winner is None else None
        return CarryOver(opener, losses=self.losses, alive=self.alive if self.has_winner else ())

    def check_end(self) -> None:
        """Check that all hands are known once a round has ended.

        Raises:
            BadDeal: a hand has unknown symbols.
        """
        if self.in_play:
            return
        for seat, hand in enumerate(self.hands):
            if HIDDEN in hand:
                message = (
                    N_("deal: {hand}, seat {seat}; hands must be known at the end of a round")
                    if self.has_winner
                    else N_("deal: {hand}, seat {seat}; hands must be known at the end of a hand")
                )
                raise BadDeal(_(message, hand=format_value(hand), seat=seat))

    def face_down_choice(self, opener: int | None = None) -> FaceDownChoice | None:
        """Return `None`: there is no choice before a deal."""
        return None

    def view(self, seat: int | None) -> SimpleView:
        """Return the information of `seat`: its own hand, and all hands once the round is over."""
        if seat is not None and not 0 <= seat < self.seats:
            raise BadSeats(_("seat: {seat} must be between 0 and {last}", seat=seat, last=self.seats - 1))
        over = bool(self.rounds) and not self.in_play
        legal = self.legal()
        claim = self.claim
        return SimpleView(
            game=self.preset.id,
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
        """The seat that opened the round on the table, or will open it."""
        return self.moves[0][0] if self.moves else self.to_act

    def _check_between_rounds(self) -> None:
        if self.in_play:
            raise NotNow(
                "round-unfinished",
                _("the round in play has not ended") if self.has_winner else _("the hand in play has not ended"),
            )
        if self.winner is not None:
            raise NotNow("match-over", _("seat {seat} has won the match", seat=self.winner))


@dataclass(frozen=True, slots=True, kw_only=True)
class SimplePreset(GamePreset):
    """The preset of a game with simple sessions."""

    options: SimpleOptions = SimpleOptions()


Played = TypeVar("Played", bound=SimpleSession)


@dataclass(frozen=True, slots=True)
class SimpleGame(PresetGame[SimplePreset, Played]):
    """A game with simple sessions.

    Attributes:
        begin: the class of its sessions.
    """

    begin: type[Played]

    def _new_session(
        self, seats: int, options: SimpleOptions, from_slips: bool | None, losses: Sequence[int] | None
    ) -> Played:
        if from_slips:
            raise BadOption(_("slips: {game} isn't dealt from slips", game=self.preset.id))
        begins = tuple(losses or ((0,) * seats if self.preset.has_winner else ()))
        begun = self.begin(
            preset=self.preset,
            seats=seats,
            options=options,
            score=(0,) * seats,
            losses=begins,
            losses_before=begins,
            losses_first=begins,
        )
        if losses and (len(losses) != seats or min(losses) < 0 or not self.preset.has_winner or len(begun.alive) < 2):
            raise BadStart(
                _(
                    "losses: {losses}; a match of {game} with {seats} players can't begin with these",
                    losses=", ".join(map(format_value, losses)),
                    game=self.preset.id,
                    seats=seats,
                )
            )
        return begun


class SimpleFamily(GameFamily):
    """A family with simple sessions; its `presets` are instances of `SimplePreset`."""

    session: ClassVar[type[SimpleSession]]
    """The class of its sessions."""

    def game(self, preset: GamePreset) -> SimpleGame[SimpleSession]:
        """Return the game with a preset of this family."""
        assert isinstance(preset, SimplePreset), preset
        return SimpleGame(preset, self.session)
