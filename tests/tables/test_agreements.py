"""Proposals: stakes, undos and removals."""

from __future__ import annotations

from liarspoker.tables.view import may_watch
from tests.tables.play import Played, in_round, new_table


def stake(played: Played) -> int:
    told: int = played.session.round.terms.stake
    return told


def agree(played: Played, *users: str, yes: bool = True) -> None:
    for user in users:
        played.do(user, "answer", proposal=played.table.proposal_count - 1, yes=yes)


def test_an_agreed_stake_applies_only_to_the_next_hand() -> None:
    played = new_table("dollar-bill", 3, 7)
    played.do("user-1", "propose", kind="stake", value=5)
    agree(played, "user-0", "user-2")
    assert played.table.stake == 5
    played.play_round()
    assert stake(played) == 5
    played.make_ready()
    assert stake(played) == 1


def test_all_players_of_the_next_hand_must_accept_a_stake_and_nobody_else_votes() -> None:
    played = new_table("dollar-bill", 4, 7)
    played.do("user-3", "sit_out")
    assert played.refused("user-3", "propose", kind="stake", value=9) == "away"
    played.do("user-0", "propose", kind="stake", value=4)
    assert played.table.proposals[0].voters == ("user-1", "user-2")
    agree(played, "user-1")
    assert played.table.stake is None
    agree(played, "user-2")
    assert played.table.stake == 4


def test_one_no_rejects_a_stake() -> None:
    played = new_table("dollar-bill", 3, 7)
    played.do("user-1", "propose", kind="stake", value=5)
    agree(played, "user-0", yes=False)
    assert played.table.proposals == ()
    assert played.table.stake is None


def test_a_stake_proposal_lapses_at_the_deal() -> None:
    played = new_table("dollar-bill", 3, 7)
    played.do("user-1", "propose", kind="stake", value=5)
    played.make_ready()
    assert played.table.proposals == ()
    assert stake(played) == 1


def test_only_its_author_can_withdraw_a_proposal() -> None:
    played = new_table("dollar-bill", 4, 7)
    played.do("user-1", "propose", kind="remove", value="user-2")
    assert played.refused("user-2", "answer", proposal=0, yes=False) == "no-say"
    assert played.refused("user-1", "answer", proposal=0, yes=True) == "no-say"
    agree(played, "user-1", yes=False)
    assert played.table.proposals == ()
    assert played.table.chair_of("user-2") is not None


def test_players_who_leave_lose_their_vote() -> None:
    played = new_table("dollar-bill", 3, 7)
    played.do("user-1", "propose", kind="stake", value=5)
    agree(played, "user-0")
    played.do("user-2", "leave")
    assert played.table.stake == 5


def test_an_undo_restores_the_previous_state() -> None:
    played = in_round()
    before = played.table.sitting
    assert before is not None
    mover = str(played.table.to_act)
    played.act()
    played.do(mover, "propose", kind="undo")
    agree(played, *(user for user in before.users if user != mover))
    after = played.table.sitting
    assert after is not None
    assert after.session == before.session
    assert played.table.to_act == mover
    assert played.refused(mover, "propose", kind="undo") == "not-now"


def test_only_the_last_action_can_be_undone_and_only_until_the_next_one() -> None:
    played = in_round()
    mover = str(played.table.to_act)
    played.act()
    other = str(played.table.to_act)
    assert played.refused(other, "propose", kind="undo") == "not-your-turn"
    played.do(mover, "propose", kind="undo")
    played.do(other, "act", turn=played.table.turn, action="challenge")
    assert played.table.proposals == ()


def test_an_action_that_revealed_something_cannot_be_undone() -> None:
    played = in_round(game="thorin")
    mover = str(played.table.to_act)
    played.act()
    taker = str(played.table.to_act)
    played.do(taker, "act", turn=played.table.turn, action="take")
    assert played.refused(taker, "propose", kind="undo") == "seen"
    assert played.refused(mover, "propose", kind="undo") == "not-your-turn"


def test_an_undo_during_a_pause_restores_the_full_turn() -> None:
    played = new_table("dollar-bill", 2, 7, clock={"turn": 20, "ready": 15})
    played.make_ready()
    mover = str(played.table.to_act)
    played.act()
    other = str(played.table.to_act)
    played.now += 15
    played.do("user-0", "pause")
    played.do(mover, "propose", kind="undo")
    agree(played, other)
    played.do("user-0", "resume")
    assert played.table.deadline == played.now + 20


def test_a_removal_needs_a_majority_of_all_people() -> None:
    played = in_round(users=4, spectators="none")
    played.do("user-1", "propose", kind="remove", value="user-0")
    agree(played, "user-2")
    assert played.table.proposals
    agree(played, "user-3")
    chair = played.table.chair_of("user-0")
    assert chair is not None
    assert chair.leaving
    assert played.table.owner == "user-1"
    assert not may_watch(played.table, "user-0")
    played.play_out()
    assert played.refused("user-0", "join") == "removed"
    assert not may_watch(played.table, "user-0")
    played.do("user-1", "end")
    assert may_watch(played.table, "user-0"), "they played for units, so they can verify the deals"
    assert not may_watch(played.table, "somebody else")


def test_a_removal_that_cannot_reach_a_majority_is_rejected() -> None:
    played = in_round(users=4)
    played.do("user-1", "propose", kind="remove", value="user-0")
    agree(played, "user-2", yes=False)
    assert played.table.proposals == ()
    assert played.table.chair_of("user-0") is not None


def test_two_people_cannot_remove_each_other() -> None:
    played = in_round(users=2)
    assert played.refused("user-1", "propose", kind="remove", value="user-0") == "too-few"


def test_a_stake_cannot_be_proposed_in_a_match() -> None:
    played = in_round(game="queen-annes")
    assert played.refused("user-1", "propose", kind="stake", value=2) == "wrong-phase"
