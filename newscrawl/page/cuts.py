"""Shortens and mends the bytes of a page before they are parsed.

Scripts, styles and excess attributes are cut out. This is the tokenizer of the HTML standard (section 13.2.5), as far
as ordinary pages need it. libxml2 follows it from version CUT_FROM on. At bytes that parsers may read differently, or
whose meaning depends on the tree, the rest of the page is left as it is, so that the tree of the remaining parts stays
the same.

Text after the end of a document stays. Browsers show it where it stands; libxml2 drops what follows `</html>` and
closes all open elements at `</body>`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Final

from lxml import etree

from newscrawl.compiled import BYTES, choose
from newscrawl.page.jsonld import decode_references

MAX_ATTRIBUTES: Final = 500
"""Attributes of one element that are kept. libxml2 compares each with all earlier ones, which takes quadratic time."""
MAX_PIECES: Final = 1000
"""Most pieces that are cut out of one page."""
CUT_FROM: Final = (2, 14)
"""The first libxml2 version that reads tags as the HTML standard does."""

_WHITE: Final = rb"[ \t\n\f\r]*+"
_BETWEEN: Final = rb"[ \t\n\f\r/]*+"
"""The characters that may be between attributes."""
_NAME: Final = rb"[A-Za-z][^ \t\n\f\r/>\0]*+"
_ATTRIBUTE: Final = (
    rb"[^ \t\n\f\r/>\0][^ \t\n\f\r/>=\0]*+" + _WHITE +  # its name, of which the first character may be any
    rb"(?:=" + _WHITE + rb"""(?:"[^"]*+"|'[^']*+'|(?!["'])[^ \t\n\f\r>\0]*+)|(?!=))"""
)  # fmt: skip
_ATTRIBUTES: Final = rb"(?:%b%b){0,%d}+" % (_BETWEEN, _ATTRIBUTE, MAX_ATTRIBUTES)

_RAW: Final = (b"script", b"style", b"title", b"textarea", b"xmp", b"iframe", b"noembed", b"noframes")
"""Elements without mark-up inside."""
_UNSURE: Final = frozenset({b"math", b"frameset", b"plaintext", b"foreignobject"})
"""Elements in which parsers apply other rules."""
_SPECIAL: Final = b"|".join((*_RAW, *sorted(_UNSURE), b"svg", b"select"))

_ORDINARY: Final = re.compile(
    rb"(?:[^<]++"
    rb"|<(?![A-Za-z/!?])"
    rb"|<(?!(?i:%(special)b)[ \t\n\f\r/>\0])%(name)b%(attributes)b%(between)b>"
    rb"|</(?!(?i:svg|select)[ \t\n\f\r/>\0])%(name)b%(white)b>"
    rb"|<!--(?!-?!?>)[^-]*+(?:-(?!-!?>)[^-]*+)*+-->"
    rb")*+"
    % {
        b"special": _SPECIAL,
        b"name": _NAME,
        b"attributes": _ATTRIBUTES,
        b"between": _BETWEEN,
        b"white": _WHITE,
    }
)
"""Text, tags and comments without effect on the cuts."""
_START: Final = re.compile(rb"<(%b)%b(%b)" % (_NAME, _ATTRIBUTES, _BETWEEN))
"""A start tag up to its ">", or up to the first excess attribute."""
_MORE: Final = re.compile(
    rb"%(one)b(?:%(between)b%(one)b)*+(%(between)b)>" % {b"one": _ATTRIBUTE, b"between": _BETWEEN}
)
_END: Final = re.compile(rb"</(%b)%b>" % (_NAME, _WHITE))
_DECLARATION: Final = re.compile(rb"<!(?:doctype|\[if|\[endif)[^<'>]*+>", re.IGNORECASE)
_END_OF: Final = {name: re.compile(rb"</%b[ \t\n\f\r/>]" % name, re.IGNORECASE) for name in _RAW}


def _without_scripts(html: bytes) -> bytes:
    """Returns the page without the content of scripts and styles, except JSON-LD, and without each element's attributes
    after the 500th. The rest is parsed as before. Takes linear time in the size of the page."""
    kept = 0
    pieces = []
    for start, end in islice(_unread(html), MAX_PIECES):
        pieces.append(html[kept:start])
        kept = end
    return b"".join((*pieces, html[kept:])) if pieces else html


