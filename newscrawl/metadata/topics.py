"""Reads section and tags."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from newscrawl.metadata.structured import Structured
from newscrawl.metadata.text import caseless_nfkc_cached, clean, clean_all
from newscrawl.page import Page

MAX_TAG: Final = 100
MAX_TAGS: Final = 50

_SECTION_META: Final = (
    "article:section", "og:article:section", "parsely-section", "og:section", "section", "articlesection",
    "cxenseparse:articlesection", "dcsext.section", "sailthru.section", "category",
)  # fmt: skip
_TAG_META: Final = ("article:tag", "og:article:tag", "news_keywords", "parsely-tags", "sailthru.tags")
_WEAK_TAG_META: Final = ("keywords",)


def section_of(page: Page, structured: Structured) -> str | None:
    """Returns the section of the article; the first one if the page names several."""
    stated = [*clean_all(structured.get("articleSection"), MAX_TAG), clean(page.head.first(*_SECTION_META), MAX_TAG)]
    return next((section for section in stated if section and not section.startswith("http")), None)


def tags_of(page: Page, structured: Structured) -> tuple[str, ...]:
    """Returns the subjects that the editors chose, in the page's order, without repetitions. The old keywords meta is
    used only if there is no other, because it mostly has the site's own subjects."""
    stated = clean_all(structured.get("keywords"), MAX_TAG * MAX_TAGS)
    for key in _TAG_META:
        stated.extend(text for raw in page.head.all(key)[:MAX_TAGS] if (text := clean(raw, MAX_TAG * MAX_TAGS)))
    if not stated:
        stated = [text for key in _WEAK_TAG_META if (text := clean(page.head.first(key), MAX_TAG * MAX_TAGS))]
    return _distinct(piece for text in stated for piece in text.replace(";", ",").split(","))


def _distinct(pieces: Iterable[str]) -> tuple[str, ...]:
    tags: dict[str, str] = {}
    for piece in pieces:
        tag = piece.strip(" #\"'")
        if tag and len(tag) <= MAX_TAG and (key := caseless_nfkc_cached(tag)):
            tags.setdefault(key, tag)
            if len(tags) == MAX_TAGS:
                break
    return tuple(tags.values())
