"""Elements that stand inside an article's element and hold something else: told by tag and by the author's names."""

from __future__ import annotations

import re
from collections.abc import Container
from typing import Final

from newscrawl.page.elements import NO_PARENT, Elements

BOX_TAGS: Final = frozenset("aside button figcaption figure footer form nav".split())

CONSENT_NAMES: Final = re.compile("cookie|consent|privacy|onetrust|didomi|usercentrics")
"""What authors and the makers of such dialogs call a consent notice. Some notices are longer than the article."""
SURE_NAMES: Final = re.compile(
    f"{CONSENT_NAMES.pattern}|related|recommend|newsletter|subscri|promo|read-?(?:more|also|next)|also-?read"
    "|trending|most-?(?:read|popular)|authors?\\b|author-?(?:bio|box|info|desc|card)|about-?(?:the-)?author|bio\\b"
    "|disclaimer|disclosure|affiliate|commission|caption|credit|byline|dateline|timestamp|share|sharing|social"
    "|(?<!elementor-)widget|\\bcard\\b|modal(?!it)|pop-?up|popover|tooltip|lightbox|overlay|dialog(?!ue)"
    "|video-?(?:title|desc|info|player|list|js)|\\bvjs|player(?!s)|legend"
    "|(?:img|image|photo|picture)[-_]*(?:desc|title|text|info|meta|alt)"
    "|(?:^| )(?:hidden|hide|d-none|sr-only|screen-reader-text|visually-hidden)(?: |$)"
)
"""What authors call them in id, class, role and itemprop, and nothing else: text in there is dropped."""
ANY_NAMES: Final = re.compile(
    rf"{SURE_NAMES.pattern}|gdpr|comment(?!ary|ator)|most-|popular|teaser|sidebar|advert|\bads?\b|\bslot"
    "|sponsor|banner|widget|footer|author"
)
"""With names that an article's own parts sometimes bear: text in there is not taken back."""


PAGE_TAGS: Final = frozenset({"html", "body"})
"""Elements that are no boxes, whatever they are called (`<body class="comments-open">`)."""


class Boxes:
    """Which elements stand in a box below `top`; every element is climbed over once.

    `top` are the element that holds the article and all above it: they are no boxes, whatever they are called.
    """

    def __init__(
        self,
        elements: Elements,
        top: Container[int],
        names: re.Pattern[str] = ANY_NAMES,
        tags: Container[str] = BOX_TAGS,
        never: Container[str] = PAGE_TAGS,
    ) -> None:
        self._elements = elements
        self._names = names
        self._tags = tags
        self._never = never
        self._top = top
        self._known: dict[int, bool] = {NO_PARENT: False}

    def hold(self, element: int) -> bool:
        """Whether `element` is a box or stands inside one."""
        known = self._known
        climbed: list[int] = []
        while element not in known:
            if element in self._top:
                known[element] = False
                break
            climbed.append(element)
            if self._is_box(element):
                known[element] = True
            else:
                element = self._elements.parent[element]
        for below in climbed:
            known[below] = known[element]
        return known[element]

    def _is_box(self, element: int) -> bool:
        name = self._elements.name(element)
        if name in self._tags:
            return True
        return name not in self._never and self._names.search(self._elements.names_of(element)) is not None
