"""Invariants of tables under random commands."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given

from liarspoker.protocol import events as e
from liarspoker.protocol.codec import encode
from liarspoker.protocol.commands import Abandon, Expire
from liarspoker.records import document_of, replay
from liarspoker.tables.export import audit_of, records_of, sittings_of
from liarspoker.tables.fair.audit import check
from liarspoker.tables.names import look_alike
from liarspoker.tables.reducers import apply_entry
from liarspoker.tables.settings import game_of
from liarspoker.tables.state import ENDED, ROUND, next_deadline
from liarspoker.tables.view import chat, private, public
from tests.tables.play import replayed
from tests.tables.random_walks import STRANGER, USERS, RandomWalk, random_walks


@given(random_walks())
def test_replaying_the_log_gives_the_same_table(walk: RandomWalk) -> None:
    table = None
    for events in walk.log:
        table = apply_entry(table, events, walk.seeds.__getitem__)
    assert table == walk.table
    assert replayed(walk) == walk.table


@given(random_walks())
def test_commands_increment_the_version_and_refusals_change_nothing(walk: RandomWalk) -> None:
    for moment in walk.moments:
        if moment.events:
            assert moment.after.version == moment.before.version + 1
        else:
            assert moment.after is moment.before
    assert walk.table.version == len(walk.log)


@given(random_walks())
def test_units_sum_to_zero(walk: RandomWalk) -> None:
    for moment in walk.moments:
        assert sum(moment.after.units.values()) == 0


@given(random_walks())
def test_players_act_only_for_themselves(walk: RandomWalk) -> None:
    for moment in walk.moments:
        played = [event for event in moment.events if isinstance(event, e.Acted)]
        for event in played:
            if event.by_clock:
                continue
            assert (moment.command.do, event.user) == ("act", moment.user)
            sitting = moment.before.sitting
            assert sitting is not None
            out_of_turn = (
                event.action.startswith("challenge")
                and sitting.session.option_changes().get("who_may_challenge") == "anyone"
            )
            assert event.user == moment.before.to_act or out_of_turn


@given(random_walks())
def test_default_actions_are_played_only_for_expired_or_absent_seats(walk: RandomWalk) -> None:
    for moment in walk.moments:
        by_clock = [event for event in moment.events if isinstance(event, e.Acted) and event.by_clock]
        for event in by_clock:
            table = moment.after
            sitting, chair = table.sitting, table.chair_of(event.user)
            assert sitting is not None
            gone = chair is None or chair.leaving or event.user in sitting.absent
            in_time = isinstance(moment.command, Expire) and event is by_clock[0] and event.user == moment.before.to_act
            assert gone or in_time


@given(random_walks())
def test_the_owner_is_always_seated(walk: RandomWalk) -> None:
    for moment in walk.moments:
        if moment.after.stage != ENDED:
            assert moment.after.owner in [chair.user for chair in moment.after.people]


@given(random_walks())
def test_removed_players_are_never_seated_again(walk: RandomWalk) -> None:
    for moment in walk.moments:
        joined = {event.user for event in moment.events if isinstance(event, e.Joined)}
        assert not joined & moment.before.removed
        staying = {chair.user for chair in moment.after.seated if not chair.leaving}
        assert not staying & moment.after.removed


@given(random_walks())
def test_names_at_a_table_never_look_alike(walk: RandomWalk) -> None:
    for moment in walk.moments:
        names = moment.after.names
        for event in moment.events:
            if isinstance(event, e.Joined):
                assert names[event.user] == event.name
                assert look_alike(event.name, [name for user, name in names.items() if user != event.user]) is None


@given(random_walks())
def test_an_abandoned_table_ends_unless_a_clock_runs(walk: RandomWalk) -> None:
    if walk.table.stage == ENDED:
        return
    running = next_deadline(walk.table) is not None
    assert walk.ask("", Abandon()) is not running
    assert (walk.table.stage == ENDED) is not running
    if not running:
        assert check(audit_of(walk.table)) == []
        assert replayed(walk) == walk.table


@given(random_walks())
def test_records_replay_what_was_played(walk: RandomWalk) -> None:
    game = game_of(walk.table)
    for sitting in sittings_of(walk.table):
        again = replay(document_of(game, sitting.session, sitting.names))
        assert again.fault is None
        assert again.session is not None
        assert again.session.rounds_played == sitting.session.rounds_played
        assert again.session.score == sitting.session.score
        assert again.session.round_result == sitting.session.round_result


@given(random_walks())
def test_a_table_with_active_players_reaches_the_next_round(walk: RandomWalk) -> None:
    assert walk.carry_on()


@given(random_walks())
def test_a_table_without_commands_comes_to_rest(walk: RandomWalk) -> None:
    for _ in range(1000):
        if next_deadline(walk.table) is None:
            return
        before = walk.table
        walk.expire()
        assert walk.table is not before
    raise AssertionError("the clock rings for ever")


@given(random_walks())
def test_every_state_has_views_for_everyone(walk: RandomWalk) -> None:
    for moment in walk.moments:
        table = moment.after
        for user in (table.owner, moment.user or STRANGER):
            told = [public(table), public(table, behind=True), private(table, user), chat(table, user)]
            assert json.loads(encode(told)) is not None


@given(random_walks())
def test_a_clock_runs_in_every_round(walk: RandomWalk) -> None:
    for moment in walk.moments:
        table = moment.after
        if table.stage == ROUND and table.paused is None and moment.events and table.settings.clock is not None:
            assert table.deadline is not None


@given(random_walks())
def test_every_users_records_can_be_replayed(walk: RandomWalk) -> None:
    for user in (None, *USERS, STRANGER):
        for document in records_of(walk.table, user):
            again = replay(document)
            assert again.fault is None, (again.fault, document)


@given(random_walks())
def test_every_ended_table_passes_verification(walk: RandomWalk) -> None:
    if walk.table.stage != ENDED:
        walk.do(walk.table.owner, "end")
    assert check(audit_of(walk.table)) == []


@given(random_walks())
def test_deals_are_numbered_and_linked_to_records(walk: RandomWalk) -> None:
    deals: tuple[Any, ...] = walk.table.deals
    assert [deal.number for deal in deals] == list(range(len(deals)))
    places = [deal.record for deal in deals if deal.record is not None]
    assert places == sorted(set(places))
    finished = [
        (number, place)
        for number, one in enumerate(sittings_of(walk.table))
        for place in range(one.session.rounds_played)
    ]
    in_play = walk.table.stage == ROUND
    assert places[: len(places) - in_play] == finished
    for deal in deals:
        for promise, nonce in zip(deal.nonce_commitments, deal.nonces, strict=True):
            assert promise is not None or not nonce
