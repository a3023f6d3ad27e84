"""The content of the drawings: cards, raised hands, charts, clocks, banknotes, slips and numerals."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import pairwise
from xml.etree.ElementTree import Element

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liarspoker.core.cards.deck import RANKS, SUITS, card_text, full_deck
from liarspoker.web.draw import (
    Bar,
    SlipRow,
    any_suit,
    banknote,
    banknote_back,
    bar_chart,
    card,
    card_name,
    clock_ring,
    numeral,
    raised_hands,
    running_chart,
    slip,
    sparkline,
)
from liarspoker.web.draw.paper import NOTE_VIEW
from tests.web.draw.markup import of_class, parsed, shapes, shapes_placed
from tools.ornaments.faces import CARD_VIEW, pip_places

TEXTS = [card_text(number) for number in full_deck(1)]
CHANCES = st.lists(st.floats(0, 1), min_size=1, max_size=20)
FULL_HEIGHT = 148
"""Height of the highest bar of a chart."""


def texts(root: Element, name: str) -> list[str | None]:
    return [element.text for element in of_class(root, name)]


# ------------------------------------------------------------------------------------------- cards


def test_a_card_has_the_pips_of_its_rank_and_suit() -> None:
    for suit in SUITS:
        for count, rank in enumerate(RANKS[:9], 2):
            (face,) = shapes_placed(card(rank + suit))
            assert [pip.get("href") for pip in of_class(face, "pip")] == [f"#pip-{suit}"] * count


@pytest.mark.parametrize("count", range(2, 11))
def test_pips_do_not_overlap_and_are_symmetric(count: int) -> None:
    (width, height), places = CARD_VIEW, pip_places(count)
    for k, (x, y) in enumerate(places):
        assert 20 < x < width - 20
        assert 15 < y < height - 15
        assert all(abs(x - a) >= 15 or abs(y - b) >= 17 for a, b in places[:k])
    turned = {(round(width - x), round(height - y)) for x, y in places}
    assert count == 7 or turned == {(round(x), round(y)) for x, y in places}  # the seventh pip has no counterpart


def test_every_card_has_its_own_face_and_name() -> None:
    for text in TEXTS:
        (face,) = shapes_placed(card(text))
        assert face.get("id") == f"card-{text}"
        assert parsed(card(text)).get("aria-label") == card_name(text)
    assert len({card_name(text) for text in TEXTS}) == len(TEXTS)


def test_an_unknown_card_shows_its_back_and_a_small_one_its_rank_and_suit() -> None:
    back, small = card("??", small=True), card("Td", small=True)
    assert shapes()["card-back"] in list(shapes_placed(back))
    assert parsed(back).get("aria-label") == "a card face down"
    assert [element.text for element in parsed(small).iter("text")] == ["10"]
    assert {shape.get("id") for shape in shapes_placed(small)} == {"pip-d"}


def test_a_card_has_a_label_a_tick_and_a_tilt() -> None:
    assert parsed(card("As", label="ace of spades, in the hand")).get("aria-label") == "ace of spades, in the hand"
    assert parsed(card("As", label=None)).get("aria-hidden") == "true"
    assert [len(of_class(parsed(card("9s", lit=lit)), "card-tick")) for lit in (True, False)] == [1, 0]
    assert "tilt-left-3" in card("9s", tilt=-3)
    assert "tilt-right-3" in card("9s", tilt=3)
    assert "tilt" not in card("9s")


def test_a_rank_in_any_suit_is_named() -> None:
    names = {"3": "a 3", "8": "an 8", "T": "a 10", "A": "an ace", "Q": "a queen"}
    assert {rank: parsed(any_suit(rank)).get("aria-label") for rank in names} == {
        rank: f"{name} of any suit" for rank, name in names.items()
    }


@given(st.integers(0, 40))
def test_the_number_of_raised_fingers_is_the_count(count: int) -> None:
    hands = list(shapes_placed(raised_hands(count)))
    assert sum(len(of_class(hand, "finger")) for hand in hands) == count
    assert len(hands) == max(1, -(-count // 5))  # zero is a fist


def test_the_left_of_two_hands_is_mirrored() -> None:
    left, right = parsed(raised_hands(7)).iter("use")
    assert "scale(-1 1)" in left.get("transform", "")
    assert right.get("transform") is None


# ------------------------------------------------------------------------------------------ charts


@given(CHANCES, st.floats(0, 1))
def test_bars_are_as_high_as_their_probabilities_and_fit_the_chart(chances: list[float], line: float) -> None:
    root = parsed(bar_chart([Bar("k", p) for p in chances], title="t", line=line))
    highest = max(*chances, line) or 1
    bars = of_class(root, "chart-counts") + of_class(root, "chart-not")
    heights = [float(bar.attrib["height"]) for bar in bars]
    for height, chance in zip(heights, chances, strict=True):
        assert height == pytest.approx(chance / highest * FULL_HEIGHT, abs=0.11)
    assert all(float(bar.attrib["y"]) >= 0 for bar in bars)
    (level,) = of_class(root, "chart-level")
    assert float(level.attrib["d"][3:].partition("H")[0]) >= 0


def test_bars_that_count_are_solid_and_separated_by_a_cut() -> None:
    once = parsed(
        bar_chart([Bar("0", 0.6), Bar("1", 0.4, counts=True)], title="t", left_note="less", right_note="more")
    )
    never = parsed(bar_chart([Bar("0", 1)], title="t", left_note="less"))
    assert len(of_class(once, "chart-counts")) == len(of_class(once, "chart-not")) == 1
    assert texts(once, "chart-note") == ["less", "more"]
    assert not of_class(never, "chart-cut")


@given(st.lists(st.integers(-500, 500), min_size=1, max_size=60))
def test_a_sparkline_stays_inside_and_ends_at_its_dot(values: list[int]) -> None:
    root = parsed(sparkline(values))
    (line,), (dot,) = of_class(root, "spark-line"), of_class(root, "spark-now")
    points = [tuple(map(float, point.split())) for point in line.attrib["d"][1:].split("L")]
    assert len(points) == len(values)
    assert all(0 <= x <= 120 and 0 <= y <= 32 for x, y in points)
    assert points[-1] == (float(dot.attrib["cx"]), float(dot.attrib["cy"]))


def test_a_running_chart_marks_the_current_ply_and_labels_its_extremes() -> None:
    root = parsed(running_chart([0, 12, -3.5], title="Equity", current=1))
    assert {text.text for text in root.iter("text")} == {"+12", "0", "−3.5"}
    assert [text.text for text in parsed(running_chart([0.2, -6], title="Equity")).iter("text")] == ["−6", "0"]
    assert len(of_class(root, "running-cursor")) == 1
    assert not of_class(parsed(running_chart([1], title="Equity")), "running-cursor")


@given(st.floats(0.01, 0.99))
def test_a_clock_ring_shows_the_fraction_of_time_left(left: float) -> None:
    (arc,) = of_class(parsed(clock_ring("Y", left=left)), "ring-left")
    *_, large, _, x, y = arc.attrib["d"].split()
    assert (large == "1") == (left > 0.5)
    assert math.atan2(float(x), -float(y)) / (2 * math.pi) % 1 == pytest.approx(left, abs=0.001)
    rings = clock_ring("Y", left=1), clock_ring("Y", left=0), clock_ring("Y")
    assert [len(of_class(parsed(ring), "ring-left")) for ring in rings] == [1, 0, 0]


# ------------------------------------------------------------------------------------------- paper


@given(serial=st.text("0123456789", min_size=1, max_size=14))
def test_a_banknote_shows_equally_spaced_digits_inside_its_frame(serial: str) -> None:
    (text,) = of_class(parsed(banknote(serial=serial, label="note", before="LL", after="A")), "note-serial")
    assert text.text == serial
    places = [float(x) for x in text.attrib["x"].split()]
    steps = [b - a for a, b in pairwise(places)]
    assert len(places) == len(serial)
    assert all(step == pytest.approx(steps[0], abs=0.01) for step in steps)
    assert 60 < places[0] <= places[-1] < NOTE_VIEW[0] - 60


def test_a_banknote_shows_its_letters_and_its_stake_in_every_corner() -> None:
    note = parsed(banknote(serial="06742088", label="Your note", before="L", after="A", stake="16", foot="STAKE 16"))
    assert texts(note, "note-letter") == ["L", "A"]
    assert texts(note, "note-stake") == ["16"] * 4
    assert texts(note, "note-small") == ["L 06742088 A", "STAKE 16"]
    assert note.get("aria-label") == "Your note"
    bare = parsed(banknote(serial="06742088", label="note"))
    assert not texts(bare, "note-letter") + texts(bare, "note-stake")


def test_marked_digits_are_underlined_and_a_face_down_note_shows_only_its_sign() -> None:
    (line,) = of_class(parsed(banknote(serial="06742088", label="note", marked=(7, 2))), "note-marked")
    assert line.attrib["d"].count("M") == 2
    assert [element.text for element in parsed(banknote_back(sign="3")).iter("text")] == ["3"]


def test_a_slip_strikes_played_rows_and_marks_the_current_one() -> None:
    notes = ["played, hand 1", "hand 2, now", "next if 0 odd"]
    rows = [
        SlipRow("A", "08183658", notes[0], played=True),
        SlipRow("B", "49294146", notes[1], current=True),
        SlipRow("C", "54154099", notes[2]),
    ]
    root = parsed(slip(rows, title="Ada’s slip", heading=1))
    assert [(row.get("class"), row.get("aria-current")) for row in root.iter("li")] == [
        ("played", None),
        ("current", "true"),
        (None, None),
    ]
    assert [element.text for element in root.iter("s")] == ["08183658"]
    assert texts(root, "slip-letter") == ["A", "B", "C"]
    assert texts(root, "slip-note") == notes
    assert [element.text for element in root.iter("h1")] == ["Ada’s slip"]


def test_a_numeral_has_three_layers_and_unique_ids_on_request() -> None:
    for number in (1, 8, 40, 99):
        assert [element.text for element in parsed(numeral(number)).iter("text")] == [str(number)] * 3
    ids = {one.get("id") for text in (numeral(8), numeral(8, unique="-score")) for one in parsed(text).iter("pattern")}
    assert len(ids) == 2


@pytest.mark.parametrize(
    ("draw", "why"),
    [
        *((lambda text=text: card(text), "isn't a card") for text in ("", "1s", "10d", "Tx", "as")),
        *((lambda bars=bars: bar_chart(bars, title="t"), "probabilities from 0 to 1")
          for bars in ([], [Bar("0", 1.5)], [Bar("0", -0.1)])),
        *((lambda number=number: numeral(number), "from 1 to 99") for number in (0, 100, -1)),
        (lambda: any_suit("1"), "isn't a rank"),
        (lambda: card("As", tilt=6), "tilt must be"),
        (lambda: raised_hands(-1), "can't be negative: -1"),
        (lambda: sparkline([]), "needs at least one value"),
        (lambda: running_chart([1, 2], title="t", current=2), "an index of the values"),
        (lambda: clock_ring("Y", left=1.5), "left must be from 0 to 1"),
    ],
)  # fmt: skip
def test_invalid_arguments_raise_value_error(draw: Callable[[], object], why: str) -> None:
    with pytest.raises(ValueError, match=why):
        draw()
