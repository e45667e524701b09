"""Handles text after the end of a document. Browsers show it where it stands; libxml2 drops what follows `</html>` and
closes all open elements at `</body>`."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from newscrawl.compiled import choose
from newscrawl.page.compiled import BYTES
from newscrawl.page.jsonld.entities import decode_references

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
