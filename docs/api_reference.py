"""Write the pages of the API reference from the package itself, before Sphinx reads its sources.

There is one page for each package in `PACKAGES`, with a section for each of its modules, and one page that lists the
names which `liarspoker` itself exports. The pages lie in `docs/reference/api` and are not tracked.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import pkgutil
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from sphinx.ext.napoleon.docstring import GoogleDocstring

import liarspoker

if TYPE_CHECKING:
    from sphinx.application import Sphinx


class Package(NamedTuple):
    """A package with a page of its own."""

    name: str
    title: str
    modules: tuple[str, ...] = ()
    """Its modules on that page, in this order; all public ones if empty."""


# Parts of a game family that serve live tables, pages and the terminal are internal.
RULES: tuple[str, ...] = (
    "presets",
    "options",
    "ladder",
    "auction",
    "hands",
    "deal",
    "state",
    "actions",
    "round",
    "settlement",
    "result",
    "session",
)
RULES += (
    "notation",
    "appraisal",
    "bot_values",
    "beliefs",
    "outlook",
    "heuristics",
    "bots",
    "kernel",
    "kernel_policies",
    "seen",
    "features",
    "network_bot",
    "kernel_network",
)

PACKAGES = (
    Package("liarspoker.core", "Sessions and the catalogue"),
    Package("liarspoker.core.cards", "Cards"),
    Package("liarspoker.games.digits", "Digit games", RULES),
    Package("liarspoker.games.queen_annes", "Queen Anne's games", RULES),
    Package("liarspoker.games.thorin", "Thorin's game", RULES),
    Package("liarspoker.records", "Records"),
    Package("liarspoker.odds", "Odds"),
    Package("liarspoker.bots", "Bots"),
    Package("liarspoker.engine", "The engine"),
    Package("liarspoker.engine.compiling", "The compiler"),
    Package("liarspoker.solve", "The solver"),
    Package("liarspoker.solve.beliefs", "Beliefs"),
    Package("liarspoker.coach", "The coach"),
    Package("liarspoker.coach.cards", "The coach in card games"),
    Package("liarspoker.train", "Training"),
    Package("liarspoker.research", "Research environments"),
    Package("liarspoker.research.pettingzoo", "PettingZoo"),
    Package("liarspoker.research.openspiel", "OpenSpiel"),
)


def public_modules(package: Package) -> list[str]:
    """The full names of the modules on a package's page."""
    found = importlib.import_module(package.name)
    inside = [one for one in pkgutil.iter_modules(found.__path__) if not one.name.startswith("_")]
    if package.modules:
        there = {one.name for one in inside}
        names = [name for name in package.modules if name in there]
    else:
        names = [one.name for one in inside if not one.ispkg]
    return [f"{package.name}.{name}" for name in names]


def public_names(module: str) -> Iterator[str]:
    """The documented functions and classes that a module defines."""
    for name, value in vars(importlib.import_module(module)).items():
        defined_here = getattr(value, "__module__", None) == module
        documented = (inspect.isclass(value) or inspect.isfunction(value)) and value.__doc__
        if defined_here and documented and not name.startswith("_"):
            yield name


def file_name(package: str) -> str:
    """The file of a package's page, without its suffix."""
    return package.removeprefix("liarspoker.").replace(".", "-").replace("_", "-")


def package_page(package: Package) -> str:
    """The page of a package."""
    parts = [f"# {package.title}: `{package.name}`", _automodule(package.name, members=False)]
    for module in public_modules(package):
        short = module.removeprefix(f"{package.name}.")
        parts += [f"## {short}", f"Module `{module}`.", _automodule(module, members=True)]
    return "\n\n".join(parts) + "\n"


def _automodule(name: str, *, members: bool) -> str:
    options = "   :members:\n" if members else "   :no-members:\n"
    return f"```{{eval-rst}}\n.. automodule:: {name}\n{options}```"


