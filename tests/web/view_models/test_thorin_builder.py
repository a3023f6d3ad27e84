"""The declaration builder: every legal declaration can be built, and nothing else is offered."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liarspoker.core.cards.claims import NO_CLAIM, OPEN_RANK
from liarspoker.core.cards.deck import RANKS, read_joined_cards
from liarspoker.core.cards.hand_values import CATEGORIES, KEYS, hand_value
from liarspoker.games.thorin.ladder import ClaimsAbove, floor_of, is_claim, next_value, spelling_of
from liarspoker.games.thorin.notation import read_claim
from liarspoker.games.thorin.options import ThorinOptions, packed
from liarspoker.games.thorin.page.builder import Builder, builder_of
from liarspoker.games.thorin.page.seen import SeenRound, seen_round
from liarspoker.tables.view import private, public
from tests.web.view_models.snapshots import act, dealt, mover, seen

OPTIONS = (ThorinOptions(), ThorinOptions(jokers=1), ThorinOptions(jokers=2, duplicate="any"))
HELD = hand_value(read_joined_cards("7s7dJc4h2s"))


def builder_over(options: ThorinOptions, claim: int, draft: dict[str, str]) -> Builder:
    """The builder over a standing claim."""
    return builder_of(replace(first_round(), options=options, rules=packed(options, 2), claim=claim, draft=draft), HELD)


@cache
def first_round() -> SeenRound:
    """A round of two players as seen by the player who declares."""
    played = dealt("thorin", users=2)
    return seen_round(public(played.table), private(played.table, mover(played)), {})


def drafted(claim: int) -> dict[str, str]:
    """The form's fields with every rank of a claim selected."""
    spelt = spelling_of(claim)
    ranks = {f"rank.{place}": "_" if rank == OPEN_RANK else RANKS[rank] for place, rank in enumerate(spelt.ranks)}
    return {"kind": spelt.word, "was": spelt.word, **ranks}


@st.composite
def standing(draw: st.DrawFn) -> tuple[ThorinOptions, int]:
    """Options, and a standing declaration or none."""
    options = draw(st.sampled_from(OPTIONS))
    if draw(st.integers(0, 9)) == 0:
        return options, NO_CLAIM
    above = ClaimsAbove(0, packed(options, 2))
    return options, above[draw(st.integers(0, len(above) - 1))]


@given(standing(), st.floats(0, 1, exclude_max=True))
def test_every_legal_declaration_can_be_built(stands: tuple[ThorinOptions, int], place: float) -> None:
    options, claim = stands
    legal = ClaimsAbove(floor_of(claim), packed(options, 2))
    if not len(legal):
        return
    wanted = legal[int(place * len(legal))]
    build = builder_over(options, claim, drafted(wanted))
    assert not next(kind for kind in build.kinds if kind.chosen).closed
    assert all(not key.closed for one in build.places for key in one.keys if key.chosen)
    assert build.legal
    assert build.promise is not None
    assert read_claim(build.promise.action.removeprefix("declare "), packed(options, 2)) == wanted


@given(standing(), st.data())
def test_every_enabled_key_leads_to_a_legal_declaration(stands: tuple[ThorinOptions, int], data: st.DataObject) -> None:
    options, claim = stands
    build = builder_over(options, claim, {})
    kinds = [kind for kind in build.kinds if not kind.closed]
    if not kinds:
        return
    draft = {"kind": data.draw(st.sampled_from(kinds)).word}
    build = builder_over(options, claim, draft)
    for place in range(len(build.places)):
        key = data.draw(st.sampled_from([key for key in build.places[place].keys if not key.closed]))
        draft = {**draft, "was": build.was, f"rank.{place}": key.value}
        build = builder_over(options, claim, draft)
        assert build.places[place].chosen == key.sign
    assert build.promise is not None
    said = read_claim(build.promise.action.removeprefix("declare "), packed(options, 2))
    assert is_claim(said, packed(options, 2))
    assert build.legal is (floor_of(said) > floor_of(claim))


