"""Chooses the headline: the title that most sources agree on, without the site's name and without kickers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from newscrawl.extraction.metadata.date_labels import is_dated
from newscrawl.extraction.metadata.structured import Microdata, Structured
from newscrawl.extraction.metadata.text import MAX_TITLE, caseless_nfkc_cached, clean, clean_all
from newscrawl.model.written_dates.parse_date import read_date
from newscrawl.page import Page
from newscrawl.page.head import Marked
from newscrawl.page.run import HEADING

_ARCHIVES: Final = frozenset({"blogarchive", "blogarchiv"})
"""The word that old templates put between the blog's name and the headline."""
_HALF: Final = 0.5
_MAX_HEADINGS: Final = 40
MAX_LINE_WORDS: Final = 40
"""The most words of a line that may be the headline."""
MIN_LINE_WORDS: Final = 3
"""The least words of such a line. A shorter one may be the site's name."""
_BARS: Final = "-–—|｜ㅣ_·<»"
"""What separates a headline from the site's name, also without blanks."""
_CONTAINED: Final = 0.5
"""The weight of a source that contains the candidate in a longer text, relative to one that is equal to it."""

MIN_SHARED: Final = 0.3
"""Share of a heading's character trigrams that another title must have to be of the same article."""

_FEW_GRAMS: Final = 10
"""A heading with fewer trigrams ("Shows") is part of other titles by chance, so all of them must be shared."""

_SENTENCE: Final = 5
"""The only heading of its rank with at least this many words is the headline, even if the metadata differs."""

_GRAM: Final = 3
_LABEL: Final = re.compile(
    r"(?:(?<!\s)\s++)?+(?:\|\s*+(?:opinion|editorial|commentary|column|letters?|analysis|video|photos?)|"
    r"[\[(](?:watch|video|photos?|listen|pictures|updated?)[\])])$",
    re.IGNORECASE,
)
"""Suffixes of a headline that name the kind of article."""
_HEADINGS: Final = frozenset({"h1", "h1 further"})

WEIGHTS: Final = {
    "json-ld": 1.0,
    "h1": 1.0,
    "og:title": 0.9,
    "microdata": 0.8,
    "title": 0.7,
    "meta": 0.5,
    "twitter:title": 0.4,
    "h1 further": 0.3,
}
"""The weight of each source, from results on the development corpora (benchmarks/metadata_quality.py)."""

_META: Final = ("parsely-title", "sailthru.title", "dc.title", "dcterms.title", "citation_title", "headline", "hdl")

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


def title_of(page: Page, structured: Structured, microdata: Microdata, site: frozenset[str]) -> str | None:
    """Returns the visible heading that another title confirms, else the candidate with most agreement among the titles.

    Titles for machines (og:title, <title>) are often worded differently, for searches and social networks. Readers see
    the headline. But a heading may also name the section or the site, or belong to another article.
    """
    blog = _site_headings(page)
    candidates = _whole(list(_candidates(page, structured, microdata, site, blog)))
    headings = [c for c in candidates if c.source in _HEADINGS]
    others = [c for c in candidates if c.source not in _HEADINGS]
    heading = next((c for c in _repeated_first(headings, others) if _is_confirmed(c, others)), None)
    if heading:
        return _without_additions(without_kicker(heading, others), others).text
    if shown := _shown_lower(page, others):
        return shown
    if not headings and (line := _shown_line(page, others)):
        return line
    if len(headings) == 1 and len(headings[0].text.split()) >= _SENTENCE and len({c.folded for c in others}) > 1:
        return headings[0].text
    best = max(candidates, key=lambda candidate: _agreement(candidate, candidates), default=None)
    return best.text if best else None


def _site_headings(page: Page) -> frozenset[str]:
    """Returns the first h1 if it is the blog's name: one part of <title>, whose other part is a lower heading, the
    title for machines, or in the address."""
    heading, title = caseless_nfkc_cached(page.hints.headline or ""), clean(page.head.title) or ""
    parts = [part for part in PARTS.split(title) if part and caseless_nfkc_cached(part)]
    own = [
        part
        for part in parts
        if heading.startswith(caseless_nfkc_cached(part)) and len(caseless_nfkc_cached(part)) >= MIN_PART
    ]
    rest = [part for part in parts if part not in own and len(part.split()) > 1]
    machine_titles = [
        caseless_nfkc_cached(raw) for raw in (page.head.first("og:title"), page.head.first("twitter:title")) if raw
    ]
    if (
        len(own) != 1
        or len(own[0].split()) > MAX_SITE_WORDS
        or not rest
        or any(caseless_nfkc_cached(part) in heading for part in rest)
    ):
        return frozenset()
    if _share_in_address(own[0], page.url) > _HALF or any(title.startswith(heading) for title in machine_titles):
        return frozenset()
    named = any(
        caseless_nfkc_cached(part) in machine_titles or _share_in_address(part, page.url) > _HALF for part in rest
    )
    if named or (not machine_titles and any(caseless_nfkc_cached(part) in _lower_headings(page) for part in rest)):
        return frozenset({heading, caseless_nfkc_cached(own[0])})
    return frozenset()


def _share_in_address(part: str, url: str | None) -> float:
    """Returns the share of the part's longer words that are in the address's path."""
    path = caseless_nfkc_cached((url or "").partition("//")[2].partition("/")[2])
    words = [folded for word in part.split() if len(folded := caseless_nfkc_cached(word)) >= MIN_PART]
    return sum(word in path for word in words) / len(words) if words else 0.0


