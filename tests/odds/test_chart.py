"""Drawings of probabilities."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from liarspoker.files import CannotWrite
from liarspoker.odds.bid_report import BidReport, bid_from_text, digit_rules
from liarspoker.odds.chart import CannotDraw, draw_bid, draw_chances

BEGINNINGS = {".png": b"\x89PNG", ".svg": b"<?xml", ".pdf": b"%PDF", ".PNG": b"\x89PNG"}


def report_of(bid: str, own: int, players: int = 4) -> BidReport:
    rules = digit_rules("salomon-1986", players)
    return BidReport("salomon-1986", rules, bid_from_text(bid, rules), own)


@pytest.mark.parametrize("suffix", BEGINNINGS)
def test_the_file_name_determines_the_format(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"bid{suffix}"
    draw_bid(report_of("5x7", 1), path)
    assert path.read_bytes().startswith(BEGINNINGS[suffix])
    if suffix == ".svg":
        text = path.read_text(encoding="utf-8")
        assert all(f"<!-- {words}" in text for words in ("5 sevens: 21.43%", "you hold 1 seven; 3 other players"))


@pytest.mark.parametrize(("bid", "own", "players"), [("32x0", 0, 4), ("1x1", 8, 4), ("300x5", 2, 100), ("1x6", 0, 2)])
def test_extreme_bids_can_be_drawn(bid: str, own: int, players: int, tmp_path: Path) -> None:
    path = tmp_path / "bid.png"
    draw_bid(report_of(bid, own, players), path)
    assert path.stat().st_size > 1000


@pytest.mark.parametrize(("players", "curves"), [(2, 1), (5, 4), (40, 7)])
def test_there_is_a_curve_for_each_number_of_others_up_to_seven(players: int, curves: int, tmp_path: Path) -> None:
    path = tmp_path / "chances.svg"
    draw_chances(players, path)
    text = path.read_text(encoding="utf-8")
    assert sum(text.count(f"<!-- {others} other player") for others in range(1, players)) == curves


def test_the_same_question_gives_the_same_file(tmp_path: Path) -> None:
    for name in ("one.svg", "two.svg"):
        draw_chances(3, tmp_path / name)
    assert (tmp_path / "one.svg").read_bytes() == (tmp_path / "two.svg").read_bytes()


@pytest.mark.parametrize("name", ["bid.gif", "bid", "bid.png.txt", ".svg"])
def test_the_error_for_an_unsupported_format_lists_the_supported_ones(name: str, tmp_path: Path) -> None:
    with pytest.raises(CannotDraw, match=r"the file name must end in \.png, \.svg, \.pdf"):
        draw_chances(3, tmp_path / name)


def test_a_missing_folder_is_reported(tmp_path: Path) -> None:
    with pytest.raises(CannotWrite, match="No such file or directory"):
        draw_chances(3, tmp_path / "nowhere" / "chances.png")


def test_matplotlib_is_imported_only_for_drawing() -> None:
    modules = "answers, bid_report, bids, card_report, chart, counts, tables"
    program = f"import sys; from liarspoker.odds import {modules}; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    loaded = {name.partition(".")[0] for name in done.stdout.split()}
    assert "liarspoker" in loaded
    assert not loaded & {"matplotlib", "numpy", "numba", "torch"}
