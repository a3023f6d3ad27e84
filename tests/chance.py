"""Seeded chance for all tests, so that none of them fails by bad luck.

Where the package isn't given a source of chance, it draws from `secrets` and `random.SystemRandom`. Both are replaced
here, before the package is imported. In a test all draws follow from its name; in a program that a test starts they
follow from what that test has drawn before. `CHANCE=1 make test` deals other hands in all of them.
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
    """Draw from now on what follows from `seed`."""
    global _seed
    _seed = f"{seed} {os.environ.get('CHANCE', '')}"
    _streams.clear()


def token_bytes(nbytes: int | None = None) -> bytes:
    """Draw bytes; each length has a stream of its own.

    So the masks of WebSocket frames (4 bytes), which depend on how many are sent, don't change the deals (32).
    """
    wanted = 32 if nbytes is None else nbytes
    if wanted not in _streams:
        _streams[wanted] = random.Random(f"{_seed} {wanted}")
    return _streams[wanted].randbytes(wanted)


def randbelow(exclusive_upper_bound: int) -> int:
    """Draw an integer from 0 to below the bound."""
    return SystemRandom().randrange(exclusive_upper_bound)


class SystemRandom(random.Random):
    """Chance that follows from the next bytes."""

    def __init__(self) -> None:
        super().__init__(token_bytes(16))


def replace() -> None:
    """Let this process draw from here; what is imported before keeps the system's chance."""
    secrets.token_bytes = token_bytes
    secrets.randbelow = randbelow
    random.SystemRandom = SystemRandom  # type: ignore[misc, assignment]


def seeded(program: str) -> list[str]:
    """The command that runs a Python program whose chance follows from that of this process."""
    seed = token_bytes(16).hex()
    begins = f"import sys; sys.path.append({str(ROOT)!r}); from tests import chance; chance.replace(); "
    return [sys.executable, "-c", f"{begins}chance.begin({seed!r}); {program}"]
