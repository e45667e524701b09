"""All screens, in the order of the navigation."""

from __future__ import annotations

from typing import Final

from newscrawl.web.screens import articles, now, operate, site, sites
from newscrawl.web.screens.screen import Screen

SCREENS: Final[tuple[Screen, ...]] = (
    *(module.SCREEN for module in (now, sites, site)),
    *(articles.ARTICLES, articles.SEARCH, articles.ARTICLE, articles.HISTORY, articles.WHY),
    *(operate.REVIEW, operate.QUEUE, operate.CONSUMERS, operate.FEEDS, operate.FORGOTTEN, operate.ADD),
)
