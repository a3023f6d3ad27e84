"""What holds of every table, whatever is said to it by whomever."""

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
from liarspoker.tables.fold import fold_entry
from liarspoker.tables.names import look_alike
from liarspoker.tables.settings import game_of
from liarspoker.tables.state import ENDED, ROUND, due
from liarspoker.tables.view import chat, private, public
from tests.tables.play import replayed
from tests.tables.strolls import STRANGER, USERS, Stroll, strolls


@given(strolls())
def test_the_log_makes_the_table_again(stroll: Stroll) -> None:
    table = None
    for events in stroll.log:
        table = fold_entry(table, events, stroll.seeds.__getitem__)
    assert table == stroll.table
    assert replayed(stroll) == stroll.table


@given(strolls())
def test_every_command_counts_the_version_up_by_one_and_a_refused_one_changes_nothing(stroll: Stroll) -> None:
    for moment in stroll.moments:
        if moment.events:
            assert moment.after.version == moment.before.version + 1
        else:
            assert moment.after is moment.before
    assert stroll.table.version == len(stroll.log)


@given(strolls())
def test_nobody_wins_what_nobody_loses(stroll: Stroll) -> None:
    for moment in stroll.moments:
        assert sum(moment.after.units.values()) == 0


@given(strolls())
def test_nobody_acts_for_another(stroll: Stroll) -> None:
    for moment in stroll.moments:
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


@given(strolls())
def test_the_clock_plays_for_the_seat_to_act_only_when_its_time_is_up_or_it_is_gone(stroll: Stroll) -> None:
    for moment in stroll.moments:
        by_clock = [event for event in moment.events if isinstance(event, e.Acted) and event.by_clock]
        for event in by_clock:
            table = moment.after
            sitting, chair = table.sitting, table.chair_of(event.user)
            assert sitting is not None
            gone = chair is None or chair.leaving or event.user in sitting.absent
            in_time = isinstance(moment.command, Expire) and event is by_clock[0] and event.user == moment.before.to_act
            assert gone or in_time


@given(strolls())
def test_the_owner_sits_at_his_table_until_it_ends(stroll: Stroll) -> None:
    for moment in stroll.moments:
        if moment.after.stage != ENDED:
            assert moment.after.owner in [chair.user for chair in moment.after.people]


@given(strolls())
def test_nobody_whom_the_others_have_removed_sits_down_again(stroll: Stroll) -> None:
    for moment in stroll.moments:
        joined = {event.user for event in moment.events if isinstance(event, e.Joined)}
        assert not joined & moment.before.removed
        staying = {chair.user for chair in moment.after.seated if not chair.leaving}
        assert not staying & moment.after.removed


@given(strolls())
def test_no_two_who_ever_sat_here_can_be_taken_for_one(stroll: Stroll) -> None:
    for moment in stroll.moments:
        names = moment.after.names
        for event in moment.events:
            if isinstance(event, e.Joined):
                assert names[event.user] == event.name
                assert look_alike(event.name, [name for user, name in names.items() if user != event.user]) is None


@given(strolls())
def test_a_table_that_is_abandoned_ends_or_has_a_clock_that_runs(stroll: Stroll) -> None:
    if stroll.table.stage == ENDED:
        return
    running = due(stroll.table) is not None
    assert stroll.ask("", Abandon()) is not running
    assert (stroll.table.stage == ENDED) is not running
    if not running:
        assert check(audit_of(stroll.table)) == []
        assert replayed(stroll) == stroll.table


@given(strolls())
def test_what_was_played_is_what_the_records_replay(stroll: Stroll) -> None:
    game = game_of(stroll.table)
    for sitting in sittings_of(stroll.table):
        again = replay(document_of(game, sitting.session, sitting.names))
        assert again.fault is None
        assert again.session is not None
        assert again.session.rounds_played == sitting.session.rounds_played
        assert again.session.score == sitting.session.score
        assert again.session.round_result == sitting.session.round_result


@given(strolls())
def test_a_table_that_is_played_on_reaches_the_next_round(stroll: Stroll) -> None:
    assert stroll.carry_on()


@given(strolls())
def test_a_table_that_is_left_alone_comes_to_rest(stroll: Stroll) -> None:
    for _ in range(1000):
        if due(stroll.table) is None:
            return
        before = stroll.table
        stroll.expire()
        assert stroll.table is not before
    raise AssertionError("the clock rings for ever")


@given(strolls())
def test_anybody_can_look_at_any_time(stroll: Stroll) -> None:
    for moment in stroll.moments:
        table = moment.after
        for user in (table.owner, moment.user or STRANGER):
            told = [public(table), public(table, behind=True), private(table, user), chat(table, user)]
            assert json.loads(encode(told)) is not None


@given(strolls())
def test_somebody_is_waited_for_under_the_clock_in_every_round(stroll: Stroll) -> None:
    for moment in stroll.moments:
        table = moment.after
        if table.stage == ROUND and table.paused is None and moment.events and table.settings.clock is not None:
            assert table.deadline is not None


@given(strolls())
def test_every_record_replays_as_anybody_may_know_it(stroll: Stroll) -> None:
    for user in (None, *USERS, STRANGER):
        for document in records_of(stroll.table, user):
            again = replay(document)
            assert again.fault is None, (again.fault, document)


@given(strolls())
def test_every_table_that_has_ended_stands_up_to_a_check(stroll: Stroll) -> None:
    if stroll.table.stage != ENDED:
        stroll.do(stroll.table.owner, "end")
    assert check(audit_of(stroll.table)) == []


@given(strolls())
def test_deals_are_counted_and_found_in_the_records(stroll: Stroll) -> None:
    deals: tuple[Any, ...] = stroll.table.deals
    assert [deal.number for deal in deals] == list(range(len(deals)))
    places = [deal.place for deal in deals if deal.place is not None]
    assert places == sorted(set(places))
    finished = [
        (number, place)
        for number, one in enumerate(sittings_of(stroll.table))
        for place in range(one.session.rounds_played)
    ]
    in_play = stroll.table.stage == ROUND
    assert places[: len(places) - in_play] == finished
    for deal in deals:
        for promise, nonce in zip(deal.nonce_commitments, deal.nonces, strict=True):
            assert promise is not None or not nonce
