"""What takes long is done once for all who ask, and nobody waits for it longer than a page may take."""

from __future__ import annotations

import threading
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from liarspoker.server.config import Limit, Limits
from liarspoker.tables.fair import audit
from liarspoker.web import history
from liarspoker.web.app import mount_pages
from liarspoker.web.pages import compile_all, templates
from tests.server.inprocess import PATIENCE, Running, running
from tests.web.rooms.reading import Reader
from tests.web.study.evenings import played


class Held:
    """Calls of a function that wait until they are let go.

    Attributes:
        calls: how many have come.
        come: the first one has.
        go: lets them go.
    """

    def __init__(self, function: Any) -> None:
        self.function = function
        self.calls = 0
        self.come, self.go = threading.Event(), threading.Event()

    def __call__(self, *given: Any) -> Any:
        self.calls += 1
        self.come.set()
        assert self.go.wait(PATIENCE)
        return self.function(*given)


def test_a_table_is_checked_once_however_many_come_to_see(house: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    _, table = played(house, "dollar-bill")
    check = Held(audit.check)
    monkeypatch.setattr(audit, "check", check)
    readers = [house.person() for _ in range(4)]
    with ThreadPoolExecutor(len(readers)) as pool:
        asked: list[Future[int]] = [
            pool.submit(lambda one: int(one.http.get(f"/t/{table}/verify").status_code), one) for one in readers
        ]
        assert check.come.wait(PATIENCE)
        assert house.person().http.get("/health").status_code == 200  # the others have been served as far as that
        check.go.set()
        assert [one.result(PATIENCE) for one in asked] == [200] * len(readers)
    assert check.calls == 1


def test_a_table_that_is_long_to_count_keeps_nobody_from_his_page(
    house: Running, ann: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    owner, _ = played(house, "dollar-bill")
    count = Held(history.played_at)
    monkeypatch.setattr(history, "played_at", count)
    ann = Reader(owner)
    assert "1 older table is not counted yet" in ann.read("/you").page.text
    assert count.come.is_set()
    assert "1 older table is not counted yet" in ann.read("/you").page.text
    assert count.calls == 1
    count.go.set()
    while "not counted yet" in ann.read("/you").page.text:
        pass
    assert "1 table" in ann.page.text


def test_nobody_has_his_tables_counted_as_often_as_he_likes(tmp_path: Path) -> None:
    with running(tmp_path, mount_pages, limits=Limits(records=Limit(2, 0.01))) as house:
        ann = Reader(house.person("Ann"))
        assert [ann.read("/you").status for _ in range(3)] == [200, 200, 429]
        assert Reader(house.person()).read("/").status == 200


def test_every_template_is_compiled_without_anybody_asking_for_it(tmp_path: Path) -> None:
    templates.cache_clear()
    with running(tmp_path, mount_pages):
        for thread in threading.enumerate():
            if thread.name == "templates":
                thread.join(PATIENCE)
    assert sorted(name for _, name in templates().cache or {}) == sorted(templates().list_templates())


def test_compiling_stops_with_the_server() -> None:
    templates.cache_clear()
    at_once = list(templates().cache or {})
    compile_all(stopped=lambda: True)
    assert list(templates().cache or {}) == at_once
    assert len(at_once) < len(templates().list_templates())
