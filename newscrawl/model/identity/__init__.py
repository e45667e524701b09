"""Identity: which addresses are the same page, which texts are the same article, which articles are one story. Pure.

In here: `urls` and `domains` identify addresses. `patterns` finds what many addresses have in common, `masking` hides
secrets in addresses. `content`, `letters` and `segmentation` identify texts. `signature` finds texts of nearly the same
words. `stories` compares them and decides which story a text belongs to (`decide`). Not in here: the tables of stories,
and which of their pages is shown first (`newscrawl.storage.duplicates`). Start with `urls`, then `stories`.

`newscrawl.extraction` and everything above it may import this package.
"""

from __future__ import annotations

from newscrawl.model.identity.content import content_hash, identity_key, identity_of
from newscrawl.model.identity.domains import registrable_domain, same_site
from newscrawl.model.identity.urls import clean_url, url_key

__all__ = ["clean_url", "content_hash", "identity_key", "identity_of", "registrable_domain", "same_site", "url_key"]
