"""Chooses the authors of an article among the statements of its page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from newscrawl.extraction.metadata.authors.bylines import (
    byline_names,
    credited_names,
    helper_names,
    introduced_names,
    labelled_names,
    linked_names,
    reporters,
)
from newscrawl.extraction.metadata.authors.names import PRESS, is_account, looks_like_name, looks_like_person, names_in
from newscrawl.extraction.metadata.nearby import Nearby
from newscrawl.extraction.metadata.structured import Microdata, Structured
from newscrawl.extraction.metadata.text import caseless_nfkc_cached, texts
from newscrawl.model.written_dates.calendars import without_accents
from newscrawl.page import Page

MAX_AUTHORS: Final = 20

WEIGHTS: Final = {
    "json-ld": 1.0,
    "meta": 0.5,
    "introduced": 0.5,
    "bylines": 0.4,
    "links": 0.4,
    "reporters": 0.4,
    "microdata": 0.3,
    "credits": 0.1,
}
"""The weight of each source. `reporters` has that of bylines. Alone the others are exactly right on .90, .83, .82, .77,
.79 and .67 of the development pages on which they state anything. Only three other sources that agree outweigh JSON-LD.
Other weights near these give the same results (benchmarks/metadata_quality.py)."""

NO_PERSON: Final = 0.2
"""The factor for names of which none looks like a person's, such as a login or an editorial office, while another
source names a person. Content systems put the account that entered the text into the metadata."""

_BYLINES: Final = frozenset({"bylines", "introduced", "reporters"})
_VISIBLE: Final = _BYLINES | {"links"}
"""Sources that readers see."""

_NAMES_SITE: Final = frozenset({"json-ld", "microdata", "links", "bylines", "introduced"})
"""Sources whose statement counts if they name the site alone. Many sites always put themselves into the author meta.
There it counts only if the site has a person's name."""

_META: Final = (
    "author", "article:author", "parsely-author", "sailthru.author", "byl", "dc.creator", "dcterms.creator", "byline",
    "citation_author", "dcsext.author", "og:article:author", "article:author_name", "cxenseparse:author",
)  # fmt: skip


def authors_of(structured: Structured, microdata: Microdata, nearby: Nearby, site: frozenset[str]) -> tuple[str, ...]:
    """Returns the names that most sources agree on, weighted by source. Of equals the more trusted source wins.

    The site itself is an author only if a source names it and nobody else is named. Photographers and editors are left
    out if there are others.
    """
    stated = _Stated()
    others = site | {caseless_nfkc_cached(nearby.title or "")}
    for source, raws in author_sources(structured, microdata, nearby):
        stated.add(source, raws, others)
    if not stated.votes:
        stated.add("credits", credited_names(nearby), others)
    elif not stated.names_person:
        stated.replace_by_persons("credits", labelled_names(nearby), others)
    if not stated.votes:
        return stated.itself
    chosen = tuple([_in_full(name, stated.names) for name in stated.spelled[stated.best()]])
    return _without_helpers(chosen, nearby) if len(chosen) > 1 else chosen


class _Stated:
    """The statements of the sources: votes for each set of names, and how the names are spelled."""

    def __init__(self) -> None:
        self.votes: dict[frozenset[str], float] = {}
        self.visible: dict[frozenset[str], int] = {}
        self.bylines: set[frozenset[str]] = set()
        self.spelled: dict[frozenset[str], tuple[str, ...]] = {}
        self.names: list[str] = []
        self.itself: tuple[str, ...] = ()

    def add(self, source: str, raws: Iterable[str], others: frozenset[str]) -> None:
        """Adds the vote of one source. `others` are the folded names of the site and the title, which are no
        author."""
        named = _distinct(name for raw in raws for name in names_in(raw))
        names = tuple(name for key, name in named.items() if key not in others)
        if names:
            key = frozenset(map(caseless_nfkc_cached, names))
            self.votes[key] = self.votes.get(key, 0.0) + WEIGHTS[source]
            self.visible[key] = self.visible.get(key, 0) + (source in _VISIBLE)
            if source in _BYLINES:
                self.bylines.add(key)
            self.spelled.setdefault(key, names)
            self.names.extend(names)
        elif named and not self.itself:
            itself = next(iter(named.values()))
            if source in _NAMES_SITE or (looks_like_person(itself) and not PRESS.search(itself)):
                self.itself = (itself,)

    @property
    def names_person(self) -> bool:
        """Whether a source names a person, not only accounts, offices and organisations."""
        return any(map(looks_like_person, self.names))

    def replace_by_persons(self, source: str, raws: Iterable[str], others: frozenset[str]) -> None:
        """Takes the statement of this source in place of all others, if it names a person."""
        raws = tuple(raws)
        if any(looks_like_person(name) for raw in raws for name in names_in(raw)):
            self.votes.clear()
            self.add(source, raws, others)

    def best(self) -> frozenset[str]:
        """Returns the folded names with most votes. Accounts count less if a byline names a person. A set that
        readers see in two places and that has further persons is preferred to a part of it."""
        votes = self.votes
        if any(looks_like_person(name) for key in self.bylines for name in self.spelled[key]):
            votes = {key: NO_PERSON * v if self._are_accounts(key) else v for key, v in votes.items()}
        best = max(votes, key=votes.__getitem__)
        more = (
            key for key, count in self.visible.items() if count > 1 and key > best and self._are_persons(key - best)
        )
        return next(more, best)

    def _are_accounts(self, key: frozenset[str]) -> bool:
        """Returns whether no source spells one of the names like a person's."""
        return all(is_account(name) for name in self.names if caseless_nfkc_cached(name) in key)

    def _are_persons(self, keys: frozenset[str]) -> bool:
        return all(looks_like_person(name) for name in self.names if caseless_nfkc_cached(name) in keys)


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
    yield "reporters", reporters(nearby)


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