@given(standing())
def test_a_key_is_disabled_only_if_no_legal_declaration_has_it(stands: tuple[ThorinOptions, int]) -> None:
    options, claim = stands
    first_ranks: dict[str, set[int]] = {}
    value = next_value(floor_of(claim), packed(options, 2))
    while value is not None:
        category, keys = KEYS[value]
        first_ranks.setdefault(CATEGORIES[category], set()).add(keys[0])
        value = next_value(value, packed(options, 2))
    open_kinds = {kind.word for kind in builder_over(options, claim, {}).kinds if not kind.closed}
    assert open_kinds == set(first_ranks)
    for word, ranks in first_ranks.items():
        first = builder_over(options, claim, {"kind": word}).places[0]
        assert {RANKS.index(key.value) for key in first.keys[1:] if not key.closed} == ranks


def test_threes_over_twos_may_follow_two_pair_with_a_kicker() -> None:
    options = ThorinOptions()
    two_pair = read_claim("two-pair", packed(options, 2))
    draft = {"kind": "two-pair", "was": "two-pair", "rank.0": "3", "rank.1": "2"}
    bare = builder_over(options, two_pair, draft)
    assert not bare.legal
    assert bare.verdict == "3-3-2-2-4 does not beat 3-3-2-2-4. Add ranks to promise at least 3-3-2-2-5."
    full = builder_over(options, two_pair, {**draft, "was": "two-pair 32", "rank.2": "5"})
    assert (full.legal, full.verdict) == (True, "Beats 3-3-2-2-4.")


def test_disabled_categories_show_a_reason() -> None:
    build = builder_over(ThorinOptions(), read_claim("two-pair AK", packed(ThorinOptions(), 2)), {})
    closed = {kind.word: kind.closed for kind in build.kinds}
    assert (closed["pair"], closed["five"], closed["three"]) == ("too low", "needs a joker", "")


def test_a_new_category_starts_without_ranks_and_a_full_rank_moves_to_the_next() -> None:
    draft = {"was": "two-pair 97", "rank.0": "5", "rank.1": "7"}
    for kind, was in (("three", "three"), ("two-pair", "two-pair 5")):
        assert builder_over(ThorinOptions(), NO_CLAIM, {"kind": kind, **draft}).was == was


def test_the_next_rank_is_selected_if_only_one_fits_on_the_screen() -> None:
    on = builder_over(ThorinOptions(), NO_CLAIM, {"kind": "two-pair", "was": "two-pair", "rank.0": "9", "at": "0"})
    assert [place.at for place in on.places] == [False, True, False]
    back = builder_over(
        ThorinOptions(), NO_CLAIM, {"kind": "two-pair", "was": "two-pair 9", "rank.0": "9", "step": "0"}
    )
    assert [place.at for place in back.places] == [True, False, False]
    assert builder_over(ThorinOptions(), NO_CLAIM, {"kind": "pair", "was": "pair", "step": "kind"}).step == "kind"


@pytest.mark.parametrize(
    ("said", "was"),
    [("two pair, sevens over threes", "two-pair 73"), ("pair _A", "pair _A"), ("flush KJ752 c", "flush KJ752")],
)
def test_typed_declarations_are_understood(said: str, was: str) -> None:
    assert builder_over(ThorinOptions(), NO_CLAIM, {"action.1": said}).was == was


def test_text_that_is_not_a_hand_is_rejected() -> None:
    build = builder_over(ThorinOptions(), NO_CLAIM, {"action.1": "a fistful"})
    assert build.promise is None
    assert build.parse_error.startswith("“a fistful” isn’t a hand.")


def test_a_draft_of_another_turn_is_ignored() -> None:
    played = dealt("thorin")
    for draft, kind in (({"kind": "pair"}, "Pair"), ({"turn": "999", "kind": "pair"}, "")):
        assert seen(played, mover(played), draft).builder.kind == kind


def test_the_table_accepts_what_the_page_sends() -> None:
    played = dealt("thorin")
    draft = {"kind": "two-pair", "was": "two-pair", "rank.0": "7", "rank.1": "3"}
    promise = seen(played, mover(played), draft).builder.promise
    assert seen(act(played, promise.action), None).standing == promise
