"""View models of Queen Anne's games, checked against the session."""

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
from liarspoker.games.queen_annes.notation import read_claim, write_claim
from liarspoker.games.queen_annes.options import QueenAnnesRules
from liarspoker.games.queen_annes.page.seen import seen_round
from liarspoker.games.queen_annes.record_text import promise
from liarspoker.games.queen_annes.session import QueenAnnesGame
from liarspoker.tables.view import private, public
from tests.tables.play import Played, as_json
from tests.untyped import untyped
from tests.web.view_models.snapshots import Draft, act, dealt, everybody, mover, seen

GAMES = ("queen-annes", "queen-annes-indian", "queen-annes-stud")
OPTIONS: tuple[dict[str, Any], ...] = (
    {},
    {"flush_order": "suit_first", "wheel": False},
    {"flush_of_straight": True, "jokers": 2, "wild_ranks": "29"},
)


def rules_with(options: dict[str, Any]) -> QueenAnnesRules:
    game = catalogue.load("queen-annes")
    assert isinstance(game, QueenAnnesGame)
    return game.session(3, game.options(options)).setup.rules


def opened(claim: int, options: dict[str, Any]) -> Played:
    """A table with `claim` as the standing claim."""
    played = dealt("queen-annes", options=options)
    return played if claim < 0 else act(played, f"claim {write_claim(claim, rules_with(options))}")


def fields_of(claim: int, rules: QueenAnnesRules) -> Draft:
    """The fields that the keys of a claim send."""
    named = named_hand(claim, rules)
    fields = {"kind": named.word, "was": named.word}
    if named.word == "flush":
        fields |= {f"rank{RANKS[rank]}": "on" for rank in named.ranks}
    else:
        fields |= {f"rank{place}": RANKS[rank] for place, rank in enumerate(named.ranks, 1)}
    return fields | ({"suit": SUITS[named.suit]} if named.suit >= 0 else {})


def builder(played: Played, draft: Draft) -> Any:
    return seen(played, mover(played), draft).builder


def keys(built: Any) -> list[Any]:
    return [key for row in built.rows for key in row.keys]


@st.composite
def standing_and_next(draw: st.DrawFn) -> tuple[int, int, dict[str, Any]]:
    """A standing claim, another claim that is often close to it, and options of the table."""
    options = draw(st.sampled_from(OPTIONS))
    length = ladder_length(rules_with(options))
    claim = draw(st.integers(-1, length - 2))
    near = st.integers(max(0, claim - 20), min(length - 1, claim + 20))
    return claim, draw(st.one_of(near, st.integers(0, length - 1))), options


@given(standing_and_next(), st.randoms(use_true_random=False))
def test_a_claim_is_offered_exactly_if_it_is_legal_and_can_be_built(
    claims: tuple[int, int, dict[str, Any]], chance: Random
) -> None:
    standing, wished, options = claims
    rules, played = rules_with(options), opened(standing, options)
    session = untyped(played.table.sitting.session)  # type: ignore[union-attr]
    action = f"claim {write_claim(wished, rules)}"
    whole = fields_of(wished, rules)
    built = builder(played, whole)
    offered = built.judged.action if built.judged is not None else ""
    assert (offered == action) == (session.refusal(wished) == LEGAL)
    assert builder(played, {}).judged.legal  # something can be claimed at once
    if offered:
        assert session.refusal(session.read(offered)) == LEGAL
    spoken = builder(played, {"spoken": write_claim(wished, rules)}).judged
    assert spoken.legal == (wished > standing)
    assert spoken.exactly == promise(named_hand(wished, rules))
    if offered != action:
        return
    assert all(not key.refused for key in keys(built) if key.chosen)
    draft: Draft = {"kind": whole["kind"], "was": whole["kind"]}
    assert next(kind for kind in builder(played, {}).kinds if kind.value == whole["kind"]).refused == ""
    parts = [name for name in whole if name.startswith("rank") or name == "suit"]
    if whole["kind"] == "flush":
        chance.shuffle(parts)
    for part in parts:
        built = builder(played, draft)
        row = next(row for row in built.rows if part == row.field or (row.many and part.startswith(row.field)))
        value = part.removeprefix(row.field) if row.many else whole[part]
        assert next(key for key in row.keys if key.value == value).refused == "", (part, draft)
        draft[part] = whole[part]


@pytest.mark.parametrize(
    ("spoken", "action", "why"),
    [
        ("full house A over 10", "claim full-house AT", ""),
        ("eights and jacks", "claim two-pair J8", ""),
        ("claim pair a", "claim pair A", ""),
        ("flush 2,5,7,J,K clubs", "claim flush KJ752 c", ""),
        ("two kings", "claim pair K", ""),
        ("five sevens", "", "isn't a hand of this game"),
        ("hello", "", "This isn't a hand. Try: two pair, sevens over threes."),
        ("flush 65432 c", "", "sequence"),
    ],
)
def test_typed_claims_are_understood_or_rejected_with_a_reason(spoken: str, action: str, why: str) -> None:
    judged = builder(opened(-1, {}), {"spoken": spoken}).judged
    assert (judged.action, judged.legal) == (action, action != "")
    assert why in judged.why


def test_a_draft_of_another_turn_is_ignored() -> None:
    played, rules = opened(20, {}), rules_with({})
    draft = fields_of(4000, rules)
    assert builder(played, draft).kind == named_hand(4000, rules).word
    assert builder(played, {**draft, "turn": "1"}).kind == named_hand(21, rules).word


