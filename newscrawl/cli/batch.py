"""`newscrawl batch`: extracts WARC files into Parquet parts, without a database."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from newscrawl.cli.options import DATES
from newscrawl.processes.forkserver import FOR_INGESTS, prepare


class _Names(click.ParamType[tuple[str, ...]]):
    """Names with commas between them."""

    name = "names"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Returns the names."""
        names = tuple(name.strip() for name in value.split(",")) if isinstance(value, str) else value
        if not all(names):
            self.fail(f"{value!r} has an empty name: write names with commas between them", param, ctx)
        return names


@click.command(
    name="batch",
    short_help="Extract WARC files into tables, on many machines.",
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
@click.option("--languages", type=_Names(), metavar="TAGS", help="Only articles in these languages, such as pt,es.")
@click.option("--sites", type=_Names(), help="Only pages of these sites: declared names, or registrable domains.")
@click.option("--since", type=click.DateTime(DATES), help="Only pages fetched at this time (UTC) or later.")
@click.option("--until", type=click.DateTime(DATES), help="Only pages fetched before this time (UTC).")
@click.option("--url-pattern", metavar="REGEX", help="Only pages whose address matches this regular expression.")
@click.option(
    "--as-of",
    type=click.DateTime(DATES),
    help="Refuse records that are dated later (UTC). Default: the time of the first command with this --to.",
)
@click.option("--limit", type=click.IntRange(min=1), help="Begin no span after about this many rows.")
@click.option("--workers", type=click.IntRange(min=1, max=256), help="Processes of this machine (default: all cores).")
@click.option("--on", metavar="ADDRESS", help="Extract on the workers of this Dask scheduler: tls://HOST:8786.")
@click.option("--tls-ca", type=click.Path(path_type=Path), help="Certificate authority of the scheduler (PEM).")
@click.option("--tls-cert", type=click.Path(path_type=Path), help="Certificate of this client (PEM).")
@click.option("--tls-key", type=click.Path(path_type=Path), help="Key of this client's certificate (PEM).")
def command(files: Sequence[str], **options: Any) -> None:
    """Extract the pages of WARC files into Parquet files, on this machine's cores or on the workers of a Dask
    scheduler.

    A FILE is a path, a folder, s3://BUCKET/KEY, or an http(s) address. No database is used. Each part of a file
    becomes one Parquet file, and _manifest.json states what is done. After an interruption, the same command continues.
    """
    if options["on"] is None:
        prepare(FOR_INGESTS)  # before other imports, as `newscrawl ingest`
    from newscrawl.cli.batch_files import batch

    batch(files, **options)
