"""Players can show their hand of the round that just ended, if the rules left it hidden."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given

from liarspoker.core import catalogue
from liarspoker.core.cards.deck import card_texts
from liarspoker.protocol import events as e
from liarspoker.tables.export import audit_of, records_of
from liarspoker.tables.fair.audit import check
from liarspoker.tables.state import Table
from liarspoker.tables.view import private, public
from tests.tables.play import Played, as_json, new_table, replayed
from tests.tables.random_walks import STRANGER, USERS, RandomWalk, random_walks
from tests.untyped import untyped

HANDS = {"reveal": "counts"}


def hidden_hand(table: Table, user: str) -> tuple[str, ...]:
    """Return the hand that `user` holds after a round that didn't show it, by an independent definition."""
    sitting = table.sitting
    if table.stage != "gathering" or sitting is None or user not in sitting.users or table.chair_of(user) is None:
        return ()
    session, seat = untyped(sitting.session), sitting.users.index(user)
    match catalogue.preset(table.settings.game).family:
        case "digits":
            reveal = session.setup.options.reveal
            asked = reveal == "on_request" and session.ledger.numbers_shown
            return () if reveal == "full" or asked else (session.ledger.hands[-1][0].numbers[seat],)
        case "thorin":
            dealt, result = session.rounds[-1]
            owns = result.challenger is None and dealt.state.active == seat
            return card_texts(dealt.hand) if owns else ()
    return ()


@given(random_walks())
def test_players_show_their_own_hidden_hand_between_rounds_and_nothing_else(walk: RandomWalk) -> None:
    shown: set[tuple[int, str]] = set()
    for moment in walk.moments:
        before = moment.before
        allowed = bool(hidden_hand(before, moment.user)) and (before.rounds_played, moment.user) not in shown
        if moment.command.do == "show":
            if before.stage != "ended" and moment.command.version in (None, before.version):
                assert bool(moment.events) == allowed
            if moment.events:
                shown.add((before.rounds_played, moment.user))
        named = {event.user for event in moment.events if isinstance(event, e.HandShown)}
        assert named == ({moment.user} if moment.command.do == "show" and moment.events else set())
        check_hands(moment.after, shown)


def check_hands(table: Table, shown: set[tuple[int, str]]) -> None:
    """Check that a view has exactly the hands that their players have shown after the last round."""
    sitting = table.sitting
    hands = {} if sitting is None else {sitting.users[one.seat]: one.hand for one in public(table).hands}
    if table.stage == "gathering":
        expected = {user for number, user in shown if number == table.rounds_played}
        assert hands == {user: hand for user in expected if (hand := hidden_hand(table, user) or hands.get(user))}
        for user in USERS:
            may = bool(hidden_hand(table, user)) and user not in expected
            assert private(table, user).show == may
    elif table.stage == "round":
        assert not hands


def counted(game: str = "dollar-bill", **settings: Any) -> Played:
    played = new_table(game, 3, 5, **{"options": HANDS, **settings})
    played.play_round()
    return played


def test_a_shown_hand_is_in_every_view_and_record_from_then_on() -> None:
    played = counted(spectators="behind")
    mine = played.session.ledger.hands[0][0].numbers[1]
    assert private(played.table, "user-1").show
    played.do("user-1", "show")
    assert played.refused("user-1", "show") == "nothing-hidden"
    for behind in (False, True):
        assert as_json(public(played.table, behind))["hands"] == [{"seat": 1, "hand": [mine]}]
    hidden = "?" * len(mine)
    for user in (STRANGER, None):
        assert records_of(played.table, user)[0]["rounds"][0]["deal"] == [hidden, mine, hidden]
    played.make_ready()
    assert public(played.table).hands == ()
    assert public(played.table, behind=True).hands[0].hand == (mine,)  # delayed spectators still see the last round
    played.play_out()
    assert public(played.table, behind=True).hands == ()
    assert [one["deal"][1] for one in records_of(played.table, None)[0]["rounds"]] == [mine, hidden]
    assert replayed(played) == played.table


def test_hands_that_the_count_showed_cannot_be_shown_again() -> None:
    played = counted(options={"reveal": "full"})
    assert played.refused("user-1", "show") == "nothing-hidden"
    played = counted(options={"reveal": "on_request"})
    played.do("user-1", "show")
    played.do("user-2", "ask_numbers")
    assert public(played.table).hands == ()  # the round shows all numbers
    assert played.refused("user-0", "show") == "nothing-hidden"


def test_nobody_shows_a_hand_during_a_round_or_without_a_seat() -> None:
    played = counted(seats=4)
    played.do("user-2", "leave")
    assert played.refused("user-2", "show") == "not-seated"
    played.do("user-3", "join")
    assert played.refused("user-3", "show") == "nothing-hidden"
    played.make_ready()
    assert played.refused("user-1", "show") == "nothing-hidden"


@pytest.mark.parametrize("audit", ["full", "leaves"])
def test_the_audit_proves_a_shown_hand(audit: str) -> None:
    played = counted(audit=audit)
    played.do("user-1", "show")
    mine = public(played.table).hands[0].hand
    played.do("user-0", "end")
    document = audit_of(played.table)
    assert check(document) == []
    assert list(mine) == document["records"][0]["rounds"][0]["deal"][1:2]


def test_the_last_holder_shows_a_passed_hand() -> None:
    played = new_table("thorin", 2, 4, options={"passes": 1})
    played.make_ready()
    holder = str(played.table.to_act)
    other = next(user for user in USERS[:2] if user != holder)
    played.act()
    played.do(other, "act", turn=played.table.turn, action="pass")
    cards = card_texts(played.session.rounds[-1][0].hand)
    assert played.refused(other, "show") == "nothing-hidden"
    assert "deck" not in records_of(played.table, STRANGER)[0]["rounds"][0]
    played.do(holder, "show")
    assert public(played.table).hands[0].hand == cards
    assert set(records_of(played.table, STRANGER)[0]["rounds"][0]["deck"]) >= set(cards)
