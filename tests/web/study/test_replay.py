"""Replays: every kind of record can be stepped through, and shows no more than the viewpoint may see."""

from __future__ import annotations

import json
import re
import tomllib
from concurrent.futures import ThreadPoolExecutor
from random import Random
from typing import Any, cast

import httpx2
import pytest

from liarspoker.core import catalogue
from liarspoker.core.session import RoundSetup
from liarspoker.games.digits.hands import rows_needed
from liarspoker.games.digits.session import DigitSession
from liarspoker.games.queen_annes.page.rules import sample
from liarspoker.games.thorin.session import ThorinSession
from liarspoker.games.thorin.table import recorded
from liarspoker.records import replay
from liarspoker.records.reader import Replay, read_toml
from liarspoker.web.routes.replay import MOST_BODY_BYTES, MOST_BYTES
from liarspoker.web.view_models.replay import ReplayViewModel, view_model
from liarspoker.web.view_models.round_replay import ALL, SPECTATOR
from liarspoker.web.view_models.rules import samples_of
from tests.records.sessions import random_actions
from tests.server.inprocess import Running
from tests.web.conftest import Evening
from tests.web.study.played_tables import played

GAMES = tuple(row.id for row in catalogue.games())
RECORDS = tuple(record for game in GAMES for _, _, record in samples_of(game))


def at(record: Replay, ply: int, view: str) -> ReplayViewModel:
    return view_model(record, 0, 1, 1, ply, view)


def texts(shown: ReplayViewModel) -> str:
    """All numbers and cards that a view model shows."""
    stage = shown.position
    cards = [text for one in stage.players for text, _ in one.cards] + [text for text, _ in stage.cards]
    return " ".join([*(one.number for one in stage.players), *cards])


@pytest.mark.parametrize("document", RECORDS, ids=lambda one: f"{one['game']}-{len(one['rounds'][0]['actions'])}")
def test_every_record_steps_from_its_deal_to_its_end(document: dict[str, Any]) -> None:
    record = replay(document)
    last = len(document["rounds"][0]["actions"])
    for view in (SPECTATOR, ALL, *map(str, range(len(document["players"])))):
        for ply in range(last + 1):
            shown = at(record, ply, view)
            assert (shown.at, shown.last, len(shown.plies)) == (ply, last, last + 1)
            assert bool(shown.position.outcome) == (ply == last)
            assert shown.position.said
    assert "?" not in texts(at(record, 0, ALL))  # with all hands shown, nothing is hidden


@pytest.mark.parametrize("document", RECORDS, ids=lambda one: f"{one['game']}-{len(one['rounds'][0]['actions'])}")
def test_cards_in_texts_are_written_as_on_the_table_and_names_as_they_are(document: dict[str, Any]) -> None:
    last = len(document["rounds"][0]["actions"])
    named = replay({**document, "players": [f"{name} As" for name in document["players"]]})
    for view in (SPECTATOR, ALL):
        shown = at(named, last, view)
        outcome = " ".join(shown.position.outcome)
        acts = [*(ply.words for ply in shown.plies), *(one.act for one in shown.position.players)]
        cards = set(re.findall(r"\b[2-9TJQKA][cdhs]\b", " ".join((outcome, *acts))))
        assert cards == {"As"}  # of the names


def test_a_spectator_sees_no_number_and_a_seat_its_own() -> None:
    record = replay(samples_of("salomon-1986")[0][2])
    numbers = record.document["rounds"][0]["deal"]
    assert set(texts(at(record, 3, SPECTATOR))) <= {"?", " "}
    seen = [one.number for one in sorted(at(record, 3, "2").position.players, key=lambda one: one.seat)]
    assert [number for number in seen if "?" not in number] == [numbers[2]]


def test_in_indian_poker_a_seat_sees_all_cards_but_its_own() -> None:
    record = replay(samples_of("queen-annes-indian")[0][2])
    for one in at(record, 1, "1").position.players:
        assert all((text == "??") == (one.seat == 1) for text, _ in one.cards)


def test_in_thorins_game_only_the_active_player_sees_the_hand() -> None:
    record = replay(samples_of("thorin")[0][2])
    assert "??" not in texts(at(record, 1, "0"))
    assert set(texts(at(record, 1, "1")).split()) == {"??"}
    assert "??" not in texts(at(record, 2, "1"))
    assert not any("K♣" in ply.words for ply in at(record, 4, "0").plies), "what another seat discards stays hidden"
    assert any("K♣" in ply.words for ply in at(record, 4, "1").plies)


