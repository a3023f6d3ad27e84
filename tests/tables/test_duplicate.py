"""Duplicate events: all tables get the same deals whatever is played, and comparisons sum to zero."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liarspoker.core import catalogue
from liarspoker.protocol.commands import Close
from liarspoker.protocol.events import Dealt
from liarspoker.protocol.settings import EventPlayer, EventProof, TableEvent
from liarspoker.tables.decide import CommandContext, Seat, decide, make_of_event
from liarspoker.tables.duplicate import HandScore, TableScore, comparisons, ranking, score_of
from liarspoker.tables.export import audit_of
from liarspoker.tables.fair.audit import check
from liarspoker.tables.fair.deal import texts_of
from liarspoker.tables.fair.event import event_commitment, event_key, hand_seed, share_of
from liarspoker.tables.refused import Refused
from liarspoker.tables.settings import read_settings
from liarspoker.tables.view import may_watch, public
from tests.tables.fair.node import findings_of
from tests.tables.play import GAMES, Played, replayed

EVENT, HANDS = "event-1", 4


class AtEvent(Played):
    """A table of an event, with its key, and the opener and the stake of each hand so far."""

    key = b""
    begun: list[tuple[int | None, int | None]]

    def context(self, user: str) -> CommandContext:
        return CommandContext(user, user.title(), self.now, b"", self.key)

    def decided(self, command: Any, user: str) -> Any:
        events, self.table = decide(self.table, command, self.context(user))
        self.log.append(events)
        if any(isinstance(event, Dealt) for event in events):
            hand = public(self.table).round
            self.begun.append((getattr(hand, "opener", None), getattr(hand, "stake", None)))
        return events

    @property
    def seeds_of_hands(self) -> dict[int, bytes]:
        return {number: hand_seed(self.key, number) for number in range(HANDS + 1)}


def table_of(game: str, seats: int, key: bytes, number: int, bots: int = 0, **settings: Any) -> AtEvent:
    """Make table `number` of an event."""
    chance = Random(number)
    taken = [Seat(f"user-{number}-{seat}", f"User {number} {seat}") for seat in range(seats - bots)]
    taken += [Seat(f"bot:{seat}", f"Bot {seat}", "beginner") for seat in range(seats - bots, seats)]
    given = {"game": game, "seats": seats, "rounds": HANDS, "clock": {"turn": 30}, "spectators": "none", **settings}
    context = CommandContext("", "", 1000.0, b"", key)
    table_id = f"table-{number}"
    events, table = make_of_event(table_id, read_settings(given), TableEvent(EVENT, "beginner"), taken, context)
    made = AtEvent(table, [events], chance)
    made.key, made.begun = key, []
    made.seeds = made.seeds_of_hands
    return made


def played(game: str, seats: int, key: bytes, number: int, **settings: Any) -> AtEvent:
    """Play a table of an event to its end, in which players come and go at random."""
    made = table_of(game, seats, key, number, **settings)
    while made.table.stage != "ended":
        user = f"user-{number}-{made.chance.randrange(seats)}"
        happens = made.chance.random()
        if happens < 0.05 and (chair := made.table.chair_of(user)) is not None and not chair.played_by:
            made.do(user, made.chance.choice(["leave", "sit_out"]))
        elif happens < 0.1 and (chair := made.table.chair_of(user)) is not None and chair.stand_in:
            made.do(user, "sit_in")
        elif made.table.stage == "gathering":
            if made.chance.random() < 0.1:
                made.expire()
            else:
                made.make_ready()
        elif made.chance.random() < 0.05:
            made.expire()
        else:
            made.act()
    return made


def proof_of(game: str, seats: int, seed: bytes, players: list[tuple[str, bytes]]) -> EventProof:
    return EventProof(
        commitment=event_commitment(seed, EVENT).hex(),
        seed=seed.hex(),
        game=game,
        seats=seats,
        hands=HANDS,
        players=tuple(EventPlayer(user, share.hex()) for user, share in players),
    )


SEATS = {row.id: row.seats for row in catalogue.games()}


@pytest.mark.parametrize("game", GAMES)
@given(number=st.integers(0, 2**20), data=st.data())
def test_all_tables_get_the_same_deals_whatever_is_played(game: str, number: int, data: st.DataObject) -> None:
    fewest, most = SEATS[game]
    seats = data.draw(st.integers(fewest, min(most, 4)))
    seed, players = Random(number).randbytes(32), [("ann", share_of(EVENT, "words")), ("bob", b"")]
    key = event_key(seed, EVENT, game, seats, HANDS, players)
    tables = [played(game, seats, key, 2 * number + one) for one in range(2)]
    decks = []
    for one in tables:
        assert one.table.rounds_played == HANDS
        assert replayed(one) == one.table
        one.table = one.table._replace(proof=proof_of(game, seats, seed, players))
        document = audit_of(one.table)
        assert check(document) == []
        assert {len(deal["nonces"]) for deal in document["deals"]} == {seats}
        decks.append([texts_of(deal["dealt"]) for deal in document["deals"]])
    first, second = decks
    assert len(first) == len(second) == HANDS
    if catalogue.preset(game).has_winner:  # the sizes of hands depend on losses, but the order of the deck doesn't
        for cards, others in zip(first, second, strict=True):
            assert all(mine == theirs for mine, theirs in zip(cards.values(), others.values(), strict=False))
    else:
        assert first == second, "the serials of every seat"
        assert tables[0].begun == tables[1].begun, "the opener and the stake"


def test_slips_are_the_same_at_all_tables() -> None:
    key = bytes(32)
    tables = [played("slips", 3, key, number, from_slips=True) for number in range(2)]
    roots = [[deal.root for deal in one.table.deals] for one in tables]
    assert roots[0] == roots[1]
    assert len(set(roots[0])) == HANDS


def test_both_verifiers_accept_an_event_and_find_every_tampering() -> None:
    seed, players = bytes(range(32)), [("ann", share_of(EVENT, "a")), ("bob", b"")]
    one = played("dollar-bill", 2, event_key(seed, EVENT, "dollar-bill", 2, HANDS, players), 0)
    proof = proof_of("dollar-bill", 2, seed, players)
    one.table = one.table._replace(proof=proof)
    sound = audit_of(one.table)
    event = sound["x-event"]
    tampered = [
        {**event, "seed": bytes(32).hex()},
        {**event, "commitment": bytes(32).hex()},
        {**event, "players": event["players"][:1]},
        {**event, "players": event["players"][::-1]},
        {**event, "players": [{**event["players"][0], "share": ""}, event["players"][1]]},
        {**event, "hands": HANDS - 1},
        {**event, "seats": 3},
        {**event, "game": "slips"},
        {"seed": event["seed"]},
    ]
    documents = [sound, *({**sound, "x-event": other} for other in tampered)]
    assert [bool(check(document)) for document in documents] == [False] + [True] * len(tampered)
    assert [bool(found) for found in findings_of(documents)] == [False] + [True] * len(tampered)
    without = {name: held for name, held in sound.items() if name != "x-event"}
    assert check(without) == [], "verifiers that know no events accept the deals"


def test_an_absent_player_keeps_the_seat_and_can_come_back() -> None:
    made = table_of("dollar-bill", 3, bytes(32), 0)
    made.do("user-0-0", "leave")
    made.do("user-0-1", "sit_out")
    assert made.refused("user-0-0", "leave") == "away"
    assert [chair and chair.stand_in for chair in made.table.chairs] == ["beginner", "beginner", ""]
    made.expire()
    assert made.table.stage == "round", "the third player is late, so bots play"
    assert {chair.stand_in for chair in made.table.seated} == {"beginner"}
    made.do("user-0-0", "sit_in")
    assert [chair.stand_in for chair in made.table.seated] == ["", "beginner", "beginner"]


def test_commands_that_would_make_tables_differ_are_refused() -> None:
    made = table_of("dollar-bill", 3, bytes(32), 0)
    for fields in ({"kind": "stake", "value": 5}, {"kind": "remove", "value": "user-0-1"}):
        assert made.refused("user-0-0", "propose", **fields) == "not-in-event"
    for do in ("end", "pause", "start"):
        assert made.refused("user-0-0", do) == "not-owner"
    assert made.refused("stranger", "join") == "locked"
    assert made.refused("user-0-0", "ready", nonce_commitment="00") == "bad-command"
    made.do("user-0-0", "ready", nonce_commitment="00" * 32)
    assert made.table.ready_phase is not None
    assert not made.table.ready_phase.nonce_commitments, "all tables must get the same deal"


def test_a_table_that_has_ended_reveals_nothing_before_the_event_is_over() -> None:
    made = played("dollar-bill", 2, bytes(32), 0)
    with pytest.raises(Refused) as refused:
        audit_of(made.table)
    assert refused.value.code == "not-ended"
    assert not may_watch(made.table, "stranger")
    assert may_watch(made.table, "user-0-0")
    highlights = public(made.table).highlights
    assert highlights is not None
    assert highlights.bluff == made.table.highlights.shown_bluff


def scores_of(game: str, seats: int, number: int) -> list[TableScore]:
    tables = [played(game, seats, bytes(32), 2 * number + one) for one in range(2)]
    return [score_of(one.log, one.seeds_of_hands.__getitem__) for one in tables]


@pytest.mark.parametrize("game", GAMES)
@given(number=st.integers(0, 2**20))
def test_comparisons_of_played_tables_sum_to_zero(game: str, number: int) -> None:
    seats = max(3, SEATS[game][0])
    scores = scores_of(game, seats, number)
    assert [len(score.hands) for score in scores] == [HANDS, HANDS]
    assert_zero_sums(scores)


def assert_zero_sums(scores: list[TableScore]) -> None:
    sums: defaultdict[tuple[int, int], Fraction] = defaultdict(Fraction)
    for one in comparisons(scores):
        sums[one.hand, one.seat] += one.points
    assert not any(sums.values())


hands = st.builds(
    HandScore,
    units=st.tuples(*[st.none() | st.integers(-50, 50)] * 3),
    absent=st.sampled_from([(), (0,), (1, 2)]),
    round=st.integers(1, 9),
)
any_scores = st.lists(st.builds(TableScore, hands=st.lists(hands, max_size=5).map(tuple)), max_size=6)


@given(any_scores)
def test_comparisons_sum_to_zero_for_every_hand_and_seat(scores: list[TableScore]) -> None:
    assert_zero_sums(scores)


@given(any_scores)
def test_ranks_follow_points_and_ties_share_a_rank(scores: list[TableScore]) -> None:
    seats = {f"{table}-{seat}": (table, seat) for table in range(len(scores)) for seat in range(3)}
    compared = comparisons(scores)
    standings = ranking(compared, seats)
    assert {one.user for one in standings} == set(seats)
    for one in standings:
        assert one.rank == 1 + sum(other.points > one.points for other in standings)
        own = [each for each in compared if (each.table, each.seat) == seats[one.user] and each.counts]
        assert (one.points, one.hands) == (sum((each.points for each in own), Fraction()), len(own))


def test_hands_played_by_a_stand_in_count_for_the_table_only() -> None:
    made = table_of("dollar-bill", 2, bytes(32), 0)
    made.play_round()
    made.do("user-0-0", "sit_out")
    made.do("user-0-1", "ready")
    made.do("user-0-0", "sit_in")
    made.play_out()
    made.make_ready()
    made.do("user-0-1", "leave")
    made.play_out()
    score = score_of(made.log, made.seeds_of_hands.__getitem__)
    assert [hand.absent for hand in score.hands] == [(), (0,), (1,)]
    assert [hand.round for hand in score.hands] == [1, 2, 3]
    assert all(sum(units or 0 for units in hand.units) == 0 for hand in score.hands)


def test_a_table_that_is_closed_early_counts_with_the_hands_that_it_finished() -> None:
    long, short = played("dollar-bill", 2, bytes(32), 0), table_of("dollar-bill", 2, bytes(32), 1)
    short.play_round()
    short.make_ready()
    short.decided(Close(reason="maintenance"), "")
    scores = [score_of(one.log, one.seeds_of_hands.__getitem__) for one in (long, short)]
    assert [len(score.hands) for score in scores] == [HANDS, 1]
    compared = comparisons(scores)
    assert {one.points for one in compared if one.hand > 0} == {Fraction()}
