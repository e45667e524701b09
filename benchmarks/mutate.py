"""Damaged pages as input of everything that reads a page: no exception may occur, and two readings must be equal.

    python -m benchmarks.mutate                                   # 10,000 pages from the demo site's
    python -m benchmarks.mutate --shared ../shared -c naeb        # ... from a corpus's
    python -m benchmarks.mutate --only 4711                       # one of them again

Each page is made from a whole one by random changes of markup, the same for the same seed. What is broken is what
servers, content systems and cut connections break: pieces missing, doubled, in the wrong place or nested too deep, tags
without their partner, attributes without their quote, bytes that are no text, entities that name nothing. The pages
stay close enough to real ones that every step of an algorithm is reached. Each goes through every algorithm and chain
by name, tree filters, metadata, verdict and content hash, twice from the bytes on. Exit code 1 when a page fails.
"""

from __future__ import annotations

import hashlib
import re
import sys
import traceback
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures.process import BrokenProcessPool
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, Final

import click

from benchmarks.support import common
from benchmarks.support.common import Benchmark
from newscrawl.bench.corpora import read_corpus
from newscrawl.bench.measure import chain_names
from newscrawl.bench.parallel import worker_processes
from newscrawl.demo import DemoSite
from newscrawl.demo.site import PRINTED, REPRINT_PATH, SECOND_PATH
from newscrawl.extraction.article.signals import Signals
from newscrawl.extraction.article.verdict import judge
from newscrawl.extraction.chain import resolve, run_chain
from newscrawl.extraction.language import page_language
from newscrawl.extraction.metadata.read import MetadataReader, read_metadata
from newscrawl.extraction.render import render
from newscrawl.model.identity import content_hash, identity_of
from newscrawl.page import Page, parse

MAX_BYTES: Final = 300_000
"""A mutated page's size; larger ones only repeat what smaller ones show."""
MAX_MUTATIONS: Final = 6
_TAG: Final = re.compile(rb"<[^<>]{1,300}>")
_TEXT: Final = re.compile(rb"(?<=>)[^<>]{20,}(?=<)")

_TAGS: Final = (
    b"p div span a b table tr td ul ol li dl dd h1 h2 article section header footer nav aside main form select option "
    b"button blockquote pre figure figcaption template svg math noscript iframe object font center"
).split()
_OPENERS: Final = (
    b"<!--", b"<script>", b"<style>", b"<title>", b"<textarea>", b"<![CDATA[", b"<plaintext>", b"<noscript>", b"<xmp>",
    b"<template>", b"<svg>", b"<math>", b"<select>", b"<frameset>", b"<head>", b"<body>", b"<html lang=x-klingon>",
    b"<base href='//['>", b"<meta charset=utf-16>", b"<?xml version='1.0' encoding='nope'?>", b"<!DOCTYPE", b"</", b"<",
    b"-->", b"]]>", b"</html>", b"</body>", b"</p>", b"<br/><br/>", b"<script type='application/ld+json'>{\"@graph\":[",
    b"<time datetime='0000-99-99T99:99:99+99:99'>", b"<link rel=canonical href='http://[::1'>",
)  # fmt: skip
_ENTITIES: Final = (
    b"&#0;", b"&#xD800;", b"&#1114112;", b"&#99999999999999999999;", b"&#x;", b"&nosuch;", b"&amp;amp;amp;", b"&",
    b"&#128;", b"&shy;" * 20, b"&zwnj;&rlm;&#x202e;", b"&nbsp;" * 30, b"&lt;p&gt;", b"&#x1F600;", b"&#11;&#8232;",
)  # fmt: skip
_ATTRIBUTES: Final = (
    b' class="', b" class='a", b" =", b' "', b" id=id=id", b' style="display:none', b" hidden", b' href="javascript:',
    b' href="//[', b" \0x=1", b' on"x', b" class=" + b"x" * 3_000, b" lang=\xff", b' itemprop="articleBody', b" /",
    b' datetime="now"', b' content="', b" data-\xc3\xa9=1", b' property="article:published_time" content="31/31/31"',
)  # fmt: skip


def mutate(body: bytes, random: Random) -> bytes:
    """Returns `body` with one to `MAX_MUTATIONS` changes, chosen by `random` alone."""
    for mutation in random.choices(list(MUTATIONS), list(MUTATIONS.values()), k=random.randint(1, MAX_MUTATIONS)):
        body = mutation(body, random)[:MAX_BYTES]
    return body


