"""The URL keys that addresses had before November 2026. Databases contain them, and they are not rewritten there.

Two rules differed. A percent sign that encodes nothing was kept, so that `%%36%31` became `%61`, whose own key is `a`.
Hosts with other letters than ASCII were written by IDNA 2003, which turns straße.de into strasse.de: another host, and
the one that was requested then.
"""

from __future__ import annotations

import re
from typing import Final

from newscrawl.errors import InvalidUrl
from newscrawl.identity.domains import ascii_host
from newscrawl.identity.urls import UrlParts, key_of_parts, url_key

_SESSION: Final = re.compile(r";(?:jsessionid|phpsessid)=[^/;?#]*", re.IGNORECASE)
_ACE: Final = "xn--"


def former_key(url: str) -> str | None:
    """Returns the former key of an address with its present host; None if it is the present key. Raises InvalidUrl."""
    if "%" not in url:
        return None
    parts = UrlParts(url)
    former = _key(url, parts, parts.host)
    return former if former != url_key(url) else None


def keys_ever(url: str, key: str | None = None) -> frozenset[str]:
    """Returns the key of an address and all keys that it had or may have had, so that a block by any of them stays
    valid. `key` is its URL key if the caller has it.

    An address in Punycode may have been written in other letters, because links are cleaned before they are stored.
    Raises InvalidUrl.
    """
    keys = {key or url_key(url)}
    if "%" in url or not url.isascii() or _ACE in url.lower():
        parts = UrlParts(url)
        keys |= {_key(url, parts, host) for host in {parts.host, _idna_2003(parts.host)} if host}
    return frozenset(keys)


def _key(url: str, parts: UrlParts, host: str) -> str:
    try:
        return key_of_parts(url, host, parts.port, _SESSION.sub("", parts.raw_path) or "/", parts.query)
    except InvalidUrl:  # too long in this form, so it never was a key
        return url_key(url)


def _idna_2003(host: str) -> str:
    """Returns the host as IDNA 2003 writes it, also for one in Punycode; "" if that is not possible."""
    try:
        labels = [_in_letters(label) for label in host.split(".")]
        return ascii_host(".".join(labels).encode("idna").decode("ascii"))
    except UnicodeError:
        return ""


def _in_letters(label: str) -> str:
    return label.removeprefix(_ACE).encode("ascii").decode("punycode") if label.startswith(_ACE) else label
