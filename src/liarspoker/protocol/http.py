"""Requests and responses of the HTTP API."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType, field

from liarspoker.protocol.codec import MessageId
from liarspoker.protocol.commands import MOST_ACTION
from liarspoker.protocol.frames import InvitationLine

Text = Annotated[str, Meta(max_length=200)]
Id = Annotated[str, Meta(pattern=r"\A[A-Za-z0-9_-]{1,100}\Z")]


class Request(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Base class of requests; unknown keys are rejected."""


class GuestRequest(Request, frozen=True, kw_only=True):
    """A request to play as a guest."""

    name: Annotated[Text, Meta(description="Display name, 1 to 24 characters.")]


class LoginRequest(Request, frozen=True, kw_only=True):
    """Credentials to log in, or to turn a guest into an account."""

    login: Text
    passphrase: Annotated[str, Meta(max_length=1000)]


class RecoveryRequest(Request, frozen=True, kw_only=True):
    """A recovery code, and the new passphrase."""

    login: Text
    code: Text
    passphrase: Annotated[str, Meta(max_length=1000, description="The new passphrase.")]


class PasskeyOptionsRequest(Request, frozen=True, kw_only=True):
    """A request to create a passkey."""

    login: Annotated[Text, Meta(description="The login of the new account, for a guest.")] = ""


class PasskeyRequest(Request, frozen=True, kw_only=True):
    """A new passkey."""

    credential: Annotated[dict[str, Any], Meta(description="The browser's answer to the options.")]
    label: Annotated[Text, Meta(description="A name for the passkey.")]
    login: Annotated[Text, Meta(description="The login of the new account, for a guest.")] = ""


class PasskeyLoginRequest(Request, frozen=True, kw_only=True):
    """A proof that the browser has a passkey."""

    credential: Annotated[dict[str, Any], Meta(description="The browser's answer to the options.")]


class PassphraseRequest(Request, frozen=True, kw_only=True):
    """A change of the passphrase."""

    passphrase: Annotated[
        str, Meta(max_length=1000, description="The current passphrase; empty if the account has none.")
    ]
    new_passphrase: Annotated[str, Meta(max_length=1000)]


class EndSessionsRequest(Request, frozen=True, kw_only=True):
    """A request to end all sessions and start a new one."""

    passphrase: Annotated[str, Meta(max_length=1000)]


class RenameRequest(Request, frozen=True, kw_only=True):
    """A change of the display name."""

    name: Text


class TokenRequest(Request, frozen=True, kw_only=True):
    """A request for an API token."""

    label: Annotated[Text, Meta(description="What the token is for.")]


class TableRequest(Request, frozen=True, kw_only=True):
    """A request to create a table."""

    settings: Annotated[dict[str, Any], Meta(description="See the protocol reference; `game` is required.")]
    bots: Annotated[
        tuple[str, ...], Meta(max_length=15, description="Catalogue names of bots to add, one per seat.")
    ] = ()
    start: Annotated[bool, Meta(description="Start immediately, without a waiting room.")] = False


class RulesRequest(Request, frozen=True, kw_only=True):
    """A request for the code of a table's rules."""

    settings: Annotated[dict[str, Any], Meta(description="As for a new table; what isn't a rule is ignored.")]


class EventRequest(Request, frozen=True, kw_only=True):
    """A request to create a duplicate event."""

    name: Text
    settings: Annotated[
        dict[str, Any], Meta(description="Settings of every table, as for a new table; with a clock or days.")
    ]
    hands: Annotated[int, Meta(ge=1, le=100, description="The number of hands.")]
    bots: Annotated[bool, Meta(description="Bots fill the empty seats.")] = False


class JoinEventRequest(Request, frozen=True, kw_only=True):
    """A request to play in a duplicate event."""

    words: Annotated[
        Text, Meta(description="Any words; a hash of them is mixed into all deals. They aren't stored.")
    ] = ""


class CommandRequest(Request, frozen=True, kw_only=True):
    """A command to a table."""

    id: Annotated[MessageId, Meta(description="A command with the same id takes effect only once.")]
    command: Annotated[dict[str, Any], Meta(description='For example {"do": "act", "turn": 7, "action": "5x7"}.')]


class ActRequest(Request, frozen=True, kw_only=True):
    """An action to play."""

    turn: int
    action: Annotated[str, Meta(max_length=MOST_ACTION)]
    id: MessageId | None = None


