"""The profile of a player's bluffs: counts by hand, their laws, what they may depend on, and the page."""

from __future__ import annotations

import asyncio
import json
import tomllib
from dataclasses import astuple
from fractions import Fraction
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pytest
import sqlalchemy as sa
from hypothesis import given
from hypothesis import strategies as st

from liarspoker.coach.statistics import record_statistics
from liarspoker.core import catalogue
from liarspoker.games.cards.profile import label
from liarspoker.games.digits.deal import DigitDeal
from liarspoker.games.digits.ladder import digit_of
from liarspoker.games.digits.options import DigitOptions, packed
from liarspoker.games.digits.page.profile import expected_units
from liarspoker.games.digits.session import DigitSession
from liarspoker.games.digits.settlement import payoff, settle
from liarspoker.games.digits.table import recorded
from liarspoker.odds.counts import distribution
from liarspoker.records import Replay, document_of, read_toml, replay
from liarspoker.server.storage.connection import value
from liarspoker.server.storage.schema import IMPORTS, RESULTS
from liarspoker.web.history import History, Part, Played, merged, parts_of
from liarspoker.web.view_models.family import Tally
from liarspoker.web.view_models.plain import pages_for
from liarspoker.web.view_models.profile import NO_BIDS, Bids, Heard, Made, Rate
from liarspoker.web.view_models.round_replay import round_replay
from tests.conformance.evenings import evening, random_options
from tests.server.inprocess import PATIENCE, Person, Running
from tests.web.pages.reading import Reader
from tests.web.study.played_tables import act, begun, played

GOLDEN = Path(__file__).parents[2] / "records" / "golden"
PLAYERS = ("Ann", "Ben", "Cy")
GAMES = ("dollar-bill", "salomon-1986")

seeds = st.integers(0, 2**32)


def bids(record: Replay, index: int, seat: int) -> Bids:
    """Return a seat's bids in a round of a record."""
    assert record.game is not None
    found = pages_for(record.game.preset).profile
    assert found is not None
    return found.bids(round_replay(record, index, str(seat)))


def profile(name: str, seat: int, rounds: int | None = None) -> Bids:
    """Return a seat's bids in the first rounds of a golden record."""
    record = read_toml((GOLDEN / f"{name}.toml").read_bytes())
    ended = [index for index, one in enumerate(record.rounds[:rounds]) if one.round_result is not None]
    return sum((bids(record, index, seat) for index in ended), NO_BIDS)


def hand_of_slips(index: int, seat: int) -> Bids:
    return bids(read_toml((GOLDEN / "slips-session.toml").read_bytes()), index, seat)


def dealt(chance: Random) -> tuple[str, ...]:
    return tuple("".join(chance.choices("0123456789", k=8)) for _ in PLAYERS)


def some_hand(session: DigitSession, chance: Random) -> DigitSession:
    """Return the session after another hand of random actions."""
    session = session.deal(DigitDeal(numbers=dealt(chance)))
    while session.in_play:
        legal = session.legal()
        answer = not legal.claims or (legal.answers and chance.random() < 0.6)
        session = session.apply(chance.choice(legal.answers if answer else legal.claims[:12]))
    return session


def new_session(game: str) -> DigitSession:
    session = catalogue.load(game).session(seats=3)
    assert isinstance(session, DigitSession)
    return session


def some_session(game: str, seed: int, hands: int = 3) -> DigitSession:
    chance, session = Random(seed), new_session(game)
    for _ in range(hands):
        session = some_hand(session, chance)
    return session


def record_of(session: DigitSession, seat: int) -> dict[str, Any]:
    """Return the record with what a seat may know."""
    parts = recorded(session, seat, frozenset())
    return {"lpn": 1, "game": session.setup.preset.id, "players": list(PLAYERS), **parts}


