import cmath
import gzip
import math
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools.ornaments.__main__ import SPRITE
from tools.ornaments.guilloche import Rosette, braid_cell, oval_quarter, traced, wave_line
from tools.ornaments.plates import ROSETTES


def pieces_of(path: str) -> list[tuple[complex, complex, complex, complex]]:
    """The cubic pieces of a strand as start, two control points and end."""
    values = [int(sign) for sign in re.findall(r"-?\d+", path)]
    here, values = complex(*values[:2]), values[2:]
    pieces, out = [], here + complex(*values[:2])
    for k in range(2, len(values), 4):
        back, there = here + complex(*values[k : k + 2]), here + complex(*values[k + 2 : k + 4])
        pieces.append((here, out, back, there))
        here, out = there, 2 * there - back
    return pieces


def middle_of(piece: tuple[complex, complex, complex, complex]) -> complex:
    a, b, c, d = piece
    return (a + 3 * b + 3 * c + d) / 8


@given(radius=st.integers(20, 2000), pieces=st.integers(8, 40))
def test_a_traced_circle_is_round(radius: int, pieces: int) -> None:
    path = traced(lambda t: cmath.rect(radius, 2 * math.pi * t), pieces, closed=True)
    for piece in pieces_of(path):
        assert abs(abs(middle_of(piece)) - radius) < 1.5 + radius / 300


@pytest.mark.parametrize("rosette", ROSETTES.values(), ids=ROSETTES.keys())
def test_a_strand_is_closed_and_stays_between_its_rims(rosette: Rosette) -> None:
    pieces = pieces_of(rosette.strand())
    assert pieces[0][0] == pieces[-1][3]
    for piece in pieces:
        for point in (piece[0], middle_of(piece)):
            reach = abs(point)
            assert rosette.inner - rosette.inner_wave - 4 <= reach <= rosette.outer + rosette.outer_wave + 4


def test_a_rosette_has_a_strand_for_every_petal() -> None:
    group = Rosette(10, 40, petals=7, swings=3).group("small")
    assert group.count("<path") + group.count("<use") == 7


@given(length=st.integers(8, 400), swing=st.integers(2, 100))
def test_cells_of_a_braid_join(length: int, swing: int) -> None:
    strands = ["M" + strand for strand in braid_cell(length, swing).split("M")[1:]]
    assert len(strands) == 3
    for strand in strands:
        pieces = pieces_of(strand)
        assert pieces[-1][3] - pieces[0][0] == length


def mirrored(way: complex) -> complex:
    """A direction mirrored at a horizontal axis."""
    return way.conjugate()


def test_the_quarters_of_an_oval_meet_on_its_axes() -> None:
    strands = ["M" + strand for strand in oval_quarter(1400, 780, 40, sixths=31).split("M")[1:]]
    rights = [(start, out - start) for start, out, _, _ in (pieces_of(strand)[0] for strand in strands)]
    bottoms = [(end, end - back) for _, _, back, end in (pieces_of(strand)[-1] for strand in strands)]
    assert all(abs(place.imag) <= 1 for place, _ in rights)
    assert all(abs(place.real) <= 1 for place, _ in bottoms)
    # A strand that leaves a quarter continues smoothly in a mirrored strand.
    for place, way in rights:
        assert any(abs(place - other) <= 2 and abs(way + mirrored(turn)) <= 3 for other, turn in rights)
    for place, way in bottoms:
        assert any(abs(place - other) <= 2 and abs(way - mirrored(turn)) <= 3 for other, turn in bottoms)


def test_a_wave_line_runs_its_whole_width() -> None:
    pieces = pieces_of(wave_line(500, [(10, 4, 0), (5, 9, 0.25)]))
    assert pieces[0][0].real == 0
    assert pieces[-1][3].real == 500


def test_the_compressed_sprite_is_small() -> None:
    assert len(gzip.compress(SPRITE.read_bytes())) < 14_000
