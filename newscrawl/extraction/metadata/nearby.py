"""The short lines and links near a page's headline, where a page without metadata shows its byline and date."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import accumulate
from typing import Final, NamedTuple

from newscrawl.extraction.metadata.date_labels import PUBLISHED, UPDATED, is_dated
from newscrawl.extraction.metadata.text import caseless_nfkc_cached
from newscrawl.model.written_dates.calendars import ENGLISH_SHORT
from newscrawl.page import Page
from newscrawl.page.elements import NO_PARENT, Some, stands_inside
from newscrawl.page.head import Link, Marked, links_between
from newscrawl.page.run import TextRun
from newscrawl.page.tags import TAG_NAMES

RUNS_AFTER: Final = 15
"""Text runs read after the headline: standfirst, byline, date, share buttons."""
RUNS_BEFORE: Final = 4
"""Text runs read before the headline: kicker, byline, date."""

MAX_WORDS: Final = 15
"""The most words of a byline or date line. A longer run is text of the article."""

MAX_LABELLED_WORDS: Final = 25
"""The same of a line that begins with a label, such as "Published ..., updated ..." with two days and times."""
LABEL_CHARACTERS: Final = 30
"""Characters at the beginning of such a line in which the label is."""

_CAPTION: Final = TAG_NAMES.index("figcaption")
_CAPTION_LEVELS: Final = 3
"""The most elements between a line and the caption that it is part of."""

MAX_LINE: Final = 200
"""The most characters read of such a run and of the text before it. `MAX_WORDS` words are shorter than this in every
language; the limit is for runs without blanks."""

ELEMENTS_AFTER: Final = 150
"""The greatest distance of an author's link after the headline, in elements."""
ELEMENTS_BEFORE: Final = 30
"""The greatest distance of an author's link before the headline, in elements."""

STANDFIRST_RUNS: Final = 2
"""Longer runs after the headline that may come before the date. With the next one the text has begun."""
_OF_SITE: Final = frozenset(TAG_NAMES.index(name) for name in ("nav", "aside"))
_OF_SECTION: Final = frozenset(TAG_NAMES.index(name) for name in ("header", "footer"))
"""The site's own, unless an article or section is around them (HTML, sections 4.3.8 and 4.3.9)."""
_SECTIONS: Final = frozenset(TAG_NAMES.index(name) for name in ("article", "section", "main"))
_SITE_NAMES: Final = re.compile(
    r"(?<![a-z])(?:top-?bar|masthead|(?:site|page|main|global)[-_]?(?:header|footer)|nav(?:bar|igation)?|menu|banner|"
    r"(?:news-?)?ticker|side-?bar|weather|today|current-?(?:date|time)|complementary)(?![a-z])"
)
"""Names of elements in which a site shows the present time."""
_BYLINE_NAMES: Final = re.compile(r"byline|author|autor|auteur")

_GLUED_DAY: Final = re.compile(
    rf"(?=[A-Z])(?:(?<=[a-z])(?=(?:{ENGLISH_SHORT})[a-z]{{0,6}}\.? \d{{1,2}},? \d{{4}}|"
    rf"(?:{ENGLISH_SHORT.upper()})[A-Z]{{0,6}}\.? \d{{1,2}},? \d{{4}})|"
    r"(?<=[a-z\d])(?=(?:Updated|Published|Posted)\b))"
)
"""The place before a day or a label that only the mark-up separates from the text before it. Both begin with a capital,
which rejects most places of a line at once."""


@lru_cache(maxsize=4096)
def _names_comments(names: str) -> bool:
    may_name = any(map(names.lower().__contains__, _COMMENT_PARTS))
    return may_name and _COMMENT_NAMES.search(_CAMEL.sub("-", names)) is not None


def _separated(text: str) -> str:
    """Returns a line with blanks between a name, a day and a label that are in separate spans: "Ada ExampleDec 05,
    2023", "May 5, 2024Updated May 6, 2024"."""
    return _GLUED_DAY.sub(" ", text)


def _is_beginning(text: str, title: str) -> bool:
    """Returns whether the title is this text, or continues after it with a shorter part, such as the site's name."""
    return title.startswith(text) and 2 * len(text) > len(title)


