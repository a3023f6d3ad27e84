"""Misbehaving bots, for workers whose loader is `tests.server.bots.strange_bots:load`."""

import os
import re
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from itertools import count
from pathlib import Path
from random import Random
from typing import Any, NoReturn

from liarspoker.bots import catalogue
from liarspoker.bots.protocol import Bot

HEAVY = ("asyncio", "cryptography", "fastapi", "multiprocessing", "numpy", "pydantic", "sqlalchemy", "ssl")
SECRET = "LIARSPOKER_TEST_SECRET"


def loops(view: Any, chance: Random) -> NoReturn:
    for _ in count():
        pass
    raise AssertionError


def stuck(view: Any, chance: Random) -> int:
    """Run practically forever without releasing the interpreter."""
    return int(re.match("(a*)*b", "a" * 60) is None)


def orphaned(view: str, chance: Random) -> NoReturn:
    """Signal the pipe at the path `view`, then loop."""
    Path(view).write_text(str(os.getpid()))
    loops(view, chance)


def orphaned_and_stuck(view: str, chance: Random) -> int:
    """Signal the pipe at the path `view`, then hang, without letting another thread run in between."""
    sys.setswitchinterval(1000)
    os.write(os.open(view, os.O_WRONLY), str(os.getpid()).encode())
    return stuck(view, chance)


def raises(view: Any, chance: Random) -> int:
    raise ValueError(f"I have seen {view}")


def quits(view: Any, chance: Random) -> int:
    sys.exit(0)


def leaves(view: Any, chance: Random) -> int:
    os._exit(0)


def kills_itself(view: Any, chance: Random) -> int:
    os.kill(os.getpid(), signal.SIGKILL)
    return 0


def recurs(view: Any, chance: Random) -> int:
    return recurs(view, chance) + 1


def eats_memory(view: Any, chance: Random) -> int:
    """Reserve 64 GiB without using it."""
    return len([bytes(1 << 26) for _ in range(1 << 10)])


def scribbles(view: Any, chance: Random) -> int:
    """Write to every open file."""
    for number in range(64):
        with suppress(OSError):
            os.write(number, b"played 0 and so on")
    return 0


def closes_everything(view: Any, chance: Random) -> int:
    os.closerange(0, 64)
    return 0


def eats_its_streams(view: Any, chance: Random) -> int:
    """Write to, read from and close the standard streams, and still play 7."""
    print("played 8" * 10_000, flush=True)
    print("what I saw", view, file=sys.stderr, flush=True)
    assert sys.stdin.read() == ""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        stream.close()
    os.closerange(0, 3)
    return 7


def says_words(view: Any, chance: Random) -> Any:
    return "5x7"


def says_nothing(view: Any, chance: Random) -> Any:
    return None


def says_yes(view: Any, chance: Random) -> Any:
    return True


def says_much(view: Any, chance: Random) -> int:
    return 1 << 100_000


def heavy_modules(view: Any, chance: Random) -> int:
    return sum(name in sys.modules for name in HEAVY)


def niceness(view: Any, chance: Random) -> int:
    return os.nice(0)


def secrets(view: Any, chance: Random) -> int:
    return sum(SECRET in name for name in os.environ)


def open_files(view: Any, chance: Random) -> int:
    """Return the number of open files, without the standard streams."""
    found = 0
    for number in range(3, 1024):
        with suppress(OSError):
            os.fstat(number)
            found += 1
    return found


def draws(view: Any, chance: Random) -> int:
    return chance.getrandbits(64)


STRANGE: dict[str, Callable[..., Any]] = {
    name: bot for name, bot in globals().items() if getattr(bot, "__module__", "") == __name__
}


def load(name: str, family: str) -> Bot:
    """Load a misbehaving bot, or one from the catalogue."""
    return STRANGE.get(name) or catalogue.load(name, family)
