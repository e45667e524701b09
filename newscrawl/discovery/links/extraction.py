"""Finds the links of a page and estimates by address, words and place which lead to articles.

Each feature adds to the log-odds of a link or subtracts from them. The weights are set by hand in steps of a half, and
were checked on pages of sites whose rules are known (docs/explanation/discovery.md). The place is where in the page a
link is: in the navigation, in a heading, in a card, and which date its card shows.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

from newscrawl.discovery.links.article_urls import ArticleRule, looks_like_article, never_an_article
from newscrawl.discovery.links.learned_rules import marks
from newscrawl.discovery.links.resolve import base_of, key_of, resolve
from newscrawl.discovery.reading import CUT, MAX_TITLE, SourceContents
from newscrawl.model import Candidate, Discovery
from newscrawl.model.identity import same_site
from newscrawl.model.written_dates.parse_date import read_source_date
from newscrawl.page import Page
from newscrawl.page.elements import NO_PARENT
from newscrawl.page.words import count_words

MAX_LINKS: Final = 2_000
"""Links of a page that are read. Front pages have 100 to 600."""

MAX_LISTED: Final = 2_000
"""Entries that are read of a page's JSON-LD lists."""

LIKELY: Final = 0.55
"""Confidence from which a link counts as an article's."""

HEADLINE_WORDS: Final = 4
"""Words that make the text of a link a headline. Names of sections have one to three."""

_BIAS: Final = -1.0
_HARD_SHAPE: Final = 3.0
_SHAPE: Final = 1.5
_LONG_SLUG: Final = 0.5
_NO_SHAPE: Final = -1.0
_UTILITY_WORD: Final = -2.0
_HEADLINE: Final = 1.0
_SHORT_TEXT: Final = -0.5
_HEADING: Final = 1.0
_NAVIGATION: Final = -1.0
_FOOTER: Final = -2.5
_COMMENTS: Final = -2.0
_ADVERT: Final = -2.0
_MAIN: Final = 0.5
_DATED: Final = 1.5
_LISTED: Final = 2.5
_LONG_NUMBER: Final = re.compile(r"\d{6,}[^/]*/?$")
_UTILITY: Final = re.compile(
    r"[/.](?:pages?|static|estaticos|feedback|info|help|ayuda|hilfe|contact[\w\-]*|jobs|careers|deals|coupons?|ofertas?"
    r"|oferplan|descuentos|promo[\w\-]*|gutscheine?|print[\w\-]*|ajax|[\w\-]*-ajax|api|videos?|galler(?:y|ies)|fotos|slideshow"
    r"|impressum|datenschutz|mediadaten|loterias?|games|spiele|juegos|weather|tiempo|wetter|tv-guide|terms[\w\-]*)[/.]",
    re.IGNORECASE,
)
"""Parts of addresses below which there are services and pages without text, though their names may be long."""

_FIVE_WORDS: Final = re.compile(r"/[^/\-_.]+(?:[-_]+[^/\-_.]+){4,}(?:\.\w+)?/?$")
"""A slug that is longer than any name of a section."""

_REFUSING: Final = frozenset({"nofollow", "sponsored", "ugc"})

NAVIGATION: Final = 1
COMMENTS: Final = 2
MAIN: Final = 4
CARD: Final = 8
ADVERT: Final = 16
FOOTER: Final = 32

_NAVIGATION_TAGS: Final = frozenset({"nav", "menu"})
_CARD_TAGS: Final = frozenset({"article", "li", "section", "tr"})
_HEADINGS: Final = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_NAMES: Final = (
    (
        NAVIGATION,
        (
            r"nav|navbar|navigation|menu|submenu|breadcrumbs?|topbar|masthead|sidemenu|toolbar|pagination|pager|paging"
            r"|social|share|sharing|login|tags?|taglist|topics|labels|categories|languages?"
            r"|byline|authors?"
        ),
    ),
    (FOOTER, r"footer|foot|legal|cookie|cookies|consent|sitemap|copyright|colophon|bottom"),
    (COMMENTS, r"comments?|disqus|replies|comentarios|kommentare"),
    (MAIN, r"main|content|stream|river|feed|latest|stories|posts|listing|entries"),
    (CARD, r"card|teaser|story|article|post|entry|item|news|headline|promo|tile|archive-item|hentry"),
    (ADVERT, r"ad|ads|advert|advertisement|advertorial|sponsor|sponsored|outbrain|taboola|partner|partners|affiliate"),
)
_WORDS: Final = tuple((flag, re.compile(rf"(?<![a-z])(?:{words})(?![a-z])")) for flag, words in _NAMES)


