"""Playouts that are compiled in another process."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from liarspoker import engine

if not engine.available():
    pytest.skip("the extra engine is not installed", allow_module_level=True)

from liarspoker.cache import CACHE_VARIABLE

SCRIPT = """
import os
from liarspoker.coach.ahead import playouts_compiled
from liarspoker.engine.table import Table
from liarspoker.solve.beliefs.playouts import lack_code

os.cpu_count = lambda: {cores}
options, models = {{"hand_size": 2}}, ["uniform"]
table = Table.of("salomon-1986", 3, options, from_slips=False)
for _ in range(2):
    with playouts_compiled(table, options, models) as process:
        print(process is not None and process.wait(), lack_code(table, models))
"""


@pytest.mark.parametrize(("cores", "found"), [(2, "0 False\nFalse False\n"), (1, "False True\nFalse True\n")])
def test_playouts_are_compiled_once_and_only_if_a_core_is_free(tmp_path: Path, cores: int, found: str) -> None:
    command = (sys.executable, "-c", SCRIPT.format(cores=cores))
    environment = os.environ | {CACHE_VARIABLE: str(tmp_path)}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert done.stdout == found
