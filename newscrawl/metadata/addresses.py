"""Reads the addresses that a page states, canonical and lead image, as absolute http(s) addresses."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Any, Final
from urllib.parse import urljoin, urlsplit

from w3lib.url import safe_url_string

from newscrawl.identity.domains import ascii_host
from newscrawl.metadata.structured import Structured
from newscrawl.metadata.text import clean
from newscrawl.page import Page

MAX_ADDRESS: Final = 2_083

_PLAIN: Final = re.compile(
    r"https?://[a-z0-9][a-z0-9-]{0,60}(?:\.[a-z0-9][a-z0-9-]{0,60})+/(?:[\w./~!$&'()*+,;=:@-]|%[0-9A-Fa-f]{2})*"
    r"(?:\?(?:[\w./~!$&()*+,;=:@?-]|%[0-9A-Fa-f]{2})*)?",
    re.ASCII,
)
"""An address that is already absolute and encoded, as nearly all are, so that nothing has to be changed."""

_IMAGE_META: Final = ("og:image:secure_url", "og:image", "og:image:url", "twitter:image", "twitter:image:src")
_IMAGE_META_WEAK: Final = ("parsely-image-url", "sailthru.image.full", "thumbnailurl", "thumbnail")


def canonical_address(page: Page) -> str | None:
    """Returns the canonical address that the page states (rel=canonical, else og:url). It is not checked here."""
    stated = (link.href for link in page.head.links if "canonical" in link.rel.split())
    for raw in (*stated, page.head.first("og:url")):
        if address := absolute(raw, page):
            return address
    return None


def image_address(page: Page, structured: Structured) -> str | None:
    """Returns the lead image from JSON-LD, OpenGraph, Twitter card or other meta elements."""
    stated = (page.head.first(key) for key in (*_IMAGE_META, *_IMAGE_META_WEAK))
    raws = chain(_image_values(structured.get("image", "thumbnailUrl")), filter(None, stated))
    return next((address for raw in raws if (address := absolute(raw, page))), None)


def absolute(raw: object, page: Page) -> str | None:
    """Returns `raw` relative to the page's base, percent-encoded; None unless it is an http(s) address within the
    length limit.

    A relative address on a page without an address gives None.
    """
    text = clean(raw, MAX_ADDRESS)
    if not text or len(str(raw)) > MAX_ADDRESS:
        return None
    if _PLAIN.fullmatch(text):
        return text
    try:
        address: str = safe_url_string(urljoin(urljoin(page.url or "", page.head.base or ""), text))
        parts = urlsplit(address)
        if parts.scheme not in {"http", "https"} or not ascii_host(parts.hostname or "") or parts.port == 0:
            return None
    except ValueError:
        return None
    return address if len(address) <= MAX_ADDRESS and address.isascii() else None


def _image_values(value: Any) -> Iterator[Any]:
    for member in value[:10] if isinstance(value, list) else [value]:
        if isinstance(member, Mapping):
            yield from (member[name] for name in ("url", "contentUrl", "@id") if isinstance(member.get(name), str))
        else:
            yield member