@dataclass(slots=True)
class FoundLink:
    """An address that a page links to, and the confidence that it is an article (0 to 1)."""

    url: str
    title: str = ""
    published: datetime | None = None
    confidence: float = 0.0
    nofollow: bool = False
    """Whether every link to it is marked as not to be followed."""
    listed: bool = False
    """Whether a JSON-LD ItemList names it."""
    features: list[str] = field(default_factory=list)
    """The features that were found, for display."""


def extract_links(page: Page, url: str) -> list[FoundLink]:
    """Returns all addresses that `page` links to, with confidence, in the page's order. `url` is its final address.

    If the page forbids following (meta robots), all its links are marked `nofollow`.
    """
    base = base_of(page, url)
    own = key_of(url)
    places = places_of(page)
    forbidden = forbids_following(page)
    found: dict[str, FoundLink] = {}
    scores: dict[str, float] = {}
    for link in page.links[:MAX_LINKS]:
        target = resolve(base, link.href)
        key = key_of(target) if target else None
        if target is None or key is None or key == own:
            continue
        score, title, features = _in_place(places, link.element, link.text)
        refused = forbidden or not _REFUSING.isdisjoint(link.rel.split())
        entry = found.setdefault(key, FoundLink(target, nofollow=True))
        entry.nofollow = entry.nofollow and refused
        if key not in scores or score > scores[key]:
            scores[key], entry.features = score, features
        if len(title) > len(entry.title) or (features and "heading" in features and title):
            entry.title = title[:MAX_TITLE]
        entry.published = entry.published or _date_of(places, link.element)
    _take_listed(page, base, own, found)
    for key, entry in found.items():
        entry.confidence = _confidence(entry, scores.get(key, 0.0))
    return list(found.values())


def forbids_following(page: Page) -> bool:
    """Returns whether the page's meta robots forbids following its links."""
    words = {word.strip().lower() for content in page.head.all("robots") for word in content.split(",")}
    return not words.isdisjoint({"nofollow", "none"})


def _in_place(places: Places, element: int, text: str) -> tuple[float, str, list[str]]:
    """Returns the score, title and features of one link, from its text and its place in the page."""
    flags = places.flags[element]
    heading = places.heading[element]
    if heading == NO_PARENT:
        heading = places.heading_in.get(element, NO_PARENT)
    title = text
    if heading != NO_PARENT and places.titles.get(heading):
        title = places.titles[heading] if len(text) > len(places.titles[heading]) or not text else text
    words = count_words(title)
    features = [
        (
            _HEADLINE,
            "headline",
            words >= HEADLINE_WORDS and (heading != NO_PARENT or not flags & (NAVIGATION | FOOTER)),
        ),
        (_SHORT_TEXT, "short text", 0 < words < HEADLINE_WORDS - 1),
        (_HEADING, "heading", heading != NO_PARENT),
        (_NAVIGATION, "navigation", bool(flags & NAVIGATION)),
        (_FOOTER, "footer", bool(flags & FOOTER)),
        (_COMMENTS, "comments", bool(flags & COMMENTS)),
        (_ADVERT, "advert", bool(flags & ADVERT)),
        (_MAIN, "main", bool(flags & MAIN)),
    ]
    return sum(weight for weight, _, seen in features if seen), title, [name for _, name, seen in features if seen]


def _date_of(places: Places, element: int) -> datetime | None:
    card = places.card[element]
    return read_source_date(places.dates.get(card)) if card != NO_PARENT else None


def _confidence(entry: FoundLink, score: float) -> float:
    if never_an_article(entry.url):
        return 0.0
    hard = any(mark.hard for mark in marks(entry.url)) or _LONG_NUMBER.search(entry.url)
    if hard and looks_like_article(entry.url):
        score += _HARD_SHAPE
        entry.features.append("marked address")
    elif looks_like_article(entry.url):
        score += _SHAPE
        entry.features.append("article's address")
    else:
        score += _NO_SHAPE
    for weight, name, seen in (
        (_UTILITY_WORD, "service's address", bool(_UTILITY.search(entry.url))),
        (_LONG_SLUG, "long slug", bool(_FIVE_WORDS.search(entry.url))),
        (_DATED, "date", entry.published is not None),
        (_LISTED, "listed", entry.listed),
    ):
        if seen:
            score += weight
            entry.features.append(name)
    return round(1 / (1 + math.exp(-score - _BIAS)), 3)


def _take_listed(page: Page, base: str, own: str | None, found: dict[str, FoundLink]) -> None:
    for number, (href, name) in enumerate(_item_lists(page)):
        if number >= MAX_LISTED:
            return
        target = resolve(base, href)
        key = key_of(target) if target else None
        if target is None or key is None or key == own:
            continue
        entry = found.setdefault(key, FoundLink(target))
        entry.listed = True
        entry.title = entry.title or name[:MAX_TITLE]


