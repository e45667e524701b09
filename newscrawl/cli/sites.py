"""`newscrawl sites`: lists the sites that this project can crawl."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import click

from newscrawl.cli.common.project import required_settings
from newscrawl.cli.common.show import Column, show
from newscrawl.cli.common.sites import spiders_of
from newscrawl.cli.common.words import counted
from newscrawl.config.logs.lines import print_line
from newscrawl.config.reading import config_of
from newscrawl.crawling.fleet.declarations import problems_of

if TYPE_CHECKING:
    from scrapy import Spider


def _sources(spider: type[Spider]) -> str:
    numbers = {kind: len(getattr(spider, f"{kind}s", ())) for kind in ("feed", "sitemap", "section")}
    return ", ".join(counted(count, kind) for kind, count in numbers.items() if count) or "found by crawling"


COLUMNS: Final = (
    Column("name"),
    Column("language", lambda spider: getattr(spider, "language", None)),
    Column("country", lambda spider: getattr(spider, "country", None)),
    Column("domains", lambda spider: ", ".join(getattr(spider, "domains", ()))),
    Column("sources", _sources),
)


@click.command(
    epilog="""\b
Examples:
  newscrawl sites
  scrapy crawl NAME""",
)
def command() -> None:
    """List the sites with a declaration in spiders/. Errors of declarations are shown below the table (exit code 1)."""
    settings = required_settings()
    spiders = spiders_of(settings)
    wrong = problems_of(spiders, settings, config_of(settings))
    show([spider for name, spider in sorted(spiders.items()) if name not in wrong], COLUMNS)
    for problem in wrong.values():
        print_line(f"newscrawl: {problem}")
    if wrong:
        raise SystemExit(1)
