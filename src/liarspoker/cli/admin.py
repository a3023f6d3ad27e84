"""`liarspoker admin`: what whoever runs a server can see and do, on its database, while servers run or not."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from liarspoker.cli.backup import address_of
from liarspoker.cli.typed_options import positive

if TYPE_CHECKING:
    from liarspoker.server.storage.connection import Connection
    from liarspoker.server.storage.orders import Order
    from liarspoker.server.storage.sealing import Sealer

DESCRIPTION = """Look after the database of a server, while servers run or not. Ids may be
shortened as long as they are unique; a user can be named by login too, and a
table by its mark in log lines. An id that begins with - goes last, after --.
Nothing here shows what anybody holds, a seed, or a link to a table."""

EXAMPLES = """examples:
  liarspoker admin tables --status playing     who plays where
  liarspoker admin users ann                   whose name has "ann" in it
  liarspoker admin table 3Vq0 --data club      one table of another folder
  liarspoker admin COMMAND --help              everything about one command"""

Columns = Mapping[str, Callable[[dict[str, Any]], object]]
"""What stands in the columns of a list, by their headings."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The commands of `liarspoker admin`, each with its own arguments."""
    parser.set_defaults(extra="serve")
    commands = parser.add_subparsers(metavar="COMMAND", required=True)

    def add(name: str, do: Callable[[argparse.Namespace], int], summary: str) -> argparse.ArgumentParser:
        command = commands.add_parser(name, help=summary, description=f"{summary[0].upper()}{summary[1:]}.")
        command.add_argument("--data", type=Path, metavar="FOLDER", help="the data folder, where the key is too")
        command.add_argument(
            "--database", metavar="URL", help="postgresql://... or sqlite:///PATH, if not in the folder"
        )
        command.add_argument("--json", action="store_true", help="print JSON")
        command.set_defaults(do=do)
        return command

    listed = add("tables", _tables, "list tables, those that changed last first")
    listed.add_argument("--status", choices=("waiting", "playing", "ended"), help="only tables that stand so")
    listed.add_argument("--game", metavar="GAME", help="only tables of this game")
    listed.add_argument("--owner", metavar="USER", help="only tables that this user owns")
    listed.add_argument("--member", metavar="USER", help="only tables where this user has sat")
    _add_pages(listed)
    add("table", _table, "show one table: seats, stage, clocks, settings, owner").add_argument("table", metavar="TABLE")
    found = add("users", _users, "list users, or find them by login, name or id; the newest first")
    found.add_argument("text", nargs="?", default="", metavar="TEXT", help="a part of the login or name")
    _add_pages(found)
    add("user", _user, "show one user").add_argument("user", metavar="USER")
    kept = add("sessions", _sessions, "list a user's sessions and API tokens, or revoke them")
    kept.add_argument("user", metavar="USER")
    kept.add_argument("--revoke", metavar="ALL|SESSION|TOKEN", help="revoke one of them, or all")
    _add_wait(kept)
    ended = add("end", _end, "end a table; those who sit there see the reason")
    ended.add_argument("table", metavar="TABLE")
    ended.add_argument("--reason", default="", metavar="TEXT", help="what they read")
    _add_wait(ended)
    banned = add("ban", _ban, "ban a user, whose connections are closed at once")
    banned.add_argument("user", metavar="USER")
    banned.add_argument("--for", dest="days", type=_days, metavar="DAYS", help="for so many days (for good)")
    banned.add_argument("--reason", default="", metavar="TEXT", help="what the user reads")
    _add_wait(banned)
    unbanned = add("unban", _unban, "let a banned user in again")
    unbanned.add_argument("user", metavar="USER")
    _add_wait(unbanned)
    add("export-user", _export_user, "all that is stored of a user, as JSON").add_argument("user", metavar="USER")
    deleted = add("delete-user", _delete_user, "delete a user, and the name in every log")
    deleted.add_argument("user", metavar="USER")
    deleted.add_argument("--chat", action="store_true", help="and what they have said in chats")
    _add_wait(deleted)
    kept = add("retention", _retention, "show what is due to be archived or deleted")
    kept.add_argument("--limit", action="append", default=[], metavar="NAME=VALUE", help="as for serve")
    kept.add_argument("--run", dest="go", action="store_true", help="do it now")
    _add_wait(kept)
    _add_wait(add("rotate-key", _rotate_key, "seal all seeds with a new key, or go on with that"))
    trail = add("audit", _audit, "show the audit trail: who has done what; the newest first")
    trail.add_argument("--user", metavar="USER", help="only what is about this user")
    trail.add_argument("--table", metavar="TABLE", help="only what is about this table")
    trail.add_argument("--what", metavar="WHAT", help="only this, such as ban")
    trail.add_argument("--days", type=_days, metavar="N", help="only the last so many days")
    _add_pages(trail)
    add("nodes", _nodes, "list the server processes on the database")


