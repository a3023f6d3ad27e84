"""Who may do what, as data: a line for every route, message and command, a column for every kind of person."""

ROLES = ("owner", "seated", "former", "spectator", "anonymous", "expired", "revoked")
"""Owner and another player of the table; who has left it; somebody with an account; nobody known; holders of a session
that is over and of a token that was revoked."""

_NO = "not-logged-in"
EVERYBODY = "ok ok ok ok ok ok ok"
WHOEVER_IS_NOT_FALSE = f"ok ok ok ok ok ok {_NO}"
KNOWN = f"ok ok ok ok {_NO} {_NO} {_NO}"

ROUTES: dict[str, tuple[object, str]] = {
    "GET /health": (None, EVERYBODY),
    "GET /ready": (None, EVERYBODY),
    "GET /api/games": (None, EVERYBODY),
    "GET /api/games/{game}": (None, EVERYBODY),
    "GET /api/bots": (None, EVERYBODY),
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
    "GET /api/tables/{table}/records": (None, WHOEVER_IS_NOT_FALSE),
    "GET /api/tables/{table}/audit": (
        None,
        f"not-ended not-ended not-ended not-ended not-ended not-ended {_NO}",
    ),
    "GET /api/tables/{table}/stream": (None, WHOEVER_IS_NOT_FALSE),
    "GET /api/stream": (None, KNOWN),
}
"""By route: what is sent, and what each role is told: `ok`, or a code."""

MESSAGES: dict[str, tuple[dict[str, object], str]] = {
    "command": (
        {"id": "{new}", "command": {"do": "say", "text": "hello"}},
        f"ok ok not-seated not-seated {_NO} {_NO} {_NO}",
    ),
    "check": ({"id": "k", "action": "1x1"}, f"ok not-your-turn not-seated not-seated not-seated not-seated {_NO}"),
    "ping": ({}, WHOEVER_IS_NOT_FALSE),
}
"""By kind of message on a socket: what is in it, and what each role is told."""

_OWNER = f"not-owner not-owner not-owner {_NO} {_NO} {_NO}"
_SEATED = f"not-seated not-seated {_NO} {_NO} {_NO}"

COMMANDS: dict[str, tuple[dict[str, object], str]] = {
    "join": ({}, f"seated seated ok ok {_NO} {_NO} {_NO}"),
    "leave": ({}, f"ok ok {_SEATED}"),
    "sit_out": ({}, f"ok ok {_SEATED}"),
    "sit_in": ({}, f"not-away not-away {_SEATED}"),
    "seat_bot": ({"bot": "binomial"}, f"ok {_OWNER}"),
    "unseat": ({"chair": 5}, f"no-such-bot {_OWNER}"),
    "start": ({}, f"started {_OWNER}"),
    "ready": ({}, f"not-now not-now not-now not-now {_NO} {_NO} {_NO}"),
    "open_nonce": ({"nonce": "00"}, f"not-now not-now not-now not-now {_NO} {_NO} {_NO}"),
    "pick": ({"choice": 0}, f"not-now not-now not-now not-now {_NO} {_NO} {_NO}"),
    "name": ({"options": {}}, f"not-now not-now not-now not-now {_NO} {_NO} {_NO}"),
    "act": ({"turn": "{turn}", "action": "1x1"}, f"ok not-your-turn {_SEATED}"),
    "propose": ({"kind": "stake", "value": 2}, f"pending ok {_SEATED}"),
    "answer": ({"proposal": 0, "yes": True}, f"no-such-proposal ok no-say no-say {_NO} {_NO} {_NO}"),
    "ask_numbers": ({}, f"wrong-phase wrong-phase {_SEATED}"),
    "pause": ({}, f"ok {_OWNER}"),
    "resume": ({}, f"not-paused {_OWNER}"),
    "say": ({"text": "hello"}, f"ok ok {_SEATED}"),
    "mute": ({"user": "{owner}", "on": True}, f"no-such-player ok {_SEATED}"),
    "chat": ({"on": False}, f"ok {_OWNER}"),
    "end": ({}, f"ok {_OWNER}"),
}
"""By command, in a round where the owner is to act: its keys, and what each role is told; the owner asks last."""
