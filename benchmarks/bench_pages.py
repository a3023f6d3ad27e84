"""The pages in a real browser, compared with a bare page whose socket sends as many bytes and sets `innerHTML`.

It measures the first load, the time until it is usable, the time from a click to the DOM update, reconnecting after a
closed socket, and twenty tabs. All times are the page's own; bots don't pause. Both servers run under uvicorn on this
machine, one after the other, in the same browser.
"""

from __future__ import annotations

import argparse
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.request import Request, urlopen

import page_probes
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright
from provenance import provenance

MOST_BYTES = 100_000
MOST_USABLE = 1000.0
MOST_CLICK = 50.0
MOST_RESYNC = 1000.0
"""Targets: compressed bytes of the first load; milliseconds until usable, from click to DOM (p95), and to reconnect."""

TABS = 20
SETTINGS = {"game": "salomon-1986", "seats": 5}
BOTS = ["beginner", "binomial", "bluffer", "beginner"]


@dataclass
class Times:
    """The times of one server's pages, in milliseconds.

    Attributes:
        bytes: the bytes of the first load, as they were sent.
        usable: from the start of the navigation until the table is connected.
        clicks: from each click until the DOM shows its result.
        resyncs: from each close of the socket until the table has been received again.
        tabs: from a click in one of twenty tabs until the last of them shows its result.
    """

    bytes: int
    usable: list[float]
    clicks: list[float]
    resyncs: list[float]
    tabs: list[float]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--clicks", type=int, default=300)
    parser.add_argument("--times", type=int, default=10, help="page loads, reconnections, and actions with twenty tabs")
    args = parser.parse_args()
    print(provenance())
    with tempfile.TemporaryDirectory() as folder, launched() as browser:
        print(f"Chromium {browser.version}")
        with ours(folder) as address:
            mine, html = measured_ours(browser, address, args.clicks, args.times)
        with bare(html) as address:
            peer = measured(browser, address, "/", args.clicks, args.times)
    print_comparison(mine, peer, len(html))


