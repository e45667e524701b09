"""Names of elements: ids, classes, roles and properties, split into words with a learned weight."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Final, TypeAlias

from newscrawl.page.elements import Elements

MAX_NAMES: Final = 400
"""Characters of an element's names that are read. Generated class lists can be longer than the article."""

NAME_KEYS: Final = ("id", "class", "role", "itemprop")
"""Attributes with an element's names, in the order in which `names_among` takes their values."""

_WORD: Final = re.compile(r"[A-Z]?[a-z]{2,}|[A-Z]{2,}")

Names: TypeAlias = tuple[int, tuple[str, ...]]
"""Bits of the `GROUPS` that an element's names match, and the words in them."""

GROUPS: Final[Mapping[str, re.Pattern[str]]] = {
    name: re.compile(pattern)
    for name, pattern in {
        "body": r"article-?_?(?:body|text|content)|story-?_?(?:body|text|content)|entry-?_?content"
        r"|post-?_?(?:content|body)|articlebody|body-?copy|main-?text|rich-?text",
        "article": r"article|story|entry|post|content|main|text|body",
        "comment": r"comment(?!ary)|disqus|livefyre|respond|reply|forum",
        "share": r"share|sharing|social|follow|facebook|twitter|addthis|whatsapp",
        "related": r"related|recommend|more-?_?(?:stories|news|from|on)|read-?_?(?:more|also|next)|similar|trending"
        r"|popular|most|latest|teaser|promo|recirc|outbrain|taboola|also|see-?also|zergnet|suggest",
        "caption": r"caption|credit|photo|image|picture|gallery|media|slide|video|legend|wp-caption",
        "byline": r"byline|author|writer|contributor|reporter|autor|auteur|bio|profile|avatar",
        "date": r"date|time|publish|updated|timestamp|dateline",
        "title": r"title|headline|heading|kicker|titre|titulo",
        "lead": r"lead|lede|intro|standfirst|summary|excerpt|deck|dek|subtitle|teaser|abstract|chapeau",
        "nav": r"nav|menu|breadcrumb|crumb|tab|toolbar|pagination|pager|skip|topbar",
        "foot": r"foot|copyright|legal|disclaimer|terms|cookie|consent|gdpr|privacy",
        "side": r"side|aside|widget|rail|column|module|box|secondary",
        "advert": r"\bad\b|\bads\b|advert|sponsor|banner|promo|dfp|commercial|partner",
        "subscribe": r"newsletter|subscri|sign-?_?up|register|login|paywall"
        r"|donat|support|member|form|modal|popup|overlay",
        "tag": r"\btags?\b|topic|keyword|categor|label|section-?name",
        "quote": r"quote|pullquote|blockquote|tweet|embed|instagram",
    }.items()
}
"""Kinds of elements by their names, after the lists of readability tools, extended by words of the training pages."""


def words_of(elements: Elements, element: int) -> tuple[str, ...]:
    """Returns the words in an element's names, in lower case, each once, in alphabetical order."""
    return names_of(elements, element)[1]


def groups_of(elements: Elements, element: int) -> int:
    """Returns the bits of the `GROUPS` that an element's own names match."""
    return names_of(elements, element)[0]


def names_of(elements: Elements, element: int) -> Names:
    """Returns both `groups_of` and `words_of`."""
    return names_among(elements.values(element, NAME_KEYS))


def names_among(values: Sequence[str | None] | None) -> Names:
    """Returns the same from the values of an element's `NAME_KEYS`; None stands for an element without attributes."""
    return _read(" ".join([value[:MAX_NAMES] for value in values if value])) if values else (0, ())


@lru_cache(maxsize=8192)
def _read(joined: str) -> Names:
    words = {word.lower() for word in _WORD.findall(joined)}
    lowered = joined.lower()
    groups = sum(1 << bit for bit, pattern in enumerate(GROUPS.values()) if pattern.search(lowered))
    return groups, tuple(sorted(words))