def test_a_seats_own_record_shows_it_every_card_that_it_has_seen() -> None:
    full = replay(samples_of("thorin")[0][2])
    parts = recorded(cast(ThorinSession, full.rounds[0]), 1, frozenset())
    own = {**full.document, **parts, "x-seat": 1}
    assert "??" in str(own["rounds"][0]["deck"])
    for view in ("1", ALL):
        for ply in (2, 3, 4):
            assert "??" not in texts(at(replay(own), ply, view))
            assert texts(at(replay(own), ply, view)) == texts(at(full, ply, "1"))
    for view in ("0", SPECTATOR):
        assert set(texts(at(replay(own), 4, view)).split()) == {"??"}


@pytest.mark.parametrize("seen", [7, [7], [{"seat": 1}], [{"seat": 1, "taken": ["As"], "discarded": [], "drawn": []}]])
def test_cards_that_cannot_have_been_seen_are_ignored(seen: object) -> None:
    full = replay(samples_of("thorin")[0][2])
    parts = recorded(cast(ThorinSession, full.rounds[0]), 1, frozenset())
    hidden = {**full.document, **parts, "x-seat": 1}
    hidden["rounds"][0]["x-seen"] = seen
    for view in ("1", ALL):
        assert "??" in texts(at(replay(hidden), 2, view))


def test_probabilities_and_the_chart_use_only_the_viewpoints_information() -> None:
    record = replay(samples_of("dollar-bill")[0][2])
    assert {ply.figure for ply in at(record, 99, ALL).plies[1:]} <= {"0%", "100%"}
    assert at(record, 99, SPECTATOR).plies[1].figure not in ("0%", "100%")
    record = replay(samples_of("salomon-1986")[0][2])
    shown = at(record, 99, "3")
    assert shown.plies[-1].units == 6  # the chart ends with the seat's payoff
    assert "<svg" in shown.chart
    assert at(record, 99, SPECTATOR).chart == ""


def salomon(deal: list[str], bid: str, **options: object) -> dict[str, Any]:
    """A hand of `salomon-1986` in which seat 0 bids, and the others challenge."""
    actions = [bid, *["challenge"] * (len(deal) - 1), "count"]
    names = [f"Player {seat}" for seat in range(len(deal))]
    return {
        "lpn": 1,
        "game": "salomon-1986",
        "players": names,
        "options": options,
        "rounds": [{"opener": 0, "deal": deal, "actions": actions}],
    }


@pytest.mark.parametrize(
    ("players", "bid", "units"),
    [(6, "1x1", -1.5), (3, "2x1", -0.2), (4, "2x7", -0.9), (3, "3x6", 0.2), (2, "1x1", -0.6)],
)
def test_a_challengers_expected_units_include_the_skunk_and_the_hero(players: int, bid: str, units: float) -> None:
    record = replay(salomon(["23458900"] * players, bid, two_player_none="push"))
    assert record.fault is None
    assert [ply.units for ply in at(record, 1, "1").plies[1:3]] == [units, units]


@pytest.mark.parametrize(("bid", "pays"), [("1x1", "pays ×2 as a hero"), ("1x6", "pays ×3 as a hero"), ("1x3", "")])
def test_a_bid_pays_more_if_the_viewpoint_knows_that_its_bidder_is_a_hero(bid: str, pays: str) -> None:
    record = replay(salomon(["23458900"] * 3, bid))
    alone = ("pays ×2",) if bid == "1x6" else ()
    assert at(record, 1, "0").position.under == at(record, 1, ALL).position.under == tuple(filter(None, [pays]))
    assert at(record, 1, "1").position.under == at(record, 1, SPECTATOR).position.under == alone
    record = replay(salomon(["23458900"] * 3, bid, hero=False))
    assert at(record, 1, "0").position.under == alone


def test_the_heading_says_where_the_stake_comes_from() -> None:
    document = salomon(["06742088", "92859819", "07202503"], "2x5")
    assert at(replay(document), 0, ALL).heading == "stake 1"
    for key, words in {"x-carried": "2 carried over", "x-other": "agreed by the table"}.items():
        [one] = document["rounds"]
        heading = at(replay({**document, "rounds": [{**one, "stake": 2, key: True}]}), 0, ALL).heading
        assert heading == f"stake 2 ({words})"


def test_expected_units_grow_with_the_stake() -> None:
    record = salomon(["23458900"] * 6, "1x1")
    record["rounds"][0]["stake"] = 4
    assert at(replay(record), 1, "1").plies[1].units == -6.0
    assert at(replay(record), 1, "0").plies[1].units == 41.2