def _is_short(run: TextRun) -> bool:
    """Returns whether a run is a line, or a longer line of dates with a label."""
    if run.words <= MAX_WORDS:
        return True
    start = run.text[:LABEL_CHARACTERS] if run.words <= MAX_LABELLED_WORDS else ""
    return bool(start) and (PUBLISHED.search(start) or UPDATED.search(start)) is not None


def is_caption(page: Page, run: TextRun) -> bool:
    """Returns whether a run is in the caption of a picture: its day and its names are of the picture."""
    tags = page.elements.tag
    if tags[run.element] == _CAPTION:
        return True
    return any(
        tags[above] == _CAPTION
        for above, _ in zip(page.elements.ancestors(run.element), range(_CAPTION_LEVELS), strict=False)
    )


_NAMES: Final = ("class", "id", "itemprop")
_CAMEL: Final = re.compile(r"(?<=[a-z])(?=[A-Z])")
_COMMENT_NAMES: Final = re.compile(
    r"(?<![a-z])(?:(?:user|reader|article|post|leser)?(?:comments?|kommentar(?:e|er|en|ii?)?|comentarios?|commentaires?|"
    r"commenti|commento|reacties?|koment[aá][rř](?:e|i|z[ey]?)?|kommentti|kommentit|hozz[aá]sz[oó]l[aá]s(?:ok)?|"
    r"yorum(?:lar)?)|disqus(?:_thread)?|discussions?|repl(?:y|ies)|conversation|guestbook)"
    r"(?:[-_]?(?:list|section|area|threads?|wrap(?:per)?|container|body|content|text|item|box|blocks?|inner|form|"
    r"\d{1,12})){0,2}(?![\w-])",
    re.IGNORECASE,
)
"""Classes and ids of readers' comments and answers, in the languages of newsrooms. They are whole names, because others
only contain the word ("comments-meta", "HeaderComment_date")."""
_COMMENT_PARTS: Final = (
    "omment", "oment", "react", "hozz", "yorum", "disqus", "discuss", "repl", "conversation", "guestbook"
)  # fmt: skip
"""One of these is in each of them. Most names have none, and this search takes a tenth of the time."""


class ShortLine(NamedTuple):
    """A short run, its text, and the text directly before it on the page."""

    run: TextRun
    text: str
    before: str


class _ArticleHead(NamedTuple):
    """The place of an article's head: the smallest element (`block`) that holds the headline and at least half of the
    text after it, the elements `above` the headline, the head's first element and its end, and its runs."""

    block: int
    above: frozenset[int]
    begin: int
    end: int
    runs: Sequence[TextRun]


