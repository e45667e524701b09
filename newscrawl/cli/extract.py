"""`newscrawl extract`: one page's article, from a file, an address or standard input."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.table import Table

from newscrawl.article import Extracted, extract
from newscrawl.crawling.process import fetch_one, project_settings
from newscrawl.crawling.services import options_of
from newscrawl.errors import InvalidUrl, UsageError
from newscrawl.identity import clean_url
from newscrawl.model import PublishedDate
from newscrawl.page.decode import decode


@click.command(
    name="extract",
    epilog="""\b
Examples:
  newscrawl extract page.html
  newscrawl extract https://example.org/story --json
  curl -s https://example.org/story | newscrawl extract - --url https://example.org/story
  newscrawl extract page.html --chain boilerpipe-article+tree2 --trace""",
)
@click.argument("source", metavar="FILE|URL|-")
@click.option(
    "--chain", help="Extractors to try (classic, justext, boilerpipe-article, any name with +tree1 ... +tree5)."
)
@click.option("--url", help="The page's address, for a file or standard input.")
@click.option("--encoding", help="The page's encoding, if you know better than the page.")
@click.option("--json", "as_json", is_flag=True, help="Everything that was found, as one JSON object.")
@click.option(
    "--trace", is_flag=True, help="What each extractor yielded, and why it was taken or not (on standard error)."
)
def command(source: str, chain: str | None, url: str | None, encoding: str | None, as_json: bool, trace: bool) -> None:
    """Print the article of one page: its text alone, or with --json all that the page says of it."""
    _check_options(url, encoding)
    options = options_of(project_settings())
    body, address = read_source(source)
    extracted = extract(
        body, url or address, encoding, chain or options.chain, chains=options.chains, limits=options.limits
    )
    if as_json:
        click.echo(json.dumps(as_object(extracted), ensure_ascii=False, indent=2))
    elif extracted.text:
        click.echo(extracted.text)
    if trace:
        _print_trace(extracted)
    if not extracted.text:
        problems = f" ({'; '.join(extracted.problems)})" if extracted.problems else ""
        click.echo(f"newscrawl: no article text in {source}{problems}", err=True)
        raise SystemExit(1)


def _check_options(url: str | None, encoding: str | None) -> None:
    """Raise UsageError for an address or an encoding that there cannot be."""
    if url is not None:
        try:
            clean_url(url)
        except InvalidUrl as error:
            raise UsageError(f"option --url: {error}; give an address like https://example.com/story") from error
    if encoding is not None and decode(b"x", encoding=encoding).source != "caller":
        raise UsageError(f"option --encoding: unknown encoding {encoding!r}; give a name like utf-8 or windows-1252")


def as_object(extracted: Extracted) -> dict[str, Any]:
    """All that is known of a page, in JSON's types; dates as ISO 8601 in UTC."""
    metadata = extracted.metadata
    return {
        "url": extracted.page.url,
        "title": extracted.title,
        "authors": list(extracted.authors),
        **_date("published", metadata.published),
        **_date("modified", metadata.modified),
        "refused_dates": [asdict(date) for date in metadata.refused_dates],
        "language": extracted.language,
        "section": extracted.section,
        "tags": list(extracted.tags),
        "image": extracted.image,
        "canonical": extracted.canonical,
        "site_name": extracted.site_name,
        "description": extracted.description,
        "verdict": extracted.verdict,
        "extractor": extracted.extractor,
        "trace": [asdict(attempt) for attempt in extracted.trace],
        "problems": list(extracted.problems),
        "encoding": extracted.page.encoding,
        "content_hash": extracted.content_hash,
        "text": extracted.text,
    }


def _date(name: str, date: PublishedDate | None) -> dict[str, str | None]:
    return {
        name: date.when.isoformat() if date else None,
        f"{name}_source": date.source if date else None,
        f"{name}_precision": date.precision if date else None,
    }


def read_source(source: str) -> tuple[bytes | str, str | None]:
    """The bytes of a file, a URL or standard input (-), and their address where they have one. Raises UsageError."""
    if source == "-":
        return sys.stdin.buffer.read(), None
    if source.startswith(("http://", "https://")):
        raw = fetch_one(source)
        return raw.body or b"", raw.final_url
    path = Path(source)
    try:
        return path.read_bytes(), None
    except OSError as error:
        raise UsageError(
            f"cannot read {source}: {(error.strerror or str(error)).lower()}; give a file, a URL or -"
        ) from error


def _print_trace(extracted: Extracted) -> None:
    table = Table("extractor", "words", "characters", "taken", "why")
    for attempt in extracted.trace:
        taken = "yes" if attempt.accepted else "no"
        table.add_row(attempt.extractor, str(attempt.words), str(attempt.characters), taken, attempt.reason)
    Console(stderr=True, highlight=False).print(table)
