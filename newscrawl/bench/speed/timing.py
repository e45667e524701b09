"""CPU time and memory of every step from bytes to article, compared with a bare lxml parse of the same pages.

Every round times all steps over all pages, so that a slow moment of the machine affects all of them. The ratio of a
step is that to the bare parse in the same round. The table shows the median of the rounds, and the range. One process,
one thread. Ratios are about the same on other machines; milliseconds are not.
"""

from __future__ import annotations

import gc
import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any, Final

from lxml import etree

from newscrawl.article import extract
from newscrawl.article.verdict import judge
from newscrawl.bench.parallel import with_progress
from newscrawl.bench.peers import PREFIX, Subject, run_now
from newscrawl.bench.systems import chain_names
from newscrawl.errors import UsageError
from newscrawl.extraction.chain import Chain, resolve, run_chain
from newscrawl.extraction.language import page_language
from newscrawl.extraction.treefilter import DEFAULT_DEPTH, tree_filter
from newscrawl.identity import content_hash
from newscrawl.metadata import read_metadata
from newscrawl.model import Extraction, Metadata
from newscrawl.page import Page, parse
from newscrawl.page.decode import decode
from newscrawl.page.segment import walk_tree

FLOOR: Final = "lxml parse alone"
NOW: Final = datetime(2026, 1, 1, tzinfo=UTC)
"""The assumed fetch time of the pages; later dates are refused."""
LINES: Final = ("text", "text, title, authors, dates", "everything")
"""Complete calls from bytes on."""
_CLEAR_REFS: Final = Path("/proc/self/clear_refs")
_RESET_PEAK: Final = "5"
"""Linux: resets the process's peak resident size (proc(5))."""
_MEGABYTE: Final = 1024


@dataclass(frozen=True, slots=True)
class TimedFunction:
    """A timed function, and a function that makes its arguments for each page.

    The arguments are made again for every round, outside the measured time, so that no round uses what another one has
    computed.
    """

    name: str
    function: Callable[..., object]
    prepare: Callable[[], Sequence[tuple[Any, ...]]]


@dataclass(frozen=True, slots=True)
class Timing:
    """One step over all rounds."""

    name: str
    milliseconds: float
    """CPU time a page, median of the rounds."""
    ratio: float
    """Ratio to the bare parse, median of the rounds."""
    least: float
    greatest: float
    """The smallest and the largest ratio of the rounds."""
    peak_megabytes: float | None
    """Growth of the process's peak resident size; None if Linux does not report it."""


def parts(bodies: Sequence[bytes], *, peers: Sequence[str] = (), only: Sequence[str] = ()) -> list[TimedFunction]:
    """Returns the bare parse, our steps, algorithms, chains and complete calls, and the named peers.

    With `only`, the bare parse and the parts with these names. Raises UsageError for an unknown name.
    """
    found = [*_stages(bodies), *_algorithms(bodies), *_lines(bodies), *_peers(bodies, peers)]
    names = {part.name for part in found}
    if unknown := [name for name in only if name not in names]:
        raise UsageError(f"unknown part {unknown[0]!r}: choose one of {', '.join(sorted(names))}")
    return [part for part in found if not only or part.name in only or part.name == FLOOR]


def measure(
    timed: Sequence[TimedFunction], rounds: int, clock: Callable[[], float] = time.process_time
) -> list[Timing]:
    """Times all parts; the first one is the bare parse. `clock` returns seconds.

    An extra first round measures memory and fills caches.
    """
    seconds: dict[str, list[float]] = {part.name: [] for part in timed}
    peaks: dict[str, float | None] = {}
    for number in with_progress(range(rounds + 1), rounds + 1, "rounds"):
        with settled():
            for part in timed:
                calls = part.prepare()
                gc.collect()
                if number:
                    start = clock()
                    _call(part.function, calls)
                    seconds[part.name].append(clock() - start)
                else:
                    peaks[part.name] = _peak(part.function, calls)
    floor = seconds[timed[0].name]
    pages = max(1, len(timed[0].prepare()))
    return [_timing(part.name, seconds[part.name], floor, pages, peaks[part.name]) for part in timed]


@contextmanager
def settled() -> Iterator[None]:
    """Excludes the present objects from garbage collection during the block. Scanning all models and modules takes
    longer than a measured step."""
    gc.collect()
    was_frozen = gc.get_freeze_count() > 0
    gc.freeze()
    try:
        yield
    finally:
        if not was_frozen:
            gc.unfreeze()


def _timing(name: str, seconds: list[float], floor: list[float], pages: int, peak: float | None) -> Timing:
    ratios = [own / least for own, least in zip(seconds, floor, strict=True)]
    return Timing(name, median(seconds) / pages * 1000, median(ratios), min(ratios), max(ratios), peak)


