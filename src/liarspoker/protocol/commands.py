"""Commands that clients send to a table, such as `{"do": "act", "turn": 7, "action": "5x7"}`."""

from __future__ import annotations

from typing import Annotated, Literal, get_args

from msgspec import Meta, Struct

from liarspoker.protocol.codec import (
    JOINER,
    ChairNumber,
    Count,
    Digest,
    Options,
    Reader,
    Units,
    UserId,
    character_count,
    check_printable,
)

MOST_NONCE_BYTES = 64
MOST_ACTION = 200
MOST_CHARACTERS, MOST_CODE_POINTS = 300, 1000
"""Longest chat message, as it is read and as it is encoded: some emoji consist of ten code points."""

Reaction = Literal["nice", "laugh", "wow", "hmm", "ouch", "liar"]
REACTIONS: tuple[Reaction, ...] = get_args(Reaction)


class Command(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="do"):
    """A well-formed command. Whether the table allows it now is checked later.

    Attributes:
        version: version of the table that the sender last saw; if given, the command is refused at any other version.
    """

    version: Count | None = None

    @property
    def do(self) -> str:
        """Name of the command in JSON."""
        return str(self.__struct_config__.tag)


class Join(Command, frozen=True, kw_only=True, tag="join"):
    """Sit down in the given table seat, or in the first free one."""

    chair: ChairNumber | None = None


class Leave(Command, frozen=True, tag="leave"):
    """Leave the table. In a round in progress, your seat plays default actions until the round ends."""


class SitOut(Command, frozen=True, tag="sit_out"):
    """Sit out, starting with the next round."""


class SitIn(Command, frozen=True, tag="sit_in"):
    """Stop sitting out, starting with the next round."""


class SeatBot(Command, frozen=True, kw_only=True, tag="seat_bot"):
    """Add a bot to the table (owner only)."""

    bot: Annotated[str, Meta(min_length=1, max_length=40)]
    chair: ChairNumber | None = None

    def __post_init__(self) -> None:
        check_printable(bot=self.bot)


class Unseat(Command, frozen=True, kw_only=True, tag="unseat"):
    """Remove a bot from the table, or free a reserved seat (owner only)."""

    chair: ChairNumber


class Remove(Command, frozen=True, kw_only=True, tag="remove"):
    """Remove a player, who can't come back unless you admit them again (owner only).

    In a round in progress, their seat plays default actions until the round ends.
    """

    user: UserId

    def __post_init__(self) -> None:
        check_printable(user=self.user)


class Admit(Command, frozen=True, kw_only=True, tag="admit"):
    """Let a removed player come back (owner only)."""

    user: UserId

    def __post_init__(self) -> None:
        check_printable(user=self.user)


class Transfer(Command, frozen=True, kw_only=True, tag="transfer"):
    """Make another player the owner of the table (owner only)."""

    user: UserId

    def __post_init__(self) -> None:
        check_printable(user=self.user)


class Lock(Command, frozen=True, kw_only=True, tag="lock"):
    """Lock the table, so that nobody new can join, or unlock it (owner only)."""

    on: bool


class StandIn(Command, frozen=True, kw_only=True, tag="stand_in"):
    """Let a bot play for an absent player until they come back.

    Players can do this for themselves, and the owner for everyone. The player wins or loses the bot's units.
    It ends when the player acts, gets ready, sits out or sits in.
    """

    user: UserId
    bot: Annotated[str, Meta(min_length=1, max_length=40)]

    def __post_init__(self) -> None:
        check_printable(user=self.user, bot=self.bot)


class Ready(Command, frozen=True, kw_only=True, tag="ready"):
    """Get ready for the next round. A client that contributes to the deal also commits to a nonce."""

    nonce_commitment: Digest | None = None


class Start(Ready, frozen=True, kw_only=True, tag="start"):
    """Start the first round (owner only). This also makes the owner ready."""


class OpenNonce(Command, frozen=True, kw_only=True, tag="open_nonce"):
    """Open the nonce that you committed to, in lower-case hexadecimal digits."""

    nonce: Annotated[str, Meta(pattern=rf"\A([0-9a-f]{{2}}){{0,{MOST_NONCE_BYTES}}}\Z")]


class Pick(Command, frozen=True, kw_only=True, tag="pick"):
    """Choose a bill, slip or cut face down, by its number."""

    choice: Annotated[int, Meta(ge=0, le=99)]


class NameOptions(Command, frozen=True, kw_only=True, tag="name"):
    """Name the options of the next round, at a table where the player who opens the round may choose them."""

    options: Options


