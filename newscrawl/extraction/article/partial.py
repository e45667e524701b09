"""Recognizes that a page has one of several pages of an article, so that its text is not whole.

A page says so in two ways. It names another page of the same article: an address that differs from its own by a page
number alone, as `rel=next`, in a pager, or under a number or words such as "next page". Or a line says "page 1 of 3".
The next article, the pages of comments and those of a list have other addresses, or stand in elements named so.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Final
from urllib.parse import urljoin, urlsplit, urlunsplit

from newscrawl.discovery.links.article_urls import is_home
from newscrawl.errors import InvalidUrl
from newscrawl.extraction.article.signals import Signals, bare_words
from newscrawl.extraction.article.verdict import is_section
from newscrawl.extraction.cleanup.cues import read_phrases
from newscrawl.model.identity import url_key
from newscrawl.page.tags import TAG_NAMES

PARTIAL: Final = "partial"
"""The first word of the problem of such a page."""

UNKNOWN: Final = "https://unknown.invalid/2000/01/01/address-of-an-article"
"""Stands for the address of a page that states none."""

MAX_PAGES: Final = 50
"""Most pages of one article. Greater numbers in addresses are those of articles."""

MAX_LINKS: Final = 200
"""Links that may lead to pages of the article and are compared with its address."""

MAX_LINE_CHARACTERS: Final = 40
"""Of a line such as "page 1 of 3"."""

NEAR_RUNS: Final = 15
"""Runs below the text among which such a line stands."""

PAGER_RUNS: Final = 60
"""Runs below the text among which a pager stands. Below are lists of other stories."""

_PAGE: Final = (
    "page|seite|página|pagina|seitenzahl|strona|страница|сторінка|стр|sida|side|sivu|sayfa|strana|stránka|oldal|σελίδα"
    "|halaman|trang|صفحة|صفحه|עמוד|पृष्ठ|หน้า|ページ|页|頁|페이지"
)
_OF: Final = "of|von|de|di|du|sur|van|из|з|av|af|z|ze|od|dari|trên|trong|από|من|از|מתוך|จาก|/|／|\\|"
_LINE: Final = re.compile(
    rf"[\W_]*(?:(?:{_PAGE})\s*:?\s*(\d{{1,2}})\s*(?:{_OF})\s*(\d{{1,2}})"
    rf"|(\d{{1,2}})\s*(?:{_OF})\s*(\d{{1,2}})\s*(?:{_PAGE})"
    r"|第\s*(\d{1,2})\s*[页頁][\s/／,，]*[共全]\s*(\d{1,2})\s*[页頁])[\W_]*",
    re.IGNORECASE,
)
"""A whole line in many languages, number and total in either order of words."""

_PARAMETER: Final = re.compile(
    r"(?:(?:art(?:icle|ikel)?|view|current|story|_)?[_-]?(?:page|pages|paged|pg|pag|pagina|página|seite|sayfa|sida|side"
    r"|sivu|strona|strana|oldal|halaman|trang)(?:[_-]?(?:no|num|nr|number|id))?)|pn",
    re.IGNORECASE,
)
_SHORT_PARAMETER: Final = re.compile(r"p|s|n", re.IGNORECASE)
"""Elsewhere these are numbers of articles, so they count only where the page's own address has none."""

_PAGE_IN_PATH: Final = re.compile(
    r"(.+?)[/_,.-](?:page|pagina|pag|pg|seite|sayfa|sida|side|sivu|strona|strana|oldal|halaman|trang)[/_,-]?(\d{1,2})"
    r"(\.[a-z]{3,5})?",
    re.IGNORECASE,
)
_NUMBER_IN_PATH: Final = re.compile(r"(.+?)[/_,-]p?(\d{1,2})(\.[a-z]{3,5})?", re.IGNORECASE)

_PAGER: Final = re.compile(
    r"(?<![a-z])(?:pager|paging|paginat\w*|paginaci\w*|paginazione|paginierung|page-?(?:numbers?|links?|nav\w*)"
    r"|pages?-?list|multi-?page|article-?pages?|wp-pagenavi|seiten(?:navigation|zahlen)?|blaettern|sayfalama)(?![a-z])"
)
_ELSEWHERE: Final = re.compile(
    r"comment|kommentar|coment|discuss|disqus|repl(?:y|ies)|respon[ds]|reviews?(?![a-z])|related|recommend|popular"
    r"|most-?read|latest|more-(?:stories|news|articles|from)|teaser|listing|archive|sidebar|widget|carousel|slider"
    r"|slideshow|galler|galeri|view-(?:id|display)-"
)
"""Names of elements whose pages are not those of the article; the last are lists of Drupal."""

