"""Joining and leaving during a round, a deal or a match."""

from __future__ import annotations

import pytest

from liarspoker.core.session import Reason
from liarspoker.protocol import events as e
from liarspoker.records import replay, report
from liarspoker.records.family import round_tables
from liarspoker.records.writer import format_replay
from liarspoker.tables.export import audit_of, records_of, sittings_of
from liarspoker.tables.fair.audit import check
from tests.tables.play import Played, hand_of, in_round, new_table, replayed


def lose(played: Played) -> None:
    """Let the owner take whenever possible and declare the best hand."""
    legal = hand_of(played.table, "user-0")["legal"]
    action = "take" if legal["take"] else "discard -" if legal["discard"] else "declare straight-flush A"
    played.do("user-0", "act", turn=played.table.turn, action=action)


def play_match(played: Played) -> None:
    """Play until a match is won."""
    while not any(isinstance(event, e.MatchWon) for event in played.log[-1]):
        if played.table.stage != "round":
            played.make_ready()
        played.act()


def test_default_actions_are_played_for_a_player_who_leaves() -> None:
    played = in_round()
    leaver = str(played.table.to_act)
    acted = [event for event in played.do(leaver, "leave") if isinstance(event, e.Acted)]
    assert [(event.user, event.by_clock) for event in acted] == [(leaver, True)]
    assert played.table.chair_of(leaver) is not None
    assert played.refused(leaver, "join") == "leaving"
    played.play_out()
    assert played.table.chair_of(leaver) is None
    assert leaver in played.table.units
    assert sum(played.table.units.values()) == 0


def test_ownership_passes_to_the_next_player() -> None:
    played = in_round()
    played.do("user-0", "leave")
    assert played.table.owner == "user-1"
    assert played.refused("user-0", "end") == "not-owner"
    played.do("user-1", "leave")
    assert played.table.owner == "user-2"


def test_when_everyone_leaves_the_round_is_aborted_and_its_deal_stays_on_record() -> None:
    played = in_round()
    played.play_out()
    units = dict(played.table.units)
    played.make_ready()
    for user in ("user-1", "user-0", "user-2"):
        if played.table.stage == "round":
            played.do(user, "leave")
    assert played.table.stage == "ended"
    assert played.table.units == units
    assert [deal.record for deal in played.table.deals] == [(0, 0), None]
    assert check(audit_of(played.table)) == []


def test_closing_the_table_during_a_round_pays_nobody() -> None:
    played = in_round("slips")
    played.act()
    played.do("user-0", "end")
    assert not any(played.table.units.values())
    assert sittings_of(played.table) == ()
    assert check(audit_of(played.table)) == []
    assert played.refused("user-1", "say", text="what?") == "table-ended"


def test_sitting_out_of_a_match_starts_with_the_next_round() -> None:
    played = in_round("queen-annes")
    user = str(played.table.to_act)
    played.do(user, "sit_out")
    assert played.table.to_act == user
    played.play_out()
    for chair in played.table.people:
        if chair.user != user:
            played.do(chair.user, "ready")
    assert played.table.stage == "round"
    turns = 0
    while played.table.stage == "round":
        assert played.table.to_act != user
        played.act()
        turns += 1
    assert turns


def test_the_players_are_final_while_nonces_are_opened() -> None:
    played = new_table("dollar-bill", 4, 7, seats=6)
    played.do("user-1", "sit_out")
    for user in ("user-2", "user-3"):
        played.do(user, "ready", nonce_commitment=played.commit_nonce(user))
    assert played.table.ready_phase is not None
    assert played.table.ready_phase.opening == ("user-0", "user-2", "user-3")
    played.do("late", "join")
    played.do("user-1", "sit_in")
    played.do("user-3", "leave")
    played.do("user-2", "sit_out")
    assert played.table.stage == "gathering"
    played.open_nonces()
    assert played.table.stage == "round"
    assert played.sitting.users == ("user-0", "user-2", "user-3")
    played.play_out()
    assert played.table.users_of_next == ("user-0", "user-1", "late")


def test_an_unopened_nonce_is_empty_and_recorded_as_withheld() -> None:
    played = new_table("dollar-bill", 2, 7)
    played.do("user-1", "ready", nonce_commitment=played.commit_nonce("user-1"))
    assert played.table.stage == "gathering"
    played.expire()
    assert played.table.stage == "round"
    played.play_out()
    played.do("user-0", "end")
    document = audit_of(played.table)
    assert document["deals"][0]["nonces"] == ["", ""]
    assert document["deals"][0]["withheld"] == [1]
    assert check(document) == []


def test_the_owner_can_commit_to_a_nonce_with_start() -> None:
    played = new_table("dollar-bill", 2, 7, start=False)
    played.do("user-0", "start", nonce_commitment=played.commit_nonce("user-0"))
    played.do("user-1", "ready")
    played.open_nonces()
    assert played.table.deals[0].nonces[0]


