"""Chooses the authors of an article among the statements of its page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from newscrawl.metadata.authors.bylines import byline_names, helper_names, introduced_names, linked_names
from newscrawl.metadata.authors.names import looks_like_name, names_in
from newscrawl.metadata.dates.months import without_accents
from newscrawl.metadata.microdata import Microdata
from newscrawl.metadata.nearby import Nearby
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
"""The weight of each source. Alone they are exactly right on .90, .83, .82, .77, .79 and .67 of the development pages
on which they state anything. Only three other sources that agree outweigh JSON-LD. Other weights near these give the
same results (benchmarks/metadata_quality.py)."""

_NAMES_SITE: Final = frozenset({"json-ld", "microdata", "links", "bylines", "introduced"})
"""Sources whose statement counts if they name the site alone. Many sites always put themselves into the author meta."""

_META: Final = (
    "author", "article:author", "parsely-author", "sailthru.author", "byl", "dc.creator", "dcterms.creator", "byline",
    "citation_author", "dcsext.author", "og:article:author", "article:author_name", "cxenseparse:author",
)  # fmt: skip


def authors_of(structured: Structured, microdata: Microdata, nearby: Nearby, site: frozenset[str]) -> tuple[str, ...]:
    """Returns the names that most sources agree on, weighted by source. Of equals the more trusted source wins.

    The site itself is an author only if a source names it and nobody else is named. Photographers and editors are left
    out if there are others.
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
    """Returns a name as another source spells it, with the surname to a first name, capitals to a login, or accents."""
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
    """Yields the sources of names, most trusted first."""
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
        values = page.head.all(key)[:MAX_AUTHORS]
        if any(names_in(raw) for raw in values):
            yield from values
            return


def _distinct(names: Iterable[str]) -> dict[str, str]:
    """Returns the names by their folded form, each in its first spelling."""
    distinct: dict[str, str] = {}
    for name in names:
        distinct.setdefault(caseless_nfkc_cached(name), name)
        if len(distinct) == MAX_AUTHORS:
            break
    return distinct
