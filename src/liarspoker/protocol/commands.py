"""What can be asked of a table, as programs write it: `{"do": "act", "turn": 7, "action": "5x7"}`."""

from __future__ import annotations

from typing import Annotated, Literal, get_args

from msgspec import Meta, Struct

from liarspoker.protocol.codec import ChairNumber, Count, Digest, Options, Reader, Units, UserId, check_printable

MOST_NONCE_BYTES = 64
MOST_ACTION = 200


class Command(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="do"):
    """A command; everything in it is checked except whether it is allowed now.

    Attributes:
        version: the table's version that the sender has seen; if given, the command is refused at any other.
    """

    version: Count | None = None

    @property
    def do(self) -> str:
        """The command's name on the wire."""
        return str(self.__struct_config__.tag)


class Join(Command, frozen=True, kw_only=True, tag="join"):
    """Sit down, in a chair of your choice or in the first free one."""

    chair: ChairNumber | None = None


class Leave(Command, frozen=True, tag="leave"):
    """Get up for good; a round in play is played to its end for you."""


class SitOut(Command, frozen=True, tag="sit_out"):
    """Sit out from the next round on."""


class SitIn(Command, frozen=True, tag="sit_in"):
    """Play again from the next round on."""


class SeatBot(Command, frozen=True, kw_only=True, tag="seat_bot"):
    """The owner seats a bot."""

    bot: Annotated[str, Meta(min_length=1, max_length=40)]
    chair: ChairNumber | None = None

    def __post_init__(self) -> None:
        check_printable(bot=self.bot)


class Unseat(Command, frozen=True, kw_only=True, tag="unseat"):
    """The owner sends a bot away."""

    chair: ChairNumber


class Ready(Command, frozen=True, kw_only=True, tag="ready"):
    """Ask for the next round; a program that takes part in the deal commits to a nonce."""

    nonce_commitment: Digest | None = None


class Start(Ready, frozen=True, kw_only=True, tag="start"):
    """The owner closes the waiting room, and is ready for the first round."""


class OpenNonce(Command, frozen=True, kw_only=True, tag="open_nonce"):
    """Open the nonce that you have committed to, in hexadecimal digits."""

    nonce: Annotated[str, Meta(pattern=rf"\A([0-9a-f]{{2}}){{0,{MOST_NONCE_BYTES}}}\Z")]


class Pick(Command, frozen=True, kw_only=True, tag="pick"):
    """Choose your bill, your slip or the cut, face down, by its number."""

    choice: Annotated[int, Meta(ge=0, le=99)]


class NameOptions(Command, frozen=True, kw_only=True, tag="name"):
    """Name the options of the next round, where that is left to the player who begins it."""

    options: Options


class Act(Command, frozen=True, kw_only=True, tag="act"):
    """Play an action of the notation, in the turn that you have seen."""

    turn: Count
    action: Annotated[str, Meta(min_length=1, max_length=MOST_ACTION)]

    def __post_init__(self) -> None:
        check_printable(action=self.action)


class Propose(Command, frozen=True, kw_only=True, tag="propose"):
    """Propose a stake for the next hand, to take your last action back, or to remove a user."""

    kind: Literal["stake", "undo", "remove"]
    value: Units | UserId | None = None

    def __post_init__(self) -> None:
        check_printable(value=self.value)


class AnswerProposal(Command, frozen=True, kw_only=True, tag="answer"):
    """Vote on a proposal; whoever made it can take it back by answering no."""

    proposal: Count
    yes: bool


class AskNumbers(Command, frozen=True, tag="ask_numbers"):
    """Ask to see the numbers of the hand just counted, where they are shown on request."""


class Pause(Command, frozen=True, tag="pause"):
    """The owner stops the clocks."""


class Resume(Command, frozen=True, tag="resume"):
    """The owner lets the clocks run again."""


class Say(Command, frozen=True, kw_only=True, tag="say"):
    """Say something to the table."""

    text: Annotated[str, Meta(min_length=1, max_length=300)]

    def __post_init__(self) -> None:
        check_printable(text=self.text)


class Mute(Command, frozen=True, kw_only=True, tag="mute"):
    """Hear a user no longer, or again."""

    user: UserId
    on: bool

    def __post_init__(self) -> None:
        check_printable(user=self.user)


class SetChat(Command, frozen=True, kw_only=True, tag="chat"):
    """The owner turns the chat off or on."""

    on: bool


class End(Command, frozen=True, tag="end"):
    """The owner closes the table; a round in play is worth nothing."""


_OfSeats = Join | Leave | SitOut | SitIn | SeatBot | Unseat
_OfRounds = Start | Ready | OpenNonce | Pick | NameOptions | Act
_OfTables = Propose | AnswerProposal | AskNumbers | Pause | Resume | Say | Mute | SetChat | End
AnyCommand = _OfSeats | _OfRounds | _OfTables
"""Every command that a person or a program can send."""

COMMANDS: Reader[AnyCommand] = Reader(AnyCommand)
KINDS: dict[str, type[Command]] = {str(kind.__struct_config__.tag): kind for kind in get_args(AnyCommand)}
"""The same, by name."""


class Expire(Command, frozen=True, kw_only=True, tag="expire"):
    """The server's clock: time is up in this turn."""

    turn: int


class Play(Command, frozen=True, kw_only=True, tag="play"):
    """The server: a bot plays an action, which need not be written and read again."""

    turn: int
    action: int


class Extend(Command, frozen=True, kw_only=True, tag="extend"):
    """The server: nobody could play since `stopped`, in seconds; that time is given back."""

    stopped: float


class Close(Command, frozen=True, kw_only=True, tag="close"):
    """The server: whoever runs it ends the table, for a reason that everybody may read."""

    reason: str


class Abandon(Command, frozen=True, tag="abandon"):
    """The server: nobody comes any more."""
