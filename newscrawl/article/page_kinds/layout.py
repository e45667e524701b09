"""Measures of where a page's text, headings and links are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from math import log1p
from typing import Final
from urllib.parse import urlsplit

from newscrawl.article.page_kinds.columns import Columns
from newscrawl.article.signals import Signals
from newscrawl.page import Page
from newscrawl.page.run import HEADING
from newscrawl.page.tags import TAG_NAMES

LONG_WORDS: Final = 25
"""Least words of a long paragraph."""
TITLE_HYPHENS: Final = 3
"""Least hyphens of a link's last segment that may be a title."""
QUESTION_WORDS: Final = 4
"""Least words of a question."""
LAYOUT_FEATURES: Final = (
    "parts of the text", "longest part of the text", "words a part", "<h1> with text", "text after the <h1>",
    "words in <p>", "long <p>", "prose in <p>", "links", "links below the page", "links beside the page",
    "links to other hosts", "distinct links", "links to mail and telephone", "links within the page",
    "links like titles", "sentences that are questions", "places of the text", "elements of the text",
    "text at one place",
)  # fmt: skip
_QUESTION_MARKS: Final = "?？؟"
_H1, _P, _ANCHOR = (TAG_NAMES.index(tag) for tag in ("h1", "p", "a"))


def layout_features(signals: Signals, columns: Columns, found: Sequence[str]) -> Iterator[float]:
    """Yields the values of `LAYOUT_FEATURES`. `columns` are the page's runs, `found` the addresses of its links."""
    yield from _parts(signals, columns)
    yield from _paragraphs(signals, columns)
    yield from _links(signals, found)
    texts = zip(columns.texts, columns.words, strict=True)
    yield log1p(len([True for text, words in texts if words >= QUESTION_WORDS and text[-1] in _QUESTION_MARKS]))
    yield from _places(signals)


def _parts(signals: Signals, columns: Columns) -> Iterator[float]:
    """The parts of the text between its headings, and where it begins."""
    kept, tag = signals.extraction.runs, signals.page.elements.tag
    parts = [0]
    span = slice(kept[0], kept[-1] + 1) if kept else slice(0)
    for words, flags in zip(columns.words[span], columns.flags[span], strict=True):
        if flags & HEADING:
            parts.append(0)
        else:
            parts[-1] += words
    total = max(sum(parts), 1)
    yield from (log1p(len(parts) - 1), max(parts) / total, log1p(total / len(parts)))
    headings = enumerate(zip(columns.flags, columns.elements, strict=True))
    titles = [number for number, (flags, element) in headings if flags & HEADING and tag[element] == _H1]
    yield len(titles)
    yield min([abs(kept[0] - number) for number in titles]) if titles and kept else -1


def _paragraphs(signals: Signals, columns: Columns) -> Iterator[float]:
    tag, total = signals.page.elements.tag, max(columns.total, 1)
    runs = zip(columns.words, columns.linked, columns.elements, strict=True)
    inside = [(words, linked) for words, linked, element in runs if tag[element] == _P]
    long = [(words, linked) for words, linked in inside if words >= LONG_WORDS]
    yield sum([words for words, _ in inside]) / total
    yield len(long)
    yield sum([words for words, linked in long if linked * 3 < words]) / total


def _links(signals: Signals, found: Sequence[str]) -> Iterator[float]:
    """The links, by where they lead: below the page's address, beside it, to other hosts, or to a part of the page."""
    number = max(len(found), 1)
    parts = urlsplit(signals.url or "")
    root = f"{parts.scheme}://{parts.netloc}"
    path = parts.path.rstrip("/")
    above = path.rpartition("/")[0]
    paths = [href.removeprefix(root) for href in found]
    yield log1p(len(found))
    below, beside = f"{path}/", f"{above}/"
    yield len([one for one in paths if one.startswith(below) and one != below]) / number
    yield len([one for one in paths if one.startswith(beside) and one != beside]) / number
    yield len([one for one in paths if one.startswith(("http", "//"))]) / number
    distinct = set(found)
    yield log1p(len(distinct))
    yield log1p(len([one for one in found if one.startswith(("tel:", "mailto:"))]))
    yield log1p(len([one for one in paths if one.startswith(("#", f"{path}#"))]))
    hyphens = [one for one in distinct if one.count("-") >= TITLE_HYPHENS]
    yield log1p(len([one for one in hyphens if one.rstrip("/").rpartition("/")[2].count("-") >= TITLE_HYPHENS]))


def hrefs(page: Page) -> list[str]:
    """The addresses of the links. Reading them without the links' texts takes a third of the time."""
    read = page.elements.reader()
    anchors = [element for element, tag in enumerate(page.elements.tag) if tag == _ANCHOR]
    found = [values[0] for anchor in anchors if (values := read(anchor, ("href",))) is not None]
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
