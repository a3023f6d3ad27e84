"""`liarspoker admin`: administration of a server's database, whether servers run or not."""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache, partial
from typing import TYPE_CHECKING, Any

from liarspoker.cli.arguments import UsageError, add_json, integer, print_json
from liarspoker.cli.backup import address_of, folder, folder_of
from liarspoker.cli.progress import Progress
from liarspoker.cli.style import heading

if TYPE_CHECKING:
    from liarspoker.server.storage.connection import Connection
    from liarspoker.server.storage.orders import Order
    from liarspoker.server.storage.sealing import Sealer

DESCRIPTION = """Administer a server's database, whether servers run or not. Ids may be shortened
as long as they are unique. A user can also be named by login, and a table by
its mark in log lines. An id that begins with - goes last, after --. The key is
found as by serve: in LIARSPOKER_KEY, in the file that LIARSPOKER_KEY_FILE
names, or in the data folder. Without --data and --database, the database is
that of LIARSPOKER_DATABASE or LIARSPOKER_DATA, or in your data folder. No
command shows hands, seeds or links to tables."""

EXAMPLES = """examples:
  liarspoker admin tables --status playing     list the tables in play
  liarspoker admin users ann                   find users by name
  liarspoker admin table 3Vq0 --data club      show a table of another folder
  liarspoker admin COMMAND --help              explain one command"""

Columns = Mapping[str, Callable[[dict[str, Any]], object]]
"""The columns of a list: the heading, and how a cell is made from a row."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the commands of `liarspoker admin` and their arguments."""
    parser.set_defaults(extra="serve")
    commands = parser.add_subparsers(metavar="COMMAND", required=True)

    def add(name: str, do: Callable[[argparse.Namespace], int], summary: str) -> argparse.ArgumentParser:
        command = commands.add_parser(name, help=summary, description=f"{summary[0].upper()}{summary[1:]}.")
        command.add_argument("--data", type=folder, metavar="FOLDER", help="the data folder, which also holds the key")
        command.add_argument(
            "--database", metavar="URL", help="postgresql://... or sqlite:///PATH, if the database isn't in the folder"
        )
        add_json(command)
        command.set_defaults(do=do, parser=command)
        return command

    listed = add("tables", _tables, "list tables, the last changed first")
    listed.add_argument("--status", choices=("waiting", "playing", "ended"), help="only tables with this status")
    listed.add_argument("--game", metavar="GAME", help="only tables of this game")
    listed.add_argument("--owner", metavar="USER", help="only tables of this owner")
    listed.add_argument("--member", metavar="USER", help="only tables where this user had a seat")
    _add_pages(listed)
    add("table", _table, "show one table: seats, stage, clocks, settings, owner").add_argument("table", metavar="TABLE")
    found = add("users", _users, "list users, or find them by login, name or id; newest first")
    found.add_argument("text", nargs="?", default="", metavar="TEXT", help="part of a login or name")
    _add_pages(found)
    add("user", _user, "show one user").add_argument("user", metavar="USER")
    kept = add("sessions", _sessions, "list a user's sessions and API tokens, or revoke them")
    kept.add_argument("user", metavar="USER")
    kept.add_argument("--revoke", metavar="ALL|SESSION|TOKEN", help="revoke one of them, or all")
    _add_wait(kept)
    ended = add("end", _end, "end a table; its players see the reason")
    ended.add_argument("table", metavar="TABLE")
    ended.add_argument("--reason", default="", metavar="TEXT", help="the reason that players see")
    _add_wait(ended)
    banned = add("ban", _ban, "ban a user and close their connections")
    banned.add_argument("user", metavar="USER")
    banned.add_argument("--for", dest="days", type=_days, metavar="DAYS", help="length of the ban in days (permanent)")
    banned.add_argument("--reason", default="", metavar="TEXT", help="the reason that the user sees")
    _add_wait(banned)
    unbanned = add("unban", _unban, "lift a user's ban")
    unbanned.add_argument("user", metavar="USER")
    _add_wait(unbanned)
    _add_pages(add("events", _events, "list duplicate events, newest first"))
    add("event", _event, "show one event: players and tables").add_argument("event", metavar="EVENT")
    cancelled = add("cancel-event", _cancel_event, "delete an event that hasn't started")
    cancelled.add_argument("event", metavar="EVENT")
    add("export-user", _export_user, "export all data about a user, as JSON").add_argument("user", metavar="USER")
    deleted = add("delete-user", _delete_user, "delete a user, and remove their name from every log")
    deleted.add_argument("user", metavar="USER")
    deleted.add_argument("--chat", action="store_true", help="also delete their chat messages")
    _add_wait(deleted)
    kept = add("retention", _retention, "show what is due for archiving or deletion")
    kept.add_argument("--limit", action="append", default=[], metavar="NAME=VALUE", help="a limit, as for serve")
    kept.add_argument("--run", dest="go", action="store_true", help="archive and delete it now")
    _add_wait(kept)
    _add_wait(add("rotate-key", _rotate_key, "encrypt all seeds with a new key, or continue after an interruption"))
    trail = add("audit", _audit, "show the audit trail: who did what; newest first")
    trail.add_argument("--user", metavar="USER", help="only entries about this user")
    trail.add_argument("--table", metavar="TABLE", help="only entries about this table")
    trail.add_argument("--what", metavar="WHAT", help="only this kind of entry, such as ban")
    trail.add_argument("--days", type=_days, metavar="N", help="only the last N days")
    _add_pages(trail)
    add("nodes", _nodes, "list the server processes that use the database")