def test_bids_of_a_hand_counted_by_hand() -> None:
    # 06742088, 92859819 and 07202503: 2x5 is Player 1's bluff, 2x0 Player 2's; there are five zeros, and 3x7 fails.
    ann, bob, cyd = (profile("salomon-1986-notation", seat) for seat in range(3))
    assert ann.made == ((2, Made(bids=1, known=1, bluffs=1)),)
    assert ann.heard == (("Cyd", Heard(challenged=1, challenged_known=1)),)
    assert bob.heard == (
        ("Ann", Heard(raised=1, raised_known=1)),
        ("Cyd", Heard(challenged=1, challenged_known=1)),
    )
    assert cyd.made == ((3, Made(bids=1, known=1, challenged=1, counted=1, failed=1)),)
    assert cyd.heard == (("Bob", Heard(raised=1, raised_known=1)),)
    # The agreed stake is 2.
    assert [one.units for one in (ann, bob, cyd)] == [1, 1, -2]


def test_a_bid_that_is_let_pass_although_it_is_not_there() -> None:
    # Nobody holds a six: 1x6, 2x6 and 4x6 aren't there, and 9x6 wins as a skunk.
    bob = hand_of_slips(8, 1)
    assert bob.made == ((2, Made(bids=1, known=1, bluffs=1)),)
    assert bob.heard == (
        ("Ann", Heard(raised=1, raised_known=1, raised_missing=1)),
        ("Dot", Heard(challenged=1, challenged_known=1)),
    )
    assert hand_of_slips(8, 3).total == Made(1, 1, 1, 1, 1, 1, 0, 0)


def test_a_rebid_is_another_bid_and_is_answered_again() -> None:
    # Bob bids 5x7 with a seven, is challenged all around, and rebids 5x8 with an eight.
    assert hand_of_slips(9, 1).made == ((5, Made(bids=2, known=2, challenged=2, counted=1)),)
    heard = dict(hand_of_slips(9, 2).heard)
    assert heard == {"Bob": Heard(challenged=2, challenged_known=2, challenged_there=2)}


def test_what_hidden_hands_leave_unknown() -> None:
    # Fingers show three sevens, and none of them Bob's.
    ann, bob, _cyd = (profile("salomon-1986-hidden", seat, 1) for seat in range(3))
    assert bob.total == Made(1, 1, 1, 1, 1, 1, 0, 0)
    assert ann.heard == (("Bob", Heard(challenged=1, challenged_known=1, challenged_there=1)),)
    hidden = {
        "lpn": 1,
        "game": "salomon-1986",
        "players": list(PLAYERS),
        "rounds": [
            {
                "deal": ["????????", "12345678", "????????"],
                "counts": [0, 1, 0],
                "actions": ["2x4", "2x7", "challenge", "challenge", "count"],
            }
        ],
    }
    record = replay(hidden)
    assert record.fault is None
    # Ann's fours aren't known, so neither is whether 2x4 was a bluff or was there.
    assert bids(record, 0, 0).total == Made(bids=1)
    assert dict(bids(record, 0, 1).heard)["Ann"] == Heard(raised=1)
    assert bids(record, 0, 1).total == Made(1, 1, 0, 1, 0, 1, 1, 0)


def named(made: tuple[tuple[int, Made], ...]) -> dict[str, Made]:
    return {label(key): one for key, one in made}


def test_declarations_of_a_round_counted_by_hand() -> None:
    # Annie has 7-7-3-3-9, Bart draws a jack, Chrissie keeps it, and Dirk's three of a kind is Q-7-7-6-2.
    annie, bart, _chrissie, dirk, ellie = (profile("thorin-annie", seat, 1) for seat in range(5))
    assert named(annie.made) == named(bart.made) == {"Two pair": Made(bids=1, known=1)}
    assert bart.heard == (("Annie", Heard(raised=1, raised_known=1)),)
    assert named(dirk.made) == {"Three of a kind": Made(1, 1, 1, 1, 1, 1, 1, 1)}
    assert (ellie.made, ellie.heard) == ((), (("Dirk", Heard(challenged=1, challenged_known=1)),))


def test_a_declaration_that_the_hand_beats_is_true() -> None:
    # Ellie declares three fours with four of them, and Annie challenges.
    record = read_toml((GOLDEN / "thorin-annie.toml").read_bytes())
    assert named(bids(record, 1, 4).made) == {"Three of a kind": Made(1, 1, 0, 1, 0, 1)}
    assert bids(record, 1, 0).heard == (("Ellie", Heard(challenged=1, challenged_known=1, challenged_there=1)),)


