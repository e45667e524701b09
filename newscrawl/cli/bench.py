"""`newscrawl bench`: quality of texts against gold texts and other extractors, and speed of extraction."""

from __future__ import annotations

import json
import os
import platform
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

import click

from newscrawl.bench.convert import CONVERTERS
from newscrawl.bench.corpora import Corpus, find_corpora, read_corpus
from newscrawl.bench.document import around_section, command_line, replace_section
from newscrawl.bench.peers import PEERS, PREFIX, installed, missing, versions
from newscrawl.bench.quality import floors as floor_file
from newscrawl.bench.quality.html_report import write_html
from newscrawl.bench.quality.measure import is_scored
from newscrawl.bench.quality.report import as_json, markdown_report
from newscrawl.bench.quality.site_boilerplate import CHAINS, memory_report
from newscrawl.bench.quality.study import Study, make_study
from newscrawl.bench.systems import chain_names, system
from newscrawl.cli.bench_speed import speed
from newscrawl.cli.bench_verdicts import BESIDE, CORPORA_VARIABLE, verdicts
from newscrawl.cli.common.output import require_folder_of, write_text
from newscrawl.cli.common.words import counted
from newscrawl.errors import UsageError
from newscrawl.extraction.registry import DEFAULT_CHAIN

QUICK: Final = 40
"""Pages of each corpus with --quick."""
FLOORS: Final = Path("benchmarks/floors.json")


path_type = click.Path(path_type=Path)


@dataclass(frozen=True, slots=True)
class Outputs:
    """Files for the results."""

    json: Path | None
    html: Path | None
    markdown: Path | None
    section: str


@click.group(
    name="bench",
    short_help="Measure quality and speed.",
    epilog="""\b
Examples:
  newscrawl bench quality --quick
  newscrawl bench speed --growth
  newscrawl bench verdicts
  newscrawl bench COMMAND --help""",
)
def command() -> None:
    """Measure the quality of texts on corpora with gold texts (docs/how-to/benchmark.md), verdicts on pages of known
    kinds, and the speed of extraction."""


command.add_command(speed)
command.add_command(verdicts)


def _moved(name: str) -> click.Command:
    """The removed command `newscrawl bench NAME`: an error that states what replaces it."""

    def refuse() -> None:
        raise UsageError(
            f"`newscrawl bench {name}` was removed: run `python -m benchmarks.{name}` in a checkout of "
            "newscrawl, with the same options"
        )

    # Accepts all options, also --help.
    anything = {"ignore_unknown_options": True, "allow_extra_args": True, "help_option_names": []}
    return click.Command(name, callback=refuse, hidden=True, context_settings=anything, add_help_option=False)


for _name in ("crawl", "freshness"):
    command.add_command(_moved(_name))


