"""Content code blurring: keeps text around which there is more text than code.

Gottron, "Content Code Blurring: A New Approach to Content Extraction", DEXA workshops 2008. A page is a vector of
elements, 1 for content and 0 for code. Blurring gives every element the ratio of content to code around it. There are
three variants: `ccb` (an element is a character), `tccb` (a word or a tag), `accb` (characters without the tags of
links, for pages such as Wikipedia's whose text is full of them). docs/explanation/algorithms.md lists differences from
the paper.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from newscrawl.extraction.lines import CONTROL, text_length
from newscrawl.page import Page
from newscrawl.page.tags import INLINE, TAG_NAMES, TAGS

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Values = NDArray[np.float64]

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


def ccb(page: Page) -> tuple[int, ...]:
    """Returns the indices in `page.runs` of the runs around which there is, on average, more text than code. Takes
    linear time."""
    return _select(page, *ccb_ratios(page))


def accb(page: Page) -> tuple[int, ...]:
    """Returns the indices of the article's runs by the adapted content code blurring: as `ccb`, but the tags of links
    are not counted as code, so that linked words inside a text do not look like navigation."""
    return _select(page, *accb_ratios(page))


def tccb(page: Page) -> tuple[int, ...]:
    """Returns the indices of the article's runs by token-based content code blurring: as `ccb`, but words and tags are
    counted instead of characters."""
    return _select(page, *tccb_ratios(page))


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


def _select(page: Page, ratios: Sequence[float], threshold: float) -> tuple[int, ...]:
    return tuple(i for i, ratio in enumerate(ratios) if ratio > threshold and not page.runs[i].flags & CONTROL)
