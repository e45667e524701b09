"""Algorithms that judge lines by ratios of text, tags and links: CETR, DANAg, the document slope curve, link quotas.

- CETR keeps lines whose ratio of text to tags, or its change, stands out from the rest of the page: Weninger, Hsu, Han,
  "CETR - Content Extraction via Tag Ratios", WWW 2010, the variant with two dimensions and k-means.
- DANAg keeps the region of a page's source in which text outweighs code most, and regions near it: Mohammadzadeh,
  Gottron, Schweiggert, Nakhaeizadeh, "Extracting the Main Content of Web Documents Based on a Naive Smoothing Method",
  KDIR 2011, section 3.
- The document slope curve keeps the stretches of a page's tokens that contain few tags: Pinto, Branstein, Coleman,
  Croft, King, "QuASM: A System for Question Answering Using Semi-Structured Data", JCDL 2002, after Finn, Kushmerick,
  Smyth, "Fact or Fiction" (DELOS 2001), who search for one such stretch.
- The link quota filter removes lines, lists and table cells whose words are mostly links: Kaiser, Gupta, Stolfo,
  "Extracting Context to Improve Accuracy for HTML Content Extraction", WWW 2005 (the framework Crunch removes link
  lists and cells by their ratio of links to text), named LQF in the tables of the DANAg paper.

Each has its steps in the order of its paper, and a function of its name that returns the runs of the text. Everything
is deterministic and linear in the number of lines; empty input gives empty output. numpy is imported when first needed.
docs/explanation/algorithms.md says what corresponds to the papers' lines, and how a page that has none gets them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from newscrawl.extraction.lines import TextLine, lines_of, runs_of
from newscrawl.page import Page
from newscrawl.page.elements import NO_PARENT
from newscrawl.page.tags import TAG_NAMES

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Values = NDArray[np.float64]


SIGMA: Final = 1.0
"""Standard deviation, in lines, of the Gaussian kernel that smooths ratios. The value is that of Dragnet's source."""
REACH: Final = 4
"""Standard deviations after which the kernel ends; its weight beyond is below 0.0004."""
AHEAD: Final = 3
"""CETR, section 3.3: a line's ratio is compared with the mean of the next three."""
CLUSTERS: Final = 3
"""CETR, section 4: k-means with three clusters, one of them fixed at the origin."""
ROUNDS: Final = 50
"""The most rounds of k-means, so that time stays linear. Corpus pages converge in far fewer."""


def tag_ratios(lines: Sequence[TextLine]) -> tuple[Values, Values]:
    """Returns, for every line, its smoothed ratio of text to tags, and its absolute change in the lines ahead."""
    import numpy as np

    ratios = np.array([line.length / max(line.tags, 1) for line in lines], dtype=np.float64)
    smoothed = gaussian(ratios)
    return smoothed, changes(smoothed)


def changes(smoothed: Values, ahead: int = AHEAD) -> Values:
    """Returns the absolute, smoothed difference of each value and the mean of the next `ahead` ones; past the end is
    0."""
    import numpy as np

    sums = np.concatenate(([0.0], np.cumsum(np.concatenate((smoothed, np.zeros(ahead))))))
    count = len(smoothed)
    means = (sums[ahead + 1 : ahead + 1 + count] - sums[1 : 1 + count]) / ahead
    return gaussian(np.abs(means - smoothed))


def gaussian(values: Values, sigma: float = SIGMA) -> Values:
    """Returns values averaged with their neighbours under a Gaussian kernel; at both ends the last value is
    repeated."""
    import numpy as np

    reach = max(1, round(REACH * sigma))
    places = np.arange(-reach, reach + 1)
    kernel = np.exp(-(places**2) / (2 * sigma**2))
    if not len(values):
        return values
    return np.convolve(np.pad(values, reach, mode="edge"), kernel / kernel.sum(), mode="valid")


