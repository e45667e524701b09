"""Serves the pages of a corpus as a news site on loopback, for `benchmarks.real_pages`.

    python -m benchmarks.real_pages.serve_corpus ../shared/corpora/naeb --pages 200

Every page is served at the path of its real address, its bytes as they were, under one host: the front page names
an RSS feed, the feed names the pages. Their titles there are their ids: a right title can only come from the page.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Final

import click

from newscrawl.bench.corpora import read_corpus
from newscrawl.errors import NewscrawlError
from newscrawl.testing.recorded_site import CorpusServer

PAGES: Final = 200


@click.command(help=__doc__, context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("corpus", type=click.Path(path_type=Path))
@click.option("--pages", type=click.IntRange(min=1), default=PAGES, show_default=True, help="Number of pages.")
@click.option("--port", type=click.IntRange(0, 65535), default=0, help="Port (default: any free one).")
def main(*, corpus: Path, pages: int, port: int) -> None:
    try:
        server = CorpusServer(read_corpus(corpus, limit=pages), port)
    except NewscrawlError as error:
        raise click.ClickException(str(error)) from error
    with server:
        click.echo(f"{len(server.pages)} pages at {server.origin}/ (stop with Ctrl-C)")
        with suppress(KeyboardInterrupt):
            server.wait()


if __name__ == "__main__":
    main()
