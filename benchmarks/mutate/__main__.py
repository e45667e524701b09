"""Damaged pages as input of everything that reads a page: no exception may occur, and two readings must be equal.

    python -m benchmarks.mutate                                   # 10,000 pages from the demo site's
    python -m benchmarks.mutate --shared ../shared -c naeb        # ... from a corpus's
    python -m benchmarks.mutate --only 4711 --keep broken.html    # one of them again, and its bytes

Each page is made by benchmarks/mutate/mutations.py from a whole one. It goes through every algorithm and chain by name,
tree filters, metadata, verdict and content hash, twice from the bytes on. Exit code 1 when a page fails.
"""

from __future__ import annotations

import hashlib
import json
import sys
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, Final

import click

from benchmarks.mutate.mutations import mutate
from benchmarks.support import common
from newscrawl.article.signals import Signals
from newscrawl.article.verdict import judge
from newscrawl.bench.corpora import read_corpus
from newscrawl.bench.documents import markdown
from newscrawl.bench.measure import chain_names
from newscrawl.bench.parallel import worker_processes
from newscrawl.demo import DemoSite
from newscrawl.demo.site import PRINTED, REPRINT_PATH, SECOND_PATH
from newscrawl.errors import NewscrawlError
from newscrawl.extraction.chain import resolve, run_chain
from newscrawl.extraction.language import page_language
from newscrawl.extraction.render import render
from newscrawl.identity import content_hash, identity_of
from newscrawl.metadata.read import MetadataReader, read_metadata
from newscrawl.page import Page, parse

PAGES: Final = 10_000
FILTERED: Final = ("classic+tree2", "boilerpipe-wide+tree2", "justext+tree5")
JUDGED: Final = ("best", "classic")
"""Chains whose result is judged and hashed, as a crawl does."""
URL: Final = "https://www.example.org/2026/05/17/a-story-of-some-length.html"
NOW: Final = datetime(2026, 6, 1, 12, tzinfo=UTC)
MAX_SOURCE_BYTES: Final = 150_000
"""Whole pages larger than this are not used: breaking them takes long and shows nothing else."""
NOT_TWICE: Final = "the second run had another result"


@dataclass(frozen=True, slots=True)
class Broken:
    """One page to be made: its number, and the whole page that is damaged."""

    number: int
    name: str
    body: bytes | Path

    def make(self, seed: int) -> bytes:
        """The page's bytes; the same for the same seed."""
        body = self.body if isinstance(self.body, bytes) else self.body.read_bytes()
        return mutate(body, Random(f"{seed}/{self.number}"))


@dataclass(frozen=True, slots=True)
class Fault:
    """An exception: where it occurred, and its message."""

    number: int
    name: str
    where: str
    what: str
    place: str = ""


@dataclass(frozen=True, slots=True)
class Result:
    """The result of one page: exceptions, the verdict of `classic`, and the seconds it took."""

    number: int
    faults: tuple[Fault, ...]
    verdict: str
    seconds: float


@click.command(help=__doc__, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "-n", "--pages", default=PAGES, show_default=True, type=click.IntRange(min=1), help="Number of broken pages."
)
@click.option("-c", "--corpus", "corpora", multiple=True, help="Corpus that the pages are taken from; may be repeated.")
@click.option("--seed", default=1, show_default=True, help="Seed of the changes.")
@click.option("--only", type=click.IntRange(min=0), help="Test only the page with this number.")
@click.option("--keep", type=click.Path(path_type=Path, dir_okay=False), help="With --only: write the page here.")
@common.shared_option
@common.processes_option
@common.json_option
def main(
    *,
    pages: int,
    corpora: Sequence[str],
    seed: int,
    only: int | None,
    keep: Path | None,
    shared: Path,
    processes: int,
    json_path: Path | None,
) -> None:
    try:
        whole = corpus_pages(shared, corpora) if corpora else demo_pages()
    except NewscrawlError as error:
        raise click.ClickException(str(error)) from error
    broken = [Broken(n, *whole[n % len(whole)]) for n in (range(pages) if only is None else [only])]
    if keep is not None:
        keep.write_bytes(broken[0].make(seed))
    results = list(common.with_progress(run(broken, seed, processes), len(broken), "broken pages"))
    click.echo(table(results))
    faults = [fault for result in results for fault in result.faults]
    for fault in faults[:50]:
        click.echo(f"page {fault.number} ({fault.name}): {fault.where}: {fault.what} {fault.place}", err=True)
    if json_path:
        json_path.write_text(json.dumps([[f.number, f.name, f.where, f.what, f.place] for f in faults], indent=1))
    sys.exit(1 if faults else 0)


def demo_pages() -> list[tuple[str, bytes]]:
    """The article pages of the demo site."""
    site = DemoSite()
    paths = {story.path for story in site.stories} | {REPRINT_PATH, SECOND_PATH}
    paths |= {story.print_path for story in site.stories if story.number == PRINTED}
    return [(path, site.answer("GET", path).body) for path in sorted(paths)]


