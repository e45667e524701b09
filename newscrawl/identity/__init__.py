"""What makes two addresses the same page, and two texts the same article. Pure."""

from __future__ import annotations

from newscrawl.identity.content import content_hash, identity_key, identity_of
from newscrawl.identity.domains import registrable_domain, same_site
from newscrawl.identity.urls import clean_url, url_key

__all__ = ["clean_url", "content_hash", "identity_key", "identity_of", "registrable_domain", "same_site", "url_key"]