def _lower_headings(page: Page) -> frozenset[str]:
    """Returns the folded headings of the page other than h1."""
    tops = {m.element for m in page.hints.marked if m.tag == "h1"}
    runs = [run for run in page.runs if run.flags & HEADING and run.element not in tops]
    return frozenset(caseless_nfkc_cached(run.text) for run in runs[:_MAX_HEADINGS])


def _repeated_first(headings: list[TitleCandidate], others: list[TitleCandidate]) -> list[TitleCandidate]:
    """Returns the headings with those first that equal a title for machines, because an h1 may name the section."""
    repeated = {c.folded for c in others if c.source != "title"}
    return sorted(headings, key=lambda heading: heading.folded not in repeated)


def _shown_lower(page: Page, others: list[TitleCandidate]) -> str | None:
    """Returns the title for machines, with or without its last part, if a lower heading of the page shows it."""
    below = _lower_headings(page) if others else frozenset()
    for other in others:
        separator = last_separator(other.text)
        for text in (other.text, other.text[: separator.start()] if separator else ""):
            if len(text.split()) > 1 and caseless_nfkc_cached(text) in below:
                return text
    return None


def _shown_line(page: Page, others: list[TitleCandidate]) -> str | None:
    """Returns the line of a page without headings with which a title for machines begins, if the title continues with a
    separator: the site's name and its section follow."""
    texts = [other.text for other in others]
    for run in page.runs:
        if not MIN_LINE_WORDS <= run.words <= MAX_LINE_WORDS:
            continue
        text = clean(run.text) or ""
        for title in texts:
            added = title[len(text) :].lstrip()
            if added and 2 * len(text) > len(title) and title.startswith(text) and added[0] in _BARS:
                return text
    return None


def _without_additions(heading: TitleCandidate, others: list[TitleCandidate]) -> TitleCandidate:
    """Returns the title for machines if the heading adds a day and the place of publication to it."""
    for other in others:
        if heading.folded.startswith(other.folded) and len(other.text.split()) > KICKER_WORDS:
            rest = heading.text[len(other.text) :]
            if is_dated(rest) and read_date(rest) is not None:
                return other
    return heading


def _whole(candidates: list[TitleCandidate]) -> list[TitleCandidate]:
    """Returns the candidates without those that end in an ellipsis where another one continues."""
    return [
        c for c in candidates if not (c.text.endswith(("...", "…")) and any(_goes_on(other, c) for other in candidates))
    ]


def _goes_on(longer: TitleCandidate, shorter: TitleCandidate) -> bool:
    """Returns whether a title continues after the ellipsis of another. One that only adds a site's name does not."""
    is_longer = len(longer.folded) > len(shorter.folded) and longer.folded.startswith(shorter.folded)
    added = longer.text[len(shorter.text) :] if longer.text.startswith(shorter.text) else ""
    return is_longer and SEPARATOR.match(added) is None


def _is_confirmed(heading: TitleCandidate, others: list[TitleCandidate]) -> bool:
    """Returns whether another title has similar words, and none has the heading as its last part."""
    if len(heading.text.split()) <= MAX_SITE_WORDS and any(_is_tail(heading, other) for other in others):
        return False
    grams = _grams(heading.folded)
    needed = len(grams) * (MIN_SHARED if len(grams) >= _FEW_GRAMS else 1.0)
    return not others or any(len(grams & _grams(c.folded)) >= needed for c in others)


def _is_tail(heading: TitleCandidate, other: TitleCandidate) -> bool:
    separator = last_separator(other.text)
    return separator is not None and caseless_nfkc_cached(other.text[separator.end() :]) == heading.folded


def _grams(folded: str) -> set[str]:
    return {folded[i : i + _GRAM] for i in range(max(1, len(folded) - _GRAM + 1))}


def _agreement(candidate: TitleCandidate, candidates: list[TitleCandidate]) -> float:
    score = 0.0
    for other in candidates:
        if other.folded == candidate.folded:
            score += WEIGHTS[other.source]
        elif candidate.folded in other.folded and len(candidate.folded) * 2 > len(other.folded):
            score += WEIGHTS[other.source] * _CONTAINED
    return score


def _candidates(
    page: Page, structured: Structured, microdata: Microdata, site: frozenset[str], blog: frozenset[str]
) -> Iterator[TitleCandidate]:
    names = site | blog | _ARCHIVES if blog else site
    for source, raw in _stated(page, structured, microdata):
        text = without_site(raw, names)
        before, colon, behind = text.partition(": ")
        if colon and caseless_nfkc_cached(before) in blog:
            text = behind
        text = _LABEL.sub("", text) or text
        folded = caseless_nfkc_cached(text)
        if folded and folded not in names:
            yield TitleCandidate(source, text, folded)


def _stated(page: Page, structured: Structured, microdata: Microdata) -> Iterator[tuple[str, str]]:
    head = page.head
    headline = next(iter(clean_all(structured.get("headline", "name"), MAX_TITLE)), None)
    machine_titles = frozenset(filter(None, (headline, clean(head.first("og:title")))))
    heading = [text for m in page.hints.marked if m.tag == "h1" and (text := heading_text(page, m, machine_titles))]
    stated = [
        ("json-ld", headline),
        ("h1", heading[0] if heading else None),
        ("og:title", clean(head.first("og:title"))),
        ("microdata", clean(next(microdata.values("headline"), None))),
        ("title", clean(head.title)),
        ("meta", clean(head.first(*_META))),
        ("twitter:title", clean(head.first("twitter:title", "twitter:text:title"))),
        *(("h1 further", text) for text in heading[1:4]),
    ]
    yield from ((source, text) for source, text in stated if text)


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
