"""The seed paper's tables on our corpora: every recipe, jusText and `classic`, at every depth of the tree filter.

Everything else (peers, intervals, floors) is `newscrawl bench quality`.

python -m benchmarks.quality                                # the main corpora, tables on standard output
python -m benchmarks.quality -c daniel --sample 100 --peers # other corpora, other people's extractors too
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

import click

from benchmarks.support import common
from benchmarks.support.document import write_or_print
from benchmarks.support.tables import as_json, corpus_table, overview_table
from newscrawl.bench.corpora import read_corpus
from newscrawl.bench.peers import installed
from newscrawl.bench.quality.measure import Result, measure_corpus, results
from newscrawl.bench.systems import own_names
from newscrawl.errors import NewscrawlError

CORPORA: Final = ("naeb", "misinfo_crawler", "fundus_tests", "magic_html_article", "l3s_gn1")
"""The corpora measured unless others are named."""


@click.command(help=__doc__, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("-c", "--corpus", "corpora", multiple=True, help="Corpus to measure; may be given several times.")
@click.option("-s", "--system", "systems", multiple=True, help="Only this system; may be given several times.")
@click.option("--peers", is_flag=True, help="Also measure other extractors that are installed (slow).")
@click.option("--characters", is_flag=True, help="Also score over characters, as the seed paper does (slow).")
@click.option(
    "--markdown", "document", type=click.Path(path_type=Path, exists=True), help="Write the tables into this document."
)
@common.shared_option
@common.sample_option
@common.processes_option
@common.json_option
def main(
    *,
    corpora: Sequence[str],
    systems: Sequence[str],
    peers: bool,
    characters: bool,
    document: Path | None,
    shared: Path,
    sample: int | None,
    processes: int,
    json_path: Path | None,
) -> None:
    names = tuple(systems) or (*own_names(), *(installed() if peers else ()))
    try:
        measured = measure_all(shared, corpora or CORPORA, names, sample, characters=characters, processes=processes)
        content = report(measured)
        write_or_print(document, "quality", content, "quality")
    except NewscrawlError as error:
        raise click.ClickException(str(error)) from error
    if json_path:
        json_path.write_text(json.dumps(as_json(measured), indent=1) + "\n", encoding="utf-8")


def measure_all(
    shared: Path, corpora: Sequence[str], names: Sequence[str], sample: int | None, *, characters: bool, processes: int
) -> dict[str, dict[str, Result]]:
    """Means of every system on every corpus."""
    folder = common.require_shared(shared) / "corpora"
    measured = {}
    for name in corpora:
        corpus = read_corpus(folder / name, limit=sample)
        measured[name] = results(measure_corpus(corpus, names, characters=characters, processes=processes))
    return measured


def report(measured: Mapping[str, Mapping[str, Result]]) -> str:
    """All tables as Markdown."""
    parts = [overview_table(measured)]
    for corpus, systems in measured.items():
        pages = next(iter(systems.values())).shingles.pages if systems else 0
        parts += [f"### {corpus} ({pages} pages)", corpus_table(systems)]
    return "\n\n".join(parts)


if __name__ == "__main__":
    main()