def test_the_highest_claim_can_only_be_challenged() -> None:
    played = opened(ladder_length(rules_with({})) - 1, {})
    shown = seen(played, mover(played))
    assert (shown.builder, shown.may_challenge) == (None, "challenge")


@given(
    st.dictionaries(
        st.sampled_from(["kind", "was", "at", "step", "suit", "rank1", "rank2", "rankA", "spoken"]),
        st.text(max_size=12),
    )
)
def test_no_draft_breaks_the_page(fields: Draft) -> None:
    built = builder(opened(100, {}), fields)
    assert built.judged is not None or built.missing


@pytest.mark.parametrize("game", GAMES)
def test_pages_show_no_more_cards_than_the_view(game: str) -> None:
    played = dealt(game)
    session = untyped(played.table.sitting.session)  # type: ignore[union-attr]
    for user, seat in (("user-0", 0), ("user-1", 1), (None, None)):
        known = sorted(session.view(seat).known)
        assert sorted(seen_round(public(played.table), private(played.table, user) if user else None).known) == known
        assert seen(played, user).seen == len(known)
    watcher = seen(played, None)
    assert sum(card.text != "??" for tile in watcher.tiles.values() for card in tile.cards) == watcher.seen
    assert (watcher.builder, watcher.may_challenge, watcher.mine) == (None, "", None)


def test_blind_players_see_only_the_backs_of_their_own_cards() -> None:
    shown = seen(dealt("queen-annes-indian"), "user-0")
    assert {card.text for card in shown.mine.cards} == {"??"}
    assert all(tile.hidden == 0 for user, tile in shown.tiles.items() if user != "user-0")


@pytest.mark.parametrize(("game", "seed"), [(game, seed) for seed, game in enumerate((*GAMES, GAMES[0]))])
def test_every_state_of_a_match_is_rendered(game: str, seed: int) -> None:
    played = dealt(game, 3, seed, options={"jokers": 2} if seed % 2 else {})
    for _ in range(60):
        while played.table.stage == "round":
            for user in everybody(played):
                shown = seen(played, user)
                assert shown.said.endswith(".")
                assert shown.proof is None
                assert not any(card.lit or card.dim for tile in shown.tiles.values() for card in tile.cards)
            played.act()
        check_proof(played)
        if seen(played, None).proof.winner:
            return
        played.make_ready()
    raise AssertionError("the match has no end")


def check_proof(played: Played) -> None:
    view, shown = as_json(public(played.table))["round"], seen(played, "user-0")
    result = view["result"]
    cards = [card for tile in shown.tiles.values() for card in tile.cards]
    assert shown.over
    assert "??" not in [card.text for card in cards]
    assert sorted(card.text for card in cards if card.lit) == sorted(result["proof"])
    assert sorted(want.by for want in shown.required_cards if want.by) == sorted(result["proof"])
    assert sum(not want.by for want in shown.required_cards) == result["missing"]
    assert shown.proof.exists == result["exists"]
    assert bool(shown.proof.winner) == (view["winner"] is not None)
    assert next(tile for tile in shown.tiles.values() if tile.loser).losses == view["losses"][result["loser"]]


def test_odds_are_shown_only_if_the_table_allows_them() -> None:
    played = act(dealt("queen-annes", help=False), "claim pair 7")
    shown = seen(played, mover(played))
    assert (shown.chance, shown.builder.judged.chance) == ("", "")
    assert not any(want.by for want in shown.required_cards)
    assert not any(key.figure for key in keys(shown.builder))


def test_out_of_turn_challenges_are_offered_if_allowed() -> None:
    played = dealt("queen-annes", options={"who_may_challenge": "anyone"})
    first = mover(played)
    act(played, "claim pair 7")
    third = next(user for user in everybody(played) if user not in (first, mover(played)))
    assert third is not None
    shown = seen(played, third)
    assert (shown.out_of_turn, shown.builder) == (True, None)
    played.do(third, "act", turn=played.table.turn, action=shown.may_challenge)
    after = seen(played, first)
    assert after.proof is not None
    assert after.may_challenge == ""


def test_the_lowest_flush_is_preselected_if_nothing_lower_is_legal() -> None:
    built = builder(opened(session_claim("straight A"), {}), {})
    assert built.kind == "flush"
    assert built.judged.words == "Flush of clubs, 7-5-4-3-2"
    assert {key.value for key in keys(built) if key.chosen} == {"7", "5", "4", "3", "2", "c"}


def session_claim(text: str) -> int:
    """Return the number of a claim under the usual rules."""
    return read_claim(text, rules_with({}))


def test_a_flush_shows_what_is_missing_and_disables_ranks_after_five() -> None:
    played, flush = dealt("queen-annes"), {"kind": "flush", "was": "flush"}
    five = {f"rank{rank}": "on" for rank in "KJ752"}
    assert builder(played, flush).missing == "Choose five ranks and a suit."
    ranked = builder(played, flush | five)
    assert ranked.missing == "Choose a suit."
    assert {key.value for key in keys(ranked) if key.refused == "five ranks selected"} >= {"9", "A"}
    assert builder(played, flush | five | {"suit": "c"}).judged.words == "Flush of clubs, K-J-7-5-2"
