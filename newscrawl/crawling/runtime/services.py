"""The name under which EXTENSIONS in the settings of projects has the session of a crawl."""

from __future__ import annotations

from newscrawl.crawling.runtime.site_session import SiteSession as Services

__all__ = ["Services"]
