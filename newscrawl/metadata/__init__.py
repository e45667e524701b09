"""Page -> title, authors, dates, language, section, tags, image, canonical, site name, description. Pure."""

from __future__ import annotations

from newscrawl.metadata.read import read_metadata

__all__ = ["read_metadata"]
