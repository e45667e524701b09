"""What one hint mends on twenty sites of the corpora.

    python -m benchmarks.site_hints
    python -m benchmarks.site_hints --write FILE

A page has the fault if the hint changes its text. It is mended if its F1 (4-shingles, against the gold text) rises.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from benchmarks.site_hints.measure import PageScores, SiteScores, measure, read_sites
from benchmarks.support import common
from benchmarks.support.common import command, replace_section
from newscrawl.bench.documents import markdown
from newscrawl.errors import NewscrawlError

SECTION = "hints"


@click.command(help=__doc__, context_settings={"help_option_names": ["-h", "--help"]})
@common.shared_option
@click.option("--write", type=click.Path(path_type=Path, dir_okay=False), help="Write the table into this document.")
def main(*, shared: Path, write: Path | None) -> None:
    try:
        table = report(measure(read_sites(), common.require_shared(shared)))
        click.echo(table)
        if write is not None:
            replace_section(write, SECTION, table, command("site_hints"))
    except NewscrawlError as error:
        raise click.ClickException(str(error)) from error


def report(scores: Sequence[SiteScores]) -> str:
    """Returns the table and the totals as Markdown."""
    rows = [_row(one) for one in scores]
    head = ("site", "fault", "pages", "with the fault", "better", "worse", "F1 of these", "F1 of all")
    faulty = [page for one in scores for page in one.faulty]
    better, worse = (sum(getattr(one, name) for one in scores) for name in ("better", "worse"))
    total = (
        f"{sum(one.mends for one in scores)} of {len(scores)} sites: three quarters of the pages with the fault are "
        f"better and none is worse. All sites: {better} of {len(faulty)} pages with the fault are better "
        f"({better / max(1, len(faulty)):.0%}), {worse} are worse; their F1 goes from {_change(faulty)}."
    )
    return f"{markdown(head, rows)}\n\n{total}"


def _row(one: SiteScores) -> tuple[str, ...]:
    site = f"{one.site.domain} ({one.site.corpus})"
    counts = (len(one.pages), len(one.faulty), one.better, one.worse)
    return (site, one.site.fault, *map(str, counts), _change(one.faulty), _change(one.pages))


def _change(pages: Sequence[PageScores]) -> str:
    if not pages:
        return "none"
    before, after = (sum(getattr(page, name) for page in pages) / len(pages) for name in ("before", "after"))
    return f"{before:.3f} to {after:.3f}"


if __name__ == "__main__":
    main()
