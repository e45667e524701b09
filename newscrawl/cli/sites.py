"""`newscrawl sites`: the sites this project can crawl."""

from __future__ import annotations

import click
from rich.console import Console
from rich.table import Table
from scrapy.spiderloader import get_spider_loader

from newscrawl.cli.project import required_settings
from newscrawl.crawling.attributes import check_attributes
from newscrawl.crawling.configuration import tell
from newscrawl.crawling.declared import DeclaredSpider
from newscrawl.errors import UsageError


@click.command(
    name="sites",
    epilog="""\b
Examples:
  newscrawl sites
  scrapy crawl NAME""",
)
def command() -> None:
    """List the sites with a declaration in spiders/; what is wrong with one is said below the table (exit code 1)."""
    loader = get_spider_loader(required_settings())
    wrong: list[UsageError] = []
    table = Table("name", "language", "country", "domains", "declared sources")
    for name in sorted(loader.list()):
        spider = loader.load(name)
        if issubclass(spider, DeclaredSpider):
            try:
                check_attributes(spider, DeclaredSpider)
            except UsageError as error:
                wrong.append(error)
                continue
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
    for problem in wrong:
        tell(problem)
    if wrong:
        raise SystemExit(1)