class Act(Command, frozen=True, kw_only=True, tag="act"):
    """Play an action, written in the notation, in the given turn."""

    turn: Count
    action: Annotated[str, Meta(min_length=1, max_length=MOST_ACTION)]

    def __post_init__(self) -> None:
        check_printable(action=self.action)


class Propose(Command, frozen=True, kw_only=True, tag="propose"):
    """Propose a stake for the next hand, an undo of your last action, or the removal of a user."""

    kind: Literal["stake", "undo", "remove"]
    value: Units | UserId | None = None

    def __post_init__(self) -> None:
        check_printable(value=self.value)


class AnswerProposal(Command, frozen=True, kw_only=True, tag="answer"):
    """Vote on a proposal. The user who made it can withdraw it by answering no."""

    proposal: Count
    yes: bool


class AskNumbers(Command, frozen=True, tag="ask_numbers"):
    """Ask to see the numbers of the hand that was just counted, at a table that shows them on request."""


class Show(Command, frozen=True, tag="show"):
    """Show your hand of the round that just ended, if the rules left it hidden."""


class Pause(Command, frozen=True, tag="pause"):
    """Pause the clocks (owner only)."""


class Resume(Command, frozen=True, tag="resume"):
    """Resume the clocks (owner only)."""


class Say(Command, frozen=True, kw_only=True, tag="say"):
    """Send a chat message of up to 300 characters to the table. An emoji counts as one, however it is encoded."""

    text: Annotated[str, Meta(min_length=1, max_length=MOST_CODE_POINTS)]

    def __post_init__(self) -> None:
        check_printable(text=self.text.replace(JOINER, ""))
        if character_count(self.text) > MOST_CHARACTERS:
            raise ValueError(f"text: use at most {MOST_CHARACTERS} characters")


class React(Command, frozen=True, kw_only=True, tag="react"):
    """Show a reaction at your seat for a few seconds. It isn't stored, and the table's version doesn't change."""

    reaction: Reaction


class Mute(Command, frozen=True, kw_only=True, tag="mute"):
    """Mute a user's chat messages for yourself, or unmute them."""

    user: UserId
    on: bool

    def __post_init__(self) -> None:
        check_printable(user=self.user)


class SetChat(Command, frozen=True, kw_only=True, tag="chat"):
    """Turn chat on or off (owner only)."""

    on: bool


class End(Command, frozen=True, tag="end"):
    """Close the table (owner only). A round in progress is aborted and nobody wins or loses units in it."""


_OfSeats = Join | Leave | SitOut | SitIn | SeatBot | Unseat | StandIn
_OfOwners = Remove | Admit | Transfer | Lock
_OfRounds = Start | Ready | OpenNonce | Pick | NameOptions | Act
_OfTables = Propose | AnswerProposal | AskNumbers | Show | Pause | Resume | Say | React | Mute | SetChat | End
AnyCommand = _OfSeats | _OfOwners | _OfRounds | _OfTables
"""Every command that a client can send."""

FORM_2 = (StandIn, Remove, Admit, Lock, Show)
"""Commands whose events belong to form 2 of the log."""

COMMANDS: Reader[AnyCommand] = Reader(AnyCommand)
KINDS: dict[str, type[Command]] = {str(kind.__struct_config__.tag): kind for kind in get_args(AnyCommand)}
"""The classes of client commands by name."""


class Expire(Command, frozen=True, kw_only=True, tag="expire"):
    """Sent by the server's clock: the time for this turn is up."""

    turn: int


class Play(Command, frozen=True, kw_only=True, tag="play"):
    """Sent by the server: a bot plays an action, given by its number so that it need not be parsed."""

    turn: int
    action: int


class Extend(Command, frozen=True, kw_only=True, tag="extend"):
    """Sent by the server: extend the deadline by the time since `stopped`, in seconds, when nobody could play."""

    stopped: float


class TakeVacation(Command, frozen=True, kw_only=True, tag="vacation"):
    """Sent by the server: a user is on vacation from and until a time, in seconds. It may have ended already."""

    user: str
    begins: float
    until: float


class Close(Command, frozen=True, kw_only=True, tag="close"):
    """Sent by the server: its operator closes the table, for a reason that everyone can read."""

    reason: str


class Announce(Command, frozen=True, kw_only=True, tag="announce"):
    """Sent by the server: a player of this table, which has ended, opened a rematch at another table."""

    table: str


class Abandon(Command, frozen=True, tag="abandon"):
    """Sent by the server: close the table because nobody uses it."""
