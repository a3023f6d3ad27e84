"""Writes the golden logs that are missing, and beside each log what is told of its table now.

A log, once kept, is never written again: `python -m tests.tables.golden` leaves it as it is.
"""

from tests.tables.golden import FOLDER, frames_now, logs, pack, written_now
from tests.tables.golden.made import play_ended_log, play_log
from tests.tables.play import GAMES

if __name__ == "__main__":
    for game in GAMES:
        if not (FOLDER / f"{game}.log.jsonl").exists():
            play_log(game)
        if not (FOLDER / f"{game}-ended.log.jsonl").exists():
            play_ended_log(game)
    for name in logs():
        (FOLDER / f"{name}.view.json").write_text(written_now(name))
        if not (FOLDER / f"{name}.frames.xz").exists():
            (FOLDER / f"{name}.frames.xz").write_bytes(pack(frames_now(name)))
