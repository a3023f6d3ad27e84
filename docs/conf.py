"""How Sphinx builds these documents: `make docs`."""

import sys
from pathlib import Path

from liarspoker import __version__

sys.path.insert(0, str(Path(__file__).parent))  # for the extensions that live here

project = "liarspoker"
author = "The liarspoker contributors"
copyright = f"2026, {author}"
release = __version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
extensions += ["limit_tables", "observation_tables", "option_tables"]
myst_enable_extensions = ["colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 3
autodoc_member_order = "bysource"
nitpicky = False

html_theme = "furo"
html_title = f"liarspoker {release}"
