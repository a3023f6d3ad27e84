"""The link to a table, for a friend who is somewhere else, and the same as a code to scan."""

from __future__ import annotations

import ipaddress
from functools import lru_cache

import segno
from markupsafe import Markup
from starlette.requests import HTTPConnection

from liarspoker.server.service import service_of

_QUIET = 3
"""Modules of white around a code, so that a camera finds its edge on any ground."""


def link_to(connection: HTTPConnection, table_id: str) -> str:
    """The address of a table's page under which others reach it too.

    It is on the host that this page was asked for; where that is this very machine, on the one that the local network
    knows, if there is one.
    """
    config = service_of(connection).config
    host = connection.headers.get("host", "")
    name, _, port = host.rpartition(":") if not host.endswith("]") and ":" in host else (host, "", "")
    if config.lan and _is_this_machine(name.strip("[]")):
        host = f"{config.lan}:{port}" if port else config.lan
    scheme = "https" if connection.url.scheme in ("https", "wss") else "http"
    return f"{scheme}://{host}/t/{table_id}"


def _is_this_machine(name: str) -> bool:
    if name.lower() == "localhost" or name.lower().endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False


@lru_cache(512)
def code_to_scan(text: str) -> Markup:
    """A QR code of `text` as a drawing: dark on paper, in whatever theme, without a style of its own.

    Nothing where the text is longer than a code can hold.
    """
    try:
        rows = [list(row) for row in segno.make_qr(text, error="m").matrix]
    except segno.DataOverflowError:
        return Markup("")
    side = len(rows) + 2 * _QUIET
    path = "".join(_run(x + _QUIET, y + _QUIET, wide) for y, row in enumerate(rows) for x, wide in _dark(row))
    return Markup(
        '<svg class="qr" viewBox="0 0 {0} {0}" role="img" '
        'aria-label="A code to scan with a phone: the link to this table">'
        '<rect class="qr-paper" width="{0}" height="{0}"/><path class="qr-ink" d="{1}"/></svg>'
    ).format(side, path)


def _dark(row: list[int]) -> list[tuple[int, int]]:
    """Where a row of modules is dark: the beginning and the width of every run."""
    runs: list[tuple[int, int]] = []
    for x, dark in enumerate(row):
        if dark and x and row[x - 1]:
            runs[-1] = (runs[-1][0], runs[-1][1] + 1)
        elif dark:
            runs.append((x, 1))
    return runs


def _run(x: int, y: int, wide: int) -> str:
    return f"M{x} {y}h{wide}v1h-{wide}z"
