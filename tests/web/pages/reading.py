"""A user who reads pages and sends their forms like a browser without JavaScript."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any
from urllib.parse import urlsplit

import httpx2

from tests.server.inprocess import Person

Attributes = dict[str, str]

_VOID = frozenset(["br", "col", "hr", "img", "input", "link", "meta", "wbr"])


@dataclass
class Node:
    """An element of a page."""

    tag: str
    at: Attributes
    inside: list[Node | str] = field(default_factory=list)

    @property
    def text(self) -> str:
        """Its text with single spaces."""
        return " ".join(" ".join(one if isinstance(one, str) else one.text for one in self.inside).split())

    def all(self, tag: str = "", **attributes: str) -> list[Node]:
        """Return the descendants with this tag and these attributes; `cls` matches one of the classes."""
        found = []
        for one in self.inside:
            if isinstance(one, Node):
                if one.fits(tag, attributes):
                    found.append(one)
                found += one.all(tag, **attributes)
        return found

    def one(self, tag: str = "", **attributes: str) -> Node:
        """Return the only such element."""
        found = self.all(tag, **attributes)
        assert len(found) == 1, (tag, attributes, [node.text for node in found])
        return found[0]

    def fits(self, tag: str, attributes: Attributes) -> bool:
        wanted = dict(attributes)
        cls = wanted.pop("cls", "")
        return (
            tag in ("", self.tag)
            and (not cls or cls in self.at.get("class", "").split())
            and all(self.at.get(name.replace("_", "-")) == value for name, value in wanted.items())
        )


class _Builder(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.root = Node("", {})
        self.open = [self.root]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        node = Node(tag, {name: value or "" for name, value in attrs})
        self.open[-1].inside.append(node)
        if tag not in _VOID:
            self.open.append(node)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.open[-1].inside.append(Node(tag, {name: value or "" for name, value in attrs}))

    def handle_endtag(self, tag: str) -> None:
        if tag not in _VOID:
            assert self.open[-1].tag == tag, f"<{self.open[-1].tag}> is closed by </{tag}>"
            self.open.pop()

    def handle_data(self, data: str) -> None:
        self.open[-1].inside.append(data)


def read_page(html: str) -> Node:
    """Parse a page or a part of one."""
    builder = _Builder()
    builder.feed(html)
    return builder.root


@dataclass
class Reader:
    """A user with a browser without JavaScript.

    Attributes:
        person: the user, with their cookie.
        page: the current page.
        status: its HTTP status.
        address: its URL.
    """

    person: Person
    page: Node = field(default_factory=lambda: Node("", {}))
    status: int = 0
    address: str = ""

    def read(self, address: str, **headers: str) -> Reader:
        """Open a page."""
        return self._came(self.person.http.get(address, headers=headers))

    def send(
        self, button: str, more: dict[str, str] | None = None, /, within: Node | None = None, **filled: str
    ) -> Reader:
        """Press the button whose text starts with `words`, in a form with `fields` filled in."""
        buttons = [one for one in (within or self.page).all("button") if one.text.startswith(button)]
        assert buttons, (button, [one.text for one in self.page.all("button")])
        pressed = buttons[0]
        form = self._form_of(pressed)
        fields = self._fields(form) | (more or {}) | filled
        if "name" in pressed.at:
            fields[pressed.at["name"]] = pressed.at["value"]
        address = pressed.at.get("formaction", form.at["action"])
        if pressed.at.get("formmethod", form.at.get("method", "get")) == "get":
            return self._came(self.person.http.get(address, params=fields, follow_redirects=True))
        return self.post(address, **fields)

    def post(self, address: str, **fields: str) -> Reader:
        """Send a form to a path and follow redirects."""
        return self._came(self.person.http.post(address, data=fields, follow_redirects=True))

    @property
    def table(self) -> str:
        """The id of the current table."""
        path = urlsplit(self.address).path
        assert path.startswith("/t/"), path
        return path.split("/")[2]

    def view(self) -> dict[str, Any]:
        """Return the current table's view from the API."""
        return self.person.view(self.table)

    def mistake(self, name: str) -> str:
        """Return the error message beside a field."""
        wrong = [one for one in self.page.all("", name=name) if one.at.get("aria-invalid") == "true"]
        assert wrong, f"nothing is wrong with {name}"
        return self.page.one(id=wrong[0].at["aria-describedby"]).text

    def _form_of(self, button: Node) -> Node:
        if "form" in button.at:
            return self.page.one("form", id=button.at["form"])
        return next(form for form in self.page.all("form") if button in form.all("button"))

    def _fields(self, form: Node) -> dict[str, str]:
        fields = {}
        for one in form.all("input"):
            kind = one.at.get("type", "text")
            if "name" in one.at and "form" not in one.at and (kind not in ("radio", "checkbox") or "checked" in one.at):
                fields[one.at["name"]] = one.at.get("value", "")
        for one in form.all("select"):
            chosen = [option for option in one.all("option") if "selected" in option.at] or one.all("option")
            fields[one.at["name"]] = chosen[0].at.get("value", chosen[0].text)
        return fields

    def _came(self, response: httpx2.Response) -> Reader:
        self.page, self.status, self.address = read_page(response.text), response.status_code, str(response.url)
        return self
