"""Sphinx configuration for these documents: `make docs`."""

import logging
import os
import sys
from functools import cache
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx

from liarspoker import __version__
from liarspoker.core import catalogue

DOCS = Path(__file__).parent
sys.path.insert(0, str(DOCS))  # for the extensions in this folder

project = "liarspoker"
author = "The liarspoker contributors"
copyright = f"2026, {author}"
release = __version__

extensions = ["myst_nb", "sphinx_copybutton", "sphinx_design"]
extensions += ["sphinx.ext.autodoc", "sphinx.ext.intersphinx", "sphinx.ext.napoleon", "sphinx.ext.viewcode"]
extensions += ["api_reference"]
extensions += [
    "arena_tables",
    "limit_tables",
    "observation_tables",
    "option_tables",
    "security_ledger",
    "setting_tables",
]
exclude_patterns = ["_static", "README.md"]
suppress_warnings = ["ref.python"]  # a short name in an annotation may fit several objects; then it isn't a link

# ------------------------------------------------------------------------------------- Markdown and notebooks

myst_enable_extensions = ["colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 3
nb_execution_mode = "force"  # notebooks are stored without output
nb_execution_timeout = 120
nb_execution_raise_on_error = True
nb_merge_streams = True
logging.getLogger("traitlets").setLevel(logging.WARNING)  # else the builder reports every notebook that it executes

# ------------------------------------------------------------------------------------- docstrings

autodoc_member_order = "bysource"
autodoc_preserve_defaults = True
autodoc_typehints_format = "short"
add_module_names = False
default_role = "py:obj"  # `name` in a docstring links to that object where there is one
napoleon_google_docstring = True
napoleon_numpy_docstring = False
napoleon_use_ivar = True
python_maximum_signature_line_length = 88
toc_object_entries_show_parents = "hide"

# Links into other projects' documents need their inventories from the network. Without the network a build would fail
# with warnings, so they are made only on request: INTERSPHINX=1 make docs.
intersphinx_mapping = (
    {
        "python": ("https://docs.python.org/3", None),
        "numpy": ("https://numpy.org/doc/stable", None),
        "pettingzoo": ("https://pettingzoo.farama.org", None),
    }
    if os.environ.get("INTERSPHINX")
    else {}
)

# ------------------------------------------------------------------------------------- HTML

html_theme = "furo"
html_title = "liarspoker"
html_short_title = "liarspoker"
html_static_path = ["_static"]
html_css_files = ["book.css"]
html_favicon = "_static/seal.svg"
html_theme_options = {
    "top_of_page_buttons": [],
    "sidebar_hide_name": False,
    "light_logo": "seal.svg",
    "dark_logo": "seal-dark.svg",
    "light_css_variables": {
        "color-brand-primary": "#1b5a42",
        "color-brand-content": "#1b5a42",
        "color-brand-visited": "#1b5a42",
        "color-background-secondary": "#f7f3e8",
        "color-sidebar-item-background--hover": "#ece5d2",
        "color-api-name": "#1b5a42",
        "color-api-pre-name": "#5b6159",
    },
    "dark_css_variables": {
        "color-brand-primary": "#8fd0b0",
        "color-brand-content": "#8fd0b0",
        "color-brand-visited": "#8fd0b0",
        "color-api-name": "#8fd0b0",
        "color-api-pre-name": "#b9c4bc",
    },
}
copybutton_prompt_text = r"\$ |>>> |\.\.\. "
copybutton_prompt_is_regexp = True
copybutton_exclude = ".linenos, .gp, .go"

# ------------------------------------------------------------------------------------- the rules of each game

# The rules are data of each game. Each becomes a page, followed by the table of the game's options.
PICTURES = {
    "dollar-bill": ("count-bills.png", "The count: everyone's fingers show how many of the digit they hold."),
    "salomon-1986": ("count.png", "Everyone shows with their fingers how many of the digit they hold."),
    "slips": ("slip.png", "A printed slip: one row is played in each hand."),
    "thorin": ("showdown-thorin.png", "A challenge ends the round: the hand is shown, and the loser is eliminated."),
    "queen-annes": (
        "showdown-queen-annes.png",
        "The showdown: all cards are shown, and the claimed hand is there or not.",
    ),
}


def rules_page(preset: catalogue.GamePreset) -> str:
    """The Markdown page of a game: its rules, a picture where there is one, and its options."""
    title, _, text = catalogue.rules_page(preset.id).partition("\n")
    picture = ""
    if preset.id in PICTURES and (DOCS / "pictures" / PICTURES[preset.id][0]).exists():
        name, caption = PICTURES[preset.id]
        picture = f"\n```{{figure}} ../pictures/{name}\n:alt: {caption}\n\n{caption}\n```\n"
    options = "## Options\n\nThe options of this game, their values here, and the other values that they take."
    command = f"To print this page in a terminal:\n\n```console\n$ liarspoker games {preset.id}\n```\n"
    return f"{title}\n{picture}{text}\n{options} {command}\n```{{option-table}} {preset.id}\n```\n"


for preset in catalogue.games():
    path = DOCS / "rules" / f"{preset.id}.md"
    page = rules_page(preset)
    if not path.exists() or path.read_text(encoding="utf-8") != page:
        path.write_text(page, encoding="utf-8")

# ------------------------------------------------------------------------------------- the pages of source code

SOURCE = "_modules/"


def setup(app: Sphinx) -> None:
    """Compute the navigation of pages of source code once for each depth: it has the same links on all of them."""
    navigation: dict[int, Any] = {}

    def share(app: Sphinx, name: str, template: str, context: dict[str, Any], document: object) -> None:
        if name.startswith(SOURCE):
            context["toctree"] = navigation.setdefault(name.count("/"), cache(context["toctree"]))

    app.connect("html-page-context", share, priority=400)  # before the theme
