"""Banknotes, slips and numerals."""

from itertools import pairwise
from xml.etree.ElementTree import Element

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liarspoker.web.draw import SlipRow, banknote, banknote_back, numeral, slip
from liarspoker.web.draw.paper import NOTE_VIEW
from tests.web.draw.markup import of_class, parsed


def texts(root: Element, name: str) -> list[str | None]:
    return [element.text for element in of_class(root, name)]


@given(serial=st.text("0123456789", min_size=1, max_size=14))
def test_a_note_shows_its_digits_at_equal_steps_inside_its_frame(serial: str) -> None:
    (text,) = of_class(parsed(banknote(serial=serial, label="note", before="LL", after="A")), "note-serial")
    assert text.text == serial
    places = [float(x) for x in text.attrib["x"].split()]
    steps = [b - a for a, b in pairwise(places)]
    assert len(places) == len(serial)
    assert all(step == pytest.approx(steps[0], abs=0.01) for step in steps)
    assert 60 < places[0] <= places[-1] < NOTE_VIEW[0] - 60


def test_a_note_says_its_letters_and_its_stake_in_every_corner() -> None:
    note = parsed(banknote(serial="06742088", label="Your note", before="L", after="A", stake="16", foot="STAKE 16"))
    assert texts(note, "note-letter") == ["L", "A"]
    assert texts(note, "note-stake") == ["16"] * 4
    assert texts(note, "note-small") == ["L 06742088 A", "STAKE 16"]
    assert note.get("aria-label") == "Your note"


def test_a_note_without_letters_or_stake_leaves_them_out() -> None:
    note = parsed(banknote(serial="06742088", label="note"))
    assert not texts(note, "note-letter") + texts(note, "note-stake")


def test_marked_digits_are_underlined_where_they_stand() -> None:
    (line,) = of_class(parsed(banknote(serial="06742088", label="note", marked=[7, 2])), "note-marked")
    assert line.attrib["d"].count("M") == 2


def test_a_note_face_down_shows_nothing_but_its_sign() -> None:
    note = parsed(banknote_back(sign="3"))
    assert [element.text for element in note.iter("text")] == ["3"]


ROWS = [
    SlipRow("A", "08183658", "played, hand 1", played=True),
    SlipRow("B", "49294146", "hand 2, now", current=True),
    SlipRow("C", "54154099", "next if 0 odd"),
]


def test_a_slip_strikes_what_was_played_and_marks_the_row_in_play() -> None:
    root = parsed(slip(ROWS, title="Ada’s slip", heading=1))
    rows = list(root.iter("li"))
    assert [row.get("class") for row in rows] == ["played", "current", None]
    assert [row.get("aria-current") for row in rows] == [None, "true", None]
    assert [element.text for element in root.iter("s")] == ["08183658"]
    assert texts(root, "slip-letter") == ["A", "B", "C"]
    assert texts(root, "slip-note") == ["played, hand 1", "hand 2, now", "next if 0 odd"]
    assert [element.text for element in root.iter("h1")] == ["Ada’s slip"]


@given(st.integers(1, 99))
def test_a_numeral_is_drawn_in_three_layers(number: int) -> None:
    root = parsed(numeral(number))
    assert [element.text for element in root.iter("text")] == [str(number)] * 3


def test_two_numerals_of_one_page_may_have_ids_of_their_own() -> None:
    drawings = numeral(8), numeral(8, unique="-score")
    ids = {pattern.get("id") for drawing in drawings for pattern in parsed(drawing).iter("pattern")}
    assert len(ids) == 2


@pytest.mark.parametrize("number", [0, 100, -1])
def test_what_no_numeral_says_is_told(number: int) -> None:
    with pytest.raises(ValueError, match="from 1 to 99"):
        numeral(number)
