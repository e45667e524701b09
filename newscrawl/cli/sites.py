"""`newscrawl sites`: the sites this project can crawl."""

from __future__ import annotations

import click
from rich.console import Console
from rich.table import Table
from scrapy.spiderloader import SpiderLoader

from newscrawl.cli.project import required_settings


@click.command(
    name="sites",
    epilog="""\b
Examples:
  newscrawl sites
  scrapy crawl NAME""",
)
def command() -> None:
    """List the sites with a declaration in spiders/."""
    loader = SpiderLoader.from_settings(required_settings())
    table = Table("name", "language", "country", "domains", "declared sources")
    for name in sorted(loader.list()):
        spider = loader.load(name)
        sources = {kind: len(getattr(spider, kind, ())) for kind in ("feeds", "sitemaps", "sections")}
        declared = ", ".join(f"{count} {kind}" for kind, count in sources.items() if count)
        table.add_row(
            name,
            getattr(spider, "language", None) or "",
            getattr(spider, "country", None) or "",
            ", ".join(getattr(spider, "domains", ())),
            declared or "found on the first crawl",
        )
    Console(highlight=False).print(table)
