"""Seeded randomness for all tests, so that their results are reproducible.

Without an explicit source of randomness, the package uses `secrets` and `random.SystemRandom`. Both are replaced
here, before the package is imported. In a test, all draws are determined by its name; in a program that it starts,
by the draws before. `CHANCE=1 make test` uses another seed for all tests.
"""

from __future__ import annotations

import os
import random
import secrets
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

_streams: dict[int, random.Random] = {}
_seed = ""


def begin(seed: str) -> None:
    """Restart all streams with a seed."""
    global _seed
    _seed = f"{seed} {os.environ.get('CHANCE', '')}"
    _streams.clear()


def token_bytes(nbytes: int | None = None) -> bytes:
    """Draw bytes; each length has its own stream.

    Therefore the masks of WebSocket frames (4 bytes), whose number varies, don't affect the deals (32 bytes).
    """
    wanted = 32 if nbytes is None else nbytes
    if wanted not in _streams:
        _streams[wanted] = random.Random(f"{_seed} {wanted}")
    return _streams[wanted].randbytes(wanted)


def randbelow(exclusive_upper_bound: int) -> int:
    """Draw an int from 0 to below the bound."""
    return SystemRandom().randrange(exclusive_upper_bound)


class SystemRandom(random.Random):
    """A generator seeded from `token_bytes`."""

    def __init__(self) -> None:
        super().__init__(token_bytes(16))


def replace() -> None:
    """Replace the system's randomness in this process; modules imported earlier aren't affected."""
    secrets.token_bytes = token_bytes
    secrets.randbelow = randbelow
    random.SystemRandom = SystemRandom  # type: ignore[misc, assignment]


def seeded(program: str) -> list[str]:
    """Return the command that runs a Python program with randomness seeded from this process."""
    seed = token_bytes(16).hex()
    begins = f"import sys; sys.path.append({str(ROOT)!r}); from tests import chance; chance.replace(); "
    return [sys.executable, "-c", f"{begins}chance.begin({seed!r}); {program}"]
