"""`newscrawl learn`: learns which lines sites repeat on pages of many stories, and leaves them out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from datetime import UTC, datetime

import click
from scrapy.settings import Settings

from newscrawl.archive.reextract.boilerplate import (
    Learned,
    due_sites,
    learn_due,
    learn_site,
    reextract_site,
)
from newscrawl.cli.common.project import required_settings
from newscrawl.cli.common.sites import check_site, spiders_of
from newscrawl.cli.common.words import counted, say
from newscrawl.cli.common.work import work_settings
from newscrawl.cli.reextract import existing_archive
from newscrawl.config.derived.stores import store_of
from newscrawl.config.reading import config_of
from newscrawl.crawling.runtime.archive import archive_settings
from newscrawl.errors import UsageError
from newscrawl.reports.sites import site_names
from newscrawl.storage.store import Store


@click.command(
    epilog="""\b
Examples:
  newscrawl learn demo
  newscrawl learn demo --dry-run
  newscrawl learn --due           every site with enough new pages""",
)
@click.argument("sites", nargs=-1, metavar="[SITE]...")
@click.option(
    "--due", is_flag=True, help="Every site whose archived pages have doubled, or grown by 5,000, since it was learned."
)
@click.option("--dry-run", is_flag=True, help="Show what would be learned, and store nothing.")
@click.option("--workers", type=click.IntRange(min=1, max=256), help="Processes that extract (default: all cores).")
def command(sites: Sequence[str], *, due: bool, dry_run: bool, workers: int | None) -> None:
    """Learn the boilerplate of sites from their newest archived pages: lines that many of their stories have, such as
    rules for comments and newsletter boxes.

    If the new set of lines changes more than 1 % of these pages, it becomes the site's next epoch. From their next
    start, crawls, ingests and re-extractions on all machines leave these lines out. The archived pages of this machine
    that it changes are extracted again, without new versions. Running the command twice has the same result as running
    it once.
    """
    if bool(sites) == due:
        raise UsageError("name the sites to learn, or give --due")
    project = required_settings()
    config = config_of(project)
    archive = existing_archive(config)
    settings = work_settings(project, workers, spiders_of(project))
    with store_of(config) as store:
        with store.reading() as connection:
            known = site_names(connection)
        for site in sites:
            check_site(site, known)
        for site in list(due_sites(store, archive.machine, known)) if due else sites:
            if not settings.of_sites.get(site, settings.options).leaves_out_boilerplate:
                say(f"{site}: NEWSCRAWL_LEAVE_OUT_BOILERPLATE is off")
                continue
            now = datetime.now(UTC)
            learned = learn_site(store, archive, site, settings, now, stores=not dry_run)
            say(_learned(learned, dry_run=dry_run))
            if not dry_run:
                changed = reextract_site(store, archive, site, settings, now).changed
                say(f"{site}: {counted(changed, 'archived page')} extracted again with another result")


def learn_in_upkeep(project: Settings, store: Store, learns: bool, goes_on: Callable[[], bool]) -> Counter[str]:
    """Learns the sites that are due, and extracts again on this machine what new epochs change, in one process beside
    the crawls. Returns counts for the log."""
    config = config_of(project)
    archive = archive_settings(config)
    if archive is None or not archive.folder.is_dir():
        return Counter()
    settings = work_settings(project, 1, spiders_of(project))
    with store.reading() as connection:
        known = site_names(connection)
    return learn_due(store, archive, known, settings, datetime.now(UTC), goes_on, learns=learns)


def _learned(learned: Learned, *, dry_run: bool) -> str:
    found = (
        f"{learned.site}: {counted(len(learned.new), 'repeated line')} on {counted(learned.pages, 'page')} of "
        f"{counted(learned.new.stories, 'story', 'stories')}, which changes {learned.changed:.1%} of the pages"
    )
    if learned.is_stored:
        return f"{found}; epoch {learned.new.epoch}"
    now = f"epoch {learned.old.epoch} stays" if learned.old.epoch else "nothing is left out"
    return f"{found}; nothing stored" if dry_run else f"{found}; {now}"
