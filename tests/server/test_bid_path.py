"""How far a bid has to go, from the frame that a socket receives to the event that is stored."""

from __future__ import annotations

import threading
from collections import Counter
from pathlib import Path
from types import FrameType

import pytest

import liarspoker
from liarspoker.games.digits import auction, notation
from liarspoker.server import metrics, orders, socket
from liarspoker.server.tables import registry, views
from tests.server.inprocess import running

ROOT = Path(liarspoker.__file__).parent
MOST_FILES = 18


def test_a_bid_is_parsed_and_judged_once_and_passes_few_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    timers = (
        (orders, "LOOK_SECONDS"),
        (registry, "HEARTBEAT_SECONDS"),
        (metrics, "LOOK_SECONDS"),
        (views, "PRESENCE_SECONDS"),
    )
    for beside, name in timers:
        monkeypatch.setattr(beside, name, 5)  # beside the bid; other servers of this process live on soon after
    calls: Counter[tuple[str, str]] = Counter()
    awaited, counting = threading.Event(), threading.Event()

    def count(frame: FrameType, event: str, _: object) -> None:
        code = frame.f_code
        if awaited.is_set() and code is socket.QuietSocketProtocol.send_receive_event_to_app.__code__:
            awaited.clear()
            counting.set()
        if event == "call" and counting.is_set() and code.co_filename.startswith(str(ROOT)):
            calls[code.co_filename, code.co_name] += 1

    def probe(name: str) -> None:
        if name == "after-commit":
            counting.clear()

    threading.setprofile(count)
    try:
        with running(tmp_path, probe=probe) as server:
            ann, bob, table = server.in_a_round()
            public = ann.view(table)["public"]
            acting = ann if public["to_act"] == ann.user else bob
            with acting.socket(table) as watching:
                watching.until("presence")
                awaited.set()
                assert watching.ask("bid", do="act", turn=public["turn"], action="2x7")["ok"]
    finally:
        threading.setprofile(None)
    assert calls[notation.__file__, "read"] == 1
    assert calls[auction.__file__, "refusal"] == 1
    files = sorted({Path(name).relative_to(ROOT).as_posix() for name, _ in calls})
    assert len(files) <= MOST_FILES, " ".join(files)
