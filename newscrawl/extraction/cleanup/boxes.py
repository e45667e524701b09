"""Recognises boxes: elements inside an article's element with other content, by tag and by the author's names, and
pointers to other pages."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from newscrawl.extraction.element_predicates import NamePattern, Predicate, at_or_inside, named, numbers_of
from newscrawl.page import TextRun
from newscrawl.page.elements import Elements

BOX_TAGS: Final = numbers_of("aside button figcaption figure footer form nav".split())


_BEGINNING: Final = re.compile(r"(?:[a-z-](?![?*]))+")
"""The characters at the beginning of a pattern that each match has."""
_LOOKBEHIND: Final = re.compile(r"\(\?<![^)]*\)")


def _any_of(*patterns: str) -> NamePattern:
    """Returns a pattern for any of these, each of which begins with a letter.

    Patterns with the same first letter are grouped, so that most positions of a name are rejected at once: searching
    names of elements is half of the time that boxes take.
    """
    by_letter: dict[str, list[str]] = {}
    for pattern in patterns:
        by_letter.setdefault(pattern[0], []).append(pattern[1:])
    expression = re.compile("|".join(f"{letter}(?:{'|'.join(rests)})" for letter, rests in by_letter.items()))
    beginnings = (_BEGINNING.match(_LOOKBEHIND.sub("", pattern)) for pattern in patterns)
    return NamePattern(expression, tuple({beginning[0] for beginning in beginnings if beginning}))


def _word(word: str, before: str = r"\w", after: str = r"\b") -> str:
    """Returns a pattern for `word` if none of `before` precedes it and `after` follows."""
    return f"{word[0]}(?<!{before}{word[0]}){word[1:]}{after}"


_CONSENT: Final = (
    *"cookie consent privacy onetrust didomi usercentrics sp_message".split(),
    *(_word(name) for name in ("gdpr", "rgpd", "dsgvo", "cerez")),
)
CONSENT_NAMES: Final = _any_of(*_CONSENT)
"""Names of consent notices, by authors and the makers of such dialogs. Some notices are longer than the article."""
_HIDDEN: Final = tuple(
    _word(name, "[^ ]", "(?= |$)")
    for name in ("hidden", "hide", "d-none", "sr-only", "screen-reader-text", "visually-hidden")
)
HIDDEN_NAMES: Final = _any_of(*_HIDDEN)
"""Names in style libraries for what is not shown."""
_SURE: Final = (
    *_CONSENT,
    *"related recommend newsletter subscri suscri boletin infolettre sign-?up promo".split(),
    *"read-?(?:more|also|next) also-?read".split(),
    *r"authors?\b author-?(?:bio|box|info|desc|card) about-?(?:the-)?author bio\b".split(),
    *"trending most-?(?:read|popular)".split(),
    *"disclaimer disclosure affiliate commission caption credit byline dateline timestamp share sharing social".split(),
    _word("widget", "elementor-", ""),
    _word("card"),
    _word("opt-in"),
    _word("vjs", after=""),
    *"modal(?!it) pop-?up popover tooltip lightbox overlay dialog(?!ue)".split(),
    *"video-?(?:title|desc|info|player|list|js) player(?!s) legend".split(),
    *(f"{name}[-_]*(?:desc|title|text|info|meta|alt)" for name in ("img", "image", "photo", "picture")),
    *_HIDDEN,
)
SURE_NAMES: Final = _any_of(*_SURE)
"""Names in id, class, role and itemprop that are used for boxes only: text in them is removed."""
ANY_NAMES: Final = _any_of(
    *_SURE,
    *"comment(?!ary|ator) most- popular teaser sidebar advert sponsor banner widget footer author".split(),
    _word("ads?"),
    _word("slot", after=""),
)
"""The same with names that are sometimes used for an article's own parts: text in them is not restored."""

LINK_ONLY: Final = 0.8
LINK_ONLY_WORDS: Final = 4
"""A run with at least this many words, nearly all of them linked, is a pointer to another page."""

PAGE_TAGS: Final = numbers_of(["html", "body"])
"""Elements that are no boxes, whatever their names (`<body class="comments-open">`)."""
WHOLE_TAGS: Final = numbers_of("html body main article".split())
"""Elements that contain the article and are no consent notices, whatever their names (`<article
class="tag-privacy">`)."""


def in_box(elements: Elements, top: Iterable[int] = (), names: NamePattern = ANY_NAMES) -> Predicate:
    """Returns a test for "is a box or inside one".

    `top` are the element that contains the article and all above it. They are no boxes, whatever their names.
    """
    among = None if names is ANY_NAMES else _any_box(elements)
    return at_or_inside(elements, named(elements, names, BOX_TAGS, PAGE_TAGS, among=among), top)


def in_consent(elements: Elements) -> Predicate:
    """Returns a test for "is inside a consent notice"."""
    return at_or_inside(elements, named(elements, CONSENT_NAMES, never=WHOLE_TAGS, among=_any_box(elements)))


def is_pointer(run: TextRun) -> bool:
    """Returns whether a run is only a link to another page."""
    return run.linked_words > 0 and run.words >= LINK_ONLY_WORDS and run.link_density >= LINK_ONLY


def in_hidden(elements: Elements) -> Predicate:
    """Returns a test for "is inside an element whose name says that it is not shown"."""
    hidden = named(elements, HIDDEN_NAMES, never=PAGE_TAGS, keys=("class",), among=_any_box(elements))
    return at_or_inside(elements, hidden)


def _any_box(elements: Elements) -> Predicate:
    """Returns the predicate "is a box by its tag or any of its names". All other names of this module are among
    these."""
    return named(elements, ANY_NAMES, BOX_TAGS, PAGE_TAGS)
