"""Finds author statements in the visible page: author links, bylines, "By ..." near the headline."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from newscrawl.metadata.authors.names import BY, BY_GLUED, HELPED, LABEL, looks_like_name, names_in
from newscrawl.metadata.nearby import Nearby
from newscrawl.page.head import Link, Marked
from newscrawl.written_dates.months import ENGLISH_SHORT

MAX_ELEMENTS: Final = 20
"""Byline elements that are read."""

MAX_LINES: Final = 6
"""Lines of a byline element that are read. An element that contains the whole page may have the class "author", too."""

_AUTHOR_PATH: Final = re.compile(
    r"/(?:authors?|writers?|staff|people|profiles?|contributors?|by|bio|reporters?|journalists?|columnists?|autor(?:es|en|in)?|auteurs?|"
    r"redaktion|redaktor|firmas?|autori)/[^/]",
    re.IGNORECASE,
)
_CLASSES: Final = ("author", "byline", "autor", "auteur", "firma")
_NAME_AND_DAY: Final = re.compile(
    rf"(\S+(?:\s\S+){{1,3}}?)\s*[,|•·–-]?\s*(?:{ENGLISH_SHORT})[a-z]*\.? \d{{1,2}}, \d{{4}}$"
)
_DATED_LINES: Final = 3
"""Lines after the headline in which a name and a day are a byline. Further down they are of another article."""
_JOINTS: Final = frozenset(
    {",", ";", "|", "•", "·", "/", "and", "&", ", and", "und", "et", "y", "e", "en", "och", "og"}
)
_PARTS: Final = re.compile(r"\.\s+|\s?[|·•]\s?")
"""What separates the author in a line from others: "By Ada Example. Reviewed by Bob Example"."""
_MIN_NAME_WORDS: Final = 2
_MAX_LINK_WORDS: Final = 5


def linked_names(nearby: Nearby) -> Iterator[str]:
    """Yields the texts of rel=author links, else of links to an author's page near the headline."""
    marked = (m for m in nearby.page.hints.marked if m.attributes.get("rel") == "author" and m.text)
    texts = [m.text for m in nearby.ordered(marked)]
    yield from texts or [link.text for link in nearby.links if is_author_link(link)]


def byline_names(nearby: Nearby) -> Iterator[str]:
    """Yields, from the first element with a class for bylines or authors, its author links or its first line with a
    name."""
    marked = (m for m in nearby.page.hints.marked if _is_byline(m))
    for m in nearby.ordered(marked)[:MAX_ELEMENTS]:
        if linked := [link.text for link in nearby.links_in(m) if is_author_link(link)]:
            yield from linked
            return
        lines = [line for line in nearby.lines_in(m)[:MAX_LINES] if names_in(line)]
        if lines:
            yield next((line for line in lines if any(map(looks_like_name, names_in(line)))), lines[0])
            return


def introduced_names(nearby: Nearby) -> Iterator[str]:
    """Yields the first short run near the headline that begins with "By", or follows a run that consists of it, and
    continues with possible names; else one with a name directly after "By"; else the first with a name and a day."""
    glued = [BY_GLUED.sub("By ", text) for text in nearby.texts if BY_GLUED.match(text)]
    for text in (*nearby.texts, *_labelled(nearby), *glued):
        if BY.match(text):
            names = names_in(text)
            short = len(text.split()) <= _MAX_LINK_WORDS
            one = len(names) == 1 and len(text.partition(",")[0].split()) <= _MAX_LINK_WORDS
            if names and (text[0].isupper() or short or one) and all(map(looks_like_name, names)):
                yield text
                return
    for text in nearby.texts[:_DATED_LINES]:
        if (dated := _NAME_AND_DAY.match(text)) and looks_like_name(dated.group(1)):
            yield dated.group(1)
            return


def _labelled(nearby: Nearby) -> Iterator[str]:
    """Yields the names after a "By" in its own element, with the names that follow a comma or "and" in other
    elements."""
    lines = nearby.lines
    for number, line in enumerate(lines):
        if LABEL.fullmatch(line.before):
            names = [line.text]
            for joint, following in zip(lines[number + 1 :: 2], lines[number + 2 :: 2], strict=False):
                if joint.text not in _JOINTS:
                    break
                names.append(following.text)
            yield f"By {', '.join(names)}"


def helper_names(nearby: Nearby) -> Iterator[str]:
    """Yields the names that a line near the headline, or a part of it, credits with something else: pictures, editing,
    contributions."""
    texts = nearby.texts
    for number, text in enumerate(texts):
        for part in _PARTS.split(text):
            if helped := HELPED.match(part):
                rest = part[helped.end() :]
                yield from names_in(rest or " ".join(texts[number + 1 : number + 2]))


def is_author_link(link: Link) -> bool:
    """Returns whether the link leads to an author's page and its text may be a name."""
    words = link.text.split()
    return _MIN_NAME_WORDS <= len(words) <= _MAX_LINK_WORDS and _AUTHOR_PATH.search(link.href[:500]) is not None


def _is_byline(marked: Marked) -> bool:
    names = marked.attributes.get("class", "").lower()
    is_named = any(map(names.__contains__, _CLASSES)) and "comment" not in names
    return is_named and bool(marked.text)  # in this order, because the text is read when it is first needed
