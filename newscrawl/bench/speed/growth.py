"""Measures how the time of each step grows with the page. A page of double size should take about twice as long."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from newscrawl.bench.parallel import with_progress
from newscrawl.bench.speed.timing import parts, settled

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
