"""Frames of the socket: commands, checks and pings up; views, answers, chat and presence down."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Annotated, Any

from msgspec import Meta, Raw, Struct, structs

from liarspoker.protocol.codec import Encoded, MessageId, Reader, check_printable, encode_bytes
from liarspoker.protocol.commands import MOST_ACTION
from liarspoker.protocol.views import HandView, PassingView, PrivateView, PublicView, RoundView


class UpFrame(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind"):
    """A frame that a client sends."""


class CommandFrame(UpFrame, frozen=True, tag="command"):
    """A command; it is read in a second step, so that a faulty one is answered under its id."""

    id: MessageId
    command: Raw


class CheckFrame(UpFrame, frozen=True, tag="check"):
    """An action to be judged and not played."""

    id: MessageId
    action: Annotated[str, Meta(max_length=MOST_ACTION)]

    def __post_init__(self) -> None:
        check_printable(action=self.action)


class Ping(Struct, frozen=True, tag_field="kind", tag="ping"):
    """A question whether the server is there."""


FRAMES: Reader[CommandFrame | CheckFrame | Ping] = Reader(CommandFrame | CheckFrame | Ping)


class Frame(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="kind"):
    """A frame that the server sends."""


class Welcome(Frame, frozen=True, kw_only=True, tag="welcome"):
    """The first frame: the protocol's version, and who you are."""

    protocol: int
    user: str | None


class State(Frame, frozen=True, kw_only=True, tag="state"):
    """The whole view of a table: what everybody may know, and what you alone may know, if you are known."""

    version: int
    now: float
    public: PublicView
    you: PrivateView | None


class ChatLine(Struct, frozen=True):
    """A line of the chat."""

    at: float
    user: str
    name: str
    text: str


class Chat(Frame, frozen=True, kw_only=True, tag="chat"):
    """The last lines of the chat."""

    lines: tuple[ChatLine, ...]


class Presence(Frame, frozen=True, kw_only=True, tag="presence"):
    """Who has the table open, and how many sockets do."""

    users: tuple[str, ...]
    watchers: int


class Answer(Frame, frozen=True, kw_only=True, tag="answer"):
    """What a command came to: whether it took effect, the version it made or was refused at, and why."""

    id: str
    ok: bool
    version: int
    code: str = ""
    message: str = ""


class Checked(Frame, frozen=True, kw_only=True, tag="checked"):
    """Whether an action could be played now, as the notation writes it, or why not."""

    id: str
    legal: bool
    action: str | None
    code: str
    message: str


class Pong(Frame, frozen=True, kw_only=True, tag="pong"):
    """The answer to a ping, with the server's time."""

    now: float


class Error(Frame, frozen=True, kw_only=True, tag="error"):
    """A frame that couldn't be read, one too many, or a socket that is refused."""

    code: str
    message: str


class TableNews(Frame, frozen=True, kw_only=True, tag="table"):
    """A line of the event stream: how one of your tables stands."""

    table: str
    version: int
    game: str
    stage: str
    turn: int
    your_turn: bool
    ready_wanted: bool


DownFrame = Welcome | State | Chat | Presence | Answer | Checked | Pong | Error


class EncodedPublic(Encoded[PublicView]):
    """A public view, of which only the part that passes is encoded again after an action.

    Attributes:
        version: of the view.
    """

    __slots__ = ("_begun", "_head", "_lasting", "_now", "_passing", "version")

    def __init__(self, view: PublicView, passing: PassingView | None = None, lasting: bytes = b"") -> None:
        self._begun = view
        self._passing = passing
        self._lasting = lasting
        self._json = None
        self._now = -1.0
        self._head = b""
        self.version = view.version if passing is None else passing.version

    def after(self, passing: PassingView) -> EncodedPublic:
        """The view after an action that has changed nothing else."""
        if not self._lasting:
            begun = self._begun
            now = PassingView(**{name: getattr(begun, name) for name in PassingView.__struct_fields__})
            self._lasting = encode_bytes(begun).removesuffix(encode_bytes(now)[1:])
        return EncodedPublic(self._begun, passing, self._lasting)

    def head(self, now: float) -> bytes:
        """Begin the frame of a state with this view; it is the same for every seat."""
        if self._now != now:
            self._now = now
            start = f'{{"kind":"state","version":{self.version},"now":{round(now, 3)},"public":'
            self._head = b"".join((start.encode(), self.json, b',"you":'))
        return self._head

    @property
    def message(self) -> PublicView:
        """The view itself, for users in the same process."""
        return self._begun if self._passing is None else structs.replace(self._begun, **structs.asdict(self._passing))

    def write(self) -> bytes:
        """Encode what has changed since the lasting part was encoded."""
        passing = self._passing
        return encode_bytes(self._begun) if passing is None else self._lasting + encode_bytes(passing)[1:]


class EncodedState(Encoded[State]):
    """A state whose public part is encoded once for all seats, and whose private part only when it has changed."""

    __slots__ = ("_now", "_public", "_you")

    def __init__(self, now: float, public: EncodedPublic, you: Encoded[PrivateView] | None) -> None:
        self._now = now
        self._public = public
        self._you = you
        self._json = None

    @property
    def message(self) -> State:
        """The state, for users in the same process; sockets need its text alone."""
        public, you = self._public.message, None if self._you is None else self._you.message
        return State(version=public.version, now=round(self._now, 3), public=public, you=you)

    def write(self) -> bytes:
        """Put the encoded parts together."""
        you = b"null" if self._you is None else self._you.json
        return b"".join((self._public.head(self._now), you, b"}"))


class _ReceivedPublic(PublicView, frozen=True, kw_only=True):
    round: Raw  # type: ignore[assignment]  # read in a second step, by its kind


class _ReceivedPrivate(PrivateView, frozen=True, kw_only=True):
    hand: Raw = Raw()  # type: ignore[assignment]  # the same


class _ReceivedState(State, frozen=True, kw_only=True, tag="state"):
    public: _ReceivedPublic
    you: _ReceivedPrivate | None


RoundViewOf = Callable[[str], type[RoundView]]
"""Returns how the rounds of a game are seen, given its catalogue id."""

_DOWN: Reader[DownFrame] = Reader(Welcome | _ReceivedState | Chat | Presence | Answer | Checked | Pong | Error)


@cache
def _reader(kind: Any) -> Reader[Any]:
    return Reader(kind)


def read_frame(text: str | bytes, round_view: RoundViewOf) -> DownFrame:
    """Return the frame that a server has sent. Unknown fields are ignored, for a newer server may send more.

    Raises:
        Malformed: the text isn't such a frame.
        UnknownGame: `round_view` doesn't know the table's game.
    """
    frame = _DOWN.read(text)
    return _with_round(frame, round_view) if isinstance(frame, _ReceivedState) else frame


def _with_round(frame: _ReceivedState, round_view: RoundViewOf) -> State:
    """The state with its round and hand read by the family's types."""
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