def _item_lists(page: Page) -> Iterator[tuple[str, str]]:
    """Yields addresses and names of schema.org ItemList objects, also of those inside a page object."""
    for item in page.hints.json_ld:
        for holder in (item, item.get("mainEntity")):
            if isinstance(holder, dict) and holder.get("@type") == "ItemList":
                yield from _elements(holder)


def _elements(item_list: dict[str, Any]) -> Iterator[tuple[str, str]]:
    elements = item_list.get("itemListElement")
    if isinstance(elements, dict | str):
        elements = [elements]
    if not isinstance(elements, list):
        return
    for element in elements:
        if isinstance(element, str):
            yield element, ""
        elif isinstance(element, dict):
            item = element.get("item")
            inner = item if isinstance(item, dict) else {"url": item}
            address = element.get("url") or inner.get("url") or inner.get("@id")
            name = element.get("name") or inner.get("name") or inner.get("headline") or ""
            if isinstance(address, str):
                yield address, name if isinstance(name, str) else ""


def section_links(page: Page, url: str, rule: ArticleRule) -> SourceContents:
    """Returns the links of `page` to articles, in the page's order. `url` is its final address.

    With a rule without expressions the confidence of the link decides. Links that must not be followed, links to the
    page itself and links to other registrable domains are left out. JSON-LD item lists count as links.
    """
    candidates = [
        Candidate(link.url, Discovery("section", url, link.title or None, link.published), link.confidence)
        for link in extract_links(page, url)
        if not link.nofollow
        and same_site(link.url, url)
        and (rule.accepts(link.url) if rule.patterns else link.confidence >= LIKELY)
    ]
    return SourceContents(tuple(candidates), problems=(CUT,) if len(page.links) > MAX_LINKS else ())


@dataclass(frozen=True, slots=True)
class Places:
    """For each element of a page, by index: flags of its region, its heading, and its card (-1 for none)."""

    flags: list[int]
    heading: list[int]
    card: list[int]
    titles: dict[int, str]
    """The text of each heading."""
    dates: dict[int, str]
    """The first date in each card, as written."""
    heading_in: dict[int, int]
    """The first heading inside an element that is in no heading, for links around a whole card."""


def places_of(page: Page) -> Places:
    """Returns the places of a page, in one pass over the elements and one over the runs."""
    elements = page.elements
    count = len(elements)
    flags, heading, card = [0] * count, [NO_PARENT] * count, [NO_PARENT] * count
    heading_in: dict[int, int] = {}
    named: dict[str, int] = {}
    for index in range(count):
        parent = elements.parent[index]
        if parent != NO_PARENT:
            flags[index], heading[index], card[index] = flags[parent] & ~CARD, heading[parent], card[parent]
        name = elements.name(index)
        names = elements.names_of(index)
        own = named.get(names)
        if own is None:
            own = named[names] = flags_of(names)
        of_page = not flags[index] & MAIN and card[index] == NO_PARENT
        if name in _NAVIGATION_TAGS or (name == "header" and of_page):
            own |= NAVIGATION
        elif name == "footer" and of_page:
            own |= FOOTER
        elif name == "main":
            own |= MAIN
        if name in ("html", "body"):  # their classes describe the whole page
            own = 0
        if name == "article" or (own & CARD) or name in _CARD_TAGS:
            card[index] = index
        flags[index] |= own
        if name in _HEADINGS:
            heading[index] = index
            for ancestor in _near(page, index):
                heading_in.setdefault(ancestor, index)
    return Places(flags, heading, card, _titles(page, heading), _dates(page, card), heading_in)


def flags_of(names: str) -> int:
    """Returns the flags of the region that an element's id, class and role name."""
    flags = 0
    if names:
        words = names.replace("_", "-")
        for flag, pattern in _WORDS:
            if pattern.search(words):
                flags |= flag
    return flags


def _near(page: Page, index: int, steps: int = 6) -> Iterator[int]:
    for _ in range(steps):
        index = page.elements.parent[index]
        if index == NO_PARENT:
            return
        yield index


def _titles(page: Page, heading: list[int]) -> dict[int, str]:
    parts: dict[int, list[str]] = {}
    for run in page.runs:
        of_run = heading[run.element]
        if of_run != NO_PARENT:
            parts.setdefault(of_run, []).append(run.text)
    return {index: " ".join(texts) for index, texts in parts.items()}


def _dates(page: Page, card: list[int]) -> dict[int, str]:
    dates: dict[int, str] = {}
    for mark in page.hints.marked:
        if mark.tag == "time" or "date" in mark.attributes.get("class", "").lower():
            written = mark.attributes.get("datetime") or mark.attributes.get("content") or mark.text
            if written and card[mark.element] != NO_PARENT:
                dates.setdefault(card[mark.element], written)
    return dates
