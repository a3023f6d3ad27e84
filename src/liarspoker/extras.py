"""How to install an optional extra into the copy of liarspoker that is running."""

from __future__ import annotations

import json
import shlex
from functools import cache
from importlib.metadata import PackageNotFoundError, distribution
from importlib.util import find_spec
from pathlib import Path

MAKE_TARGETS = {
    "engine": "engine",
    "openspiel": "research",
    "plot": "engine",
    "print": "engine",
    "ray": "research",
    "research": "research",
    "serve": "server",
    "traces": "traces",
    "train": "train",
}
"""Which target of a clone's Makefile installs each extra."""

ENGINE = ("numba", "numpy", "platformdirs", "psutil")
"""What the extra `engine` installs."""


def has_engine() -> bool:
    """Return whether the extra `engine` is installed. It is looked up once."""
    return _are_installed(ENGINE)


@cache
def _are_installed(packages: tuple[str, ...]) -> bool:
    return all(map(find_spec, packages))


def install_command(extra: str, *, again: bool = False, package: Path | None = None) -> str:
    """Return the command that installs an extra: by make in a clone, by pip from the same wheel elsewhere.

    Args:
        extra: a key of `MAKE_TARGETS`, or several with commas between them.
        again: whether to replace packages that are installed but broken.
        package: the folder of the package that is asked about; by default the running one.
    """
    clone = (package or Path(__file__).parent).parent.parent
    if (clone / "Makefile").is_file() and (clone / "requirements").is_dir():
        targets = [*["clean"] * again, *(MAKE_TARGETS[one] for one in extra.split(","))]
        return f"make -C {shlex.quote(str(clone))} {' '.join(targets)}"
    wheel = _wheel_address()
    wanted = f"liarspoker[{extra}] @ {wheel}" if wheel else f"liarspoker[{extra}]"
    return f"pip install {'--force-reinstall ' if again else ''}{shlex.quote(wanted)}"


def _wheel_address() -> str | None:
    """Return the URL of the file from which pip installed liarspoker; `None` if it recorded none (PEP 610)."""
    try:
        recorded = distribution("liarspoker").read_text("direct_url.json")
    except PackageNotFoundError:
        return None
    address = json.loads(recorded).get("url") if recorded else None
    return address if isinstance(address, str) else None
