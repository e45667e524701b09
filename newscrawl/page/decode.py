"""Decodes bytes in the order of the WHATWG encoding standard: byte order mark, HTTP header, meta, detection.

There are two departures. Valid UTF-8 is read as UTF-8 although a meta element declares another encoding
(`_is_surely_utf8`). Bytes that are clearly not UTF-8 are not read as such although a header or meta element declares it
(`_is_surely_not_utf8`).
"""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass
from itertools import islice
from typing import Final, Literal

import cchardet
from w3lib.encoding import html_body_declared_encoding, http_content_type_encoding, read_bom, resolve_encoding

from newscrawl.compiled import BYTES, choose

EncodingSource = Literal["text", "caller", "bom", "header", "meta", "detected", "default"]

FALLBACK: Final = "cp1252"
"""Every byte sequence reads as windows-1252, the standard's fallback for western pages."""

ALLOWED_CODECS: Final = frozenset(
    [
        "utf-8",
        "utf-16-le",
        "utf-16-be",
        "utf-32-le",
        "utf-32-be",
        "cp866",
        "iso8859-2",
        "iso8859-3",
        "iso8859-4",
        "iso8859-5",
        "iso8859-6",
        "iso8859-7",
        "iso8859-8",
        "iso8859-10",
        "iso8859-13",
        "iso8859-14",
        "iso8859-15",
        "iso8859-16",
        "koi8-r",
        "koi8-u",
        "mac-roman",
        "mac-cyrillic",
        "cp874",
        "cp1250",
        "cp1251",
        "cp1252",
        "cp1253",
        "cp1254",
        "cp1255",
        "cp1256",
        "cp1257",
        "cp1258",
        "gb18030",
        "gbk",
        "big5",
        "big5hkscs",
        "euc_jp",
        "iso2022_jp",
        "shift_jis",
        "cp932",
        "euc_kr",
        "cp949",
        "johab",
    ]
)
"""The standard's encodings as Python names them. Others are ignored when declared: UTF-7 smuggles mark-up, and Python
has codecs that are no character sets at all."""

_AS_BROWSERS_READ: Final = {
    "utf-16": "utf-16-le",
    "ascii": "cp1252",
    "iso8859-1": "cp1252",
    "iso8859-9": "cp1254",
    "iso8859-11": "cp874",
    "tis-620": "cp874",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "shift_jis": "cp932",
    "euc_kr": "cp949",
    "big5": "big5hkscs",
}
"""Labels that browsers read as a superset of the named encoding (encoding standard, section 4.2)."""

DETECTION_BYTES: Final = 65_536
"""Bytes of a page without any declaration that are used for detection."""

_PAGE_SAYS: Final = frozenset({"header", "meta"})
_ASCII: Final = bytes(range(0x80))
MIN_UTF8_SEQUENCES: Final = 3
"""Least number of sequences. Fewer could be chance in an encoding with two-byte characters."""

_UTF8_SEQUENCE: Final = re.compile(rb"[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}")
_CHUNK: Final = 8192
"""Bytes that are decoded at once (4 kB to 16 kB take the same time, less or more is slower)."""
_CONTROL: Final = bytes([*range(0x09), 0x0B, *range(0x0E, 0x1B), *range(0x1C, 0x20)])
"""Binary data bytes of the WHATWG MIME sniffing standard, section 3."""
_SNIFFED_BYTES: Final = 1445
"""Resource header length of that standard, section 5.2."""
_STRAY_CONTROLS: Final = 3
_STRAY_SHARE: Final = 1 / 50
"""Largest share of control characters in a text. In compressed data they are a tenth."""
_KINDS: Final = (
    (rb"%PDF-", "a PDF file"),
    (rb"\xff\xd8\xff", "a JPEG image"),
    (rb"\x89PNG\r\n", "a PNG image"),
    (rb"GIF8[79]a", "a GIF image"),
    (rb"RIFF....WEBP", "a WebP image"),
    (rb"\x1f\x8b\x08", "a gzip file"),
    (rb"PK\x03\x04", "a ZIP file or an Office document"),
    (rb"\xd0\xcf\x11\xe0", "an old Office document"),
    (rb"Rar!\x1a|7z\xbc\xaf|\xfd7zXZ|BZh[1-9]1AY|\x28\xb5\x2f\xfd", "a packed file"),
    (rb"....ftyp|OggS\x00|ID3[\x00-\x09]|\x1a\x45\xdf\xa3", "a film or sound"),
    (rb"wOF[F2]", "a font"),
    (rb"\x7fELF", "a program"),
)
"""The first bytes of files of other kinds, from the descriptions of their formats."""
_KIND: Final = re.compile(b"|".join(b"(%b)" % begin for begin, _ in _KINDS), re.DOTALL)
"""All of them, each as a group."""


@dataclass(frozen=True, slots=True)
class Decoded:
    """A page's characters as UTF-8 bytes without NUL, and how they were read."""

    data: bytes
    encoding: str
    source: EncodingSource
    replaced: int = 0
    """The number of byte sequences that are not a character in `encoding`; they are replaced by U+FFFD."""


