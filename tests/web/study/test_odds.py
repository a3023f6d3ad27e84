"""The odds pages: their answers match the odds functions, and every answer has a URL."""

from __future__ import annotations

from fractions import Fraction
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from liarspoker.core.cards.deck import card_text, full_deck
from liarspoker.games.digits.page import odds as odds_bid
from liarspoker.games.digits.page import odds_chart as odds_tables
from liarspoker.games.queen_annes.page import odds as odds_pooled
from liarspoker.games.thorin.page import odds as odds_thorin
from liarspoker.odds.answers import answer
from liarspoker.odds.figures import written
from liarspoker.web.view_models.odds_fields import Field, percent
from tests.server.inprocess import Running


def asked_again(address: str) -> dict[str, str]:
    return dict(parse_qsl(urlsplit(address).query))


@st.composite
def bids(draw: st.DrawFn) -> dict[str, str]:
    players = draw(st.integers(2, 100))
    asked = {"players": players, "level": draw(st.integers(1, 8 * players)), "digit": draw(st.integers(0, 9))}
    return {name: str(value) for name, value in {**asked, "own": draw(st.integers(0, 8))}.items()}


@given(bids())
def test_a_bid_is_answered_with_its_distribution_and_its_url_gives_the_same_answer(asked: dict[str, str]) -> None:
    found = odds_bid.view_model(asked).answer
    assert found is not None
    need = int(asked["level"]) - int(asked["own"])
    exact = answer({"kind": "others_at_least", "others": int(asked["players"]) - 1, "need": need}).value
    assert found.figure == percent(exact)
    assert odds_bid.view_model(asked_again(found.address)).answer == found
    assert sum(bar.probability for bar in found.bars) == pytest.approx(1)
    assert sum(bar.probability for bar in found.bars if bar.counts) == pytest.approx(float(exact), abs=0.002)
    assert len(found.bars) <= 14


def test_the_boxed_figure_is_the_answer() -> None:
    found = odds_bid.view_model({}).answer
    assert found is not None
    assert [figure for _, cells in found.glance.rows for figure, boxed in cells if boxed] == [found.figure]


def test_a_step_changes_one_field_by_one() -> None:
    players, level, digit, own = odds_bid.view_model({"players": "2", "level": "16", "digit": "9", "own": "0"}).steps
    assert (players.less, level.more, own.less) == ("", "", "")
    assert asked_again(digit.more)["digit"] == "0", "the ten is the highest digit"
    assert asked_again(level.less)["level"] == "15"
    fewer = odds_bid.view_model({"players": "3", "level": "24"}).steps[0].less
    assert asked_again(fewer) == {"players": "2", "level": "16", "digit": "6", "own": "1"}


def test_a_standing_bid_that_is_too_high_is_reported() -> None:
    model = odds_bid.view_model({"level": "5", "digit": "6", "over": "6x6"})
    assert model.answer is None
    assert "does not beat 6 sixes" in model.over.error


@given(
    st.integers(0, 20), st.integers(0, 2), st.sampled_from(("pair 7", "full-house AT", "straight 9", "royal-flush s"))
)
def test_a_claim_has_the_probability_of_pooled_exists(unknown: int, jokers: int, claim: str) -> None:
    asked = {"claim": claim, "known": "As7d", "unknown": str(unknown), "jokers": str(jokers)}
    question = {"kind": "pooled_exists", "hand": claim, "known": ["As", "7d"], "unknown": unknown, "jokers": jokers}
    found = odds_pooled.view_model(asked).answer
    assert found is not None
    assert found.figure == percent(answer(question).value)
    category = claim.split()[0].replace("-", " ")
    assert [(row[0], row[3]) for row in found.rows if row[4]] == [(category, found.figure)]
    assert odds_pooled.view_model(asked_again(found.address)).answer == found