def corpus_pages(shared: Path, names: Iterable[str]) -> list[tuple[str, Path]]:
    """Pages of the corpora that are not very large, the corpora taking turns. Raises CorpusError."""
    folder = common.require_shared(shared) / "corpora"
    found = [
        (hashlib.blake2b(page.id.encode()).digest(), f"{name}/{page.id}", page.path)
        for name in names
        for page in read_corpus(folder / name).pages
        if page.path.is_file() and page.path.stat().st_size <= MAX_SOURCE_BYTES
    ]
    return [(name, path) for _, name, path in sorted(found)]


def run(broken: Sequence[Broken], seed: int, processes: int) -> Iterable[Result]:
    """Yields the result of every page. If a worker dies, the pages that it might have died of are named."""
    check = partial(check_page, seed=seed)
    if processes == 1 or len(broken) == 1:
        yield from map(check, broken)
        return
    done = -1
    with worker_processes(processes) as pool:
        try:
            for result in pool.map(check, broken, chunksize=8):
                done = result.number
                yield result
        except BrokenProcessPool as error:
            message = f"a worker died on one of the pages after {done}: try them with --only"
            raise click.ClickException(message) from error


def check_page(broken: Broken, seed: int) -> Result:
    """Everything that reads a page on one broken page, twice."""
    body = broken.make(seed)
    started = time.process_time()
    faults: list[Fault] = []
    first, verdict = read_everything(body, broken, faults)
    if not faults and read_everything(body, broken, faults)[0] != first:
        faults.append(Fault(broken.number, broken.name, "everything", NOT_TWICE))
    return Result(broken.number, tuple(faults), verdict, time.process_time() - started)


def read_everything(body: bytes, broken: Broken, faults: list[Fault]) -> tuple[str, str]:
    """A digest of all that is read from the page, and the verdict of `classic`; what raises is added to `faults`."""
    said: list[object] = []
    verdict = "none"
    try:
        page = parse(body, url=URL)
    except Exception as error:  # noqa: BLE001  finding them is what this is for
        faults.append(_fault(broken, "parse", error))
        return "", verdict
    readers: list[tuple[str, Callable[[Page], Any]]] = [
        ("language", page_language),
        ("metadata", lambda page: read_metadata(page, fetched_at=NOW)),
        *((name, partial(_texts, name=name)) for name in (*chain_names(), *FILTERED)),
        *((f"verdict of {name}", partial(_verdict, name=name)) for name in JUDGED),
    ]
    for where, read in readers:
        try:
            found = read(page)
        except Exception as error:  # noqa: BLE001  as above
            faults.append(_fault(broken, where, error))
            continue
        said.append((where, found))
        if where == "verdict of classic":
            verdict = str(found[0])
    return hashlib.blake2b(repr(said).encode("utf-8", "surrogatepass")).hexdigest(), verdict


def _texts(page: Page, name: str) -> list[str]:
    """What each step of a chain selects, rendered; an exception in a step is not caught here, as `run_chain` would."""
    chain = resolve(name)
    texts = []
    for step in chain.steps:
        runs = chain.select(page, step)
        if list(runs) != sorted(set(runs)) or any(not 0 <= i < len(page.runs) for i in runs):
            raise AssertionError(f"{step.name} selects runs out of order or out of range")
        text = render(page, runs)
        text.encode("utf-8")  # what a database takes: no half surrogates
        texts.append(text)
    return texts


def _verdict(page: Page, name: str) -> tuple[object, ...]:
    extraction = run_chain(page, resolve(name))
    judgement = judge(Signals(page, extraction, MetadataReader(page, fetched_at=NOW)))
    digest = content_hash(extraction.text)
    words = sum(page.runs[i].words for i in extraction.runs)
    return judgement.verdict, judgement.evidence, extraction.extractor, digest, identity_of(digest, "0", words)


def _fault(broken: Broken, where: str, error: Exception) -> Fault:
    last = traceback.extract_tb(error.__traceback__)[-1]
    what = " ".join(f"{type(error).__name__}: {error}".split())[:200]
    return Fault(broken.number, broken.name, where, what, f"({Path(last.filename).name}:{last.lineno})")


def table(results: Sequence[Result]) -> str:
    """Pages, faults by place, verdicts, and the slowest page."""
    faults = Counter((f.where, f.what.partition(":")[0], f.place) for r in results for f in r.faults)
    slowest = max(results, key=lambda result: result.seconds)
    rows = [["broken pages", str(len(results))], ["without a fault", str(sum(not r.faults for r in results))]]
    rows += [[f"fault: {where}, {what} {place}", str(count)] for (where, what, place), count in faults.most_common(20)]
    rows += [[f"verdict {name}", str(n)] for name, n in Counter(r.verdict for r in results).most_common()]
    rows.append(["CPU seconds a page, mean", f"{sum(r.seconds for r in results) / len(results):.2f}"])
    rows.append([f"CPU seconds of the slowest page ({slowest.number})", f"{slowest.seconds:.2f}"])
    return markdown(["", ""], rows)


if __name__ == "__main__":
    main()
