"""`newscrawl archive`: what this machine has to do with its raw archive."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Final

import click

from newscrawl.archive.remove import LeftWhy, remove_asked, take_over_files
from newscrawl.archive.retention import keep_within
from newscrawl.cli.common.project import required_config
from newscrawl.cli.common.words import counted, say
from newscrawl.config.derived.stores import store_of
from newscrawl.crawling.runtime.archive import archive_settings
from newscrawl.errors import ArchiveError, UsageError

LEFT: Final[Mapping[LeftWhy, str]] = {
    "busy": "another process writes {1}: run the command again later",
    "missing": "not done: {0} cannot be opened",
    "unconfirmed": "not done: {0} cannot be opened",
    "locked": "another process removes what was forgotten from {0}: run the command again later",
}
"""What is said of a file that is left: {0} is its path or address, {1} its name."""


@click.group(
    epilog="""\b
Examples:
  newscrawl archive remove-forgotten
  newscrawl archive move""",
)
def command() -> None:
    """Maintain the raw archive of this machine."""


@command.command(
    name="move",
    short_help="Move files into the object store now.",
    epilog="""\b
Examples:
  newscrawl archive move""",
)
def move() -> None:
    """Move the archive files that wait in this machine's folder into the object store of NEWSCRAWL_ARCHIVE_URL.

    A crawl does so by itself. Use the command on a machine that no longer crawls, or after a change from a folder to an
    object store: NEWSCRAWL_ARCHIVE_SPOOL must then name the former folder. Files that a
    running crawl writes are not moved.
    """
    config = required_config()
    settings = archive_settings(config)
    objects = settings.objects if settings is not None else None
    if settings is None or objects is None:
        raise UsageError("there is no object store: give its address in NEWSCRAWL_ARCHIVE_URL (s3://BUCKET/PREFIX)")
    if not settings.folder.is_dir():
        say(f"nothing waits in {settings.folder}")
        return
    from newscrawl.archive.upload import move_all  # the extra `s3`

    with store_of(config) as store:
        moved = move_all(settings, store, objects)
        removed = keep_within(objects, store, settings.budget, datetime.now(UTC), settings.machine)
    say(f"moved {counted(moved, 'file')} from {settings.folder} to {objects.address}")
    if removed:
        say(f"removed {counted(removed, 'capture')} of the oldest files (NEWSCRAWL_ARCHIVE_MAX_GB, ..._MAX_DAYS)")


@command.command(
    name="remove-forgotten",
    short_help="Remove what other machines forgot.",
    epilog="""\b
Examples:
  newscrawl archive remove-forgotten
  */10 * * * *  cd /srv/news && newscrawl archive remove-forgotten   # crontab of a machine that does not crawl""",
)
def remove_forgotten() -> None:
    """Remove from the archive of this machine what `newscrawl forget` was asked to remove on another machine, and from
    the object store of NEWSCRAWL_ARCHIVE_URL what could not be removed at once.

    A machine that crawls does so by itself, every 15 seconds. Use the command on a machine that only holds an archive.
    It exits with 1 if something is still to be done: a running crawl writes a file, or a file is not in the folder.
    """
    config = required_config()
    settings = archive_settings(config)
    if settings is None:
        raise UsageError("there is no raw archive: NEWSCRAWL_ARCHIVE_URL is off, set it to the folder of the archive")
    if settings.store_address is None and not settings.folder.is_dir():
        raise ArchiveError(f"there is no raw archive at {settings.folder}: NEWSCRAWL_ARCHIVE_URL names its folder")
    with store_of(config) as store:
        take_over_files(store, settings)
        done = remove_asked(store, settings, datetime.now(UTC))
    for left in done.left:
        say(LEFT[left.why].format(left.at(settings.folder), left.file), err=True)
    if done.files_left("locked"):
        raise SystemExit(1)
    holders = " and ".join(filter(None, (settings.machine, settings.store_address)))
    say(f"removed {counted(done.captures, 'capture')}; {counted(done.confirmed, 'file')} of {holders} confirmed")
    if done.left:
        raise SystemExit(1)
