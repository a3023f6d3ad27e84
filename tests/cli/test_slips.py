import argparse
import subprocess
import sys
from pathlib import Path

import pytest

from liarspoker import cli
from liarspoker.paper.sheet import PAPERS
from tests.paper.printed import numbers, read


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def slips(*words: str) -> int:
    return cli.main(["slips", *words])


def test_four_slips_are_written_and_said_to_be(capsys: pytest.CaptureFixture[str]) -> None:
    assert slips() == 0
    page = read(Path("slips.pdf").read_bytes())[0]
    said = capsys.readouterr().out
    assert said.startswith("slips.pdf: 4 slips on 1 page of A4, sheet ")
    assert said.split()[-1] in page.text
    assert len({number for place in range(4) for number in numbers(page.cell(place))}) > 50


def test_the_paper_and_the_number_of_slips_can_be_chosen(capsys: pytest.CaptureFixture[str]) -> None:
    assert slips("--count", "5", "--paper", "letter", "-o", "five.pdf") == 0
    pages = read(Path("five.pdf").read_bytes())
    assert [(page.width, page.height) for page in pages] == [PAPERS["letter"][1:]] * 2
    assert len(numbers(pages[1].cell(0))) == 15
    assert numbers(pages[1].cell(1)) == []
    assert capsys.readouterr().out.startswith("five.pdf: 5 slips on 2 pages of US letter")


def test_the_same_seed_writes_the_same_bytes() -> None:
    assert slips("--seed", "7", "-o", "a.pdf") == slips("--seed", "7", "-o", "b.pdf") == 0
    assert slips("--seed", "8", "-o", "c.pdf") == 0
    assert Path("a.pdf").read_bytes() == Path("b.pdf").read_bytes() != Path("c.pdf").read_bytes()


def test_without_a_seed_no_sheet_comes_twice() -> None:
    assert slips("-o", "a.pdf") == slips("-o", "b.pdf") == 0
    assert Path("a.pdf").read_bytes() != Path("b.pdf").read_bytes()


def test_the_row_letters_can_be_chosen() -> None:
    assert slips("--row-letters", "A_to_P") == 0
    words = {piece.text for piece in read(Path("slips.pdf").read_bytes())[0].pieces}
    assert "I" in words
    assert "Q" not in words


def test_a_folder_that_is_not_there_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert slips("-o", "nowhere/slips.pdf") == 1
    assert str(Path("nowhere/slips.pdf")) in capsys.readouterr().err


def test_a_dash_sends_the_pdf_and_nothing_else_to_standard_output(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    assert slips("--seed", "7", "-o", "a.pdf") == 0
    capfdbinary.readouterr()
    assert slips("--seed", "7", "-o", "-") == 0
    assert capfdbinary.readouterr().out == Path("a.pdf").read_bytes()


def test_a_terminal_is_not_sent_a_pdf(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    assert slips("-o", "-") == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "not for a terminal" in captured.err


@pytest.mark.parametrize("count", ["0", "-3", "four", "1001", "1.5"])
def test_a_count_that_makes_no_sense_is_wrong_usage(count: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ending:
        slips(f"--count={count}")
    assert ending.value.code == 2
    assert "is not a number from 1 to 1000" in capsys.readouterr().err


def test_its_help_fits_in_eighty_columns(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    with pytest.raises(SystemExit):
        slips("--help")
    assert all(len(line) <= 80 for line in capsys.readouterr().out.splitlines())


def test_an_option_says_which_value_it_has_by_itself() -> None:
    from liarspoker.cli.slips import add_arguments

    parser = argparse.ArgumentParser()
    add_arguments(parser)
    help_text = " ".join(parser.format_help().split())
    for action in parser._actions:
        if action.default not in (None, False, argparse.SUPPRESS):
            assert f"({action.default})" in help_text


def in_a_fresh_process(program: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)


def test_without_reportlab_it_says_what_to_install() -> None:
    program = "import sys; sys.modules['reportlab'] = None; from liarspoker.cli import main; sys.exit(main(['slips']))"
    ended = in_a_fresh_process(program)
    assert ended.returncode == 1
    assert ended.stderr == "liarspoker: this needs reportlab: pip install 'liarspoker[print]'\n"
    assert not Path("slips.pdf").exists()


def test_its_help_loads_neither_reportlab_nor_the_paper_room() -> None:
    program = (
        "import sys, liarspoker.cli.slips; "
        "print([name for name in sys.modules if name.startswith(('reportlab', 'liarspoker.paper'))])"
    )
    assert in_a_fresh_process(program).stdout.strip() == "[]"