def outside_origin(*features: Values, clusters: int = CLUSTERS, rounds: int = ROUNDS) -> NDArray[np.bool_]:
    """Returns which points are not in the cluster at the origin: k-means with one centre fixed there.

    The paper starts from random centres. Here the others start at even steps on the way to the point furthest from the
    origin, so that the same page always gives the same clusters. Ties go to the lower centre.
    """
    import numpy as np

    points: Values = np.column_stack(features)
    if not len(points):
        return np.zeros(0, dtype=bool)
    furthest = points[np.argmax((points**2).sum(axis=1))]
    centres = np.outer(np.arange(clusters) / (clusters - 1), furthest)
    nearest = _nearest(points, centres)
    for _ in range(rounds):
        for cluster in range(1, clusters):
            members = points[nearest == cluster]
            if len(members):
                centres[cluster] = members.mean(axis=0)
        moved = _nearest(points, centres)
        if (moved == nearest).all():
            break
        nearest = moved
    outside: NDArray[np.bool_] = nearest > 0
    return outside


def _nearest(points: Values, centres: Values) -> NDArray[np.intp]:
    """Returns each point's closest centre."""
    distances: Values = ((points[:, None, :] - centres[None, :, :]) ** 2).sum(axis=2)
    nearest: NDArray[np.intp] = distances.argmin(axis=1)
    return nearest


def cetr(page: Page) -> tuple[int, ...]:
    """Returns the indices in `page.runs` of the runs on lines outside the cluster at the origin, in document order;
    linear time."""
    lines = lines_of(page.runs)
    return runs_of(lines, outside_origin(*tag_ratios(lines)))


TAGS_OF_AN_ELEMENT: Final = 2
"""The start and end tag."""
MAX_BARE_LINES: Final = 40
"""Lines without text before a line with text are counted up to this: twice the gap, so that no gap that matters is lost
and a page of a million empty elements takes little time."""


class SourceLine(NamedTuple):
    """A line of the source as DANAg counts it."""

    length: int
    """The characters of text (the paper's T1)."""
    code: int
    """The characters of tags (T2)."""
    line: int | None
    """The index of the page's line; None for a line of only tags."""


