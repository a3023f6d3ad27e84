"""Share cards show only what a stranger may see, and the fonts can draw them."""

from __future__ import annotations

from random import Random

import pytest
from fontTools.ttLib import TTFont  # type: ignore[import-untyped]
from hypothesis import given
from hypothesis import strategies as st

from liarspoker.tables.export import records_of
from liarspoker.tables.state import Table
from liarspoker.tables.view import public, watches_behind
from liarspoker.web.share import drawing
from liarspoker.web.share.cards import DRAWN, ShareCard, closed_card, round_card, table_card
from liarspoker.web.view_models.replay import LAST, document_rounds
from tests.tables.hidden_variants import vary_hidden_state
from tests.tables.play import GAMES, new_table
from tests.tables.random_walks import RandomWalk, random_walks


def cards_of(table: Table) -> list[ShareCard]:
    """All cards of a table: its own, and those of its finished rounds."""
    records = records_of(table, None)
    rounds = [
        round_card(records[record], index, number, "Friday", ply)
        for number, (record, index) in enumerate(document_rounds(records), 1)
        for ply in (1, LAST)
    ]
    return [table_card(public(table, watches_behind(table, None))), *rounds]


@given(random_walks(60), st.integers(0, 2**32))
def test_a_card_does_not_depend_on_hidden_hands(walk: RandomWalk, seed: int) -> None:
    chance = Random(seed)
    moments = chance.sample(walk.moments, min(len(walk.moments), 3))
    for table in [walk.table, *(moment.after for moment in moments)]:
        assert cards_of(vary_hidden_state(table, None, chance)) == cards_of(table)


@pytest.mark.parametrize("game", GAMES)
def test_cards_do_not_depend_on_hidden_hands_in_any_game(game: str) -> None:
    chance, played = Random(2), new_table(game, 3, 5, audit="leaves")
    for _ in range(2):
        played.play_round()
        assert cards_of(vary_hidden_state(played.table, None, chance)) == cards_of(played.table)
    assert len(cards_of(played.table)) == 5
    played.do("user-0", "end")
    assert any(right.startswith(("+", "0")) for _, right in cards_of(played.table)[0].lines)


@pytest.mark.parametrize("font", [drawing._SERIF, drawing._SANS])
def test_the_fonts_have_every_letter_that_cards_use(font: str) -> None:
    known = TTFont(drawing.FONTS / font).getBestCmap()
    drawn = [code for code in range(0x2700) if chr(code).isprintable() and DRAWN.fullmatch(chr(code))]
    assert len(drawn) > 500
    assert [chr(code) for code in drawn if code not in known] == []


def test_names_that_cannot_be_drawn_are_replaced() -> None:
    played = new_table("dollar-bill", 2, 5, start=False, seats=8, title="麻雀")
    table = played.table._replace(
        chairs=tuple(
            chair and type(chair)(chair.user, name, chair.bot)
            for chair, name in zip(played.table.chairs, ("麻雀", "Жора", *"123456"), strict=True)
        )
    )
    card = table_card(public(table))
    assert card.title == "Dollar-bill Liar’s Poker"
    assert card.lines == (("Player", ""), ("Жора", ""))
    assert card.under == "6 free seats"


def test_long_texts_fit() -> None:
    name = "A name as long as a name can be, and then longer"
    lines = tuple((name, "K♠ Q♠ J♠ 10♠ 9♠") for _ in range(6))
    card = ShareCard("OVER " * 20, "Title " * 40, "under " * 60, "heading " * 20, lines, "foot " * 90)
    assert drawing.png(card)[:8] == b"\x89PNG\r\n\x1a\n"
    assert drawing.png(card) != drawing.png(closed_card())
