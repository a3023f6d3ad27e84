"""Hints of the guided hand, checked against the rules and against chances computed here."""

from __future__ import annotations

import re
from math import comb
from typing import Any

import pytest

from liarspoker.games.digits.page.context import hand_context
from liarspoker.games.digits.page.hints import explain_count
from liarspoker.games.digits.page.ladder import number_word
from liarspoker.tables.view import private, public
from liarspoker.web.view_models.plain import hint_of
from liarspoker.web.view_models.table import TableSnapshot, before_result, table_view_model
from tests.tables.play import Played, state_of
from tests.untyped import untyped
from tests.web.view_models.snapshots import dealt, drawn, mover, states
from tests.web.view_models.test_digits import WAYS, check_sentence

ADVICE = re.compile(r"(?:Raise to|.* such as) (?P<bid>\d+ \w+): |Challenge: ")
CHANCE = re.compile(r"in (less than )?(\d+)% of deals")


def hint(played: Played, user: str | None, revealing: bool = False) -> str:
    return hint_of(public(played.table), None if user is None else private(played.table, user), revealing).text


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("users", [2, 4])
def test_hints_advise_legal_actions_and_state_exact_chances_and_payoffs(way: str, users: int) -> None:
    counted = 0
    for played in states(users=users, seed=users, rounds=2, **WAYS[way]):
        assert hint(played, None) == ""
        for user in [chair.user for chair in played.table.seated]:
            said = hint(played, user)
            if played.table.stage != "round":
                check_count(said, played, user)
            elif user == mover(played):
                check_advice(said, played, user)
            else:
                check_sentence(said)
                assert not CHANCE.search(said)
        counted += played.table.stage != "round"
    assert counted == 2


def check_advice(said: str, played: Played, user: str) -> None:
    """Check that the advice is legal and preselected, and that its probability is exact."""
    model: Any = table_view_model(TableSnapshot(state_of(played, user), guided=True)).round
    if model.may_count:
        assert said == ""
        return
    check_sentence(said)
    found = ADVICE.match(said)
    assert found is not None, said
    rules = untyped(played.table.sitting.session).setup.rules  # type: ignore[union-attr]
    words = found["bid"]
    keys = {key.words: key for level in model.pad.levels for key in level.keys} if model.pad else {}
    if words is None:
        assert model.may_challenge
        level, digit = model.standing.level, model.standing.digit
    elif words in keys:
        assert keys[words].legal
        assert model.pad.chosen is keys[words]
        level, digit = int(words.split()[0]), keys[words].digit
    else:  # a bid beyond the levels on the pad
        return
    hand: Any = private(played.table, user).hand
    own = hand.number.count(digit)
    chance = CHANCE.search(said)
    if chance is None:
        assert own >= level
        assert "can't fail" in said
        return
    dice = rules.hand_size * (rules.seats - 1)
    made = sum(comb(dice, k) * (rules.symbols - 1) ** (dice - k) for k in range(max(0, level - own), dice + 1))
    assert round(100 * made / rules.symbols**dice) == (0 if chance[1] else int(chance[2]))


def check_count(said: str, played: Played, user: str) -> None:
    """Check the explanation of a count against its result."""
    check_sentence(said)
    context = hand_context(public(played.table), private(played.table, user))
    result: Any = context.result
    bidder, others = context.names[result.bidder], context.seats - 1
    units = abs(result.payoffs[result.bidder]) // others
    assert explain_count(context) == said
    if result.outcome == "none":
        assert "Nobody holds one" in said
        return
    assert said.startswith(f"{bidder} bid {result.final_claim_words};")
    assert f"{number_word(result.total)} w{'as' if result.total == 1 else 'ere'} there" in said
    assert ("so the bid failed and" in said) == (result.outcome == "failed") == (result.payoffs[result.bidder] < 0)
    assert said.endswith(f" {units} unit{'' if units == 1 else 's'}.")
    payer, payee = said.partition(" and ")[2].split(" paid ")
    assert (payer.casefold() == bidder.casefold()) == (result.outcome == "failed")
    assert "you" in f"{payer} {payee}".casefold().replace(",", "").split()


def test_a_count_that_is_being_revealed_is_not_given_away() -> None:
    for played in states("dollar-bill", 3, 1, 3):
        if played.table.stage != "round":
            shown, me = public(played.table), played.table.seated[0].user
            earlier = before_result(shown, shown)
            revealing = hint_of(earlier, private(played.table, me), True).text
            assert re.fullmatch(r"Everyone has challenged .*, so all hands are counted\.", revealing)


def test_hints_are_shown_to_the_user_who_asked_where_odds_may_be_shown() -> None:
    played = dealt("dollar-bill")
    me = mover(played)

    def strip(guided: bool) -> bool:
        return 'id="hint"' in drawn(table_view_model(TableSnapshot(state_of(played, me), guided=guided)))

    assert strip(guided=True)
    assert not strip(guided=False)
    assert hint(dealt("dollar-bill", help=False), me) == ""
    assert hint(dealt("thorin"), me) == ""
