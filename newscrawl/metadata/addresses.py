"""Reads the addresses that a page states, canonical and lead image, as absolute http(s) addresses."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Any, Final
from urllib.parse import unquote, urljoin, urlsplit

from newscrawl.identity.domains import ascii_host
from newscrawl.identity.urls import safe_address
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

_NO_VALUE: Final = re.compile(
    r"(?:(?:https?:)?//[^/?#]{0,253})?/?(?:undefined|null|none|nan|true|false|[$@]\w{1,40}|__\w{1,40})/?", re.IGNORECASE
)
"""A missing value in place of the whole address or of its path, or a name that a template did not fill in."""
_PLACEHOLDER: Final = re.compile(
    r"\{\{|\}\}|[$#]\{|<%|%>|\[object\b|(?:^|/)(?:undefined|\{[\w.-]{1,40}\}|\[[\w.-]{1,40}\])(?=/|$)"
)
"""Marks of templates: "{{url}}", "${url}", "<%= url %>", "/{slug}"."""
_SECOND_SCHEME: Final = re.compile(
    r"https?://[^/?#]*+(?:(?<=http)|(?<=https)|(?<=http:)|(?<=https:)|/{1,2}https?:)/", re.IGNORECASE
)
"""An address that was put behind another host: "https://a.examplehttps://a.example/"."""

_IMAGE_META: Final = ("og:image:secure_url", "og:image", "og:image:url", "twitter:image", "twitter:image:src")
_IMAGE_META_WEAK: Final = ("parsely-image-url", "sailthru.image.full", "thumbnailurl", "thumbnail")


def canonical_address(page: Page) -> str | None:
    """Returns the canonical address that the page states (rel=canonical, else og:url), unless a template that was not
    filled in wrote it. It is not compared with the page's address here."""
    stated = (link.href for link in page.head.links if "canonical" in link.rel.split())
    for raw in (*stated, page.head.first("og:url")):
        if raw and not _is_unfilled(raw) and (address := absolute(raw, page)) and _has_host(address, page):
            return address
    return None


def _is_unfilled(raw: str) -> bool:
    text = raw.strip()[:MAX_ADDRESS]
    shown = unquote(text)
    return _NO_VALUE.fullmatch(shown) is not None or _PLACEHOLDER.search(shown) is not None or "%s" in text


def _has_host(address: str, page: Page) -> bool:
    """Returns whether the host is a possible one, and only once in the address. A name without a dot is a word in the
    place of a host, unless it is the page's."""
    parts, own = urlsplit(address), urlsplit(page.url or "").hostname or ""
    host = parts.hostname or ""
    if _SECOND_SCHEME.match(address) or "www." in host[1:]:
        return False
    if host == own:
        return not own or parts.path.lstrip("/").partition("/")[0] != own
    return ("." in host or ":" in host) and (not own or host != own + own)


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
        address = safe_address(urljoin(urljoin(page.url or "", page.head.base or ""), text))
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
