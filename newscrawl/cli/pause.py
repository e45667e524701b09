"""`newscrawl pause`: stops crawling a site."""

from __future__ import annotations

from datetime import datetime

import click

from newscrawl.cli.common.controlling import SOON, now, store_knowing
from newscrawl.cli.common.options import Later, utc
from newscrawl.cli.common.project import database_option
from newscrawl.cli.common.saying import say
from newscrawl.storage.frontier import sites


@click.command(
    name="pause",
    short_help="Stop crawling a site, for a while or until resumed.",
    epilog="""\b
Examples:
  newscrawl pause elpais
  newscrawl pause elpais --until 12h
  newscrawl pause elpais --until 2030-12-01T06:00:00""",
)
@click.argument("site")
@click.option("--until", type=Later(), help="When the pause ends (UTC): a day, a time, or a span from now such as 12h.")
@database_option
def command(site: str, until: datetime | None) -> None:
    """Stop crawling a site. A crawl under way finishes the requests in progress and sends no new one.

    The pause is stored in the database. Every process that uses the database follows it within ten seconds, also after
    a restart. `newscrawl status` shows it. A paused site has no new articles.
    The watchdog opens no alarm for that.
    """
    end = utc(until)
    with store_knowing(site) as store:
        store.run(sites.pause, site, end, now()).result()
    say(f"{site}: paused {f'until {end:%Y-%m-%d %H:%M} UTC' if end else 'until it is resumed'}; {SOON}")