def normalised_source(lines: Sequence[TextLine]) -> list[SourceLine]:
    """Returns the source with every element on its own line. Before a line with text there are as many bare lines as
    elements start since the text before, minus the one of the text. Its code is distributed over them evenly."""
    source: list[SourceLine] = []
    for index, line in enumerate(lines):
        bare = max(0, line.tags // TAGS_OF_AN_ELEMENT - 1)
        share = line.code // (bare + 1)
        source.extend([SourceLine(0, share, None)] * min(bare, MAX_BARE_LINES))
        source.append(SourceLine(line.length, line.code - bare * share, index))
    return source


def smoothed_excess(differences: Sequence[int]) -> list[int]:
    """Returns the sum of every number with the ones before and after it (formula 1)."""
    padded = [0, *differences, 0]
    return [sum(padded[i : i + 3]) for i in range(len(differences))]


GAP: Final = 20
"""The most lines between two paragraphs of the main content (section 3.3: "a value of 20")."""


class Region(NamedTuple):
    """Consecutive lines whose smoothed excess of text over code is above zero."""

    start: int
    end: int
    """The line after the last one."""
    length: int
    """The characters of text in it."""


def regions(excess: Sequence[int], lengths: Sequence[int]) -> list[Region]:
    """Returns the regions above zero, top down; `lengths` are the lines' characters of text."""
    above_zero: list[Region] = []
    start: int | None = None
    for place, value in enumerate([*excess, 0]):
        if value > 0 and start is None:
            start = place
        elif value <= 0 and start is not None:
            above_zero.append(Region(start, place, sum(lengths[start:place])))
            start = None
    return above_zero


def main_area(found: Sequence[Region], gap: int = GAP) -> list[Region]:
    """Returns the region with the most text (the first of equals), and those reached from it, up and down, over gaps of
    at most `gap` lines."""
    if not found:
        return []
    first = last = max(range(len(found)), key=lambda i: found[i].length)
    while first > 0 and found[first].start - found[first - 1].end <= gap:
        first -= 1
    while last + 1 < len(found) and found[last + 1].start - found[last].end <= gap:
        last += 1
    return list(found[first : last + 1])


def danag(page: Page) -> tuple[int, ...]:
    """Returns the indices in `page.runs` of the runs in the main content area, in document order; linear time.

    Of the area only the lines in its regions are kept: the gaps between two paragraphs "are not concerning to the main
    content" (section 3.3).
    """
    lines = lines_of(page.runs)
    source, _, area = danag_area(lines)
    return tuple(
        run
        for region in area
        for row in source[region.start : region.end]
        if row.line is not None
        for run in lines[row.line].runs
    )


def danag_area(lines: Sequence[TextLine]) -> tuple[list[SourceLine], list[int], list[Region]]:
    """Returns the normalised source of a page's lines, its smoothed excess of text over code, and the regions of its
    main area."""
    source = normalised_source(lines)
    excess = smoothed_excess([line.length - line.code for line in source])
    return source, excess, main_area(regions(excess, [line.length for line in source]))


SLOPE_WINDOW: Final = 50
"""Tokens around a line's middle over which the slope is computed; the best of 20, 50, 100 and 200
(docs/explanation/algorithms.md)."""
LOW_SLOPE: Final = 0.5
"""A slope is low if it is below this share of the whole page's. It is the method's usual value and the best of .3, .5,
.7."""


def dsc(page: Page) -> tuple[int, ...]:
    """Returns the indices in `page.runs` of the runs on lines where the slope is low, in document order; linear
    time."""
    lines = lines_of(page.runs)
    slopes, mean = slope_curve(lines)
    return runs_of(lines, [slope < LOW_SLOPE * mean for slope in slopes])


def slope_curve(lines: Sequence[TextLine], window: int = SLOPE_WINDOW) -> tuple[list[float], float]:
    """Returns the curve's slope around the middle of every line's text, and that of the whole page: tags over
    tokens."""
    import numpy as np

    if not lines:
        return [], 0.0
    counts = np.array([(line.tags, line.words) for line in lines], dtype=np.float64)
    tokens = np.concatenate(([0.0], np.cumsum(counts)))
    tags = np.concatenate(([0.0], np.cumsum(counts * (1.0, 0.0))))
    middles = tokens[1::2] + counts[:, 1] / 2
    first = np.clip(middles - window / 2, 0, tokens[-1])
    last = np.clip(middles + window / 2, 0, tokens[-1])
    rise = np.interp(last, tokens, tags) - np.interp(first, tokens, tags)
    slopes: list[float] = (rise / np.maximum(last - first, 1.0)).tolist()
    return slopes, float(tags[-1] / max(tokens[-1], 1.0))


QUOTA: Final = 0.5
"""A greater share of words inside <a> makes a link list: more links than text. From .25 to .5 the mean F1 over six
corpora changes by less than .02 (docs/explanation/algorithms.md)."""
FILTERED: Final = frozenset("ul ol dl menu nav td th".split())
"""Elements that are judged as a whole, besides lines."""

_FILTERED_NUMBERS: Final = frozenset(TAG_NAMES.index(name) for name in FILTERED)


def lqf(page: Page, quota: float = QUOTA) -> tuple[int, ...]:
    """Returns the indices in `page.runs` of the runs on lines, and in lists and cells, that are not mostly links;
    linear time."""
    removed = in_link_lists(page, quota)
    return tuple(
        index
        for line in lines_of(page.runs)
        if line.linked_words <= quota * line.words
        for index in line.runs
        if not removed[page.runs[index].element]
    )


def in_link_lists(page: Page, quota: float = QUOTA) -> list[bool]:
    """Returns, for every element, whether it is, or is inside, a list or cell that is mostly links."""
    parent, tag = page.elements.parent, page.elements.tag
    words, linked = [0] * len(parent), [0] * len(parent)
    for run in page.runs:
        words[run.element] += run.words
        linked[run.element] += run.linked_words
    for element in range(len(parent) - 1, 0, -1):
        if parent[element] != NO_PARENT:
            words[parent[element]] += words[element]
            linked[parent[element]] += linked[element]
    removed: list[bool] = []
    for element, above in enumerate(parent):
        links = tag[element] in _FILTERED_NUMBERS and linked[element] > quota * words[element]
        removed.append(links or (above != NO_PARENT and removed[above]))
    return removed