@pytest.mark.parametrize(
    ("claim", "or_better", "duplicate"),
    [("pair _A", "worst", "five_only"), ("pair _A", "words", "five_only"), ("flush AA", "words", "any")],
)
@settings(max_examples=max(5, settings.default.max_examples // 10))  # type: ignore[union-attr]
@given(deck=st.permutations(full_deck(1)), discarded=st.integers(0, 5), known=st.integers(0, 6))
def test_every_option_of_a_draw_counts_as_in_thorin_reach(
    deck: list[int], discarded: int, known: int, claim: str, or_better: str, duplicate: str
) -> None:
    cards = [card_text(card) for card in deck]
    hand, gone = cards[:5], cards[5 : 5 + known]
    options = {"or_better": or_better, "duplicate": duplicate}
    asked = {"claim": claim, "hand": "".join(hand), "discard": "".join(hand[:discarded]) or "-", "jokers": "1"}
    found = odds_thorin.view_model({**asked, "gone": " ".join(gone), **options}).answer
    question = {"kind": "thorin_reach", "hand": hand, "discard": hand[:discarded], "claim": claim, "jokers": 1}
    exact = answer({**question, "gone": gone, **options}).value
    assert found is not None
    assert found.fraction == written(exact)
    assert sum(bar.probability for bar in found.bars if bar.counts) == pytest.approx(float(exact), abs=0.01)
    assert [option.figure for option in found.options if option.asked] == [found.figure]
    assert odds_thorin.view_model(asked_again(found.address)).answer == found


def test_the_further_fields_of_a_draw_are_folded_until_they_matter() -> None:
    usual = odds_thorin.view_model(DRAW)
    assert not usual.more
    assert usual.answer is not None
    assert "duplicate" not in usual.answer.address
    for name, value in {"gone": "3c", "or_better": "words", "duplicate": "any"}.items():
        model = odds_thorin.view_model({**DRAW, name: value})
        assert model.more
        assert model.answer is not None
        assert asked_again(model.answer.address)[name] == value
        assert next(field.value for field in model.further if field.name == name) == value
    fresh = odds_thorin.view_model({**DRAW, "claim": "five", "hand": "", "jokers": "1", "gone": "Jk"}).answer
    assert fresh is not None
    assert fresh.figure == "0"


def test_a_draw_has_the_probability_of_thorin_reach() -> None:
    asked = {"claim": "three", "hand": "As Ad Kc 7h 2s", "jokers": "0"}
    found = odds_thorin.view_model({**asked, "discard": "7h 2s"}).answer
    assert found is not None
    assert found.fraction == "2/23"
    hand = ["As", "Ad", "Kc", "7h", "2s"]
    question = {"kind": "thorin_reach", "hand": hand, "discard": ["7h", "2s"], "claim": "three", "jokers": 0}
    assert found.figure == percent(answer(question).value)
    assert sum(bar.probability for bar in found.bars if bar.counts) == pytest.approx(2 / 23, abs=0.002)
    assert odds_thorin.view_model(asked_again(found.address)).answer == found
    best = odds_thorin.view_model(asked).answer
    assert best is not None
    assert best.discarded == ("Kc", "7h", "2s")
    assert best.options[0].asked


FURTHER = ("gone", "or_better", "duplicate")
BID: dict[str, str] = {}
DRAW = {"claim": "three", "hand": "As Ad Kc 7h 2s", "jokers": "0"}
POOL = {"claim": "pair 7", "known": "7h", "unknown": "5", "jokers": "0"}


def fields_of(model: Any) -> tuple[Field, ...]:
    """Return all fields of an odds page."""
    return (*getattr(model, "steps", ()), *getattr(model, "fields", ()), *getattr(model, "further", ()))


@pytest.mark.parametrize(
    ("page", "usual", "asked", "field"),
    [
        (odds_bid, BID, {"players": "1"}, "players: from 2 to 100"),
        (odds_bid, BID, {"players": "3", "level": "25"}, "level: from 1 to 24"),
        (odds_bid, BID, {"digit": "x"}, "digit: the digit bid on"),
        (odds_bid, BID, {"own": "9"}, "own: from 0 to 8"),
        (odds_thorin, DRAW, {"claim": "five", "hand": ""}, "claim"),
        (odds_thorin, DRAW, {"hand": "As Ad"}, "hand"),
        (odds_thorin, DRAW, {"discard": "3c"}, "discard"),
        (odds_thorin, DRAW, {"hand": "", "discard": "3c"}, "discard"),
        (odds_thorin, DRAW, {"hand": "", "jokers": "3"}, "jokers"),
        (odds_thorin, DRAW, {"gone": "As"}, "gone"),
        (odds_thorin, DRAW, {"hand": "", "gone": "3c 3c"}, "gone"),
        (odds_thorin, DRAW, {"or_better": "best"}, "or_better: Choose one"),
        (odds_thorin, DRAW, {"duplicate": ""}, "duplicate: Choose one"),
        (odds_pooled, POOL, {"claim": "nonsense"}, "claim"),
        (odds_pooled, POOL, {"known": "7h7h"}, "known"),
        (odds_pooled, POOL, {"unknown": "52"}, "unknown"),
        (odds_pooled, POOL, {"wild": "22"}, "wild"),
    ],
)
def test_an_invalid_field_is_reported_beside_it(
    page: Any, usual: dict[str, str], asked: dict[str, str], field: str
) -> None:
    model, (name, _, remedy) = page.view_model({**usual, **asked}), field.partition(": ")
    assert model.answer is None
    assert getattr(model, "more", True) or name not in FURTHER
    wrong = {one.name: one.error for one in fields_of(model) if one.error}
    assert remedy in wrong[name]
    assert page is not odds_bid or len(wrong) == 1


@pytest.mark.parametrize(
    ("page", "usual", "field"), [(odds_thorin, DRAW, "hand"), (odds_thorin, DRAW, "gone"), (odds_pooled, POOL, "known")]
)
def test_a_misspelt_card_is_named_first(page: Any, usual: dict[str, str], field: str) -> None:
    model = page.view_model({**usual, field: "7h 2x"})
    [error] = [one.error for one in fields_of(model) if one.name == field]
    assert error.startswith('"2x" isn’t a card;')


def test_the_tables_are_those_of_source_003() -> None:
    tables = {table.name: table for table in odds_tables.tables_view_model({"players": "5"}).tables}
    assert dict(tables["others_at_least"].rows)["1"][1] == "0.814698"
    assert dict(tables["raise_threshold"].rows)["3"] == ("0.250000",)
    assert odds_tables.tables_view_model({"players": "101"}).players.error


def test_an_invalid_question_gets_a_page_with_the_error(site: Running) -> None:
    response = site.person().http.get("/odds?players=1")
    assert response.status_code == 422
    assert 'aria-invalid="true" aria-describedby="players-wrong"' in response.text


def test_figures_never_look_certain_when_they_are_not() -> None:
    assert [percent(chance) for chance in (Fraction(1, 10**9), 1 - Fraction(1, 10**9))] == ["<0.1", ">99.9"]
