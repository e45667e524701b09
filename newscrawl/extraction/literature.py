"""Published algorithms for comparison: CETR, DANAg, the document slope curve, link quotas, content code blurring. No
chain for crawls uses them; the learned extractors use the ratios of CETR.

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
- Content code blurring keeps text around which there is more text than code: Gottron, "Content Code Blurring: A New
  Approach to Content Extraction", DEXA workshops 2008. A page is a vector of elements, 1 for content and 0 for code.
  Blurring gives every element the ratio of content to code around it.

The first four judge lines: a page's runs as a browser puts them on lines. The papers read source files whose authors
broke lines at blocks. Today a whole page may be on one line. The normalised source here starts a new line at every edge
of a block element and at every <br>.

Each has its steps in the order of its paper. All is deterministic and linear in the size of the page; empty input gives
empty output. numpy is imported when first needed. docs/explanation/algorithms.md says what corresponds to the
papers' lines, and lists differences from them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, NamedTuple, TypeVar

from newscrawl.page import Page, TextRun
from newscrawl.page.elements import NO_PARENT
from newscrawl.page.run import BLOCK_BEFORE, IGNORED_BY_BOILERPIPE, IGNORED_BY_JUSTEXT
from newscrawl.page.tags import INLINE, TAG_NAMES, TAGS
from newscrawl.page.words import BLANKLESS, BLANKLESS_WEIGHT

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Values = NDArray[np.float64]

T = TypeVar("T")

CONTROL: Final = IGNORED_BY_BOILERPIPE | IGNORED_BY_JUSTEXT
"""Runs in form controls and embedded objects are no text of the page. Their tags count as code."""


class TextLine(NamedTuple):
    """The runs between two line breaks, with the counts that the algorithms use."""

    runs: tuple[int, ...]
    """Indices of the page's runs; never empty."""
    length: int
    """Characters of text, those of scripts without blanks by their weight (`text_length`)."""
    words: int
    linked_words: int
    """The number of words inside <a>."""
    tags: int
    """Start and end tags since the line before."""
    code: int
    """Characters of those tags (`TextRun.code`)."""


def lines_of(runs: Sequence[TextRun]) -> list[TextLine]:
    """Returns the lines of a page, in document order; linear time."""
    lines: list[TextLine] = []
    members: list[int] = []
    tags = code = 0
    breaks = False
    for index, run in enumerate(runs):
        breaks = breaks or bool(run.flags & BLOCK_BEFORE)
        if breaks and members:
            lines.append(_line(runs, members, tags, code))
            members, tags, code = [], 0, 0
        tags += run.tags
        code += run.code
        if not run.flags & CONTROL:
            members.append(index)
            breaks = False
    if members:
        lines.append(_line(runs, members, tags, code))
    return lines


def text_length(text: str) -> int:
    """Returns the characters of `text`; one of a script without blanks counts for three Latin letters
    (docs/explanation/justext.md)."""
    if text.isascii():
        return len(text)
    return len(text) + (BLANKLESS_WEIGHT - 1) * len(BLANKLESS.findall(text))


def per_run(lines: Iterable[TextLine], values: Iterable[T], count: int, missing: T) -> list[T]:
    """Returns one value for each of the `count` runs of a page, from one a line; `missing` for runs in no line."""
    spread = [missing] * count
    for line, value in zip(lines, values, strict=True):
        for index in line.runs:
            spread[index] = value
    return spread


def runs_of(lines: Iterable[TextLine], kept: Iterable[object]) -> tuple[int, ...]:
    """Returns the indices of the runs of those lines whose value in `kept` is true."""
    return tuple(index for line, keep in zip(lines, kept, strict=True) if keep for index in line.runs)


def _line(runs: Sequence[TextRun], members: Sequence[int], tags: int, code: int) -> TextLine:
    return TextLine(
        tuple(members),
        sum(text_length(runs[i].text) for i in members),
        sum(runs[i].words for i in members),
        sum(runs[i].linked_words for i in members),
        tags,
        code,
    )


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


def changes(smoothed: Values) -> Values:
    """Returns the absolute, smoothed difference of each value and the mean of the next `AHEAD` ones; past the end is
    0."""
    import numpy as np

    sums = np.concatenate(([0.0], np.cumsum(np.concatenate((smoothed, np.zeros(AHEAD))))))
    count = len(smoothed)
    means = (sums[AHEAD + 1 : AHEAD + 1 + count] - sums[1 : 1 + count]) / AHEAD
    return gaussian(np.abs(means - smoothed))


