"""`newscrawl ingest`: processes archived pages like crawled ones, without a network."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import click

from newscrawl.archive.batch.part_names import is_part
from newscrawl.cli.common.options import Moment, NamedPath
from newscrawl.cli.common.project import database_option
from newscrawl.workers.processes.forkserver import FOR_INGESTS, prepare

ONE_SPAN: Final = 1 << 20
"""Bytes of a file that is read by one worker (newscrawl.archive.ingest.inputs.MIN_SPAN)."""
FOR_ONE_SPAN: Final = ("newscrawl.archive.ingest.worker", "newscrawl.extraction.article.from_page")
"""The modules for a single worker. It loads the rest when a page needs it: the model of languages costs as much as all
modules, and one page in twenty needs it. `FOR_INGESTS` loads it once for all workers."""


@click.command(
    epilog="""\b
Examples:
  newscrawl ingest CC-NEWS-20261101000000-00001.warc.gz
  newscrawl ingest archive/ --since 2026-11-01 --until 2026-11-02 --workers 4
  newscrawl ingest pages/ --url-pattern '/2026/' --limit 1000
  newscrawl ingest parts/    # the parts that `newscrawl batch` wrote
  newscrawl ingest parts/ --database postgresql://user@host/news    # without a project""",
)
@click.argument("files", nargs=-1, required=True, type=NamedPath(), metavar="FILE...")
@click.option("--site", help="Only pages of this site: a declared site's name, or a registrable domain.")
@click.option("--since", type=Moment(), help="Only pages fetched on this day (UTC) or later, or in the last 3d or 12h.")
@click.option("--until", type=Moment(), help="Only pages fetched before this day (UTC).")
@click.option("--url-pattern", metavar="REGEX", help="Only pages whose address matches this regular expression.")
@click.option("--limit", type=click.IntRange(min=1), help="At most this many pages in this run.")
@click.option("--workers", type=click.IntRange(min=1, max=256), help="Processes that extract (default: all cores).")
@click.option("--again", is_flag=True, help="Read files again from the start, even if an earlier run finished them.")
@database_option
def command(files: Sequence[str], **options: Any) -> None:
    """Store pages that others have fetched, from WARC files, HTML files or folders of these, and from the parts of
    `newscrawl batch` (Parquet files, their folder, or s3://BUCKET/PREFIX).

    They are processed like crawled pages, with the same extraction, verdicts, versions and dead letters (pages that the
    database refused). The fetch date is that of the WARC record. A page that is older than the stored text of its
    address becomes an earlier version. With --database there is no project: the site of a page is its registrable
    domain, unless its part names another. After an interruption, the same command continues where the run stopped.
    """
    if not any(is_part(name) for name in files):  # parts are extracted already
        # Before other imports: the workers' parent loads the extractors on one core while this process loads the rest.
        prepare(FOR_ONE_SPAN if _is_one_span(files) else FOR_INGESTS)
    from newscrawl.cli.ingest_files import ingest

    ingest(files, **options)


def _is_one_span(files: Sequence[str]) -> bool:
    """Returns whether one worker reads all that is named."""
    path = Path(files[0])
    return len(files) == 1 and path.is_file() and path.stat().st_size <= ONE_SPAN