def test_only_as_many_jokers_as_the_hand_uses_are_highlighted() -> None:
    deal = [["7h", "Jk", "3c", "4d", "9s"], ["2c", "Jk", "Kd", "Qd", "9d"]]
    hand = {"opener": 0, "deal": deal, "actions": ["claim pair of sevens", "challenge"]}
    options = {"jokers": 2, "wild_ranks": "2"}
    names = ["Ann", "Bob"]
    record = replay({"lpn": 1, "game": "queen-annes", "players": names, "options": options, "rounds": [hand]})
    assert record.fault is None
    replayed = [one.cards for one in sorted(at(record, 2, ALL).position.players, key=lambda one: one.seat)]
    sampled = [holder.cards for holder in sample(record).holders]
    for shown in (replayed, sampled):
        assert [text for cards in shown for text, lit in cards if lit] == ["7h", "Jk"]


@pytest.mark.parametrize("game", GAMES)
def test_rounds_of_a_table_are_replayed_and_downloaded(site: Running, evening: Evening, game: str) -> None:
    owner, table = evening(game)
    page = owner.http.get(f"/t/{table}/replay/1?ply=1&as=1").text
    assert re.search(r"ply 1 of \d+", page)
    to = f'href="/t/{table}/replay/1?ply='
    assert f'{to}0&amp;as=1" aria-label="Previous ply" aria-keyshortcuts="ArrowLeft"' in page
    assert f'{to}2&amp;as=1" aria-label="Next ply"' in page
    assert 'aria-keyshortcuts="f"' in page
    record = tomllib.loads(owner.http.get(f"/t/{table}/replay/record.toml").text)
    assert record == json.loads(owner.http.get(f"/t/{table}/replay/record.json").text)
    assert replay(record).fault is None
    assert site.person("Dora").http.get(f"/t/{table}/replay").status_code == 200


def test_a_missing_round_is_reported(site: Running, evening: Evening) -> None:
    owner, table = evening("dollar-bill")
    response = owner.http.get(f"/t/{table}/replay/7")
    assert response.status_code == 404
    assert "No such round" in response.text
    assert "This table has 1 finished round." in response.text
    fresh = site.table(owner)
    assert "Nothing to replay yet" in owner.http.get(f"/t/{fresh}/replay").text
    assert owner.ask(fresh, do="end")["ok"]
    closed = owner.http.get(f"/t/{fresh}/replay").text
    assert "The table was closed before a round was finished." in closed
    assert "yet" not in closed


@pytest.mark.parametrize("game", ["salomon-1986", "queen-annes"])
def test_a_running_table_shows_no_hidden_number_and_no_odds_if_they_are_off(site: Running, game: str) -> None:
    owner, table = played(site, game, end=False, help=False)
    figure = re.compile(r'class="fig ch">[^<]')
    while_it_runs = owner.http.get(f"/t/{table}/replay/1").text
    assert 'class="ply"' in while_it_runs
    assert not figure.search(while_it_runs)
    assert "If it were counted now" not in while_it_runs
    if game == "salomon-1986":
        for person, hidden in ((site.person(), 3), (owner, 2)):
            page = person.http.get(f"/t/{table}/replay/1?as=all").text
            assert page.count("hidden number") == hidden
    assert owner.ask(table, do="end")["ok"]
    assert figure.search(owner.http.get(f"/t/{table}/replay/1").text)


def test_a_private_table_is_replayed_only_to_its_players(site: Running) -> None:
    owner, table = played(site, "dollar-bill", spectators="none")
    assert owner.http.get(f"/t/{table}/replay").status_code == 200
    for path in ("replay", "replay/1", "replay/record.json", "verify", "verify/audit.json"):
        assert site.person("Eve").http.get(f"/t/{table}/{path}").status_code == 404


SHORT = """lpn = 1
game = "dollar-bill"
players = ["Ann", "Bob"]
[[rounds]]
deal = ["06742088", "92859819"]
actions = ["2x8", "4x8", "challenge"]
"""


def brought(site: Running, text: str = "", **fields: str) -> httpx2.Response:
    """Upload or paste a record, and return the response."""
    files: dict[str, Any] = {"file": ("game", text.encode(), "text/plain")} if text else {}
    files |= {name: (None, value) for name, value in fields.items()}
    return site.person().http.post("/replay", files=files, headers={"Origin": site.url})


def test_an_uploaded_record_is_replayed_and_sent_again_with_every_step(site: Running) -> None:
    assert read_toml(SHORT).fault is None
    first = brought(site, record=SHORT)
    assert first.status_code == 200
    assert "ply 0 of 3" in first.text
    assert 'name="go" value="1.1.all"' in first.text
    assert "ply 3 of 3" in brought(site, record=SHORT, go="1.3.0").text
    assert "ply 0 of 3" in brought(site, SHORT).text


