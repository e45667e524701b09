"""Authors: names only."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from newscrawl.metadata.authors.bylines import byline_names, helper_names, introduced_names, linked_names
from newscrawl.metadata.authors.names import looks_like_name, names_in
from newscrawl.metadata.dates.months import without_accents
from newscrawl.metadata.dates.nearby import Nearby
from newscrawl.metadata.microdata import Microdata
from newscrawl.metadata.structured import Structured
from newscrawl.metadata.text import caseless_nfkc_cached, texts
from newscrawl.page import Page

MAX_AUTHORS: Final = 20

WEIGHTS: Final = {
    "json-ld": 1.0,
    "meta": 0.5,
    "introduced": 0.5,
    "bylines": 0.4,
    "links": 0.4,
    "microdata": 0.3,
}
"""Trust in each source. Alone they are exactly right on .90, .83, .82, .77, .79 and .67 of the development pages where
they say anything; JSON-LD yields only to three others that agree. The results are flat around these numbers
(benchmarks/metadata_quality.py)."""

_NAMES_SITE: Final = frozenset({"json-ld", "microdata", "links", "bylines", "introduced"})
"""Sources that are believed when they name the site alone; the author meta is filled with it by habit."""

_META: Final = (
    "author", "article:author", "parsely-author", "sailthru.author", "byl", "dc.creator", "dcterms.creator", "byline",
    "citation_author", "dcsext.author", "og:article:author", "article:author_name", "cxenseparse:author",
)  # fmt: skip


def authors_of(structured: Structured, microdata: Microdata, nearby: Nearby, site: frozenset[str]) -> tuple[str, ...]:
    """The names that most sources agree on, each source with its weight; ties go to the more trusted one.

    The site itself is the author only where it is named as one and nobody else is; who took the pictures or read the
    text over is none beside others.
    """
    votes: dict[frozenset[str], float] = {}
    spelled: dict[frozenset[str], tuple[str, ...]] = {}
    itself: tuple[str, ...] = ()
    stated: list[str] = []
    others = site | {caseless_nfkc_cached(nearby.title or "")}
    for source, raws in author_sources(structured, microdata, nearby):
        named = _distinct(name for raw in raws for name in names_in(raw))
        names = tuple(name for key, name in named.items() if key not in others)
        if names:
            key = frozenset(map(caseless_nfkc_cached, names))
            votes[key] = votes.get(key, 0.0) + WEIGHTS[source]
            spelled.setdefault(key, names)
            stated.extend(names)
        elif named and not itself and source in _NAMES_SITE:
            itself = tuple(named.values())[:1]
    if not votes:
        return itself
    chosen = tuple([_in_full(name, stated) for name in spelled[max(votes, key=votes.__getitem__)]])
    return _without_helpers(chosen, nearby) if len(chosen) > 1 else chosen


def _in_full(name: str, stated: list[str]) -> str:
    """As another source has it that gives the surname to a first name, capitals to a login, or the accents."""
    if " " not in name and name[:1].isupper():
        starts = f"{name.casefold()} "
        full = [other for other in stated if other.casefold().startswith(starts) and looks_like_name(other)]
        if len(set(map(caseless_nfkc_cached, full))) == 1:
            return full[0]
    if name == name.lower():
        name = next(
            (
                other
                for other in stated
                if caseless_nfkc_cached(other) == caseless_nfkc_cached(name) and other != other.lower()
            ),
            name,
        )
    if name.isascii():
        name = next((other for other in stated if not other.isascii() and without_accents(other) == name), name)
    return name


def _without_helpers(names: tuple[str, ...], nearby: Nearby) -> tuple[str, ...]:
    helpers = set(map(caseless_nfkc_cached, helper_names(nearby)))
    return tuple(name for name in names if caseless_nfkc_cached(name) not in helpers) or names


def author_sources(structured: Structured, microdata: Microdata, nearby: Nearby) -> Iterator[tuple[str, Iterable[str]]]:
    """Where names may stand, most trusted first."""
    yield "json-ld", _from_json_ld(structured)
    yield "meta", _from_meta(nearby.page)
    yield "microdata", microdata.author_names()
    yield "links", linked_names(nearby)
    yield "bylines", byline_names(nearby)
    yield "introduced", introduced_names(nearby)


def _from_json_ld(structured: Structured) -> Iterator[str]:
    for name in ("author", "creator"):
        for value in structured.resolved(name):
            if isinstance(value, str | Mapping):
                yield from texts(value)


def _from_meta(page: Page) -> Iterator[str]:
    for key in _META:
        found = page.head.all(key)[:MAX_AUTHORS]
        if any(names_in(raw) for raw in found):
            yield from found
            return


def _distinct(names: Iterable[str]) -> dict[str, str]:
    """Names by their folded form, the first spelling of each."""
    found: dict[str, str] = {}
    for name in names:
        found.setdefault(caseless_nfkc_cached(name), name)
        if len(found) == MAX_AUTHORS:
            break
    return found
