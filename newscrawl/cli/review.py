"""`newscrawl review`: lists and releases pages that wait for review."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from functools import partial
from itertools import groupby
from typing import Final

import click

from newscrawl.actions.choices import DATABASE_ALONE, ReviewChoice
from newscrawl.actions.site import RELEASE
from newscrawl.cli.common.project import database_option, named_database, project_reader, project_store
from newscrawl.cli.common.show import show
from newscrawl.cli.common.sites import check_site, check_stored
from newscrawl.cli.common.words import counted, operator_name, say
from newscrawl.errors import MissingDatabase, UsageError
from newscrawl.model.identity import url_key
from newscrawl.model.jsonable import view
from newscrawl.reports.review import InReview, in_review
from newscrawl.reports.sites import site_names
from newscrawl.reports.views import REVIEW_JSON
from newscrawl.storage.monitoring.release import Released

SHOWN: Final = 50
"""Largest number of pages that are listed for a site; `--json` has all."""


@click.group(
    invoke_without_command=True,
    epilog="""\b
Examples:
  newscrawl review
  newscrawl review list --site elpais
  newscrawl reextract --in-review --site elpais --chain best --diff report.html
  newscrawl review release --site elpais
  newscrawl review release https://example.org/2026/05/story""",
)
@click.pass_context
def command(context: click.Context) -> None:
    """List the pages that wait for review and why, or release them. Without a command they are listed.

    While a site's extraction looks broken, its suspect pages wait for review, and so does a text that took the place of
    quite another one and is not credible. Feed, search and export do not show them.
    A page that another extractor reads well does not wait. `newscrawl reextract --in-review` extracts them again from
    the archive, for example with another chain or after an upgrade. If a later visit gives a normal text, that text
    replaces the waiting one.
    """
    if context.invoked_subcommand is None:
        context.invoke(list_pages)


@command.command(
    name="list",
    short_help="List the pages that wait for review.",
    epilog="""\b
Examples:
  newscrawl review list
  newscrawl review list https://example.org/2026/05/story --json""",
)
@click.argument("url", required=False)
@click.option("--site", help="Only pages of this site.")
@click.option("--json", "as_json", is_flag=True, help="Print all of them as a JSON list.")
@database_option
def list_pages(*, url: str | None, site: str | None, as_json: bool) -> None:
    """List the pages that wait for review and why: all pages, one URL, or the pages of a site. The texts that are most
    likely wrong come first (docs/explanation/confidence.md)."""
    _check_selection(url, site)
    pages: list[InReview] = []
    try:
        with project_reader() as connection:
            check_stored(connection, site)
            pages = in_review(connection, site, keys=[url_key(url)] if url is not None else None, by_site=True)
    except MissingDatabase:
        if named_database() is not None:  # a path that the operator gave is wrong
            raise
    as_object = partial(view, keys=REVIEW_JSON) if as_json else False
    show(pages, _lines, as_json=as_object, empty="nothing waits for review")


@command.command(
    short_help="Accept waiting pages: store them with the text they have.",
    epilog="""\b
Examples:
  newscrawl review release --site elpais
  newscrawl review release https://example.org/2026/05/story""",
)
@click.argument("url", required=False)
@click.option("--site", help="All pages of this site that wait for review.")
@database_option
def release(*, url: str | None, site: str | None) -> None:
    """Store the waiting pages of one URL or one site, so that feed, search and export show them. A page that already
    shows a better text keeps it."""
    _check_selection(url, site)
    if url is None and site is None:
        raise UsageError("say what to release: --site NAME or a URL (`newscrawl review list` lists what waits)")
    with project_store() as store:
        check_site(site, store.run(site_names).result())
        done = RELEASE.act(store, ReviewChoice(site, url), DATABASE_ALONE, operator_name(), datetime.now(UTC))
    released: Released = done.found
    if not released.pages:
        raise UsageError(f"nothing of {url or site} waits for review: `newscrawl review list` lists what does")
    say(f"released {counted(released.stored, 'page')}")
    if released.kept:
        say(f"{released.kept} changed nothing: their pages show a better text, or the same")
    if released.blocked:
        say(f"{released.blocked} not stored: blocked, see `newscrawl forget --blocked`")
    if released.refused:
        say(f"{released.refused} not stored: the database refused them, they are now dead letters (see the log)")
    if released.empty:
        say(f"{released.empty} had no text at all: they are fetched again when they are due")


def _check_selection(url: str | None, site: str | None) -> None:
    if url is not None and site is not None:
        raise UsageError("give a URL or --site NAME, not both")


def _lines(pages: Sequence[InReview]) -> Iterator[str]:
    for site, of_site in groupby(pages, key=lambda page: page.site):
        number = 0
        for number, page in enumerate(of_site, 1):
            if number <= SHOWN:
                size = f"{page.characters} characters" if page.characters else page.failure or "no text"
                sure = f", confidence {page.confidence:.2f}" if page.confidence is not None else ""
                yield f"{site}  {page.at:%Y-%m-%d %H:%M}  {page.url}  {size}{sure}: {', '.join(page.reasons)}"
        more = f", {SHOWN} of them shown; --json lists all" if number > SHOWN else ""
        yield f"{site}: {counted(number, 'page waits', 'pages wait')} for review{more}"
