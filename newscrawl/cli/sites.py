"""`newscrawl sites`: lists the sites that this project can crawl."""

from __future__ import annotations

import click
from rich.table import Table

from newscrawl.cli.common.project import required_settings
from newscrawl.cli.common.words import counted
from newscrawl.cli.common.work import spiders_of
from newscrawl.config.reading import config_of
from newscrawl.console import SafeConsole
from newscrawl.crawling.fleet.declarations import problems_of
from newscrawl.logs.lines import print_line


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
    settings = required_settings()
    spiders = spiders_of(settings)
    wrong = problems_of(spiders, settings, config_of(settings))
    table = Table(
        "name", "language", "country", "domains", "sources", box=None, header_style="bold", padding=(0, 2, 0, 0)
    )
    for name, spider in sorted(spiders.items()):
        if name in wrong:
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
    for problem in wrong.values():
        print_line(f"newscrawl: {problem}")
    if wrong:
        raise SystemExit(1)
