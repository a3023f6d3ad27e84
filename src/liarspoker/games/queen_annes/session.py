"""A match of a pooled game: round after round, until one player is left."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from liarspoker.core.cards.match import (
    CardMatch,
    MatchSetup,
    check_new_round,
    check_no_slips,
)
from liarspoker.core.errors import LEGAL, BadDeal, BadStart, told
from liarspoker.core.session import Deal, RoundSetup, RowGame
from liarspoker.games.queen_annes.notation import read, write
from liarspoker.games.queen_annes.options import QueenAnnesOptions, QueenAnnesRules, packed
from liarspoker.games.queen_annes.presets import QueenAnnesPreset
from liarspoker.games.queen_annes.result import (
    QueenAnnesRoundResult,
    QueenAnnesView,
    conclude,
    living,
    seen_extras,
    seen_hands,
)
from liarspoker.games.queen_annes.round import Legal, QueenAnnesChance, QueenAnnesDeal, QueenAnnesRound, Terms
from liarspoker.games.queen_annes.state import (
    CHALLENGE,
    NOBODY,
    PHASES,
    cards_at_once,
    challenge_by,
    challenger_of,
)


@dataclass(frozen=True, slots=True)
class QueenAnnesSession(
    CardMatch[QueenAnnesPreset, QueenAnnesOptions, QueenAnnesRules, QueenAnnesRound, QueenAnnesRoundResult]
):
    """One match of a pooled game; frozen: `deal` and `apply` answer with the next one.

    >>> from liarspoker.core import catalogue
    >>> from liarspoker.core.cards.deck import read_joined_cards
    >>> session = catalogue.load("queen-annes").session(seats=2, losses=(3, 4))
    >>> session = session.deal(QueenAnnesDeal(hands=(read_joined_cards("8cJd"), read_joined_cards("8h"))))
    >>> for text in ("claim pair 8", "claim two-pair J8", "challenge"):
    ...     session = session.apply(session.read(text))
    >>> session.losses, session.winner
    ((3, 5), 0)
    """

    phases: ClassVar[tuple[str, ...]] = PHASES

    @property
    def losses(self) -> tuple[int, ...]:
        """Each seat's losses so far."""
        return self.rounds[-1][1].losses if self.rounds else self.setup.losses

    @property
    def alive(self) -> tuple[int, ...]:
        """The living seats, ascending."""
        return living(self.losses, self.setup.rules)

    def read(self, text: str) -> int:
        """The action that `text` writes, such as `claim pair 7` or `challenge`."""
        return read(text, NOBODY if self.to_act is None else self.to_act, self.setup.rules)

    def write(self, action: int) -> str:
        """`action` in the notation."""
        return write(action, self.setup.rules)

    def chance_spec(self, options: Mapping[str, object] | None = None) -> QueenAnnesChance:
        """Return what the next round draws.

        Raises:
            NotNow: the round in play has not ended, or the match is won.
            BadOption: options are named; a single round has none of its own.
        """
        check_new_round(self.in_play, self.alive)
        self.check_round_options(options or {})
        rules = self.setup.rules
        sizes = tuple(cards_at_once(losses, rules) for losses in self.losses)
        return QueenAnnesChance(sizes, rules.jokers, bool(rules.extras), opener=not self.rounds)

    def begun(self, deal: Deal, opener: int, setup: RoundSetup) -> QueenAnnesRound:
        """Return the next round as it begins."""
        if not isinstance(deal, QueenAnnesDeal):
            raise BadDeal(f"deal: {type(deal).__name__} isn't a deal of Queen Anne's games")
        self.chance_spec().check(deal)
        terms = Terms(len(self.rounds), opener, self.losses, self.alive, opener_agreed=setup.opener is not None)
        return QueenAnnesRound.begin(self.setup.rules, terms, deal.hands, deal.extras)

    def conclude(self, played: QueenAnnesRound) -> QueenAnnesRoundResult:
        """Return the result of a round that a challenge has ended."""
        return conclude(played)

    def legal(self) -> Legal:
        """What the seat to act may do; nothing between rounds."""
        return Legal(range(0), ()) if self.round is None else self.round.legal()

    @property
    def anyone_challenges(self) -> bool:
        """Whether others than the seat to act may challenge; an option of the game."""
        return bool(self.setup.rules.anyone_challenges)

    def out_of_turn_challenge(self, seat: int) -> int | None:
        """Return the challenge of `seat` while it is another's turn; `None` where it may not challenge."""
        challenge = challenge_by(seat)
        return challenge if self.in_play and self.refusal(challenge) == LEGAL else None

    def mover(self, action: int) -> int | None:
        """Return the seat to act, or the seat that challenges out of turn where anyone may."""
        if self.to_act is None or action >= CHALLENGE:
            return self.to_act
        return challenger_of(action, self.to_act)

    @property
    def all_known(self) -> bool:
        """Whether all cards that may yet come in the round in play are known; the hands always are."""
        dealt, rules = self.round, self.setup.rules
        if dealt is None or not self.in_play or not rules.extras:
            return True
        return sum(map(len, dealt.hands)) + len(dealt.deck) == rules.deck_size

    def default_action(self) -> int:
        """Return the lowest hand for an opener, a challenge for everybody else."""
        legal = self.legal()
        return CHALLENGE if CHALLENGE in legal.answers else legal.claims[0]

    def undo_point(self) -> object:
        """Return the cards that have come off the deck, and whether all are shown."""
        return self.round_result is None, () if self.round is None else self.round.drawn

    def view(self, seat: int | None) -> QueenAnnesView:
        """What `seat` may know, or, for `None`, somebody who holds no cards.

        This is the one place where secrets pass to a seat: each field is named here, and only what `seen_hands` and
        `seen_extras` let through, or a challenge has shown, comes from the secret side. A player who is out sees what
        somebody without cards sees.
        """
        setup, dealt = self.setup, self.round
        hands = ((),) * self.seats if dealt is None else dealt.hands
        return QueenAnnesView(
            game=setup.preset.id,
            options=setup.options,
            rules=setup.rules,
            seat=seat,
            terms=None if dealt is None else dealt.terms,
            standing=None if dealt is None else dealt.standing,
            moves=() if dealt is None else dealt.moves,
            hand_sizes=tuple(map(len, hands)),
            seen=seen_hands(hands, seat, blind=bool(setup.rules.blind)),
            extras=() if dealt is None else seen_extras(dealt.extras, seat),
            legal=self._legal_seen(seat),
            losses=self.losses,
            alive=self.alive,
            score=self.score,
            winner=self.winner,
            result=self.round_result,
        )

    def _legal_seen(self, seat: int | None) -> Legal:
        """What the seat to act may do, and how `seat` may challenge out of turn; not how others may."""
        legal = self.legal()
        mine = CHALLENGE if seat is None else challenge_by(seat)
        return replace(legal, answers=tuple(answer for answer in legal.answers if answer in (CHALLENGE, mine)))


def check_losses(losses: Sequence[int], rules: QueenAnnesRules) -> None:
    """Refuse losses with which no match begins.

    Raises:
        BadStart: not one number a seat, below 0 or more than put a player out, or nobody is living.
    """
    if len(losses) != rules.seats:
        raise BadStart(f"losses: {len(losses)} for {rules.seats} players")
    for seat, lost in enumerate(losses):
        if not 0 <= lost <= rules.exit_losses:
            raise BadStart(f"losses, seat {seat}: {told(lost)}; a player has 0 to {rules.exit_losses}")
    if not living(tuple(losses), rules):
        raise BadStart("losses: nobody is living")


class QueenAnnesGame(RowGame[QueenAnnesPreset, QueenAnnesSession]):
    """A pooled game of the catalogue."""

    def _begun(
        self, seats: int, options: QueenAnnesOptions, from_slips: bool | None, losses: Sequence[int] | None
    ) -> QueenAnnesSession:
        check_no_slips(from_slips, self.row.id)
        rules = packed(options, self.row.dealing, seats)
        begins = (0,) * seats if losses is None else tuple(losses)
        check_losses(begins, rules)
        return QueenAnnesSession(MatchSetup(self.row, options, rules, begins), (), None)


GAME = QueenAnnesGame
