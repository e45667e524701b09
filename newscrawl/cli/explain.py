"""`newscrawl explain`: an HTML page that shows how one page was extracted."""

from __future__ import annotations

from pathlib import Path

import click

from newscrawl.cli.common.output import write_text
from newscrawl.cli.common.site_options import options_of_named, site_option
from newscrawl.cli.extract import max_bytes_option, page_limit, read_source
from newscrawl.config.derived.article_options import options_of
from newscrawl.config.project import written_settings
from newscrawl.config.reading import config_of
from newscrawl.explain.document import explain_html


@click.command(
    name="explain",
    short_help="Show as HTML why text of a page was kept or not.",
    epilog="""\b
Examples:
  newscrawl explain page.html -o why.html
  newscrawl explain https://example.org/story -o why.html
  newscrawl explain page.html --site demo -o why.html
  newscrawl explain page.html --chain boilerpipe-article+tree2 > why.html""",
)
@click.argument("source", metavar="FILE|URL|-")
@click.option("-o", "--output", metavar="FILE", default="-", help="File to write; - is standard output (default).")
@click.option("--chain", help="The chain to explain (as for extract).")
@site_option
@click.option("--url", help="The page's address, for a file or standard input.")
@click.option("--encoding", help="The page's encoding, in place of the declared one.")
@max_bytes_option
def command(
    source: str,
    output: str,
    chain: str | None,
    site: str | None,
    url: str | None,
    encoding: str | None,
    max_bytes: int | None,
) -> None:
    """Show every text run of one page. Its colour says whether it was kept. The decisions of each step of the chain are
    shown too.

    The result is one HTML file. It loads nothing and runs no script, whatever the page contains.
    """
    settings = written_settings()
    options = options_of_named(site) if site is not None else options_of(config_of(settings))
    body, address = read_source(source, page_limit(max_bytes, settings))
    explained = explain_html(
        body,
        url=url or address,
        encoding=encoding,
        chain=chain or options.chain,
        chains=options.chains,
        limits=options.limits,
        extractors=options.extractors,
        verdict_rules=options.verdict_rules,
        hints=options.hints,
        boilerplate=options.boilerplate,
    )
    if output == "-":
        click.echo(explained, nl=False)
        return
    write_text(Path(output), explained)
