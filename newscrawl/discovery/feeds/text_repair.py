"""Turns the bytes of a feed into text that an XML parser accepts, whatever encoding was declared."""

from __future__ import annotations

import html
import html.entities
import re
from collections.abc import Mapping
from functools import partial
from typing import Final

from newscrawl.page.decode import decode

_ENCODING: Final = re.compile(rb"""<\?xml[^>]{0,200}?encoding\s*=\s*["']([A-Za-z0-9._\-]+)""")
_CHARSET: Final = re.compile(r"""charset\s*=\s*["']?([A-Za-z0-9._\-]+)""", re.IGNORECASE)
_UTF8: Final = frozenset({"utf-8", "utf8", "ascii", "us-ascii", "utf-16", "utf16"})
"""Labels that say nothing about bytes that are not valid UTF-8 and contain no NUL."""

_NON_LATIN: Final = 0.2
"""Share of bytes above 127 from which a text in a one-byte encoding is in no Latin script (accents are below 10 %)."""

_FORBIDDEN: Final = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ufffe\uffff]+")
_REFERENCE: Final = re.compile(r"&(?:#(\d{1,7}|[xX][0-9a-fA-F]{1,6});|([A-Za-z][A-Za-z0-9]{1,31});)?")
_KEPT: Final = frozenset({"amp", "lt", "gt", "quot", "apos"})
_ROOT: Final = re.compile(r"<[A-Za-z_]")
_DECLARATION: Final = re.compile(r"<\?xml(?:(?!<\?xml)[^>])*+>")
_DOCTYPE: Final = re.compile(r"<!DOCTYPE[^<\[>]*+(?:\[(?:(?!<!DOCTYPE)[^\]])*+\][^<>]*+)?>", re.IGNORECASE)
_ENTITY: Final = re.compile(r"<!ENTITY\s", re.IGNORECASE)
_PLAIN_ENTITY: Final = re.compile(r"""<!ENTITY\s+([A-Za-z]\w{0,31})\s+(?:"([^"<%]{0,20})"|'([^'<%]{0,20})')\s*>""")
_CDATA: Final = "<![CDATA["


def decoded(body: bytes, content_type: str) -> str:
    """Returns the characters of a feed. Valid UTF-8 is read as UTF-8, whatever header or declaration say, because text
    in another encoding is not valid UTF-8 by chance.

    Otherwise it is the first declared charset that fits, else UTF-8 if only few bytes are broken, else windows-1252 or,
    with many bytes above 127, the detected encoding.
    """
    if body.startswith((b"\xff\xfe", b"\xfe\xff", b"\xef\xbb\xbf")) or b"\x00" in body[:200]:
        return decode(body).data.decode("utf-8")
    if b"\x1b$" not in body:  # the escapes of ISO-2022-JP are valid UTF-8 too
        try:
            return body.decode("utf-8")
        except UnicodeDecodeError:
            pass
    charset, encoding = _CHARSET.search(content_type), _ENCODING.search(body[:1_000])
    labels = [charset.group(1)] if charset else []
    labels += [encoding.group(1).decode("ascii")] if encoding else []
    tried = [decode(body, encoding=label) for label in labels if label.lower() not in _UTF8]
    fitting = next((text for text in tried if text.source == "caller" and not text.replaced), None)
    if fitting:
        return fitting.data.decode("utf-8")
    text = body.decode("utf-8", "replace")
    if 2 * text.count("\ufffd") <= sum(character > "\x7f" for character in text):
        return text
    if tried and tried[0].source == "caller":
        return tried[0].data.decode("utf-8")
    high = len(body.translate(None, bytes(range(128))))
    return decode(body, encoding=None if high > _NON_LATIN * len(body) else "cp1252").data.decode("utf-8")


def entities_of(text: str) -> Mapping[str, str] | None:
    """Returns the entities that the document type declares; None if any is more than a short plain text."""
    root = _ROOT.search(text)
    prolog = text[: root.start()] if root else text[:100_000]
    declared = _PLAIN_ENTITY.findall(prolog)
    if len(declared) != len(_ENTITY.findall(prolog)):
        return None
    values = {name: html.unescape(double or single) for name, double, single in declared}
    return None if any("&" in value and value != "&" for value in values.values()) else values


def well_formed(text: str, entities: Mapping[str, str]) -> str:
    """Returns the text as XML: without declaration and document type, with allowed characters only, and with every `&`
    in a reference that XML knows. CDATA stays as it is."""
    head, rest = text[:20_000], text[20_000:]
    text = _DOCTYPE.sub(" ", _DECLARATION.sub("", head, count=1), count=1) + rest
    text = _FORBIDDEN.sub(" ", text)
    known = partial(_reference, entities=entities)
    parts: list[str] = []
    position = 0
    while True:
        start = text.find(_CDATA, position)
        end = text.find("]]>", start) if start >= 0 else -1
        if end < 0:
            return "".join([*parts, _REFERENCE.sub(known, text[position:])])
        parts += [_REFERENCE.sub(known, text[position:start]), text[start : end + 3]]
        position = end + 3


def _reference(match: re.Match[str], entities: Mapping[str, str]) -> str:
    """Returns a reference in the form that XML knows without a document type."""
    number, name = match.groups()
    if name in _KEPT:
        return match.group()
    if number:
        character = html.unescape(match.group()).replace("\ufffd", "")
    else:
        character = entities.get(name) or html.entities.html5.get(f"{name};", "")
    if not character:
        return " " if number else f"&amp;{match.group()[1:]}"
    return html.escape(_FORBIDDEN.sub(" ", character), quote=False)
