"""Settings of the demo: its own database, and the loopback addresses that its news site is served on."""

from __future__ import annotations

from newscrawl.crawling.configuration import database_beside, setting, told_in_one_line
from settings.base import *  # noqa: F403
from settings.base import PROJECT

with told_in_one_line():
    NEWSCRAWL_DATABASE_URL = setting("NEWSCRAWL_DATABASE_URL", database_beside(PROJECT, "demo.db"))
    NEWSCRAWL_ALLOWED_ADDRESSES = setting("NEWSCRAWL_ALLOWED_ADDRESSES", ["127.0.0.0/8"])
    DOWNLOAD_DELAY = setting("NEWSCRAWL_DELAY", 0.05)
