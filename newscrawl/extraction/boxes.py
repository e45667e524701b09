"""Elements that stand inside an article's element and hold something else: told by tag and by the author's names."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from newscrawl.extraction.climb import Test, named, numbers_of, standing_in
from newscrawl.page.elements import Elements

BOX_TAGS: Final = numbers_of("aside button figcaption figure footer form nav".split())

CONSENT_NAMES: Final = re.compile("cookie|consent|privacy|onetrust|didomi|usercentrics")
"""What authors and the makers of such dialogs call a consent notice. Some notices are longer than the article."""
HIDDEN_NAMES: Final = re.compile("(?:^| )(?:hidden|hide|d-none|sr-only|screen-reader-text|visually-hidden)(?: |$)")
"""What style libraries call what is not shown."""
SURE_NAMES: Final = re.compile(
    f"{CONSENT_NAMES.pattern}|related|recommend|newsletter|subscri|promo|read-?(?:more|also|next)|also-?read"
    "|trending|most-?(?:read|popular)|authors?\\b|author-?(?:bio|box|info|desc|card)|about-?(?:the-)?author|bio\\b"
    "|disclaimer|disclosure|affiliate|commission|caption|credit|byline|dateline|timestamp|share|sharing|social"
    "|(?<!elementor-)widget|\\bcard\\b|modal(?!it)|pop-?up|popover|tooltip|lightbox|overlay|dialog(?!ue)"
    "|video-?(?:title|desc|info|player|list|js)|\\bvjs|player(?!s)|legend"
    "|(?:img|image|photo|picture)[-_]*(?:desc|title|text|info|meta|alt)"
    f"|{HIDDEN_NAMES.pattern}"
)
"""What authors call them in id, class, role and itemprop, and nothing else: text in there is dropped."""
ANY_NAMES: Final = re.compile(
    rf"{SURE_NAMES.pattern}|gdpr|comment(?!ary|ator)|most-|popular|teaser|sidebar|advert|\bads?\b|\bslot"
    "|sponsor|banner|widget|footer|author"
)
"""With names that an article's own parts sometimes bear: text in there is not taken back."""


PAGE_TAGS: Final = numbers_of(["html", "body"])
"""Elements that are no boxes, whatever they are called (`<body class="comments-open">`)."""
WHOLE_TAGS: Final = numbers_of("html body main article".split())
"""Elements that hold the article: no consent notice, whatever they are called (`<article class="tag-privacy">`)."""


def in_box(elements: Elements, top: Iterable[int] = (), names: re.Pattern[str] = ANY_NAMES) -> Test:
    """A test for "is a box or stands in one".

    `top` are the element that holds the article and all above it: they are no boxes, whatever they are called.
    """
    return standing_in(elements, named(elements, names, BOX_TAGS, PAGE_TAGS), top)


def in_consent(elements: Elements) -> Test:
    """A test for "stands in a consent notice"."""
    return standing_in(elements, named(elements, CONSENT_NAMES, never=WHOLE_TAGS))


def in_hidden(elements: Elements) -> Test:
    """A test for "stands in an element that its name says is not shown"."""
    return standing_in(elements, named(elements, HIDDEN_NAMES, never=PAGE_TAGS, keys=("class",)))