@contextmanager
def launched() -> Iterator[Browser]:
    """Run a browser without a window."""
    found = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if found is None:
        raise SystemExit("bench_pages.py needs Chromium: install the package chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, chromium_sandbox=False)
        yield browser
        browser.close()


@contextmanager
def process(*command: str) -> Iterator[subprocess.Popen[str]]:
    """Run a process within a `with` block."""
    started = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        yield started
    finally:
        started.terminate()
        started.wait()


@contextmanager
def ours(folder: str) -> Iterator[str]:
    """Run the server and yield its address."""
    words = ("serve", "--port", "0", "--data", folder, "--no-limits", "--bot-pause", "0")
    with process(sys.executable, "-m", "liarspoker", *words) as server:
        assert server.stdout is not None
        yield f"http://127.0.0.1:{server.stdout.readline().split(':')[2].split()[0]}"


@contextmanager
def bare(html: str) -> Iterator[str]:
    """Run the peer, which sends `html`, and yield its address."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port = int(one.getsockname()[1])
    with process(sys.executable, str(Path(__file__).with_name("bare_page.py")), str(port)):
        address = f"http://127.0.0.1:{port}"
        while True:
            try:
                urlopen(Request(f"{address}/load", html.encode())).close()
                break
            except OSError:
                time.sleep(0.1)
        yield address


def measured_ours(browser: Browser, address: str, clicks: int, times: int) -> tuple[Times, str]:
    """Return the times of the pages of a table of five, and the HTML that is sent there."""
    context = browser.new_context(base_url=address)
    page = context.new_page()
    context.request.post("/api/guest", data={"name": "Ann"})
    made = context.request.post("/api/tables", data={"settings": SETTINGS, "bots": BOTS, "start": True}).json()
    path = f"/t/{made['table']}"
    page.goto(path)
    page.locator(".turnflag").wait_for()
    state = context.storage_state()
    context.close()
    taken = measured(browser, address, path, clicks, times, state)
    context = browser.new_context(base_url=address, storage_state=state)
    page = context.new_page()
    page.goto(path)
    html = page.locator("#live").inner_html()
    context.close()
    return taken, html


def measured(browser: Browser, address: str, path: str, clicks: int, times: int, state: object = None) -> Times:
    """Return the times of the page at `path`."""
    loads = [loaded(browser, address, path, state) for _ in range(times)]
    context = browser.new_context(base_url=address, storage_state=state)  # type: ignore[arg-type]
    page = opened(context, path)
    page.evaluate(page_probes.CLICKS, min(20, clicks))
    taken = page.evaluate(page_probes.CLICKS, clicks)
    resyncs = page.evaluate(page_probes.RESYNCS, times)
    tabs = [page, *(opened(context, path) for _ in range(TABS - 1))]
    shown = [all_shown(tabs) for _ in range(times)]
    context.close()
    return Times(loads[0][0], [usable for _, usable in loads], taken, resyncs, shown)


def opened(context: BrowserContext, path: str) -> Page:
    """Return a page that is connected."""
    page = context.new_page()
    page.add_init_script(page_probes.BEFORE)
    page.goto(path)
    page.wait_for_function(page_probes.USABLE)
    return page


def loaded(browser: Browser, address: str, path: str, state: object) -> tuple[int, float]:
    """Return the bytes of a load without a cache, and the milliseconds until the page is connected."""
    context = browser.new_context(base_url=address, storage_state=state)  # type: ignore[arg-type]
    page = context.new_page()
    page.add_init_script(page_probes.BEFORE)
    sizes: list[int] = []
    network = context.new_cdp_session(page)
    network.send("Network.enable")
    network.on("Network.loadingFinished", lambda event: sizes.append(int(event["encodedDataLength"])))
    page.goto(path, wait_until="networkidle")
    page.wait_for_function(page_probes.USABLE)
    usable = float(page.evaluate(page_probes.USABLE))
    context.close()
    return sum(sizes), usable


def all_shown(tabs: list[Page]) -> float:
    """Return the milliseconds from an action in the first tab until every tab shows it."""
    tabs[0].wait_for_function("() => document.querySelector('form[data-do=act] button, form[data-do=ready] button')")
    for tab in tabs:
        tab.evaluate(page_probes.EXPECT)
    began = float(tabs[0].evaluate(page_probes.SHOW))
    shown = [float(tab.wait_for_function(page_probes.SHOWN).json_value()) for tab in tabs]
    return max(shown) - began


def print_comparison(mine: Times, peer: Times, size: int) -> None:
    """Print both, with ratios and targets."""
    print(f"a table's page is {size / 1000:.1f} kB of HTML each time, not compressed; milliseconds; ours, bare, ratio")
    print(f"{'first load, bytes':24}{mine.bytes:10}{peer.bytes:10}{'':8}  target {MOST_BYTES}")
    rows = (
        ("usable, p50", mine.usable, peer.usable, 0.5, MOST_USABLE),
        ("usable, worst", mine.usable, peer.usable, 1.0, MOST_USABLE),
        ("click to DOM, p50", mine.clicks, peer.clicks, 0.5, None),
        ("click to DOM, p95", mine.clicks, peer.clicks, 0.95, MOST_CLICK),
        ("resync, p50", mine.resyncs, peer.resyncs, 0.5, None),
        ("resync, worst", mine.resyncs, peer.resyncs, 1.0, MOST_RESYNC),
        (f"all of {TABS} tabs, p50", mine.tabs, peer.tabs, 0.5, None),
        (f"all of {TABS} tabs, worst", mine.tabs, peer.tabs, 1.0, None),
    )
    for name, ours_took, bare_took, share, target in rows:
        a, b = quantile(ours_took, share), quantile(bare_took, share)
        aim = "" if target is None else f"  target {target:.0f}"
        print(f"{name:24}{a:10.1f}{b:10.1f}{a / b:8.2f}{aim}")


def quantile(values: list[float], share: float) -> float:
    """Return a quantile of the values."""
    return sorted(values)[int(share * (len(values) - 1))]


if __name__ == "__main__":
    main()
