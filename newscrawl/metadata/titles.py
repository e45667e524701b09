"""The headline: what most sources agree on, without the site's name."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from newscrawl.metadata.microdata import Microdata
from newscrawl.metadata.structured import Structured
from newscrawl.metadata.text import MAX_TITLE, clean, clean_all, fold
from newscrawl.page import Page

_SEPARATOR: Final = re.compile(
    r"\s+[-–—|·•:/~]\s+|\s*[|»«‹›]\s*|\s+::\s+|\s+[<>]\s+|\s*｜\s*|\s*_(?=\S+$)|:\s+(?=\S+$)"
)
_MIN_PART: Final = 4
"""A site's name shorter than this (folded characters) may be part of a headline's word by chance."""

_MAX_SITE_WORDS: Final = 5

_CONTAINED: Final = 0.5
"""Weight of a source that holds the candidate inside a longer text, as against one that says the same."""

MIN_SHARED: Final = 0.3
"""Share of a heading's character trigrams that another title must have for it to be the same article's."""

_FEW_GRAMS: Final = 10
"""A heading of fewer trigrams ("Shows") is in other titles by chance: there all must be shared."""

_SENTENCE: Final = 5
"""The only heading of its rank with so many words is the headline, where what machines are told differs as well."""

_GRAM: Final = 3
_KICKER_WORDS: Final = 3
_OWN_BEGINNING: Final = re.compile(r"^(?!(?:blog|news|video)s?:$).*[^\s:]:$", re.IGNORECASE)
"""A kicker with a colon is the headline's own beginning ("Analysis: ..."), but for one that names the kind of page."""
_LABEL: Final = re.compile(
    r"\s*(?:\|\s*(?:opinion|editorial|commentary|column|letters?|analysis|video|photos?)|"
    r"[\[(](?:watch|video|photos?|listen|pictures|updated?)[\])])$",
    re.IGNORECASE,
)
"""What newsrooms put behind a headline to say what kind of piece it is."""
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
"""Trust in each source, as it turned out on the development corpora (benchmarks/metadata_quality.py)."""

_META: Final = ("parsely-title", "sailthru.title", "dc.title", "dcterms.title", "citation_title", "headline", "hdl")


@dataclass(frozen=True, slots=True)
class _Candidate:
    source: str
    text: str
    folded: str


def title_of(page: Page, structured: Structured, microdata: Microdata, site: frozenset[str]) -> str | None:
    """The visible heading that another title bears out, else the candidate with most agreement among the page's titles.

    What machines are told (og:title, <title>) is often another wording for searches and social networks; what readers
    see is the headline. But a heading may also name the section or the site, or belong to another article.
    """
    candidates = _whole(list(_candidates(page, structured, microdata, site)))
    heading = next((c for c in candidates if c.source in _HEADINGS and _is_borne_out(c, candidates)), None)
    if heading:
        return _without_kicker(heading, candidates).text
    best = max(candidates, key=lambda candidate: _agreement(candidate, candidates), default=None)
    return best.text if best else None


def _whole(candidates: list[_Candidate]) -> list[_Candidate]:
    """The candidates without those that end in an ellipsis where another goes on."""
    return [
        c for c in candidates if not (c.text.endswith(("...", "…")) and any(_goes_on(other, c) for other in candidates))
    ]


def _goes_on(longer: _Candidate, shorter: _Candidate) -> bool:
    return len(longer.folded) > len(shorter.folded) and longer.folded.startswith(shorter.folded)


def _is_borne_out(heading: _Candidate, candidates: list[_Candidate]) -> bool:
    """Whether some other title says the same in similar words, and none has the heading as its last part."""
    others = [c for c in candidates if c.source not in _HEADINGS]
    if any(_is_tail(heading, other) for other in others):
        return False
    grams = _grams(heading.folded)
    alone = not any(c.source == "h1 further" for c in candidates)
    if alone and len(heading.text.split()) >= _SENTENCE and len({c.folded for c in others}) > 1:
        return True
    needed = len(grams) * (MIN_SHARED if len(grams) >= _FEW_GRAMS else 1.0)
    return not others or any(len(grams & _grams(c.folded)) >= needed for c in others)


def _is_tail(heading: _Candidate, other: _Candidate) -> bool:
    found = _last_separator(other.text)
    return found is not None and fold(other.text[found.end() :]) == heading.folded


def _grams(folded: str) -> set[str]:
    return {folded[i : i + _GRAM] for i in range(max(1, len(folded) - _GRAM + 1))}


def _without_kicker(heading: _Candidate, candidates: list[_Candidate]) -> _Candidate:
    """The title for machines where the heading only puts a few words before it ("Opinion ...", "Sports | ...")."""
    for other in candidates:
        if other.source not in _HEADINGS and heading.folded.endswith(other.folded):
            extra = len(heading.text.split()) - len(other.text.split())
            if extra > 0 and _OWN_BEGINNING.search(" ".join(heading.text.split()[:extra])):
                continue
            if 0 < extra <= _KICKER_WORDS and len(other.folded) * 2 > len(heading.folded):
                return other
    return heading


def _agreement(candidate: _Candidate, candidates: list[_Candidate]) -> float:
    score = 0.0
    for other in candidates:
        if other.folded == candidate.folded:
            score += WEIGHTS[other.source]
        elif candidate.folded in other.folded and len(candidate.folded) * 2 > len(other.folded):
            score += WEIGHTS[other.source] * _CONTAINED
    return score


def _candidates(page: Page, structured: Structured, microdata: Microdata, site: frozenset[str]) -> Iterator[_Candidate]:
    for source, raw in _stated(page, structured, microdata):
        text = without_site(raw, site)
        text = _LABEL.sub("", text) or text
        folded = fold(text)
        if folded and folded not in site:
            yield _Candidate(source, text, folded)


def _stated(page: Page, structured: Structured, microdata: Microdata) -> Iterator[tuple[str, str]]:
    head = page.head
    headline = next(iter(clean_all(structured.get("headline", "name"), MAX_TITLE)), None)
    heading = [text for m in page.hints.marked if m.tag == "h1" and (text := clean(m.text))]
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
    """`title` without the parts at its end or start that are the site's name."""
    while found := _last_separator(title):
        if not _is_site(title[found.end() :], site):
            break
        title = title[: found.start()].rstrip()
    while found := _SEPARATOR.search(title):
        if not found.start() or not _is_site(title[: found.start()], site) or not title[found.end() :].strip():
            break
        title = title[found.end() :].lstrip()
    return title


def _last_separator(title: str) -> re.Match[str] | None:
    found = None
    for match in _SEPARATOR.finditer(title):
        if match.start() and match.end() < len(title):
            found = match
    return found


def _is_site(part: str, site: frozenset[str]) -> bool:
    folded = fold(part)
    if folded in site or folded.removeprefix("the") in site:
        return True
    if len(folded) < _MIN_PART or len(part.split()) > _MAX_SITE_WORDS:
        return False
    return any(len(name) >= _MIN_PART and (name in folded or folded in name) for name in site)
