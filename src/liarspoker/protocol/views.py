"""Views of a table: the public part, and the private part of each user.

A field with a default is omitted from the JSON while it has that value; every other field is always present. Inside a
round, players are identified by seat number; `users` and `names` map seats to people.
"""

from __future__ import annotations

from typing import ClassVar, Literal

from msgspec import UNSET, Struct, UnsetType

from liarspoker.protocol.codec import Options
from liarspoker.protocol.settings import Settings

Stage = Literal["waiting", "gathering", "round", "ended"]


class View(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Base class of views and their parts."""


class HandView(View, frozen=True, kw_only=True):
    """Base class of the private view of a round, which each game family defines."""


class RoundView(View, frozen=True, kw_only=True, tag_field="kind"):
    """Base class of the public view of a round, which each game family defines.

    Attributes:
        hand_type: class of the matching private view.
        users: user ids by seat.
        names: display names by seat.
        round: number of the round.
        opener: the seat that opened.
        phase: phase of the round.
        to_act: the seat to act; `None` once the round is over.
        moves: seats and their actions, in order.
        score: units, or matches, won by each seat.
    """

    hand_type: ClassVar[type[HandView]]

    users: tuple[str, ...]
    names: tuple[str, ...]
    round: int
    opener: int
    phase: str
    to_act: int | None
    moves: tuple[tuple[int, str], ...]
    score: tuple[int, ...]


class ChairView(View, frozen=True, kw_only=True):
    """A person or bot at the table.

    Attributes:
        user: user id.
        name: display name.
        bot: catalogue name of the bot; `None` for a person.
        away: the player sits out, starting with the next round.
        leaving: the player has left; their seat plays default actions until the round ends.
        units: units won or lost so far.
        bank: seconds left in the time bank; `None` for spectators who see the previous round.
        ready: the player is ready for the next round.
        stand_in: catalogue name of the bot that plays for an absent person; omitted if they play themselves.
        vacation: end of the player's latest vacation, in seconds; omitted if there was none.
    """

    user: str
    name: str
    bot: str | None
    away: bool
    leaving: bool
    units: int
    bank: float | None
    ready: bool
    stand_in: str | None = None
    vacation: float | None = None


class ProposalView(View, frozen=True, kw_only=True):
    """A proposal, with its voters and their votes so far."""

    proposal: int
    kind: str
    by: str
    value: int | str | None
    voters: tuple[str, ...]
    yes: tuple[str, ...]
    no: tuple[str, ...]


class UnitsView(View, frozen=True, kw_only=True):
    """Units won or lost by a user who plays or has played at the table."""

    user: str
    name: str
    units: int


class RoundScoreView(View, frozen=True, kw_only=True):
    """A line of the score sheet: units by user and, in card games, the users who lost the round."""

    round: int
    units: dict[str, int]
    lost: tuple[str, ...]


class DealView(View, frozen=True, kw_only=True):
    """The commitments behind a deal, by seat. The seed is revealed in the audit."""

    deal: int
    users: tuple[str, ...]
    commitment: str
    nonce_commitments: tuple[str | None, ...]
    nonces: tuple[str, ...]
    picks: tuple[int | None, ...]
    root: str


class ChoosingView(View, frozen=True, kw_only=True):
    """A face-down choice: what is chosen, out of how many, which are still free, and which user chooses now."""

    what: str
    count: int
    free: tuple[int, ...]
    user: str | None


class GatheringView(View, frozen=True, kw_only=True):
    """The ready phase before a deal. Nonces and picks stay hidden until the deal.

    Attributes:
        deal: number of the deal, from 0 over the life of the table.
        commitment: the server's commitment to its seed.
        users: the users who are expected to play.
        opening: nonces are being opened.
        nonce_commitments: nonce commitments by user.
        named: options named for the next round.
        choosing: the face-down choice in progress, if any.
    """

    deal: int
    commitment: str
    users: tuple[str, ...]
    opening: bool
    nonce_commitments: dict[str, str]
    named: Options
    choosing: ChoosingView | None


class PaymentView(View, frozen=True, kw_only=True):
    """A payment from one player to another."""

    payer: str
    payee: str
    units: int


class ShownHandView(View, frozen=True, kw_only=True):
    """A hand that its player showed after the round: the number in a digit game, the cards in a card game."""

    seat: int
    hand: tuple[str, ...]


class ReservedView(View, frozen=True, kw_only=True):
    """A seat that is kept for a user."""

    chair: int
    user: str
    name: str


class RematchView(View, frozen=True, kw_only=True):
    """A table that a player of this one opened for the same players.

    Attributes:
        table: id of that table.
        user: the user who opened it.
        name: their display name.
    """

    table: str
    user: str
    name: str


class BluffView(View, frozen=True, kw_only=True):
    """A bid or claim that wasn't true, and that wasn't challenged.

    Attributes:
        user: the user who made it.
        name: their display name.
        round: number of the round, from 0 over the life of the table.
        margin: how far it was from the truth, in the unit of the game: in digit games how many of the digit were
            missing, in Queen Anne's games how many cards, in Thorin's game by how many hand ranks it was too high.
        claim_words: the bid or claim.
        truth_words: what was there instead.
        in_languages: both in the other languages of the pages, by their codes.
    """

    user: str
    name: str
    round: int
    margin: int
    claim_words: str
    truth_words: str
    in_languages: dict[str, tuple[str, str]] = {}


class BestRoundView(View, frozen=True, kw_only=True):
    """The most units that anyone won in one round."""

    user: str
    name: str
    round: int
    units: int


class StreakView(View, frozen=True, kw_only=True):
    """The most consecutive rounds in which anyone won units, of the rounds that they played."""

    user: str
    name: str
    rounds: int


class HighlightsView(View, frozen=True, kw_only=True):
    """Highlights of a table that has ended; each is omitted if there is none. Of equals, the earliest counts.

    Attributes:
        bluff: the bid or claim furthest from the truth, of those that were followed by another action than a
            challenge. It depends only on hands that were shown, or, with the audit `full`, on all hands.
        best_round: the round with the highest win.
        streak: the longest streak.
    """

    bluff: BluffView | None = None
    best_round: BestRoundView | None = None
    streak: StreakView | None = None


class PublicView(View, frozen=True, kw_only=True):
    """The public view of a table.

    Attributes:
        table: id of the table.
        settings: settings of the table.
        owner: the user who can start, pause and end the table.
        stage: `waiting` before the start, `gathering` in the ready phase between rounds, `round`, or `ended`.
        chairs: the players by table seat; `None` for a free seat.
        chat: chat is enabled.
        stake: stake agreed on for the next hand.
        proposals: open proposals.
        units: units won or lost by everyone who has played at the table.
        sheet: the latest rounds, oldest first.
        deal: commitments behind the current deal.
        gathering: the ready phase of the next deal, if it is in progress.
        locked: nobody new can join; omitted if they can.
        hands: the hands of the round that just ended that their players showed; omitted if there are none.
        reserved: free seats that are kept for users; omitted if there are none.
        event: id of the duplicate event that the table belongs to; omitted if there is none.
        settle_up: after the end, the fewest payments that settle all debts.
        version: number that grows with every command that takes effect.
        turn: number that a command to act must name; `None` for spectators who see the previous round.
        rounds_played: number of rounds that have ended.
        paused: the clocks are paused.
        deadline: when the time to act or to get ready is up, in seconds; `None` for no limit.
        to_act: the user whose turn it is.
        round: the current round; `None` before the first.
        end_reason: the reason that the server's operator gave for closing the table; omitted otherwise.
        rematch: after the end, the table at which the same players continue; omitted if there is none.
        highlights: after the end, the highlights; omitted if no round was played.
    """

    table: str
    settings: Settings
    owner: str
    stage: Stage
    chairs: tuple[ChairView | None, ...]
    chat: bool
    stake: int | None
    proposals: tuple[ProposalView, ...]
    units: tuple[UnitsView, ...]
    sheet: tuple[RoundScoreView, ...]
    deal: DealView | None
    gathering: GatheringView | None
    locked: bool = False
    hands: tuple[ShownHandView, ...] = ()
    reserved: tuple[ReservedView, ...] = ()
    event: str | UnsetType = UNSET
    version: int
    turn: int | None
    rounds_played: int
    paused: bool
    deadline: float | None
    to_act: str | None
    round: RoundView | None
    settle_up: tuple[PaymentView, ...] | None = None
    end_reason: str | UnsetType = UNSET
    rematch: RematchView | None = None
    highlights: HighlightsView | None = None

    @property
    def round_number(self) -> int:
        """The number of the round in `round` over the life of the table, which counts from 1.

        `round.round` starts again with every match, and when people join or leave.
        """
        return self.rounds_played + (self.round is not None and self.round.to_act is not None)


class TurnView(View, frozen=True, kw_only=True):
    """The part of `PublicView` that an action changes: its last fields, except those set only at the end."""

    version: int
    turn: int | None
    rounds_played: int
    paused: bool
    deadline: float | None
    to_act: str | None
    round: RoundView | None


class WantedView(View, frozen=True, kw_only=True):
    """What the next deal needs from you.

    Attributes:
        ready: you are ready.
        wanted: the deal waits for you to get ready.
        open_nonce: you should open your nonce now.
        name: you may name the options of the round.
        pick: it is your turn to choose face down.
    """

    ready: bool
    wanted: bool
    open_nonce: bool
    name: bool
    pick: bool


class PrivateView(View, frozen=True, kw_only=True):
    """The private view of one user.

    Attributes:
        user: user id.
        chair: the user's table seat; `None` for a spectator.
        owner: the user owns the table.
        votes: numbers of the proposals that wait for the user's vote.
        muted: users whom this user has muted.
        seat: the user's seat in the round, if they play in it.
        hand: the user's hand and legal actions.
        gathering: what the next deal needs from the user.
        removed: for the owner, the users who have been removed; omitted if there are none.
        show: the user can show their hand of the round that just ended; omitted if they can't.
    """

    user: str
    chair: int | None
    owner: bool
    votes: tuple[int, ...]
    muted: tuple[str, ...]
    seat: int | None = None
    hand: HandView | None = None
    gathering: WantedView | None = None
    removed: tuple[str, ...] = ()
    show: bool = False
