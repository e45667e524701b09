"""Cleans the strings of a page, so that they can be stored, shown on one line and compared."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any, Final

from newscrawl.model.identity.content import caseless_nfkc as fold_text
from newscrawl.model.identity.letters import without_long_marks
from newscrawl.page.jsonld import decode_references

__all__ = ["caseless_nfkc_cached", "clean", "clean_all", "texts"]

MAX_TITLE: Final = 500
MAX_NAME: Final = 100
MAX_DESCRIPTION: Final = 2_000
MAX_VALUES: Final = 100
"""Values of one list that are read."""

_MARGIN: Final = 4
"""Multiple of a limit that is read before cleaning, because mark-up, references and blanks make a string longer."""

_ENCODED_TIMES: Final = 2
"""Times that references are decoded. JSON-LD and meta elements often contain text that was escaped twice."""

_TAG: Final = re.compile(
    r"</?(?:a|abbr|b|br|cite|div|em|font|h[1-6]|i|img|mark|p|q|s|small|span|strong|sub|sup|u|wbr)\b[^<>]{0,500}>",
    re.IGNORECASE,
)
_INVISIBLE: Final = re.compile(
    "[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff\ufff9-\ufffb"
    "\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]"
)
"""Control characters except white space, bidirectional controls, soft hyphens and zero-width blanks, lone surrogates
and noncharacters. The zero-width joiners stay, because Persian, Hindi and emoji need them."""


def clean(value: object, limit: int = MAX_TITLE) -> str | None:
    """Returns one line of at most `limit` characters in NFC, with references decoded, without inline tags and invisible
    characters; None for anything but a string with visible characters."""
    if not isinstance(value, str):
        return None
    text = value[: limit * _MARGIN]
    if "&" in text:
        for _ in range(_ENCODED_TIMES):
            text = decode_references(text)
    if "<" in text:
        text = _TAG.sub(" ", text)
    if not text.isprintable():
        text = _INVISIBLE.sub("", text)
    text = " ".join(text.split())
    if not text.isascii():
        text = unicodedata.normalize("NFC", without_long_marks(text))
    return text[:limit].strip() or None


@lru_cache(maxsize=2048)
def _folded(text: str) -> str:
    return fold_text(text)


def caseless_nfkc_cached(text: str) -> str:
    """Does what `newscrawl.model.identity.content.caseless_nfkc` does, with a cache for short strings, because titles
    and names of a page and a site recur."""
    return _folded(text) if len(text) <= MAX_TITLE else fold_text(text)


def clean_all(values: object, limit: int = MAX_NAME) -> list[str]:
    """Returns every string that `texts` yields for `values`, cleaned, without empty ones."""
    return [text for raw in texts(values) if (text := clean(raw, limit))]


def texts(value: object) -> Iterator[str]:
    """Yields the strings in a JSON-LD value: itself, the members of a list or ItemList, the name or @value of an
    object, or the given name and the family name of a person."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for member in value[:MAX_VALUES]:
            if not isinstance(member, list):
                yield from texts(member)
    elif isinstance(value, Mapping):
        if (named := _named(value)) is not None:
            yield named
        elif isinstance(members := value.get("itemListElement"), list):
            for member in members[:MAX_VALUES]:
                item = member.get("item", member) if isinstance(member, Mapping) else member
                named = _named(item) if isinstance(item, Mapping) else item
                yield from texts(named)


def _named(value: Mapping[str, Any]) -> str | None:
    name = value.get("name", value.get("@value"))
    if isinstance(name, list):
        name = name[0] if name else None
    if isinstance(name, Mapping):  # a name with its language
        name = name.get("@value")
    if name is None:
        parts = [part for key in ("givenName", "familyName") if isinstance(part := value.get(key), str) and part]
        name = " ".join(parts) if len(parts) > 1 else None
    return name if isinstance(name, str) else None
