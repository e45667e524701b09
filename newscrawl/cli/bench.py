"""`newscrawl bench`: quality of texts against gold texts, and speed of extraction."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import click

from newscrawl.bench import speed as steps
from newscrawl.bench.corpora import Corpus, named_corpora, read_corpus
from newscrawl.bench.documents import around_section, command_line, replace_section, run_facts
from newscrawl.bench.measure import chain_names, is_scored, system
from newscrawl.bench.report import as_json, markdown_report
from newscrawl.bench.site_boilerplate import CHAINS, memory_report
from newscrawl.bench.study import Study, make_study, missed_floors, read_floors, updated_floors, write_floors
from newscrawl.cli.common.output import require_folder_of, write_text
from newscrawl.demo.site import DemoSite
from newscrawl.errors import UsageError
from newscrawl.extraction.registry import DEFAULT_CHAIN

QUICK: Final = 40
"""Pages of each corpus with --quick."""
FLOORS: Final = Path("benchmarks/floors.json")
ROUNDS: Final = 7
"""Rounds of `bench speed`."""
PAGES: Final = 60
"""Pages of each corpus of `bench speed`."""
QUICK_ROUNDS: Final = 3
QUICK_PAGES: Final = 15
CORPORA_VARIABLE: Final = "NEWSCRAWL_CORPORA"
BESIDE: Final = Path("../shared/corpora")
"""The default folder of corpora: beside the checkout."""

path_type = click.Path(path_type=Path)


@click.group(
    epilog="""\b
Examples:
  newscrawl bench quality --quick
  newscrawl bench speed --growth
  newscrawl bench COMMAND --help""",
)
def command() -> None:
    """Measure the quality of texts on corpora with gold texts (docs/how-to/benchmark.md), and the speed of extraction.

    Other measurements are in a checkout of newscrawl: `python -m benchmarks` lists them."""


@command.command(
    name="quality",
    short_help="Compare texts with gold texts.",
    epilog="""\b
Examples:
  newscrawl bench quality --quick
  newscrawl bench quality naeb misinfo_crawler --json report.json
  newscrawl bench quality path/to/corpus.tar.gz --chains classic,justext
  newscrawl bench quality daniel xmu_zh_news --memory
  newscrawl bench quality --check""",
)
@click.argument("corpora", nargs=-1)
@click.option(
    "--corpora", "folder", type=path_type, envvar=CORPORA_VARIABLE, default=BESIDE, show_default=True,
    help=f"Folder in which corpora are found by name (also ${CORPORA_VARIABLE}).",
)  # fmt: skip
@click.option("--chains", help="Our chains and algorithms, separated by commas (default: all).")
@click.option("--against", default=DEFAULT_CHAIN, show_default=True, help="Compare the others with this system.")
@click.option("--sample", type=click.IntRange(min=1), help="Pages of each corpus, chosen by a hash of their id.")
@click.option("--quick", is_flag=True, help=f"{QUICK} pages of each corpus, scored over shingles only.")
@click.option("--shingles-only", is_flag=True, help="Leave out the scores over characters and ROUGE-LSum.")
@click.option("--jobs", type=click.IntRange(min=1), default=os.cpu_count() or 1, help="Workers (default: all cores).")
@click.option("--json", "json_path", type=path_type, help="Write all figures, also of every page, to this file.")
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
    against: str,
    sample: int | None,
    quick: bool,
    shingles_only: bool,
    jobs: int,
    json_path: Path | None,
    markdown_path: Path | None,
    section: str,
    floors_path: Path,
    memory: bool,
    check: bool,
    update_floors: bool,
    lower: bool,
) -> None:
    """Compare our texts with gold texts.

    CORPORA are names in the folder of corpora, or paths of folders or archives. The default is all in the folder.
    `python -m benchmarks.quality` in a checkout of newscrawl also measures other extractors, and writes an HTML report.
    """
    size = sample or (QUICK if quick else None)
    if update_floors and size:
        raise UsageError("floors need all pages: leave out --sample and --quick")
    if lower and not update_floors:
        raise UsageError("--lower needs --update-floors")
    if memory:
        if any((json_path, markdown_path, check, update_floors)):
            raise UsageError("--memory takes only corpora, --corpora, --chains, --sample, --quick and --jobs")
        click.echo(memory_report(_corpora(corpora, folder, size), _chains(chains) if chains else CHAINS, jobs))
        return
    for path in filter(None, (json_path, markdown_path)):
        require_folder_of(path)
    if markdown_path and markdown_path.is_file():
        around_section(markdown_path, section)
    names = _chains(chains)
    study = make_study(
        _corpora(corpora, folder, size), names, against=against, thorough=not (quick or shingles_only), processes=jobs
    )
    if not study.corpora:
        raise UsageError("no page has a gold text or snippets: nothing to measure")
    pages = f"at most {size} of each corpus" if size else "all"
    facts = {**run_facts(), "command": command_line("newscrawl"), "pages": pages}  # to reproduce the figures
    _write(study, facts, json_path, markdown_path, section)
    if update_floors:
        floors = updated_floors(study.corpora, read_floors(floors_path), names, lower=lower)
        write_floors(floors_path, floors)
        click.echo(f"floors written to {floors_path}", err=True)
    if check:
        _check(study, floors_path, size)


def _corpora(names: Sequence[str], folder: Path, sample: int | None) -> list[Corpus]:
    read = named_corpora(names, folder, limit=sample)
    return [corpus for corpus in read if any(map(is_scored, corpus.pages))]


def _chains(given: str | None) -> list[str]:
    names = list(dict.fromkeys(filter(None, map(str.strip, given.split(","))))) if given else list(chain_names())
    for name in names:
        system(name)
    return names


def _write(
    study: Study, facts: dict[str, Any], json_path: Path | None, markdown_path: Path | None, section: str
) -> None:
    content = markdown_report(study)
    if markdown_path is None:
        click.echo(content)
    elif markdown_path.is_file():
        replace_section(markdown_path, section, content, facts["command"])
    else:
        write_text(markdown_path, f"Generated on {facts['date']} by `{facts['command']}`.\n\n{content}\n")
    if json_path:
        write_text(json_path, json.dumps(as_json(study, facts), ensure_ascii=False, indent=1) + "\n")


def _check(study: Study, path: Path, sample: int | None) -> None:
    floors = read_floors(path)
    if not floors:
        raise UsageError(f"no floors in {path}: make them with --update-floors, or name the file with --floors")
    failures = missed_floors(study.corpora, floors, sample=sample)
    for failure in failures:
        click.echo(f"floor missed: {failure}", err=True)
    if failures:
        sys.exit(1)
    click.echo("all floors kept", err=True)


@command.command(
    name="speed",
    short_help="Measure the time of each step, and its growth.",
    epilog="""\b