@command.command(
    name="quality",
    short_help="Compare texts with gold texts and other extractors.",
    epilog="""\b
Examples:
  newscrawl bench quality --quick
  newscrawl bench quality naeb misinfo_crawler --html report.html
  newscrawl bench quality path/to/corpus.tar.gz --chains classic,justext --peers trafilatura
  newscrawl bench quality daniel xmu_zh_news --memory
  newscrawl bench quality --no-peers --check""",
)
@click.argument("corpora", nargs=-1)
@click.option(
    "--corpora", "folder", type=path_type, envvar=CORPORA_VARIABLE, default=BESIDE, show_default=True,
    help=f"Folder in which corpora are found by name (also ${CORPORA_VARIABLE}).",
)  # fmt: skip
@click.option("--chains", help="Our chains and algorithms, separated by commas (default: all).")
@click.option("--peers", help="Other extractors to measure, separated by commas (default: all installed ones).")
@click.option("--no-peers", is_flag=True, help="Measure only our own chains.")
@click.option("--fast-peers", is_flag=True, help="Leave out newspaper4k, goose3 and news-please (over 100 ms a page).")
@click.option("--against", default=DEFAULT_CHAIN, show_default=True, help="Compare the others with this system.")
@click.option("--sample", type=click.IntRange(min=1), help="Pages of each corpus, chosen by a hash of their id.")
@click.option("--quick", is_flag=True, help=f"{QUICK} pages of each corpus, scored over shingles only.")
@click.option("--shingles-only", is_flag=True, help="Leave out the scores over characters and ROUGE-LSum.")
@click.option("--jobs", type=click.IntRange(min=1), default=os.cpu_count() or 1, help="Workers (default: all cores).")
@click.option("--json", "json_path", type=path_type, help="Write all figures, also of every page, to this file.")
@click.option(
    "--html", "html_path", type=path_type, help="Write a report with plots to this file, and views of pages beside it."
)
@click.option(
    "--markdown",
    "markdown_path",
    type=path_type,
    help="Write the tables to this file, or into a section of it if it exists.",
)
@click.option("--section", default="bench", show_default=True, help="Name of the section for --markdown.")
@click.option("--floors", "floors_path", type=path_type, default=FLOORS, show_default=True, help="File of floors.")
@click.option(
    "--memory",
    is_flag=True,
    help="Show F1 without the boilerplate of each site, learned from its pages before, by the number of these pages "
    "(chains: classic and best, or --chains).",
)
@click.option("--check", is_flag=True, help="Exit with 1 if a figure is below its floor.")
@click.option("--update-floors", is_flag=True, help="Raise the floors of the measured chains to their figures.")
@click.option(
    "--lower",
    is_flag=True,
    help="With --update-floors: also lower floors, and replace those of a corpus whose files have changed.",
)
def quality(
    corpora: Sequence[str],
    folder: Path,
    chains: str | None,
    peers: str | None,
    no_peers: bool,
    fast_peers: bool,
    against: str,
    sample: int | None,
    quick: bool,
    shingles_only: bool,
    jobs: int,
    json_path: Path | None,
    html_path: Path | None,
    markdown_path: Path | None,
    section: str,
    floors_path: Path,
    memory: bool,
    check: bool,
    update_floors: bool,
    lower: bool,
) -> None:
    """Compare our texts, and those of other extractors, with gold texts.

    CORPORA are names in the folder of corpora, or paths of folders or archives. The default is all in the folder.
    """
    size = sample or (QUICK if quick else None)
    if update_floors and size:
        raise UsageError("floors need all pages: leave out --sample and --quick")
    if lower and not update_floors:
        raise UsageError("--lower needs --update-floors")
    if memory:
        if any((peers, json_path, html_path, markdown_path, check, update_floors)):
            raise UsageError("--memory takes only corpora, --corpora, --chains, --sample, --quick and --jobs")
        click.echo(memory_report(_corpora(corpora, folder, size), _chains(chains) if chains else CHAINS, jobs))
        return
    for path in filter(None, (json_path, html_path, markdown_path)):
        require_folder_of(path)
    if markdown_path and markdown_path.is_file():
        around_section(markdown_path, section)
    names = [*_chains(chains), *_peers(peers, no_peers=no_peers, fast=fast_peers)]
    study = make_study(
        _corpora(corpora, folder, size), names, against=against, thorough=not (quick or shingles_only), processes=jobs
    )
    if not study.corpora:
        raise UsageError("no page has a gold text or snippets: nothing to measure")
    _write(study, Outputs(json_path, html_path, markdown_path, section), _facts(size, no_peers=no_peers))
    own = [name for name in names if not name.startswith(PREFIX)]
    if update_floors:
        _update(study, floors_path, own, lower=lower)
    if check:
        _check(study, floors_path, size)