def test_a_challenge_out_of_turn_answers_a_claim() -> None:
    # Cyd sees three of the queens, and Bob challenges though it is Dot's turn.
    _ann, bob, cyd, dot = (profile("queen-annes-indian", seat, 1) for seat in range(4))
    assert named(cyd.made) == {"Three of a kind": Made(bids=1, known=1, challenged=1, counted=1)}
    assert bob.heard == (("Cyd", Heard(challenged=1, challenged_known=1, challenged_there=1)),)
    assert (dot.made, dot.heard) == ((), ())


def test_a_better_claim_answers_whether_the_one_before_was_true() -> None:
    # Two queens are there, and the third isn't.
    actions = ["claim pair of queens", "claim three queens", "challenge"]
    dealt = {"opener": 0, "deal": [["Qc"], ["Qd"], ["3h"]], "actions": actions}
    head = {"lpn": 1, "game": "queen-annes-indian", "players": list(PLAYERS), "losses": [4, 4, 4]}
    record = replay({**head, "rounds": [dealt]})
    assert record.fault is None
    assert bids(record, 0, 1).heard == (("Ann", Heard(raised=1, raised_known=1)),)
    assert bids(record, 0, 2).heard == (("Ben", Heard(challenged=1, challenged_known=1)),)


@pytest.mark.parametrize(("answers", "challenged"), [(("pass", "challenge"), 1), (("pass", "pass"), 0)])
def test_a_pass_answers_nothing(answers: tuple[str, str], challenged: int) -> None:
    dealt = {"opener": 0, "deck": ["7s", "3d", "8d", "9h", "Jc"], "actions": ["declare pair of sevens", *answers]}
    head = {"lpn": 1, "game": "thorin", "players": list(PLAYERS), "options": {"passes": 1}}
    record = replay({**head, "rounds": [dealt]})
    assert record.fault is None
    made = Made(1, 1, 1, challenged, challenged, challenged, challenged, challenged)
    assert bids(record, 0, 0).total == made
    assert bids(record, 0, 1).heard == ()
    assert bids(record, 0, 2).heard == (("Ann", Heard(challenged=1, challenged_known=1)),) * challenged


CARD_GAMES = tuple(row.id for row in catalogue.games() if row.family != "digits")


def card_record(game: str, seed: int, seat: int | None, rounds: int = 3) -> Replay:
    """Return the record of finished rounds between three players with what a seat may know; `None` for everything."""
    loaded, chance = catalogue.load(game), Random(seed)
    session: Any = loaded.session(seats=3, options=random_options(loaded, chance))
    for one in evening(session, chance, rounds):
        session = one.last
    document = document_of(loaded, session, PLAYERS)
    if seat is not None:
        table = catalogue.family(session.setup.preset.family).table()
        assert table is not None
        document = {**document, **table.recorded(session, seat, frozenset())}
    found = replay(document)
    assert found.fault is None
    return found


def chances_of_claims(record: Replay, seat: int) -> list[Fraction]:
    """Return the probability of each claim that a seat made in a record, given what it saw."""
    assert record.game is not None
    pages, found = pages_for(record.game.preset), []
    for index in range(len(record.rounds)):
        shown = round_replay(record, index, str(seat))
        for at in shown.claims:
            if shown.moves[at - 1][0] == seat:
                chance = pages.replay.probability(shown, at)
                assert chance is not None
                found.append(chance)
    return found


@pytest.mark.parametrize("game", CARD_GAMES)
@given(seed=seeds)
def test_claims_agree_with_the_table_of_results(game: str, seed: int) -> None:
    for seat in range(3):
        record = card_record(game, seed, seat)
        found = parts_of(record, seat)
        tally = sum((part.tally for part in found), Tally())
        chances = chances_of_claims(record, seat)
        assert (tally.claims, tally.bluffs) == (len(chances), sum(chance < Fraction(1, 2) for chance in chances))
        for part in found:
            made = part.bids.total
            assert (made.bids, made.known) == (part.tally.claims, part.tally.claims)
            assert (made.bluffs, made.caught) == (part.tally.bluffs, part.tally.caught)
            assert made.counted - made.failed == part.tally.bids_won
            assert made.failed == part.tally.bids_lost
            answers = sum((one for _name, one in part.bids.heard), Heard())
            assert answers.challenged == part.tally.right + part.tally.wrong
            assert answers.challenged_there == part.tally.wrong


