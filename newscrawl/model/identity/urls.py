"""Normalises URLs: which spellings are the same page, and how a page's address is written. Query parameters that say
how a reader came to a page do not choose the page."""

from __future__ import annotations

import re
from functools import lru_cache, reduce
from typing import Final
from urllib.parse import SplitResult, unquote_plus, urljoin, urlsplit, urlunsplit

from newscrawl.errors import InvalidUrl
from newscrawl.model.identity.domains import ascii_host, host_in, is_address, registrable_domain
from newscrawl.model.word_lists import read_words

MAX_URL_CHARACTERS: Final = 2083
"""A longer address is not a page but a trap that creates addresses without end. Also, a row of a PostgreSQL index has
about 2,700 bytes at most. Counted without tracking parameters, percent-encoded."""

MAX_RAW_CHARACTERS: Final = 32_768
"""Characters. A longer text is rejected unread."""

_SAME_SITE_PREFIXES: Final = frozenset({"www", "m", "mobile", "amp", "m.www", "www.m"})
"""Prefixes directly before the registrable domain, under which sites serve the same articles with the same paths."""


def _spelled(name: str) -> str:
    """Returns an expression for a name whose letters may be percent-encoded, in either case."""
    return "".join(f"(?:{letter}|%{ord(letter.lower()):02x}|%{ord(letter.upper()):02x})" for letter in name)


_DEFAULT_PORTS: Final = frozenset({None, 80, 443})
_EQUALS: Final = r"(?:=|%3D)"
_SESSION_IN_PATH: Final = re.compile(
    f";(?:{'|'.join(map(_spelled, ('jsessionid', 'phpsessid')))}){_EQUALS}[^/;?#]*", re.IGNORECASE
)
_STRAY_PERCENT: Final = re.compile(r"%(?![0-9A-Fa-f]{2})")
_EDGES: Final = "".join(map(chr, range(33)))
_EDGE: Final = re.compile(r"[\x00-\x20]")
"""Characters that are stripped from the ends of an address, in encoded form for use inside one, because they could come
to stand at its end."""
_SEGMENT: Final = r"[A-Za-z0-9_~-][A-Za-z0-9_.~-]*"
_PLAIN: Final = re.compile(
    rf"https?://[a-z0-9.-]+(?::[0-9]+)?/(?:{_SEGMENT}(?:/{_SEGMENT})*/?)?(?:\?[A-Za-z0-9_]+=[A-Za-z0-9_.~-]+)?"
)
"""Addresses that normalising does not change: no percent sign, no dot segment, no character to encode, no parameters to
sort. Most addresses of articles are among them, and normalising takes most of the time of a key."""
_ENCODED: Final = re.compile(
    r"https?://[a-z0-9][a-z0-9-]{0,60}(?:\.[a-z0-9][a-z0-9-]{0,60})+/(?:[\w./~!$&'()*+,;=:@-]++|%[0-9A-Fa-f]{2})*+"
    r"(?:\?(?:[\w./~!$&()*+,;=:@?-]++|%[0-9A-Fa-f]{2})*+)?(?:#[\w./~!()*+,;=:-]*)?",
    re.ASCII,
)
"""An address that is already absolute and encoded, as nearly all are, so that nothing has to be changed."""
_SURROGATES: Final = re.compile("[\ud800-\udfff]")


@lru_cache(maxsize=2_000)
def url_key(url: str) -> str:
    """Returns the spelling of an address by which pages are unique; `url_key(url_key(x)) == url_key(x)`.

    http and https count as one, because a site that serves both serves the same articles, and moves from the first to
    the second without renaming them; the key always has https. The host is in the form that browsers use
    (`ascii_host`). A percent sign that encodes nothing counts as %25. Ports 80 and 443, the user, the fragment (it is
    never sent to a server, and without JavaScript `#!` names nothing else), tracking and session parameters and the AMP
    variant are removed. Parameters are sorted, percent-encoding and dot segments are normalised (RFC 3986, section 6).
    www, m, mobile and amp are removed only directly before the registrable domain. Doubled slashes, the final slash and
    the case of the path are kept, because they matter on some servers.

    A key is for comparison, not for fetching. Cached, as `clean_url`. Raises InvalidUrl for anything but an http(s)
    URL.
    """
    parts = UrlParts(url)
    netloc = _netloc(_main_host(parts.host), parts.port, _DEFAULT_PORTS)
    path = _STRAY_PERCENT.sub("%25", parts.path)
    plain = urlunsplit(("https", netloc, path, _without(parts.query, variants=True), ""))
    try:
        key = plain if _PLAIN.fullmatch(plain) else _canonical(plain)
    except ValueError as error:
        raise InvalidUrl(url, str(error)) from error
    return _limited(key, url)


@lru_cache(maxsize=2_000)
def clean_url(url: str) -> str:
    """Returns the address to fetch and to show: tracking and session parameters, user and fragment are removed, the
    host is in ASCII and lower case, and characters are percent-encoded if a URL requires it.

    Cached, because the address of a page is cleaned several times while it is fetched and stored. Raises InvalidUrl for
    anything but an http(s) URL.
    """
    parts = UrlParts(url)
    default = frozenset({None, 443 if parts.scheme == "https" else 80})
    query = _without(parts.query, variants=False)
    plain = urlunsplit((parts.scheme, _netloc(parts.host, parts.port, default), parts.path, query, ""))
    try:
        clean = plain if _PLAIN.fullmatch(plain) else safe_address(plain)
    except ValueError as error:
        raise InvalidUrl(url, str(error)) from error
    return _limited(clean, url)


