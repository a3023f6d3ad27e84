"""The path of a bid, from the frame on the socket to the stored event."""

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
MOST_FILES = 19


def test_a_bid_is_parsed_and_validated_once_in_few_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    timers = (
        (orders, "POLL_SECONDS"),
        (registry, "HEARTBEAT_SECONDS"),
        (metrics, "POLL_SECONDS"),
        (views, "PRESENCE_SECONDS"),
    )
    for beside, name in timers:
        monkeypatch.setattr(beside, name, 5)  # unrelated to the bid: other servers of this process continue to run
    calls: Counter[tuple[str, str]] = Counter()
    awaited, counting = threading.Event(), threading.Event()

    def count(frame: FrameType, event: str, _: object) -> None:
        code = frame.f_code
        if awaited.is_set() and code is socket.DirectSocketProtocol.send_receive_event_to_app.__code__:
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
