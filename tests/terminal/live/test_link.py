"""The socket to a live table, where the server has no room for it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from queue import Queue

from liarspoker.protocol.frames import Error
from liarspoker.server.limits import no_limits
from liarspoker.terminal.link import FIRST_WAIT, Link, LinkNews, Lost, Opened, Received
from tests.server.inprocess import PATIENCE, running


def test_a_socket_that_is_refused_for_now_is_tried_again_more_and_more_slowly(tmp_path: Path) -> None:
    with running(tmp_path, limits=replace(no_limits(), watchers=1)) as server:
        ann = server.person("Ann")
        table = server.table(ann)
        url = f"ws://127.0.0.1:{server.port}/api/tables/{table}/socket"
        news: Queue[LinkNews] = Queue()
        link = Link(url, server.person("Bob").headers, news.put)
        with server.person().socket(table) as stranger:
            stranger.until("welcome")
            link.start()
            refused = news.get(timeout=PATIENCE)
            assert isinstance(refused, Received)
            assert isinstance(refused.frame, Error)
            assert refused.frame.code == "too-many"
            assert news.get(timeout=PATIENCE) == Lost()
            assert news.get(timeout=PATIENCE) == refused
            assert link._wait > FIRST_WAIT
        while (next_news := news.get(timeout=PATIENCE)) == refused:
            pass
        assert next_news == Opened(False)
        assert link._wait == FIRST_WAIT
        link.stop()
