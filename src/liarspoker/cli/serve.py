"""`liarspoker serve`: live tables on the web, on this machine or for the local network."""

from __future__ import annotations

import argparse
import os
import socket
import sys
import threading
import webbrowser
from ipaddress import ip_network
from pathlib import Path

DESCRIPTION = """Serve live tables: an HTTP API, WebSockets and a bot API, with everything kept
in a SQLite file in your data folder, or in PostgreSQL. Ctrl-C stops it
gracefully: every move is kept, and running clocks get their time back at the
next start."""

EXAMPLES = """examples:
  liarspoker serve                             on http://127.0.0.1:8000
  liarspoker serve --lan --open                for friends too; opens the lobby
  liarspoker serve --port 9000 --data tables   another port, another folder
  liarspoker serve --database postgresql://localhost/liarspoker"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `serve`."""
    parser.add_argument("--port", type=int, default=8000, metavar="N", help="the port (8000; 0 for any that is free)")
    parser.add_argument("--host", default=None, metavar="ADDRESS", help="the address to listen on (127.0.0.1)")
    parser.add_argument("--lan", action="store_true", help="listen for the local network too")
    parser.add_argument("--data", type=Path, metavar="FOLDER", help="where the data is (your data folder)")
    parser.add_argument("--database", metavar="URL", help="keep tables in PostgreSQL instead of a SQLite file")
    parser.add_argument("--node", default="main", metavar="NAME", help="this server's name among several (main)")
    parser.add_argument("--tls", action="store_true", help="people reach the server over HTTPS, through a proxy")
    parser.add_argument(
        "--trusted-proxies",
        type=_networks,
        default=(),
        metavar="ADDRESS,...",
        help="proxies in front, which say where requests come from",
    )
    parser.add_argument(
        "--limit",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="change a limit, as in logins=5/0.1; give one for each",
    )
    parser.add_argument("--list-limits", action="store_true", help="list every limit with its value, and exit")
    parser.add_argument("--no-limits", action="store_true", help="no limits but those that --limit sets")
    parser.add_argument(
        "--bot-pause", type=float, default=1.0, metavar="S", help="seconds a bot waits before it plays (1)"
    )
    shown = parser.add_mutually_exclusive_group()
    shown.add_argument("--open", action="store_true", help="open the lobby in this machine's browser, if it has one")
    shown.add_argument("--no-browser", dest="open", action="store_false", help="open no browser (the default)")
    parser.set_defaults(parser=parser, extra="serve")


def run(args: argparse.Namespace) -> int:
    """Serve until the process is told to stop."""
    if not 0 <= args.port <= 65535:
        args.parser.error("--port: 0 to 65535")
    if not 0 <= args.bot_pause <= 60:
        args.parser.error("--bot-pause: 0 to 60 seconds")
    if args.lan and args.host is not None:
        args.parser.error("--lan listens everywhere; --host says where: choose one")
    from liarspoker.server.config import BadLimit, Limits, listing, no_limits, with_limits

    try:
        limits = with_limits(no_limits() if args.no_limits else Limits(), args.limit)
    except BadLimit as error:
        args.parser.error(f"--limit: {error}")
    if args.list_limits:
        print(listing(limits))
        return 0
    from liarspoker.server import journal
    from liarspoker.server.config import Config, NodeConfig
    from liarspoker.server.run import serve
    from liarspoker.server.storage.place import address, data_folder
    from liarspoker.web.app import mount_pages

    journal.begin()
    if args.tls and not args.trusted_proxies:
        print("liarspoker: without --trusted-proxies everybody counts as one client, the proxy", file=sys.stderr)
    host = args.host or ("0.0.0.0" if args.lan else "127.0.0.1")
    here, lan = ("127.0.0.1", _own_address()) if args.lan else (host, "")
    config = Config(
        address(args.data, args.database),
        key_folder=args.data or data_folder(),
        tls=args.tls,
        trusted_proxies=args.trusted_proxies,
        limits=limits,
        node=NodeConfig(args.node, args.bot_pause),
        lan=lan,
    )

    def ready(port: int) -> None:
        print(f"Serving on http://{here}:{port} (Ctrl-C stops)", flush=True)
        if lan:
            print(f"Friends on your network come in at http://{lan}:{port}", flush=True)
        if args.open:
            _open(f"http://{here}:{port}/")

    serve(config, host, args.port, ready, mount_pages)
    return 0


def _networks(text: str) -> tuple[str, ...]:
    """Addresses and networks, between commas.

    Raises:
        ArgumentTypeError: one is neither.
    """
    try:
        return tuple(str(ip_network(one.strip())) for one in text.split(","))
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"{error}; write addresses or networks, as in 127.0.0.1,10.0.0.0/8") from error


def _open(address: str) -> None:
    """Open `address` in a browser with a window; where there is none, nothing happens."""
    if sys.platform in ("win32", "darwin") or os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"):
        # In a thread, since some browsers keep whoever starts them waiting.
        threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()


def _own_address() -> str:
    """The address under which the local network reaches this machine; nothing is sent to find it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as way_out:
        try:
            way_out.connect(("192.0.2.1", 9))  # an address that documents use, and nobody has
            return str(way_out.getsockname()[0])
        except OSError:
            return socket.gethostname()
