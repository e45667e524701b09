"""`newscrawl sites`: lists the sites that this project can crawl."""

from __future__ import annotations

import click
from rich.table import Table
from scrapy.spiderloader import get_spider_loader

from newscrawl.cli.project import required_settings
from newscrawl.cli.words import counted
from newscrawl.config.environment import print_error
from newscrawl.console import SafeConsole
from newscrawl.crawling.spider.declaration_checks import check_attributes
from newscrawl.crawling.spider.declared_spider import DeclaredSpider
from newscrawl.errors import UsageError


@click.command(
    name="sites",
    short_help="List the sites with a declaration in spiders/.",
    epilog="""\b
Examples:
  newscrawl sites
  scrapy crawl NAME""",
)
def command() -> None:
    """List the sites with a declaration in spiders/. Errors of declarations are shown below the table (exit code 1)."""
    loader = get_spider_loader(required_settings())
    wrong: list[UsageError] = []
    table = Table(
        "name", "language", "country", "domains", "sources", box=None, header_style="bold", padding=(0, 2, 0, 0)
    )
    for name in sorted(loader.list()):
        spider = loader.load(name)
        if issubclass(spider, DeclaredSpider):
            try:
                check_attributes(spider, DeclaredSpider)
            except UsageError as error:
                wrong.append(error)
                continue
        sources = {kind: len(getattr(spider, f"{kind}s", ())) for kind in ("feed", "sitemap", "section")}
        declared = ", ".join(counted(count, kind) for kind, count in sources.items() if count)
        table.add_row(
            name,
            getattr(spider, "language", None) or "",
            getattr(spider, "country", None) or "",
            ", ".join(getattr(spider, "domains", ())),
            declared or "found by crawling",
        )
    SafeConsole(highlight=False).print(table)
    for problem in wrong:
        print_error(problem)
    if wrong:
        raise SystemExit(1)
