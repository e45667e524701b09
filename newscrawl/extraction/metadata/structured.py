"""Reads the machine-readable parts of a page: the article among its JSON-LD objects, and its microdata (elements with
an itemprop, and the item of each: HTML standard, chapter 5)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final
from urllib.parse import urljoin, urlsplit

from newscrawl.extraction.metadata.text import caseless_nfkc_cached, clean
from newscrawl.page import Page
from newscrawl.page.head import Marked

NEWS_TYPES: Final = frozenset(
    "NewsArticle ReportageNewsArticle OpinionNewsArticle AnalysisNewsArticle BackgroundNewsArticle ReviewNewsArticle "
    "AskPublicNewsArticle AdvertiserContentArticle SatiricalArticle LiveBlogPosting".split()
)
ARTICLE_TYPES: Final = frozenset(
    "Article BlogPosting Blog TechArticle ScholarlyArticle Report SocialMediaPosting DiscussionForumPosting "
    "MedicalScholarlyArticle".split()
)
OTHER_TYPES: Final = frozenset(
    "Review CriticReview EmployerReview Recipe HowTo VideoObject AudioObject PodcastEpisode RadioEpisode TVEpisode "
    "Episode CreativeWork ImageGallery MediaGallery Quiz Event".split()
)
PAGE_TYPES: Final = frozenset("WebPage ItemPage CollectionPage AboutPage FAQPage QAPage MedicalWebPage".split())
"""schema.org types, best first: articles, things that are published like articles, the page around them."""
MEDIA_TYPES: Final = ("VideoObject", "AudioObject")
"""Types of files and players."""

_RANKS: Final = {
    name: rank for rank, names in enumerate((NEWS_TYPES, ARTICLE_TYPES, OTHER_TYPES, PAGE_TYPES)) for name in names
}
_OTHER_RANK: Final = 2
_PAGE_RANK: Final = 3
MIN_SHARED: Final = 0.25
"""The least share of the shorter title's sequences of letters that two titles of one article have in common."""
MIN_SHARED_OTHER: Final = 0.6
"""The same for an object that is no article, such as an event that the article is about."""
SEQUENCE: Final = 3
"""The length of such a sequence. It fits scripts without blanks too."""
_INNER: Final = ("mainEntity", "mainEntityOfPage", "hasPart", "@graph", "itemReviewed")
_MAX_OBJECTS: Final = 300
_MAX_DEPTH: Final = 4
_EMPTY: Final[Mapping[str, Any]] = {}


@dataclass(frozen=True)
class Structured:
    """The JSON-LD of a page: the object of the article, the object of the page, all objects by their @id, and the
    videos and sounds among the objects."""

    article: Mapping[str, Any] = field(default_factory=dict)
    page: Mapping[str, Any] = field(default_factory=dict)
    by_id: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    media: tuple[Mapping[str, Any], ...] = ()

    def get(self, *names: str) -> Any:
        """Returns the article's first of these properties that is not empty. References are not followed."""
        return next((self.article[name] for name in names if self.article.get(name)), None)

    def resolve(self, value: Any) -> Any:
        """Returns the full object if `value` only refers to it, else `value`."""
        if isinstance(value, Mapping) and "name" not in value:
            reference = value.get("@id")
            if isinstance(reference, str):
                return self.by_id.get(reference, value)
        return value

    def resolved(self, name: str) -> list[Any]:
        """Returns the members of a property of the article and the objects of lists in it, with references followed."""
        value = self.article.get(name)
        values = value[:100] if isinstance(value, list) else [value]
        inner = [thing for v in values if isinstance(v, list) for thing in v[:100] if isinstance(thing, Mapping)]
        flat = [*(v for v in values if not isinstance(v, list)), *inner]
        return [self.resolve(v) for v in flat[:100] if v]


def read_structured(objects: tuple[dict[str, Any], ...], url: str | None, title: str | None) -> Structured:
    """Chooses the article: an object with this page's address or title first, then the best type.

    `title` is the page's title elsewhere (og:title, h1), because a page lists other articles as well. An object of
    another article or film is left out.
    """
    articles: list[tuple[float, int, Mapping[str, Any]]] = []
    pages: list[Mapping[str, Any]] = []
    by_id: dict[str, Mapping[str, Any]] = {}
    media: list[Mapping[str, Any]] = []
    for order, thing in enumerate(_walk(objects)):
        rank = type_rank(thing)
        identifier = thing.get("@id")
        if isinstance(identifier, str) and (identifier not in by_id or len(thing) > len(by_id[identifier])):
            by_id[identifier] = thing
        if rank is None:
            continue
        if thing.get("@type") in MEDIA_TYPES:
            media.append(thing)
        if rank == _PAGE_RANK:
            pages.append(thing)
        elif not _is_of_another(thing, rank, url, title):
            articles.append((rank - _bonus(thing, url, title), order, thing))
    article = min(articles, key=lambda entry: entry[:2], default=(0, 0, _EMPTY))[2]
    return Structured(article, pages[0] if pages else _EMPTY, by_id, tuple(media))


