"""Page -> title, authors, dates, language, section, tags, image, canonical, site name, description. Pure."""

from __future__ import annotations

from newscrawl.metadata.read import Reader, read_metadata

__all__ = ["Reader", "read_metadata"]
