"""Reads the names of the site, which are stored and removed from titles and bylines."""

from __future__ import annotations

from typing import Final

from newscrawl.identity import registrable_domain
from newscrawl.metadata.structured import Structured
from newscrawl.metadata.text import MAX_NAME, caseless_nfkc_cached, clean, clean_all
from newscrawl.page import Page

_NAME_META: Final = (
    "og:site_name",
    "application-name",
    "apple-mobile-web-app-title",
    "dc.publisher",
    "citation_journal_title",
)


def site_name_of(page: Page, structured: Structured) -> str | None:
    """Returns og:site_name, else the publisher in JSON-LD, else another element that names the site."""
    publisher = [name for value in structured.resolved("publisher") for name in clean_all(value)]
    stated = (
        clean(page.head.first("og:site_name"), MAX_NAME),
        *publisher,
        clean(page.head.first(*_NAME_META), MAX_NAME),
    )
    title = caseless_nfkc_cached(clean(page.head.first("og:title")) or "")
    return next((n for n in stated if n and not n.startswith(("http", "@")) and caseless_nfkc_cached(n) != title), None)


def site_names(page: Page, structured: Structured) -> frozenset[str]:
    """Returns all folded forms of the site's names in titles: its names, its domain with and without ending."""
    names = [clean(page.head.first(key), MAX_NAME) for key in (*_NAME_META, "twitter:site", "al:ios:app_name")]
    names.extend(name for value in structured.resolved("publisher") for name in clean_all(value))
    names.extend(clean_all([v.get("name") for v in structured.by_id.values() if v.get("@type") == "WebSite"]))
    domain = registrable_domain(page.url or "")
    if domain:
        names.extend((domain, domain.partition(".")[0]))
    # Some content systems put the article's title into og:site_name.
    folded = {caseless_nfkc_cached(name) for name in names if name} - {
        caseless_nfkc_cached(clean(page.head.first("og:title")) or "")
    }
    return frozenset(form for name in folded for form in (name, name.removeprefix("the")) if len(form) > 1)
