"""The catalogues of messages: extract the messages of the sources, update the catalogues, and compile them.

`python -m tools.messages` does all three, and then lists how much of each language is translated.
"""

from __future__ import annotations

import sys
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po, write_po

from hatch_build import compiled
from liarspoker.language import DOMAIN, FOLDER, translated

ROOT = Path(__file__).parent.parent

JINJA = {"trim_blocks": "true", "lstrip_blocks": "true", "silent": "false"}
PLACES: tuple[tuple[str, list[tuple[str, str]], dict[str, dict[str, str]]], ...] = (
    ("src/liarspoker", [("**.py", "python"), ("**.html", "jinja2")], {"**.html": JINJA}),
    ("client/src", [("**.ts", "javascript")], {}),
)
"""The folders with messages, how Babel extracts them from each kind of file, and the options of that."""

KEYWORDS: dict[str, tuple[int | tuple[int, str], ...] | None] = {
    "_": None,
    "N_": None,
    "ngettext": (1, 2),
    "pgettext": ((1, "c"), 2),
}
"""The functions of `liarspoker.language` that take messages."""

NOTE = "Translators:"
"""How a comment begins that is copied into the catalogues."""


def extracted() -> Catalog:
    """Return the catalogue of all messages in the sources, without translations."""
    found = Catalog(project="liarspoker", charset="utf-8")
    for folder, methods, options in PLACES:
        for file, line, message, comments, context in extract_from_dir(
            ROOT / folder, methods, options, KEYWORDS, comment_tags=[NOTE], strip_comment_tags=True
        ):
            found.add(message, locations=[(f"{folder}/{file}", line)], auto_comments=comments, context=context)
    return found


def po_file(code: str) -> Path:
    """Return the path of a language's catalogue."""
    return Path(FOLDER, code, "LC_MESSAGES", f"{DOMAIN}.po")


def catalogue(code: str) -> Catalog:
    """Read a language's catalogue."""
    with po_file(code).open("rb") as file:
        return read_po(file, locale=code, domain=DOMAIN)


def updated(code: str, messages: Catalog) -> Catalog:
    """Return a language's catalogue with exactly the messages of `messages`; new ones are not translated yet."""
    now = catalogue(code) if po_file(code).exists() else Catalog(locale=code, fuzzy=False)
    messages.creation_date = now.creation_date  # so that only changed messages change the file
    now.update(messages, no_fuzzy_matching=True)
    now.obsolete.clear()
    now.project, now.version, now.copyright_holder = DOMAIN, "", f"The {DOMAIN} contributors"
    now.header_comment = f"# {now.locale.english_name} texts of {DOMAIN}." if now.locale else ""
    return now


def is_translated(message: Message) -> bool:
    """Return whether a message, with all its forms, has a translation."""
    return all(message.string) if isinstance(message.string, tuple) else bool(message.string)


def main() -> int:
    """Update and compile all catalogues."""
    messages = extracted()
    for code in translated():
        now = updated(code, messages)
        path = po_file(code)
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("wb") as file:
            write_po(file, now, width=120, omit_header=False, sort_output=False, include_lineno=False)
        missing = [message for message in now if message.id and not is_translated(message)]
        print(f"{code}: {len(now) - len(missing)} of {len(now)} messages translated")
    compiled(ROOT)
    return 0


if __name__ == "__main__":
    sys.exit(main())
