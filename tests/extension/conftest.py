"""Fixtures that install the package of the guides."""

from __future__ import annotations

import io
import shlex
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from liarspoker.cli import main
from liarspoker.core.catalogue import registered
from tests.extension.package import install


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the package installed."""
    return install(tmp_path_factory.mktemp("site"))


@pytest.fixture
def _installed(site: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Make the package importable in this process."""
    monkeypatch.syspath_prepend(site)
    registered.cache_clear()
    yield
    registered.cache_clear()


@pytest.fixture
def run(_installed: None, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Callable[..., str]:
    """Return a function that runs a command with typed input and returns its output."""

    def run(line: str, typed: str = "") -> str:
        capsys.readouterr()
        monkeypatch.setattr("sys.stdin", io.StringIO(typed))
        assert main(shlex.split(line)) == 0
        return capsys.readouterr().out

    return run
