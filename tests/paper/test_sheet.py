import random
import subprocess
import sys
from functools import cache
from itertools import pairwise

import pytest

from liarspoker.games.digits.settlement import level_multiplier, none_multiplier
from liarspoker.paper.sheet import MARGIN, PAPERS, pages_of, sheet_pdf
from liarspoker.paper.slips import SlipSheet, draw_sheet
from tests.paper.printed import Page, numbers, read, set_in

TEN_MM = 10 * 72 / 25.4
EVERY_PAPER = pytest.mark.parametrize("paper", list(PAPERS))


@cache
def drawn(count: int = 4, row_letters: str = "skip_IO") -> SlipSheet:
    return draw_sheet(count, random.Random(1986).randrange, row_letters)


@cache
def printed(count: int = 4, paper: str = "a4", row_letters: str = "skip_IO") -> list[Page]:
    return read(sheet_pdf(drawn(count, row_letters), paper))


@pytest.mark.parametrize(("paper", "width", "height"), [("a4", 595.28, 841.89), ("letter", 612, 792)])
def test_a_page_has_the_size_of_its_paper(paper: str, width: float, height: float) -> None:
    for page in printed(5, paper):
        assert (page.width, page.height) == pytest.approx((width, height), abs=0.01)


@pytest.mark.parametrize(("count", "pages"), [(1, 1), (4, 1), (5, 2), (9, 3)])
def test_a_page_has_four_slips(count: int, pages: int) -> None:
    assert len(printed(count)) == pages_of(drawn(count)) == pages


@EVERY_PAPER
def test_every_slip_shows_its_numbers(paper: str) -> None:
    pages = printed(6, paper)
    for slip in drawn(6).slips:
        page, place = divmod(slip.number - 1, 4)
        assert tuple(numbers(pages[page].cell(place))) == slip.rows


@EVERY_PAPER
@pytest.mark.parametrize(("row_letters", "letters"), [("skip_IO", "ABCDEFGHJKLMNPQ"), ("A_to_P", "ABCDEFGHIJKLMNP")])
def test_every_slip_has_fifteen_letters_in_order(paper: str, row_letters: str, letters: str) -> None:
    for place in range(4):
        cell = printed(4, paper, row_letters)[0].cell(place)
        rows = [piece for piece in set_in("Serif", cell) if len(piece.text) == 1]
        assert "".join(piece.text for piece in sorted(rows, key=lambda piece: -piece.y)) == letters


def test_each_number_is_next_to_its_letter() -> None:
    cell = printed()[0].cell(2)
    rows = [piece for piece in set_in("Serif", cell) if len(piece.text) == 1]
    halves = [piece for piece in set_in("Mono", cell) if piece.text.isdecimal()]
    for row, half in zip(rows, halves[::2], strict=True):
        assert half.x > row.x
        assert half.y == pytest.approx(row.y, abs=2)


@EVERY_PAPER
def test_there_are_ten_score_lines_and_the_tenth_is_marked_double(paper: str) -> None:
    for place in range(4):
        cell = set_in("SansCondensed-Bold", printed(4, paper)[0].cell(place))
        hands = [piece for piece in cell if piece.text.isdecimal()]
        assert [piece.text for piece in hands] == [str(hand) for hand in range(1, 11)]
        double = next(piece for piece in cell if piece.text == "×2")
        assert double.y == hands[-1].y


def test_every_field_of_a_slip_has_a_caption() -> None:
    words = {piece.text for piece in printed()[0].cell(0)}
    captions = {"Player", "row", "number", "played", "in hand", "hand", "stake", "units", "running total", "This slip"}
    assert captions <= words


def test_a_slip_shows_its_number_and_its_sheet() -> None:
    for place in range(4):
        words = {piece.text for piece in printed()[0].cell(place)}
        assert {f"Slip {place + 1} of 4", f"sheet {drawn().mark}"} <= words


@EVERY_PAPER
def test_the_page_has_a_margin_of_ten_millimeters(paper: str) -> None:
    assert MARGIN >= TEN_MM
    for page in printed(5, paper):
        for x, y in [*page.points, *((piece.x, piece.y) for piece in page.pieces)]:
            assert TEN_MM <= x <= page.width - TEN_MM
            assert TEN_MM <= y <= page.height - TEN_MM


@EVERY_PAPER
def test_numbers_stay_within_their_slip(paper: str) -> None:
    page = printed(4, paper)[0]
    for place in range(4):
        right = page.width / 2 if place % 2 == 0 else page.width - MARGIN
        assert all(piece.right < right - 4 for piece in set_in("Mono", page.cell(place)))


@EVERY_PAPER
def test_numbers_do_not_overlap(paper: str) -> None:
    halves = [piece for piece in set_in("Mono", printed(4, paper)[0].cell(0)) if piece.text.isdecimal()][::2]
    gaps = [upper.y - lower.y for upper, lower in pairwise(halves)]
    assert min(gaps) > halves[0].size


def test_all_fonts_are_embedded() -> None:
    pdf = sheet_pdf(drawn())
    assert pdf.count(b"/FontFile2") == pdf.count(b"/BaseFont") == 4


@EVERY_PAPER
def test_the_same_sheet_gives_the_same_file(paper: str) -> None:
    assert sheet_pdf(drawn(5), paper) == sheet_pdf(draw_sheet(5, random.Random(1986).randrange), paper)


@pytest.mark.slow
def test_the_same_sheet_gives_the_same_file_in_another_process() -> None:
    program = (
        "import random, sys; from liarspoker.paper import sheet, slips; "
        "sys.stdout.buffer.write(sheet.sheet_pdf(slips.draw_sheet(4, random.Random(1986).randrange)))"
    )
    assert subprocess.run([sys.executable, "-c", program], check=True, capture_output=True).stdout == sheet_pdf(drawn())


@pytest.mark.parametrize("seats", [2, 5, 16])
def test_the_small_print_states_the_multipliers_of_the_rules(seats: int) -> None:
    first = {
        level_multiplier(level, seats): level - seats
        for level in range(seats + 8, 0, -1)
        if level_multiplier(level, seats) > 1
    }
    steps = ", from ".join(f"n+{above} ×{multiplier}" for multiplier, above in sorted(first.items()))
    assert f"pays the bidder ×1; from level {steps}, and so on" in " ".join(printed()[0].text.split())


def test_the_small_print_states_the_payoff_of_a_none() -> None:
    assert [none_multiplier(seats) for seats in (2, 3, 4, 5)] == [0, 0, 2 * 4 - 6, 2 * 5 - 6]
    text = " ".join(printed()[0].text.split())
    assert "Nobody holds any: each pays the bidder ×(2n−6); with two or three players, nothing." in text
