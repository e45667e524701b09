"""Decides which addresses are articles: by a site's own rule, or by a general rule for sites without one.

The general rule reads the address alone. On most sites an article's address ends in a slug of several words or contains
a number or a date, and sections, tags, authors and services have short names.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final
from urllib.parse import parse_qsl, unquote, urlsplit

from newscrawl.model.word_lists import read_sections

SLUG_WORDS: Final = 4
"""Words of a last path segment that make an address an article's. In the test data few names of sections and topics
have three words ("liga-de-campeones") and none has more; nearly all headlines do."""

SHORT_SLUG_WORDS: Final = 2
"""Words that suffice if the address also has an article's ending (.html) or a date."""

ID_DIGITS: Final = 5
"""Digits of a running number. Shorter numbers are pages, years and issue numbers."""

_WORDS: Final = read_sections(__file__, "phrases/address_words.txt")
_SERVICES: Final = frozenset(_WORDS["services"])
"""Path segments, at any depth, below which there are lists and services but no articles."""
_LISTS: Final = frozenset(_WORDS["lists"])
"""Last segments that name a list."""

_FRONT_PAGES: Final = frozenset({"index", "home", "default", "portada", "inicio"})

_FILES: Final = frozenset(
    """pdf jpg jpeg png gif webp svg ico avif mp3 mp4 m4a m3u8 webm mov avi wav ogg zip gz rar 7z exe apk xml rss atom
    json txt csv doc docx xls xlsx ppt pptx odt epub ics css js woff woff2 wmv wma rm ram asx flv""".split()
)
"""Endings of files that are no pages."""

_PAGE_ENDINGS: Final = frozenset("html htm shtml xhtml php aspx asp jsp jhtml ece cfm story stm amp".split())
_SEARCH_PARAMETERS: Final = frozenset("s q query search keyword keywords buscar texto redirect_to returnurl".split())
_ID_PARAMETER: Final = re.compile(
    r"(?:id|nid|p|story|storyname|article|articleid|contentid|artid|newsid|in_article_id|pid|a)$", re.IGNORECASE
)

_YEAR: Final = r"(?:19|20)\d\d"
_MONTH: Final = r"(?:0?[1-9]|1[0-2]|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|ene|abr|ago|dic)"
_DAY: Final = r"(?:0?[1-9]|[12]\d|3[01])"
_DATE: Final = re.compile(
    rf"/{_YEAR}[/\-]{_MONTH}(?:[/\-]{_DAY})?(?=[/\-_]|$)|/{_YEAR}(?:0[1-9]|1[0-2])(?:[0-2]\d|3[01])(?=[/\-_]|$)",
    re.IGNORECASE,
)
_WORD: Final = re.compile(r"[^\W\d_]{2,}")
_NUMBER: Final = re.compile(rf"(?<![\d.])\d{{{ID_DIGITS},}}(?!\d)|\d\.\d{{{ID_DIGITS},}}")
_CODE: Final = re.compile(
    r"(?:^|[-_.])(?=[a-z]*\d)(?=\d*[a-z])[0-9a-z]{10,}$"  # a hexadecimal or base-36 id at the end
    r"|(?<![A-Z0-9])(?=[A-Z]*\d)[A-Z0-9]{20,}$"  # base 32
    r"|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-"  # UUID
)
_PAGINATION: Final = re.compile(r"(?:p|page|pagina|pag|seite)?[-_]?\d{1,4}$", re.IGNORECASE)
_LANGUAGE_HOME: Final = re.compile(r"[a-z]{2}(?:[-_][a-z]{2})?$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class ArticleRule:
    """The rule for a site's articles: expressions that are searched in the path, and in path and query.

    Without expressions the general rule decides. Addresses that are no article on any site (search, log-in, tags,
    PDF ...) are refused in any case.
    """

    patterns: tuple[re.Pattern[str], ...] = ()

    @classmethod
    def of(cls, expressions: Iterable[str]) -> ArticleRule:
        return cls(tuple(re.compile(expression) for expression in expressions))

    def accepts(self, url: str) -> bool:
        if not self.patterns:
            return looks_like_article(url)
        if never_an_article(url):
            return False
        parts = urlsplit(url)
        addresses = [parts.path] + ([f"{parts.path}?{parts.query}"] if parts.query else [])
        return any(pattern.search(address) for pattern in self.patterns for address in addresses)


def is_home(url: str) -> bool:
    """Returns whether the address is the front page of a site, in any language."""
    segments = _segments(url)
    if len(segments) > 1 or _has_id_parameter(url):
        return False
    name = _stem(segments[0])[0].lower() if segments else "index"
    return name in _FRONT_PAGES or bool(_LANGUAGE_HOME.match(name))


def is_file(url: str) -> bool:
    """Returns whether the address ends like a picture, sound, document or data file."""
    segments = _segments(url)
    return bool(segments) and _stem(segments[-1])[1] in _FILES


def never_an_article(url: str) -> bool:
    """Returns whether the address is no article on any site: home page, file, log-in, search, tag or author page."""
    if is_home(url):
        return True
    names = {name.lower() for name, _ in parse_qsl(urlsplit(url).query)}
    if names & _SEARCH_PARAMETERS:
        return True
    segments = [segment.lower() for segment in _segments(url)]
    if not segments:
        return False  # "/?p=1234"
    name, ending = _stem(segments[-1])
    if ending in _FILES or _SERVICES.intersection([*segments, name]):
        return True
    return len(segments) > 1 and segments[-2] in {"page", "pagina"} and name.isdigit()


def looks_like_article(url: str) -> bool:
    """Returns whether the general rule takes the address for an article: a date with a name after it, a running number,
    or a slug of several words."""
    if never_an_article(url):
        return False
    if _has_id_parameter(url):
        return True
    segments = _segments(url)
    name, ending = _stem(segments[-1])
    if name.lower() in _LISTS or _PAGINATION.match(name):
        return False
    if _NUMBER.search(name) or _CODE.search(name):
        return True
    words = _WORD.findall(name)
    if len(words) >= SLUG_WORDS or _long_without_blanks(name):
        return True
    if _date_before_name(segments):
        return True
    if len(words) < SHORT_SLUG_WORDS:
        return len(segments) > 1 and bool(_NUMBER.search(segments[-2])) and bool(words)
    numbered = any(_NUMBER.search(segment) for segment in segments[:-1])
    return numbered or (ending in _PAGE_ENDINGS and len(segments) > 1)


def _segments(url: str) -> list[str]:
    return [segment for segment in unquote(urlsplit(url).path).split("/") if segment]


def _stem(segment: str) -> tuple[str, str]:
    """Returns a segment without its ending, and the ending in lower case."""
    name, dot, ending = segment.rpartition(".")
    ending = ending.lower()
    if dot and name and (ending in _PAGE_ENDINGS or ending in _FILES):
        return name, ending
    return segment, ""


def _date_before_name(segments: list[str]) -> bool:
    """Returns whether the path has a date with a name, not only a page number, after it."""
    match = _DATE.search("/" + "/".join(segments))
    if match is None:
        return False
    behind = ("/" + "/".join(segments))[match.end() :].strip("/-_")
    return bool(_WORD.search(_stem(behind)[0]))


def _long_without_blanks(name: str) -> bool:
    """Returns whether the name is a headline in a script without spaces."""
    return len(name) >= 8 and sum(ord(character) > 0x2E7F for character in name) >= 8


def _has_id_parameter(url: str) -> bool:
    query = urlsplit(url).query
    return any(_ID_PARAMETER.match(name) and any(c.isdigit() for c in value) for name, value in parse_qsl(query))
