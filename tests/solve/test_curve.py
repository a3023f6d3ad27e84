"""The script that draws a convergence curve, as in the documentation."""

from pathlib import Path

import pytest

from docs.draw_curve import main
from liarspoker.solve.runner import solve, solver_for, strategy_of


def test_a_curve_is_drawn_from_a_strategy_file(tmp_path: Path) -> None:
    options: dict[str, object] = {"hand_size": 1, "symbols": 2}
    solver = solver_for("dollar-bill", options=options)
    strategy_of(solver, solve(solver, 0.01), "dollar-bill", options).save(tmp_path / "small.strategy")
    assert main([str(tmp_path / "small.strategy"), str(tmp_path / "curve.svg")]) == 0
    assert "<svg" in (tmp_path / "curve.svg").read_text(encoding="utf-8")


def test_without_two_files_it_prints_its_usage(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 2
    assert "curve.svg" in capsys.readouterr().err