def gaussian(values: Values) -> Values:
    """Returns values averaged with their neighbours under a Gaussian kernel; at both ends the last value is
    repeated."""
    import numpy as np

    reach = max(1, round(REACH * SIGMA))
    places = np.arange(-reach, reach + 1)
    kernel = np.exp(-(places**2) / (2 * SIGMA**2))
    if not len(values):
        return values
    return np.convolve(np.pad(values, reach, mode="edge"), kernel / kernel.sum(), mode="valid")


def outside_origin(*features: Values) -> NDArray[np.bool_]:
    """Returns which points are not in the cluster at the origin: k-means with one centre fixed there.

    The paper starts from random centres. Here the others start at even steps on the way to the point furthest from the
    origin, so that the same page always gives the same clusters. Ties go to the lower centre.
    """
    import numpy as np

    points: Values = np.column_stack(features)
    if not len(points):
        return np.zeros(0, dtype=bool)
    furthest = points[np.argmax((points**2).sum(axis=1))]
    centres = np.outer(np.arange(CLUSTERS) / (CLUSTERS - 1), furthest)
    nearest = _nearest(points, centres)
    for _ in range(ROUNDS):
        for cluster in range(1, CLUSTERS):
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


def main_area(found: Sequence[Region]) -> list[Region]:
    """Returns the region with the most text (the first of equals), and those reached from it, up and down, over gaps of
    at most `GAP` lines."""
    if not found:
        return []
    first = last = max(range(len(found)), key=lambda i: found[i].length)
    while first > 0 and found[first].start - found[first - 1].end <= GAP:
        first -= 1
    while last + 1 < len(found) and found[last + 1].start - found[last].end <= GAP:
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


def slope_curve(lines: Sequence[TextLine]) -> tuple[list[float], float]:
    """Returns the curve's slope around the middle of every line's text, and that of the whole page: tags over
    tokens."""
    import numpy as np

    if not lines:
        return [], 0.0
    counts = np.array([(line.tags, line.words) for line in lines], dtype=np.float64)
    tokens = np.concatenate(([0.0], np.cumsum(counts)))
    tags = np.concatenate(([0.0], np.cumsum(counts * (1.0, 0.0))))
    middles = tokens[1::2] + counts[:, 1] / 2
    first = np.clip(middles - SLOPE_WINDOW / 2, 0, tokens[-1])
    last = np.clip(middles + SLOPE_WINDOW / 2, 0, tokens[-1])
    rise = np.interp(last, tokens, tags) - np.interp(first, tokens, tags)
    slopes: list[float] = (rise / np.maximum(last - first, 1.0)).tolist()
    return slopes, float(tags[-1] / max(tokens[-1], 1.0))


QUOTA: Final = 0.5
"""A greater share of words inside <a> makes a link list: more links than text. From .25 to .5 the mean F1 over six
corpora changes by less than .02 (docs/explanation/algorithms.md)."""
FILTERED: Final = frozenset("ul ol dl menu nav td th".split())
"""Elements that are judged as a whole, besides lines."""

_FILTERED_NUMBERS: Final = frozenset(TAG_NAMES.index(name) for name in FILTERED)


def lqf(page: Page) -> tuple[int, ...]:
    """Returns the indices in `page.runs` of the runs on lines, and in lists and cells, that are not mostly links;
    linear time."""
    removed = in_link_lists(page)
    return tuple(
        index
        for line in lines_of(page.runs)
        if line.linked_words <= QUOTA * line.words
        for index in line.runs
        if not removed[page.runs[index].element]
    )


def in_link_lists(page: Page) -> list[bool]:
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
        links = tag[element] in _FILTERED_NUMBERS and linked[element] > QUOTA * words[element]
        removed.append(links or (above != NO_PARENT and removed[above]))
    return removed


GRAIN: Final = 4
"""Characters for each element of the vector: far fewer than the blur can resolve, and a quarter of the memory."""
CHARACTERS_SIGMA: Final = 200
CHARACTERS_RATIO: Final = 0.5
"""Standard deviation of the blur in characters, and the ratio above which text is content: more text than code."""
ADAPTED_RATIO: Final = 0.6
"""The ratio for `accb`. It is higher, because the code of links is missing everywhere."""
TOKENS_SIGMA: Final = 20
TOKENS_RATIO: Final = 0.7
"""The same over words and tags. All five are from the sweep in docs/explanation/algorithms.md; values near them give
similar results."""
BOXES: Final = 3
"""Moving averages that together make the Gaussian blur, within 7 % of its peak. Their time does not grow with width."""

_ANCHOR: Final = TAG_NAMES.index("a")
_ANCHOR_CODE: Final = TAGS["a"].code
_ATTRIBUTES: Final = ("class", "id", "href")
_SPLITS: Final = tuple(name not in INLINE for name in TAG_NAMES)