_NEIGHBOURS: Final = frozenset({"next", "prev", "previous"})
_ANCHOR: Final = TAG_NAMES.index("a")
_NUMBER: Final = re.compile(r"(?<!\d)\d{1,2}(?!\d)")
_PLAIN: Final = re.compile(r"[A-Za-z0-9_-]+")
_RELATIVE: Final = re.compile(r"(?:\./)?[\w,-]{0,12}\d{1,2}/?$")

_NEXT: Final = read_phrases(__file__, "phrases/next_pages.txt")


@dataclass(frozen=True, slots=True)
class _Numbered:
    """An address with a page number: the key of the address without it, the number, and whether a word says that it is
    a page's."""

    base: str
    number: int
    is_named: bool


def partial_page(signals: Signals) -> Iterator[str]:
    """Yields the problem of a page that has a part of its article; nothing for any other page."""
    if not signals.extraction.runs:
        return
    found = _Pages(signals)
    first = found.own.base if found.own is not None else found.url
    if is_home(first):
        return
    if stated := found.stated():
        yield f"{PARTIAL}: page {stated[0]} of {stated[1]}"
    elif not (is_section(first, urlsplit(first).path) and not signals.declares_article):
        others = found.others()
        if others:
            last = max(others)
            more = f" of {last} or more" if last > found.number else ""
            yield f"{PARTIAL}: page {found.number}{more}"


class _Pages:
    """The addresses that one page has of its article."""

    def __init__(self, signals: Signals) -> None:
        self.page = signals.page
        self._kept = signals.extraction.runs
        self.url = signals.page.url or signals.metadata.canonical or UNKNOWN
        self.key = _key(self.url)
        self._origin = "/".join(self.url.split("/", 3)[:3])
        self._targets: dict[str, str] = {}
        own = _numbered(self.url)
        self._is_numbered = own is not None
        self._stem = _last_word(own.base if own is not None else self.url)
        """The word of the address that the addresses of the other pages have, too."""
        name = _last_word(self.url)
        self._name = name if _PLAIN.fullmatch(name) else ""
        """The last word of the page's own address; "" if it can be written in several ways."""
        if own is not None and not (own.is_named or self._links_to(own.base)):
            own = None
        self.own = own
        self.number = self.own.number if self.own is not None else 1

    @cached_property
    def _around_text(self) -> frozenset[int]:
        """The elements around the text: their names say nothing of what stands beside it."""
        elements, run = self.page.elements, self.page.runs[self._kept[0]]
        return frozenset((run.element, *elements.ancestors(run.element)))

    def stated(self) -> tuple[int, int] | None:
        """Returns the number and the total of a line such as "page 1 of 3"."""
        for run in self.page.runs[self._kept[0] : self._kept[-1] + NEAR_RUNS]:
            found = _LINE.fullmatch(run.text) if len(run.text) <= MAX_LINE_CHARACTERS else None
            if found is None or self._is_elsewhere(run.element):
                continue
            number, total = (int(group) for group in found.groups() if group)
            if 1 <= number <= total and total > 1:
                return number, total
        return None

    def others(self) -> set[int]:
        """Returns the numbers of the other pages that are named."""
        numbers = {
            number
            for link in self.page.head.links
            if not _NEIGHBOURS.isdisjoint(link.rel.split())
            if (number := self._number(link.href, is_declared=True)) is not None
        }
        for element, href, rel in self._candidates:
            is_declared = not _NEIGHBOURS.isdisjoint(rel.split())
            number = self._number(href, is_declared=is_declared)
            if number is None or self._is_elsewhere(element):
                continue
            words = bare_words(self.page.text_of(element))
            if is_declared or words == str(number) or words in _NEXT or self._is_in_pager(element):
                numbers.add(number)
        return numbers

    def _number(self, href: str, *, is_declared: bool) -> int | None:
        """Returns the number of another page of the article; None for any other address."""
        if self.own is None and self._name not in href and (href.startswith("/") or "://" in href):
            return None  # the address of another article, which most links lead to
        try:
            target = self._target(href)
            fragment = urlsplit(target).fragment if "#" in target else ""
        except ValueError:
            return None
        if _ELSEWHERE.search(fragment.lower()):
            return None
        numbered = _numbered(target)
        if numbered is None:
            is_first = self.own is not None and self.own.number > 1 and _key(target) == self.own.base
            return 1 if is_first else None
        if self.own is None:
            # Some systems count pages from 0, so that their second page has the number 1.
            is_other = numbered.base == self.key and (numbered.number > 1 or is_declared)
        else:
            is_other = numbered.base == self.own.base and numbered.number != self.own.number
        return max(2, numbered.number) if is_other and self.own is None else numbered.number if is_other else None

    def _target(self, href: str) -> str:
        """Returns the address of a link. Raises ValueError if it has none. Most links are a path, for which `urljoin`
        would parse both addresses."""
        target = self._targets.get(href)
        if target is None:
            is_path = href.startswith("/") and not href.startswith("//") and "/." not in href
            target = self._targets[href] = self._origin + href if is_path else urljoin(self.url, href)
        return target

    @cached_property
    def _candidates(self) -> tuple[tuple[int, str, str], ...]:
        """The links from the text on whose addresses are like that of the page: element, address and rel. All links of
        the page would take a tenth of the time of its extraction."""
        found: list[tuple[int, str, str]] = []
        elements, runs, stem = self.page.elements, self.page.runs, self._stem
        values, tags = elements.reader(), bytes(elements.tag)
        below = self._kept[-1] + PAGER_RUNS
        end = runs[below].element if below < len(runs) else len(tags)
        element = tags.find(_ANCHOR, runs[self._kept[0]].element, end)
        while element >= 0 and len(found) < MAX_LINKS:
            href, rel = values(element, ("href", "rel")) or (None, None)
            href = (href or "").strip()
            _, is_like, behind = href.partition(stem) if stem else ("", "", "")
            is_own = bool(is_like) and not self._is_numbered and not _NUMBER.search(behind)
            if not is_own and (is_like or href.startswith("?") or _RELATIVE.match(href)):
                found.append((element, href, (rel or "").lower()))
            element = tags.find(_ANCHOR, element + 1, end)
        return tuple(found)

    def _links_to(self, base: str) -> bool:
        """Returns whether the page links to its article without a page number, as a pager links to the first page."""
        for _, href, _ in self._candidates:
            try:
                if _key(self._target(href)) == base:
                    return True
            except ValueError:
                continue
        return False

    def _is_elsewhere(self, element: int) -> bool:
        names = self.page.elements.names_of
        return any(
            _ELSEWHERE.search(names(each)) or self.page.elements.name(each) == "aside" for each in self._beside(element)
        )

    def _is_in_pager(self, element: int) -> bool:
        return any(_PAGER.search(self.page.elements.names_of(each)) for each in self._beside(element))

    def _beside(self, element: int) -> Iterator[int]:
        """Yields the element and those around it, as far as they are not around the text."""
        for each in (element, *self.page.elements.ancestors(element)):
            if each in self._around_text:
                return
            yield each