def test_rejoining_with_a_new_commitment_replaces_the_old_one() -> None:
    played = new_table("dollar-bill", 3, 7)
    played.do("user-1", "ready", nonce_commitment=played.commit_nonce("user-1"))
    played.do("user-1", "sit_out")
    played.do("user-1", "ready")
    played.do("user-2", "ready")
    assert played.table.stage == "round"
    assert played.table.deals[0].nonce_commitments == (None, None, None)


def test_a_new_record_starts_with_the_current_opener_and_stake() -> None:
    played = in_round("salomon-1986", 4)
    for action in ("17x6", "challenge", "challenge", "challenge", "count"):  # so that a stake carries over
        played.do(str(played.table.to_act), "act", turn=played.table.turn, action=action)
    result = played.session.round_result
    opener = played.sitting.users[result.next_opener]
    assert result.next_stake > 1
    gone = next(user for user in played.sitting.users if user != opener)
    played.do(gone, "leave")
    played.make_ready()
    terms = played.session.round.terms
    assert len(played.table.closed) == 1
    assert played.sitting.users[terms.opener] == opener
    assert terms.stake == result.next_stake
    assert terms.why == (Reason("carried", result.next_stake),)
    assert played.table.deals[-1].record == (1, 0)
    assert replayed(played) == played.table


def test_a_record_says_that_its_stake_was_carried_over() -> None:
    played = in_round("salomon-1986", 4)
    for action in ("17x6", "challenge", "challenge", "challenge", "count"):
        played.do(str(played.table.to_act), "act", turn=played.table.turn, action=action)
    stake = played.session.round_result.next_stake
    played.do("user-3", "leave")
    played.make_ready()
    played.play_out()
    for user in ("user-0", None):
        before, after = records_of(played.table, user)
        assert "x-carried" not in before["rounds"][0]
        assert after["rounds"][0]["x-carried"] is True
        shown = replay(after)
        assert f"stake {stake} ({stake} carried over)" in format_replay(shown)
        assert shown.session is not None
        assert round_tables(shown.session)[0]["x-carried"] is True
        for value in ({}, {"x-carried": False}, {"x-carried": "yes"}):  # as in older records, and in other programs'
            one = {key: kept for key, kept in after["rounds"][0].items() if key != "x-carried"} | value
            older = replay({**after, "rounds": [one]})
            assert f"stake {stake} (agreed by the table)" in format_replay(older)
            assert report(older) == report(shown)
            assert older.document == {**after, "rounds": [one]}


def test_a_stake_that_the_rules_carry_over_within_a_record_is_not_marked() -> None:
    played = in_round("salomon-1986", 4)
    for action in ("17x6", "challenge", "challenge", "challenge", "count"):
        played.do(str(played.table.to_act), "act", turn=played.table.turn, action=action)
    stake = played.session.round_result.next_stake
    played.make_ready()
    assert played.session.round.terms.why == (Reason("carried", stake),)
    played.play_out()
    [record] = records_of(played.table, None)
    assert ["x-carried" in one for one in record["rounds"]] == [False, False]


def test_a_stake_agreed_on_replaces_the_one_carried_to_new_players() -> None:
    played = in_round("salomon-1986", 4)
    for action in ("17x6", "challenge", "challenge", "challenge", "count"):
        played.do(str(played.table.to_act), "act", turn=played.table.turn, action=action)
    played.do("user-3", "leave")
    played.do("user-0", "propose", kind="stake", value=3)
    for user in ("user-1", "user-2"):
        played.do(user, "answer", proposal=0, yes=True)
    played.make_ready()
    assert played.session.round.terms.why == (Reason("agreed", 3),)


def test_the_next_remaining_seat_opens_if_the_opener_has_left() -> None:
    played = in_round("dollar-bill", 4)
    played.play_out()
    before, opener = played.sitting.users, played.session.next_opener
    played.do(before[opener], "leave")
    played.make_ready()
    assert played.table.to_act == before[(opener + 1) % 4]


def test_losses_carry_over_to_the_new_record_when_a_player_leaves_a_match() -> None:
    played = in_round("queen-annes", 3)
    for _ in range(3):
        played.play_out()
        played.make_ready()
    played.play_out()
    losses = dict(zip(played.sitting.users, played.session.losses, strict=True))
    played.do("user-1", "leave")
    played.make_ready()
    after = dict(zip(played.sitting.users, played.session.losses, strict=True))
    assert after == {user: lost for user, lost in losses.items() if user != "user-1"}


