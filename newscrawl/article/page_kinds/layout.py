"""Measures of where a page's text, headings and links are, of its sections, and of dates beside its headline.

An article has one long section, a landing page many short ones. What they have is recognized by numbers and addresses,
not by words of the text.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from math import log1p
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from newscrawl.article.page_kinds.counts import RunCounts

if TYPE_CHECKING:
    from newscrawl.article.signals import Signals
import re

from newscrawl.article.page_kinds.counts import Columns
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


def layout_features(signals: Signals, counts: RunCounts) -> Iterator[float]:
    """Yields the values of `LAYOUT_FEATURES`. `counts` are those of the page's runs."""
    c, words = counts, max(counts.words, 1)
    parts = c.span_headings + 1
    total = max(c.part_words, 1)
    yield from (log1p(c.span_headings), c.longest_part / total, log1p(total / parts))
    yield from (c.top_headings, c.top_distance)
    yield from (c.paragraph_words / words, c.long_paragraphs, c.long_prose / words)
    yield from _links(signals)
    yield log1p(c.question_sentences)
    yield from _places(signals)


def _links(signals: Signals) -> Iterator[float]:
    """The links, by where they lead: below the page's address, beside it, to other hosts, or to a part of the page.

    The addresses are searched as one text, in which each stands between two marks: that takes a tenth of the time of a
    loop over them.
    """
    found = signals.hrefs
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


def _places(signals: Signals) -> Iterator[float]:
    """How much of the text is in the same element."""
    runs, parent = signals.page.runs, signals.page.elements.parent
    words: Counter[int] = Counter()
    for number in signals.extraction.runs:
        words[parent[runs[number].element]] += runs[number].words
    yield log1p(len(words))
    yield log1p(len({runs[number].element for number in signals.extraction.runs}))
    yield max(words.values(), default=0) / max(signals.words, 1)


NEAR_RUNS: Final = 8
"""Most runs between a headline and the date that belongs to it."""

_YEAR: Final = re.compile(r"(?<!\d)(?:19[89]|20[0-3])\d(?!\d)")
_QUOTES: Final = '“”„«»「」『』"'
_SHARE: Final = tuple(
    "sharer /intent/ /share? shareArticle /submit? pin/create wa.me/ whatsapp.com/send t.me/share mailto:?".split()
)
"""Parts of addresses by which a text is shared on social networks."""
_PATHS: Final = tuple(
    (frozenset(segments.split()), re.compile(f"/(?:{'|'.join(segments.split())})/"))
    for segments in (
        "tag tags topic topics category categories thema etiqueta etiquetas",
        "author authors autor auteur contributor contributors by staff writer writers",
        "u user users member members profile profiles",
    )
)
"""The path segments of the addresses of tags, authors and members, and a pattern for them."""

SECTION_FEATURES: Final = (
    "sections", "longest section", "short sections", "words a section", "cards", "date beside the headline",
    "short runs with a year", "short runs with a number", "quotation marks", "exclamation marks",
    "headings that are questions", "words of the <h1>", "<h1> in the title",
    "links to share", "links to tags", "links to authors", "links to members",
)  # fmt: skip


def section_features(signals: Signals, columns: Columns, counts: RunCounts) -> Iterator[float]:
    """Yields the values of `SECTION_FEATURES`. `columns` are the page's runs and `counts` what is counted of them."""
    total = max(counts.section_words, 1)
    yield from (log1p(counts.sections), counts.longest_section / total, counts.short_section_words / total)
    yield from (log1p(total / max(counts.sections, 1)), log1p(counts.cards))
    top = counts.top if counts.top_headings else None
    yield from _dates(columns, top)
    yield from _marks(signals, columns, counts)
    yield from _headline(signals, columns, top)
    addresses = "\n".join(signals.hrefs)
    yield log1p(sum(map(addresses.count, _SHARE)))
    segments = set(addresses.split("/"))
    for wanted, pattern in _PATHS:
        yield 0.0 if segments.isdisjoint(wanted) else log1p(len(pattern.findall(addresses)))


def _dates(columns: Columns, top: int | None) -> Iterator[float]:
    """Whether a year is beside the headline (run `top`), and the short runs with a year or another number."""
    numbers = [run for run in columns.with_digit if columns.words[run] != columns.linked[run]]
    years = [run for run in numbers if _YEAR.search(columns.texts[run])]
    yield top is not None and any(abs(run - top) <= NEAR_RUNS for run in years)
    yield log1p(len(years))
    yield log1p(len(numbers))


def _marks(signals: Signals, columns: Columns, counts: RunCounts) -> Iterator[float]:
    text = signals.extraction.text
    yield 100 * sum(map(text.count, _QUOTES)) / max(signals.words, 1)
    yield 100 * "".join(columns.texts).count("!") / max(counts.words, 1)
    yield log1p(counts.question_headings)


def _headline(signals: Signals, columns: Columns, top: int | None) -> Iterator[float]:
    yield log1p(columns.words[top]) if top is not None else 0.0
    yield top is not None and columns.texts[top].lower() in (signals.page.head.title or "").lower()
