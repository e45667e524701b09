"""`newscrawl backup`: copies the database during crawls."""

from __future__ import annotations

from pathlib import Path

from newscrawl.cli.common.database_copy import copy_command
from newscrawl.cli.common.saying import say
from newscrawl.storage.backup.copies import back_up


@copy_command("backup", "Copy the database during crawls.")
def command(url: str, file: Path) -> None:
    """Make a complete, checked copy of the database in FILE while crawls keep writing. `newscrawl restore` restores it.

    The database is a SQLite file: one on a server is copied with pg_dump. The copy has a temporary name until it is
    complete. The raw archive is not in it: copy its folder afterwards.
    """
    size = back_up(url, file)
    say(f"{file}: {size / 1_000_000:.1f} MB, checked")
