"""Nobody is told what he may not know: not by a view, not by a socket, not by an error, a record, a log or a bot."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liarspoker.protocol.settings import Settings
from tests.server.leaks.walks import found_in, recognisable_settings, walk
from tests.server.leaks.world import World


@pytest.mark.slow
@given(recognisable_settings(), st.integers(0, 2**32), st.integers(0, 60))
def test_whatever_happens_at_a_table_nobody_is_told_what_he_may_not_know(
    somewhere: World, settings: Settings, seed: int, steps: int
) -> None:
    evening = somewhere.run(walk(somewhere, settings, seed, steps))
    assert somewhere.run(found_in(evening)) == []