@pytest.mark.parametrize("game", CARD_GAMES)
@given(seed=seeds)
def test_a_record_of_all_cards_adds_only_answers_to_claims(game: str, seed: int) -> None:
    for seat in range(3):
        own, full = (card_record(game, seed, view) for view in (seat, None))
        for index in range(len(own.rounds)):
            mine, everything = bids(own, index, seat), bids(full, index, seat)
            assert mine.made == everything.made
            for (name, one), (other, more) in zip(mine.heard, everything.heard, strict=True):
                assert (name, one.raised, one.challenged) == (other, more.raised, more.challenged)
                assert one.raised_known <= more.raised_known == more.raised


@pytest.mark.parametrize("game", GAMES)
@given(seed=seeds)
def test_totals_agree_with_the_statistics_of_the_coach(game: str, seed: int) -> None:
    session = some_session(game, seed)
    record = replay(record_of(session, 0) if game == "dollar-bill" else full_record(session))
    assert record.fault is None
    levels = record_statistics(record).levels
    everybody = sum((part.bids for seat in range(3) for part in parts_of(record, seat)), NO_BIDS)
    assert everybody.units == 0
    for level, made in everybody.made:
        theirs = {name: int(getattr(levels, name)[level - 1]) for name in ("bids", "known", "bluffs", "challenged")}
        assert theirs == {name: getattr(made, name) for name in theirs}
        assert (made.counted, made.counted - made.failed) == (levels.counted[level - 1], levels.stood[level - 1])
    assert everybody.total.bids == levels.bids.sum()
    assert everybody.total.caught <= everybody.total.failed <= everybody.total.counted == 3


def full_record(session: DigitSession) -> dict[str, Any]:
    """Return the record with all hands."""
    rounds = recorded(session, None, frozenset((index, seat) for index in range(3) for seat in range(3)))
    return {"lpn": 1, "game": session.setup.preset.id, "players": list(PLAYERS), **rounds}


@given(seed=seeds)
def test_levels_and_positions_have_the_same_bids(seed: int) -> None:
    session = some_session("salomon-1986", seed)
    record = replay(record_of(session, 1))
    one = Played("1", "", catalogue.preset("salomon-1986"), True, 0.0, parts_of(record, 1))
    history = History((one, one))
    mine = sum(seat == 1 and action >= 0 for hand in session.ledger.hands for seat, action in hand[0].moves)
    total = history.bids.total
    assert sum((made for _position, made in history.bids_by_position), Made()) == total
    assert total.bids == 2 * mine
    assert total.known == total.bids  # one's own number is always known
    answers = sum(heard.raised + heard.challenged for _name, heard in history.bids.heard)
    assert answers == 2 * sum(map(len, answered(session, 1)))


def answered(session: DigitSession, seat: int) -> list[list[int]]:
    """Return the actions of a seat in each hand that answer another's bid: all but openings, counts and rebids."""
    found = []
    for hand, _result in session.ledger.hands:
        mine, bidder = [], None
        for player, action in hand.moves:
            if player == seat and bidder not in (None, seat):
                mine.append(action)
            bidder = player if action >= 0 else bidder
        found.append(mine)
    return found


@given(seed=seeds, other=seeds)
def test_counts_do_not_change_with_hands_that_the_player_could_not_see(seed: int, other: int) -> None:
    session = some_session("salomon-1986", seed, 1)
    [(hand, result)] = session.ledger.hands
    counted = str(digit_of(result.final_claim, hand.rules))
    chance = Random(other)
    others = [digit for digit in "0123456789" if digit != counted]
    numbers = [
        number if seat == 0 else "".join(sign if sign == counted else chance.choice(others) for sign in number)
        for seat, number in enumerate(hand.numbers)
    ]
    again = new_session("salomon-1986").deal(DigitDeal(numbers=tuple(numbers)))
    for _seat, action in hand.moves:
        again = again.apply(action)
    assert parts_of(replay(record_of(again, 0)), 0) == parts_of(replay(record_of(session, 0)), 0)


