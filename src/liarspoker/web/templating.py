"""A faster Jinja environment that supports only what the templates of this package need.

Output is still escaped, and undefined names are still errors. Not supported: functions that take the template's
context, and attribute access to the values of a mapping.
"""

from __future__ import annotations

import marshal
import operator
from collections.abc import Mapping, MutableMapping
from contextlib import suppress
from functools import lru_cache
from hashlib import sha256
from importlib.util import MAGIC_NUMBER
from pathlib import Path
from types import CodeType, SimpleNamespace
from typing import Any

import jinja2
from jinja2 import BytecodeCache, Environment, Template, nodes
from jinja2.bccache import Bucket
from jinja2.compiler import CodeGenerator, Frame
from jinja2.runtime import Context, Macro
from markupsafe import Markup, escape

from liarspoker.cache import code_folder
from liarspoker.files import CannotWrite, new_file
from liarspoker.language import _, language, per_language, pgettext, translations


@lru_cache(maxsize=4096)
def _escaped(text: str) -> str:
    return str(escape(text))


def html_of(value: object) -> str:
    """Return a value as HTML: `Markup` as it is, everything else escaped.

    >>> html_of("a < b"), html_of(Markup("<b>")), html_of(7), html_of(None)
    ('a &lt; b', Markup('<b>'), '7', 'None')
    """
    if type(value) is Markup:
        return value
    if type(value) is str:
        return _escaped(value)
    return str(value) if type(value) is int else str(escape(value))


def cached_module(template: Template) -> SimpleNamespace:
    """Return what a template exports, with its macros cached; they may depend only on their arguments."""
    return SimpleNamespace(
        **{
            name: per_language(maxsize=1024)(value) if isinstance(value, Macro) else value
            for name, value in vars(template.module).items()
        }
    )


def html_message(message: str, /, **values: object) -> Markup:
    """Return a message in the current language as HTML; its values are escaped. See `liarspoker.language._`."""
    return _filled(_(message), values)


def html_of_count(one: str, many: str, count: int, /, **values: object) -> Markup:
    """Return a message that depends on a number as HTML; its values are escaped. See `liarspoker.language.ngettext`."""
    return _filled(translations(language()).ngettext(one, many, count), {"count": count, **values})


def html_of_word(context: str, message: str, /, **values: object) -> Markup:
    """Return a message with its context as HTML; its values are escaped. See `liarspoker.language.pgettext`."""
    return _filled(pgettext(context, message), values)


def _filled(html: str, values: Mapping[str, object]) -> Markup:
    """Fill in the escaped values; `Markup.format` does the same in Python code, which is slower."""
    return as_markup(html.format(**{name: html_of(value) for name, value in values.items()}) if values else html)


def as_markup(html: str) -> Markup:
    """Return HTML as `Markup`, as the class does, but without its Python code."""
    return str.__new__(Markup, html)


class _LeanContext(Context):
    """A context that calls functions directly, without checking whether they take the context."""

    call = operator.call  # type: ignore[assignment]  # a builtin, so that the context isn't passed


class _LeanCode(CodeGenerator):
    """Generates code that passes every output value through `html_of`, and functions only their own arguments."""

    def signature(
        self, node: nodes.Call | nodes.Filter | nodes.Test, frame: Frame, extra_kwargs: Mapping[str, Any] | None = None
    ) -> None:
        caller = {name: value for name, value in (extra_kwargs or {}).items() if name == "caller"}
        super().signature(node, frame, caller)

    def _output_child_pre(self, node: nodes.Expr, frame: Frame, finalize: Any) -> None:
        assert frame.eval_ctx.autoescape
        assert not frame.eval_ctx.volatile
        self.write("environment.html_of(")


class _LeanTemplate(Template):
    """A template that is imported once: no template has globals of its own that an import would have to see."""

    def _get_default_module(self, ctx: Context | None = None) -> Any:
        return super()._get_default_module()


class CodeCache(BytecodeCache):
    """A cache of compiled templates between starts: compiling all of them takes over a second of processor time.

    A template is compiled again if it has changed, or this module, Jinja, Python or one of the sources. If there is no
    folder that can be written to, every start compiles it.

    Args:
        sources: files on which the code of the templates depends too, such as the one that chooses the environment's
            options, and those of filters.
    """

    def __init__(self, *sources: str) -> None:
        compiler = sha256(MAGIC_NUMBER + jinja2.__version__.encode())
        for source in (__file__, *sources):
            compiler.update(sha256(Path(source).read_bytes()).digest())
        self._folder = code_folder(compiler.hexdigest()[:32], "templates")

    def load_bytecode(self, bucket: Bucket) -> None:
        """Load the code of a template, if it has been stored."""
        if self._folder is not None:
            with suppress(OSError, EOFError, ValueError, TypeError):
                found = marshal.loads((self._folder / f"{bucket.key}-{bucket.checksum}").read_bytes())
                bucket.code = found if isinstance(found, CodeType) else None

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Store the code of a template, if possible."""
        if self._folder is not None:
            path = self._folder / f"{bucket.key}-{bucket.checksum}"
            with suppress(CannotWrite), new_file(path, overwrite=True, mode=0o600) as file:
                file.write(marshal.dumps(bucket.code))


class LeanEnvironment(Environment):
    """An environment that always escapes."""

    template_class = _LeanTemplate
    code_generator_class = _LeanCode
    context_class = _LeanContext
    html_of = staticmethod(html_of)
    getattr = staticmethod(getattr)  # type: ignore[assignment]

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._loaded: dict[str | Template, Template] = {}

    def get_template(
        self, name: str | Template, parent: str | None = None, globals: MutableMapping[str, Any] | None = None
    ) -> Template:
        """Return a template, which every `include` does; templates don't change."""
        found = self._loaded.get(name)
        if found is None:
            found = self._loaded[name] = super().get_template(name, parent, globals)
        return found

    def make_globals(self, d: MutableMapping[str, Any] | None) -> MutableMapping[str, Any]:
        """Return the globals of a template: those of the environment, which every `include` copies."""
        assert not d
        return self.globals
