"""`newscrawl forget`: take a page or a site out of the database."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import click
from scrapy.settings import Settings
from scrapy.spiderloader import get_spider_loader

from newscrawl.archive.forget import forget as forget_archived
from newscrawl.cli.options import check_site
from newscrawl.cli.project import project_reader, required_settings
from newscrawl.cli.words import counted
from newscrawl.crawling.archiving import folder_of
from newscrawl.crawling.services import store_of
from newscrawl.errors import MissingDatabase, UsageError
from newscrawl.identity import url_key
from newscrawl.storage import Store, blocks, forget
from newscrawl.storage.reports import site_names


@click.command(
    name="forget",
    short_help="Take a page or a site out of the database, for good.",
    epilog="""\b
Examples:
  newscrawl forget https://example.org/2026/05/story --block
  newscrawl forget --site example --yes
  newscrawl forget --blocked                                     what is blocked, and since when
  newscrawl forget https://example.org/2026/05/story --unblock""",
)
@click.argument("url", required=False)
@click.option("--site", help="Forget all pages of this site, and its sources.")
@click.option("--block", is_flag=True, help="Never ask for it again, and store nothing of it.")
@click.option("--unblock", is_flag=True, help="Forget nothing, but lift the block of URL or --site.")
@click.option("--blocked", is_flag=True, help="Forget nothing, but list what is blocked.")
@click.option("--yes", is_flag=True, help="Do not ask.")
def command(url: str | None, site: str | None, *, block: bool, unblock: bool, blocked: bool, yes: bool) -> None:
    """Remove the texts, versions and traces of URL, or of a site, and have consumers of the feed remove them too.

    A text that pages elsewhere show stays with them. The raw archive is written anew without them.
    """
    if block + unblock + blocked > 1 or (blocked and (url or site)):
        raise UsageError("give one of --block, --unblock and --blocked; --blocked takes no URL and no --site")
    if blocked:
        _list()
        return
    if (url is None) == (site is None):
        raise UsageError("give either a URL or --site NAME")
    key = blocks.of_site(site) if site is not None else blocks.of_url(url_key(url or ""))
    settings = required_settings()
    if unblock:
        _unblock(settings, key, site or url or "")
    else:
        _forget(settings, key, url, site, block=block, yes=yes)


def _forget(settings: Settings, key: str, url: str | None, site: str | None, *, block: bool, yes: bool) -> None:
    with store_of(settings) as store:
        with store.reading() as connection:
            since = blocks.since(connection, key)
            if since is None:
                check_site(site, site_names(connection), get_spider_loader(settings).list())
        if not yes:
            click.confirm(f"forget {url or f'all pages of {site}'}? this cannot be undone", abort=True, err=True)
        now = datetime.now(UTC)
        # First the archive, while the database still knows all addresses of the page: a kill between leaves both to do.
        _forget_archived(store, folder_of(settings), url, site)
        if site is not None:
            found = store.run(forget.forget_site, site, now, block=block).result()
        else:
            found = store.run(forget.forget_url, url or "", now, block=block).result()
    for_good = "" if not block else "; it is blocked" if since is None else f"; it is blocked since {_shown(since)}"
    if not found.pages:
        click.echo(f"nothing of {url or site} is stored{for_good}")
        raise SystemExit(0 if block else 1)
    kept = f"; {counted(found.kept, 'text stays', 'texts stay')} with other pages" if found.kept else ""
    click.echo(f"forgot {counted(found.pages, 'page')} and {counted(found.articles, 'article')}{kept}{for_good}")


def _unblock(settings: Settings, key: str, name: str) -> None:
    with store_of(settings) as store:
        lifted = store.run(blocks.lift, key).result()
    if not lifted:
        raise UsageError(f"{name} is not blocked: `newscrawl forget --blocked` lists what is")
    for one in lifted:
        click.echo(f"no longer blocked: {_named(one)}")


def _list() -> None:
    found: list[tuple[str, datetime]] = []
    try:
        with project_reader() as connection:
            found = blocks.everything(connection)
    except MissingDatabase:
        pass
    for key, since in found:
        click.echo(f"{_named(key)}  since {_shown(since)}")
    if not found:
        click.echo("nothing is blocked")


def _named(key: str) -> str:
    """What a key blocks, as it is given to this command."""
    return key.removeprefix(blocks.ADDRESS) if key.startswith(blocks.ADDRESS) else key.replace(":", " ", 1)


def _shown(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d %H:%M} UTC"


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