def safe_address(url: str) -> str:
    """Returns an address with all characters percent-encoded that a URL cannot have. Raises ValueError."""
    from w3lib.url import safe_url_string  # loads Python's HTTP client, which most commands do not need

    safe: str = safe_url_string(url)
    return safe


def absolute_address(address: str, *bases: str | None) -> str | None:
    """Returns an address, relative to the first of `bases` and the others relative to that, as an absolute http(s)
    address with all characters percent-encoded that need it; None for any other."""
    if _ENCODED.fullmatch(address):
        return address
    try:
        joined = urljoin(reduce(urljoin, (base or "" for base in bases), ""), address)
        if _ENCODED.fullmatch(joined):
            return joined
        safe = safe_address(joined)
        parts = urlsplit(safe)
        if parts.scheme not in {"http", "https"} or not ascii_host(parts.hostname or "") or parts.port == 0:
            return None
    except ValueError:
        return None
    return safe if safe.isascii() else None


def _canonical(url: str) -> str:
    from w3lib.url import canonicalize_url  # as above

    canonical: str = canonicalize_url(url)
    return canonical


def with_ascii_host(url: str) -> str:
    """Returns the address, which may be relative, with its host in the form that is looked up; otherwise unchanged.
    Libraries convert other hosts by older rules. Raises InvalidUrl for an impossible host."""
    if url.isascii() and "%" not in url:
        return url
    split = _parse(url)
    host = host_in(split.netloc)
    if host.isascii() and ("%" not in host or ":" in host):  # IPv6: `%25` before a zone is no encoded letter
        return url
    known = ascii_host(host)
    if not known:
        raise InvalidUrl(url, "no host")
    user, at, place = split.netloc.rpartition("@")
    return urlunsplit(split._replace(netloc=f"{user}{at}{place.replace(host, known, 1)}"))


class UrlParts:
    """A checked http(s) URL. Raises InvalidUrl."""

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
        self.host = ascii_host(host_in(split.netloc))
        if not self.host:
            raise InvalidUrl(url, "no host")
        path = _SESSION_IN_PATH.sub("", split.path) if ";" in split.path else split.path
        self.path = _without_edges(path) or "/"
        self.query = _without_edges(split.query)


def _parse(url: str) -> SplitResult:
    if len(url) > MAX_RAW_CHARACTERS:
        raise InvalidUrl(url, f"longer than {MAX_RAW_CHARACTERS} characters")
    text = url.strip(_EDGES)
    if not text.isascii():
        text = _SURROGATES.sub("\ufffd", text)
    if "\\" in text:  # browsers read one before the query as a slash (URL standard, relative slash state)
        cut = re.search(r"[?#]", text)
        end = cut.start() if cut else len(text)
        text = text[:end].replace("\\", "/") + text[end:]
    try:
        return urlsplit(text)
    except ValueError as error:
        raise InvalidUrl(url, str(error)) from error


def _without_edges(part: str) -> str:
    """Returns a part of an address with the characters of `_EDGES` in encoded form."""
    return _EDGE.sub(lambda found: f"%{ord(found[0]):02X}", part) if _EDGE.search(part) else part


@lru_cache(maxsize=10_000)
def _main_host(host: str) -> str:
    """Returns the host without a prefix under which the same articles are served."""
    if is_address(host):
        return host
    domain = registrable_domain(host)
    prefix = host.removesuffix(domain).removesuffix(".")
    return domain if prefix in _SAME_SITE_PREFIXES else host


def _netloc(host: str, port: int | None, default: frozenset[int | None]) -> str:
    host = f"[{host}]" if ":" in host else host
    return host if port in default else f"{host}:{port}"


def _without(query: str, *, variants: bool) -> str:
    if not query:
        return ""
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


TRACKING_PARAMETERS: Final = frozenset(read_words(__file__, "tracking_parameters.txt"))
"""Names in lower case. The file names its sources."""

TRACKING_PREFIXES: Final = (
    "utm_",
    "pk_",
    "mtm_",
    "matomo_",
    "piwik_",
    "hsa_",
    "itm_",
    "otm_",
    "hmb_",
    "ga_",
    "oft_",
    "g2i_",
    "sfmc_",
)
"""Families of campaign parameters, in lower case."""

SESSION_PARAMETERS: Final = frozenset("phpsessid jsessionid cfid cftoken aspsessionid sessionid session_id".split())
"""Identifiers that a server assigns to one visitor."""

CHANNEL_PARAMETERS: Final = frozenset("ref referrer source src from via share xtref".split())
"""Parameters that name the channel on some sites and choose the article on others. They are removed only if their value
is a channel."""

CHANNELS: Final = frozenset(
    "rss feed feeds atom rssfeed newsletter email e-mail mail twitter tweet x facebook fb whatsapp telegram linkedin "
    "reddit pinterest tumblr pocket flipboard social share sharing push googlenews google_news google-news homepage "
    "copy_link".split()
)

AMP_VARIANTS: Final = {"amp": frozenset({"", "1", "true"}), "outputtype": frozenset({"amp", "valid_amp"})}
"""Parameters that ask for the accelerated mobile variant of the same article."""


def is_tracking(name: str, value: str) -> bool:
    """Returns whether the parameter can be removed from a URL without changing the page."""
    name = name.lower()
    if name in TRACKING_PARAMETERS or name in SESSION_PARAMETERS or name.startswith(TRACKING_PREFIXES):
        return True
    return name in CHANNEL_PARAMETERS and value.lower() in CHANNELS


def is_variant(name: str, value: str) -> bool:
    """Returns whether the parameter only chooses another presentation of the same article."""
    return value.lower() in AMP_VARIANTS.get(name.lower(), ())