def _add_pages(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--page", type=positive, default=1, metavar="N", help="which page (1)")
    parser.add_argument("--limit", type=positive, default=50, metavar="N", help="how many on a page (50)")


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
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of {unit} from 0 to {most:g}")
    return number


def run(args: argparse.Namespace) -> int:
    """Do what the command says."""
    return int(args.do(args))


def _tables(args: argparse.Namespace) -> int:
    from liarspoker.server.admin import looking

    def look(connection: Connection) -> dict[str, Any]:
        owner, member = (text and looking.find_user(connection, text) for text in (args.owner, args.member))
        return looking.tables(
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
    from liarspoker.server.admin import acting, looking

    with _opened(args) as connection:
        table_id = looking.find_table(connection, args.table)
        shown = looking.table(connection, _sealer(connection, args), table_id)
        with acting.writing(connection):
            acting.note(connection, "look-at-table", table_id=table_id)
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
    from liarspoker.server.admin import looking

    shown = _read(args, lambda connection: looking.users(connection, args.text, args.page, args.limit))
    columns: Columns = {
        "USER": lambda row: row["user"],
        "LOGIN": lambda row: row["login"] or "(guest)",
        "SINCE": lambda row: _moment(row["created_at"]),
        "SEEN": lambda row: _moment(row["seen_at"]),
        "NAME": lambda row: row["name"],
    }
    return _print_page(args, shown, shown["users"], columns)


def _user(args: argparse.Namespace) -> int:
    from liarspoker.server.admin import looking

    shown = _read(args, lambda connection: looking.user(connection, looking.find_user(connection, args.user)))
    if args.json:
        return _print_json(shown)
    tables = ", ".join(f"{count} {status}" for status, count in shown["tables"].items())
    ban = shown["ban"]
    told = ban and f"{'for good' if ban['until'] is None else 'until ' + _moment(ban['until'])} {ban['reason']}".strip()
    _print_fields(shown | {"tables": tables or "none", "ban": told})
    return 0


def _sessions(args: argparse.Namespace) -> int:
    from liarspoker.server.admin import acting, looking

    if args.revoke is not None:
        with _opened(args) as connection:
            which = None if args.revoke.upper() == "ALL" else args.revoke
            counts, order_id = acting.revoke(connection, looking.find_user(connection, args.user), which)
            return _ordered(args, connection, order_id, "revoked", counts)

    shown = _read(args, lambda connection: looking.sessions(connection, looking.find_user(connection, args.user)))
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
    from liarspoker.server.admin import looking

    shown = _read(args, looking.nodes)
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
    from liarspoker.server.admin import acting, looking

    with _opened(args) as connection:
        table_id = looking.find_table(connection, args.table)
        order_id = acting.end_table(connection, table_id, args.reason)
        return _ordered(args, connection, order_id, "ended", {"table": table_id[: looking.SHOWN]})


def _ban(args: argparse.Namespace) -> int:
    from liarspoker.server.admin import acting, looking

    with _opened(args) as connection:
        user_id = looking.find_user(connection, args.user)
        order_id = acting.ban(connection, user_id, args.days, args.reason)
        return _ordered(args, connection, order_id, "banned", {"user": user_id})


def _unban(args: argparse.Namespace) -> int:
    from liarspoker.server.admin import acting, looking

    with _opened(args) as connection:
        user_id = looking.find_user(connection, args.user)
        return _ordered(args, connection, acting.unban(connection, user_id), "unbanned", {"user": user_id})


def _export_user(args: argparse.Namespace) -> int:
    from liarspoker.server.admin import acting, looking, users

    with _opened(args) as connection:
        user_id = looking.find_user(connection, args.user)
        shown = users.export(connection, _sealer(connection, args), user_id)
        with acting.writing(connection):
            acting.note(connection, "export-user", user_id=user_id)
    return _print_json(shown)


def _delete_user(args: argparse.Namespace) -> int:
    from liarspoker.server.admin import acting, looking, users

    def here(order: Order) -> None:
        acting.carry_out(address_of(args), _sealer(connection, args), order)

    with _opened(args) as connection:
        user_id = looking.find_user(connection, args.user)
        found = users.delete(connection, user_id, args.chat, args.wait, here)
    if args.json:
        _print_json({"user": user_id, **found})
    elif found["left"]:
        print(f"liarspoker: {found['left']} tables still have the name: run it again", file=sys.stderr)
    else:
        print(f"deleted: {user_id}, and the name at {found['tables']} tables")
    return int(found["left"] > 0)


def _retention(args: argparse.Namespace) -> int:
    from liarspoker.server.admin import acting, looking
    from liarspoker.server.config import BadLimit, Limits, with_limits

    try:
        limits = with_limits(Limits(), args.limit)
    except BadLimit as error:
        print(f"liarspoker: --limit: {error}", file=sys.stderr)
        return 2
    with _opened(args) as connection:
        shown = looking.due(connection, limits)
        if args.go and looking.nodes(connection):
            with acting.writing(connection):
                order_id = acting.note(connection, "upkeep", waits=True)
            return _ordered(args, connection, order_id, "done, by the limits of the servers", shown)
        if args.go:
            acting.carry_out_upkeep(address_of(args), _sealer(connection, args), limits)
            with acting.writing(connection):
                acting.note(connection, "upkeep")
    if args.json:
        return _print_json(shown | ({"outcome": "done"} if args.go else {}))
    _print_fields(shown)
    return 0


def _rotate_key(args: argparse.Namespace) -> int:
    from liarspoker.server.admin.keys import rotate
    from liarspoker.server.storage.place import data_folder

    with _opened(args) as connection:
        found = rotate(connection, args.data or data_folder(), args.wait)
    if args.json:
        return _print_json(found)
    print(f"sealed with the new key: {found['resealed']} seeds")
    if found["damaged"]:
        print(f"no key opens {found['damaged']} damaged seeds, which were left as they are", file=sys.stderr)
    if found["drop_from_environment"]:
        print("Leave the new key alone in the environment now. Keep the old one for as long as older backups.")
    else:
        print("The key file has the new key. Older backups need the old one, which is in liarspoker.key.old.")
    return 0


def _audit(args: argparse.Namespace) -> int:
    from liarspoker.server.admin import acting, looking

    def look(connection: Connection) -> dict[str, Any]:
        user_id = args.user and _user_of_trail(connection, args.user)
        table_id = args.table and looking.find_table(connection, args.table)
        wanted = {"user_id": user_id, "table_id": table_id, "what": args.what}
        return acting.trail(connection, args.page, args.limit, args.days, **wanted)

    shown = _read(args, look)
    columns: Columns = {
        "WHEN": lambda row: _moment(row["made_at"]),
        "WHO": lambda row: row["actor"],
        "WHAT": lambda row: row["what"],
        "ABOUT": lambda row: row["table"] or row["user"] or "",
        "OUTCOME": lambda row: row["outcome"] or "waits",
        "DETAILS": lambda row: ", ".join(f"{name} {given}" for name, given in row["details"].items()),
    }
    return _print_page(args, shown, shown["trail"], columns)


def _user_of_trail(connection: Connection, text: str) -> str:
    """The user whom a text names; one who was deleted, by the whole id."""
    from liarspoker.server.admin.looking import NotFound, find_user

    try:
        return find_user(connection, text)
    except NotFound:
        if len(text) < 20:
            raise
        return text


def _ordered(
    args: argparse.Namespace, connection: Connection, order_id: str, done: str, about: Mapping[str, Any]
) -> int:
    """Wait for an order, print what has come of it, and answer with the exit code."""
    from liarspoker.server.admin import acting

    def here(order: Order) -> None:
        acting.carry_out(address_of(args), _sealer(connection, args), order)

    found = acting.outcome(connection, order_id, args.wait, here)
    if args.json:
        _print_json({**about, **found})
    elif found["outcome"] == "done":
        print(f"{done}: {', '.join(str(one) for one in about.values())}")
    elif found["outcome"] is None:
        names = ", ".join(found["waits_for"]) or "a server that runs the table"
        print(f"ordered, and it waits for {names}; liarspoker admin audit shows when it is done")
    else:
        print(f"liarspoker: {_WHY_NOT.get(found['outcome'], found['outcome'])}", file=sys.stderr)
    return int(found["outcome"] not in ("done", None))


_WHY_NOT = {
    "table-ended": "the table has ended already",
    "table-damaged": "the table is damaged, so it cannot be ended",
    "database-damaged": "the table cannot be read",
}


@contextmanager
def _opened(args: argparse.Namespace) -> Iterator[Connection]:
    """A connection to the database that the options name."""
    from liarspoker.server.admin.looking import opened

    with opened(address_of(args)) as connection:
        yield connection


def _read(args: argparse.Namespace, look: Callable[[Connection], Any]) -> Any:
    """What a query finds, as the database is at one moment."""
    with _opened(args) as connection:
        connection.snapshot()
        try:
            return look(connection)
        finally:
            connection.rollback()


def _sealer(connection: Connection, args: argparse.Namespace) -> Sealer:
    """What opens the seeds, by the key of the server; a table's log cannot be read without it."""
    from liarspoker.server.storage.place import data_folder
    from liarspoker.server.storage.sealing import Sealer, find_key
    from liarspoker.server.storage.storage import check_key

    sealer = Sealer(find_key(args.data or data_folder(), make=False))
    check_key(connection, sealer)
    return sealer


def _print_json(shown: object) -> int:
    print(json.dumps(shown))
    return 0


def _print_page(
    args: argparse.Namespace, shown: dict[str, Any], rows: Sequence[dict[str, Any]], columns: Columns
) -> int:
    if args.json:
        return _print_json(shown)
    _print_rows(rows, columns)
    if shown["more"]:
        print(f"There are more: --page {shown['page'] + 1}")
    return 0


def _print_rows(rows: Sequence[dict[str, Any]], columns: Columns) -> None:
    """Rows under headings, in columns that are as wide as what stands in them."""
    from liarspoker.records.words import printable

    lines = [list(columns), *([printable(str(cell(row))) for cell in columns.values()] for row in rows)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    for line in lines:
        print("  ".join(text.ljust(width) for text, width in zip(line, widths, strict=True)).rstrip())


def _print_fields(shown: Mapping[str, Any]) -> None:
    """Names and values, one a line."""
    from liarspoker.records.words import printable

    for name, given in shown.items():
        text = _moment(given) if name.endswith(("_at", "deadline")) else given
        plain = json.dumps(text) if isinstance(text, dict | list) else "none" if text is None else str(text)
        print(f"{name.replace('_', ' ') + ':':15}{printable(plain)}")


def _moment(at: float | None) -> str:
    """A time in UTC, as a person reads it.

    >>> _moment(0.0), _moment(None)
    ('1970-01-01 00:00:00Z', 'never')
    """
    return "never" if at is None else time.strftime("%Y-%m-%d %H:%M:%SZ", time.gmtime(at))