@command.command(
    name="convert",
    short_help="Convert a public data set into a corpus.",
    epilog="""\b
Example:
  newscrawl bench convert fundus path/to/fundus/tests/resources/parser/test_data corpora/fundus""",
)
@click.argument("layout", type=click.Choice(sorted(CONVERTERS)))
@click.argument("source", type=click.Path(path_type=Path, exists=True))
@click.argument("target", type=path_type)
def convert(layout: str, source: Path, target: Path) -> None:
    """Convert the public data set at SOURCE, in its own LAYOUT, into a corpus folder TARGET
    (docs/how-to/benchmark.md)."""
    number = CONVERTERS[layout](source, target)
    click.echo(f"{counted(number, 'page')} in {target}: newscrawl bench quality {target}")


def _corpora(names: Sequence[str], folder: Path, sample: int | None) -> list[Corpus]:
    if names:
        paths = [Path(name) if os.sep in name or Path(name).exists() else folder / name for name in names]
    elif folder.is_dir():
        paths = find_corpora(folder)
    else:
        raise UsageError(f"no corpora in {folder}: name a corpus, or the folder that holds some with --corpora")
    read = [read_corpus(path, limit=sample) for path in paths]
    return [corpus for corpus in read if any(map(is_scored, corpus.pages))]


def _chains(given: str | None) -> list[str]:
    names = _split(given) if given else list(chain_names())
    for name in names:
        system(name)
    return names


def _peers(given: str | None, *, no_peers: bool, fast: bool) -> list[str]:
    if no_peers:
        return []
    if given:
        names = [PREFIX + name.removeprefix(PREFIX) for name in _split(given)]
        for name in names:
            system(name)
    else:
        names = list(installed())
        if absent := missing():
            click.echo(f"not installed, left out: {', '.join(absent)} (the extra `bench` has them)", err=True)
    return [name for name in names if not (fast and PEERS[name.removeprefix(PREFIX)].is_slow)]


def _split(given: str) -> list[str]:
    return list(dict.fromkeys(filter(None, map(str.strip, given.split(",")))))


def _facts(sample: int | None, *, no_peers: bool) -> dict[str, Any]:
    """The facts that are needed to reproduce the figures."""
    return {
        "date": f"{datetime.now(UTC):%Y-%m-%d}",
        "command": command_line("newscrawl"),
        "newscrawl": version("newscrawl"),
        "python": platform.python_version(),
        "pages": f"at most {sample} of each corpus" if sample else "all",
        **({} if no_peers else {"peers": ", ".join(f"{name} {number}" for name, number in versions().items())}),
    }


def _write(study: Study, outputs: Outputs, facts: dict[str, Any]) -> None:
    content = markdown_report(study)
    if outputs.markdown is None:
        click.echo(content)
    elif outputs.markdown.is_file():
        replace_section(outputs.markdown, outputs.section, content, facts["command"])
    else:
        write_text(outputs.markdown, f"Generated on {facts['date']} by `{facts['command']}`.\n\n{content}\n")
    if outputs.json:
        write_text(outputs.json, json.dumps(as_json(study, facts), ensure_ascii=False, indent=1) + "\n")
    if outputs.html:
        write_html(study, outputs.html, heading="Quality of the text", facts={k: str(v) for k, v in facts.items()})
        click.echo(f"report: {outputs.html}", err=True)


def _update(study: Study, path: Path, chains: Sequence[str], *, lower: bool) -> None:
    floors = floor_file.updated(study.corpora, floor_file.read_floors(path), chains, lower=lower)
    floor_file.write_floors(path, floors)
    click.echo(f"floors written to {path}", err=True)


def _check(study: Study, path: Path, sample: int | None) -> None:
    floors = floor_file.read_floors(path)
    if not floors:
        raise UsageError(f"no floors in {path}: make them with --update-floors, or name the file with --floors")
    failures = floor_file.missed(study.corpora, floors, sample=sample)
    for failure in failures:
        click.echo(f"floor missed: {failure}", err=True)
    if failures:
        sys.exit(1)
    click.echo("all floors kept", err=True)
