"""Decides whether a page's rel=canonical is accepted. Pure.

A page may claim another page's address, by mistake or to take over its article. So a page's identity is its fetched
address. An accepted canonical is displayed beside the article and never decides which row a page writes. So a false one
does little harm, and most false ones are rejected here.
"""

from __future__ import annotations

from urllib.parse import urlsplit

from newscrawl.identity import same_site
from newscrawl.storage.articles.deciding.known import Incoming, Known


def canonical_problem(known: Known, incoming: Incoming) -> str | None:
    """Returns why the page's canonical is not accepted; None if it is accepted, or if there is none."""
    article = incoming.page.article
    canonical = article.metadata.canonical if article else None
    if article is None or not canonical:
        return None
    if incoming.canonical_key is None:
        return "it is no http(s) URL"
    if "@" in urlsplit(canonical).netloc:
        return "it holds a user"
    if incoming.canonical_key == incoming.key:
        return None
    if not same_site(canonical, incoming.page.raw.final_url):
        return "it is on another domain"
    if _is_home(incoming.canonical_key) and not _is_home(incoming.key):
        return "it is the home page"
    claimed = known.page_of(incoming.canonical_key)
    if claimed is not None and claimed.identity not in {None, article.identity_key}:
        return "the page there shows another text"
    return None


def _is_home(key: str) -> bool:
    parts = urlsplit(key)
    return parts.path in {"", "/"} and not parts.query
