"""Write missing golden logs and the views of their tables.

Existing files are never overwritten: `python -m tests.tables.golden` leaves them unchanged.
"""

from tests.tables.golden import FOLDER, frames_now, logs, pack
from tests.tables.golden.made import (
    play_days_log,
    play_ended_log,
    play_log,
    play_owner_log,
    play_rematch_log,
    play_shown_log,
)
from tests.tables.play import GAMES

if __name__ == "__main__":
    for game in GAMES:
        if not (FOLDER / f"{game}.log.jsonl").exists():
            play_log(game)
        if not (FOLDER / f"{game}-ended.log.jsonl").exists():
            play_ended_log(game)
    if not (FOLDER / "dollar-bill-owner.log.jsonl").exists():
        play_owner_log("dollar-bill")
    if not (FOLDER / "dollar-bill-days.log.jsonl").exists():
        play_days_log("dollar-bill")
    if not (FOLDER / "dollar-bill-shown.log.jsonl").exists():
        play_shown_log("dollar-bill")
    if not (FOLDER / "dollar-bill-rematch.log.jsonl").exists():
        play_rematch_log("dollar-bill")
    for name in logs():
        if not (FOLDER / f"{name}.frames.xz").exists():
            (FOLDER / f"{name}.frames.xz").write_bytes(pack(frames_now(name)))