Examples:
  newscrawl bench speed --quick
  newscrawl bench speed path/to/corpus other.tar.xz --json speed.json
  newscrawl bench speed --growth --only 'chain classic'""",
)
@click.argument("corpora", nargs=-1, type=click.Path(path_type=Path))
@click.option("--pages", type=click.IntRange(min=1), help=f"Pages of each corpus (default: {PAGES}).")
@click.option("--rounds", type=click.IntRange(min=1), help=f"Number of rounds (default: {ROUNDS}).")
@click.option("--quick", is_flag=True, help=f"{QUICK_PAGES} pages of each corpus, {QUICK_ROUNDS} rounds.")
@click.option("--only", multiple=True, help="Measure only the step with this name in the table; may be repeated.")
@click.option("--growth", is_flag=True, help="Measure how much longer each step takes for a page of double size.")
@click.option(
    "--json", "json_path", type=click.Path(path_type=Path, dir_okay=False), help="Write all figures to this file."
)
@click.option(
    "--markdown",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write the table into a section of this document.",
)
@click.option("--section", default="speed", show_default=True, help="Name of the section for --markdown.")
def speed(
    corpora: Sequence[Path],
    pages: int | None,
    rounds: int | None,
    quick: bool,
    only: Sequence[str],
    growth: bool,
    json_path: Path | None,
    markdown: Path | None,
    section: str,
) -> None:
    """Time each step from bytes to article, as a multiple of the time lxml needs to parse the page.

    CORPORA are folders or archives (docs/how-to/benchmark.md). The default is the pages of the demo site.
    """
    if markdown:
        around_section(markdown, section)
    bodies = _bodies(corpora, pages or (QUICK_PAGES if quick else PAGES))
    facts = steps.speed_facts([path.name.partition(".")[0] for path in corpora], bodies)
    if growth:
        growths, timings = steps.measure_growth(bodies, only=only), []
        content = steps.growth_table(growths)
    else:
        growths = []
        timings = steps.measure(steps.parts(bodies, only=only), rounds or (QUICK_ROUNDS if quick else ROUNDS))
        content = steps.timing_table(timings)
    content = f"{steps.heading(facts)}\n\n{content}"
    if markdown is None:
        click.echo(content)
    else:
        replace_section(markdown, section, content, command_line("newscrawl"))
    if json_path:
        write_text(json_path, json.dumps(steps.as_json(timings, growths, facts), ensure_ascii=False, indent=1) + "\n")
    _complain(growths)


def _complain(growths: Sequence[steps.Growth]) -> None:
    """Exits with 1 if one of our steps takes too long for a page of double size. lxml's parse is not checked."""
    faults = [growth for growth in growths if not growth.is_linear and growth.stage != steps.FLOOR]
    for growth in faults:
        click.echo(f"grows too fast: {growth.stage} on {growth.shape} pages, {growth.factor:.2f} times", err=True)
    if faults:
        raise SystemExit(1)


def _bodies(corpora: Sequence[Path], number: int) -> list[bytes]:
    if corpora:
        return [page.body() for path in corpora for page in read_corpus(path, limit=number).pages]
    site = DemoSite()
    return [site.answer("GET", story.path).body for story in site.stories[:number]]
