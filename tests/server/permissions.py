"""The permission matrix: a row for every route, message and command, a column for every role."""

ROLES = ("owner", "seated", "former", "spectator", "anonymous", "expired", "revoked")
"""The owner and another player; a former player; a user with an account; an anonymous client; holders of an
expired session and of a revoked token.
"""

_NO = "not-logged-in"
EVERYBODY = "ok ok ok ok ok ok ok"
WHOEVER_IS_NOT_FALSE = f"ok ok ok ok ok ok {_NO}"
_GUESTS = " ".join(["needs-confirmation"] * 3)
NO_PASSKEYS = " ".join(["no-passkeys"] * 4 + [_NO] * 3)
"""Passkeys aren't possible at an IP address."""
KNOWN_USER = " ".join(["no-such-user"] * 4 + [_NO] * 3)
KNOWN = f"ok ok ok ok {_NO} {_NO} {_NO}"

_EVENT = " ".join(["no-such-event"] * 4)

ROUTES: dict[str, tuple[object, str]] = {
    "GET /health": (None, EVERYBODY),
    "GET /ready": (None, EVERYBODY),
    "GET /api/games": (None, EVERYBODY),
    "GET /api/games/{game}": (None, EVERYBODY),
    "GET /api/bots": (None, EVERYBODY),
    "POST /api/rules": ({"settings": {"game": "slips"}}, EVERYBODY),
    "GET /api/rules/{code}": (None, EVERYBODY),
    "POST /api/guest": ({"name": "Somebody"}, EVERYBODY),
    "POST /api/login": ({"login": "nobody", "passphrase": "none at all"}, " ".join(["bad-login"] * 7)),
    "POST /api/logout": (None, EVERYBODY),
    "GET /api/me": (None, KNOWN),
    "POST /api/me/name": ({"name": "{new}"}, KNOWN),
    "POST /api/passphrase": (
        {"passphrase": "none at all", "new_passphrase": "nothing to guess"},
        f"bad-login bad-login bad-login bad-login {_NO} {_NO} {_NO}",
    ),
    "GET /api/sessions": (None, KNOWN),
    "POST /api/sessions/end": (
        {"passphrase": "none at all"},
        f"bad-login bad-login bad-login bad-login {_NO} {_NO} {_NO}",
    ),
    "POST /api/account": ({"login": "x", "passphrase": ""}, f"bad-name bad-name bad-name bad-name {_NO} {_NO} {_NO}"),
    "GET /api/tokens": (None, KNOWN),
    "POST /api/tokens": ({"label": "bot"}, KNOWN),
    "DELETE /api/tokens/{token}": (
        None,
        f"no-such-token no-such-token no-such-token no-such-token {_NO} {_NO} {_NO}",
    ),
    "GET /api/tables": (None, WHOEVER_IS_NOT_FALSE),
    "POST /api/tables": ({"settings": {"game": "slips"}}, KNOWN),
    "GET /api/tables/{table}": (None, WHOEVER_IS_NOT_FALSE),
    "POST /api/tables/{table}/commands": (
        {"id": "{new}", "command": {"do": "say", "text": "hello"}},
        f"ok ok not-seated not-seated {_NO} {_NO} {_NO}",
    ),
    "POST /api/tables/{table}/act": (
        {"turn": 0, "action": "1x1"},
        f"stale stale not-seated not-seated {_NO} {_NO} {_NO}",
    ),
    "POST /api/tables/{table}/check": (
        {"action": "1x1"},
        f"ok not-your-turn not-seated not-seated {_NO} {_NO} {_NO}",
    ),
    "POST /api/tables/{table}/rematch": (
        None,
        f"not-ended not-ended not-ended not-ended {_NO} {_NO} {_NO}",
    ),
    "GET /api/tables/{table}/records": (None, WHOEVER_IS_NOT_FALSE),
    "GET /api/tables/{table}/audit": (
        None,
        f"not-ended not-ended not-ended not-ended not-ended not-ended {_NO}",
    ),
    "GET /api/tables/{table}/stream": (None, WHOEVER_IS_NOT_FALSE),
    "GET /api/stream": (None, KNOWN),
    "GET /api/events": (None, KNOWN),
    "POST /api/events": (
        {"name": "Friday", "settings": {"game": "slips", "clock": {"turn": 60}}, "hands": 3},
        KNOWN,
    ),
    "GET /api/events/{event}": (None, f"{_EVENT} no-such-event no-such-event {_NO}"),
    "POST /api/events/{event}/join": ({}, f"{_EVENT} {_NO} {_NO} {_NO}"),
    "POST /api/events/{event}/leave": (None, f"{_EVENT} {_NO} {_NO} {_NO}"),
    "POST /api/events/{event}/start": (None, f"{_EVENT} {_NO} {_NO} {_NO}"),
    "GET /api/events/{event}/result": (None, " ".join(["no-such-event"] * 7)),
    "POST /api/recover": (
        {"login": "nobody", "code": "none", "passphrase": "nothing to guess"},
        " ".join(["bad-login"] * 7),
    ),
    "POST /api/recovery-code": (None, f"{_GUESTS} ok {_NO} {_NO} {_NO}"),
    "GET /api/passkeys": (None, KNOWN),
    "POST /api/passkeys": ({"credential": {}, "label": "key"}, NO_PASSKEYS),
    "POST /api/passkeys/options": ({}, NO_PASSKEYS),
    "DELETE /api/passkeys/{passkey}": (None, f"{_GUESTS} ok {_NO} {_NO} {_NO}"),
    "POST /api/login/passkey": ({"credential": {}}, " ".join(["no-passkeys"] * 7)),
    "POST /api/login/passkey/options": (None, " ".join(["no-passkeys"] * 7)),
    "GET /api/leaderboard": (None, WHOEVER_IS_NOT_FALSE),
    "GET /api/people/{user}/ratings": (None, " ".join(["no-such-user"] * 7)),
    "GET /api/friends": (None, KNOWN),
    "PUT /api/friends/{user}": (None, KNOWN_USER),
    "DELETE /api/friends/{user}": (None, KNOWN),
    "PUT /api/blocks/{user}": (None, KNOWN_USER),
    "DELETE /api/blocks/{user}": (None, KNOWN),
    "GET /api/people": (None, KNOWN),
    "GET /api/invitations": (None, KNOWN),
    "POST /api/invitations": (
        {"table": "{table}", "user": "{former}"},
        f"not-friends not-friends not-seated not-seated {_NO} {_NO} {_NO}",
    ),
    "DELETE /api/invitations/{table}": (None, KNOWN),
    "DELETE /api/invitations/{table}/{user}": (None, KNOWN),
}
"""By route: the request body, and the result for each role: `ok` or an error code."""

