"""Who one is at servers: kept between two evenings, and what nonces follow from."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import given
from hypothesis import strategies as st

from liarspoker.terminal.identity import Identities, Identity, new_secret, nonce

servers = st.sampled_from(["http://a", "http://b"])
names = st.sampled_from(["Ann", "Bob", "Zoë"])
deals = st.tuples(st.sampled_from(["t", "u"]), st.integers(0, 3), st.integers(0, 3), st.sampled_from(["00", "11"]))
SECRET = new_secret()


@given(kept=st.lists(st.builds(Identity, servers, names, st.text(), st.text()), max_size=8), server=servers)
def test_the_last_one_at_a_server_is_found_by_name_or_without(kept: list[Identity], server: str) -> None:
    with TemporaryDirectory() as folder:
        for one in kept:
            Identities(Path(folder)).keep(one)
        here = [one for one in kept if one.server == server]
        found = Identities(Path(folder))
        assert found.find(server, None) == (here[-1] if here else None)
        for name in {one.name for one in here}:
            assert found.find(server, name) == [one for one in here if one.name == name][-1]
        for one in here[-1:]:
            found.forget(one)
            assert found.find(server, one.name) is None


@given(one=deals, other=deals)
def test_every_deal_and_every_promise_has_a_nonce_of_its_own(
    one: tuple[str, int, int, str], other: tuple[str, int, int, str]
) -> None:
    assert (nonce(SECRET, *one) == nonce(SECRET, *other)) == (one == other)
    assert nonce(SECRET, *one) != nonce(new_secret(), *one)
    assert len(nonce(SECRET, *one)) == 32
