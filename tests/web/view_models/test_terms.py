"""The words for options and titles, and that they are messages."""

from __future__ import annotations

import gettext

import pytest

from liarspoker import language
from liarspoker.core import catalogue
from liarspoker.language import speaking
from liarspoker.web.view_models import terms
from liarspoker.web.view_models.terms import option_label, option_words, title_with_bots, title_words

GAMES = [row.id for row in catalogue.games()]


class Bracketed(gettext.NullTranslations):
    """A language in which every message is in brackets."""

    def gettext(self, message: str) -> str:
        return f"[{message}]"

    def pgettext(self, context: str, message: str) -> str:
        return f"[{message}]"


@pytest.fixture(autouse=True)
def _bracketed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(language, "translations", lambda _code: Bracketed())


@pytest.mark.parametrize("game", GAMES)
def test_every_option_and_its_values_are_messages(game: str) -> None:
    with speaking("brackets"):
        for info in catalogue.load(game).option_infos:
            assert option_label(info.name) == f"[{info.name.replace('_', ' ').capitalize()}]"
            for value in info.choices:
                if isinstance(value, bool) or not str(value).isdigit():
                    words = ("on" if value else "off") if isinstance(value, bool) else str(value).replace("_", " ")
                    assert option_words(value) == f"[{words or 'none'}]"


@pytest.mark.parametrize("game", GAMES)
def test_a_title_is_stored_in_english_and_shown_in_the_language_of_who_reads_it(game: str) -> None:
    with speaking("brackets"):
        stored = title_with_bots(game)
        assert "[" not in stored
        assert title_words(stored, game).startswith("[")
        assert title_words(terms.QUICK_TITLE, game) == "[Quick table]"
        assert title_words("Settings", game) == "Settings"
    assert title_words(stored, game) == stored
