"""The language of texts: messages of the catalogues in `liarspoker/locale`, in the language of the current context.

A message is written in English where it is used, as a whole sentence with named placeholders, so that a translator can
order its words freely:

>>> _("{name} bids {bid}.", name="Ann", bid="3 eights")
'Ann bids 3 eights.'
>>> ngettext("{count} hand", "{count} hands", 3)
'3 hands'

The language belongs to a context (`contextvars`): a request's, a page's, or the whole program's. It is English unless
`speaking` or `speak` sets another one.
"""

from __future__ import annotations

import os
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache, lru_cache, wraps

TYPE_CHECKING = False  # type checkers take it for true; the modules are slow to import
if TYPE_CHECKING:
    import gettext
    from collections.abc import Callable, Iterator, Mapping
    from typing import Any, ParamSpec, TypeVar

    _Given = ParamSpec("_Given")
    _Made = TypeVar("_Made")

LANGUAGES: Mapping[str, str] = {"en": "English", "de": "Deutsch", "es": "Español"}
"""The languages by their codes (ISO 639-1), each with its own name."""

DOMAIN = "liarspoker"
"""The name of the catalogues, as gettext calls it."""

FOLDER = os.path.join(os.path.dirname(__file__), "locale")
"""The folder of the catalogues: `de/LC_MESSAGES/liarspoker.po`, and the `.mo` file that is compiled from it."""

_LANGUAGE: ContextVar[str] = ContextVar("language", default="en")


def language() -> str:
    """Return the code of the current language."""
    return _LANGUAGE.get()


def speak(code: str) -> None:
    """Set the language of the current context.

    Args:
        code: a key of `LANGUAGES`.
    """
    _LANGUAGE.set(code)


@contextmanager
def speaking(code: str) -> Iterator[None]:
    """Set the language within the context; see `speak`."""
    before = _LANGUAGE.set(code)
    try:
        yield
    finally:
        _LANGUAGE.reset(before)


def translated() -> tuple[str, ...]:
    """Return the codes of the languages other than English."""
    return tuple(code for code in LANGUAGES if code != "en")


@cache
def translations(code: str) -> gettext.NullTranslations:
    """Return the translations into a language.

    Raises:
        FileNotFoundError: the catalogue hasn't been compiled.
    """
    import gettext

    return gettext.NullTranslations() if code == "en" else gettext.translation(DOMAIN, FOLDER, [code])


def _(message: str, /, **values: object) -> str:
    """Return a message in the current language.

    Args:
        message: the English message, a literal. Placeholders are written as for `str.format`.
        values: the value of each placeholder. Without values, braces have no meaning.
    """
    code = _LANGUAGE.get()
    text = translations(code).gettext(message) if message and code != "en" else message
    return text.format(**values) if values else text


def ngettext(one: str, many: str, count: int, /, **values: object) -> str:
    """Return a message whose form depends on a number, in the current language.

    Args:
        one: the English message for the number 1, a literal.
        many: the English message for other numbers, a literal.
        count: the number, also the value of the placeholder `count`.
        values: the value of each other placeholder.
    """
    return translations(_LANGUAGE.get()).ngettext(one, many, count).format(count=count, **values)


def pgettext(context: str, message: str, /, **values: object) -> str:
    """Return a message that needs a context to be translated, such as a single word; see `_`.

    >>> pgettext("a suit", "spades")
    'spades'
    """
    text = translations(_LANGUAGE.get()).pgettext(context, message)
    return text.format(**values) if values else text


def N_(message: str) -> str:  # noqa: N802  # the usual name
    """Mark a literal as a message that is translated later, with `_(variable)`; return it as it is."""
    return message


def number(text: str) -> str:
    """Return a number with the decimal point and thousands commas of the current language.

    Args:
        text: the number as Python formats it, possibly inside other text without points and commas.

    >>> number(f"{1234.5:,.2f}")
    '1,234.50'
    """
    if _LANGUAGE.get() == "en":
        return text
    return text.translate({ord("."): pgettext("decimal point", "."), ord(","): pgettext("thousands separator", ",")})


def per_language(
    maxsize: int | None = 128, typed: bool = False
) -> Callable[[Callable[_Given, _Made]], Callable[_Given, _Made]]:
    """Return a decorator like `functools.lru_cache` that keeps a result for each language.

    Args:
        maxsize: the number of results in all languages together; `None` for no limit.
        typed: arguments of different types are different, even if they are equal.
    """

    def decorator(function: Callable[_Given, _Made]) -> Callable[_Given, _Made]:
        @lru_cache(maxsize, typed)
        def kept(code: str, *args: Any, **kwargs: Any) -> _Made:
            return function(*args, **kwargs)

        @wraps(function)
        def called(*args: _Given.args, **kwargs: _Given.kwargs) -> _Made:
            return kept(_LANGUAGE.get(), *args, **kwargs)  # type: ignore[arg-type]  # must be hashable

        return called

    return decorator


def preferred(accepted: str) -> str:
    """Return the language of `LANGUAGES` that an `Accept-Language` header prefers; English if it names none.

    >>> preferred("fr-CH, fr;q=0.9, de-AT;q=0.8, en;q=0.7"), preferred(""), preferred("es-419"), preferred("de;q=0")
    ('de', 'en', 'es', 'en')
    """
    weighed: list[tuple[float, str]] = []
    for part in accepted[:500].split(","):
        name, _sep, weight = part.partition(";q=")
        code = name.strip().lower().partition("-")[0]
        try:
            weighed.append((float(weight or 1), code))
        except ValueError:
            continue
    ranked = sorted(weighed, key=lambda one: one[0], reverse=True)
    return next((code for weight, code in ranked if weight > 0 and code in LANGUAGES), "en")


def of_environment(environment: Mapping[str, str] = os.environ) -> str:
    """Return the language of `LANGUAGES` that the environment asks for, as other programs with gettext do.

    >>> of_environment({"LANG": "de_CH.UTF-8"}), of_environment({"LC_ALL": "C", "LANG": "es_ES"})
    ('de', 'en')
    >>> of_environment({"LANGUAGE": "fr:es", "LANG": "fr_FR.UTF-8"})
    'es'
    """
    locale = next((environment[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if environment.get(name)), "C")
    wanted = environment.get("LANGUAGE", "").split(":") if locale.partition(".")[0] not in ("C", "POSIX") else []
    codes = [name.partition("_")[0].partition(".")[0] for name in (*wanted, locale)]
    return next((code for code in codes if code in LANGUAGES), "en")
