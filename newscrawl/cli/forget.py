"""`newscrawl forget`: take a page or a site out of the database."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import click

from newscrawl.archive.forget import forget as forget_archived
from newscrawl.cli.project import required_settings
from newscrawl.crawling.archiving import folder_of
from newscrawl.crawling.services import store_of
from newscrawl.errors import UsageError
from newscrawl.storage import Store, forget


@click.command(
    name="forget",
    epilog="""\b
Examples:
  newscrawl forget https://example.org/2026/05/story --block
  newscrawl forget --site example --yes""",
)
@click.argument("url", required=False)
@click.option("--site", help="Forget all pages of this site, and its sources.")
@click.option("--block", is_flag=True, help="Never ask for it again, and store nothing of it.")
@click.option("--yes", is_flag=True, help="Do not ask.")
def command(url: str | None, site: str | None, block: bool, yes: bool) -> None:
    """Remove the texts, versions and traces of URL, or of a site, and have consumers of the feed remove them too.

    A text that pages elsewhere show stays with them. The raw archive is written anew without them.
    """
    if (url is None) == (site is None):
        raise UsageError("give either a URL or --site NAME")
    settings = required_settings()
    if not yes:
        click.confirm(f"forget {url or f'all pages of {site}'}? this cannot be undone", abort=True, err=True)
    with store_of(settings) as store:
        now = datetime.now(UTC)
        # First the archive, while the database still knows all addresses of the page: a kill between leaves both to do.
        _forget_archived(store, folder_of(settings), url, site)
        if site is not None:
            found = store.run(forget.forget_site, site, now, block=block).result()
        else:
            found = store.run(forget.forget_url, url or "", now, block=block).result()
    kept = f"; {found.kept} texts stay with other pages" if found.kept else ""
    click.echo(f"forgot {found.pages} pages and {found.articles} articles{kept}" + (", for good" if block else ""))
    if not found.pages and not block:
        raise SystemExit(1)


def _forget_archived(store: Store, folder: Path | None, url: str | None, site: str | None) -> None:
    if folder is None:
        return
    addresses: list[str] = []
    if url is not None:
        with store.reading() as connection:
            addresses = forget.addresses(connection, url)
    found = forget_archived(store, folder, addresses, site)
    if found.busy:
        click.echo(
            "a running crawl writes an archive file that holds it: run the same again after that crawl", err=True
        )