def cut(body: bytes, random: Random) -> bytes:
    """Removes a piece, or everything from a random position on."""
    start, end = _piece(body, random)
    return body[:start] + (body[end:] if random.random() < 0.7 else b"")


def duplicate(body: bytes, random: Random) -> bytes:
    """Repeats a piece, once or many times."""
    start, end = _piece(body, random)
    return body[:end] + body[start:end] * random.choice((1, 1, 2, 20)) + body[end:]


def swap(body: bytes, random: Random) -> bytes:
    """Swaps two pieces."""
    a, b, c, d = sorted(random.randint(0, len(body)) for _ in range(4))
    return body[:a] + body[c:d] + body[b:c] + body[a:b] + body[d:]


def nest(body: bytes, random: Random) -> bytes:
    """Nests a piece deep in elements that may never be closed."""
    start, end = _piece(body, random)
    tags = random.choices(_TAGS, k=random.choice((2, 10, 60, 400)))
    opened = b"".join(b"<%b>" % tag for tag in tags)
    closed = b"".join(b"</%b>" % tag for tag in reversed(tags)) if random.random() < 0.5 else b""
    return body[:start] + opened + body[start:end] + closed + body[end:]


def drop_tags(body: bytes, random: Random) -> bytes:
    """Removes some tags and keeps their contents."""
    share = random.choice((0.02, 0.2, 0.7))
    return _TAG.sub(lambda match: b"" if random.random() < share else match[0], body)


def rename_tags(body: bytes, random: Random) -> bytes:
    """Replaces some tags by others, but not the tags that begin or end the same elements."""
    share = random.choice((0.02, 0.2))

    def renamed(match: re.Match[bytes]) -> bytes:
        if random.random() >= share:
            return match[0]
        return (b"</%b>" if match[0].startswith(b"</") else b"<%b>") % random.choice(_TAGS)

    return _TAG.sub(renamed, body)


def random_bytes(body: bytes, random: Random) -> bytes:
    """Inserts random bytes, in one place or in many."""
    if random.random() < 0.5:
        at = random.randint(0, len(body))
        return body[:at] + random.randbytes(random.choice((1, 3, 50, 500))) + body[at:]
    strewn = bytearray(body)
    for _ in range(random.choice((1, 10, 200)) if strewn else 0):
        strewn[random.randrange(len(strewn))] = random.randrange(256)
    return bytes(strewn)


def break_attributes(body: bytes, random: Random) -> bytes:
    """Inserts attributes that are cut, doubled, endless or invalid."""
    share = random.choice((0.01, 0.1))

    def broken(match: re.Match[bytes]) -> bytes:
        if random.random() >= share:
            return match[0]
        if random.random() < 0.3:
            return match[0].replace(b'"', b"", 1)
        return match[0][:-1] + random.choice(_ATTRIBUTES) + b">"

    return _TAG.sub(broken, body)


def break_entities(body: bytes, random: Random) -> bytes:
    """Inserts entities that are unknown or stand for forbidden characters."""
    share = random.choice((0.05, 0.5))

    def broken(match: re.Match[bytes]) -> bytes:
        if random.random() >= share:
            return match[0]
        half = len(match[0]) // 2
        return match[0][:half] + random.choice(_ENTITIES) + match[0][half:]

    return _TEXT.sub(broken, body)


def open_something(body: bytes, random: Random) -> bytes:
    """Begins comments, scripts, declarations and the like without their end."""
    at = random.randint(0, len(body))
    return body[:at] + random.choice(_OPENERS) + body[at:]


def reread(body: bytes, random: Random) -> bytes:
    """Encodes the text in another encoding than the page declares, or twice."""
    wrong = random.choice(("utf-16", "utf-8", "cp1251", "shift_jis", "utf-7"))
    return body.decode("latin-1").encode(wrong, "replace")


Mutation = Callable[[bytes, Random], bytes]
MUTATIONS: Final[Mapping[Mutation, int]] = {
    cut: 4,
    duplicate: 4,
    swap: 4,
    nest: 4,
    drop_tags: 4,
    rename_tags: 4,
    random_bytes: 4,
    break_attributes: 4,
    break_entities: 4,
    open_something: 2,
    reread: 1,
}
"""With weights: the last two often leave nothing to read."""


def _piece(body: bytes, random: Random) -> tuple[int, int]:
    """Start and end of a piece, at tags or anywhere; short ones are as likely as long ones."""
    start = random.randint(0, len(body))
    end = min(len(body), start + random.choice((1, 30, 500, 5_000, 50_000)))
    if random.random() < 0.5:
        start = max(0, body.rfind(b"<", 0, start))
        end = max(end, start)
    return start, end


