"""Templates whose code does no more than ours need: for every page that is drawn, Jinja's own does much for nothing.

Everything is still escaped, and a name that is missing is still an error. What our templates can't have is left out:
functions that want the context of the template, and values of a mapping that are written like attributes.
"""

from __future__ import annotations

from functools import lru_cache
from types import SimpleNamespace
from typing import Any

from jinja2 import Environment, Template, nodes
from jinja2.compiler import CodeGenerator, Frame
from jinja2.runtime import Context, Macro
from markupsafe import Markup, escape


@lru_cache(maxsize=4096)
def _escaped(text: str) -> str:
    return str(escape(text))


def written(value: object) -> str:
    """A value as it stands in a page: HTML as it is, all else escaped.

    >>> written("a < b"), written(Markup("<b>")), written(7), written(None)
    ('a &lt; b', Markup('<b>'), '7', 'None')
    """
    if type(value) is Markup:
        return value
    if type(value) is str:
        return _escaped(value)
    return str(value) if type(value) is int else str(escape(value))


def drawn_once(template: Template) -> SimpleNamespace:
    """What a template exports, whose macros make the same HTML of the same words whenever they are called."""
    return SimpleNamespace(
        **{
            name: lru_cache(maxsize=1024)(value) if isinstance(value, Macro) else value
            for name, value in vars(template.module).items()
        }
    )


class _LeanContext(Context):
    """A context that calls what it is told to, without asking first whether that wants the context."""

    def call(__self, __obj: Any, *args: Any, **kwargs: Any) -> Any:  # noqa: N805  # keywords are the template's
        """Call what a template calls."""
        kwargs.pop("_block_vars", None)
        kwargs.pop("_loop_vars", None)
        return __obj(*args, **kwargs)


class _LeanCode(CodeGenerator):
    """Code in which every value goes through `written`."""

    def _output_child_pre(self, node: nodes.Expr, frame: Frame, finalize: Any) -> None:
        assert frame.eval_ctx.autoescape
        assert not frame.eval_ctx.volatile
        self.write("environment.written(")


class LeanEnvironment(Environment):
    """An environment that escapes everything."""

    code_generator_class = _LeanCode
    context_class = _LeanContext
    written = staticmethod(written)
    getattr = staticmethod(getattr)  # type: ignore[assignment]
