"""`newscrawl restore`: fills an empty database from a copy."""

from __future__ import annotations

from pathlib import Path

from newscrawl.cli.common.database_copy import copy_command
from newscrawl.cli.common.saying import say
from newscrawl.storage import migrations
from newscrawl.storage.backup.copies import restore
from newscrawl.storage.engine.database import parse_url, shown
from newscrawl.storage.feed.standing_searches import CONSUMER


@copy_command("restore", "Restore the database from a copy.")
def command(url: str, file: Path) -> None:
    """Restore FILE, which `newscrawl backup` wrote, to the database of NEWSCRAWL_DATABASE_URL, which must be empty.

    Stop all crawls first, and run the command as the user of the crawls. A database on a server is restored with
    pg_restore. A kill in the middle leaves the database empty. The consumers of the change feed start again from its
    beginning. Delete what they have stored, because new changes and articles may get numbers that were used before.
    """
    consumers = [name for name in restore(url, file) if name != CONSUMER]  # standing searches find a story once
    revision = migrations.current_revision(url)
    old = "" if revision == migrations.HEAD else f", schema {revision}: run `newscrawl db upgrade`"
    say(f"{shown(parse_url(url))}: restored from {file}{old}")
    if consumers:
        say(f"empty these consumers of the change feed, which get everything again: {', '.join(consumers)}")