def decode(body: bytes | str, *, content_type: str | None = None, encoding: str | None = None) -> Decoded:
    """Decodes `body`; never raises.

    `content_type` is the HTTP header's value. `encoding` overrides page and header.
    """
    if isinstance(body, str):
        return Decoded(_clean(body.encode("utf-8", "replace")), "utf-8", "text")
    name, source, body = _choose(body, content_type, encoding)
    if name == "utf-8" and is_utf8(body):
        return Decoded(_clean(body), name, source)
    if name == "utf-8" and source in _PAGE_SAYS and _is_surely_not_utf8(body):
        name, source, body = _detect(body)
    text = body.decode(name, "replace")
    replaced = text.count("\ufffd")
    return Decoded(_clean(text.encode("utf-8", "replace")), name, source, replaced)


def binary_kind(body: bytes) -> str | None:
    """Returns the kind of a file that is not a text page, whatever its declared type; None for a page.

    It is recognized by the first bytes of the file, else by the share of control characters. A few control characters
    are no evidence: browsers ignore them, and titles and texts that passed through many systems contain some.
    """
    if read_bom(body)[0] is not None:
        return None
    if begin := _KIND.match(body):
        return _KINDS[(begin.lastindex or 1) - 1][1]
    start = body[:_SNIFFED_BYTES]
    controls = len(start) - len(start.translate(None, _CONTROL))
    if controls > _STRAY_CONTROLS and controls > _STRAY_SHARE * len(start) and not _is_wide_ascii(start):
        return "binary data"
    return None


def _is_wide_ascii(start: bytes) -> bool:
    """Returns whether the bytes are UTF-16 without a byte order mark: every other byte of a page's mark-up is NUL."""
    return min(start[0::2].count(0), start[1::2].count(0)) == 0 and start.count(0) * 3 > len(start)


def _clean(data: bytes) -> bytes:
    return data.replace(b"\0", b"") if b"\0" in data else data


def _choose(body: bytes, content_type: str | None, encoding: str | None) -> tuple[str, EncodingSource, bytes]:
    bom, mark = read_bom(body)
    if bom is not None and mark is not None:
        return _codec(bom) or "utf-8", "bom", body[len(mark) :]
    if name := _codec(encoding):
        return name, "caller", body
    if name := _codec(http_content_type_encoding(content_type) if content_type else None):
        return name, "header", body
    if name := _codec(html_body_declared_encoding(body)):
        # A page whose declaration can be read byte by byte is not in an encoding of two-byte units (standard, prescan).
        if name.startswith(("utf-16", "utf-32")):
            return "utf-8", "meta", body
        return ("utf-8", "detected", body) if name != "utf-8" and _is_surely_utf8(body) else (name, "meta", body)
    return _detect(body)


def _is_surely_utf8(body: bytes) -> bool:
    """Returns whether the page is UTF-8 although a meta element declares another encoding, which was not changed in a
    conversion.

    This departs from the standard's order: archives and proxies convert pages to UTF-8 and declare it in a header that
    is not stored with the file. Text in another encoding is not valid UTF-8 by chance in so many places: each sequence
    would have to be a rare pair like "Ã©".
    """
    sequences = _UTF8_SEQUENCE.finditer(body, 0, DETECTION_BYTES)
    if len(list(islice(sequences, MIN_UTF8_SEQUENCES))) < MIN_UTF8_SEQUENCES:
        return False
    return is_utf8(body)


def _is_surely_not_utf8(body: bytes) -> bool:
    """Returns whether a declaration of UTF-8 is wrong: most bytes beyond ASCII are not UTF-8 characters.

    This departs from the standard too. Browsers show such a page with many U+FFFD. A reader would notice that, but an
    index would store the wrong characters.
    """
    beyond = len(body.translate(None, _ASCII))
    valid = sum(len(match[0]) for match in _UTF8_SEQUENCE.finditer(body))
    return beyond - valid >= MIN_UTF8_SEQUENCES and valid < beyond / 2


def _is_utf8(body: bytes) -> bool:
    """Returns whether every byte sequence is a character. Most of a page is ASCII, which need not be decoded for
    this."""
    size = len(body)
    start = 0
    while start < size:
        end = start + _CHUNK
        if not body[start:end].isascii():
            while end < size and body[end] & 0xC0 == 0x80 and end < start + _CHUNK + 4:  # the rest of a character
                end += 1
            try:
                body[start:end].decode("utf-8")
            except UnicodeDecodeError:
                return False
        start = end
    return True


is_utf8: Final = choose(BYTES, "is_utf8", _is_utf8)


def _detect(body: bytes) -> tuple[str, EncodingSource, bytes]:
    start = body[:_SNIFFED_BYTES]
    if start and _is_wide_ascii(start):
        return ("utf-16-le" if start[1::2].count(0) else "utf-16-be"), "detected", body
    if is_utf8(body):
        return "utf-8", "detected", body
    name = _codec(cchardet.detect(body[:DETECTION_BYTES]).get("encoding"))
    return (name, "detected", body) if name else (FALLBACK, "default", body)


def _codec(label: str | None) -> str | None:
    """Returns Python's name for an encoding label; None for a label that is unknown or not a character set of the
    web."""
    if not label:
        return None
    resolved = resolve_encoding(label.strip().lower())
    if resolved is None:
        return None
    try:
        name = codecs.lookup(resolved).name
    except LookupError:
        return None
    name = _AS_BROWSERS_READ.get(name, name)
    return name if name in ALLOWED_CODECS else None
