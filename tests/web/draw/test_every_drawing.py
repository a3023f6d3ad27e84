"""What holds for every drawing: well-formed, fit for a strict content policy, named or passed over, and small."""

import re
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import Element

import pytest
from markupsafe import Markup

from liarspoker.core.cards.deck import card_text, full_deck
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
STYLES = sorted((Path(__file__).parents[3] / "client" / "styles").glob("*.css"))
HOSTILE = "\"><script>alert('&')</script>"
COLOUR = re.compile(r"none|currentColor|var\(--[a-z0-9-]+\)|url\(#[\w-]+\)")

DRAWINGS = {
    "banknote": banknote(
        serial="06742088", before="L", after="A", stake="2", foot="STAKE 2", label="Your note", marked=[2, 7]
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
    "mark": DRAWN.house_mark(),
    "bearer's note": DRAWN.bearer_note(),
    "chart": bar_chart(
        [Bar("0", 0.25), Bar("1", 0.75, counts=True, value="75")], title="How many", line=0.5, line_note="even"
    ),
    "running chart": running_chart([0, 2, -3.5], title="Equity", current=1),
    "ring": clock_ring("Y", left=0.4),
    "sparkline": sparkline([1, -2, 0], label="Down two, then even"),
    **{f"numeral {number}": numeral(number) for number in (1, 8, 40)},
    **{f"hands {count}": raised_hands(count, label=f"{count}") for count in range(12)},
    **{f"icon {name}": DRAWN.icon(name) for name in DRAWN.icons},
    **{f"card {text}": card(text) for text in [*map(card_text, full_deck(1)), "??"]},
    **{f"small card {text}": card(text, small=True, lit=True, tilt=-3) for text in ("Td", "Jk", "??")},
}

each_drawing = pytest.mark.parametrize("drawing", DRAWINGS.values(), ids=DRAWINGS.keys())


def check_policy(root: Element) -> None:
    for element in root.iter():
        assert element.tag not in {"style", "script", "foreignObject", "image", "a"}
        for name, value in element.attrib.items():
            assert name != "style"
            assert not name.startswith("on")
            if name in {"fill", "stroke"}:
                assert COLOUR.fullmatch(value), f"{name}={value} is a colour of its own"


@each_drawing
def test_a_drawing_is_well_formed_and_has_no_style_script_or_colour_of_its_own(drawing: Markup) -> None:
    assert isinstance(drawing, Markup)
    check_policy(parsed(drawing))


@each_drawing
def test_a_drawing_takes_from_the_sprite_only_what_is_there(drawing: Markup) -> None:
    list(shapes_placed(drawing))


@each_drawing
def test_every_svg_is_an_image_with_a_name_or_is_passed_over(drawing: Markup) -> None:
    root = parsed(drawing)
    ids = {element.get("id") for element in root.iter()}
    for element in [] if root.get("aria-hidden") == "true" else root.iter("svg"):
        named = element.get("aria-label") or element.get("aria-labelledby") in ids - {None}
        assert (element.get("role") == "img" and named) or element.get("aria-hidden") == "true"


@each_drawing
def test_every_class_of_a_drawing_is_styled(drawing: Markup) -> None:
    styled = set(re.findall(r"\.([a-z][\w-]*)", "".join(file.read_text(encoding="utf-8") for file in STYLES)))
    drawn = {name for element in parsed(drawing).iter() for name in element.get("class", "").split()}
    assert drawn - styled <= {"hidden", "note-down", "hands-more", "chart-value"}


@each_drawing
def test_a_drawing_costs_its_page_little(drawing: Markup) -> None:
    assert len(drawing.encode()) < 3000


def test_the_ornament_of_a_full_table_page_is_small() -> None:
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
def test_what_people_type_is_never_markup(drawing: Markup) -> None:
    check_policy(parsed(drawing))
    assert "<script" not in drawing


def test_the_sprite_follows_the_same_policy() -> None:
    check_policy(sprite())


def test_the_sprite_names_nothing_twice_and_refers_to_nothing_that_is_missing() -> None:
    names = [element.get("id") for element in sprite().iter() if element.get("id")]
    assert len(names) == len(set(names))
    for use in sprite().iter("use"):
        assert use.attrib["href"].removeprefix("#") in shapes()
