"""CPU time and memory of every step from bytes to article, compared with a bare lxml parse of the same pages, and the
growth of each step with the size of the page: the work of `newscrawl bench speed`.

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
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any, Final

from lxml import etree

from newscrawl.bench.documents import markdown, run_facts
from newscrawl.bench.measure import chain_names
from newscrawl.bench.parallel import with_progress
from newscrawl.errors import UsageError
from newscrawl.extraction.article.extracted import extract
from newscrawl.extraction.article.signals import Signals
from newscrawl.extraction.article.verdict import judge
from newscrawl.extraction.chain import Chain, resolve, run_chain
from newscrawl.extraction.language import page_language
from newscrawl.extraction.metadata.read import MetadataReader, read_metadata
from newscrawl.extraction.treefilter import DEFAULT_DEPTH, tree_filter
from newscrawl.model import Metadata
from newscrawl.model.identity import content_hash
from newscrawl.page import Page, parse
from newscrawl.page.compiled import describe_core
from newscrawl.page.decode import decode
from newscrawl.page.parse import walk_tree

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


def parts(bodies: Sequence[bytes], *, only: Sequence[str] = ()) -> list[TimedFunction]:
    """Returns the bare parse, our steps, algorithms, chains and complete calls.

    With `only`, the bare parse and the parts with these names. Raises UsageError for an unknown name.
    """
    found = [*_stages(bodies), *_algorithms(bodies), *_lines(bodies)]
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
        "content hash", content_hash, lambda: [(signals.extraction.text,) for (signals,) in _judged(bodies)]
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


def _fresh(bodies: Sequence[bytes]) -> list[tuple[Page]]:
    return [(parse(body),) for body in bodies]


def _judged(bodies: Sequence[bytes]) -> list[tuple[Signals]]:
    chain = resolve("classic")
    signals = [
        Signals(page, run_chain(page, chain), MetadataReader(page, fetched_at=NOW)) for (page,) in _fresh(bodies)
    ]
    return [(one,) for one in signals if one.metadata]  # which is read now, so that it is not measured


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


LIMIT: Final = 2.3
"""Largest allowed factor for a page of double size (a quadratic step has 4)."""
ROUNDS: Final = 3
"""Number of calls; the fastest one counts."""
RETRIES: Final = 3
"""How often a factor over the limit is measured again: noise disappears, quadratic growth does not."""
MEASURABLE_SECONDS: Final = 0.002
"""A step that takes less on the larger page is left out, because the clock is too coarse."""
KILOBYTES: Final = 50
"""Size of the smaller page: about a page without its scripts."""

SHAPES: Final[Mapping[str, Callable[[int], str]]] = {
    "flat": lambda n: "<p>Some words of a paragraph, <a href=x>a link</a> in the middle and so on.</p>" * (n // 75),
    "nested": lambda n: ("<div>" * 200 + "some words" + "</div>" * 200) * (n // 2200),
    "comments": lambda n: "<p>some words</p><!-- a comment nobody reads -->" * (n // 48),
    "attributes": lambda n: "<p " + " ".join(f"data-a{i}=v" for i in range(n // 40)) + ">x"
    + "<p class=byline id=b data-x=y>some words" * (n // 80),
    "one long text": lambda n: "<p>" + "some words and more. " * (n // 21),
    "links": lambda n: "<li><a href=/a/story>A headline of six words here</a>" * (n // 55),
    "tables": lambda n: "<table>" + "<tr><td>a cell<td>1,200<td>some words of text" * (n // 46) + "</table>",
    "breaks": lambda n: "<div>" + "a line of words<br><br>" * (n // 23),
}  # fmt: skip
"""Hostile pages of about `n` characters."""


_WARM_UP: Final = b"<h1>Rain</h1>" + b"<p>It rains on the hills, and the river rises by a metre.</p>" * 20


@dataclass(frozen=True, slots=True)
class Growth:
    """One step on pages of one shape."""

    stage: str
    shape: str
    factor: float | None
    """CPU time for the larger page divided by that for the smaller one; None if it is too short to measure."""

    @property
    def is_linear(self) -> bool:
        return self.factor is None or self.factor <= LIMIT


def measure_growth(bodies: Sequence[bytes], *, only: Sequence[str] = ()) -> list[Growth]:
    """Measures every step (or the named ones) on every shape, and on real pages: one of `bodies` repeated many times,
    and twice as many times.
    """
    shapes = dict(_pages(bodies))
    for part in parts([_WARM_UP], only=only):  # loads models and fills caches
        part.function(*part.prepare()[0])
    with settled():
        names = with_progress(list(shapes), len(shapes), "shapes")
        return [growth for name in names for growth in _grow(name, shapes[name], only)]


def _pages(bodies: Sequence[bytes]) -> Iterator[tuple[str, tuple[bytes, bytes]]]:
    if bodies:
        middle = sorted(bodies, key=len)[len(bodies) // 2]
        copies = max(1, KILOBYTES * 1000 // max(1, len(middle)))
        yield "real", (middle * copies, middle * copies * 2)
    for name, make in SHAPES.items():
        yield name, (make(KILOBYTES * 1000).encode(), make(KILOBYTES * 2000).encode())


def _grow(shape: str, pages: tuple[bytes, bytes], only: Sequence[str]) -> Iterator[Growth]:
    single, double = (parts([page], only=only) for page in pages)
    for one, two in zip(single, double, strict=True):
        best = partial(_best, one.function, one.prepare), partial(_best, two.function, two.prepare)
        factor: float | None = None
        for _ in range(RETRIES):
            first, second = (measure() for measure in best)
            if second < MEASURABLE_SECONDS:
                break
            factor = min(second / first, factor or float("inf"))
            if factor <= LIMIT:
                break
        yield Growth(one.name, shape, factor)


def _best(function: Callable[..., object], prepare: Callable[[], Sequence[tuple[Any, ...]]]) -> float:
    times: list[float] = []
    for _ in range(ROUNDS):
        (arguments,) = prepare()
        gc.collect()
        start = time.process_time()
        function(*arguments)
        times.append(time.process_time() - start)
    return max(min(times), 1e-9)


def speed_facts(corpora: Sequence[str], bodies: Sequence[bytes]) -> dict[str, Any]:
    """Returns what is needed to reproduce the figures: versions, cores, and the pages, which are of the demo site where
    no corpora are named."""
    return {
        **run_facts(),
        "lxml": ".".join(map(str, etree.LXML_VERSION[:3])),
        "core": describe_core(),
        "cores": os.cpu_count(),
        "corpora": ", ".join(corpora) or "the demo site",
        "pages": len(bodies),
        "kilobytes": round(sum(map(len, bodies)) / max(1, len(bodies)) / 1000),
    }


def heading(facts: Mapping[str, Any]) -> str:
    """Returns the line above the tables: the pages, and what they were measured with."""
    pages = f"{facts['pages']} pages of {facts['corpora']}, {facts['kilobytes']} kB mean"
    return f"{pages}; lxml {facts['lxml']}; {facts['core']}"


def timing_table(timings: Sequence[Timing]) -> str:
    """Returns a Markdown table of milliseconds a page and multiples of the bare parse."""
    rows = [
        [t.name, f"{t.milliseconds:.3f}", f"{t.ratio:.2f}", f"{t.least:.2f}-{t.greatest:.2f}", _megabytes(t)]
        for t in timings
    ]
    return markdown(["part", "ms a page", "x lxml", "range", "peak, MB"], rows, numbers=True)


def growth_table(growths: Sequence[Growth]) -> str:
    """Returns a row for each step, a column for each shape. Factors over the limit are marked."""
    shapes = list(dict.fromkeys(growth.shape for growth in growths))
    stages = list(dict.fromkeys(growth.stage for growth in growths))
    cells = {(growth.stage, growth.shape): growth for growth in growths}
    rows = [[stage, *(_factor(cells[stage, shape]) for shape in shapes)] for stage in stages]
    return (
        markdown(["growth for a page of double size", *shapes], rows, numbers=True)
        + f"\n\n(`*`: more than {LIMIT}; `-`: too little to measure)"
    )


def as_json(timings: Sequence[Timing], growths: Sequence[Growth], facts: dict[str, Any]) -> dict[str, Any]:
    """Returns all figures."""
    return {
        "facts": facts,
        "timings": [asdict(timing) for timing in timings],
        "growth": [asdict(growth) for growth in growths],
    }


def _megabytes(timing: Timing) -> str:
    return "" if timing.peak_megabytes is None else f"{timing.peak_megabytes:.0f}"


def _factor(growth: Growth) -> str:
    if growth.factor is None:
        return "-"
    return f"{growth.factor:.2f}" + ("" if growth.is_linear else "*")
