"""URLs as identities: which spellings name the same page, and how a page's address is written."""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import SplitResult, unquote_plus, urlsplit, urlunsplit

from w3lib.url import canonicalize_url, safe_url_string

from newscrawl.errors import InvalidUrl
from newscrawl.identity.domains import ascii_host, is_address, registrable_domain
from newscrawl.identity.tracking import is_tracking, is_variant

MAX_URL_CHARACTERS: Final = 2083
"""A longer address is no page but a trap (THREATS T4), and an index row of PostgreSQL holds about 2,700 bytes. Counted
without tracking parameters, percent-encoded."""

MAX_RAW_CHARACTERS: Final = 32_768
"""No longer string is even looked at."""

_SAME_SITE_PREFIXES: Final = frozenset({"www", "m", "mobile", "amp", "m.www", "www.m"})
"""Host names directly in front of the registrable domain that serve the same articles under the same paths."""

_DEFAULT_PORTS: Final = frozenset({None, 80, 443})
_SESSION_IN_PATH: Final = re.compile(r";(?:jsessionid|phpsessid)=[^/;?#]*", re.IGNORECASE)
_EDGES: Final = "".join(map(chr, range(33)))
_SURROGATES: Final = re.compile("[\ud800-\udfff]")


def url_key(url: str) -> str:
    """The one spelling of an address that pages are unique by; `url_key(url_key(x)) == url_key(x)`.

    http and https count as one, because a site that serves both serves the same articles, and moves from the first to
    the second without renaming them; the key always reads https. Ports 80 and 443, the user, the fragment (never sent
    to a server; we run no JavaScript, so `#!` names nothing else either), tracking and session parameters and the AMP
    variant are dropped, parameters sorted, percent-encoding and dot segments normalised (RFC 3986, section 6). www, m,
    mobile and amp fall only directly in front of the registrable domain. Doubled slashes, the closing slash and the
    path's case stay: on some servers they matter.

    A key identifies, it is not to be fetched. Raises InvalidUrl for what is no http(s) URL.
    """
    parts = _split(url)
    query = _without(parts.query, variants=True)
    plain = urlunsplit(("https", _netloc(_main_host(parts.host), parts.port, _DEFAULT_PORTS), parts.path, query, ""))
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
    parts = _split(url)
    default = frozenset({None, 443 if parts.scheme == "https" else 80})
    query = _without(parts.query, variants=False)
    plain = urlunsplit((parts.scheme, _netloc(parts.host, parts.port, default), parts.path, query, ""))
    try:
        clean: str = safe_url_string(plain)
    except ValueError as error:
        raise InvalidUrl(url, str(error)) from error
    return _limited(clean, url)


class _Parts:
    """A checked http(s) URL."""

    __slots__ = ("host", "path", "port", "query", "scheme")

    def __init__(self, url: str) -> None:
        split = _parse(url)
        self.scheme = split.scheme
        if self.scheme not in {"http", "https"}:
            raise InvalidUrl(url, "not http or https")
        try:
            self.port = split.port
        except ValueError as error:
            raise InvalidUrl(url, "port out of range") from error
        self.host = ascii_host(split.hostname or "")
        if not self.host:
            raise InvalidUrl(url, "no host")
        self.path = _SESSION_IN_PATH.sub("", split.path) or "/"
        self.query = split.query


def _split(url: str) -> _Parts:
    return _Parts(url)


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