def _add_pages(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--page", type=integer(1), default=1, metavar="N", help="page to show (1)")
    parser.add_argument("--limit", type=integer(1), default=50, metavar="N", help="rows per page (50)")


def _add_wait(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--wait", type=_seconds, default=10.0, metavar="S", help="seconds to wait for servers (10)")


def _days(text: str) -> float:
    return _number(text, "days", 36500.0)


def _seconds(text: str) -> float:
    return _number(text, "seconds", 3600.0)


def _number(text: str, unit: str, most: float) -> float:
    try:
        number = float(text)
    except ValueError:
        number = -1.0
    if not 0.0 <= number <= most:
        raise argparse.ArgumentTypeError(f"{text!r} isn't a number of {unit} from 0 to {most:g}")
    return number


def run(args: argparse.Namespace) -> int:
    """Run the command."""
    return int(args.do(args))


def _tables(args: argparse.Namespace) -> int:
    from liarspoker.server.admin import queries

    def look(connection: Connection) -> dict[str, Any]:
        owner, member = (text and queries.find_user(connection, text) for text in (args.owner, args.member))
        return queries.tables(
            connection,
            status=args.status,
            game=args.game,
            owner=owner,
            member=member,
            page=args.page,
            limit=args.limit,
        )

    shown = _read(args, look)
    columns: Columns = {
        "TABLE": lambda row: row["table"],
        "STATUS": lambda row: row["status"],
        "GAME": lambda row: row["game"],
        "SEATS": lambda row: f"{len(row['players'])}/{row['seats']}",
        "CHANGED": lambda row: _moment(row["changed_at"]),
        "TITLE": lambda row: row["title"],
        "PLAYERS": lambda row: ", ".join(row["players"]),
    }
    return _print_page(args, shown, shown["tables"], columns)


def _table(args: argparse.Namespace) -> int:
    from liarspoker.server.admin import actions, queries

    with _opened(args) as connection:
        table_id = queries.find_table(connection, args.table)
        shown = queries.table(connection, _sealer(connection, args), table_id)
        with actions.transaction(connection):
            actions.audit(connection, "look-at-table", table_id=table_id)
    if args.json:
        return _print_json(shown)
    seats, owner = shown.pop("seats"), shown.pop("owned_by")
    node = None if owner is None else owner["node"]
    _print_fields(shown | {"owned_by": node})
    print()
    columns: Columns = {
        "SEAT": lambda row: row["seat"],
        "NAME": lambda row: row["name"],
        "USER": lambda row: row["user"],
        "UNITS": lambda row: row["units"],
        "BANK": lambda row: f"{row['bank']:.0f}",
        "": lambda row: ", ".join(
            [*([f"bot {row['bot']}"] if row["bot"] else []), *(word for word in ("away", "leaving") if row[word])]
        ),
    }
    _print_rows([{"seat": number, **seat} for number, seat in enumerate(seats, 1) if seat is not None], columns)
    return 0


def _users(args: argparse.Namespace) -> int:
    from liarspoker.server.admin import queries

    shown = _read(args, lambda connection: queries.users(connection, args.text, args.page, args.limit))
    columns: Columns = {
        "USER": lambda row: row["user"],
        "LOGIN": lambda row: row["login"] or "(guest)",
        "SINCE": lambda row: _moment(row["created_at"]),
        "SEEN": lambda row: _moment(row["seen_at"]),
        "NAME": lambda row: row["name"],
    }
    return _print_page(args, shown, shown["users"], columns)


def _user(args: argparse.Namespace) -> int:
    from liarspoker.server.admin import queries

    shown = _read(args, lambda connection: queries.user(connection, queries.find_user(connection, args.user)))
    if args.json:
        return _print_json(shown)
    tables = ", ".join(f"{count} {status}" for status, count in shown["tables"].items())
    ban = shown["ban"]
    until = ban and ("permanent" if ban["until"] is None else f"until {_moment(ban['until'])}")
    banned = ban and f"{until} {ban['reason']}".strip()
    _print_fields(shown | {"tables": tables or "none", "ban": banned})
    return 0


def _sessions(args: argparse.Namespace) -> int:
    from liarspoker.server.admin import actions, queries

    if args.revoke is not None:
        with _opened(args) as connection:
            which = None if args.revoke.upper() == "ALL" else args.revoke
            counts, order_id = actions.revoke(connection, queries.find_user(connection, args.user), which)
            return _ordered(args, connection, order_id, "revoked", counts)

    shown = _read(args, lambda connection: queries.sessions(connection, queries.find_user(connection, args.user)))
    if args.json:
        return _print_json(shown)
    sessions: Columns = {
        "SESSION": lambda row: row["session"],
        "SINCE": lambda row: _moment(row["created_at"]),
        "UNTIL": lambda row: _moment(row["expires_at"]),
    }
    tokens: Columns = {
        "TOKEN": lambda row: row["token"],
        "SINCE": lambda row: _moment(row["created_at"]),
        "LABEL": lambda row: row["label"],
    }
    _print_rows(shown["sessions"], sessions)
    print()
    _print_rows(shown["tokens"], tokens)
    return 0


def _nodes(args: argparse.Namespace) -> int:
    from liarspoker.server.admin import queries

    shown = _read(args, queries.nodes)
    if args.json:
        return _print_json({"nodes": shown})
    columns: Columns = {
        "NODE": lambda row: row["node"],
        "INSTANCE": lambda row: row["instance"],
        "ADDRESS": lambda row: row["address"] or "",
        "SHARDS": lambda row: row["shards"],
        "LEAVING": lambda row: "yes" if row["leaving"] else "no",
    }
    _print_rows(shown, columns)
    return 0


def _end(args: argparse.Namespace) -> int:
    from liarspoker.server.admin import actions, queries

    with _opened(args) as connection:
        table_id = queries.find_table(connection, args.table)
        here = _without_servers(args, connection)
        order_id = actions.end_table(connection, table_id, args.reason)
        return _ordered(args, connection, order_id, "ended", {"table": table_id[: queries.ID_PREFIX_LENGTH]}, here)


def _ban(args: argparse.Namespace) -> int:
    from liarspoker.server.admin import actions, queries

    with _opened(args) as connection:
        user_id = queries.find_user(connection, args.user)
        order_id = actions.ban(connection, user_id, args.days, args.reason)
        return _ordered(args, connection, order_id, "banned", {"user": user_id})


def _unban(args: argparse.Namespace) -> int:
    from liarspoker.server.admin import actions, queries

    with _opened(args) as connection:
        user_id = queries.find_user(connection, args.user)
        return _ordered(args, connection, actions.unban(connection, user_id), "unbanned", {"user": user_id})


def _events(args: argparse.Namespace) -> int:
    from liarspoker.server.admin import events

    shown = _read(args, lambda connection: events.events(connection, args.page, args.limit))
    columns: Columns = {
        "EVENT": lambda row: row["event"],
        "STATUS": lambda row: row["status"],
        "GAME": lambda row: row["game"],
        "HANDS": lambda row: row["hands"],
        "PLAYERS": lambda row: row["players"],
        "MADE": lambda row: _moment(row["created_at"]),
        "NAME": lambda row: row["name"],
    }
    return _print_page(args, shown, shown["events"], columns)


def _event(args: argparse.Namespace) -> int:
    from liarspoker.server.admin import events, queries

    shown = _read(args, lambda connection: events.event(connection, queries.find_event(connection, args.event)))
    if args.json:
        return _print_json(shown)
    tables, players = shown.pop("tables"), [one["name"] for one in shown["players"]]
    _print_fields(shown | {"players": ", ".join(players) or "none"})
    columns: Columns = {
        "TABLE": lambda row: row["table"],
        "STATUS": lambda row: row["status"] or "not made yet",
        "PLAYERS": lambda row: ", ".join(row["players"]),
    }
    if tables:
        print()
        _print_rows(tables, columns)
    return 0


def _cancel_event(args: argparse.Namespace) -> int:
    from liarspoker.server.admin import events, queries

    with _opened(args) as connection:
        event_id = queries.find_event(connection, args.event)
        events.cancel(connection, event_id)
    about = {"event": event_id[: queries.ID_PREFIX_LENGTH]}
    if args.json:
        return _print_json(about | {"outcome": "done"})
    print(f"cancelled: {about['event']}")
    return 0


def _export_user(args: argparse.Namespace) -> int:
    from liarspoker.server.admin import actions, queries, users

    with _opened(args) as connection:
        user_id = queries.find_user(connection, args.user)
        shown = users.export(connection, _sealer(connection, args), user_id)
        with actions.transaction(connection):
            actions.audit(connection, "export-user", user_id=user_id)
    return _print_json(shown)


def _delete_user(args: argparse.Namespace) -> int:
    from liarspoker.server.admin import queries, users

    with _opened(args) as connection:
        user_id = queries.find_user(connection, args.user)
        here = _without_servers(args, connection)
        found = users.delete(connection, user_id, args.chat, args.wait, here)
    if args.json:
        _print_json({"user": user_id, **found})
    elif found["left"]:
        tables = "1 table still holds" if found["left"] == 1 else f"{found['left']} tables still hold"
        print(f"liarspoker: {tables} the name of user {user_id}; run the command again", file=sys.stderr)
    else:
        print(f"deleted: {user_id}, and their name at {found['tables']} tables")
    return int(found["left"] > 0)


def _retention(args: argparse.Namespace) -> int:
    from liarspoker.server.admin import actions, queries
    from liarspoker.server.config import BadLimit, Limits, with_limits

    try:
        limits = with_limits(Limits(), args.limit)
    except BadLimit as error:
        raise UsageError(f"--limit: {error}") from error
    with _opened(args) as connection:
        shown = queries.due(connection, limits)
        if args.go and queries.nodes(connection):
            if args.limit:
                raise UsageError("--limit: servers are running, and they work by their own limits; leave it out")
            with actions.transaction(connection):
                order_id = actions.audit(connection, "upkeep", waits=True)
            return _ordered(args, connection, order_id, "done, by the limits of the servers", {})
        if args.go:
            with Progress("Archiving and deleting") as progress:
                progress.tick()
                actions.carry_out_upkeep(address_of(args), _sealer(connection, args), limits)
            with actions.transaction(connection):
                actions.audit(connection, "upkeep")
    if args.json:
        return _print_json(shown | ({"outcome": "done"} if args.go else {}))
    _print_fields(shown)
    return 0


def _rotate_key(args: argparse.Namespace) -> int:
    from liarspoker.server.admin.keys import rotate

    with _opened(args) as connection, Progress("Encrypting the seeds") as progress:
        progress.tick()
        found = rotate(connection, folder_of(args), args.wait)
    if args.json:
        return _print_json(found)
    print(f"encrypted with the new key: {found['resealed']} seeds")
    if found["damaged"]:
        print(f"no key decrypts {found['damaged']} damaged seeds; they were left as they are", file=sys.stderr)
    if found["drop_from_environment"]:
        print("Remove the old key from the environment now, but keep it as long as older backups.")
    elif found["drop_from_file"]:
        print("Remove the old key from the file in LIARSPOKER_KEY_FILE now, but keep it as long as older backups.")
    else:
        print("The key file holds the new key. Older backups need the old one, in liarspoker.key.old.")
    return 0


def _audit(args: argparse.Namespace) -> int:
    from liarspoker.server.admin import actions, queries

    def look(connection: Connection) -> dict[str, Any]:
        user_id = args.user and _user_of_trail(connection, args.user)
        table_id = args.table and queries.find_table(connection, args.table)
        wanted = {"user_id": user_id, "table_id": table_id, "what": args.what}
        return actions.trail(connection, args.page, args.limit, args.days, **wanted)

    shown = _read(args, look)
    columns: Columns = {
        "WHEN": lambda row: _moment(row["made_at"]),
        "WHO": lambda row: row["actor"],
        "WHAT": lambda row: row["what"],
        "ABOUT": lambda row: row["table"] or row["user"] or "",
        "OUTCOME": lambda row: row["outcome"] or "pending",
        "DETAILS": lambda row: ", ".join(f"{name} {given}" for name, given in row["details"].items()),
    }
    return _print_page(args, shown, shown["trail"], columns)


def _user_of_trail(connection: Connection, text: str) -> str:
    """Return the id of the user that a text names; a deleted user is named by the whole id."""
    from liarspoker.server.admin.queries import NotFound, find_user

    try:
        return find_user(connection, text)
    except NotFound:
        if len(text) < 20:
            raise
        return text


def _ordered(
    args: argparse.Namespace,
    connection: Connection,
    order_id: str,
    done: str,
    about: Mapping[str, Any],
    here: Callable[[Order], None] | None = None,
) -> int:
    """Wait for an order, print its outcome, and return the exit code; `here` carries out an order about a table."""
    from liarspoker.server.admin import actions

    with Progress("Waiting for the servers") as progress:
        progress.tick()
        found = actions.outcome(connection, order_id, args.wait, here)
    if args.json:
        _print_json({**about, **found})
    elif found["outcome"] == "done":
        print(": ".join((done, *([", ".join(map(str, about.values()))] if about else []))))
    elif found["outcome"] is None:
        names = ", ".join(found["waits_for"]) or "a server that owns the table"
        print(f"ordered; waiting for {names}; liarspoker admin audit shows when it is done")
    else:
        print(f"liarspoker: {_WHY_NOT.get(found['outcome'], found['outcome'])}", file=sys.stderr)
    return int(found["outcome"] not in ("done", None))


_WHY_NOT = {
    "table-ended": "the table has ended already",
    "table-damaged": "the table is damaged and can't be ended",
    "database-damaged": "the table can't be read",
}


@contextmanager
def _opened(args: argparse.Namespace) -> Iterator[Connection]:
    """Open a connection to the database that the options name."""
    from liarspoker.server.admin.queries import open_database

    with open_database(address_of(args)) as connection:
        yield connection


def _read(args: argparse.Namespace, look: Callable[[Connection], Any]) -> Any:
    """Return the result of a query on a snapshot of the database."""
    with _opened(args) as connection:
        connection.snapshot()
        try:
            return look(connection)
        finally:
            connection.rollback()


def _sealer(connection: Connection, args: argparse.Namespace) -> Sealer:
    """Return the object that decrypts seeds with the server's key; a table's log can't be read without it."""
    from liarspoker.server.admin.keys import current_keys, given_key
    from liarspoker.server.storage.sealing import Sealer
    from liarspoker.server.storage.storage import check_key

    sealer = Sealer(current_keys(folder_of(args), given_key(os.environ)))
    check_key(connection, sealer)
    return sealer


def _without_servers(args: argparse.Namespace, connection: Connection) -> Callable[[Order], None]:
    """Return what carries out an order about a table if no server runs.

    Raises:
        LiarsPokerError: no server runs, and the key is missing or wrong; so it is reported before anything is changed.
    """
    from liarspoker.server.admin import actions, queries

    sealer = cache(partial(_sealer, connection, args))
    if not queries.nodes(connection):
        sealer()
    return lambda order: actions.carry_out(address_of(args), sealer(), order)


def _print_json(shown: object) -> int:
    print_json(shown)
    return 0


def _print_page(
    args: argparse.Namespace, shown: dict[str, Any], rows: Sequence[dict[str, Any]], columns: Columns
) -> int:
    if args.json:
        return _print_json(shown)
    _print_rows(rows, columns)
    if shown["more"]:
        print(f"More: --page {shown['page'] + 1}")
    return 0


def _print_rows(rows: Sequence[dict[str, Any]], columns: Columns) -> None:
    """Print rows under headings, in columns as wide as their content."""
    from liarspoker.records.words import aligned, printable

    lines = [list(columns), *([printable(str(cell(row))) for cell in columns.values()] for row in rows)]
    for number, line in enumerate(zip(*map(aligned, zip(*lines, strict=True)), strict=True)):
        text = "  ".join(line).rstrip()
        print(text if number else heading(text))


def _print_fields(shown: Mapping[str, Any]) -> None:
    """Print names and values, one per line."""
    from liarspoker.records.words import printable

    for name, given in shown.items():
        text = _moment(given) if name.endswith(("_at", "deadline")) else given
        plain = json.dumps(text) if isinstance(text, dict | list) else "none" if text is None else str(text)
        print(f"{name.replace('_', ' ') + ':':15}{printable(plain)}")


def _moment(at: float | None) -> str:
    """Return a time in UTC as text.

    >>> _moment(0.0), _moment(None)
    ('1970-01-01 00:00:00Z', 'never')
    """
    return "never" if at is None else time.strftime("%Y-%m-%d %H:%M:%SZ", time.gmtime(at))
