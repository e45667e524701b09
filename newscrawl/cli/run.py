"""`newscrawl run`: crawls sites continuously, each when it is due."""

from __future__ import annotations

from functools import partial

import click

from newscrawl.cli.common.project import crawling_settings
from newscrawl.cli.learn import learn_in_upkeep
from newscrawl.config.reading import config_of
from newscrawl.crawling.fleet.main import RunOptions, run_fleet


@click.command(
    epilog="""\b
Examples:
  newscrawl run                          all sites in spiders/, until Ctrl-C
  newscrawl run elpais abc --once        the due work of two sites, then end
  newscrawl run --interval 900           every site every 15 minutes
  newscrawl run --health 9100            /health and /metrics on 127.0.0.1:9100""",
)
@click.argument("sites", nargs=-1, metavar="[SITE]...")
@click.option("--once", is_flag=True, help="Crawl what is due now, then end.")
@click.option(
    "--interval",
    type=click.FloatRange(min=60),
    metavar="SECONDS",
    help="Crawl each site every SECONDS seconds, instead of when its sources are due.",
)
@click.option(
    "--health", type=click.IntRange(1, 65_535), metavar="PORT", help="Answer /health and /metrics on 127.0.0.1."
)
def command(sites: tuple[str, ...], *, once: bool, interval: float | None, health: int | None) -> None:
    """Crawl sites continuously: each source when new entries are expected, each article when it may have changed.

    On Ctrl-C or SIGTERM the command stores the fetched pages and ends. After a kill, the next run continues the work.
    SIGHUP reads the declarations again. A changed file in spiders/ has the same effect.
    """
    project = crawling_settings()
    learning = (
        (lambda store: partial(learn_in_upkeep, project, store)) if config_of(project).run.learn_boilerplate else None
    )
    raise SystemExit(run_fleet(project, RunOptions(sites, once, interval, health, learning)))