@dataclass(frozen=True)
class Nearby:
    """Elements, links and runs by their position relative to the page's headline.

    The headline is the first h1 that contains `title`, else the first run that is the title or the title without its
    end (a site's name), else the first h1.
    """

    page: Page
    title: str | None = None

    @cached_property
    def headline(self) -> int | None:
        """The headline's element."""
        headings = [m for m in self.page.hints.marked if m.tag == "h1" and m.text]
        title = caseless_nfkc_cached(self.title or "")
        if title:
            for m in headings:
                if title in caseless_nfkc_cached(m.text):
                    return m.element
            for run in self.page.runs:
                if len(run.text) < 2 * len(self.title or "") and _is_beginning(caseless_nfkc_cached(run.text), title):
                    return run.element
        return headings[0].element if headings else None

    @cached_property
    def lines(self) -> tuple[ShortLine, ...]:
        """Short runs after the headline, then those just before it, without captions; none without a headline."""
        headline = self.headline
        if headline is None:
            return ()
        runs = self.page.runs
        before, after = self._run_places
        places = (*range(after, min(after + RUNS_AFTER, len(runs))), *range(before - 1, before - 1 - RUNS_BEFORE, -1))
        around = [
            (runs[i], runs[i - 1].text[:MAX_LINE] if i else "")
            for i in places
            if i >= 0
            and _is_short(runs[i])
            and not is_caption(self.page, runs[i])
            and not self.is_comment(runs[i].element)
        ]
        return tuple([ShortLine(run, _separated(run.text[:MAX_LINE]), above) for run, above in around])

    @cached_property
    def _run_places(self) -> tuple[int, int]:
        """The indexes of the first run of the headline and of the first run after it."""
        runs, headline = self.page.runs, self.headline or 0
        end = self.page.elements.end_of(headline)
        after = next((i for i, run in enumerate(runs) if run.element >= end), len(runs))
        return next((i for i, run in enumerate(runs) if run.element >= headline), len(runs)), after

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """The texts of `lines`."""
        return tuple([line.text for line in self.lines])

    def is_in_head(self, element: int) -> bool:
        """Returns whether an element stands beside the article's headline, or in its byline: a date there is the
        article's, however fresh. A date in the site's header, navigation or sidebar may be a clock.

        The head reaches from `RUNS_BEFORE` runs before the headline to the beginning of the text, and not out of the
        smallest element that holds the headline and most of the text.
        """
        if self.headline is None:
            return False
        head, elements = self._head, self.page.elements
        around = [element, *elements.ancestors(element)]
        if head.block not in around:
            return False
        if element in head.above:  # its own text may stand anywhere in it
            return any(run.element == element and is_dated(run.text) for run in head.runs)
        apart = [above for above in around if above not in head.above]
        is_of_section = any(elements.tag[above] in _SECTIONS for above in around if above in head.above)
        of_site = _OF_SITE if is_of_section else _OF_SITE | _OF_SECTION
        names = [elements.names_of(above) for above in apart]
        if any(elements.tag[above] in of_site for above in apart) or any(map(_SITE_NAMES.search, names)):
            return False
        return head.begin <= element < head.end or any(map(_BYLINE_NAMES.search, names))

    @cached_property
    def _head(self) -> _ArticleHead:
        """Where the article's head is. Call it only with a headline. Linear in the page."""
        headline, elements, runs = self.headline or 0, self.page.elements, self.page.runs
        before, after = self._run_places
        above = frozenset(elements.ancestors(headline))
        texts = [
            i for i, run in enumerate(runs[after:], after) if not _is_short(run) and 2 * run.linked_words <= run.words
        ]
        first, last = max(0, before - RUNS_BEFORE), after + RUNS_AFTER
        if len(texts) > STANDFIRST_RUNS:
            last = min(last, texts[STANDFIRST_RUNS])
        begin = min([run.element for run in runs[first:before] if run.element not in above], default=headline)
        begin = begin if first else 0
        end = next((run.element for run in runs[last:] if run.element > headline), len(elements))
        words = list(accumulate(runs[i].words for i in texts))
        block = 0
        if words:
            middle = runs[texts[bisect_left(words, words[-1] / 2)]].element
            block = next((e for e in (middle, *elements.ancestors(middle)) if e in above), 0)
        return _ArticleHead(block, above, begin, end, runs[first:last])

    @cached_property
    def links(self) -> tuple[Link, ...]:
        """Links around the headline."""
        headline = self.headline
        if headline is None:
            return ()
        start, end = headline - ELEMENTS_BEFORE, headline + ELEMENTS_AFTER
        return links_between(self.page.links, start, end + 1)

    def ordered(self, marked: Iterator[Marked]) -> list[Marked]:
        """Returns marked elements that are in no readers' comment, those after the headline first."""
        headline = self.headline or 0
        of_article = (m for m in marked if not self.is_comment(m.element))
        return sorted(of_article, key=lambda m: m.element < headline)

    def is_comment(self, element: int) -> bool:
        """Returns whether an element is in readers' comments or a discussion. Linear in the elements asked for and
        their ancestors."""
        return stands_inside(element, self.page.elements.parent, self._is_named, self._comments)

    def _is_named(self, element: int) -> bool:
        values = self._values(element, _NAMES)
        return values is not None and _names_comments(" ".join(filter(None, values)))

    @cached_property
    def _values(self) -> Some:
        return self.page.elements.reader()

    @cached_property
    def _comments(self) -> dict[int, bool]:
        """What `is_comment` knows. An element that holds the headline holds the article, whatever it is called."""
        headline = self.headline
        above = (headline, *self.page.elements.ancestors(headline)) if headline is not None else ()
        return dict.fromkeys((NO_PARENT, *above), False)

    def lines_in(self, marked: Marked) -> list[str]:
        """Returns the element's text, split where the page starts a new line."""
        end = self.page.elements.end_of(marked.element)
        return [run.text for run in self.page.runs if marked.element <= run.element < end] or [marked.text]

    def links_in(self, marked: Marked) -> list[Link]:
        """Returns the links inside the element."""
        return list(links_between(self.page.links, marked.element, self.page.elements.end_of(marked.element)))
