"""What one seat may know of a pooled game: the only thing that a bot, a page or a socket is ever given."""

from __future__ import annotations

from dataclasses import dataclass

from liarspoker.core.cards.deck import UNKNOWN
from liarspoker.core.cards.seats import check_seat
from liarspoker.games.queen_annes.dealing import sees_extra, sees_hand
from liarspoker.games.queen_annes.options import QueenAnnesOptions, QueenAnnesRules
from liarspoker.games.queen_annes.result import QueenAnnesRoundResult
from liarspoker.games.queen_annes.round import Extra, Legal, Terms
from liarspoker.games.queen_annes.state import RoundState


@dataclass(frozen=True, slots=True)
class QueenAnnesView:
    """A pooled game as `seat` sees it.

    Attributes:
        game: the catalogue id.
        options: the options in force.
        rules: the same, packed for the rule functions.
        seat: whose view this is; `None` for somebody who holds no cards.
        terms: opener and losses of the round on the table; `None` before the first.
        standing: where the round stands; `None` before the first.
        moves: who did what in this round, as (seat, action).
        hand_sizes: how many cards each seat was dealt at once.
        seen: of those cards the ones that this seat sees, a seat; none where it sees none.
        extras: the cards that came off the deck; those that this seat does not see are `UNKNOWN`.
        legal: what the seat to act may do, which everybody may know; and this seat's own challenge out of turn.
        losses: each seat's losses, the round just ended included.
        alive: the living seats.
        score: units won or lost by each seat; none before the match is won.
        winner: the seat that has won the match.
        result: the challenge, once it is over; it shows all cards.
    """

    game: str
    options: QueenAnnesOptions
    rules: QueenAnnesRules
    seat: int | None
    terms: Terms | None
    standing: RoundState | None
    moves: tuple[tuple[int, int], ...]
    hand_sizes: tuple[int, ...]
    seen: tuple[tuple[int, ...], ...]
    extras: tuple[Extra, ...]
    legal: Legal
    losses: tuple[int, ...]
    alive: tuple[int, ...]
    score: tuple[int, ...]
    winner: int | None
    result: QueenAnnesRoundResult | None

    @property
    def my_turn(self) -> bool:
        """Whether this seat is to act."""
        return self.standing is not None and self.seat is not None and self.standing.to_act == self.seat

    @property
    def known(self) -> tuple[int, ...]:
        """All cards in the pool that this seat sees."""
        off_deck = (extra.card for extra in self.extras if extra.card != UNKNOWN)
        return (*(card for cards in self.seen for card in cards), *off_deck)

    @property
    def hidden(self) -> int:
        """How many cards in the pool this seat does not see."""
        return sum(self.hand_sizes) + len(self.extras) - len(self.known)


def seen_hands(hands: tuple[tuple[int, ...], ...], seat: int | None, blind: bool) -> tuple[tuple[int, ...], ...]:
    """The hands that `seat` sees: its own, or where players are blind all but its own. Without cards it sees none.

    Raises:
        BadSeats: there is no such seat.
    """
    check_seat(seat, len(hands))
    if seat is None or not hands[seat]:
        return ((),) * len(hands)
    return tuple(hand if sees_hand(seat, owner, blind) else () for owner, hand in enumerate(hands))


def seen_extras(extras: tuple[Extra, ...], seat: int | None) -> tuple[Extra, ...]:
    """The cards off the deck as `seat` sees them: those that lie face up, and its own."""
    return tuple(
        extra if sees_extra(seat, extra.seat, extra.face_up) else extra._replace(card=UNKNOWN) for extra in extras
    )
