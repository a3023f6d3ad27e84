"""How Sphinx builds these documents: `make docs`."""

from liarspoker import __version__

project = "liarspoker"
author = "The liarspoker contributors"
copyright = f"2026, {author}"
release = __version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
myst_enable_extensions = ["colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 3
autodoc_member_order = "bysource"
nitpicky = False

html_theme = "furo"
html_title = f"liarspoker {release}"
