"""`newscrawl hints`: what the hints of a site's declaration would change, and hints from files of other readers."""

from __future__ import annotations

import sys
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import click
from rich.progress import MofNCompleteColumn

from newscrawl.archive.reextract.report import html
from newscrawl.archive.reextract.run import Reextraction, ReextractionProgress
from newscrawl.archive.reextract.tally import HintTrial
from newscrawl.cli.common.options import options_of_named
from newscrawl.cli.common.output import require_folder_of, write_text
from newscrawl.cli.common.project import required_settings
from newscrawl.cli.common.show import print_json
from newscrawl.cli.common.sites import check_stored
from newscrawl.cli.common.words import counted, say
from newscrawl.cli.common.work import follow, work_settings
from newscrawl.cli.reextract import existing_archive
from newscrawl.config.derived.stores import store_of
from newscrawl.config.logs.terminal import one_line
from newscrawl.config.reading import config_of
from newscrawl.errors import UsageError, os_reason
from newscrawl.extraction.site_hints.site_config import ImportedHints, read_site_config
from newscrawl.storage.captures.locations import Selection, time_of_newest

CAPTURES: Final = 500
"""The latest captures of a site that are tried: about ten seconds of work on two cores."""
STOPPED: Final = "stopped; nothing was stored"


@click.group(
    epilog="""\b
Examples:
  newscrawl hints try demo
  newscrawl hints import example.com.txt""",
)
def command() -> None:
    """Try the hints of a site's declaration on its archived pages, or import hints from a file.

    Hints are selectors in spiders/NAME.py. They say which parts of a site's pages belong to the article, and which do
    not.
    """


@command.command(
    name="try",
    short_help="Show what the declared hints would change.",
    epilog="""\b
Examples:
  newscrawl hints try demo
  newscrawl hints try demo --limit 100 --diff report.html""",
)
@click.argument("site")
@click.option("--limit", type=click.IntRange(min=1), default=CAPTURES, show_default=True, help="The latest captures.")
@click.option(
    "--diff", type=click.Path(path_type=Path, dir_okay=False), help="Write a report of the changes to this HTML file."
)
@click.option("--json", "as_json", is_flag=True, help="Print the result as a JSON object.")
@click.option("--workers", type=click.IntRange(min=1, max=256), help="Processes that extract (default: all cores).")
def try_hints(site: str, limit: int, diff: Path | None, *, as_json: bool, workers: int | None) -> None:
    """Extract the site's latest captures again with its declaration as it is now, and compare them with what is stored.

    Nothing is fetched and nothing is stored. If newscrawl or the settings changed since the pages were stored, the
    result includes the effect of these changes. To see the effect of new hints alone, run `newscrawl reextract --site
    SITE --apply` before you change the hints.
    """
    settings = required_settings()
    config = config_of(settings)
    options = options_of_named(site)
    archive = existing_archive(config)
    if diff is not None:
        require_folder_of(diff)
    with store_of(config) as store:
        with store.reading() as connection:
            check_stored(connection, site)
            selection = Selection(site, time_of_newest(connection, site, limit))
        run_settings = work_settings(settings, workers, options=options)
        work = Reextraction(store, archive, selection, run_settings)
        trial = work.progress.tally = HintTrial()
        if not work.progress.total:
            raise UsageError(f"the archive of this machine has no page of {site}: nothing can be tried")
        follow(work.run(), _text, MofNCompleteColumn(), STOPPED)
    if as_json:
        print_json(_as_object(site, work.progress, trial))
    else:
        _show(site, work.progress, trial)
    if diff is not None:
        write_text(diff, html(trial, options.chain, datetime.now(UTC), applied=False))
        click.echo(f"report: {diff}", err=True)


@command.command(
    name="import",
    short_help="Print the hints of a FiveFilters file.",
    epilog="""\b
Examples:
  newscrawl hints import example.com.txt""",
)
@click.argument("file", type=click.Path(path_type=Path))
def import_hints(file: Path) -> None:
    """Print the rules of a FiveFilters site file (`body:`, `strip:`, `strip_id_or_class:`, `title:`, `author:`,
    `date:`) as hints for spiders/NAME.py.

    Rules that have no counterpart or cannot be used are listed on standard error.
    """
    try:
        text = file.read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise UsageError(f"cannot read {file}: {os_reason(error)}") from error
    imported = read_site_config(text)
    for line in imported.left_out:
        say(f"left out: {one_line(line)}", err=True)
    if not imported.hints:
        say("no rule can be used", err=True)
        sys.exit(1)
    click.echo(declared(imported))


def declared(imported: ImportedHints) -> str:
    """Returns the attribute of a spider class with these hints, as Python."""
    lines = ["    hints = {"]
    for kind, selectors in imported.hints.items():
        lines.append(f"        {kind!r}: (".replace("'", '"'))
        lines += [f"            {selector!r}," for selector in selectors]
        lines.append("        ),")
    return "\n".join([*lines, "    }"])


def _text(progress: ReextractionProgress, seconds: float) -> str:
    return f"{counted(progress.pages, 'page')} tried, {seconds:.0f} s"


def _show(site: str, progress: ReextractionProgress, trial: HintTrial) -> None:
    say(f"{site}: the latest {counted(progress.pages, 'capture')} with the declaration as it is now")
    for number, label in trial.lines():
        say(f"{number:6,}  {label}")
    for name, number in sorted(trial.fields.items()):
        say(f"{number:6,}  get another {name}")
    if not trial.matches:
        say(f"{site} declares no hints for these captures")
    for label, number in sorted(trial.matches.items()):
        say(f"{one_line(label)}: " + (f"on {number:,} of {trial.hinted:,}" if number else "matches nothing"))
    for example in trial.examples:
        for sign, text in (("-", example.lost), ("+", example.gained)):
            if text:
                say(f"  {example.url}: {sign} {one_line(text)}")
    for reason, number in sorted(trial.skipped.items()):
        say(f"{number:,} captures not tried: {reason}")
    say(f"nothing was stored; `newscrawl reextract --site {site} --apply` stores the new texts")


def _as_object(site: str, progress: ReextractionProgress, trial: HintTrial) -> dict[str, Any]:
    return {
        "site": site,
        "captures": progress.pages,
        "effects": dict(trial.effects),
        "fields": dict(trial.fields),
        "hints": {label: {"pages": number, "of": trial.hinted} for label, number in sorted(trial.matches.items())},
        "examples": [asdict(example) for example in trial.examples],
        "skipped": dict(trial.skipped),
    }
