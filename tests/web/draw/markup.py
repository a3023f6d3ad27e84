"""Helpers to inspect drawings as XML, including the shapes that they use from the sprite."""

from collections.abc import Iterator
from functools import cache
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from liarspoker.web.draw import ornament_url
from tools.ornaments.__main__ import SPRITE

_SVG = "{http://www.w3.org/2000/svg}"


def parsed(markup: str) -> Element:
    return ElementTree.fromstring(markup)


@cache
def sprite() -> Element:
    root = parsed(SPRITE.read_text(encoding="utf-8"))
    for element in root.iter():
        element.tag = element.tag.removeprefix(_SVG)
    return root


@cache
def shapes() -> dict[str, Element]:
    return {name: element for element in sprite().iter() if (name := element.get("id"))}


def shapes_placed(markup: str) -> Iterator[Element]:
    """Yield the sprite shapes that a drawing uses, with repetitions."""
    for use in parsed(markup).iter("use"):
        url, _, name = use.attrib["href"].partition("#")
        assert url == ornament_url()
        yield shapes()[name]


def of_class(root: Element, name: str) -> list[Element]:
    return [element for element in root.iter() if name in element.get("class", "").split()]
