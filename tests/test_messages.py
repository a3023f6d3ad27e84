"""The catalogues of messages: complete, correct, and without texts beside them."""

from __future__ import annotations

import ast
import re
import string
from functools import cache
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog, Message

from liarspoker.language import of_environment, speaking, translated
from tools.messages import catalogue, extracted, is_translated, po_file
from tools.untranslated import FUNCTIONS, SOURCES, in_python, in_template, untranslated

EVERY_LANGUAGE = pytest.mark.parametrize("code", translated())
_TAG = re.compile(r"</?[a-z]+[^>]*>")


@cache
def messages() -> Catalog:
    return extracted()


def forms(text: object) -> tuple[str, ...]:
    return tuple(text) if isinstance(text, tuple | list) else (str(text),)


def placeholders(text: str) -> set[str]:
    return {name for _text, name, _format, _conversion in string.Formatter().parse(text) if name is not None}


def test_no_text_is_outside_the_catalogues() -> None:
    assert [f"{one.file}:{one.line}: {one.text}" for one in untranslated()] == []


def test_a_text_outside_the_catalogues_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tools.untranslated.ROOT", tmp_path)
    module, page = tmp_path / "module.py", tmp_path / "page.html"
    module.write_text('"""A docstring."""\nprint(_("a known text"), f"the bid of {name}", "a-key")\n', encoding="utf-8")
    page.write_text('<p title="Three words here">{{ _("known") }} {# note #}</p>\n<b>New</b>', encoding="utf-8")
    assert [(one.line, one.text) for one in in_python(module)] == [(2, "the bid of {}")]
    assert [(one.line, one.text) for one in in_template(page)] == [(1, "Three words here"), (2, "New")]


def test_every_call_with_a_message_is_extracted() -> None:
    """Calls inside f-strings and inside other calls with messages aren't, so there are none."""
    known = {(message.context, text) for message in messages() for text in forms(message.id)}
    lost = []
    for path in SOURCES.rglob("*.py"):
        for call in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in FUNCTIONS:
                given = [one.value for one in call.args if isinstance(one, ast.Constant) and isinstance(one.value, str)]
                context = given.pop(0) if call.func.id == "pgettext" and len(given) > 1 else None
                lost += [f"{path.name}:{call.lineno}: {text}" for text in given[:1] if (context, text) not in known]
    assert lost == []


@EVERY_LANGUAGE
def test_a_catalogue_has_exactly_the_messages_of_the_sources(code: str) -> None:
    found = {(message.context, message.id) for message in catalogue(code) if message.id}
    wanted = {(message.context, message.id) for message in messages() if message.id}
    assert found - wanted == set(), "run make messages"
    assert wanted - found == set(), "run make messages"


@EVERY_LANGUAGE
def test_every_message_is_translated(code: str) -> None:
    assert [message.id for message in catalogue(code) if message.id and not is_translated(message)] == []
    assert [message.id for message in catalogue(code) if message.id and message.fuzzy] == []


def fault_of(message: Message) -> str:
    """What is wrong with a translation; empty if nothing is."""
    english, given = forms(message.id), forms(message.string)
    wanted = set().union(*map(placeholders, english))
    for text in given:
        left_out = wanted - placeholders(text)
        if placeholders(text) - wanted or (left_out and not (len(english) > 1 and left_out <= {"count"})):
            return f"other placeholders: {text}"
    if len(english) == 1 and sorted(_TAG.findall(english[0])) != sorted(_TAG.findall(given[0])):
        return f"other tags: {given[0]}"
    ends = [(text[:1].isspace(), text[-1:].isspace()) for text in (english[0], *given)]
    return "" if len(set(ends)) == 1 else f"other spaces at the ends: {given[0]}"


@EVERY_LANGUAGE
def test_translations_have_the_placeholders_and_tags_of_their_messages(code: str) -> None:
    faults = {str(message.id): fault_of(message) for message in catalogue(code) if message.id and message.string}
    assert {english: fault for english, fault in faults.items() if fault} == {}


@EVERY_LANGUAGE
def test_attributes_stay_intact(code: str) -> None:
    """A translation in a template may be in an attribute, so it has no straight quotation marks but in its own tags."""
    quoted = [
        message.string
        for message in catalogue(code)
        if message.id and any(place.endswith(".html") for place, _line in message.locations)
        for text in forms(message.string)
        if '"' in _TAG.sub("", text)
    ]
    assert quoted == []


@EVERY_LANGUAGE
def test_catalogues_name_no_line_numbers_or_people(code: str) -> None:
    text = po_file(code).read_text(encoding="utf-8")
    assert not re.search(r"^#: .*:\d+", text, re.MULTILINE)
    assert "FIRST AUTHOR" not in text


def test_the_program_speaks_the_language_of_the_environment() -> None:
    assert of_environment({"LANG": "es_MX.UTF-8"}) == "es"
    with speaking("de"):
        from liarspoker.language import _

        assert _("Settings") == "Einstellungen"