MESSAGES: dict[str, tuple[dict[str, object], str]] = {
    "command": (
        {"id": "{new}", "command": {"do": "say", "text": "hello"}},
        f"ok ok not-seated not-seated {_NO} {_NO} {_NO}",
    ),
    "check": ({"id": "k", "action": "1x1"}, f"ok not-your-turn not-seated not-seated not-seated not-seated {_NO}"),
    "ping": ({}, WHOEVER_IS_NOT_FALSE),
}
"""By kind of socket message: its content, and the result for each role."""

_OWNER = f"not-owner not-owner not-owner {_NO} {_NO} {_NO}"
_SEATED = f"not-seated not-seated {_NO} {_NO} {_NO}"

COMMANDS: dict[str, tuple[dict[str, object], str]] = {
    "join": ({}, f"seated seated ok ok {_NO} {_NO} {_NO}"),
    "leave": ({}, f"ok ok {_SEATED}"),
    "sit_out": ({}, f"ok ok {_SEATED}"),
    "sit_in": ({}, f"not-away not-away {_SEATED}"),
    "seat_bot": ({"bot": "binomial"}, f"ok {_OWNER}"),
    "unseat": ({"chair": 5}, f"no-such-bot {_OWNER}"),
    "stand_in": ({"user": "{owner}", "bot": "binomial"}, f"ok {_OWNER}"),
    "remove": ({"user": "{owner}"}, f"no-such-player {_OWNER}"),
    "admit": ({"user": "{owner}"}, f"no-such-player {_OWNER}"),
    "transfer": ({"user": "{owner}"}, f"no-such-player {_OWNER}"),
    "lock": ({"on": True}, f"ok {_OWNER}"),
    "start": ({}, f"started {_OWNER}"),
    "ready": ({}, f"not-now not-now not-now not-now {_NO} {_NO} {_NO}"),
    "open_nonce": ({"nonce": "00"}, f"not-now not-now not-now not-now {_NO} {_NO} {_NO}"),
    "pick": ({"choice": 0}, f"not-now not-now not-now not-now {_NO} {_NO} {_NO}"),
    "name": ({"options": {}}, f"not-now not-now not-now not-now {_NO} {_NO} {_NO}"),
    "act": ({"turn": "{turn}", "action": "1x1"}, f"ok not-your-turn {_SEATED}"),
    "propose": ({"kind": "stake", "value": 2}, f"pending ok {_SEATED}"),
    "answer": ({"proposal": 0, "yes": True}, f"no-such-proposal ok no-say no-say {_NO} {_NO} {_NO}"),
    "ask_numbers": ({}, f"wrong-phase wrong-phase {_SEATED}"),
    "show": ({}, f"nothing-hidden nothing-hidden {_SEATED}"),
    "pause": ({}, f"ok {_OWNER}"),
    "resume": ({}, f"not-paused {_OWNER}"),
    "say": ({"text": "hello"}, f"ok ok {_SEATED}"),
    "react": ({"reaction": "nice"}, f"ok ok {_SEATED}"),
    "mute": ({"user": "{owner}", "on": True}, f"no-such-player ok {_SEATED}"),
    "chat": ({"on": False}, f"ok {_OWNER}"),
    "end": ({}, f"ok {_OWNER}"),
}
"""By command, in a round where the owner is to act: its keys, and the result for each role. The owner sends it last."""
