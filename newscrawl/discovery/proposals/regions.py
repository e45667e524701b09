"""Finds where in a page a link is: in the navigation, in a heading, in a card, and which date its card shows."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from newscrawl.page import Page
from newscrawl.page.elements import NO_PARENT

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
