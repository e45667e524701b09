"""`newscrawl extract` and `newscrawl explain`: the article of one page or of many files, and how it was extracted."""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, BinaryIO, Final

import click

from newscrawl.cli.common.options import ChainsCommand, options_of_named, site_option
from newscrawl.cli.common.output import write_text
from newscrawl.cli.common.show import Column, print_json, progress_bar, show
from newscrawl.cli.common.words import NO_ARTICLES, counted, say
from newscrawl.config.catalogue import Config
from newscrawl.config.derived.article_options import options_of
from newscrawl.config.project import written_settings
from newscrawl.config.reading import SettingsValues, config_of
from newscrawl.errors import InvalidUrl, UsageError, os_reason
from newscrawl.extraction.article.extracted import Extracted, check_encoding
from newscrawl.extraction.article.extracted import extract as extracted_of
from newscrawl.extraction.chain import known_names
from newscrawl.model.identity import clean_url
from newscrawl.model.jsonable import to_text
from newscrawl.page.parse import NOT_TEXT

if TYPE_CHECKING:  # one page needs no worker
    from newscrawl.extraction.article.make import ArticleOptions

_HAS_SCHEME: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://")
SUFFIXES: Final = (".html", ".htm", ".xhtml", ".shtml")
"""Endings of the files of a folder that are read, also with `.gz` after them."""
PART: Final = ".part"
"""Ending of the output while it is not complete."""

max_bytes_option = click.option(
    "--max-bytes",
    type=click.IntRange(min=1),
    help="Largest page to read, in bytes (default: DOWNLOAD_MAXSIZE, 10 MB).",
)


@click.command(
    cls=ChainsCommand,
    epilog="""\b
Examples:
  newscrawl extract page.html
  newscrawl extract https://example.org/story --json
  newscrawl extract page.html --format markdown
  curl -s https://example.org/story | newscrawl extract - --url https://example.org/story
  newscrawl extract page.html --chain boilerpipe-article+tree2 --trace
  newscrawl extract pages/ more/page.html -o articles.jsonl

"""
    f"Chains: {', '.join(known_names())}; and those of NEWSCRAWL_CHAINS and NEWSCRAWL_EXTRACTORS.",
)
@click.argument("sources", metavar="FILE|FOLDER|URL|-...", nargs=-1, required=True)
@click.option(
    "-o", "--output", metavar="FILE", help="Write one JSON object a line, for each page of files and folders, to FILE."
)
@click.option(
    "--workers",
    type=click.IntRange(min=0),
    help="With -o: processes (default: NEWSCRAWL_EXTRACT_WORKERS, one per core).",
)
@click.option("--force", is_flag=True, help="With -o: replace FILE.")
@click.option(
    "--chain",
    help="The chain of extractors: classic, best (a learned model, slower) or another one of those below. +tree1 to "
    "+tree5 after its name keep only the group of paragraphs that is the article.",
)
@site_option
@click.option("--url", help="The page's address, for a file or standard input.")
@click.option("--encoding", help="The page's encoding, in place of the declared one.")
@max_bytes_option
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "markdown", "json"]),
    default="text",
    show_default=True,
    help="markdown has headings, lists, quotations, tables and links, json also the metadata.",
)
@click.option("--json", "form", flag_value="json", help="Print text and metadata as one JSON object.")
@click.option(
    "--trace", is_flag=True, help="Print the result of each extractor and why it was used or not (standard error)."
)
def extract(
    sources: tuple[str, ...],
    output: str | None,
    workers: int | None,
    chain: str | None,
    site: str | None,
    url: str | None,
    encoding: str | None,
    max_bytes: int | None,
    form: str,
    trace: bool,
    force: bool,
) -> None:
    """Print the article of one page: its text, the same as Markdown, or with --json also its metadata.

    The page is a file, a URL or standard input (-). With -o, many pages are read from files and folders, in several
    processes. A page that cannot be extracted gives a line with `failure` and `reason`, and exit code 1.
    """
    if url is not None:
        _check_address(url, "option --url: {error}; give an address like https://example.com/story")
    check_encoding(encoding)
    settings = written_settings()
    config = config_of(settings)
    options = options_of_named(site) if site is not None else options_of(config)
    if output is not None:
        if url or encoding or trace or max_bytes or form == "markdown":
            raise UsageError("-o takes no --url, --encoding, --trace, --max-bytes and Markdown: they are for one page")
        chosen = replace(options, chain=chain or options.chain)
        _extract_files(sources, output, config, chosen, workers, force=force)
        return
    if len(sources) > 1 or Path(sources[0]).is_dir():
        raise UsageError("several pages need -o FILE, which gets one JSON object a line")
    source = sources[0]
    body, address = _read_source(source, _page_limit(max_bytes, settings))
    extracted = extracted_of(body, url or address, encoding, **_given(options, chain))
    if form == "json":
        print_json(extracted.to_dict())
    elif extracted.text:
        click.echo(extracted.markdown if form == "markdown" else extracted.text)
    if trace:
        _print_trace(extracted)
    if not extracted.text:
        say(f"newscrawl: {_why_nothing(extracted, source)}", err=True)
        raise SystemExit(1)