def _unread(html: bytes) -> Iterator[tuple[int, int]]:
    """Yields the begin and end of each piece that can be cut out, up to the first that is not plain."""
    at = foreign = 0
    in_select = False
    while (ordinary := _ORDINARY.match(html, at)) and (at := ordinary.end()) < len(html):
        if end_tag := _END.match(html, at):
            foreign -= end_tag[1].lower() == b"svg" and foreign > 0
            in_select = in_select and end_tag[1].lower() != b"select"
            at = end_tag.end()
            continue
        if declaration := _DECLARATION.match(html, at):
            if declaration[0].count(b'"') % 2:
                return
            at = declaration.end()
            continue
        tag = _START.match(html, at)
        last = tag and _last_part(html, tag)
        if tag is None or last is None:
            return
        closes = last[last.lastindex or 0].endswith(b"/")
        if last is not tag:
            yield last.start(), last.end() - 1 - closes
        name = tag[1].lower()
        inside = last.end() + (last is tag)
        if name in _UNSURE:
            return
        if name not in _END_OF:
            foreign += name == b"svg" and not closes
            in_select = in_select or name == b"select"
            at = inside
            continue
        end = _END_OF[name].search(html, inside)
        if end is None or closes:
            return
        content = html[inside : end.start()]
        if not _is_plain(name, content, foreign=foreign > 0, in_select=in_select):
            return
        if name == b"style" or (name == b"script" and not _may_be_read(html[at:inside].lower())):
            yield inside, end.start()
        at = end.start()


def _last_part(html: bytes, tag: re.Match[bytes]) -> re.Match[bytes] | None:
    """Returns the match that ends at the end of the start tag: `tag`, or the match of its excess attributes; None if
    the tag does not end."""
    return tag if html.startswith(b">", tag.end()) else _MORE.match(html, tag.end())


def _is_plain(name: bytes, content: bytes, *, foreign: bool, in_select: bool) -> bool:
    """Returns whether all parsers end this element without mark-up at the end of `content`."""
    if name == b"script" and b"<!--" in content and b"<script" in content.lower():
        return False
    if foreign and (name != b"title" or b"<" in content):
        return False
    return not in_select or name == b"script"


def _may_be_read(tag: bytes) -> bool:
    """Returns whether a script's start tag, in lower case, may declare JSON-LD."""
    return b"json" in tag and (b"ld" in tag or b"&" in tag)


def _whole(html: bytes) -> bytes:
    return html


without_scripts: Final[Callable[[bytes], bytes]] = (
    choose(BYTES, "without_scripts", _without_scripts) if etree.LIBXML_VERSION >= CUT_FROM else _whole
)
"""Parsing the content of scripts and styles takes a tenth of the parse, and nothing reads it (`hints.is_unread`)."""


TEXT_LOST: Final = "text after the document's end is missing"
"""Words after the first `</body>` or `</html>` that the tree does not have."""

_ENDS: Final = (b"</body", b"</html")
_ANY_END: Final = re.compile(rb"</(?:body|html)\b[^<>]*+>", re.IGNORECASE)
_COMMENT: Final = rb"!--[^-]*+(?:-(?!->)[^-]*+)*+"
_UP_TO_END: Final = rb"\b[^<]*+(?:<(?!/(?P=name)\b)[^<]*+)*+"
"""What follows the name of an element, up to its end tag."""
_UNSEEN: Final = re.compile(
    rb"<(?:%b(?:-->|\Z)|(?P<name>script|style|noscript|template|iframe|textarea|select|title|svg|object|head)%b"
    rb"(?:</(?P=name)\b[^<>]*+>?|\Z)|[!?/a-z][^<>]*+>?)" % (_COMMENT, _UP_TO_END),
    re.IGNORECASE,
)
"""Comments, elements whose text is not shown or not read, and tags."""

_END_OR_RAW: Final = re.compile(
    rb"<(?:(?P<end>/(?:body|html)\b)|%b(?:-->|\Z)|(?P<name>script|style|textarea|title)%b)" % (_COMMENT, _UP_TO_END),
    re.IGNORECASE,
)
"""The end of a document, or a part of a page that may contain text that looks like one."""

_WORD: Final = re.compile(r"\w+")


def without_early_end(html: bytes) -> tuple[bytes, frozenset[str]]:
    """Returns the page without `</body>` and `</html>`, and the words that follow the end of its document; the page
    unchanged if there are none.

    In the HTML standard, text after the end belongs to the element that was open before it. Takes time linear in the
    size of the page.
    """
    first = first_end(html)
    if first < 0 or not _shown_words(html[first:]):
        return html, frozenset()
    end = next((found.start() for found in _END_OR_RAW.finditer(html) if found["end"]), len(html))
    words = _shown_words(html[end:])
    return (_ANY_END.sub(b"", html) if words else html), words


def _first_end(html: bytes) -> int:
    """Returns the position of the first `</body` or `</html`, in letters of any case; -1 if there is none."""
    lower = html.lower()
    return min((place for end in _ENDS if (place := lower.find(end)) >= 0), default=-1)


first_end: Final = choose(BYTES, "first_end", _first_end)


def are_missing(words: frozenset[str], texts: Iterable[str]) -> bool:
    """Returns whether any of the words is in none of the texts."""
    if not words:
        return False
    left = set(words)
    for text in texts:
        left.difference_update(_WORD.findall(text))
        if not left:
            return False
    return True


def _shown_words(rest: bytes) -> frozenset[str]:
    text = _UNSEEN.sub(b" ", rest).decode("utf-8", "replace")
    return frozenset(_WORD.findall(decode_references(text)))
