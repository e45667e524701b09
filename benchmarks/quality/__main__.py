"""Compare our texts, and those of other installed extractors, with gold texts, and write the results as an HTML report.

\b
    python -m benchmarks.quality naeb l3s_gn1 --html report.html --json report.json
    python -m benchmarks.quality --chains classic,justext --peers trafilatura,resiliparse
    python -m benchmarks.quality --against peer/trafilatura     # differences from another system than classic

Our own chains alone, and floors of their figures, are `newscrawl bench quality`. `make peers` installs the others.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path

import click

from benchmarks.quality.html_report import write_html
from benchmarks.support import peers as others
from benchmarks.support.common import SHARED, Benchmark, command, write_or_print
from newscrawl.bench.corpora import named_corpora
from newscrawl.bench.documents import around_section, run_facts
from newscrawl.bench.measure import chain_names, is_scored
from newscrawl.bench.report import as_json, markdown_report
from newscrawl.bench.study import make_study
from newscrawl.errors import UsageError
from newscrawl.extraction.registry import DEFAULT_CHAIN

_FILE = click.Path(path_type=Path, dir_okay=False)


@click.command(cls=Benchmark, help=__doc__, context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("corpora", nargs=-1)
@click.option(
    "--corpora",
    "folder",
    type=click.Path(path_type=Path),
    envvar="NEWSCRAWL_CORPORA",
    default=SHARED / "corpora",
    show_default="../shared/corpora beside the checkout",
    help="Folder in which corpora are found by name (also $NEWSCRAWL_CORPORA).",
)
@click.option("--chains", help="Our chains and algorithms, separated by commas (default: all).")
@click.option("--peers", help="Other extractors to measure, separated by commas (default: all installed ones).")
@click.option("--fast-peers", is_flag=True, help="Leave out newspaper4k, goose3 and news-please (over 100 ms a page).")
@click.option("--against", default=DEFAULT_CHAIN, show_default=True, help="Compare the others with this system.")
@click.option("--sample", type=click.IntRange(min=1), help="Pages of each corpus, chosen by a hash of their id.")
@click.option("--shingles-only", is_flag=True, help="Leave out the scores over characters and ROUGE-LSum.")
@click.option("--jobs", type=click.IntRange(min=1), default=os.cpu_count() or 1, help="Workers (default: all cores).")
@click.option("--json", "json_path", type=_FILE, help="Write all figures, also of every page, to this file.")
@click.option("--html", type=_FILE, help="Write a report with plots to this file, and views of pages beside it.")
@click.option("--markdown", "document", type=_FILE, help="Write the tables into a section of this document.")
@click.option("--section", default="bench", show_default=True, help="Name of the section for --markdown.")
def main(
    *,
    corpora: Sequence[str],
    folder: Path,
    chains: str | None,
    peers: str | None,
    fast_peers: bool,
    against: str,
    sample: int | None,
    shingles_only: bool,
    jobs: int,
    json_path: Path | None,
    html: Path | None,
    document: Path | None,
    section: str,
) -> None:
    if document is not None:
        around_section(document, section)
    ours = chains.split(",") if chains else chain_names()
    names = [*ours, *others.chosen(peers, fast=fast_peers)]
    found = [one for one in named_corpora(corpora, folder, limit=sample) if any(map(is_scored, one.pages))]
    study = make_study(found, names, against=against, thorough=not shingles_only, processes=jobs, find=others.system)
    if not study.corpora:
        raise UsageError("no page has a gold text or snippets: nothing to measure")
    versions = ", ".join(f"{name} {number}" for name, number in others.versions().items())
    pages = f"at most {sample} of each corpus" if sample else "all"
    facts = {**run_facts(), "command": command("quality"), "pages": pages, "peers": versions}
    write_or_print(document, section, markdown_report(study), "quality")
    if json_path is not None:
        json_path.write_text(json.dumps(as_json(study, facts), ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    if html is not None:
        write_html(study, html, heading="Quality of the text", facts=facts)


if __name__ == "__main__":
    main()
