"""Measures of where a page's text, headings and links are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from math import log1p
from typing import Final
from urllib.parse import urlsplit

from newscrawl.article.signals import Signals
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
_H1, _P = TAG_NAMES.index("h1"), TAG_NAMES.index("p")


def layout_features(signals: Signals) -> Iterator[float]:
    """Yields the values of `LAYOUT_FEATURES`."""
    yield from _parts(signals)
    yield from _paragraphs(signals)
    yield from _links(signals)
    questions = [
        run for run in signals.page.runs if run.words >= QUESTION_WORDS and run.text.endswith(("?", "？", "؟"))
    ]
    yield log1p(len(questions))
    yield from _places(signals)


def _parts(signals: Signals) -> Iterator[float]:
    """The parts of the text between its headings, and where it begins."""
    runs, kept, tag = signals.page.runs, signals.extraction.runs, signals.page.elements.tag
    parts = [0]
    for run in runs[kept[0] : kept[-1] + 1] if kept else ():
        if run.flags & HEADING:
            parts.append(0)
        else:
            parts[-1] += run.words
    total = max(sum(parts), 1)
    yield from (log1p(len(parts) - 1), max(parts) / total, log1p(total / len(parts)))
    titles = [number for number, run in enumerate(runs) if run.flags & HEADING and tag[run.element] == _H1]
    yield len(titles)
    yield min([abs(kept[0] - number) for number in titles]) if titles and kept else -1


def _paragraphs(signals: Signals) -> Iterator[float]:
    tag, total = signals.page.elements.tag, max(signals.page_words, 1)
    inside = [run for run in signals.page.runs if tag[run.element] == _P]
    long = [run for run in inside if run.words >= LONG_WORDS]
    yield sum([run.words for run in inside]) / total
    yield len(long)
    yield sum([run.words for run in long if run.linked_words * 3 < run.words]) / total


def _links(signals: Signals) -> Iterator[float]:
    """The links, by where they lead: below the page's address, beside it, to other hosts, or to a part of the page."""
    hrefs = [link.href for link in signals.page.links if link.href]
    number = max(len(hrefs), 1)
    parts = urlsplit(signals.url or "")
    root = f"{parts.scheme}://{parts.netloc}"
    path = parts.path.rstrip("/")
    above = path.rpartition("/")[0]
    paths = [href.removeprefix(root) for href in hrefs]
    yield log1p(len(hrefs))
    yield sum([one.startswith(path + "/") and one != path + "/" for one in paths]) / number
    yield sum([one.startswith(above + "/") and len(one) > len(above) + 1 for one in paths]) / number
    yield sum([one.startswith(("http", "//")) for one in paths]) / number
    yield log1p(len(set(hrefs)))
    yield log1p(sum([one.startswith(("tel:", "mailto:")) for one in hrefs]))
    yield log1p(sum([one.startswith(("#", path + "#")) for one in paths]))
    yield log1p(len({one for one in hrefs if one.rstrip("/").rpartition("/")[2].count("-") >= TITLE_HYPHENS}))


def _places(signals: Signals) -> Iterator[float]:
    """How much of the text is in the same element."""
    runs, parent = signals.page.runs, signals.page.elements.parent
    words: Counter[int] = Counter()
    for number in signals.extraction.runs:
        words[parent[runs[number].element]] += runs[number].words
    yield log1p(len(words))
    yield log1p(len({runs[number].element for number in signals.extraction.runs}))
    yield max(words.values(), default=0) / max(signals.words, 1)
