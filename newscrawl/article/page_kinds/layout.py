"""Measures of where a page's text, headings and links are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from math import log1p
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from newscrawl.article.page_kinds.counts import RunCounts
from newscrawl.page import Page
from newscrawl.page.tags import TAG_NAMES

if TYPE_CHECKING:
    from newscrawl.article.signals import Signals

TITLE_HYPHENS: Final = 3
"""Least hyphens of a link's last segment that may be a title."""
LAYOUT_FEATURES: Final = (
    "parts of the text", "longest part of the text", "words a part", "<h1> with text", "text after the <h1>",
    "words in <p>", "long <p>", "prose in <p>", "links", "links below the page", "links beside the page",
    "links to other hosts", "distinct links", "links to mail and telephone", "links within the page",
    "links like titles", "sentences that are questions", "places of the text", "elements of the text",
    "text at one place",
)  # fmt: skip
_EDGE: Final = "\0"
"""Stands before and after each address. No parser of HTML leaves this character in a value."""
_ANCHOR: Final = TAG_NAMES.index("a")


def layout_features(signals: Signals, counts: RunCounts, found: Sequence[str]) -> Iterator[float]:
    """Yields the values of `LAYOUT_FEATURES`. `counts` are those of the page's runs, `found` the addresses of its
    links."""
    c, words = counts, max(counts.words, 1)
    parts = c.span_headings + 1
    total = max(c.part_words, 1)
    yield from (log1p(c.span_headings), c.longest_part / total, log1p(total / parts))
    yield from (c.top_headings, c.top_distance)
    yield from (c.paragraph_words / words, c.long_paragraphs, c.long_prose / words)
    yield from _links(signals, found)
    yield log1p(c.question_sentences)
    yield from _places(signals)


def _links(signals: Signals, found: Sequence[str]) -> Iterator[float]:
    """The links, by where they lead: below the page's address, beside it, to other hosts, or to a part of the page.

    The addresses are searched as one text, in which each stands between two marks: that takes a tenth of the time of a
    loop over them.
    """
    number = max(len(found), 1)
    parts = urlsplit(signals.url or "")
    root = f"{parts.scheme}://{parts.netloc}"
    path = parts.path.rstrip("/")
    above = path.rpartition("/")[0]
    addresses = f"{_EDGE}{(_EDGE + _EDGE).join(found)}{_EDGE}"
    paths = addresses.replace(f"{_EDGE}{root}", _EDGE)
    yield log1p(len(found))
    for start in (f"{path}/", f"{above}/"):
        yield (paths.count(f"{_EDGE}{start}") - paths.count(f"{_EDGE}{start}{_EDGE}")) / number
    yield sum(paths.count(f"{_EDGE}{start}") for start in ("http", "//")) / number
    distinct = set(found)
    yield log1p(len(distinct))
    yield log1p(sum(addresses.count(f"{_EDGE}{scheme}") for scheme in ("tel:", "mailto:")))
    yield log1p(sum(paths.count(f"{_EDGE}{start}#") for start in {"", path}))
    hyphens = [one for one in distinct if one.count("-") >= TITLE_HYPHENS]
    yield log1p(len([one for one in hyphens if one.rstrip("/").rpartition("/")[2].count("-") >= TITLE_HYPHENS]))


def hrefs(page: Page) -> list[str]:
    """The addresses of the links. Reading them without the links' texts takes a third of the time."""
    read = page.elements.reader()
    anchors = [element for element, tag in enumerate(page.elements.tag) if tag == _ANCHOR]
    found = [values[0] for element in anchors if (values := read(element, ("href",))) is not None]
    return [stripped for href in found if href and (stripped := href.strip())]


def _places(signals: Signals) -> Iterator[float]:
    """How much of the text is in the same element."""
    runs, parent = signals.page.runs, signals.page.elements.parent
    words: Counter[int] = Counter()
    for number in signals.extraction.runs:
        words[parent[runs[number].element]] += runs[number].words
    yield log1p(len(words))
    yield log1p(len({runs[number].element for number in signals.extraction.runs}))
    yield max(words.values(), default=0) / max(signals.words, 1)