@click.command(
    epilog="""\b
Examples:
  newscrawl explain page.html -o why.html
  newscrawl explain https://example.org/story -o why.html
  newscrawl explain page.html --site demo -o why.html
  newscrawl explain page.html --chain boilerpipe-article+tree2 > why.html""",
)
@click.argument("source", metavar="FILE|URL|-")
@click.option("-o", "--output", metavar="FILE", default="-", help="File to write; - is standard output (default).")
@click.option("--chain", help="The chain to explain (as for extract).")
@site_option
@click.option("--url", help="The page's address, for a file or standard input.")
@click.option("--encoding", help="The page's encoding, in place of the declared one.")
@max_bytes_option
def explain(
    source: str,
    output: str,
    chain: str | None,
    site: str | None,
    url: str | None,
    encoding: str | None,
    max_bytes: int | None,
) -> None:
    """Show every text run of one page. Its colour says whether it was kept. The decisions of each step of the chain are
    shown too.

    The result is one HTML file. It loads nothing and runs no script, whatever the page contains.
    """
    from newscrawl.extraction.explain.document import explain_html  # only here, because `extract` need not wait for it

    settings = written_settings()
    options = options_of_named(site) if site is not None else options_of(config_of(settings))
    body, address = _read_source(source, _page_limit(max_bytes, settings))
    explained = explain_html(extracted_of(body, url or address, encoding, **_given(options, chain)))
    if output == "-":
        click.echo(explained, nl=False)
        return
    write_text(Path(output), explained)


def _given(options: ArticleOptions, chain: str | None) -> dict[str, Any]:
    """Returns how to extract, as the parameters that `newscrawl.extract` and its siblings share."""
    return {
        "chain": chain or options.chain,
        "chains": options.chains,
        "limits": options.limits,
        "extractors": options.extractors,
        "verdict_rules": options.verdict_rules,
        "hints": options.hints,
        "boilerplate": options.boilerplate,
    }


def _why_nothing(extracted: Extracted, source: str) -> str:
    """Returns why there is no article text. If the input is no HTML page, this is the only reason."""
    if NOT_TEXT in (problems := extracted.page.problems):
        return f"no article text in {source}: it is no HTML page, {'; '.join(p for p in problems if p != NOT_TEXT)}"
    looks_like = NO_ARTICLES.get(extracted.verdict)
    why = f"it looks like {looks_like} ({'; '.join(extracted.evidence)})" if looks_like else "no extractor found any"
    return f"no article text in {source}: {'; '.join([why, *problems])}" + (
        "" if looks_like else " (--trace says more)"
    )


def _read_source(source: str, max_bytes: int) -> tuple[bytes | str, str | None]:
    """Returns the content of a file, a URL or standard input (-), and the address of a URL.

    Raises UsageError if it cannot be read or has more than `max_bytes` bytes.
    """
    if source == "-":
        return _limited(sys.stdin.buffer, "standard input", max_bytes), None
    if _HAS_SCHEME.match(source):
        advice = "give a file, - or an address like https://example.com/story"
        _check_address(source, f"cannot fetch {{url}}: {{error.reason}}; {advice}")
        from newscrawl.crawling.runtime.process import fetch_one

        raw = fetch_one(source, {"DOWNLOAD_MAXSIZE": max_bytes})
        return raw.body or b"", raw.final_url
    try:
        with Path(source).open("rb") as file:
            return _limited(file, source, max_bytes), None
    except OSError as error:
        raise UsageError(f"cannot read {source}: {os_reason(error)}; give a file, a URL or -") from error


