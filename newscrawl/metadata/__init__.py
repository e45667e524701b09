"""Metadata of a page: title, authors, dates, language, section, tags, image, canonical, site name, description. Pure.

In here: `read` returns all of it in one value. `titles`, `authors`, `dates`, `languages`, `topics`, `addresses` and
`sites` read one field each. `structured` and `microdata` read the machine-readable parts of a page. `text` cleans
strings for storage, `title_parts` takes the site's name out of titles. `statements` finds where a page states each
field, for people. `live_entries` reads the entries of live reports, `clock_entries` those with a time of day only. Not
in here: what a page declares before it is interpreted (`newscrawl.page.head`). Start with `read`.

`newscrawl.monitoring` and everything above it may import this package.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from newscrawl.lazy import loaded_when_used

if TYPE_CHECKING:
    from newscrawl.metadata.read import MetadataReader, read_metadata

__all__ = ["MetadataReader", "read_metadata"]

__getattr__ = loaded_when_used(__name__, {"MetadataReader": "read", "read_metadata": "read"})
