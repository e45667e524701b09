"""All screens, in the order of the navigation."""

from __future__ import annotations

from typing import Final

from newscrawl.web.screens import add, article, articles, consumers, history, now, operate, search, site, sites, why
from newscrawl.web.screens.screen import Screen

SCREENS: Final[tuple[Screen, ...]] = (
    *(module.SCREEN for module in (now, sites, site, articles, search, article, history, why)),
    *(operate.REVIEW, operate.QUEUE, consumers.SCREEN, operate.FEEDS, operate.FORGOTTEN, add.SCREEN),
)
