"""Which hosts belong together, by the public suffix list that comes with its package."""

from __future__ import annotations

import ipaddress
import re
import socket
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
        return ascii_host(host_in(urlsplit(text if "//" in text else f"//{text}").netloc))
    except ValueError:
        return ""


def host_in(netloc: str) -> str:
    """The host of a URL's authority as it is written there. `SplitResult.hostname` is in lower case by Python's rules,
    which make another letter of a sigma at the end of a word than a browser does."""
    host = netloc.rpartition("@")[2]
    _, bracket, inner = host.partition("[")
    return inner.partition("]")[0] if bracket else host.partition(":")[0]


def ascii_host(host: str) -> str:
    """A host as browsers look it up: lower case, other letters than ASCII by UTS 46; "" for no possible host.

    The restrictions of IDNA 2008 do not hold: names with emoji, underscores or doubled hyphens are in use.
    """
    host = (host.lower() if host.isascii() else _mapped(host)).rstrip(".")
    if not host or len(host) > MAX_HOST_CHARACTERS:
        return ""
    return host if not _FORBIDDEN.intersection(host) and ".." not in host and not host.startswith(".") else ""


@lru_cache(maxsize=10_000)
def _mapped(host: str) -> str:
    """A host with other letters than ASCII by UTS 46, its labels in Punycode; "" where that is not possible."""
    import idna  # its tables take time to load, and most crawls meet no such host

    try:
        labels = idna.uts46_remap(host, std3_rules=False).split(".")
        return ".".join(map(_punycode, labels))
    except UnicodeError:
        return ""


def _punycode(label: str) -> str:
    if label.isascii():
        return label
    encoded = f"{_ACE}{label.encode('punycode').decode('ascii')}"
    if label.startswith(_ACE) or len(encoded) > MAX_LABEL_CHARACTERS:
        raise UnicodeError("no label of a host")
    return encoded


@lru_cache(maxsize=10_000)
def one_address(host: str) -> str:
    """The host, or the usual spelling of the IP address that it is: resolvers read 2130706433 as 127.0.0.1."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        if not _NUMBERS.fullmatch(host):
            return host
        try:
            return socket.inet_ntoa(socket.inet_aton(host))
        except OSError:
            return host
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return str(mapped or address)


MAX_HOST_CHARACTERS = 253
"""RFC 1035, section 2.3.4, in text form."""

MAX_LABEL_CHARACTERS = 63
"""RFC 1035, section 2.3.4."""

_ACE = "xn--"
"""What a label in Punycode begins with (RFC 3490, section 5)."""

_NUMBERS = re.compile(r"(?:0x[0-9a-f]*|[0-9]+)(?:\.(?:0x[0-9a-f]*|[0-9]+)){0,3}")
"""Hosts that resolvers may read as the number of an IPv4 address."""

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
