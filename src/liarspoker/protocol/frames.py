"""WebSocket frames: clients send commands, checks and pings; the server sends views, answers, chat and presence."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Annotated, Any

from msgspec import Meta, Raw, Struct, structs

from liarspoker.protocol.codec import Encoded, MessageId, Reader, check_printable, encode_bytes
from liarspoker.protocol.commands import MOST_ACTION, Reaction
from liarspoker.protocol.views import HandView, PrivateView, PublicView, RoundView, TurnView


class UpFrame(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind"):
    """Base class of frames that a client sends."""


class CommandFrame(UpFrame, frozen=True, tag="command"):
    """A command. It is decoded separately, so that the answer to an invalid command carries its id."""

    id: MessageId
    command: Raw


class CheckFrame(UpFrame, frozen=True, tag="check"):
    """An action to be validated without playing it."""

    id: MessageId
    action: Annotated[str, Meta(max_length=MOST_ACTION)]

    def __post_init__(self) -> None:
        check_printable(action=self.action)


class Ping(Struct, frozen=True, tag_field="kind", tag="ping"):
    """A request for a pong, to test the connection."""


FRAMES: Reader[CommandFrame | CheckFrame | Ping] = Reader(CommandFrame | CheckFrame | Ping)


class Frame(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="kind"):
    """Base class of frames that the server sends."""


class Welcome(Frame, frozen=True, kw_only=True, tag="welcome"):
    """The first frame: the protocol version and your user id, `null` if you aren't logged in."""

    protocol: int
    user: str | None


class State(Frame, frozen=True, kw_only=True, tag="state"):
    """The complete view of a table: the public part, and the private part of a user who is logged in."""

    version: int
    now: float
    public: PublicView
    you: PrivateView | None


class ChatLine(Struct, frozen=True):
    """A chat message."""

    at: float
    user: str
    name: str
    text: str


class Chat(Frame, frozen=True, kw_only=True, tag="chat"):
    """The latest chat messages."""

    lines: tuple[ChatLine, ...]


class SeatReaction(Struct, frozen=True):
    """The reaction of a user, and when they sent it."""

    user: str
    reaction: Reaction
    at: float


class Reactions(Frame, frozen=True, kw_only=True, tag="reactions"):
    """The reactions that the seats show now, at most one each."""

    reactions: tuple[SeatReaction, ...]


class Presence(Frame, frozen=True, kw_only=True, tag="presence"):
    """The users who have the table open, and the number of open sockets."""

    users: tuple[str, ...]
    watchers: int


class Answer(Frame, frozen=True, kw_only=True, tag="answer"):
    """The answer to a command: whether it took effect, and the version that it produced or was refused at.

    A refusal has a code for programs and a message for people.
    """

    id: str
    ok: bool
    version: int
    code: str = ""
    message: str = ""


class Checked(Frame, frozen=True, kw_only=True, tag="checked"):
    """The answer to a check: whether the action is legal now, and its notation or the reason why it isn't legal."""

    id: str
    legal: bool
    action: str | None
    code: str
    message: str


class Pong(Frame, frozen=True, kw_only=True, tag="pong"):
    """The answer to a ping, with the server's time in seconds."""

    now: float


class Error(Frame, frozen=True, kw_only=True, tag="error"):
    """An error: an invalid frame, too many frames, or a refused connection."""

    code: str
    message: str


class TableNews(Frame, frozen=True, kw_only=True, tag="table"):
    """A line of the event stream: the status of one of your tables."""

    table: str
    version: int
    game: str
    stage: str
    turn: int
    your_turn: bool
    ready_wanted: bool


class InvitationLine(Struct, frozen=True, kw_only=True):
    """An invitation to a table: its table, its game and title, who sent it, and when."""

    table: str
    game: str
    title: str
    user: str
    name: str
    at: float


class Invitations(Frame, frozen=True, kw_only=True, tag="invitations"):
    """A line of the event stream: your open invitations, newest first, when you get a new one."""

    invitations: tuple[InvitationLine, ...]


DownFrame = Welcome | State | Chat | Reactions | Presence | Answer | Checked | Pong | Error


