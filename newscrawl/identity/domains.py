"""Which hosts belong together, by the public suffix list that comes with its package."""

from __future__ import annotations

import ipaddress
from functools import cache, lru_cache
from urllib.parse import urlsplit

from publicsuffixlist import PublicSuffixList


def registrable_domain(host_or_url: str) -> str:
    """The part of a host under which one owner registers names: "bbc.co.uk" for "www.bbc.co.uk"; never raises.

    Private suffixes count, so two blogs under one platform are two domains. An address, a name without a dot and a
    public suffix itself are their own domain; what holds no host is "". International names come in ASCII form.
    """
    return _domain_of(host_of(host_or_url))


@lru_cache(maxsize=10_000)
def _domain_of(host: str) -> str:
    """A crawl asks several times for every request."""
    if not host or is_address(host):
        return host
    return _suffixes().privatesuffix(host) or host


def same_site(url_a: str, url_b: str) -> bool:
    """Whether two URLs (or hosts) have one registrable domain; what holds no host is nobody's site."""
    domain = registrable_domain(url_a)
    return bool(domain) and domain == registrable_domain(url_b)


def host_of(host_or_url: str) -> str:
    """The host in lower case and ASCII, without port, user and closing dot; "" where there is none."""
    text = host_or_url.strip()
    if "/" not in text and "@" not in text and not text.startswith("["):
        return ascii_host(text if text.count(":") > 1 else text.partition(":")[0])
    try:
        host = urlsplit(text if "//" in text else f"//{text}").hostname
    except ValueError:
        return ""
    return ascii_host(host or "")


def ascii_host(host: str) -> str:
    """A host as it is looked up: lower case, IDNA 2003 as Scrapy's downloader writes it; "" for no possible host."""
    host = host.rstrip(".").lower()
    if not host or len(host) > MAX_HOST_CHARACTERS:
        return ""
    if not host.isascii():
        try:
            host = host.encode("idna").decode("ascii").rstrip(".").lower()
        except UnicodeError:
            return ""
    return host if not _FORBIDDEN.intersection(host) and ".." not in host and not host.startswith(".") else ""


MAX_HOST_CHARACTERS = 253
"""RFC 1035, section 2.3.4, in text form."""

_FORBIDDEN = frozenset(map(chr, range(33))) | frozenset("#%/<>?@\\^|`{}\"'\x7f")
"""No host holds these (URL standard, forbidden domain code points)."""


def is_address(host: str) -> bool:
    """Whether the host is an IPv4 or IPv6 address."""
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


@cache
def _suffixes() -> PublicSuffixList:
    return PublicSuffixList()
