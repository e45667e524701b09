"""The input of verdicts: a page's statements and measures, each computed once."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final
from urllib.parse import urlsplit

from newscrawl.extraction.cleanup.cues import fold
from newscrawl.extraction.element_predicates import at_or_inside, nearest
from newscrawl.extraction.metadata.read import MetadataReader
from newscrawl.extraction.metadata.structured import ARTICLE_TYPES, NEWS_TYPES, Structured
from newscrawl.model import Extraction, Metadata
from newscrawl.page import Page, TextRun
from newscrawl.page.elements import NO_PARENT
from newscrawl.page.tags import TAG_NAMES
from newscrawl.page.words import count_words

HEADLINE_WORDS: Final = 4
"""Least words of a link that looks like a headline; menus use fewer."""

_TITLE_PARTS: Final = re.compile(r"(?<!\s)\s++[|»·–—:-]\s+|[|]|:\s+")
_STATUS_WORDS: Final = re.compile(
    r"^(?:(?:http|error|erreur|fehler|oops|ops|ups|sorry|404|403) )+|(?: (?:error|404|403))+$"
)
ARTICLE_OG: Final = frozenset({"article", "news", "newsarticle", "blog"})
_ANCHOR: Final = TAG_NAMES.index("a")
_DECLARED: Final = ("json-ld:date", "meta:", "microdata:date")
_ARTICLE_TYPES: Final = (NEWS_TYPES | ARTICLE_TYPES) - {"Blog"}


@dataclass(frozen=True)
class Signals:
    """A page, its text and its statements, with the values that several verdicts need."""

    page: Page
    extraction: Extraction
    reader: MetadataReader
    """Reads what the page states; `metadata` is all of it."""

    @property
    def metadata(self) -> Metadata:
        """Everything that the page states."""
        return self.reader.metadata

    @cached_property
    def words(self) -> int:
        """Words of the extracted text, also if that is not of the page's runs but stated."""
        if not self.extraction.runs:
            return count_words(self.extraction.text)
        return sum(self.page.runs[i].words for i in self.extraction.runs)

    @cached_property
    def words_outside_captions(self) -> int:
        """Words of the extracted text that are in no `<figcaption>`."""
        elements = self.page.elements
        captioned = at_or_inside(elements, lambda element: elements.name(element) == "figcaption")
        captions = sum(run.words for run in self.runs() if captioned(run.element))
        return self.words - captions

    @cached_property
    def page_words(self) -> int:
        """Words of the whole page."""
        return sum([run.words for run in self.page.runs])

    @cached_property
    def linked_share(self) -> float:
        """Share of the page's words that are linked."""
        return sum([run.linked_words for run in self.page.runs]) / max(self.page_words, 1)

    @cached_property
    def whole_titles(self) -> tuple[str, ...]:
        """Title and headline, folded. The phrases of a part of a title are phrases of the whole one, too."""
        return tuple(dict.fromkeys(map(bare_words, self._stated_titles)))

    @cached_property
    def titles(self) -> frozenset[str]:
        """Title and headline, folded: complete, in parts, and both without status codes and exclamations."""
        parts = (bare_words(part) for title in self._stated_titles for part in _TITLE_PARTS.split(title))
        folded = {*self.whole_titles, *parts}
        return frozenset(filter(None, folded | {_STATUS_WORDS.sub("", one) for one in folded}))

    @property
    def _stated_titles(self) -> dict[str, None]:
        head = self.page.head
        return dict.fromkeys(filter(None, (head.title, self.page.hints.headline, head.first("og:title"))))

    @cached_property
    def structured(self) -> Structured:
        """The page's JSON-LD."""
        return self.reader.structured_by_title

    @cached_property
    def types(self) -> frozenset[str]:
        """schema.org types of the object about the article and the one about the page, microdata included."""
        microdata = (kind.rpartition("/")[2] for kind in self.itemtypes if "schema.org/" in kind)
        return frozenset((*types_of(self.structured.article), *types_of(self.structured.page), *microdata))

    @cached_property
    def top_types(self) -> frozenset[str]:
        """schema.org types of the outermost objects of the page's JSON-LD."""
        return frozenset(kind for thing in self.page.hints.json_ld for kind in types_of(thing))

    @cached_property
    def all_types(self) -> frozenset[str]:
        """schema.org types of everything that the page's JSON-LD and microdata describe."""
        return self.types | self.top_types | {kind.rpartition("/")[2] for kind in self.itemtypes}

    @cached_property
    def itemtypes(self) -> tuple[str, ...]:
        """The types that the page's microdata states, as addresses."""
        return tuple(kind for marked in self.page.hints.marked if (kind := marked.attributes.get("itemtype")))

    @cached_property
    def declares_article(self) -> bool:
        """Whether structured data declares this page an article."""
        return not self.types.isdisjoint(_ARTICLE_TYPES)

    @property
    def dated(self) -> bool:
        """Whether the page declares when it was published. A date in its URL or among its teasers does not count."""
        published = self.metadata.published
        return published is not None and published.source.startswith(_DECLARED)

    @cached_property
    def states_article(self) -> bool:
        """Whether any statement of the page is evidence for an article."""
        return self.declares_article or self.og_type in ARTICLE_OG or self.dated

    @cached_property
    def og_type(self) -> str:
        return (self.page.head.first("og:type") or "").strip().lower()

    @cached_property
    def url(self) -> str | None:
        """The page's URL; None for an invalid one."""
        try:
            return self.page.url if urlsplit(self.page.url or "").hostname else None
        except ValueError:
            return None

    @property
    def path(self) -> str:
        """The path of the page's URL, lower case, without a trailing slash; "" without a path and for the site's
        root."""
        return urlsplit(self.url).path.lower().rstrip("/") if self.url else ""

    @property
    def host(self) -> str:
        """The host of the page's URL; "" without a URL."""
        return urlsplit(self.url).hostname or "" if self.url else ""

    @cached_property
    def segments(self) -> frozenset[str]:
        """The parts of the path between slashes."""
        return frozenset(self.path.split("/"))

    @cached_property
    def notices(self) -> str:
        """Folded texts of the runs that are not sentences (buttons, labels, notices), one on each line."""
        return "\n".join(bare_words(run.text) for run in self.page.runs if run.words <= NOTICE_WORDS)

    def runs(self) -> Iterator[TextRun]:
        """Returns the runs of the text."""
        return (self.page.runs[i] for i in self.extraction.runs)

    def marks(self, words: re.Pattern[str]) -> str | None:
        """Returns the first id or class of the page that matches; None without a match."""
        for attributes in self.page.elements.attributes:
            for key in ("id", "class"):
                if (name := attributes.get(key)) and (match := words.search(name.lower())):
                    return match.group()
        return None

    @cached_property
    def hrefs(self) -> tuple[str, ...]:
        """The addresses of the page's links. Reading them without the links' texts takes a third of the time."""
        elements = self.page.elements
        read = elements.reader()
        anchors = [element for element, tag in enumerate(elements.tag) if tag == _ANCHOR]
        found = [values[0] for element in anchors if (values := read(element, ("href",))) is not None]
        return tuple([stripped for href in found if href and (stripped := href.strip())])

    @cached_property
    def headline_links(self) -> int:
        """The number of distinct URLs with a link that looks like a headline."""
        return len({link.href for link in self.page.links if len(link.text.split()) >= HEADLINE_WORDS})

    @cached_property
    def articles_of_text(self) -> int:
        """The number of distinct <article> elements with runs of the text."""
        elements = self.page.elements
        article = nearest(elements, lambda element: elements.name(element) == "article")
        return len({article(run.element) for run in self.runs()} - {NO_PARENT})


NOTICE_WORDS: Final = 30
"""Most words of a run that may be a notice."""


def types_of(thing: Any) -> Iterator[str]:
    """Yields the types of a JSON-LD object, without namespace."""
    kinds = thing.get("@type") if hasattr(thing, "get") else None
    for kind in kinds if isinstance(kinds, list) else [kinds]:
        if isinstance(kind, str):
            yield kind.rpartition("/")[2].rpartition(":")[2]


def bare_words(text: str | None) -> str:
    """Returns the text in lower case, with words and digits only and one blank between them: the form of phrases."""
    return fold(text) if text else ""
