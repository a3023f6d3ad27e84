"""How one comes to a table, and who one is there: by a link, from a list, by making it, with a name or a token."""

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
from tests.terminal.live.chairs import Chair, token_of


def refused(*words: str, at: Running | str, folder: Path) -> str:
    """What is told to somebody who does not get in."""
    with Chair(*words, at=at, folder=folder) as chair:
        assert chair.ends() == 1
        return " ".join(chair.text.split())


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("http://127.0.0.1:1", "nobody answers (connection refused); does `liarspoker serve` run there?"),
        *((address, "a server's address is like http://127.0.0.1:8000") for address in ("ftp://host/", "http://")),
        *((address, "a server's address is like") for address in ("not an address", "http://me:pw@host/")),
    ],
)
def test_an_address_that_is_none_is_told(address: str, said: str, tmp_path: Path) -> None:
    assert said in refused(at=address, folder=tmp_path)


def test_a_token_plays_as_its_account_and_leaves_nothing_behind(house: Running, tmp_path: Path) -> None:
    with Chair("dollar-bill", "--token", token_of(house.person("Tess")), at=house, folder=tmp_path) as tess:
        tess.until("You are Tess.")
        tess.until("Enter to start > $")
    assert not list(tmp_path.rglob("live-seats.json"))


def test_who_one_is_is_kept_for_the_user_alone(house: Running, tmp_path: Path) -> None:
    with Chair("dollar-bill", "--name", "Ann", at=house, folder=tmp_path) as ann:
        ann.table()
    (kept,) = tmp_path.rglob("live-seats.json")
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    assert [one["name"] for one in json.loads(kept.read_text())] == ["Ann"]


def test_without_a_name_one_is_asked(house: Running, tmp_path: Path) -> None:
    with Chair("dollar-bill", at=house, folder=tmp_path) as chair:
        chair.until("Your name > $")
        chair.type("a name that is much too long for anybody")
        chair.until("a name has 1 to 24 characters")
        chair.type("Ann")
        chair.until("Enter to start > $")


def test_tables_are_listed_made_and_joined(house: Running, tmp_path: Path) -> None:
    with Chair("--name", "Ann", at=house, folder=tmp_path / "ann") as ann:
        ann.until("Which table\\? > $")
        ann.type("what is there?")
        ann.until("is no number of the list, no game and no table's link")
        ann.type("slips")
        link = ann.table()
        with Chair("--name", "Bob", at=house, folder=tmp_path / "bob") as bob:
            bob.until("Which table\\? > $")
            bob.type("nothing")
            bob.until("there is no such table")
            bob.type(link.rpartition("/")[2])
            ann.until("Bob sits down.")
        ann.type("quit")
        ann.until("leave: get up for good > $")
        ann.type("away")
        assert ann.ends() == 0
    with Chair(at=house, folder=tmp_path / "ann") as ann:
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
        ("--name Ann", "/elsewhere", "something answers, but no server of live tables"),
        ("--token lpt_nothing", "", "liarspoker: "),
        ("", "/tables/nothing", "there is no such table, or it is not for you; ask for a new link"),
        ("slips", "", "live-seats.json: it is damaged; remove it"),
    ],
)
def test_who_cannot_come_in_is_told_before_a_name_is_asked_for(
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