class CheckRequest(Request, frozen=True, kw_only=True):
    """An action to be validated without playing it."""

    action: Annotated[str, Meta(max_length=MOST_ACTION)]


class ErrorText(Struct, frozen=True):
    """A code for programs and a message for people."""

    code: str
    message: str
    request: Annotated[str | None, Meta(description="Id of the request, for server errors.")] = None


class ErrorResponse(Struct, frozen=True):
    """The response to a request that failed."""

    error: ErrorText


class UserResponse(Struct, frozen=True, kw_only=True):
    """A user."""

    user: str
    name: str
    login: str | None
    guest: bool


class AccountResponse(UserResponse, frozen=True, kw_only=True):
    """An account with its new recovery code, which is returned only once."""

    recovery_code: str


class RecoveryResponse(Struct, frozen=True, kw_only=True):
    """A new recovery code, which is returned only once."""

    recovery_code: str


class PasskeyResponse(Struct, frozen=True, kw_only=True):
    """A passkey."""

    passkey: str
    label: str
    host: Annotated[str, Meta(description="The host name at which it works.")]
    created_at: float
    used_at: float | None


class RelyingPartyEntity(Struct, frozen=True, kw_only=True):
    """Whom a passkey is for, in WebAuthn."""

    id: Annotated[str, Meta(description="The host name of the server.")]
    name: str


class PasskeyOwner(Struct, frozen=True, kw_only=True):
    """Whose passkey it is, in WebAuthn."""

    id: Annotated[str, Meta(description="Id of the user, in base64url.")]
    name: str
    display_name: str = field(name="displayName")


class CredentialParameters(Struct, frozen=True, kw_only=True):
    """A kind of key that the server accepts, in WebAuthn."""

    type: Literal["public-key"]
    alg: Annotated[int, Meta(description="Number of the algorithm in COSE.")]


class CredentialDescriptor(Struct, frozen=True, kw_only=True):
    """A passkey, in WebAuthn."""

    type: Literal["public-key"]
    id: Annotated[str, Meta(description="Id of the passkey, in base64url.")]


class AuthenticatorSelection(Struct, frozen=True, kw_only=True):
    """What a passkey must be able to do, in WebAuthn."""

    resident_key: Literal["required"] = field(name="residentKey")
    require_resident_key: bool = field(name="requireResidentKey")
    user_verification: Literal["required"] = field(name="userVerification")


class PasskeyCreationOptionsResponse(Struct, frozen=True, kw_only=True):
    """The options with which a browser creates a passkey: `PublicKeyCredentialCreationOptionsJSON` of WebAuthn."""

    rp: RelyingPartyEntity
    user: PasskeyOwner
    challenge: Annotated[str, Meta(description="Random bytes in base64url, which the passkey signs.")]
    parameters: list[CredentialParameters] = field(name="pubKeyCredParams")
    timeout: Annotated[int, Meta(description="Milliseconds for which the browser waits for the user.")]
    excluded: Annotated[list[CredentialDescriptor], Meta(description="Passkeys that the account has.")] = field(
        name="excludeCredentials"
    )
    selection: AuthenticatorSelection = field(name="authenticatorSelection")
    attestation: Literal["none"]


class PasskeyLoginOptionsResponse(Struct, frozen=True, kw_only=True):
    """The options with which a browser logs in: `PublicKeyCredentialRequestOptionsJSON` of WebAuthn."""

    challenge: Annotated[str, Meta(description="Random bytes in base64url, which the passkey signs.")]
    timeout: Annotated[int, Meta(description="Milliseconds for which the browser waits for the user.")]
    host: Annotated[str, Meta(description="The host name of the server.")] = field(name="rpId")
    allowed: Annotated[list[CredentialDescriptor], Meta(description="Empty: any passkey of the host.")] = field(
        name="allowCredentials"
    )
    user_verification: Literal["required"] = field(name="userVerification")


class SessionResponse(Struct, frozen=True, kw_only=True):
    """An active login session."""

    created_at: float
    expires_at: float
    current: Annotated[bool, Meta(description="Whether this request belongs to the session.")]


class RulesResponse(Struct, frozen=True, kw_only=True):
    """The rules of a table."""

    rules: Annotated[str, Meta(description="Their code; the same rules always have the same code.")]
    settings: Annotated[dict[str, Any], Meta(description="The settings of a new table with these rules.")]


class TokenResponse(Struct, frozen=True, kw_only=True):
    """An API token. The secret is included only in the response that creates it."""

    token: str
    label: str
    created_at: float
    secret: str | None = None


