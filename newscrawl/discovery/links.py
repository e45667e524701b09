"""Links as written to addresses that can be fetched."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final
from urllib.parse import urljoin

from newscrawl.identity import clean_url, url_key
from newscrawl.identity.domains import host_of
from newscrawl.identity.urls import MAX_RAW_CHARACTERS

_SCHEME: Final = re.compile(r"[a-zA-Z][a-zA-Z0-9+.\-]*:")
_WEB: Final = frozenset({"http:", "https:"})


def resolve(base: str, href: str) -> str | None:
    """`href` against `base`, cleaned (no fragment, user or tracking parameters); None when it is no http(s) address."""
    href = href.strip()
    if not href or len(href) > MAX_RAW_CHARACTERS:
        return None
    scheme = _SCHEME.match(href)
    if scheme and scheme.group().lower() not in _WEB:
        return None
    try:
        return clean_url(urljoin(base, href))
    except ValueError:  # InvalidUrl, or urljoin on an unclosed bracket
        return None


def key_of(url: str) -> str | None:
    """The URL key; None for what has none, which after `resolve` only an address at the limit of length can be."""
    try:
        return url_key(url)
    except ValueError:
        return None


def within(url: str, domains: Sequence[str]) -> bool:
    """Whether the host of `url` is one of `domains` or a subdomain of one."""
    host = host_of(url)
    return bool(host) and any(host == domain or host.endswith(f".{domain}") for domain in domains)
