"""The tables of odds and their layout."""

from __future__ import annotations

import json
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from liarspoker.odds.figures import rounded
from liarspoker.odds.tables import (
    PLACES,
    Table,
    others_at_least,
    others_exactly,
    page,
    raise_thresholds,
    tables,
    tables_as_json,
)
from tests.effort import one_in

player_counts = st.integers(2, 20)


def cell(table: Table, label: str, column: str) -> str:
    return rounded(dict(table.rows)[label][table.columns.index(column)], table.places)


@given(player_counts)
def test_no_line_of_any_table_is_wider_than_the_terminal(players: int) -> None:
    lines = [line for table in tables(players) for line in page(table).splitlines()]
    assert max(map(len, lines)) <= 80
    assert not [line for line in lines if line != line.rstrip()]


@given(player_counts)
def test_every_probability_of_a_table_is_printed_in_order(players: int) -> None:
    table = others_exactly(players)
    printed = [line.split()[1:] for line in page(table).splitlines() if line[:7].strip().isdigit()]
    blocks = len(printed) // len(table.rows)
    for index, (_, chances) in enumerate(table.rows):
        row = [text for block in range(blocks) for text in printed[block * len(table.rows) + index]]
        assert row == [rounded(chance, PLACES) for chance in chances]


@given(player_counts)
def test_omitted_rows_would_be_zeros_and_each_player_adds_a_column(players: int) -> None:
    for make in (others_exactly, others_at_least):
        table, full = make(players), dict(make(players + 1).rows)
        last = int(table.rows[-1][0])
        further = [chances[: players - 1] for label, chances in full.items() if int(label) > last]
        assert all(rounded(chance, PLACES) == "0.000000" for chances in further for chance in chances)
        assert all(full[label][: players - 1] == chances for label, chances in table.rows)


@given(st.fractions(-50, 50), st.integers(1, 9))
def test_a_rounded_figure_is_within_half_a_unit_of_the_last_place(value: Fraction, places: int) -> None:
    text = rounded(value, places)
    assert abs(Fraction(text) - value) <= Fraction(1, 2 * 10**places)
    assert len(text.partition(".")[2]) == places
    assert not text.startswith("-0." + "0" * places)


@one_in(4)
@given(player_counts)
def test_the_json_has_the_exact_fractions(players: int) -> None:
    found = tables(players)
    read_back = json.loads(json.dumps(tables_as_json(players, found)))
    assert read_back["players"] == players
    for table, written in zip(found, read_back["tables"], strict=True):
        for (label, chances), row in zip(table.rows, written["rows"], strict=True):
            assert row["label"] == label
            assert [Fraction(chance["fraction"]) for chance in row["chances"]] == list(chances)
            assert [chance["value"] for chance in row["chances"]] == [float(chance) for chance in chances]


def test_all_tables_of_source_003_exist() -> None:
    assert [(table.name, len(table.rows)) for table in tables(5)] == [
        ("others_exactly", 15),
        ("others_at_least", 14),
        ("one_bill_specific_digit", 9),
        ("one_bill_partition", 22),
        ("one_bill_greatest_frequency", 8),
        ("raise_threshold", 4),
    ]


def test_figures_of_source_003_are_in_the_expected_cells() -> None:
    found = {table.name: table for table in tables(5)}
    assert cell(found["others_exactly"], "4", "3 others") == "0.129187"
    assert cell(found["others_at_least"], "2", "2 others") == "0.485272"
    assert cell(found["one_bill_partition"], "3 2 1 1 1", "") == "0.1693440"
    assert cell(found["one_bill_greatest_frequency"], "2", "") == "0.6191640"
    assert cell(found["raise_threshold"], "4", "") == "0.333333"


def test_a_table_is_complete_at_any_width() -> None:
    assert others_exactly(2).columns == ("1 other",)
    assert others_exactly(3).columns == ("1 other", "2 others")
    # Columns that don't fit the width are printed in another block.
    assert page(others_at_least(9)).count("need") == 2 + 1  # the title contains the word too
    for width in (1, 20, 200):
        assert all(f"{others} others" in page(others_exactly(6), width) for others in range(2, 6))
    assert [label for label, _ in raise_thresholds(7).rows] == ["2", "3", "4", "5", "6", "7"]
