"""`newscrawl held`: pages that are held back because their site's extraction looks broken."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from itertools import groupby

import click

from newscrawl.cli.options import check_site
from newscrawl.cli.project import project_reader, required_settings
from newscrawl.cli.saying import say
from newscrawl.cli.words import counted
from newscrawl.config.stores import store_of
from newscrawl.errors import MissingDatabase, UsageError
from newscrawl.feed.document import plain
from newscrawl.storage.frontier.former_keys import keys_of
from newscrawl.storage.monitoring import review_queue
from newscrawl.storage.monitoring.release import Released
from newscrawl.storage.monitoring.review_queue import HeldPage
from newscrawl.storage.reports import site_names

SHOWN = 50
"""Pages of a site that are named; `--json` has them all."""


@click.command(
    name="held",
    short_help="Show or release what is held back.",
    epilog="""\b
Examples:
  newscrawl held --site elpais
  newscrawl reextract --held --site elpais --chain best --diff report.html
  newscrawl held --release --site elpais
  newscrawl held https://example.org/2026/05/story --release""",
)
@click.argument("url", required=False)
@click.option("--site", help="Only pages of this site.")
@click.option("--release", is_flag=True, help="Store them as they are: the feed and the search have them from then on.")
@click.option("--json", "as_json", is_flag=True, help="All of them, as a JSON list.")
def command(*, url: str | None, site: str | None, release: bool, as_json: bool) -> None:
    """Show what is held back and why, or release it.

    While a site's extraction looks broken, pages that look so and that no other extractor read better are in no feed,
    search or export. `newscrawl reextract --held` reads them again from the archive, with a chain that reads them right
    or after an upgrade; a later visit that finds them as they used to be takes their place by itself.
    """
    if url is not None and site is not None:
        raise UsageError("give a URL or --site NAME, not both")
    if release:
        _release(url, site)
        return
    pages: list[HeldPage] = []
    try:
        with project_reader() as connection:
            check_site(site, site_names(connection))
            pages = (
                review_queue.of_keys(connection, keys_of(url))
                if url is not None
                else review_queue.listed(connection, site)
            )
    except MissingDatabase:
        pass
    if as_json:
        click.echo(json.dumps([asdict(page) for page in pages], default=plain, indent=2, ensure_ascii=False))
    elif pages:
        say("\n".join(_lines(pages)))
    else:
        say("nothing is held back")


def _release(url: str | None, site: str | None) -> None:
    if url is None and site is None:
        raise UsageError("say what to release: --site NAME or a URL (`newscrawl held` lists what is held back)")
    keys = keys_of(url) if url is not None else None
    found = Released()
    with store_of(required_settings()) as store:
        check_site(site, store.run(site_names).result())
        while True:
            part = store.release(datetime.now(UTC), site=site, url_keys=keys).result()
            if not part.pages:
                break
            found += part
    if not found.pages:
        raise UsageError(f"nothing of {url or site} is held back: `newscrawl held` lists what is")
    say(f"released {counted(found.stored, 'page')}")
    if found.kept:
        say(f"{found.kept} changed nothing: their pages show a better text, or the same")
    if found.empty:
        say(f"{found.empty} had no text at all: they are asked for again when they are due")


def _lines(pages: Sequence[HeldPage]) -> Iterator[str]:
    for site, kept in groupby(pages, key=lambda page: page.site):
        number = 0
        for number, page in enumerate(kept, 1):
            if number <= SHOWN:
                size = f"{page.characters} characters" if page.characters else page.failure or "no text"
                yield f"{site}  {page.at:%Y-%m-%d %H:%M}  {page.url}  {size}: {', '.join(page.reasons)}"
        more = f", {SHOWN} of them shown: --json has all" if number > SHOWN else ""
        yield f"{site}: {number} held back{more}"
