"""`newscrawl batch`: extracts WARC files into Parquet parts, without a database."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from newscrawl.cli.common.options import DATES, Names, cluster_options
from newscrawl.workers.processes.forkserver import FOR_INGESTS, prepare


@click.command(
    epilog="""\b
Examples:
  newscrawl batch CC-NEWS-20261101000000-00001.warc.gz --to parts/
  newscrawl batch archive/ --to parts/ --languages pt,es --since 2026-11-01
  newscrawl batch s3://harbour/news/a.warc.gz --to s3://harbour/parts
  newscrawl batch --files-from warc.paths --to /shared/parts --on tls://scheduler:8786
  newscrawl ingest parts/    # loads the parts into the database""",
)
@click.argument("files", nargs=-1, metavar="FILE...")
@click.option("--to", required=True, metavar="DIR", help="Write the parts into this folder, or s3://BUCKET/PREFIX.")
@click.option(
    "--files-from",
    type=click.Path(allow_dash=True),
    help="Read names of files from this file (-: standard input), one a line.",
)
@click.option("--chain", help="The chain for all pages (default: NEWSCRAWL_CHAIN, and what sites declare).")
@click.option(
    "--boilerplate",
    is_flag=True,
    help="Leave out the boilerplate of sites that the project's database has learned (newscrawl learn).",
)
@click.option("--languages", type=Names(), metavar="TAGS", help="Only articles in these languages, such as pt,es.")
@click.option("--sites", type=Names(), help="Only pages of these sites: declared names, or registrable domains.")
@click.option("--since", type=click.DateTime(DATES), help="Only pages fetched at this time (UTC) or later.")
@click.option("--until", type=click.DateTime(DATES), help="Only pages fetched before this time (UTC).")
@click.option("--url-pattern", metavar="REGEX", help="Only pages whose address matches this regular expression.")
@click.option(
    "--as-of",
    type=click.DateTime(DATES),
    help="The age of records dated later (UTC) is unknown. Default: the time of the first command with this --to.",
)
@click.option(
    "--limit", type=click.IntRange(min=1), help="Stop after about this many rows; spans that have begun are completed."
)
@click.option("--workers", type=click.IntRange(min=1, max=256), help="Processes of this machine (default: all cores).")
@cluster_options
def command(files: Sequence[str], **options: Any) -> None:
    """Extract the pages of WARC files into Parquet files, on this machine's cores or on the workers of a Dask
    scheduler.

    A FILE is a path, a folder, s3://BUCKET/KEY, or an http(s) address. No database is used, except by --boilerplate,
    but the command must run in a project, whose settings it uses. Each span of a file becomes one Parquet file, and
    _manifest.json states what is done. After an interruption, the same command continues; with --boilerplate only
    until another epoch is learned.
    """
    if options["cluster"] is None:
        prepare(FOR_INGESTS)  # before other imports, as `newscrawl ingest`
    from newscrawl.cli.batch_files import batch

    batch(files, **options)