@pytest.mark.parametrize("seats", [2, 3, 5])
def test_expected_units_sum_to_zero_over_all_hands(seats: int) -> None:
    rules = packed(DigitOptions(two_player_none="push"), seats)
    chances = distribution(rules.hand_size, rules.symbols)
    for claim in (3, 46, 66, 90):
        bidder, other = (
            sum(chance * expected_units(rules, claim, held, is_bidder) for held, chance in enumerate(chances))
            for is_bidder in (True, False)
        )
        assert bidder + (seats - 1) * other == 0


def test_expected_units_of_two_players_counted_out() -> None:
    rules = packed(DigitOptions(hand_size=1, symbols=2), seats=2)
    for claim in range(4):
        for own in range(2):
            each = [payoff(0, 0, settle(claim, own, own + its, rules), 1, rules) for its in range(2)]
            assert expected_units(rules, claim, own, True) * 2 == sum(each)
            each = [payoff(1, 0, settle(claim, its, own + its, rules), 1, rules) for its in range(2)]
            assert expected_units(rules, claim, own, False) * 2 == sum(each)


def test_expected_units_of_a_challenger_among_three_counted_out() -> None:
    rules = packed(DigitOptions(hand_size=2, symbols=2), seats=3)
    chances = distribution(2, 2)
    for claim in range(12):
        for held in range(3):
            each = [
                chances[its] * chances[rest] * payoff(1, 0, settle(claim, its, held + its + rest, rules), 1, rules)
                for its, rest in product(range(3), repeat=2)
            ]
            assert expected_units(rules, claim, held, False) == sum(each)


@given(seed=seeds)
def test_sums_are_written_and_read_without_loss(seed: int) -> None:
    record = replay(record_of(some_session("salomon-1986", seed), 2))
    for part in parts_of(record, 2):
        assert Bids.of(*json.loads(json.dumps(astuple(part.bids)))) == part.bids
        assert merged([part, part]) == (
            Part(part.opponents, part.position, part.tally + part.tally, part.bids + part.bids),
        )


def test_a_few_bids_put_nobody_first() -> None:
    found = Bids(heard=(("Ben", Heard(9, 1, 1)), ("Cy", Heard(90, 60, 40)), ("Dot", Heard(3))))
    assert [name for name, _heard in found.by_belief] == ["Cy", "Ben", "Dot"]
    assert Rate(1, 1).share > Rate(40, 60).share


def test_the_page_after_one_hand(site: Running) -> None:
    table, people = begun(site, people=2)
    act(table, people, "1x1", "2x1", "challenge")
    for person in people:
        page = Reader(person).read("/you/bluffs").page
        assert "1 hand" in page.one("section", aria_labelledby="bids-title-1").text
        assert "only 1." in page.one(cls="few").text
        for breakdown in page.all("table", cls="rates")[:2]:
            [row] = breakdown.all("tr")[1:]
            assert row.all("td")[0].text == "1"
        [row] = page.all("table", cls="rates")[2].all("tr")[1:]
        assert row.all("td")[0].text == "1"
    assert "How you bluff" in Reader(people[0]).read("/you/games").page.text


def test_the_page_has_what_the_selection_has(site: Running) -> None:
    owner, table = played(site, "salomon-1986", 30)
    reader = Reader(owner)
    page = reader.read("/you/bluffs").page
    assert not page.all(cls="few")
    assert {row.one("th").text for row in page.all("table", cls="rates")[2].all("tr")[1:]} == {"Ben", "Cleo"}
    assert "30 hands" in page.text
    assert "30 hands" in reader.read("/you/bluffs?opponent=Ben&game=salomon-1986").page.text
    assert "No games match" in reader.read("/you/bluffs?opponent=Zoe").page.text
    assert "30 hands" in reader.read("/you/bluffs?game=no-such-game&since=yesterday").page.text
    assert "/you/bluffs" in owner.http.get(f"/t/{table}/review").text


