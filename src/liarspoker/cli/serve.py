"""`liarspoker serve`: live tables on the web, for this machine or the local network."""

from __future__ import annotations

import argparse
import os
import socket
import sys
import threading
import webbrowser
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from liarspoker.server.settings import ServerSettings

DESCRIPTION = """Serve live tables: web pages, an HTTP API, WebSockets and a bot API. Data is
stored in a SQLite file in your data folder, or in PostgreSQL. Ctrl-C stops the
server gracefully: no move is lost, and running clocks get their time back."""

EXAMPLES = """examples:
  liarspoker serve                             on http://127.0.0.1:8000
  liarspoker serve --lan --open                for friends too; opens the lobby
  liarspoker serve --port 9000 --data tables   another port, another folder
  liarspoker serve --config server.toml --show-config
  liarspoker serve --database postgresql://localhost/liarspoker --processes 4"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `serve`; `liarspoker.server.setting_sources` reads their values."""
    parser.add_argument("--config", type=Path, metavar="FILE", help="a TOML file of settings")
    parser.add_argument("--show-config", action="store_true", help="print all settings as such a file, and exit")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="change any setting")
    parser.add_argument("--port", metavar="N", help="the port (8000; 0 for any free port)")
    parser.add_argument("--host", metavar="ADDRESS", help="the address to listen on (127.0.0.1)")
    parser.add_argument("--lan", action=_Switch, help="listen for the local network too")
    parser.add_argument("--data", metavar="FOLDER", help="the data folder (yours)")
    parser.add_argument("--database", metavar="URL", help="keep tables in PostgreSQL instead of a SQLite file")
    parser.add_argument("--node", metavar="NAME", help="this server's name among several (main)")
    parser.add_argument("--bus", metavar="ADDRESS", help="message bus between servers: notify or nats://...")
    parser.add_argument("--processes", metavar="N", help="on PostgreSQL, N processes named NAME-1 to NAME-N (1)")
    parser.add_argument("--internal", metavar="HOST:PORT", help=argparse.SUPPRESS)  # as --set internal=
    parser.add_argument("--sibling", action="store_true", help=argparse.SUPPRESS)  # one of several processes
    parser.add_argument("--tls", action=_Switch, help="players connect over HTTPS, through a proxy")
    parser.add_argument(
        "--trusted-proxies", metavar="ADDRESS,...", help="proxies whose forwarded client addresses are trusted"
    )
    parser.add_argument(
        "--limit",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="change a limit, as in logins=5/0.1; may be repeated",
    )
    parser.add_argument("--list-limits", action="store_true", help="list every limit with its value, and exit")
    parser.add_argument("--no-limits", action=_Switch, help="no limits except those set by --limit")
    parser.add_argument("--traces", metavar="URL", help="send traces to an OpenTelemetry collector (none)")
    parser.add_argument("--bot-pause", metavar="S", help="seconds a bot waits before it plays (1)")
    parser.add_argument("--backup-to", metavar="FOLDER", help="write regular backups to this folder (none)")
    parser.add_argument("--backup-every", metavar="TIME", help="time between backups (24h)")
    parser.add_argument("--backup-keep", metavar="N", help="number of backups to keep (7)")
    shown = parser.add_mutually_exclusive_group()
    shown.add_argument("--open", action="store_true", help="open the lobby in this machine's browser")
    shown.add_argument("--no-browser", dest="open", action="store_false", help="open no browser (the default)")
    parser.usage = "liarspoker serve [OPTION ...]"
    parser.set_defaults(parser=parser, extra="serve")


class _Switch(argparse.Action):
    """An option without a value; its value is the text `true` if it is given."""

    def __init__(self, **named: Any) -> None:
        super().__init__(nargs=0, **named)

    def __call__(self, parser: argparse.ArgumentParser, args: argparse.Namespace, *_: object) -> None:
        setattr(args, self.dest, "true")


def run(args: argparse.Namespace) -> int:
    """Serve until the process is stopped."""
    from liarspoker.server.config import format_limits
    from liarspoker.server.setting_sources import BadSetting, combined, read_environment, read_file, read_options
    from liarspoker.server.settings import as_toml

    if args.sibling:
        from msgspec import json

        from liarspoker.server.cluster.processes import read_line
        from liarspoker.server.settings import ServerSettings

        settings = json.decode(read_line(), type=ServerSettings)
    else:
        file = {} if args.config is None else read_file(args.config)
        environment = read_environment(os.environ)
        try:
            settings = combined(file, environment, read_options(_words(args)))
        except BadSetting as error:
            args.parser.error(str(error))
    if settings.mail_server and not (settings.mail_sender and settings.mail_site):
        args.parser.error("mail_server: set mail_sender and mail_site too")
    if args.list_limits:
        print(format_limits(settings.limits))
        return 0
    if args.show_config:
        print(as_toml(settings), end="")
        return 0
    if settings.traces:
        args.extra = "serve,traces"
    if settings.backup_to:
        from liarspoker.server.backups import check_folder

        check_folder(Path(settings.backup_to))
    if settings.processes > 1:
        return _serve_together(settings, args)
    return _serve(settings, args.open, shared=args.sibling)


