import math
from xml.etree.ElementTree import Element

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liarspoker.web.draw import Bar, bar_chart, clock_ring, running_chart, sparkline
from tests.web.draw.markup import of_class, parsed

CHANCES = st.lists(st.floats(0, 1), min_size=1, max_size=20)


def bars_of(root: Element) -> list[Element]:
    return of_class(root, "chart-counts") + of_class(root, "chart-not")


@given(CHANCES)
def test_bars_are_as_high_as_their_chances(chances: list[float]) -> None:
    heights = [
        float(bar.attrib["height"]) for bar in parsed(bar_chart([Bar("k", p) for p in chances], title="t")).iter("rect")
    ]
    assert len(heights) == len(chances)
    highest = max(chances)
    for height, chance in zip(heights, chances, strict=True):
        assert height == pytest.approx(chance / highest * max(heights) if highest else 0, abs=0.11)


@given(CHANCES, st.floats(0, 1))
def test_bars_and_the_level_line_stay_inside(chances: list[float], line: float) -> None:
    root = parsed(bar_chart([Bar("k", p) for p in chances], title="t", line=line))
    assert all(float(bar.attrib["y"]) >= 0 for bar in bars_of(root))
    (level,) = of_class(root, "chart-level")
    assert float(level.attrib["d"][3:].partition("H")[0]) >= 0


def test_bars_that_count_are_solid_and_the_others_hatched() -> None:
    root = parsed(bar_chart([Bar("0", 0.6), Bar("1", 0.4, counts=True)], title="t"))
    assert len(of_class(root, "chart-counts")) == len(of_class(root, "chart-not")) == 1


def test_a_cut_stands_where_bars_begin_to_count_once() -> None:
    once = bar_chart([Bar("0", 0.6), Bar("1", 0.4, counts=True)], title="t", left_note="less", right_note="more")
    never = bar_chart([Bar("0", 1)], title="t", left_note="less")
    assert [text.text for text in of_class(parsed(once), "chart-note")] == ["less", "more"]
    assert not of_class(parsed(never), "chart-cut")


def test_a_chart_is_named_by_its_title() -> None:
    root = parsed(bar_chart([Bar("0", 1)], title="How many sixes", unique="2"))
    (title,) = root.iter("title")
    assert title.text == "How many sixes"
    assert root.get("aria-labelledby") == title.get("id")


@pytest.mark.parametrize("bars", [[], [Bar("0", 1.5)], [Bar("0", -0.1)]])
def test_a_chart_of_nothing_or_of_no_chances_is_told(bars: list[Bar]) -> None:
    with pytest.raises(ValueError, match="chances from 0 to 1"):
        bar_chart(bars, title="t")


@given(st.lists(st.integers(-500, 500), min_size=1, max_size=60))
def test_a_sparkline_stays_inside_and_ends_at_its_dot(values: list[int]) -> None:
    root = parsed(sparkline(values))
    (line,), (dot,) = of_class(root, "spark-line"), of_class(root, "spark-now")
    points = [tuple(map(float, point.split())) for point in line.attrib["d"][1:].split("L")]
    assert len(points) == len(values)
    assert all(0 <= x <= 120 and 0 <= y <= 32 for x, y in points)
    assert points[-1] == (float(dot.attrib["cx"]), float(dot.attrib["cy"]))


def test_a_running_chart_marks_the_current_ply_and_says_its_heights() -> None:
    root = parsed(running_chart([0, 12, -3.5], title="Equity", current=1))
    assert {text.text for text in root.iter("text")} == {"+12", "0", "−3.5"}
    assert len(of_class(root, "running-cursor")) == 1
    assert not of_class(parsed(running_chart([1], title="Equity")), "running-cursor")


@given(st.floats(0.01, 0.99))
def test_a_ring_shows_as_much_as_the_clock_has_left(left: float) -> None:
    (arc,) = of_class(parsed(clock_ring("Y", left=left)), "ring-left")
    *_, large, _, x, y = arc.attrib["d"].split()
    assert (large == "1") == (left > 0.5)
    turned = math.atan2(float(x), -float(y)) / (2 * math.pi) % 1
    assert turned == pytest.approx(left, abs=0.001)


def test_a_ring_may_be_full_or_empty() -> None:
    assert of_class(parsed(clock_ring("Y", left=1)), "ring-left")
    assert not of_class(parsed(clock_ring("Y", left=0)), "ring-left")
    assert not of_class(parsed(clock_ring("Y")), "ring-left")


def test_what_is_not_there_is_told() -> None:
    with pytest.raises(ValueError, match="needs values"):
        sparkline([])
    with pytest.raises(ValueError, match="marks one of them"):
        running_chart([1, 2], title="t", current=2)
    with pytest.raises(ValueError, match="0 to 1 of its time left"):
        clock_ring("Y", left=1.5)