@pytest.mark.parametrize("game", ["thorin", "queen-annes", "queen-annes-stud"])
def test_the_winner_of_a_match_gets_one_unit_from_each_of_its_players(game: str) -> None:
    played = in_round(game, 4, 3)
    played.play_out()
    played.do("user-1", "leave")
    played.do("late", "join")
    if played.table.match is not None:
        play_match(played)
    assert sorted(played.table.units.values()) == [-1, -1, -1, 3]
    assert played.table.units["user-1"] == -1
    assert "late" not in played.table.units
    played.make_ready()
    assert "late" in played.sitting.users


def test_if_all_players_leave_a_match_the_last_one_wins() -> None:
    played = new_table("queen-annes", 2, 3, seats=3)
    played.make_ready()
    played.do("late", "join")
    played.do(str(played.table.to_act), "leave")
    played.do(str(played.table.to_act), "leave")
    assert [chair.user for chair in played.table.seated] == ["late"]
    assert played.table.match is None
    assert played.table.units == {"user-0": -1, "user-1": 1}


def test_returning_after_a_match_starts_a_new_one() -> None:
    played = in_round("queen-annes", 2, 3)
    played.play_out()
    played.do("user-1", "leave")
    assert played.table.match is None
    played.do("user-1", "join")
    played.make_ready()
    assert played.session.losses == (0, 0)
    assert played.table.deals[-1].record == (1, 0)


def test_an_eliminated_player_can_let_the_bots_continue() -> None:
    played = new_table("thorin", 2, 5, seats=4, start=False)
    played.do("user-1", "leave")
    for _ in range(3):
        played.do("user-0", "seat_bot", bot="bluffer")
    played.do("user-0", "start")
    while played.table.match is None or "user-0" in played.table.match.still_in:
        if played.table.stage == "gathering":
            played.do("user-0", "ready")
        elif played.table.to_act == "user-0":
            lose(played)
        else:
            played.expire()
    assert len(played.table.match.still_in) == 3
    rounds = played.table.rounds_played
    while played.table.stage == "round":
        played.expire()
    played.do("user-0", "ready")
    while played.table.stage == "round":
        played.expire()
    assert played.table.rounds_played > rounds


def test_a_table_ends_with_the_match_in_which_its_rounds_run_out() -> None:
    played = new_table("thorin", 3, 5, rounds=1)
    play_match(played)
    assert played.table.stage == "ended"
    assert played.table.rounds_played >= 1


def test_the_final_bidder_chooses_first_and_in_a_new_session_the_biggest_loser() -> None:
    played = new_table("dollar-bill", 3, 7, choose=True)
    played.play_round()
    bidder = played.session.round_result.bidder
    for chair in played.table.people:
        played.do(chair.user, "ready")
    order = []
    while played.table.stage == "gathering":
        order.append(str(played.chooser()))
        played.do(order[-1], "pick", choice=len(order))
    users = played.sitting.users
    assert order == [*users[bidder:], *users[:bidder]]
    assert played.table.deals[-1].picks == tuple(1 + order.index(user) for user in users)


def test_only_the_opener_names_options_and_only_before_the_deal() -> None:
    played = new_table("thorin", 3, 7, options={"dealers_choice": True}, choose=True)
    assert played.refused("user-1", "name", options={"jokers": 1}) == "not-your-turn"
    assert played.refused("user-0", "name", options={"jokers": 9}) == "bad-option"
    played.do("user-0", "name", options={"jokers": 1})
    for user in ("user-1", "user-2"):
        played.do(user, "ready")
    assert played.refused("user-0", "name", options={"jokers": 2}) == "not-now"
    played.make_ready()
    assert played.session.round.terms.named == (("jokers", 1),)


def test_named_options_are_dropped_if_another_player_opens() -> None:
    played = new_table("thorin", 3, 7, options={"dealers_choice": True})
    played.do("user-0", "name", options={"jokers": 1})
    played.do("user-0", "leave")
    played.make_ready()
    assert played.session.round.terms.named == ()


def test_starting_the_table_ends_the_owners_sitting_out() -> None:
    played = new_table("dollar-bill", 2, 7, start=False)
    played.do("user-0", "sit_out")
    played.do("user-0", "start")
    played.make_ready()
    assert played.sitting.users == ("user-0", "user-1")


def test_an_eliminated_player_can_leave_while_nonces_are_opened() -> None:
    played = new_table("thorin", 4, 3)
    played.play_round()
    match = played.table.match
    assert match is not None
    (out,) = set(match.users) - set(match.still_in)
    for user in match.still_in:
        played.do(user, "ready", nonce_commitment=played.commit_nonce(user))
    played.do(out, "leave")
    assert played.table.chair_of(out) is None
    played.open_nonces()
    chairs = dict(zip(played.sitting.users, played.table.deals[-1].chairs, strict=True))
    assert chairs == {user: played.table.chair_number(user) for user in match.users}
    assert chairs[out] is None
    play_match(played)
    played.do(played.table.owner, "end")
    assert check(audit_of(played.table)) == []