PAGES: Final = 10_000
FILTERED: Final = ("classic+tree2", "boilerpipe-wide+tree2", "justext+tree5")
JUDGED: Final = ("best", "classic")
"""Chains whose result is judged and hashed, as a crawl does."""
URL: Final = "https://www.example.org/2026/05/17/a-story-of-some-length.html"
NOW: Final = datetime(2026, 6, 1, 12, tzinfo=UTC)
MAX_SOURCE_BYTES: Final = 150_000
"""Whole pages larger than this are not used: breaking them takes long and shows nothing else."""

Whole = tuple[str, bytes | Path]
"""A page that is damaged: its name, and its bytes or their file."""


def demo_pages() -> list[Whole]:
    """The article pages of the demo site."""
    site = DemoSite()
    paths = {story.path for story in site.stories} | {REPRINT_PATH, SECOND_PATH}
    paths |= {story.print_path for story in site.stories if story.number == PRINTED}
    return [(path, site.answer("GET", path).body) for path in sorted(paths)]


def corpus_pages(shared: Path, names: Iterable[str]) -> list[Whole]:
    """Pages of the corpora that are not very large, the corpora taking turns. Raises CorpusError."""
    folder = common.require_shared(shared) / "corpora"
    found = [
        (hashlib.blake2b(page.id.encode()).digest(), f"{name}/{page.id}", page.path)
        for name in names
        for page in read_corpus(folder / name).pages
        if page.path.is_file() and page.path.stat().st_size <= MAX_SOURCE_BYTES
    ]
    return [(name, path) for _, name, path in sorted(found)]


def check_page(number: int, whole: Sequence[Whole], seed: int) -> list[str]:
    """Makes the page with this number, and reads everything from it, twice. Returns what is wrong, a line a fault."""
    name, source = whole[number % len(whole)]
    body = mutate(source if isinstance(source, bytes) else source.read_bytes(), Random(f"{seed}/{number}"))
    faults: list[str] = []
    first = read_everything(body, faults)
    if not faults and read_everything(body, faults) != first:
        faults.append("the second reading had another result")
    return [f"page {number} ({name}): {fault}" for fault in faults]


def read_everything(body: bytes, faults: list[str]) -> str:
    """Returns a digest of all that is read from the page. What raises is added to `faults`."""
    readers: dict[str, Callable[[Page], Any]] = {
        "language": page_language,
        "metadata": partial(read_metadata, fetched_at=NOW),
        **{name: partial(_texts, name=name) for name in (*chain_names(), *FILTERED)},
        **{f"verdict of {name}": partial(_verdict, name=name) for name in JUDGED},
    }
    said: list[object] = []
    where = "parse"
    try:
        page = parse(body, url=URL)
        for where, read in readers.items():
            said.append((where, read(page)))
    except Exception as error:  # noqa: BLE001  finding them is what this is for
        last = traceback.extract_tb(error.__traceback__)[-1]
        what = " ".join(f"{type(error).__name__}: {error}".split())[:200]
        faults.append(f"{where}: {what} ({Path(last.filename).name}:{last.lineno})")
    return hashlib.blake2b(repr(said).encode("utf-8", "surrogatepass")).hexdigest()


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


@click.command(cls=Benchmark, help=__doc__, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "-n", "--pages", default=PAGES, show_default=True, type=click.IntRange(min=1), help="Number of broken pages."
)
@click.option("-c", "--corpus", "corpora", multiple=True, help="Corpus that the pages are taken from; may be repeated.")
@click.option("--seed", default=1, show_default=True, help="Seed of the changes.")
@click.option("--only", type=click.IntRange(min=0), help="Test only the page with this number.")
@common.shared_option
@common.processes_option
def main(*, pages: int, corpora: Sequence[str], seed: int, only: int | None, shared: Path, processes: int) -> None:
    whole = corpus_pages(shared, corpora) if corpora else demo_pages()
    check = partial(check_page, whole=whole, seed=seed)
    numbers = range(pages) if only is None else [only]
    found: list[list[str]] = []
    with worker_processes(processes) as pool:
        try:
            results = pool.map(check, numbers, chunksize=8)
            found.extend(common.with_progress(results, len(numbers), "broken pages"))
        except BrokenProcessPool as error:
            raise click.ClickException(f"a worker died on a page after {len(found)}: try them with --only") from error
    wrong = [fault for faults in found for fault in faults]
    click.echo("\n".join(wrong[:50]) or f"{len(numbers):,} broken pages were read, each with the same result twice")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
