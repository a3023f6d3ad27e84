"""The table page of Queen Anne's games: what a scene says, checked against the rules' own session."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liarspoker.core import catalogue
from liarspoker.core.cards.deck import RANKS, SUITS
from liarspoker.core.errors import LEGAL
from liarspoker.games.queen_annes.ladder import ladder_length, named_hand
from liarspoker.games.queen_annes.notation import write_claim
from liarspoker.games.queen_annes.options import QueenAnnesRules
from liarspoker.games.queen_annes.page import QueenAnnesScene, scene
from liarspoker.games.queen_annes.page.builder import Builder
from liarspoker.games.queen_annes.page.keys import Key
from liarspoker.games.queen_annes.page.seen import seen_round
from liarspoker.games.queen_annes.record_text import promise
from liarspoker.games.queen_annes.session import QueenAnnesGame
from liarspoker.tables.view import private, public
from tests.inside import inside
from tests.tables.play import Played, as_json, new_table

GAMES = ("queen-annes", "queen-annes-indian", "queen-annes-stud")
OPTIONS: tuple[dict[str, Any], ...] = (
    {},
    {"flush_order": "suit_first", "wheel": False},
    {"flush_of_straight": True, "jokers": 2, "wild_ranks": "29"},
)
Draft = dict[str, str]


def dealt(game: str = "queen-annes", users: int = 3, seed: int = 0, **settings: Any) -> Played:
    """A table on which the first round has been dealt."""
    played = new_table(game, users, seed, **settings)
    played.make_ready()
    return played


def seen(played: Played, user: str | None, draft: Draft | None = None) -> QueenAnnesScene:
    """What `user` is shown."""
    return scene(public(played.table), None if user is None else private(played.table, user), draft or {})


def opened(claim: int, rules: QueenAnnesRules, options: dict[str, Any]) -> tuple[Played, str]:
    """A table on which `claim` stands, and who is to answer."""
    played = dealt(options=options)
    opener = played.table.to_act
    assert opener is not None
    if claim >= 0:
        played.do(opener, "act", turn=played.table.turn, action=f"claim {write_claim(claim, rules)}")
    user = played.table.to_act
    assert user is not None
    return played, user


def drafts_of(claim: int, rules: QueenAnnesRules, turn: int) -> Draft:
    """The fields that the keys of this hand send."""
    named = named_hand(claim, rules)
    fields = {"turn": str(turn), "kind": named.word, "was": named.word}
    if named.word == "flush":
        fields |= {f"rank{RANKS[rank]}": "on" for rank in named.ranks}
    else:
        fields |= {f"rank{place}": RANKS[rank] for place, rank in enumerate(named.ranks, 1)}
    return fields | ({"suit": SUITS[named.suit]} if named.suit >= 0 else {})


def builder(played: Played, user: str, draft: Draft) -> Builder:
    built = seen(played, user, draft).builder
    assert built is not None
    return built


def keys(built: Builder) -> list[Key]:
    return [key for row in built.rows for key in row.keys]


def rules_with(options: dict[str, Any]) -> QueenAnnesRules:
    game = catalogue.load("queen-annes")
    assert isinstance(game, QueenAnnesGame)
    return game.session(3, game.options(options)).setup.rules


@st.composite
def standing_and_next(draw: st.DrawFn) -> tuple[int, int, dict[str, Any]]:
    """A hand that stands, any hand to name over it, and options of the table; often the two lie close together."""
    options = draw(st.sampled_from(OPTIONS))
    length = ladder_length(rules_with(options))
    claim = draw(st.integers(-1, length - 2))
    near = st.integers(max(0, claim - 20), min(length - 1, claim + 20))
    return claim, draw(st.one_of(near, st.integers(0, length - 1))), options


@given(standing_and_next())
def test_a_hand_put_together_is_offered_exactly_where_the_rules_allow_it(
    claims: tuple[int, int, dict[str, Any]],
) -> None:
    standing, wished, options = claims
    rules = rules_with(options)
    played, user = opened(standing, rules, options)
    session = inside(played.table.sitting.session)  # type: ignore[union-attr]
    draft = drafts_of(wished, rules, played.table.turn)
    built = builder(played, user, draft)
    action = f"claim {write_claim(wished, rules)}"
    offered = built.judged.action if built.judged is not None else ""
    assert (offered == action) == (session.refusal(wished) == LEGAL)
    if offered:
        assert session.refusal(session.read(offered)) == LEGAL
    if offered == action:
        assert all(not key.refused for key in keys(built) if key.chosen)


@given(standing_and_next(), st.randoms(use_true_random=False))
def test_every_legal_hand_can_be_reached_by_keys_that_are_not_refused(
    claims: tuple[int, int, dict[str, Any]], chance: Random
) -> None:
    standing, wished, options = claims
    if wished <= standing:
        return
    rules = rules_with(options)
    played, user = opened(standing, rules, options)
    whole = drafts_of(wished, rules, played.table.turn)
    draft: Draft = {"turn": whole["turn"], "kind": whole["kind"], "was": whole["kind"]}
    assert next(kind for kind in builder(played, user, {}).kinds if kind.value == whole["kind"]).refused == ""
    parts = [name for name in whole if name.startswith("rank") or name == "suit"]
    if whole["kind"] == "flush":
        chance.shuffle(parts)
    for part in parts:
        built = builder(played, user, draft)
        row = next(row for row in built.rows if part == row.field or (row.many and part.startswith(row.field)))
        value = part.removeprefix(row.field) if row.many else whole[part]
        assert next(key for key in row.keys if key.value == value).refused == "", (part, draft)
        draft[part] = whole[part]
    judged = builder(played, user, draft).judged
    assert judged is not None
    assert judged.action == f"claim {write_claim(wished, rules)}"


@given(standing_and_next())
def test_what_is_said_in_words_is_judged_by_the_rules(claims: tuple[int, int, dict[str, Any]]) -> None:
    standing, wished, options = claims
    rules = rules_with(options)
    played, user = opened(standing, rules, options)
    draft = {"turn": str(played.table.turn), "spoken": write_claim(wished, rules)}
    judged = builder(played, user, draft).judged
    assert judged is not None
    assert judged.legal == (wished > standing)
    assert judged.exactly == promise(named_hand(wished, rules))


@pytest.mark.parametrize(
    ("spoken", "action"),
    [
        ("full house A over 10", "claim full-house AT"),
        ("eights and jacks", "claim two-pair J8"),
        ("claim pair a", "claim pair A"),
        ("flush 2,5,7,J,K clubs", "claim flush KJ752 c"),
        ("two kings", "claim pair K"),
    ],
)
def test_spoken_hands_are_heard(spoken: str, action: str) -> None:
    played, user = opened(-1, rules_with({}), {})
    judged = builder(played, user, {"turn": str(played.table.turn), "spoken": spoken}).judged
    assert judged is not None
    assert judged.action == action


def test_a_spoken_hand_that_is_none_says_why() -> None:
    played, user = opened(-1, rules_with({}), {})
    for spoken, why in (("five sevens", "no hand of this game"), ("hello", "names no hand"), ("flush 65432 c", "row")):
        judged = builder(played, user, {"turn": str(played.table.turn), "spoken": spoken}).judged
        assert judged is not None
        assert not judged.legal
        assert judged.action == ""
        assert why in judged.why


def test_a_draft_of_another_turn_says_nothing() -> None:
    played, user = opened(20, rules_with({}), {})
    draft = drafts_of(4000, rules_with({}), played.table.turn)
    assert builder(played, user, draft).kind == named_hand(4000, rules_with({})).word
    assert builder(played, user, {**draft, "turn": "1"}).kind == named_hand(21, rules_with({})).word


def test_over_the_highest_hand_one_can_only_challenge() -> None:
    rules = rules_with({})
    played, user = opened(ladder_length(rules) - 1, rules, {})
    shown = seen(played, user)
    assert shown.builder is None
    assert shown.may_challenge == "challenge"


@given(
    st.dictionaries(
        st.sampled_from(["kind", "was", "at", "step", "suit", "rank1", "rank2", "rankA", "spoken"]),
        st.text(max_size=12),
    )
)
def test_no_draft_breaks_the_page(fields: Draft) -> None:
    played, user = opened(100, rules_with({}), {})
    built = builder(played, user, {**fields, "turn": str(played.table.turn)})
    assert built.judged is not None or built.missing


@pytest.mark.parametrize("game", GAMES)
def test_nobody_is_shown_more_cards_than_his_view_tells(game: str) -> None:
    played = dealt(game)
    session = inside(played.table.sitting.session)  # type: ignore[union-attr]
    for user, seat in (("user-0", 0), ("user-1", 1), (None, None)):
        known = sorted(session.view(seat).known)
        assert sorted(seen_round(public(played.table), private(played.table, user) if user else None).known) == known
        assert seen(played, user).seen == len(known)


def test_of_their_own_hand_blind_players_see_backs_only() -> None:
    shown = seen(dealt("queen-annes-indian"), "user-0")
    assert shown.mine is not None
    assert {card.text for card in shown.mine.cards} == {"??"}
    assert all(tile.hidden == 0 for user, tile in shown.tiles.items() if user != "user-0")


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seed", range(4))
def test_matches_are_told_to_their_end(game: str, seed: int) -> None:
    played = dealt(game, 3, seed, options={"jokers": 2} if seed % 2 else {})
    rounds = 0
    while rounds < 60:
        while played.table.stage == "round":
            for user in ("user-0", "user-1", None):
                shown = seen(played, user)
                assert shown.said.endswith(".")
                assert shown.proof is None
                assert not any(card.lit or card.dim for tile in shown.tiles.values() for card in tile.cards)
            played.act()
        check_proof(played)
        rounds += 1
        if as_json(public(played.table))["round"]["winner"] is not None:
            break
        played.make_ready()
    assert seen(played, None).proof.winner  # type: ignore[union-attr]


def check_proof(played: Played) -> None:
    told = as_json(public(played.table))["round"]
    shown = seen(played, "user-0")
    assert shown.proof is not None
    assert shown.over
    cards = [card for tile in shown.tiles.values() for card in tile.cards]
    assert "??" not in [card.text for card in cards]
    assert sorted(card.text for card in cards if card.lit) == sorted(told["result"]["proof"])
    assert sorted(want.by for want in shown.wants if want.by) == sorted(told["result"]["proof"])
    assert sum(not want.by for want in shown.wants) == told["result"]["missing"]
    assert shown.proof.exists == told["result"]["exists"]
    loser = next(tile for tile in shown.tiles.values() if tile.loser)
    assert loser.losses == told["losses"][told["result"]["loser"]]


def test_where_help_is_off_no_chance_is_told() -> None:
    played = dealt(help=False)
    user = played.table.to_act
    assert user is not None
    played.do(user, "act", turn=played.table.turn, action="claim pair 7")
    user = played.table.to_act
    assert user is not None
    shown = seen(played, user)
    assert shown.builder is not None
    assert shown.chance == ""
    assert not any(want.by for want in shown.wants)
    assert not any(key.figure for key in keys(shown.builder))
    assert shown.builder.judged is not None
    assert shown.builder.judged.chance == ""


def test_where_anyone_may_challenge_others_may_out_of_turn() -> None:
    played = dealt(options={"who_may_challenge": "anyone"})
    first = played.table.to_act
    assert first is not None
    played.do(first, "act", turn=played.table.turn, action="claim pair 7")
    third = next(user for user in ("user-0", "user-1", "user-2") if user not in (first, played.table.to_act))
    shown = seen(played, third)
    assert shown.out_of_turn
    assert shown.builder is None
    played.do(third, "act", turn=played.table.turn, action=shown.may_challenge)
    assert seen(played, first).proof is not None
    assert seen(played, first).may_challenge == ""


def test_a_flush_says_what_it_lacks_and_closes_the_ranks_once_five_are_chosen() -> None:
    played = dealt()
    user = str(played.table.to_act)
    flush = {"turn": str(played.table.turn), "kind": "flush", "was": "flush"}
    five = {f"rank{rank}": "on" for rank in "KJ752"}
    assert builder(played, user, flush).missing == "Choose five ranks and a suit."
    ranked = builder(played, user, flush | five)
    assert ranked.missing == "Choose a suit."
    assert {key.value for key in keys(ranked) if key.refused == "five are chosen"} >= {"9", "A"}
    whole = builder(played, user, flush | five | {"suit": "c"}).judged
    assert whole is not None
    assert whole.words == "Flush of clubs, K-J-7-5-2"


def test_a_spectator_sees_backs_and_nothing_to_do() -> None:
    shown = seen(dealt(), None)
    assert {card.text for tile in shown.tiles.values() for card in tile.cards} == {"??"}
    assert (shown.builder, shown.may_challenge, shown.mine) == (None, "", None)
