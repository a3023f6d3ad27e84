"""A match of Queen Anne's games: rounds until one player is left."""

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
from liarspoker.core.errors import LEGAL, BadDeal, BadStart, format_value
from liarspoker.core.option_info import python_value
from liarspoker.core.session import Deal, PresetGame, RoundSetup
from liarspoker.games.queen_annes.notation import read, write
from liarspoker.games.queen_annes.options import QueenAnnesOptions, QueenAnnesRules, packed
from liarspoker.games.queen_annes.presets import QueenAnnesPreset
from liarspoker.games.queen_annes.result import (
    QueenAnnesRoundResult,
    QueenAnnesView,
    conclude,
    seats_alive,
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
from liarspoker.language import _


@dataclass(frozen=True, slots=True)
class QueenAnnesSession(
    CardMatch[QueenAnnesPreset, QueenAnnesOptions, QueenAnnesRules, QueenAnnesRound, QueenAnnesRoundResult]
):
    """An immutable match; `deal` and `apply` return the next session.

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
        """The seats still in, ascending."""
        return seats_alive(self.losses, self.setup.rules)

    def read(self, text: str) -> int:
        """Parse an action such as `claim pair 7` or `challenge`."""
        return read(text, NOBODY if self.to_act is None else self.to_act, self.setup.rules)

    def write(self, action: int) -> str:
        """Return `action` in notation."""
        return write(action, self.setup.rules)

    def chance_spec(self, options: Mapping[str, object] | None = None) -> QueenAnnesChance:
        """Return the specification of the next round's random draw.

        Raises:
            NotNow: a round is in progress, or the match is won.
            BadOption: options are given; rounds of this game have none.
        """
        check_new_round(self.in_play, self.alive)
        self.check_round_options(options or {})
        rules = self.setup.rules
        sizes = tuple(cards_at_once(losses, rules) for losses in self.losses)
        return QueenAnnesChance(sizes, rules.jokers, bool(rules.extras), opener=not self.rounds)

    def begin_round(self, deal: Deal, opener: int, setup: RoundSetup) -> QueenAnnesRound:
        """Return the next round as it begins."""
        if not isinstance(deal, QueenAnnesDeal):
            raise BadDeal(_("deal: {name} isn't a deal of Queen Anne's games", name=type(deal).__name__))
        self.chance_spec().check(deal)
        terms = Terms(len(self.rounds), opener, self.losses, self.alive, opener_agreed=setup.opener is not None)
        return QueenAnnesRound.begin(self.setup.rules, terms, deal.hands, deal.extras)

    def conclude(self, played: QueenAnnesRound) -> QueenAnnesRoundResult:
        """Return the result of a round that a challenge has ended."""
        return conclude(played)

    def legal(self) -> Legal:
        """Return the legal actions; none between rounds."""
        return Legal(range(0), ()) if self.round is None else self.round.legal()

    @property
    def anyone_challenges(self) -> bool:
        """Whether seats other than the one to act may challenge; an option of the game."""
        return bool(self.setup.rules.anyone_challenges)

    def out_of_turn_challenge(self, seat: int) -> int | None:
        """Return the challenge of `seat` out of turn; `None` if it can't challenge."""
        challenge = challenge_by(seat)
        return challenge if self.in_play and self.refusal(challenge) == LEGAL else None

    def mover(self, action: int) -> int | None:
        """Return the seat that makes `action`: the seat to act, or the one that challenges out of turn."""
        if self.to_act is None or action >= CHALLENGE:
            return self.to_act
        return challenger_of(action, self.to_act)

    @property
    def all_known(self) -> bool:
        """Whether all cards that may still be dealt in this round are known; the hands always are."""
        dealt, rules = self.round, self.setup.rules
        if dealt is None or not self.in_play or not rules.extras:
            return True
        return sum(map(len, dealt.hands)) + len(dealt.deck) == rules.deck_size

    def default_action(self) -> int:
        """Return the lowest claim for an opener, a challenge for other players."""
        legal = self.legal()
        return CHALLENGE if CHALLENGE in legal.answers else legal.claims[0]

    def undo_point(self) -> object:
        """Return whether the cards are still hidden, and the extra cards dealt."""
        return self.round_result is None, () if self.round is None else self.round.drawn

    def view(self, seat: int | None) -> QueenAnnesView:
        """Return the view of `seat`, or of a spectator for `None`.

        This is the only place where secrets reach a seat: of the secret fields, only what `seen_hands` and
        `seen_extras` return, or what a challenge has shown, is included. Players who are out see what spectators see.
        """
        setup, dealt = self.setup, self.round
        hands = ((),) * self.seats if dealt is None else dealt.hands
        return QueenAnnesView(
            game=setup.preset.id,
            options=setup.options,
            rules=setup.rules,
            seat=seat,
            terms=None if dealt is None else dealt.terms,
            state=None if dealt is None else dealt.state,
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
        """Return the legal actions of the seat to act, and the out-of-turn challenge of `seat`, but not of others."""
        legal = self.legal()
        mine = CHALLENGE if seat is None else challenge_by(seat)
        return replace(legal, answers=tuple(answer for answer in legal.answers if answer in (CHALLENGE, mine)))


def check_losses(losses: Sequence[int], rules: QueenAnnesRules) -> None:
    """Check the losses with which a match begins.

    Raises:
        BadStart: not one number per seat, a number out of range, or no player still in.
    """
    if len(losses) != rules.seats:
        raise BadStart(_("losses: {count} for {players} players", count=len(losses), players=rules.seats))
    for seat, lost in enumerate(losses):
        if type(lost) is not int or not 0 <= lost <= rules.exit_losses:
            raise BadStart(
                _(
                    "losses, seat {seat}: {value}; a player has 0 to {most}",
                    seat=seat,
                    value=format_value(lost),
                    most=rules.exit_losses,
                )
            )
    if not seats_alive(tuple(losses), rules):
        raise BadStart(_("losses: all players are out"))


class QueenAnnesGame(PresetGame[QueenAnnesPreset, QueenAnnesSession]):
    """A game of the catalogue."""

    def _new_session(
        self, seats: int, options: QueenAnnesOptions, from_slips: bool | None, losses: Sequence[int] | None
    ) -> QueenAnnesSession:
        check_no_slips(from_slips, self.preset.id)
        rules = packed(options, self.preset.dealing, seats)
        try:
            begins = (0,) * seats if losses is None else tuple(map(python_value, losses))
        except TypeError:
            raise BadStart(
                _("losses: {count} for {players} players", count=format_value(losses), players=seats)
            ) from None
        check_losses(begins, rules)
        return QueenAnnesSession(MatchSetup(self.preset, options, rules, begins), (), None)


GAME = QueenAnnesGame
