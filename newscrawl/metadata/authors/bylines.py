"""Author statements in the visible page: author links, bylines, "By ..." near the headline."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from newscrawl.metadata.authors.names import BY, BY_GLUED, HELPED, LABEL, looks_like_name, names_in
from newscrawl.metadata.dates.nearby import Nearby
from newscrawl.page.head import Link, Marked

MAX_ELEMENTS: Final = 20
"""Byline elements looked at."""

MAX_LINES: Final = 6
"""Lines of a byline element looked at: an element further up may be called "author" as well."""

_AUTHOR_PATH: Final = re.compile(
    r"/(?:authors?|writers?|staff|people|profiles?|contributors?|by|bio|reporters?|journalists?|columnists?|autor(?:es|en|in)?|auteurs?|"
    r"redaktion|redaktor|firmas?|autori)/[^/]",
    re.IGNORECASE,
)
_CLASSES: Final = ("author", "byline", "autor", "auteur", "firma")
_NAME_AND_DAY: Final = re.compile(
    r"(\S+(?:\s\S+){1,3}?)\s*[,|•·–-]?\s*(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*\.? \d{1,2}, \d{4}$"
)
_DATED_LINES: Final = 3
"""A line of name and day stands right below the headline; further on it is another article's."""
_JOINTS: Final = frozenset(
    {",", ";", "|", "•", "·", "/", "and", "&", ", and", "und", "et", "y", "e", "en", "och", "og"}
)
_MIN_NAME_WORDS: Final = 2
_MAX_LINK_WORDS: Final = 5


def linked_names(nearby: Nearby) -> Iterator[str]:
    """Texts of rel=author links, else of links to an author's page near the headline."""
    marked = (m for m in nearby.page.hints.marked if m.attributes.get("rel") == "author" and m.text)
    found = [m.text for m in nearby.ordered(marked)]
    yield from found or [link.text for link in nearby.links if is_author_link(link)]


def byline_names(nearby: Nearby) -> Iterator[str]:
    """The first element whose class says byline or author: its author links, else its first line that holds a name."""
    marked = (m for m in nearby.page.hints.marked if _is_byline(m))
    for m in nearby.ordered(marked)[:MAX_ELEMENTS]:
        if linked := [link.text for link in nearby.links_in(m) if is_author_link(link)]:
            yield from linked
            return
        lines = [piece for piece in nearby.pieces(m)[:MAX_LINES] if names_in(piece)]
        if lines:
            yield next((line for line in lines if any(map(looks_like_name, names_in(line)))), lines[0])
            return


def introduced_names(nearby: Nearby) -> Iterator[str]:
    """The first short run near the headline that begins with "By", or stands behind one that says only that, and goes
    on with what can be names; else one with a name glued to its "By", else the first that is a name and a day."""
    glued = [BY_GLUED.sub("By ", text) for text in nearby.texts if BY_GLUED.match(text)]
    for text in (*nearby.texts, *_labelled(nearby), *glued):
        if BY.match(text) and (text[0].isupper() or len(text.split()) <= _MAX_LINK_WORDS):
            names = names_in(text)
            if names and all(map(looks_like_name, names)):
                yield text
                return
    for text in nearby.texts[:_DATED_LINES]:
        if (found := _NAME_AND_DAY.match(text)) and looks_like_name(found.group(1)):
            yield found.group(1)
            return


def _labelled(nearby: Nearby) -> Iterator[str]:
    """Names behind a "By" in an element of its own, with those that a comma or "and" in one of its own adds."""
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
    """Names that a line near the headline gives another part in the article: pictures, editing, contributions."""
    texts = nearby.texts
    for number, text in enumerate(texts):
        if found := HELPED.match(text):
            rest = text[found.end() :]
            yield from names_in(rest or " ".join(texts[number + 1 : number + 2]))


def is_author_link(link: Link) -> bool:
    """Whether the link goes to an author's page and its text can be a name."""
    words = link.text.split()
    return _MIN_NAME_WORDS <= len(words) <= _MAX_LINK_WORDS and _AUTHOR_PATH.search(link.href[:500]) is not None


def _is_byline(marked: Marked) -> bool:
    names = marked.attributes.get("class", "").lower()
    return bool(marked.text) and "comment" not in names and any(word in names for word in _CLASSES)
