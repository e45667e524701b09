"""Whether to believe a page's rel=canonical (THREATS T16). Pure.

A page's identity is its fetched address, whatever it claims. A believed canonical is shown beside the article; it never
decides which row a page writes, so the worst a lie can do is to be shown, and most lies are not even that.
"""

from __future__ import annotations

from urllib.parse import urlsplit

from newscrawl.identity import same_site
from newscrawl.storage.articles.known import Incoming, Known


def canonical_problem(known: Known, incoming: Incoming) -> str | None:
    """Why the page's canonical is not believed; None when it is, or when there is none."""
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