class InvitationRequest(Request, frozen=True, kw_only=True):
    """An invitation of a friend to a table at which you sit."""

    table: Annotated[Id, Meta(description="Id of the table.")]
    user: Annotated[Id, Meta(description="Id of the friend.")]


class PersonResponse(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Another user."""

    user: str
    name: str
    since: Annotated[float, Meta(description="When the relation was made, or when you last played together.")]
    online: Annotated[bool, Meta(description="Whether a friend is connected to this node.")] = False


class FriendsResponse(Struct, frozen=True, kw_only=True):
    """Your friends, friend requests and blocks."""

    friends: tuple[PersonResponse, ...]
    received: Annotated[tuple[PersonResponse, ...], Meta(description="Requests that you can accept or decline.")]
    sent: Annotated[tuple[PersonResponse, ...], Meta(description="Your unanswered requests.")]
    blocked: tuple[PersonResponse, ...]


class RelationResponse(Struct, frozen=True, kw_only=True):
    """The relation to another user after a request."""

    relation: Literal["friend", "request"]


class RatingResponse(Struct, frozen=True, kw_only=True):
    """A rating in points, for a game with a number of players."""

    game: str
    players: int
    rating: int
    deviation: Annotated[int, Meta(description="Standard deviation, in points.")]
    provisional: Annotated[bool, Meta(description="Whether the rating is still too uncertain for the leaderboard.")]
    games: Annotated[int, Meta(description="The number of rated games.")]


class RatedGameResponse(Struct, frozen=True, kw_only=True):
    """A rated game, and the rating after it in points."""

    game: str
    players: int
    at: Annotated[float, Meta(description="When it ended, in seconds since 1970.")]
    place: Annotated[int, Meta(description="From 1; players who tied share the best place.")]
    rating: int
    deviation: int
    change: Annotated[int, Meta(description="Points gained or lost.")]


class RatingsResponse(Struct, frozen=True, kw_only=True):
    """A person's ratings, and their rated games, the most recent first."""

    user: str
    name: str
    ratings: tuple[RatingResponse, ...]
    history: tuple[RatedGameResponse, ...]


class LeaderboardLine(Struct, frozen=True, kw_only=True):
    """A person's place on a leaderboard."""

    place: int
    user: str
    name: str
    rating: int
    deviation: int
    games: int


class LeaderboardResponse(Struct, frozen=True, kw_only=True):
    """The people with the highest ratings for a game with a number of players, ordered by a cautious lower bound."""

    game: str
    players: int
    lines: Annotated[tuple[LeaderboardLine, ...], Meta(description="The first 100.")]
    own: Annotated[LeaderboardLine | None, Meta(description="Your own line; null if you have no place.")]


class SentInvitation(InvitationLine, frozen=True, kw_only=True):
    """An invitation that you have sent; `user` and `name` are those of the friend."""

    declined: bool


class InvitationsResponse(Struct, frozen=True, kw_only=True):
    """Your open invitations, newest first."""

    received: tuple[InvitationLine, ...]
    sent: tuple[SentInvitation, ...]


class BackupState(Struct, frozen=True, kw_only=True):
    """The status of automatic backups."""

    outcome: Annotated[
        Literal["waiting", "done", "failed"], Meta(description="Outcome of this server's latest attempt.")
    ]
    last: Annotated[float | None, Meta(description="Start time of the latest backup by any server, in seconds.")]


class ReadyResponse(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Whether the server can take requests, and the state of its data."""

    status: Literal["ready", "stopping", "no database"]
    database: Annotated[
        Literal["unknown", "sound", "damaged"],
        Meta(
            description="Result of the integrity check at startup; unknown until it ends, and always with PostgreSQL."
        ),
    ]
    damaged_tables: Annotated[
        tuple[str, ...],
        Meta(description="Marks, as used in log lines, of tables that can't be opened because their data is damaged."),
    ]
    backup: Annotated[
        BackupState | None, Meta(description="Status of automatic backups, if this server makes any.")
    ] = None


class TableResponse(Struct, frozen=True, kw_only=True):
    """A table that was created."""

    table: str
    version: int


class RematchResponse(Struct, frozen=True, kw_only=True):
    """The table at which the players of another one continue."""

    table: str


class AnswerResponse(Struct, frozen=True):
    """The answer to a command.

    Attributes:
        ok: whether the command took effect.
        version: version of the table that the command produced, or at which it was refused.
        code: reason of a refusal, for programs.
        message: reason of a refusal, for people.
    """

    ok: bool
    version: int
    code: str = ""
    message: str = ""


class CheckResponse(Struct, frozen=True, kw_only=True):
    """Whether an action is legal now."""

    legal: bool
    action: Annotated[str | None, Meta(description="The action in the notation; null if it isn't legal.")]
    code: str = ""
    message: str = ""


class EventSeatResponse(Struct, frozen=True, kw_only=True):
    """Who takes a seat at a table of an event."""

    user: Annotated[str | None, Meta(description="User id; null for a bot.")]
    name: str
    bot: Annotated[str | None, Meta(description="The bot's catalogue name; null for a person.")]


class EventResponse(Struct, frozen=True, kw_only=True):
    """A duplicate event."""

    event: str
    name: str
    owner: str
    status: Literal["waiting", "playing", "ended"]
    settings: dict[str, Any]
    hands: int
    bots: bool
    commitment: Annotated[str, Meta(description="The server's commitment to the seed of all deals.")]
    players: tuple[EventSeatResponse, ...]
    table: Annotated[str | None, Meta(description="The table at which you play; null for none.")]


class StandingResponse(Struct, frozen=True, kw_only=True):
    """The result of a player: their rank, the sum of their points, and the number of hands that count."""

    rank: int
    user: str
    name: str
    points: float
    hands: int


class ComparisonResponse(Struct, frozen=True, kw_only=True):
    """A seat in a hand, compared with the same seat at the other tables.

    Attributes:
        hand: number of the hand, from 1.
        table: index of the table, from 0.
        seat: the seat, from 0.
        round: number of the round in the table's replays.
        units: what the seat scored.
        points: that, minus the mean of this seat over the tables.
        counts: whether it counts for the player; otherwise a bot played for them.
    """

    hand: int
    table: int
    seat: int
    round: int
    units: int
    points: float
    counts: bool


class EventTableResponse(Struct, frozen=True, kw_only=True):
    """A table of an event that is over."""

    table: str
    seats: tuple[EventSeatResponse, ...]


class EventResultResponse(Struct, frozen=True, kw_only=True):
    """The result of a duplicate event."""

    event: str
    name: str
    game: str
    ranking: tuple[StandingResponse, ...]
    tables: tuple[EventTableResponse, ...]
    comparisons: tuple[ComparisonResponse, ...]


class GameResponse(Struct, frozen=True, kw_only=True):
    """A game of the catalogue."""

    game: str
    title: str
    seats: Annotated[list[int], Meta(description="Fewest and most players.")]
    summary: str
    source: str
    has_winner: Annotated[bool, Meta(description="A match: players are eliminated until one has won.")]
    rules_version: int


class OptionResponse(Struct, frozen=True, kw_only=True):
    """An option of a game."""

    name: str
    choices: list[Any]
    default: Any
    meaning: str
    source: str


class GameOptionsResponse(GameResponse, frozen=True, kw_only=True):
    """A game of the catalogue with its options."""

    options: list[OptionResponse]


class BotResponse(Struct, frozen=True, kw_only=True):
    """A bot, and the games that it plays."""

    name: str
    title: str
    summary: str
    games: list[str]


class ListedPlayer(Struct, frozen=True, kw_only=True):
    """A seated player in the lobby; `bot` is the name of a bot's kind, null for a person."""

    user: str
    name: str
    bot: str | None


class ListedTable(Struct, frozen=True, kw_only=True):
    """A table in the lobby.

    Attributes:
        seats_taken: taken and reserved seats.
        updated_at: when it last changed.
        clock: seconds per decision; null without a clock.
        running: whether a time limit is running.
        days: days per decision, in correspondence play.
        rated: true at a rated table.
        reserved: users whose seats are reserved.
        round: index of the current or last round in its match or set of players, from 0.
        stake: its stake in units; left out in a match.
    """

    table: str
    status: Literal["waiting", "playing", "ended"]
    game: str
    title: str
    visibility: Literal["private", "open"]
    seats_taken: int
    seats: int
    updated_at: float
    players: list[ListedPlayer]
    options: dict[str, Any]
    unit: str
    clock: float | None
    spectators: Literal["live", "behind", "none"]
    rounds_played: int
    running: bool
    days: int | UnsetType = UNSET
    rated: bool | UnsetType = UNSET
    reserved: list[str] | UnsetType = UNSET
    round: int | UnsetType = UNSET
    stake: int | UnsetType = UNSET
    living: int | UnsetType = UNSET