def parse_alone(data: bytes) -> Any:
    """Returns the bare lxml parse, the lower limit for programs that use lxml; None for an empty page."""
    try:
        return etree.fromstring(data, _parser())
    except (etree.XMLSyntaxError, etree.ParserError):
        return None


def _parser() -> etree.HTMLParser:
    return etree.HTMLParser(encoding="utf-8", collect_ids=False, remove_comments=True, remove_pis=True, huge_tree=True)


def _stages(bodies: Sequence[bytes]) -> Iterator[TimedFunction]:
    data = [(decode(body).data,) for body in bodies]
    raw = [(body,) for body in bodies]
    yield TimedFunction(FLOOR, parse_alone, lambda: data)
    yield TimedFunction("decode", decode, lambda: raw)
    yield TimedFunction("walk, runs, head", _walk, lambda: [(parse_alone(body),) for (body,) in data])
    yield TimedFunction("page: decode, parse, walk, runs, head", parse, lambda: raw)
    fresh = partial(_fresh, bodies)
    yield TimedFunction("metadata", _metadata, fresh)
    yield TimedFunction("verdict", judge, partial(_judged, bodies))
    yield TimedFunction("language", page_language, fresh)
    yield TimedFunction(
        "content hash", content_hash, lambda: [(extraction.text,) for _, extraction, _ in _judged(bodies)]
    )


def _algorithms(bodies: Sequence[bytes]) -> Iterator[TimedFunction]:
    fresh = partial(_fresh, bodies)
    for name in chain_names():
        yield TimedFunction(f"chain {name}", partial(_chain, chain=resolve(name)), fresh)
    wide = resolve("boilerpipe-wide").steps[0]
    yield TimedFunction(
        f"tree filter, depth {DEFAULT_DEPTH}", tree_filter, lambda: [(page, wide.run(page)) for (page,) in fresh()]
    )


def _lines(bodies: Sequence[bytes]) -> Iterator[TimedFunction]:
    raw = [(body,) for body in bodies]
    for name, function in zip(LINES, (_text, _story, _everything), strict=True):
        yield TimedFunction(name, function, lambda: raw)
    yield TimedFunction("text by best", partial(_text, chain="best"), lambda: raw)


def _peers(bodies: Sequence[bytes], names: Sequence[str]) -> Iterator[TimedFunction]:
    if not names:
        return
    subjects = [
        (Subject(decode(body).data.decode("utf-8"), None, page_language(page)),)
        for body, (page,) in zip(bodies, _fresh(bodies), strict=True)
    ]
    for name in names:
        yield TimedFunction(name, partial(run_now, name.removeprefix(PREFIX)), lambda: subjects)


def _fresh(bodies: Sequence[bytes]) -> list[tuple[Page]]:
    return [(parse(body),) for body in bodies]


def _judged(bodies: Sequence[bytes]) -> list[tuple[Page, Extraction, Metadata]]:
    chain = resolve("classic")
    return [(page, run_chain(page, chain), _metadata(page)) for (page,) in _fresh(bodies)]


def _walk(root: Any) -> object:
    return walk_tree(root).runs if root is not None else ()


def _chain(page: Page, *, chain: Chain) -> object:
    return run_chain(page, chain)


def _metadata(page: Page) -> Metadata:
    return read_metadata(page, fetched_at=NOW)


def _text(body: bytes, *, chain: str = "classic") -> object:
    return extract(body, chain=chain, fetched_at=NOW).text


def _story(body: bytes) -> object:
    found = extract(body, fetched_at=NOW)
    return found.text, found.title, found.authors, found.published, found.modified


def _everything(body: bytes) -> object:
    found = extract(body, fetched_at=NOW)
    return found.text, found.metadata, found.verdict, found.language, found.content_hash


def _call(function: Callable[..., object], calls: Sequence[tuple[Any, ...]]) -> None:
    for arguments in calls:
        function(*arguments)


def _peak(function: Callable[..., object], calls: Sequence[tuple[Any, ...]]) -> float | None:
    try:
        _CLEAR_REFS.write_text(_RESET_PEAK)
        before = _status("VmHWM")
        _call(function, calls)
        return max(0.0, _status("VmHWM") - before)
    except OSError:
        _call(function, calls)
        return None


def _status(key: str) -> float:
    """A value of /proc/PID/status in megabytes."""
    lines = Path(f"/proc/{os.getpid()}/status").read_text(encoding="ascii", errors="replace").splitlines()
    fields: Mapping[str, str] = {name: value for name, _, value in (line.partition(":") for line in lines)}
    return int(fields[key].split()[0]) / _MEGABYTE
