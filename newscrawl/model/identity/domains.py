"""Decides which hosts belong together, by the public suffix list in the package publicsuffixlist."""

from __future__ import annotations

import ipaddress
import re
import socket
from functools import cache, lru_cache
from urllib.parse import unquote, urlsplit

from publicsuffixlist import PublicSuffixList


def registrable_domain(host_or_url: str) -> str:
    """Returns the part of a host under which one owner registers names: "bbc.co.uk" for "www.bbc.co.uk".

    Private suffixes count, so two blogs on one platform are two domains. An IP address, a name without a dot and a
    public suffix are their own domain; the result for text without a host is "". International names are in ASCII form.
    Never raises.
    """
    return _domain_of(host_of(host_or_url))


@lru_cache(maxsize=10_000)
def _domain_of(host: str) -> str:
    """Cached, because a crawl needs it several times for every request."""
    if not host or is_address(host):
        return host
    return _suffixes().privatesuffix(host) or host


def same_site(url_a: str, url_b: str) -> bool:
    """Returns whether two URLs (or hosts) have the same registrable domain. Text without a host has none."""
    domain = registrable_domain(url_a)
    return bool(domain) and domain == registrable_domain(url_b)


def host_of(host_or_url: str) -> str:
    """Returns the host in lower case and ASCII, without port, user and final dot; "" if there is none."""
    text = host_or_url.strip()
    if "/" not in text and "@" not in text and not text.startswith("["):
        return ascii_host(text if text.count(":") > 1 else text.partition(":")[0])
    try:
        return ascii_host(host_in(urlsplit(text if "//" in text else f"//{text}").netloc))
    except ValueError:
        return ""


def host_in(netloc: str) -> str:
    """Returns the host of a URL's authority as written. `SplitResult.hostname` is in lower case by Python's rules,
    which map a sigma at the end of a word to another letter than browsers do."""
    host = netloc.rpartition("@")[2]
    _, bracket, inner = host.partition("[")
    return inner.partition("]")[0] if bracket else host.partition(":")[0]


def ascii_host(host: str) -> str:
    """Returns a host as browsers look it up: percent-encoding decoded once, in lower case, with other letters than
    ASCII by UTS 46; "" for an impossible host.

    The restrictions of IDNA 2008 are not applied: names with emoji, underscores or doubled hyphens are in use.
    """
    if "%" in host:
        try:
            host = unquote(host, errors="strict")
        except UnicodeDecodeError:
            return ""
    host = (host.lower() if host.isascii() else _mapped(host)).rstrip(".")
    if not host or len(host) > MAX_HOST_CHARACTERS:
        return ""
    return host if not _FORBIDDEN.intersection(host) and ".." not in host and not host.startswith(".") else ""


@lru_cache(maxsize=10_000)
def _mapped(host: str) -> str:
    """Returns a host with other letters than ASCII by UTS 46, in Punycode; "" if that is not possible."""
    import idna  # loading its tables takes time, and most crawls have no such host

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
    """Returns the host, or the usual form of the IP address that it is: resolvers read 2130706433 as 127.0.0.1."""
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
"""The prefix of a label in Punycode (RFC 3490, section 5)."""

_NUMBERS = re.compile(r"(?:0x[0-9a-f]*|[0-9]+)(?:\.(?:0x[0-9a-f]*|[0-9]+)){0,3}")
"""Hosts that resolvers may read as the number of an IPv4 address."""

_FORBIDDEN = frozenset(map(chr, range(33))) | frozenset("#%/<>?@\\^|`{}\"'\x7f")
"""Characters that no host contains (URL standard, forbidden domain code points)."""


def is_address(host: str) -> bool:
    """Returns whether the host is an IPv4 or IPv6 address."""
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


@cache
def _suffixes() -> PublicSuffixList:
    return PublicSuffixList()
