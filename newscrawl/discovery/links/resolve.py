"""Turns links as written into addresses that can be fetched."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final
from urllib.parse import parse_qsl, urljoin, urlsplit

from newscrawl.model.identity import clean_url, url_key
from newscrawl.model.identity.domains import host_of
from newscrawl.model.identity.urls import MAX_RAW_CHARACTERS

if TYPE_CHECKING:  # who only resolves addresses parses no page
    from newscrawl.page import Page

_SCHEME: Final = re.compile(r"[a-zA-Z][a-zA-Z0-9+.\-]*:")
_WEB: Final = frozenset({"http:", "https:"})
_TWO_SCHEMES: Final = re.compile(r"^https?:(?://)?(?=https?://)", re.IGNORECASE)
_NO_SCHEME: Final = re.compile(r"www\.[\w\-]+\.[\w.\-]+(?:[/?]|$)", re.IGNORECASE)
_WRAPPERS: Final = (
    ("google.com", "/url", ("url", "q")),
    ("bing.com", "/news/apiclick.aspx", ("url",)),
)
"""Redirectors of news searches, whose addresses contain the article's address as a parameter."""


def base_of(page: Page, url: str) -> str:
    """Returns the base address of the page's relative links."""
    return (resolve(url, page.head.base) if page.head.base else None) or url


def resolve(base: str, href: str) -> str | None:
    """Returns `href` relative to `base`, cleaned (no fragment, user or tracking parameters); None if it is no http(s)
    address."""
    href = mended(href)
    if not href or len(href) > MAX_RAW_CHARACTERS:
        return None
    scheme = _SCHEME.match(href)
    if scheme and scheme.group().lower() not in _WEB:
        return None
    try:
        return clean_url(urljoin(base, href))
    except ValueError:  # InvalidUrl, or urljoin on an unclosed bracket
        return None


def mended(href: str) -> str:
    """Returns a link with common mistakes corrected: line breaks and the blanks around them, a doubled scheme, a
    missing scheme before "www."."""
    href = href.strip()
    if "\n" in href or "\r" in href:
        href = "".join(line.strip() for line in href.splitlines())
    href = _TWO_SCHEMES.sub("", href).replace("&amp;", "&")
    if "\\" in href:  # browsers read it as a slash (URL standard)
        href = href.replace("\\", "/")
    return f"https://{href}" if _NO_SCHEME.match(href) else href


def unwrapped(url: str) -> str:
    """Returns the article's address inside the address of a known redirector; other addresses are returned as given."""
    parts = urlsplit(url)
    host = parts.netloc.lower()
    for domain, path, names in _WRAPPERS:
        if parts.path == path and (host == domain or host.endswith(f".{domain}")):
            values = dict(parse_qsl(parts.query))
            inner = next((values[name] for name in names if name in values), "")
            return (resolve(url, inner) if inner.startswith(("http://", "https://")) else None) or url
    return url


def key_of(url: str) -> str | None:
    """Returns the URL key; None if there is none. After `resolve` that happens only at the limit of length."""
    try:
        return url_key(url)
    except ValueError:
        return None


def within(url: str, domains: Sequence[str]) -> bool:
    """Returns whether the host of `url` is one of `domains` or a subdomain of one."""
    host = host_of(url)
    return bool(host) and any(host == domain or host.endswith(f".{domain}") for domain in domains)
