"""How Sphinx builds these documents: `make docs`."""

import sys
from pathlib import Path

from liarspoker import __version__
from liarspoker.core import catalogue

sys.path.insert(0, str(Path(__file__).parent))  # for the extensions that live here

project = "liarspoker"
author = "The liarspoker contributors"
copyright = f"2026, {author}"
release = __version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
extensions += ["limit_tables", "observation_tables", "option_tables", "security_ledger", "setting_tables"]
myst_enable_extensions = ["colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 3
autodoc_member_order = "bysource"
nitpicky = False

html_theme = "furo"
html_title = f"liarspoker {release}"

# The rules of each game are part of its data; here they become a page, followed by the table of the game's options.
for row in catalogue.games():
    page = Path(__file__).parent / "rules" / f"{row.id}.md"
    command = f"In the terminal:\n\n```console\n$ liarspoker games {row.id}\n```\n"
    options = f"## Options\n\nWhat this game sets each option to, and what else it may be. {command}"
    text = f"{catalogue.rules_page(row.id)}\n{options}\n```{{option-table}} {row.id}\n```\n"
    if not page.exists() or page.read_text(encoding="utf-8") != text:
        page.write_text(text, encoding="utf-8")
