"""`newscrawl resume`: ends the pause of a site."""

from __future__ import annotations

import click

from newscrawl.cli.common.controlling import SOON, now, store_knowing
from newscrawl.cli.common.project import database_option
from newscrawl.cli.common.saying import say
from newscrawl.storage.frontier import sites


@click.command(
    name="resume",
    short_help="Crawl a paused site again.",
    epilog="""\b
Example:
  newscrawl resume elpais""",
)
@click.argument("site")
@database_option
def command(site: str) -> None:
    """End the pause of a site that `newscrawl pause` set. A pause in NEWSCRAWL_SITE_SCHEDULES stays."""
    with store_knowing(site) as store:
        was_paused = store.run(sites.resume, site, now()).result()
    say(f"{site}: resumed; {SOON}" if was_paused else f"{site}: was not paused")
