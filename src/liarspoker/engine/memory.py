"""Measure the free memory, and raise an error before an allocation that doesn't fit."""

from __future__ import annotations

from pathlib import Path

import psutil

from liarspoker.engine.errors import CannotFit

_GROUP = Path("/sys/fs/cgroup")
_LONGEST = 15
_UNITS = ("bytes", "kB", "MB", "GB", "TB", "PB", "EB")


def free_memory() -> int:
    """Return how many bytes this process may still allocate.

    This is the system's available memory; on Linux, at most what the limit of the process's control group leaves.
    """
    available: int = psutil.virtual_memory().available
    allowed = _allowed()
    return available if allowed is None else min(available, allowed)


def check_fits(needed: int, what: str) -> None:
    """Raise an error if something needs more memory than is free.

    Args:
        needed: its size in bytes, however large.
        what: what needs the memory, for the message.

    Raises:
        CannotFit: it doesn't fit; the message says how much it needs and how much is free.
    """
    free = free_memory()
    if needed > free:
        raise CannotFit(f"{what} would take {amount_of(needed)} of memory, but only {amount_of(free)} are free")


def amount_of(size: int) -> str:
    """Format an amount of memory.

    >>> amount_of(999), amount_of(1_563_526_680), amount_of(2 * 10**3000)
    ('999 bytes', '1.6 GB', '2.0e+3000 bytes')
    """
    power = max(0, (len(str(size)) - 1) // 3)
    if power >= len(_UNITS):
        return f"{in_short(size)} bytes"
    return f"{size} bytes" if power == 0 else f"{size / 1000**power:.1f} {_UNITS[power]}"


def in_short(number: int) -> str:
    """Format an integer with thousands separators, or in scientific notation if it has more than 15 digits.

    >>> in_short(39_088_167), in_short(39 * 10**400)
    ('39,088,167', '3.9e+401')
    """
    digits = str(number)
    return f"{number:,}" if len(digits) <= _LONGEST else f"{digits[0]}.{digits[1]}e+{len(digits) - 1}"


def _allowed() -> int | None:
    """Return what the limit of the process's control group leaves, if there is a limit.

    Cached files don't count as used.
    """
    limit, used = (_lines(_GROUP / name) for name in ("memory.max", "memory.current"))
    if not (limit and used and limit[0].isdecimal()):
        return None
    cached = [int(line.split()[1]) for line in _lines(_GROUP / "memory.stat") if line.startswith("inactive_file ")]
    return max(0, int(limit[0]) - int(used[0]) + sum(cached))


def _lines(path: Path) -> list[str]:
    """Return the lines of a file; an empty list if it can't be read."""
    try:
        return path.read_text(encoding="ascii").splitlines()
    except OSError:
        return []
