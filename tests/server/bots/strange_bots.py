"""Bots that do everything a bot must not do, for workers whose loader is `tests.server.bots.strange_bots:load`."""

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
    """As good as for ever, and without letting any other thread run."""
    return int(re.match("(a*)*b", "a" * 60) is None)


def forsaken(view: str, chance: Random) -> NoReturn:
    """Tells the pipe at the path `view` that it has begun, then loops."""
    Path(view).write_text(str(os.getpid()))
    loops(view, chance)


def forsaken_and_stuck(view: str, chance: Random) -> int:
    """Tells the pipe at the path `view` that it has begun, then is stuck; between the two no other thread runs."""
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
    """Reserves 64 GiB, of which it uses nothing."""
    return len([bytes(1 << 26) for _ in range(1 << 10)])


def scribbles(view: Any, chance: Random) -> int:
    """Writes to every file that is open."""
    for number in range(64):
        with suppress(OSError):
            os.write(number, b"played 0 and so on")
    return 0


def closes_everything(view: Any, chance: Random) -> int:
    os.closerange(0, 64)
    return 0


def eats_its_streams(view: Any, chance: Random) -> int:
    """Talks, listens and hangs up, and yet plays 7."""
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
    """How many files are open besides the three streams."""
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
    """A strange bot, or one of the catalogue."""
    return STRANGE.get(name) or catalogue.load(name, family)
