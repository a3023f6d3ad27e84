"""The invite link of a table, also as a QR code."""

from __future__ import annotations

import ipaddress

import segno
from markupsafe import Markup
from starlette.requests import HTTPConnection

from liarspoker.language import _, per_language
from liarspoker.server.service import service_of

_QUIET = 3
"""White modules around a QR code, so that a camera finds its edge on any background."""


def link_to(connection: HTTPConnection, table_id: str) -> str:
    """Return the URL of a table's page for other people; see `address_here`."""
    return f"{address_here(connection)}/t/{table_id}"


def address_here(connection: HTTPConnection) -> str:
    """Return the URL of this server for other people, without a path.

    Its host is that of the request. If that is localhost and the server also listens on the local network, the host is
    the server's address there.
    """
    config = service_of(connection).config
    host = connection.headers.get("host", "")
    name, _, port = host.rpartition(":") if not host.endswith("]") and ":" in host else (host, "", "")
    if config.lan and _is_this_machine(name.strip("[]")):
        host = f"{config.lan}:{port}" if port else config.lan
    scheme = "https" if connection.url.scheme in ("https", "wss") else "http"
    return f"{scheme}://{host}"


def _is_this_machine(name: str) -> bool:
    if name.lower() == "localhost" or name.lower().endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False


@per_language(512)
def qr_code(text: str, label: str = "") -> Markup:
    """Return a QR code of `text` as an SVG, dark on light in every theme; empty if `text` is too long for a QR code."""
    try:
        rows = [list(row) for row in segno.make_qr(text, error="m").matrix]
    except segno.DataOverflowError:
        return Markup("")
    side = len(rows) + 2 * _QUIET
    path = "".join(_run(x + _QUIET, y + _QUIET, wide) for y, row in enumerate(rows) for x, wide in _dark(row))
    return Markup(
        '<svg class="qr" viewBox="0 0 {0} {0}" role="img" aria-label="{2}">'
        '<rect class="qr-paper" width="{0}" height="{0}"/><path class="qr-ink" d="{1}"/></svg>'
    ).format(side, path, label or _("QR code of the link to this table"))


def _dark(row: list[int]) -> list[tuple[int, int]]:
    """Return the start and width of each run of dark modules in a row."""
    runs: list[tuple[int, int]] = []
    for x, dark in enumerate(row):
        if dark and x and row[x - 1]:
            runs[-1] = (runs[-1][0], runs[-1][1] + 1)
        elif dark:
            runs.append((x, 1))
    return runs


def _run(x: int, y: int, wide: int) -> str:
    return f"M{x} {y}h{wide}v1h-{wide}z"