def _words(args: argparse.Namespace) -> Iterator[tuple[str, str, str]]:
    """Yield what the command line sets: the option, the name of the setting, and its value as text."""
    from liarspoker.server.settings import SECTION, every_setting

    for given in args.limit:
        name, _, text = given.partition("=")
        yield f"--limit {given}", SECTION + name, text
    for given in args.set:
        name, equals, text = given.partition("=")
        if not equals:
            args.parser.error(f"--set {given}: write NAME=VALUE, as in --set port=9000")
        yield f"--set {name}", name, text
    for name in every_setting():
        text = getattr(args, name, None)
        if text is not None:
            yield f"--{name.replace('_', '-')}", name, text


def _serve_together(settings: ServerSettings, args: argparse.Namespace) -> int:
    """Start several processes that serve with these settings on one port, and restart those that end."""
    import asyncio

    from msgspec import json, structs

    from liarspoker.server import journal
    from liarspoker.server.cluster.processes import Nodes
    from liarspoker.server.listening import listen
    from liarspoker.server.settings import ServerSettings
    from liarspoker.server.storage.location import POSTGRESQL

    if not settings.database.startswith(POSTGRESQL):
        args.parser.error("--processes: several processes need PostgreSQL; give --database postgresql://...")
    if not hasattr(socket, "SO_REUSEPORT"):
        args.parser.error("--processes: on this system only one process can listen on a port; leave it out")
    if not settings.internal.endswith(":0"):
        args.parser.error(
            f"--internal {settings.internal}: with --processes each process needs a different port; write port 0"
        )
    journal.begin()
    host = settings.host or ("0.0.0.0" if settings.lan else "127.0.0.1")
    with listen(host, settings.port, backlog=None) as free:  # fails if another server listens there, shared or not
        port = int(free.getsockname()[1])
    with listen(host, port, shared=True, backlog=None):  # reserves the port, and accepts no connections
        each = dict[str, ServerSettings]()
        for number in range(settings.processes):
            name, metrics = f"{settings.node}-{number + 1}", _nth_place(settings.metrics, number)
            each[name] = structs.replace(settings, node=name, port=port, processes=1, metrics=metrics)
        command = (sys.executable, "-m", "liarspoker", "serve", "--sibling")
        lines = {name: json.encode(one) for name, one in each.items()}
        asyncio.run(Nodes(command, lines, lambda: _tell_ready(settings, port, args.open)).run())
    return 0


def _nth_place(metrics: str, number: int) -> str:
    """Return the metrics address of a node, numbered from 0: each uses the next port."""
    from liarspoker.server.listening import host_and_port, written_address

    try:
        host, port = host_and_port(metrics)
    except ValueError:
        return metrics
    return written_address(host, port + number if port else 0)


def _tell_ready(settings: ServerSettings, port: int, show: bool) -> None:
    """Print the server's address; `show` opens the lobby."""
    from liarspoker.server.listening import written_address

    here = written_address("127.0.0.1" if settings.lan else settings.host or "127.0.0.1", port)
    print(f"Serving on http://{here} (Ctrl-C stops)", flush=True)
    if settings.lan:
        print(f"Friends on your network come in at http://{_own_address()}:{port}", flush=True)
    if show:
        _open(f"http://{here}/")


def _serve(settings: ServerSettings, show: bool, shared: bool = False) -> int:
    """Serve with these settings; `show` opens the lobby, `shared` lets other processes listen on the same port."""
    from msgspec import structs

    from liarspoker.files import data_folder
    from liarspoker.server import journal
    from liarspoker.server.config import BackupConfig, Config, MailConfig, NodeConfig
    from liarspoker.server.run import serve
    from liarspoker.server.settings import seconds_of
    from liarspoker.server.storage.location import address
    from liarspoker.web.app import mount_pages

    journal.begin()
    if settings.tls and not settings.trusted_proxies:
        print("liarspoker: without --trusted-proxies all players count as one client, the proxy", file=sys.stderr)
    data = Path(settings.data) if settings.data else None
    host = settings.host or ("0.0.0.0" if settings.lan else "127.0.0.1")
    lan = _own_address() if settings.lan else ""
    special: dict[str, Any] = {
        "database": address(data, settings.database or None),
        "key_folder": data or data_folder(),
        "node": NodeConfig(settings.node, settings.bot_pause),
        "lan": lan,
        "mail": MailConfig(settings.mail_server, settings.mail_sender, settings.mail_site, settings.mail_after),
        "backup": BackupConfig(settings.backup_to, seconds_of(settings.backup_every), settings.backup_keep),
    }
    same = {one.name for one in fields(Config)} - special.keys()
    named = {name: value for name, value in structs.asdict(settings).items() if name in same}
    config = Config(**special, **named)

    serve(config, host, settings.port, lambda port: _tell_ready(settings, port, show), mount_pages, shared)
    return 0


def _open(address: str) -> None:
    """Open `address` in a browser, if this system has a graphical display."""
    if sys.platform in ("win32", "darwin") or os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"):
        # In a thread, since some browsers block the caller.
        threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()


def _own_address() -> str:
    """Return the address of this machine in the local network; finding it sends nothing."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as way_out:
        try:
            way_out.connect(("192.0.2.1", 9))  # an address reserved for documentation
            return str(way_out.getsockname()[0])
        except OSError:
            return socket.gethostname()