@pytest.mark.parametrize(
    ("record", "place", "what"),
    [
        ("", "", "Paste a record"),
        ("lpn = 2", "The record:", "version 2"),
        ("nonsense", "The record:", "this isn't TOML"),
        (SHORT.replace("4x8", "1x1"), "Round 1, action 2:", "does not beat"),
        (SHORT.replace("92859819", "9285981"), "Round 1:", "9285981"),
    ],
)
def test_an_invalid_record_is_reported_with_its_location(site: Running, record: str, place: str, what: str) -> None:
    text = brought(site, record=record).text.replace("&#39;", "'")
    assert place in text
    assert what in text


def long_record(game: str, seats: int, rounds: int) -> dict[str, Any]:
    """A record of `rounds` hands, made by repeating the longest of several."""
    chance, found = Random(1), catalogue.load(game)
    session = cast(DigitSession, found.session(seats))
    session = session.deal(session.chance_spec().draw(chance.randrange), RoundSetup(opener=0))
    tried = (random_actions(chance, session, to_the_end=True) for _ in range(20))
    actions = [session.write(action) for action in max(tried, key=len)]

    def numbers(count: int) -> list[str]:
        return [f"{chance.randrange(10**8):08}" for _ in range(count)]

    record: dict[str, Any] = {"lpn": 1, "game": game, "players": [f"Player {seat}" for seat in range(seats)]}
    slips = session.setup.from_slips
    if slips:
        record["slips"] = [numbers(rows_needed(rounds)) for _ in range(seats)]
    dealt = [{} if slips else {"deal": numbers(seats)} for _ in range(rounds)]
    return {**record, "rounds": [{"opener": 0, **deal, "actions": actions} for deal in dealt]}


def as_toml(record: dict[str, Any]) -> str:
    """Return the record as TOML, much faster than `to_toml`."""
    head = [f"{name} = {json.dumps(value)}" for name, value in record.items() if name != "rounds"]
    rounds = ["\n".join(f"{name} = {json.dumps(value)}" for name, value in one.items()) for one in record["rounds"]]
    return "\n".join([*head, *(f"[[rounds]]\n{one}" for one in rounds)]) + "\n"


@pytest.mark.slow
@pytest.mark.parametrize(("game", "seats"), [("salomon-1986", 10), ("slips", 16)])
def test_a_record_of_800_rounds_is_replayed_while_other_requests_are_served(
    site: Running, game: str, seats: int
) -> None:
    """Ten players at one table, and the game with the longest rounds; card matches are shorter."""
    record, other, served = long_record(game, seats, 800), site.person(), 0
    as_exported = json.dumps(record, indent=1)
    assert len(as_exported) > 500_000
    with ThreadPoolExecutor(1) as pool:
        reading = pool.submit(brought, site, as_exported)
        while not reading.done():
            assert other.http.get("/health").status_code == 200
            served += 1
    assert served > 3
    for taken in (reading.result(), brought(site, as_toml(record))):
        assert taken.status_code == 200, taken.text
        assert "hand 1<" in taken.text
    stepped = brought(site, record=as_exported.replace("\n", "\r\n"), go="800.3.all")
    assert stepped.status_code == 200, stepped.text
    assert "hand 800<" in stepped.text
    assert "ply 3 of" in stepped.text


@pytest.mark.parametrize(
    ("text", "status", "what"),
    [
        (SHORT + "#" * MOST_BYTES, 422, "The record is larger than 8 MiB"),
        (SHORT + "#" * MOST_BODY_BYTES, 413, "must not be longer than"),
        (SHORT + SHORT[SHORT.index("[[") :] * 2_000, 422, "it has 2,001 rounds; the limit here is 2,000"),
        (SHORT.replace('"2x8"', ", ".join(['"2x8"'] * 3_000)), 422, "a round has more than 3,000 actions"),
        (json.dumps({**long_record("dollar-bill", 2, 1), "rounds": [{"deal": [], "actions": ["1x1"] * 2_550}] * 200}),
         422, "it has more than 500,000 actions in total"),
        (SHORT + "x-a.b = 1\n" * 20_001, 422, "too many tables or dotted keys"),
        (SHORT + "[[x-a]]\n" * 20_001, 422, "too many tables or dotted keys"),
        ("lpn = " + "1" * 5_001, 422, "a number is too long"),
    ],
    ids=["long", "far too long", "rounds", "actions", "actions in all", "dots", "tables", "number"],
)  # fmt: skip
def test_a_record_that_is_too_large_is_rejected_with_the_limit(
    site: Running, text: str, status: int, what: str
) -> None:
    refused = brought(site, text)
    assert refused.status_code == status
    assert what in refused.text
