"""`liarspoker serve --lan --open`: what it says, and the browser that it opens."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("uvicorn")


@pytest.mark.skipif(sys.platform != "linux", reason="the browser is a script, found by the environment's BROWSER")
@pytest.mark.parametrize("display", [":0", ""])
def test_the_lobby_opens_where_there_is_a_window_and_friends_are_told_where_to_come_in(
    tmp_path: Path, display: str
) -> None:
    opened = tmp_path / "opened"
    os.mkfifo(opened)
    browser = tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\necho "$1" > {opened}\n')
    browser.chmod(0o755)
    environment = {**os.environ, "BROWSER": f"{browser} %s", "DISPLAY": display, "WAYLAND_DISPLAY": ""}
    words = ["serve", "--lan", "--open", "--port", "0", "--data", str(tmp_path / "data")]
    with subprocess.Popen(
        [sys.executable, "-m", "liarspoker", *words], stdout=subprocess.PIPE, text=True, env=environment
    ) as process:
        assert process.stdout is not None
        try:
            serving, friends = process.stdout.readline(), process.stdout.readline()
            here = re.fullmatch(r"Serving on (http://127\.0\.0\.1:(\d+)) \(Ctrl-C stops\)\n", serving)
            assert here is not None
            assert re.fullmatch(rf"Friends on your network come in at http://\S+:{here[2]}\n", friends)
            if display:
                told = subprocess.run(["cat", opened], capture_output=True, text=True, timeout=60, check=True)
                assert told.stdout == f"{here[1]}/\n"
        finally:
            process.terminate()
            process.wait(60)