def _is_of_another(thing: Mapping[str, Any], rank: int, url: str | None, title: str | None) -> bool:
    """Returns whether an object is of another article: it has another title, and another address or no article's type.

    Titles differ if they share few sequences of letters. Titles for search engines share more with the headline.
    """
    own, other = (_sequences(caseless_nfkc_cached(text or "")) for text in (title, _headline(thing)))
    needed = MIN_SHARED_OTHER if rank >= _OTHER_RANK else MIN_SHARED
    if not own or not other or len(own & other) >= needed * min(len(own), len(other)):
        return False
    if rank >= _OTHER_RANK:
        return True
    addresses = list(_addresses(thing))
    return url is not None and bool(addresses) and not any(_same_page(address, url) for address in addresses)


def _sequences(folded: str) -> set[str]:
    return {folded[i : i + SEQUENCE] for i in range(len(folded) - SEQUENCE + 1)}


def _headline(thing: Mapping[str, Any]) -> str | None:
    return clean(thing.get("headline")) or clean(thing.get("name"))


def type_rank(thing: Mapping[str, Any]) -> int | None:
    """Returns how close the object's types are to a news article, 0 is best; None for anything else."""
    types = thing.get("@type")
    names = types[:10] if isinstance(types, list) else [types]
    ranks = [
        _RANKS[n] for t in names if isinstance(t, str) and (n := t.rsplit("/", 1)[-1].rsplit(":", 1)[-1]) in _RANKS
    ]
    return min(ranks, default=None)


def _bonus(thing: Mapping[str, Any], url: str | None, title: str | None) -> float:
    """Returns a bonus for an equal address or title, which outweighs a better type."""
    names_page = url is not None and any(_same_page(a, url) for a in _addresses(thing))
    headline = _headline(thing)
    names_title = bool(title and headline) and caseless_nfkc_cached(headline or "") == caseless_nfkc_cached(title or "")
    return 1.5 * names_page + 1.5 * names_title + 0.25 * bool(headline)


def _addresses(thing: Mapping[str, Any]) -> Iterator[str]:
    for name in ("url", "@id", "mainEntityOfPage"):
        value = thing.get(name)
        if isinstance(value, Mapping):
            value = value.get("@id") or value.get("url")
        if isinstance(value, str):
            yield value


def _same_page(address: str, url: str) -> bool:
    try:
        own, other = urlsplit(urljoin(url, address[:2_000])), urlsplit(url)
    except ValueError:
        return False
    return own.path.rstrip("/") == other.path.rstrip("/") and len(other.path) > 1


def _walk(objects: tuple[dict[str, Any], ...]) -> Iterator[Mapping[str, Any]]:
    """Yields the objects, and those inside them that are their main part, in document order."""
    pending: list[tuple[Any, int]] = [(thing, 0) for thing in reversed(objects[:_MAX_OBJECTS])]
    seen = 0
    while pending and seen < _MAX_OBJECTS:
        value, depth = pending.pop()
        if isinstance(value, list):
            pending.extend((member, depth) for member in reversed(value[:_MAX_OBJECTS]) if isinstance(member, Mapping))
        elif isinstance(value, Mapping):
            seen += 1
            yield value
            if depth < _MAX_DEPTH:
                pending.extend((value[name], depth + 1) for name in reversed(_INNER) if name in value)


_OTHER_ITEM: Final = 9


@dataclass(frozen=True)
class Microdata:
    """The properties of a page that belong to its article, or to no item."""

    page: Page

    @cached_property
    def article(self) -> dict[str, list[Marked]]:
        """Returns the marked elements by property, those of an article item only (or of no open item)."""
        properties: dict[str, list[Marked]] = {}
        for marked, names, scope in self._all:
            if scope is None or _is_article(self.page.elements.attributes[scope]):
                for name in names:
                    properties.setdefault(name, []).append(marked)
        return properties

    def values(self, *names: str) -> Iterator[str]:
        """Yields the values of the article's properties, in the order of the names given."""
        for name in names:
            for marked in self.article.get(name, ()):
                if value := value_of(marked):
                    yield value

    def author_names(self) -> Iterator[str]:
        """Yields the names of the article's authors: the name property of an author item, else the element's text."""
        names: dict[int, list[str]] = {}
        for marked, properties, scope in self._all:
            if scope is not None and "name" in properties and (value := value_of(marked)):
                names.setdefault(scope, []).append(value)
        for marked in self.article.get("author", []):
            yield from names.get(marked.element) or [value_of(marked)]

    @cached_property
    def _all(self) -> list[tuple[Marked, list[str], int | None]]:
        return [
            (marked, marked.attributes["itemprop"].lower().split(), self._scope(marked.element))
            for marked in self.page.hints.marked
            if "itemprop" in marked.attributes
        ]

    def _scope(self, element: int) -> int | None:
        """Returns the nearest ancestor that is an item."""
        attributes = self.page.elements.attributes
        return next((a for a in self.page.elements.ancestors(element) if "itemscope" in attributes[a]), None)


def value_of(marked: Marked) -> str:
    """Returns a property's value: content, else datetime, else the text. An address is neither a name nor a date."""
    attributes = marked.attributes
    return attributes.get("content") or attributes.get("datetime") or marked.text


def _is_article(attributes: Mapping[str, str]) -> bool:
    types = attributes.get("itemtype", "").split()
    rank = type_rank({"@type": types})
    return (_OTHER_ITEM if rank is None else rank) < _OTHER_ITEM
