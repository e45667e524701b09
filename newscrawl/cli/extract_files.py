"""`newscrawl extract` for many pages: files and folders in, one JSON object a line out."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Final

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from newscrawl.article.make import ArticleOptions
from newscrawl.batch.many import PageResult, extract_many
from newscrawl.cli.common.saying import say
from newscrawl.cli.common.show import json_line
from newscrawl.cli.common.words import counted
from newscrawl.config.catalogue import Config
from newscrawl.console import SafeConsole
from newscrawl.errors import UsageError, os_reason

SUFFIXES: Final = (".html", ".htm", ".xhtml", ".shtml")
"""Endings of the files of a folder that are read, also with `.gz` after them."""
PART: Final = ".part"
"""Ending of the output while it is not complete."""


def files_of(sources: Sequence[str]) -> list[Path]:
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


def extract_files(
    sources: Sequence[str], output: str, config: Config, options: ArticleOptions, workers: int | None, *, force: bool
) -> None:
    """Extracts the pages of files and folders in worker processes, and writes a line for each, in order.

    Raises UsageError for sources that cannot be read and an output that exists, and SystemExit(1) if a page failed.
    """
    files = files_of(sources)
    limits = config.workers
    results = extract_many(
        files,
        workers=workers if workers is not None else limits.count or None,
        chain=options.chain,
        chains=options.chains,
        limits=options.limits,
        extractors=options.extractors,
        verdict_rules=options.verdict_rules,
        hints=options.hints,
        boilerplate=options.boilerplate,
        timeout=limits.timeout,
        memory_mb=limits.memory_mb,
    )
    counts: Counter[str] = Counter()
    with _written(output, force=force) as file, _progress(len(files)) as advance:
        for result in results:
            file.write(json_line(result.to_dict()) + "\n")
            counts[_outcome(result)] += 1
            advance()
    failed = {kind: number for kind, number in counts.items() if kind not in {"text", "no text"}}
    say(_summary(len(files), counts, failed, output), err=True)
    if failed:
        raise SystemExit(1)


def _is_page(file: Path) -> bool:
    name = file.name.lower().removesuffix(".gz")
    return name.endswith(SUFFIXES) and file.is_file()


def _outcome(result: PageResult) -> str:
    if result.failure is not None:
        return result.failure.code
    return "text" if result.text else "no text"


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
    columns = (TextColumn("extracting"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    console = SafeConsole(stderr=True)
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task("", total=total)
        yield lambda: progress.advance(task)
