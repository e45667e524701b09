"""All screens, in the order of the navigation."""

from __future__ import annotations

from typing import Final

from newscrawl.web.screens import (
    add,
    article,
    articles,
    consumers,
    feeds,
    forgotten,
    history,
    now,
    queue,
    review,
    search,
    site,
    sites,
    why,
)
from newscrawl.web.screens.screen import Screen

SCREENS: Final[tuple[Screen, ...]] = tuple(
    module.SCREEN
    for module in (
        *(now, sites, site, articles, search, article, history, why),
        *(review, queue, consumers, feeds, forgotten, add),
    )
)
