"""Writes the golden logs that are missing, and what everybody sees of their tables.

Neither is ever written again, once kept: `python -m tests.tables.golden` leaves them as they are.
"""

from tests.tables.golden import FOLDER, frames_now, logs, pack
from tests.tables.golden.made import play_ended_log, play_log
from tests.tables.play import GAMES

if __name__ == "__main__":
    for game in GAMES:
        if not (FOLDER / f"{game}.log.jsonl").exists():
            play_log(game)
        if not (FOLDER / f"{game}-ended.log.jsonl").exists():
            play_ended_log(game)
    for name in logs():
        if not (FOLDER / f"{name}.frames.xz").exists():
            (FOLDER / f"{name}.frames.xz").write_bytes(pack(frames_now(name)))
