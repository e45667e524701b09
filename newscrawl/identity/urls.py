"""URLs as identities: which spellings name the same page, and how a page's address is written."""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import SplitResult, unquote_plus, urlsplit, urlunsplit

from w3lib.url import canonicalize_url, safe_url_string

from newscrawl.errors import InvalidUrl
from newscrawl.identity.domains import ascii_host, host_in, is_address, registrable_domain
from newscrawl.identity.tracking import is_tracking, is_variant

MAX_URL_CHARACTERS: Final = 2083
"""A longer address is not a page but a trap that makes addresses without end, and an index row of PostgreSQL holds
about 2,700 bytes. Counted without tracking parameters, percent-encoded."""

MAX_RAW_CHARACTERS: Final = 32_768
"""No longer string is even looked at."""

_SAME_SITE_PREFIXES: Final = frozenset({"www", "m", "mobile", "amp", "m.www", "www.m"})
"""Host names directly in front of the registrable domain that serve the same articles under the same paths."""


def _spelled(name: str) -> str:
    """An expression for a name whose letters may be percent-encoded, in either case."""
    return "".join(f"(?:{one}|%{ord(one.lower()):02x}|%{ord(one.upper()):02x})" for one in name)


_DEFAULT_PORTS: Final = frozenset({None, 80, 443})
_EQUALS: Final = r"(?:=|%3D)"
_SESSION_IN_PATH: Final = re.compile(
    f";(?:{'|'.join(map(_spelled, ('jsessionid', 'phpsessid')))}){_EQUALS}[^/;?#]*", re.IGNORECASE
)
_STRAY_PERCENT: Final = re.compile(r"%(?![0-9A-Fa-f]{2})")
_EDGES: Final = "".join(map(chr, range(33)))
_ENCODED_EDGES: Final = {edge: f"%{edge:02X}" for edge in range(33)}
"""What is stripped around an address, where it is inside one and could come to stand at its end."""
_SURROGATES: Final = re.compile("[\ud800-\udfff]")


def url_key(url: str) -> str:
    """The one spelling of an address that pages are unique by; `url_key(url_key(x)) == url_key(x)`.

    http and https count as one, because a site that serves both serves the same articles, and moves from the first to
    the second without renaming them; the key always reads https. A host is what browsers make of it (`ascii_host`), a
    percent sign that encodes nothing counts as %25. Ports 80 and 443, the user, the fragment (never sent to a server;
    we run no JavaScript, so `#!` names nothing else either), tracking and session parameters and the AMP variant are
    dropped, parameters sorted, percent-encoding and dot segments normalised (RFC 3986, section 6). www, m, mobile and
    amp fall only directly in front of the registrable domain. Doubled slashes, the closing slash and the path's case
    stay: on some servers they matter. `former_keys` has the keys of before these rules.

    A key identifies, it is not to be fetched. Raises InvalidUrl for what is no http(s) URL.
    """
    parts = UrlParts(url)
    return key_of_parts(url, parts.host, parts.port, _STRAY_PERCENT.sub("%25", parts.path), parts.query)


def key_of_parts(url: str, host: str, port: int | None, path: str, query: str) -> str:
    """The key of an address with these parts; `host` in ASCII. Raises InvalidUrl, which names `url`."""
    netloc = _netloc(_main_host(host), port, _DEFAULT_PORTS)
    plain = urlunsplit(("https", netloc, path, _without(query, variants=True), ""))
    try:
        key: str = canonicalize_url(plain)
    except ValueError as error:
        raise InvalidUrl(url, str(error)) from error
    return _limited(key, url)


def clean_url(url: str) -> str:
    """The address to fetch and to show: tracking and session parameters, user and fragment removed, otherwise as given
    (percent-encoded where a URL must be, host in ASCII and lower case).

    Raises InvalidUrl for what is no http(s) URL.
    """
    parts = UrlParts(url)
    default = frozenset({None, 443 if parts.scheme == "https" else 80})
    query = _without(parts.query, variants=False)
    plain = urlunsplit((parts.scheme, _netloc(parts.host, parts.port, default), parts.path, query, ""))
    try:
        clean: str = safe_url_string(plain)
    except ValueError as error:
        raise InvalidUrl(url, str(error)) from error
    return _limited(clean, url)


def with_ascii_host(url: str) -> str:
    """The address, relative ones included, with its host as it is looked up; otherwise as given. Libraries that are
    given another host write it by older rules. Raises InvalidUrl for a host that cannot be."""
    if url.isascii():
        return url
    split = _parse(url)
    host = host_in(split.netloc)
    if host.isascii():
        return url
    known = ascii_host(host)
    if not known:
        raise InvalidUrl(url, "no host")
    user, at, place = split.netloc.rpartition("@")
    return urlunsplit(split._replace(netloc=f"{user}{at}{place.replace(host, known, 1)}"))


class UrlParts:
    """A checked http(s) URL. Raises InvalidUrl."""

    __slots__ = ("host", "path", "port", "query", "raw_path", "scheme")

    def __init__(self, url: str) -> None:
        split = _parse(url)
        self.scheme = split.scheme
        if self.scheme not in {"http", "https"}:
            raise InvalidUrl(url, "not http or https")
        try:
            self.port = split.port
        except ValueError as error:
            raise InvalidUrl(url, "port out of range") from error
        self.host = ascii_host(host_in(split.netloc))
        if not self.host:
            raise InvalidUrl(url, "no host")
        self.raw_path = split.path
        self.path = _SESSION_IN_PATH.sub("", split.path).translate(_ENCODED_EDGES) or "/"
        self.query = split.query.translate(_ENCODED_EDGES)


def _parse(url: str) -> SplitResult:
    if len(url) > MAX_RAW_CHARACTERS:
        raise InvalidUrl(url, f"longer than {MAX_RAW_CHARACTERS} characters")
    text = _SURROGATES.sub("\ufffd", url.strip(_EDGES))
    # Browsers read a backslash before the query as a slash (URL standard, relative slash state).
    cut = re.search(r"[?#]", text)
    end = cut.start() if cut else len(text)
    try:
        return urlsplit(text[:end].replace("\\", "/") + text[end:])
    except ValueError as error:
        raise InvalidUrl(url, str(error)) from error


def _main_host(host: str) -> str:
    """The host without a prefix that serves the same articles."""
    if is_address(host):
        return host
    domain = registrable_domain(host)
    prefix = host.removesuffix(domain).removesuffix(".")
    return domain if prefix in _SAME_SITE_PREFIXES else host


def _netloc(host: str, port: int | None, default: frozenset[int | None]) -> str:
    host = f"[{host}]" if ":" in host else host
    return host if port in default else f"{host}:{port}"


def _without(query: str, *, variants: bool) -> str:
    kept = []
    for pair in query.split("&"):
        name, _, value = pair.partition("=")
        name, value = unquote_plus(name), unquote_plus(value)
        if pair and not is_tracking(name, value) and not (variants and is_variant(name, value)):
            kept.append(pair)
    return "&".join(kept)


def _limited(address: str, url: str) -> str:
    if len(address) > MAX_URL_CHARACTERS:
        raise InvalidUrl(url, f"longer than {MAX_URL_CHARACTERS} characters")
    return address
