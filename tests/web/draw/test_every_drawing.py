"""Properties of every drawing: well-formed, compatible with a strict content security policy, accessible and small."""

import re
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import Element

import pytest
from markupsafe import Markup

from liarspoker.web.draw import (
    Bar,
    SlipRow,
    any_suit,
    banknote,
    banknote_back,
    bar_chart,
    card,
    clock_ring,
    numeral,
    raised_hands,
    running_chart,
    slip,
    slip_back,
    sparkline,
)
from liarspoker.web.pages import templates
from tests.web.draw.markup import parsed, shapes, shapes_placed, sprite

DRAWN: Any = templates().globals["drawn"]
STYLES = (Path(__file__).parents[3] / "client" / "styles").glob("*.css")
STYLED = set(re.findall(r"\.([a-z][\w-]*)", "".join(file.read_text(encoding="utf-8") for file in STYLES)))
HOSTILE = "\"><script>alert('&')</script>"
COLOUR = re.compile(r"none|currentColor|var\(--[a-z0-9-]+\)|url\(#[\w-]+\)")

DRAWINGS = {
    "banknote": banknote(
        serial="06742088", before="L", after="A", stake="2", foot="STAKE 2", label="Your note", marked=(2, 7)
    ),
    "bare banknote": banknote(serial="31415926", label="Your note", motto=""),
    "banknote face down": banknote_back(sign="3"),
    "named banknote face down": banknote_back(label="Note 3"),
    "slip": slip(
        [
            SlipRow("A", "08183658", "played, hand 1", played=True),
            SlipRow("B", "49294146", current=True),
            SlipRow("C", "54154099", "next if 0 odd"),
        ],
        title="Ada’s slip",
    ),
    "slip face down": slip_back(sign="B"),
    "any three": any_suit("3"),
    "any card": any_suit(""),
    "oval": DRAWN.table_oval(),
    "rosette": DRAWN.rosette("lace"),
    "band": DRAWN.braid_band(),
    "ribbon": DRAWN.ribbon(),
    "mark": DRAWN.site_mark(),
    "bearer's note": DRAWN.bearer_note(),
    "chart": bar_chart(
        [Bar("0", 0.25), Bar("1", 0.75, counts=True, value="75")], title="How many", line=0.5, line_note="even"
    ),
    "running chart": running_chart([0, 2, -3.5], title="Equity", current=1),
    "ring": clock_ring("Y", left=0.4),
    "sparkline": sparkline([1, -2, 0], label="Down two, then even"),
    **{f"numeral {number}": numeral(number) for number in (1, 8, 40)},
    **{f"hands {count}": raised_hands(count, label=f"{count}") for count in (*range(8), 11)},
    **{f"icon {name}": DRAWN.icon(name) for name in DRAWN.icons},
    **{f"card {text}": card(text) for text in ["2c", "Td", "Jh", "Qs", "Kc", "Ad", "Jk", "??"]},
    **{f"small card {text}": card(text, small=True, lit=True, tilt=-3) for text in ("Td", "Jk", "??")},
}


def check_policy(root: Element) -> None:
    for element in root.iter():
        assert element.tag not in {"style", "script", "foreignObject", "image", "a"}
        for name, value in element.attrib.items():
            assert name != "style"
            assert not name.startswith("on")
            if name in {"fill", "stroke"}:
                assert COLOUR.fullmatch(value), f"{name}={value} is a colour of its own"


@pytest.mark.parametrize("drawing", DRAWINGS.values(), ids=DRAWINGS.keys())
def test_a_drawing_is_well_formed_named_styled_and_small(drawing: Markup) -> None:
    assert isinstance(drawing, Markup)
    root = parsed(drawing)
    check_policy(root)
    list(shapes_placed(drawing))  # uses only existing sprite shapes
    ids = {element.get("id") for element in root.iter()}
    for element in [] if root.get("aria-hidden") == "true" else root.iter("svg"):
        named = element.get("aria-label") or element.get("aria-labelledby") in ids - {None}
        assert (element.get("role") == "img" and named) or element.get("aria-hidden") == "true"
    drawn = {name for element in root.iter() for name in element.get("class", "").split()}
    assert drawn - STYLED <= {"hidden", "note-down", "hands-more", "chart-value"}
    assert len(drawing.encode()) < 3000


def test_the_drawings_of_a_full_table_are_small() -> None:
    note, oval, bid = DRAWINGS["banknote"], DRAWINGS["oval"], DRAWINGS["numeral 8"]
    hands = [DRAWINGS[f"hands {count}"] for count in range(8)]
    icons = [DRAWINGS[f"icon {name}"] for name in DRAWN.icons]
    assert sum(len(drawing.encode()) for drawing in (note, oval, bid, *hands, *icons)) < 16_000


@pytest.mark.parametrize(
    "drawing",
    [
        banknote(serial=HOSTILE, label=HOSTILE, before=HOSTILE, after=HOSTILE, stake=HOSTILE, foot=HOSTILE),
        banknote_back(label=HOSTILE, sign=HOSTILE, classes=HOSTILE),
        slip([SlipRow(HOSTILE, HOSTILE, HOSTILE)], title=HOSTILE, classes=HOSTILE),
        slip_back(label=HOSTILE, sign=HOSTILE),
        card("As", label=HOSTILE, classes=HOSTILE),
        raised_hands(3, label=HOSTILE),
        bar_chart([Bar(HOSTILE, 0.5, value=HOSTILE), Bar("1", 0.5, counts=True)], title=HOSTILE, left_note=HOSTILE),
    ],
)
def test_user_input_is_escaped(drawing: Markup) -> None:
    check_policy(parsed(drawing))
    assert "<script" not in drawing


def test_the_sprite_follows_the_same_policy_and_has_unique_ids() -> None:
    check_policy(sprite())
    names = [element.get("id") for element in sprite().iter() if element.get("id")]
    assert len(names) == len(set(names))
    for use in sprite().iter("use"):
        assert use.attrib["href"].removeprefix("#") in shapes()
