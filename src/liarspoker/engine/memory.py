"""How much memory there is, and a refusal of what does not fit before anything is begun."""

from __future__ import annotations

from pathlib import Path

import psutil

from liarspoker.engine.errors import CannotFit

_GROUP = Path("/sys/fs/cgroup")
_LONGEST = 15
_UNITS = ("bytes", "kB", "MB", "GB", "TB", "PB", "EB")


def free_memory() -> int:
    """How many bytes this process may still take without harm.

    What the system has available, and on Linux no more than the control group allows.
    """
    available: int = psutil.virtual_memory().available
    allowed = _allowed()
    return available if allowed is None else min(available, allowed)


def check_fits(needed: int, what: str) -> None:
    """Refuse what needs more memory than there is.

    Args:
        needed: bytes, however many.
        what: what needs them, for the message.

    Raises:
        CannotFit: it does not fit; the message tells how much it would take, and how much there is.
    """
    free = free_memory()
    if needed > free:
        raise CannotFit(f"{what} would take {amount_of(needed)} of memory, and {amount_of(free)} are free")


def amount_of(size: int) -> str:
    """An amount of memory in words.

    >>> amount_of(999), amount_of(1_563_526_680), amount_of(2 * 10**3000)
    ('999 bytes', '1.6 GB', '2.0e+3000 bytes')
    """
    power = max(0, (len(str(size)) - 1) // 3)
    if power >= len(_UNITS):
        return f"{in_short(size)} bytes"
    return f"{size} bytes" if power == 0 else f"{size / 1000**power:.1f} {_UNITS[power]}"


def in_short(number: int) -> str:
    """A whole number with its thousands apart, or, of more than 15 digits, its first two and the power of ten.

    >>> in_short(39_088_167), in_short(39 * 10**400)
    ('39,088,167', '3.9e+401')
    """
    digits = str(number)
    return f"{number:,}" if len(digits) <= _LONGEST else f"{digits[0]}.{digits[1]}e+{len(digits) - 1}"


def _allowed() -> int | None:
    """What is left of the limit of this process's control group, if it has one; cached files do not count."""
    limit, used = (_lines(_GROUP / name) for name in ("memory.max", "memory.current"))
    if not (limit and used and limit[0].isdecimal()):
        return None
    cached = [int(line.split()[1]) for line in _lines(_GROUP / "memory.stat") if line.startswith("inactive_file ")]
    return max(0, int(limit[0]) - int(used[0]) + sum(cached))


def _lines(path: Path) -> list[str]:
    """The lines of a file; none if it cannot be read."""
    try:
        return path.read_text(encoding="ascii").splitlines()
    except OSError:
        return []