def index_page() -> str:
    """The page that lists what `liarspoker` exports, and all packages."""
    lines = [
        "# API reference",
        "",
        "Every public module, class and function, generated from the docstrings. `[source]` shows the code.",
        "",
        _automodule("liarspoker", members=False),
        "",
        "## What the package exports",
        "",
        "Most programs need only the names that the package itself exports. Importing `liarspoker` loads none of",
        "them: each is loaded when it is first used.",
        "",
        "| name | what it is |",
        "| --- | --- |",
    ]
    for name in sorted(liarspoker.__all__, key=str.lower):
        value = _exported(name)
        summary = (inspect.getdoc(value) or "").partition("\n")[0].replace("|", "\\|")
        summary = re.sub(r":\w+:`~?(?:[\w.]*\.)?(\w+)`", r"`\1`", summary)
        if inspect.ismodule(value):
            lines.append(f"| [`{name}`]({file_name(value.__name__)}.md) | {summary} |")
        else:
            place = f"{value.__module__}.{value.__qualname__}"  # type: ignore[attr-defined]  # a class or function
            lines.append(f"| {{py:obj}}`{name} <{place}>` | {summary} |")
    lines += ["", "## Packages", "", "```{toctree}", ":maxdepth: 1", ""]
    lines += [file_name(package.name) for package in PACKAGES]
    lines += ["```", "", "{ref}`genindex` · {ref}`modindex`", ""]
    return "\n".join(lines)


def exports() -> dict[str, tuple[str, str]]:
    """Where each name that `liarspoker` exports is defined: its module and its name there.

    The imports for type checkers say so. The attribute of `liarspoker` itself may be a subpackage of the same name.
    """
    tree = ast.parse(Path(liarspoker.__file__).read_text(encoding="utf-8"))
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.module]
    return {
        alias.asname or alias.name: (node.module or "", alias.name)
        for node in imports
        for alias in node.names
        if (alias.asname or alias.name) in liarspoker.__all__
    }


def _exported(name: str) -> object:
    module, original = exports()[name]
    found = importlib.import_module(module)
    return importlib.import_module(f"{module}.{original}") if module == "liarspoker" else getattr(found, original)


def write_pages(app: Sphinx) -> None:
    """Write the pages that have changed, and delete those of packages that are gone."""
    folder = Path(app.srcdir) / "reference" / "api"
    folder.mkdir(exist_ok=True)
    pages = {f"{file_name(package.name)}.md": package_page(package) for package in PACKAGES} | {
        "index.md": index_page()
    }
    for old in folder.glob("*.md"):
        if old.name not in pages:
            old.unlink()
    for name, text in pages.items():
        path = folder / name
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")


def skip_field_aliases(app: Sphinx, what: str, name: str, obj: object, skip: bool, options: object) -> bool | None:
    """Skip the fields of named tuples, whose generated docstrings say nothing; the class documents them."""
    return True if (getattr(obj, "__doc__", None) or "").startswith("Alias for field number") else None


def convert_fences(app: Sphinx, what: str, name: str, obj: object, options: object, lines: list[str]) -> None:
    """Turn the Markdown fences of a docstring, which hold diagrams, into literal blocks."""
    inside = False
    converted: list[str] = []
    for line in lines:
        if line.startswith("```"):
            inside = not inside
            converted += ["", ".. code-block:: text", ""] if inside else [""]
        else:
            converted.append(f"   {line}" if inside else line)
    lines[:] = converted


def _whole_text(self: GoogleDocstring) -> tuple[str, list[str]]:
    """Take the docstring of an attribute as prose; napoleon takes the words before a colon for its type."""
    lines = self._dedent(self._consume_to_end())
    return "", GoogleDocstring(lines, self._config).lines()


def setup(app: Sphinx) -> dict[str, Any]:
    """Make the reference part of the build."""
    GoogleDocstring._consume_inline_attribute = _whole_text  # type: ignore[method-assign]
    app.connect("builder-inited", write_pages)
    app.connect("autodoc-skip-member", skip_field_aliases)
    app.connect("autodoc-process-docstring", convert_fences)
    return {"parallel_read_safe": True}
