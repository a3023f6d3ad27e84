"""`liarspoker serve`: live tables on the web, on this machine or for the local network."""

from __future__ import annotations

import argparse
import os
import socket
import sys
import threading
import webbrowser
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
    parser.add_argument("--no-limits", action="store_true", help="no rate limits: something in front has them")
    parser.add_argument(
        "--bot-pause", type=float, default=1.0, metavar="S", help="seconds a bot waits before it plays (1)"
    )
    parser.add_argument("--open", action="store_true", help="open the lobby in this machine's browser, if there is one")
    parser.set_defaults(parser=parser)


def run(args: argparse.Namespace) -> int:
    """Serve until the process is told to stop."""
    if not 0 <= args.port <= 65535:
        args.parser.error("--port: 0 to 65535")
    if not 0 <= args.bot_pause <= 60:
        args.parser.error("--bot-pause: 0 to 60 seconds")
    if args.lan and args.host is not None:
        args.parser.error("--lan listens everywhere; --host says where: choose one")
    from liarspoker.server import journal
    from liarspoker.server.config import Config, Limits
    from liarspoker.server.house.house import HouseRules
    from liarspoker.server.run import serve
    from liarspoker.server.storage.place import address, data_folder
    from liarspoker.web.app import dress

    journal.begin()
    host = args.host or ("0.0.0.0" if args.lan else "127.0.0.1")
    here, lan = ("127.0.0.1", _own_address()) if args.lan else (host, "")
    config = Config(
        address(args.data, args.database),
        key_folder=args.data or data_folder(),
        tls=args.tls,
        limits=None if args.no_limits else Limits(),
        house=HouseRules(args.node, args.bot_pause),
        lan=lan,
    )

    def ready(port: int) -> None:
        print(f"Serving on http://{here}:{port} (Ctrl-C stops)", flush=True)
        if lan:
            print(f"Friends on your network come in at http://{lan}:{port}", flush=True)
        if args.open:
            _open(f"http://{here}:{port}/")

    serve(config, host, args.port, ready, dress)
    return 0


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
