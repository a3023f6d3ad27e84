"""`liarspoker slips`: a sheet of SLIPS as a PDF."""

import argparse
import sys
from pathlib import Path

import pytest

from liarspoker.cli import main
from liarspoker.cli.slips import add_arguments
from liarspoker.paper.sheet import PAPERS
from tests.cli.conftest import Run
from tests.paper.printed import numbers, read


def test_four_slips_are_written_and_reported(run: Run) -> None:
    said = run("slips").out
    page = read(Path("slips.pdf").read_bytes())[0]
    assert said.startswith("slips.pdf: 4 slips on 1 page of A4, sheet ")
    assert said.split()[-1] in page.text
    assert len({number for place in range(4) for number in numbers(page.cell(place))}) > 50


def test_the_paper_the_letters_and_the_number_of_slips_can_be_chosen(run: Run) -> None:
    said = run("slips --count 5 --paper letter --row-letters A_to_P -o five.pdf").out
    assert said.startswith("five.pdf: 5 slips on 2 pages of US letter")
    pages = read(Path("five.pdf").read_bytes())
    assert [(page.width, page.height) for page in pages] == [PAPERS["letter"][1:]] * 2
    assert len(numbers(pages[1].cell(0))) == 15
    assert numbers(pages[1].cell(1)) == []
    words = {piece.text for piece in pages[0].pieces}
    assert "I" in words
    assert "Q" not in words


def test_the_same_seed_alone_writes_the_same_bytes(run: Run) -> None:
    for name, seed in (("a", "--seed 7"), ("b", "--seed 7"), ("c", "--seed 8"), ("d", ""), ("e", "")):
        run(f"slips {seed} -o {name}.pdf")
    written = [Path(f"{name}.pdf").read_bytes() for name in "abcde"]
    assert written[0] == written[1]
    assert len(set(written)) == 4


def test_a_dash_sends_the_pdf_and_nothing_else_to_standard_output(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    assert main(["slips", "--seed", "7", "-o", "a.pdf"]) == 0
    capfdbinary.readouterr()
    assert main(["slips", "--seed", "7", "-o", "-"]) == 0
    assert capfdbinary.readouterr().out == Path("a.pdf").read_bytes()


def test_a_pdf_is_not_sent_to_a_terminal(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    said = run("slips -o -", code=1)
    assert said.out == ""
    assert "a terminal can't show a PDF" in said.err


def test_the_help_of_an_option_names_its_default() -> None:
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    help_text = " ".join(parser.format_help().split())
    for action in parser._actions:
        if action.default not in (None, False, argparse.SUPPRESS):
            assert f"({action.default})" in help_text