def test_nobody_else_sees_the_profile(site: Running) -> None:
    owner, _table = played(site, "dollar-bill")
    for stranger in (site.person("Zoe"), site.person()):
        page = Reader(stranger).read("/you/bluffs").page
        assert not page.all("table")
        assert "Ben" not in page.text
    assert "No bids or claims of yours" in Reader(site.person("Zoe")).read("/you/bluffs").page.text
    assert "Choose a name in the lobby" in Reader(site.person()).read("/you/bluffs").page.text
    assert Reader(owner).read("/you/bluffs").page.all("table")


def test_the_page_of_somebody_who_plays_all_families(site: Running) -> None:
    owner, _table = played(site, "dollar-bill")
    for game in ("thorin", "queen-annes-indian"):
        imported(owner, game)
    reader = Reader(owner)
    titles = ("Your bids", "Your declarations in Thorin’s game", "Your claims in Queen Anne’s games")
    page = reader.read("/you/bluffs").page
    for place, title in enumerate(titles, 1):
        assert page.one("h2", id=f"bids-title-{place}").text == title
    for game, title in zip(("dollar-bill", "thorin", "queen-annes-indian"), titles, strict=True):
        text = reader.read(f"/you/bluffs?game={game}").page.text
        assert [one in text for one in titles] == [one == title for one in titles]
        assert ("Luck" in text) == (game == "dollar-bill")
        assert text.count("Whom you believe") <= 1
    assert "How you bluff" in reader.read("/you/games?game=thorin").page.text


def test_the_page_of_somebody_who_only_answered(site: Running) -> None:
    ben, record = site.person("Ben"), (GOLDEN / "thorin-annie.toml").read_bytes()
    cut = tomllib.loads(record.decode())
    files = {"file": ("record.json", json.dumps({**cut, "rounds": cut["rounds"][:1]}))}
    assert ben.http.post("/you/games/import", files=files, data={"player": "Ellie"}).status_code == 303
    section = Reader(ben).read("/you/bluffs").page.one("section", aria_labelledby="bids-title-1")
    assert "You made none in these rounds." in section.text
    assert not section.all(cls="few")
    [table] = section.all("table")
    assert table.one("caption").text == "Whom you believe"


def imported(person: Person, game: str) -> None:
    """Import a record of three finished rounds with a player called Ann."""
    file = json.dumps(card_record(game, seed=3, seat=0).document)
    files, data = {"file": ("record.json", file)}, {"player": "Ann"}
    assert person.http.post("/you/games/import", files=files, data=data).status_code == 303


def test_results_of_tables_and_imports_stored_by_another_version_are_counted_again(site: Running) -> None:
    owner, _table = played(site, "dollar-bill", 2)
    other = site.person("Ann")
    archive = owner.http.get("/you/games/records.zip").content
    other.http.post("/you/games/import", files={"file": ("records.zip", archive)})
    readers = (Reader(owner), Reader(other))
    pages = [reader.read("/you/bluffs").page.text for reader in readers]
    assert all("2 hands" in text for text in pages)
    older = [1, [["Ben", "Cleo"], 1, list(astuple(Tally(rounds=7)))]]
    for stored in (older, [99, "unknown"]):
        execute(site, set_body(RESULTS, RESULTS.c.user_id), user_id=owner.user, body=json.dumps(stored))
        about = json.dumps({"title": "Friday", "game": "dollar-bill", "parts": stored})
        execute(site, set_body(IMPORTS, IMPORTS.c.user_id), user_id=other.user, body=about)
        assert [reader.read("/you/bluffs").page.text for reader in readers] == pages
        assert all("Friday" in reader.read("/you/games").page.text for reader in readers)
    [[kept]] = execute(
        site, sa.select(IMPORTS.c.body).where(IMPORTS.c.user_id == value(IMPORTS.c.user_id)), user_id=other.user
    )
    assert json.loads(kept)["parts"] == stored, "the other version can still read it"


def set_body(table: sa.Table, user: sa.Column[Any]) -> sa.Update:
    """Return an update of what is stored for a user."""
    return sa.update(table).where(user == value(user)).values({table.c.body: value(table.c.body)})


def execute(site: Running, statement: Any, **values: str) -> Any:
    """Run a statement in the server's database, and return its rows."""
    writing = site.service.storage.write(lambda connection: connection.execute(statement, **values))
    return asyncio.run_coroutine_threadsafe(writing, site.loop).result(PATIENCE)