class EncodedPublic(Encoded[PublicView]):
    """A public view whose unchanged first part isn't encoded again after an action.

    Attributes:
        version: version of the view.
    """

    __slots__ = ("_base", "_head", "_now", "_prefix", "_turn", "_view", "version")

    def __init__(self, view: PublicView, turn: TurnView | None = None, prefix: bytes = b"") -> None:
        self._base = view
        self._turn = turn
        self._view: PublicView | None = None
        self._prefix = prefix
        self._json = None
        self._now = -1.0
        self._head = b""
        self.version = view.version if turn is None else turn.version

    def after(self, turn: TurnView) -> EncodedPublic:
        """Return the view after an action that changed only `turn`."""
        if not self._prefix:
            base = self._base
            now = TurnView(**{name: getattr(base, name) for name in TurnView.__struct_fields__})
            self._prefix = encode_bytes(base).removesuffix(encode_bytes(now)[1:])
        return EncodedPublic(self._base, turn, self._prefix)

    def head(self, now: float) -> bytes:
        """Return the start of a state frame up to the private view; it is the same for every seat."""
        if self._now != now:
            self._now = now
            start = f'{{"kind":"state","version":{self.version},"now":{round(now, 3)},"public":'
            self._head = b"".join((start.encode(), self.json, b',"you":'))
        return self._head

    @property
    def message(self) -> PublicView:
        """The view itself, for use within the process; the same object for all viewers."""
        if self._turn is None:
            return self._base
        if self._view is None:
            self._view = structs.replace(self._base, **structs.asdict(self._turn))
        return self._view

    def write(self) -> bytes:
        """Encode the view, reusing the encoded prefix where there is one."""
        turn = self._turn
        return encode_bytes(self._base) if turn is None else self._prefix + encode_bytes(turn)[1:]


class EncodedState(Encoded[State]):
    """A state frame that reuses the public part encoded for all seats, and the private part while it is unchanged."""

    __slots__ = ("_now", "_public", "_you")

    def __init__(self, now: float, public: EncodedPublic, you: Encoded[PrivateView] | None) -> None:
        self._now = now
        self._public = public
        self._you = you
        self._json = None

    @property
    def message(self) -> State:
        """The state as an object, for use within the process; sockets need only its JSON."""
        public, you = self._public.message, None if self._you is None else self._you.message
        return State(version=public.version, now=round(self._now, 3), public=public, you=you)

    def write(self) -> bytes:
        """Join the encoded parts."""
        you = b"null" if self._you is None else self._you.json
        return b"".join((self._public.head(self._now), you, b"}"))


class _ReceivedPublic(PublicView, frozen=True, kw_only=True):
    round: Raw  # type: ignore[assignment]  # decoded separately, once the game is known


class _ReceivedPrivate(PrivateView, frozen=True, kw_only=True):
    hand: Raw = Raw()  # type: ignore[assignment]  # decoded separately, once the game is known


class _ReceivedState(State, frozen=True, kw_only=True, tag="state"):
    public: _ReceivedPublic
    you: _ReceivedPrivate | None


RoundViewOf = Callable[[str], type[RoundView]]
"""Returns the round view class of a game, given its catalogue id."""

_DOWN: Reader[DownFrame] = Reader(
    Welcome | _ReceivedState | Chat | Reactions | Presence | Answer | Checked | Pong | Error
)


@cache
def _reader(kind: Any) -> Reader[Any]:
    return Reader(kind)


def read_frame(text: str | bytes, round_view: RoundViewOf) -> DownFrame:
    """Decode a frame that a server sent. Unknown fields are ignored, because a newer server may send more.

    Raises:
        Malformed: the text isn't a valid frame.
        UnknownGame: `round_view` doesn't know the table's game.
    """
    frame = _DOWN.read(text)
    return _with_round(frame, round_view) if isinstance(frame, _ReceivedState) else frame


def _with_round(frame: _ReceivedState, round_view: RoundViewOf) -> State:
    """Decode the round and hand of a state with the types of its game family."""
    kind = round_view(frame.public.settings.game)
    view: RoundView | None = _reader(kind | None).read(frame.public.round)
    held = Raw() if frame.you is None else frame.you.hand
    hand: HandView | None = _reader(kind.hand_type).read(held) if bytes(held) else None
    return State(
        version=frame.version,
        now=frame.now,
        public=PublicView(**{**structs.asdict(frame.public), "round": view}),
        you=None if frame.you is None else PrivateView(**{**structs.asdict(frame.you), "hand": hand}),
    )