def ccb_ratios(page: Page) -> tuple[list[float], float]:
    """Returns the content code ratio of every run, and the ratio above which a run is content."""
    code, text = _characters(page)
    return content_code_ratios(code, text, CHARACTERS_SIGMA / GRAIN), CHARACTERS_RATIO


def accb_ratios(page: Page) -> tuple[list[float], float]:
    """Returns the ratio of every run without the tags of links, and the ratio above which a run is content."""
    code, text = _characters(page)
    code = [max(0, run - links // GRAIN) for run, links in zip(code, anchor_code(page), strict=True)]
    return content_code_ratios(code, text, CHARACTERS_SIGMA / GRAIN), ADAPTED_RATIO


def tccb_ratios(page: Page) -> tuple[list[float], float]:
    """Returns the ratio of words to words and tags of every run, and the ratio above which a run is content."""
    code = [run.tags for run in page.runs]
    text = [max(1, run.words) for run in page.runs]
    return content_code_ratios(code, text, TOKENS_SIGMA), TOKENS_RATIO


def content_code_ratios(code: Sequence[int], text: Sequence[int], sigma: float) -> list[float]:
    """Returns, for every run, the mean blurred value of its text. `code` and `text` are the numbers of elements of code
    before, and of text in, each run (of text at least one)."""
    import numpy as np

    if not text:
        return []
    lengths = np.column_stack((code, text)).ravel()
    blurred = blur(np.repeat(np.tile((0.0, 1.0), len(text)), lengths), sigma)
    sums = np.concatenate(([0.0], np.cumsum(blurred)))
    ends = np.cumsum(lengths)
    ratios: list[float] = ((sums[ends[1::2]] - sums[ends[0::2]]) / lengths[1::2]).tolist()
    return ratios


def blur(values: Values, sigma: float) -> Values:
    """Returns values under a Gaussian of standard deviation `sigma`, as `BOXES` moving averages; both ends are code."""
    import numpy as np

    reach = max(1, round((np.sqrt(1 + 12 * sigma**2 / BOXES) - 1) / 2))
    places = np.arange(len(values))
    first, last = np.maximum(places - reach, 0), np.minimum(places + reach + 1, len(values))
    for _ in range(BOXES):
        sums = np.concatenate(([0.0], np.cumsum(values)))
        values = (sums[last] - sums[first]) / (2 * reach + 1)
    return values


def anchor_code(page: Page) -> list[int]:
    """Returns, for every run, about how many characters of `TextRun.code` are tags of links.

    The code of the links inside an element (with only inline elements between) is distributed over the runs of that
    element by their characters in links.
    """
    elements, runs = page.elements, page.runs
    container: list[int] = []
    code: dict[int, int] = {}
    for element, (parent, tag) in enumerate(zip(elements.parent, elements.tag, strict=True)):
        container.append(element if _SPLITS[tag] or parent < 0 else container[parent])
        if tag == _ANCHOR:
            attributes = elements.attributes[element]
            names = sum(len(f' {name}=""{attributes[name]}') for name in _ATTRIBUTES if name in attributes)
            code[container[element]] = code.get(container[element], 0) + _ANCHOR_CODE + names
    linked: dict[int, int] = {}
    for run in runs:
        linked[run.element] = linked.get(run.element, 0) + run.link_characters
    return [
        code.get(run.element, 0) * run.link_characters // linked[run.element] if run.link_characters else 0
        for run in runs
    ]


def _characters(page: Page) -> tuple[list[int], list[int]]:
    """Returns the elements of code and of text of every run, a `GRAIN` of characters each, rounded up."""
    return [-(-run.code // GRAIN) for run in page.runs], [-(-text_length(run.text) // GRAIN) for run in page.runs]


CONTENT_CODE: Final[Mapping[str, Callable[[Page], tuple[list[float], float]]]] = MappingProxyType(
    {"ccb": ccb_ratios, "accb": accb_ratios, "tccb": tccb_ratios}
)
"""The three variants of content code blurring: an element is a character (`ccb`), a character without the tags of
links, for pages such as Wikipedia's whose text is full of them (`accb`), a word or a tag (`tccb`)."""


def blurred(page: Page, name: str) -> tuple[int, ...]:
    """Returns the indices in `page.runs` of the runs around which there is, on average, more text than code, by a
    variant of content code blurring; linear time."""
    ratios, threshold = CONTENT_CODE[name](page)
    return tuple(i for i, ratio in enumerate(ratios) if ratio > threshold and not page.runs[i].flags & CONTROL)


PAPERS: Final[Mapping[str, Callable[[Page], Sequence[int]]]] = MappingProxyType(
    {"cetr": cetr, "danag": danag, "dsc": dsc, "lqf": lqf}
    | {name: partial(blurred, name=name) for name in CONTENT_CODE}
)
"""The extractors of this module by name."""
