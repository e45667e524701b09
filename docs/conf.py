"""How Sphinx builds these pages (`make docs`). Nothing here needs the network."""

from __future__ import annotations

from importlib.metadata import version as installed_version

project = "newscrawl"
author = "the newscrawl developers"
project_copyright = "the newscrawl developers, BSD-3-Clause"
version = release = installed_version("newscrawl")

extensions = ["myst_parser", "sphinx.ext.autodoc"]
exclude_patterns = ["_scripts"]
nitpicky = False  # docstrings name classes of libraries whose pages are not looked up

html_theme = "furo"
html_title = f"newscrawl {release}"
html_show_sourcelink = False

myst_heading_anchors = 3  # links such as scheduling.md#traps
myst_enable_extensions = ["colon_fence"]

autodoc_typehints = "signature"
autodoc_member_order = "bysource"
autodoc_preserve_defaults = True
