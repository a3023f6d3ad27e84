"""Joining a table by link, from a list or by creating it; with a name or a token."""

from __future__ import annotations

import json
import stat
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liarspoker.terminal.identity import Identities, Identity, new_secret, nonce
from tests.effort import one_in
from tests.server.inprocess import Running
from tests.terminal.live.clients import Client, token_of


def refused(*words: str, at: Running | str, folder: Path) -> str:
    """Return the error message of a failed attempt to join."""
    with Client(*words, at=at, folder=folder) as chair:
        assert chair.ends() == 1
        return " ".join(chair.text.split())


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("http://127.0.0.1:1", "no answer (connection refused); is `liarspoker serve` running there?"),
        *((address, "write a server's address as http://127.0.0.1:8000") for address in ("ftp://host/", "http://")),
        *((address, "write a server's address as") for address in ("not an address", "http://me:pw@host/")),
    ],
)
def test_invalid_addresses_are_reported(address: str, said: str, tmp_path: Path) -> None:
    assert said in refused(at=address, folder=tmp_path)


def test_a_token_plays_as_its_account_and_leaves_nothing_behind(house: Running, tmp_path: Path) -> None:
    with Client("dollar-bill", "--token", token_of(house.person("Tess")), at=house, folder=tmp_path) as tess:
        tess.until("You are Tess.")
        tess.until("Enter to start > $")
    assert not list(tmp_path.rglob("live-seats.json"))


def test_identities_are_readable_by_the_user_only(house: Running, tmp_path: Path) -> None:
    with Client("dollar-bill", "--name", "Ann", at=house, folder=tmp_path) as ann:
        ann.table()
    (kept,) = tmp_path.rglob("live-seats.json")
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    assert [one["name"] for one in json.loads(kept.read_text())] == ["Ann"]


def test_a_missing_name_is_asked_for(house: Running, tmp_path: Path) -> None:
    with Client("dollar-bill", at=house, folder=tmp_path) as chair:
        chair.until("Your name > $")
        chair.type("a name that is much too long for anybody")
        chair.until("a name must have 1 to 24 characters")
        chair.type("Ann")
        chair.until("Enter to start > $")


def test_tables_are_listed_created_and_joined(house: Running, tmp_path: Path) -> None:
    with Client("--name", "Ann", at=house, folder=tmp_path / "ann") as ann:
        ann.until("Which table\\? > $")
        ann.type("what is there?")
        ann.until("isn't a listed number, a game, or a table's link")
        ann.type("slips")
        link = ann.table()
        with Client("--name", "Bob", at=house, folder=tmp_path / "bob") as bob:
            bob.until("Which table\\? > $")
            bob.type("nothing")
            bob.until("this table doesn.t exist")
            bob.type(link.rpartition("/")[2])
            ann.until("Bob sits down.")
        ann.type("quit")
        ann.until("leave: give it up > $")
        ann.type("away")
        assert ann.ends() == 0
    with Client(at=house, folder=tmp_path / "ann") as ann:
        ann.until("1 slips: Ann, Bob \\(yours, 2 of 6, waiting\\)")
        ann.type("1")
        ann.until("Super Liars Poker SLIPS")


@pytest.mark.parametrize(
    ("words", "path", "said"),
    [
        ("--name Ann slips --option rebids=true", "", "rebids"),
        ("--name Ann slips --players 2 --bots bluffer,bluffer", "", "2 bots and you are more than 2 players"),
        ("--name Ann slips --bots nobody", "", "nobody"),
        ("--name Ann nonsense", "", "there is no game"),
        ("--name Ann", "/elsewhere", "something answers, but it isn't a server of live tables"),
        ("--token lpt_nothing", "", "liarspoker: "),
        ("", "/tables/nothing", "this table doesn't exist, or you don't have access to it; ask for a new link"),
        ("slips", "", "live-seats.json: the file is damaged; delete it"),
    ],
)
def test_refusals_are_reported_before_a_name_is_asked_for(
    words: str, path: str, said: str, house: Running, tmp_path: Path
) -> None:
    if "damaged" in said:
        (tmp_path / "live-seats.json").write_text("{")
    told = refused(*words.split(), at=f"{house.url}{path}", folder=tmp_path)
    assert said in told
    assert "Your name" not in told


servers = st.sampled_from(["http://a", "http://b"])
names = st.sampled_from(["Ann", "Bob", "Zoë"])
deals = st.tuples(st.sampled_from(["t", "u"]), st.integers(0, 3), st.integers(0, 3), st.sampled_from(["00", "11"]))
SECRET = new_secret()


@one_in(3)
@given(kept=st.lists(st.builds(Identity, servers, names, st.text(), st.text()), max_size=8), server=servers)
def test_the_last_identity_at_a_server_is_found_with_or_without_a_name(kept: list[Identity], server: str) -> None:
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
def test_every_deal_and_commitment_has_its_own_nonce(
    one: tuple[str, int, int, str], other: tuple[str, int, int, str]
) -> None:
    assert (nonce(SECRET, *one) == nonce(SECRET, *other)) == (one == other)
    assert nonce(SECRET, *one) != nonce(new_secret(), *one)
    assert len(nonce(SECRET, *one)) == 32
