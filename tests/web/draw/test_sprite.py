import gzip
import runpy
from subprocess import run
from sys import executable

import pytest

from liarspoker.web.draw import SPRITE_PATH, ornament_svg, ornament_url


def test_the_sprite_is_small_on_the_way() -> None:
    assert len(gzip.compress(ornament_svg().encode())) < 14_000


def test_the_command_prints_the_sprite(capsys: pytest.CaptureFixture[str]) -> None:
    runpy.run_module("liarspoker.web.draw", run_name="__main__")
    assert capsys.readouterr().out == ornament_svg()


def test_the_sprite_is_the_same_in_every_process() -> None:
    printed = run([executable, "-m", "liarspoker.web.draw"], capture_output=True, check=True, timeout=60)
    assert printed.stdout.decode() == ornament_svg()


def test_the_address_changes_with_the_content_alone() -> None:
    assert ornament_url().startswith(f"{SPRITE_PATH}?v=")
    assert ornament_url() == ornament_url()
