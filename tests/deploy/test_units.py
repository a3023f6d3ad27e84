"""systemd accepts the units, which sandbox the server."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from liarspoker.cache import CACHE_VARIABLE
from liarspoker.server.settings import every_setting
from tests.deploy.proxies import DEPLOY
from tests.system_programs import skip_without

UNIT = DEPLOY / "systemd/liarspoker@.service"
MOST_EXPOSED = 15
"""The maximum exposure, in tenths: systemd rates services from 0 (safe) to 100, and calls less than 20 "OK"."""


@pytest.fixture
def unit(tmp_path: Path) -> Path:
    """Write the unit and its PostgreSQL drop-in, with the path of an existing program."""
    if shutil.which("systemd-analyze") is None:
        skip_without("systemd-analyze", "systemd")
    made, drop_ins = tmp_path / UNIT.name, tmp_path / f"{UNIT.name}.d"
    made.write_text(UNIT.read_text(encoding="utf-8").replace("/opt/liarspoker/bin/liarspoker", sys.executable))
    drop_ins.mkdir()
    shutil.copy(DEPLOY / "systemd/postgresql.conf", drop_ins)
    return made


def test_systemd_accepts_the_unit(unit: Path) -> None:
    ended = subprocess.run(["systemd-analyze", "verify", unit], capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "", "")


def test_the_unit_is_sandboxed(unit: Path) -> None:
    command = ["systemd-analyze", "security", "--offline=yes", f"--threshold={MOST_EXPOSED}", str(unit)]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stdout.splitlines()[-1]


def test_the_units_set_only_existing_settings() -> None:
    known = {info.variable for info in every_setting().values()}
    known |= {f"{info.variable}_FILE" for info in every_setting().values() if info.secret} | {CACHE_VARIABLE}
    for path in DEPLOY.glob("systemd/*"):
        assert set(re.findall(r"\bLIARSPOKER_[A-Z_]+", path.read_text(encoding="utf-8"))) <= known
