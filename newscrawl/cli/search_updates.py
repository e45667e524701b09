"""`newscrawl search --update`: brings the search index up to date, once or until it is stopped."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

from newscrawl.cli.common.project import required_config
from newscrawl.cli.common.saying import say
from newscrawl.config.derived.stores import database_of
from newscrawl.errors import DatabaseUnavailable, IndexBusy
from newscrawl.search import update_index_of
from newscrawl.wording import counted

PAUSE: Final = 5.0
"""Seconds between two updates with --follow."""


def update(progress: Callable[[int, int], None], *, follow: bool) -> None:
    """Applies the changes that the index lacks. With `follow` it does so every `PAUSE` seconds until it is stopped, and
    waits while the database or the index is not available. Raises StorageError, and IndexBusy without `follow`."""
    url = database_of(required_config())
    is_away = False
    while True:
        try:
            applied = update_index_of(url, progress)
        except (IndexBusy, DatabaseUnavailable) as error:
            if not follow:
                raise
            if not is_away:
                say(f"newscrawl: {error}; it is tried again every {PAUSE:.0f} s", err=True)
            is_away = True
        else:
            if is_away or applied or not follow:
                say(f"{counted(applied, 'change')} put into the search index", err=True)
            is_away = False
        if not follow:
            return
        time.sleep(PAUSE)
