"""`newscrawl archive`: what this machine has to do with its raw archive."""

from __future__ import annotations

from datetime import UTC, datetime

import click

from newscrawl.archive.asked_removals import remove_asked, take_over_files
from newscrawl.cli.project import required_config
from newscrawl.cli.saying import say
from newscrawl.cli.words import counted
from newscrawl.config.derived.stores import store_of
from newscrawl.crawling.runtime.archive import archive_settings
from newscrawl.errors import ArchiveError, UsageError


@click.group(
    name="archive",
    short_help="Maintain the raw archive of this machine.",
    epilog="""\b
Examples:
  newscrawl archive remove-forgotten""",
)
def command() -> None:
    """Maintain the raw archive of this machine."""


@command.command(
    name="remove-forgotten",
    short_help="Remove what other machines forgot.",
    epilog="""\b
Examples:
  newscrawl archive remove-forgotten
  */10 * * * *  cd /srv/news && newscrawl archive remove-forgotten   # crontab of a machine that does not crawl""",
)
def remove_forgotten() -> None:
    """Remove from the archive of this machine what `newscrawl forget` was asked to remove on another machine.

    A machine that crawls does so by itself, every 15 seconds. Use the command on a machine that only holds an archive.
    It exits with 1 if something is still to be done: a running crawl writes a file, or a file is not in the folder.
    """
    config = required_config()
    settings = archive_settings(config)
    if settings is None:
        raise UsageError("there is no raw archive: NEWSCRAWL_ARCHIVE_DIR is off, set it to the folder of the archive")
    if not settings.folder.is_dir():
        raise ArchiveError(f"there is no raw archive at {settings.folder}: NEWSCRAWL_ARCHIVE_DIR names its folder")
    with store_of(config) as store:
        take_over_files(store, settings.folder, settings.machine)
        now = datetime.now(UTC)
        done = remove_asked(store, settings.folder, settings.machine, now, software=settings.software)
    if done.is_locked:
        say(f"another process removes what was forgotten from {settings.folder}: run the command again later", err=True)
        raise SystemExit(1)
    for name in done.busy:
        say(f"a running crawl writes {name}: run the command again later", err=True)
    for name in done.missing:
        say(f"not done: {settings.folder / name} cannot be opened", err=True)
    say(f"removed {counted(done.captures, 'capture')}; {counted(done.files, 'file')} of {settings.machine} confirmed")
    if done.busy or done.missing:
        raise SystemExit(1)
