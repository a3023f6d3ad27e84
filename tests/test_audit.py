"""The audit of dependencies: findings, accepted advisories, and unreachable services."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from tools.audit import (
    ACCEPTED,
    ROOT,
    Accepted,
    Finding,
    NotReached,
    accepted_in,
    complaints,
    npm_findings,
    python_findings,
)

DAY = date(2026, 11, 23)
FOUND = Finding("starlette 0.1", frozenset({"PYSEC-2026-1", "CVE-2026-1", "GHSA-aaaa-bbbb-cccc"}))


def test_an_accepted_advisory_fails_after_its_date() -> None:
    accepted = [Accepted("CVE-2026-1", "it is not reached", DAY)]
    assert complaints([FOUND], accepted, DAY) == []
    assert complaints([FOUND], accepted, DAY + timedelta(1)) == complaints([FOUND], [], DAY)
    assert complaints([FOUND], [], DAY) == ["starlette 0.1: CVE-2026-1, GHSA-aaaa-bbbb-cccc, PYSEC-2026-1"]


def test_every_accepted_advisory_has_a_reason_and_a_date() -> None:
    accepted_in(ACCEPTED.read_text("utf-8"))
    entry = '[[accepted]]\nid = "CVE-2026-1"\nreason = "{}"\nuntil = {}'
    assert accepted_in(entry.format("none is reached", "2026-12-31"))[0].until == date(2026, 12, 31)
    for wrong in (entry.format("", "2026-12-31"), entry.format("why", '"later"')):
        with pytest.raises(ValueError, match="CVE-2026-1"):
            accepted_in(wrong)


def test_a_package_that_could_not_be_checked_is_not_considered_safe() -> None:
    sound = {"name": "starlette", "version": "1.0", "vulns": []}
    assert python_findings({"dependencies": [sound]}) == []
    with pytest.raises(NotReached):
        python_findings({"dependencies": [sound, {"name": "h11", "skip_reason": "it was not found"}]})
    with pytest.raises(NotReached):
        npm_findings({"message": "405 Method Not Allowed"})


@contextmanager
def advisories(flawed: dict[str, str]) -> Iterator[str]:
    """Run a service for pip-audit (as OSV) and npm with advisories for these packages; yield its address."""

    class Service(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            sent = self.rfile.read(int(self.headers["Content-Length"]))
            asked = json.loads(gzip.decompress(sent) if self.headers["Content-Encoding"] == "gzip" else sent)
            answer: dict[str, Any] = {}
            if self.path == "/osv":
                known = flawed.get(asked["package"]["name"])
                answer = {"vulns": [{"id": known, "summary": "x", "affected": []}] if known else []}
            elif self.path.endswith("/advisories/bulk"):
                advisory = {"title": "x", "severity": "high", "vulnerable_versions": "*", "cwe": [], "id": 1}
                answer = {
                    one: [{**advisory, "url": f"https://x.example/{flawed[one]}"}] for one in asked if one in flawed
                }
            body = json.dumps(answer).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Service)
    serving = threading.Thread(target=server.serve_forever)
    serving.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        serving.join()
        server.server_close()


def audit(home: Path, service: str) -> tuple[int, list[str]]:
    """Return the exit code and the output lines of the audit with this service."""
    environment = {
        "PATH": "/usr/bin:/bin",
        "HOME": str(home),
        "PIP_AUDIT_VULNERABILITY_SERVICE": "osv",
        "PIP_AUDIT_OSV_URL": f"{service}/osv",
        "npm_config_registry": f"{service}/",
    }
    command = [sys.executable, "tools/audit.py"]
    ran = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=60)
    return ran.returncode, ran.stdout.splitlines()


@pytest.mark.slow
def test_an_advisory_against_a_locked_package_fails_the_audit(tmp_path: Path) -> None:
    with advisories({"starlette": "CVE-2026-1", "esbuild": "GHSA-aaaa-bbbb-cccc"}) as service:
        status, lines = audit(tmp_path, service)
    assert status == 1
    assert [line.split(": ")[1] for line in lines if not line.startswith(" ")] == [
        "1 advisories against Python packages",
        "1 advisories against npm packages",
    ]
    assert [line.split(":")[1].strip() for line in lines if line.startswith(" ")] == [
        "CVE-2026-1",
        "GHSA-aaaa-bbbb-cccc",
    ]


@pytest.mark.slow
def test_the_audit_passes_without_advisories(tmp_path: Path) -> None:
    with advisories({}) as service:
        status, lines = audit(tmp_path, service)
    assert (status, [line[:8] for line in lines]) == (0, ["audit: 0"] * 2)


@pytest.mark.slow
def test_the_audit_reports_an_unreachable_service_and_passes(tmp_path: Path) -> None:
    status, lines = audit(tmp_path, "http://127.0.0.1:9")
    assert status == 0
    assert len(lines) == 2
    assert all("not audited" in line for line in lines)
