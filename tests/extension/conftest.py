"""The guide's package, installed as another package would be."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from liarspoker.core.catalogue import registered
from tests.extension.package import install


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which the guide's package is installed."""
    return install(tmp_path_factory.mktemp("site"))


@pytest.fixture
def _installed(site: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The package is installed for this process too."""
    monkeypatch.syspath_prepend(site)
    registered.cache_clear()
    yield
    registered.cache_clear()