def _key(url: str) -> str:
    """Returns the key of an address without a final slash; "" for one that has none."""
    try:
        return url_key(url).rstrip("/")
    except InvalidUrl:
        return ""


def _last_word(url: str) -> str:
    """Returns the last part of an address's path, without what follows its first dot."""
    return urlsplit(url).path.rstrip("/").rpartition("/")[2].partition(".")[0]


def _numbered(url: str) -> _Numbered | None:
    """Returns the page number in an address; None without one."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return None
    pairs = parts.query.split("&") if parts.query else []
    for pair in pairs:
        name, _, value = pair.partition("=")
        is_named = bool(_PARAMETER.fullmatch(name))
        if value.isascii() and value.isdigit() and (is_named or _SHORT_PARAMETER.fullmatch(name)):
            rest = "&".join(other for other in pairs if other is not pair)
            return _made(parts.scheme, parts.netloc, parts.path, rest, value, is_named)
    path = parts.path.rstrip("/")
    named = _PAGE_IN_PATH.fullmatch(path)
    found = named or _NUMBER_IN_PATH.fullmatch(path)
    if found is None:
        return None
    base, number, ending = found.groups()
    return _made(parts.scheme, parts.netloc, base + (ending or ""), parts.query, number, named is not None)


def _made(scheme: str, netloc: str, path: str, query: str, number: str, is_named: bool) -> _Numbered | None:
    if len(number) > 2 or int(number) > MAX_PAGES:
        return None
    base = _key(urlunsplit((scheme, netloc, path, query, "")))
    return _Numbered(base, int(number), is_named) if base else None
