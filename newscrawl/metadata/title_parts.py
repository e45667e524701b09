"""The parts of a title between separators and the kickers before it, and the removal of those that are no headline."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from newscrawl.metadata.text import caseless_nfkc_cached, clean
from newscrawl.page import Page
from newscrawl.page.head import Marked

SEPARATOR: Final = re.compile(
    r"(?<!\s)\s++(?:[-–—|·•:/~<>]|::|>>|<<)\s+|(?:(?<!\s)\s++)?+(?:[|»«‹›｜ㅣ]\s*+|_(?=\S+$))|:\s+(?=\S+$)"
)
"""A match begins at the first of several blanks, so that many blanks take linear time."""

_ENCLOSED_FIRST: Final = re.compile(r"[\[【《「『〈<(（［]([^\]】》」』〉>)）］]{2,60})[\]】》」』〉>)）］]\s*")
_ENCLOSED_LAST: Final = re.compile(
    r"[\[【《「『〈<(（［]([^\[【《「『〈<(（［\]】》」』〉>)）］]{2,60})[\]】》」』〉>)）］]$"
)
"""A site's name in brackets, before or behind a headline: "[마르비뉴스] ..."."""
_BEFORE_COLON: Final = re.compile(r"([\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3\s\d]{2,60})(?:\s?:\s|：)")
"""A site's name with a colon before a headline, in scripts without capitals. In others it is often who speaks."""

PARTS: Final = re.compile(rf"{SEPARATOR.pattern}|(?:(?<!\s)\s++)?+:\s+")
MIN_PART: Final = 4
"""Folded characters. A shorter name of a site may be part of a headline's word by chance."""
MAX_SITE_WORDS: Final = 5

KICKER_WORDS: Final = 3
"""The most words of a kicker."""
_OWN_BEGINNING: Final = re.compile(r"^(?!(?:blog|news|video)s?:$).*[^\s:]:$", re.IGNORECASE)
"""A kicker with a colon is the beginning of the headline ("Analysis: ..."), unless it names the kind of page."""
_ARTICLES: Final = frozenset(
    "the a an der die das ein eine le la les un une el los las il lo gli i o os as de het".split()
)
"""Articles, which no kicker is."""
_KICKER_NAMES: Final = re.compile(
    r"kicker|(?:top|over|roof)-?line|eyebrow|dachzeile|spitzmarke|(?:super|top|over)-?title|pre-?(?:title|headline)|"
    r"sur-?titre|ante-?titulo|volanta|occhiello"
)
"""Classes of a kicker in a heading, in the words of newsrooms."""
_KICKER_ELEMENTS: Final = 4
"""Elements at the beginning of a heading that are searched for one with such a class."""
_KICKER_SOURCES: Final = frozenset({"title", "microdata"})
"""Titles that may have the kicker, too: they repeat what the page shows."""


@dataclass(frozen=True, slots=True)
class TitleCandidate:
    """A title that a page states, as text and folded for comparisons, with its source."""

    source: str
    text: str
    folded: str


def without_site(title: str, site: frozenset[str]) -> str:
    """Returns `title` without parts at its end or beginning that are the site's name."""
    while separator := last_separator(title):
        if not _is_site(title[separator.end() :], site):
            break
        title = title[: separator.start()].rstrip()
    while separator := SEPARATOR.search(title):
        if (
            not separator.start()
            or not _is_site(title[: separator.start()], site, may_be_part=False)
            or not title[separator.end() :].strip()
        ):
            break
        title = title[separator.end() :].lstrip()
    for enclosed in (_ENCLOSED_FIRST.match(title), _ENCLOSED_LAST.search(title), _BEFORE_COLON.match(title)):
        rest = title[: enclosed.start()] + title[enclosed.end() :] if enclosed else ""
        if enclosed and rest.strip() and caseless_nfkc_cached(enclosed.group(1)) in site:
            return rest.strip()
    return title


def last_separator(title: str) -> re.Match[str] | None:
    """Returns the last separator that has text on both sides; None without one."""
    last = None
    for match in SEPARATOR.finditer(title):
        if match.start() and match.end() < len(title):
            last = match
    return last


def _is_site(part: str, site: frozenset[str], *, may_be_part: bool = True) -> bool:
    """Returns whether a part of a title is the site's name: one of its names, one with more words, or, with
    `may_be_part`, a part of one. At the beginning of a title, the first words of a headline are a part of a name by
    chance."""
    folded = caseless_nfkc_cached(part)
    if folded in site or folded.removeprefix("the") in site:
        return True
    if len(folded) < MIN_PART or len(part.split()) > MAX_SITE_WORDS:
        return False
    return any(len(name) >= MIN_PART and (name in folded or (may_be_part and folded in name)) for name in site)


def without_kicker(heading: TitleCandidate, others: list[TitleCandidate]) -> TitleCandidate:
    """Returns the title for machines if the heading only adds a few words before it ("Opinion ...", "Sports | ...")."""
    for other in others:
        if heading.folded.endswith(other.folded):
            extra = len(heading.text.split()) - len(other.text.split())
            if extra > 0 and _is_own_beginning(" ".join(heading.text.split()[:extra]), others):
                continue
            if 0 < extra <= KICKER_WORDS and len(other.folded) * 2 > len(heading.folded):
                return other
    return heading


def _is_own_beginning(words: str, others: list[TitleCandidate]) -> bool:
    """Returns whether the first words of a heading are part of the headline and no kicker: they end in a colon, are an
    article or a number, or a title for machines begins with them and continues without a separator."""
    if _OWN_BEGINNING.search(words) or words.lower() in _ARTICLES or words.isdecimal():
        return True
    start = f"{words.casefold()} "
    starts = (other.text.casefold().replace("’", "'") for other in others if other.source not in _KICKER_SOURCES)
    return any(
        text.startswith(start.replace("’", "'")) and text[len(start) : len(start) + 1].isalnum() for text in starts
    )


def heading_text(page: Page, heading: Marked, machine_titles: frozenset[str]) -> str | None:
    """Returns the text of a heading, without an element at its beginning that has a class for kickers. It stays if a
    title for machines begins with it: then it is part of the headline."""
    text = clean(heading.text)
    elements, first = page.elements, heading.element + 1
    last = elements.end_of(heading.element, first + _KICKER_ELEMENTS)
    for element in range(first, last) if text else ():
        if _KICKER_NAMES.search(elements.attributes[element].get("class", "").lower()):
            kicker = clean(page.text_of(element)) or ""
            rest = (text or "").removeprefix(kicker).lstrip(" :|·–-")
            folded = caseless_nfkc_cached(kicker)
            if rest == text or not rest or any(caseless_nfkc_cached(t).startswith(folded) for t in machine_titles):
                return text
            return rest
    return text
