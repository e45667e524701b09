"""Measures a reextraction and an ingest of the same pages, with the memory over time.

    python -m benchmarks.reextract ../shared/corpora/naeb --pages 5000 --markdown FILE
    python -m benchmarks.reextract CORPUS... --pages 5000 --report report.html    # keep the last run's report

Pages are made as benchmarks.ingest makes them, archived and stored as by a crawl; then the archive goes through
the chain that its texts came from (nothing may change), and through another one that is applied. The ingest reads the
same pages from a WARC file. All runs take all cores.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any, Final

import click

from benchmarks.ingest import Run, ingest, made, mixed, watched, write_warc
from newscrawl.archive.writer import ArchiveBudget, ArchiveSettings, ArchiveWriter
from newscrawl.bench.documents import command_line, replace_section
from newscrawl.bench.parallel import in_parallel
from newscrawl.extraction.article.make import ArticleOptions, fingerprint, make_article
from newscrawl.model import ProcessedPage, RawPage
from newscrawl.storage.store import open_store

NOW: Final = datetime(2026, 11, 1, 12, tzinfo=UTC)
PART: Final = 500
"""Pages in memory at a time while the archive is made."""
OTHER: Final = "boilerpipe-article"
"""The chain that changes many texts."""


def raw_page(page: tuple[str, bytes]) -> RawPage:
    """Returns the page as a spider would yield it."""
    url, body = page
    return RawPage(url, url, 200, {"content-type": "text/html; charset=utf-8"}, body, NOW, "corpus")


def extracted(page: tuple[str, bytes]) -> ProcessedPage:
    """The page's article by the default chain."""
    return fingerprint(make_article(raw_page(page), ArticleOptions()))


def parts(pages: Iterator[tuple[str, bytes]], size: int) -> Iterator[list[tuple[str, bytes]]]:
    """The pages in lists of `size`."""
    part: list[tuple[str, bytes]] = []
    for page in pages:
        part.append(page)
        if len(part) == size:
            yield part
            part = []
    if part:
        yield part


def fill(folder: Path, pages: Iterator[tuple[str, bytes]], total: int) -> None:
    """Archives and stores the pages as a crawl does: the bytes first."""
    with open_store(f"sqlite:///{folder / 'news.db'}", upgrade=True) as store:
        keeper = ArchiveWriter(ArchiveSettings(folder / "news.archive", budget=ArchiveBudget(), least_free=0), store)
        with closing(keeper):
            for number, part in enumerate(parts(pages, PART)):
                kept = [keeper.keep(raw_page(page)) for page in part]
                saved: list[Future[Any]] = []
                for one, capture in zip(in_parallel(extracted, part, label="extracting"), kept, strict=True):
                    raw = replace(one.raw, capture=capture.result())
                    saved.append(store.save(replace(one, raw=raw)))
                for future in saved:
                    future.result()
                click.echo(f"archived {min(total, (number + 1) * PART)} of {total}", err=True)


def reextract(folder: Path, *options: str) -> Run:
    """Runs one reextraction on all cores."""
    cores, archive = sorted(os.sched_getaffinity(0)), str(folder / "news.archive")
    return watched(["reextract", *options], folder / "news.db", cores, NEWSCRAWL_ARCHIVE_URL=archive)


def row(name: str, pages: int, run: Run) -> str:
    """A line of the table: pages a second, memory at a fifth of the time, in the middle and at its greatest after."""
    sizes = [size / 2**20 for _, size in run.memory]
    early, middle, late = sizes[len(sizes) // 5], sizes[len(sizes) // 2], max(sizes[len(sizes) // 2 :])
    return f"| {name} | {pages / run.seconds:.0f} | {early:.0f}, {middle:.0f}, {late:.0f} |"


@click.command()
@click.argument("corpora", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--pages", default=5000, show_default=True)
@click.option("--report", type=click.Path(path_type=Path), help="Keep the report of `--diff` in this file.")
@click.option(
    "--markdown", type=click.Path(path_type=Path), help="Write the table into the section `reextract` of this document."
)
def main(corpora: Sequence[Path], pages: int, report: Path | None, markdown: Path | None) -> None:
    """Measure reextractions of PAGES pages made from corpora, beside an ingest of the same.

    Example: python -m benchmarks.reextract ../shared/corpora/naeb --pages 5000
    """
    with tempfile.TemporaryDirectory(prefix="newscrawl-reextract-") as made_in:
        folder = Path(made_in)
        mix = mixed(corpora, 0)
        write_warc(folder / "pages.warc.gz", mix, pages)
        fill(folder, made(mix, pages), pages)
        diff = str((report or folder / "report.html").resolve())
        again = partial(reextract, folder)
        runs = {
            "ingest": ingest(folder / "pages.warc.gz", folder / "ingest.db", sorted(os.sched_getaffinity(0))),
            "reextract, the same chain, --diff": again("--diff", diff),
            f"reextract, {OTHER}, --diff, --apply": again("--chain", OTHER, "--diff", diff, "--apply"),
        }
        size = Path(diff).stat().st_size / 1000
    lines = ["| run | pages/s | memory, MB, at 20 % and 50 %, and the maximum after that |", "|---|--:|--:|"]
    lines += [row(name, pages, run) for name, run in runs.items()]
    lines.append(f"\n{pages} pages; the report has {size:.0f} kB.")
    click.echo("\n".join(lines))
    if markdown:
        replace_section(markdown, "reextract", "\n".join(lines), command_line("python -m benchmarks.reextract"))


if __name__ == "__main__":
    main()
