"""All screens, in the order of the navigation."""

from __future__ import annotations

from typing import Final

from newscrawl.web.screens import consumers, now, site, sites
from newscrawl.web.screens.screen import Screen

SCREENS: Final[tuple[Screen, ...]] = (now.SCREEN, sites.SCREEN, site.SCREEN, consumers.SCREEN)