def _limited(file: BinaryIO, name: str, max_bytes: int) -> bytes:
    body = file.read(max_bytes + 1)
    if len(body) > max_bytes:
        raise UsageError(
            f"{name} has more than {max_bytes:,} bytes, which is over the limit of a crawl: raise --max-bytes"
        )
    return body


def _page_limit(max_bytes: int | None, settings: SettingsValues) -> int:
    """Returns how many bytes a page may have: the number on the command line, else the limit of a crawl."""
    return max_bytes or int(settings.get("DOWNLOAD_MAXSIZE", 0))


def _check_address(url: str, problem: str) -> None:
    """Raises UsageError with this sentence for an invalid address."""
    try:
        clean_url(url)
    except InvalidUrl as error:
        raise UsageError(problem.format(url=url, error=error)) from error


def _print_trace(extracted: Extracted) -> None:
    names = ("extractor", "words", "characters")
    used = Column("used", lambda attempt: "yes" if attempt.accepted else "no")
    show(extracted.trace, (*map(Column, names), used, Column("reason")), boxed=True, err=True)
    sure = f"confidence {extracted.confidence:.2f}: how right and whole the text probably is, from 0 to 1"
    click.echo(sure, err=True)


def _files_of(sources: Sequence[str]) -> list[Path]:
    """Returns the files, and the pages of folders in order of their names. Raises UsageError for a source that is
    neither a file nor a folder, and for a folder without pages."""
    found: list[Path] = []
    for source in sources:
        path = Path(source)
        if path.is_dir():
            inside = sorted(file for file in path.rglob("*") if _is_page(file))
            if not inside:
                raise UsageError(f"no page in {source}: its files must end in {', '.join(SUFFIXES)} (and .gz)")
            found += inside
        elif path.exists():
            found.append(path)
        else:
            raise UsageError(f"cannot read {source}: give files or folders, or one URL or - without -o")
    return found


def _extract_files(
    sources: Sequence[str], output: str, config: Config, options: ArticleOptions, workers: int | None, *, force: bool
) -> None:
    """Extracts the pages of files and folders in worker processes, and writes a line for each, in order.

    Raises UsageError for sources that cannot be read and an output that exists, and SystemExit(1) if a page failed.
    """
    from newscrawl.archive.batch.many import extract_many  # only here, because one page needs no worker

    files = _files_of(sources)
    limits = config.workers
    results = extract_many(
        files,
        workers=workers if workers is not None else limits.count or None,
        timeout=limits.timeout,
        memory_mb=limits.memory_mb,
        **_given(options, None),
    )
    counts: Counter[str] = Counter()
    with _written(output, force=force) as file, _progress(len(files)) as advance:
        for result in results:
            file.write(to_text(result.to_dict()) + "\n")
            seen = "text" if result.text else "no text"
            counts[result.failure.code if result.failure is not None else seen] += 1
            advance()
    failed = {kind: number for kind, number in counts.items() if kind not in {"text", "no text"}}
    say(_summary(len(files), counts, failed, output), err=True)
    if failed:
        raise SystemExit(1)


def _is_page(file: Path) -> bool:
    name = file.name.lower().removesuffix(".gz")
    return name.endswith(SUFFIXES) and file.is_file()


def _summary(pages: int, counts: Counter[str], failed: dict[str, int], output: str) -> str:
    parts = [f"{counts['text']} with text", *([f"{counts['no text']} without"] if counts["no text"] else [])]
    parts += [f"{number} failed ({kind})" for kind, number in sorted(failed.items())]
    return f"{counted(pages, 'page')} in {output}: {', '.join(parts)}"


@contextmanager
def _written(output: str, *, force: bool) -> Iterator[IO[str]]:
    """The output; a file gets its name when it is complete, and until then has the ending `.part`."""
    if output == "-":
        yield sys.stdout
        return
    path, part = Path(output), Path(output + PART)
    if path.exists() and not force:
        raise UsageError(f"{output} exists: give another name, or --force to replace it")
    with _explained(output):
        file = part.open("w", encoding="utf-8", errors="surrogateescape")
    with file:
        yield file
    with _explained(output):
        part.replace(path)


@contextmanager
def _explained(output: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise UsageError(f"cannot write {output}: {os_reason(error)}") from error


@contextmanager
def _progress(total: int) -> Iterator[Callable[[], None]]:
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn

    columns = (TextColumn("extracting"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with progress_bar(*columns) as progress:
        task = progress.add_task("", total=total)
        yield lambda: progress.advance(task)
