"""The text that a page states as its article: `articleBody` of JSON-LD.

Pages that a script draws have no other text. Elsewhere the text of the page itself is used: stated texts often lack
paragraphs, and some are summaries.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from newscrawl.extraction.limits import Limits
from newscrawl.extraction.render import PARAGRAPH_GAP, render, without_invisible
from newscrawl.extraction.size import size_of_text
from newscrawl.model import Attempt, Extraction
from newscrawl.page import Page, parse
from newscrawl.page.jsonld.entities import decode_references
from newscrawl.page.words import count_words

STATED: Final = "json-ld"
"""The name of this source in traces, beside those of the extractors."""
PROPERTY: Final = "articleBody"

_MARKUP: Final = re.compile(r"<(?:p|br|div|h[1-6]|ul|ol|li|a|b|em|strong|span|i)\b", re.IGNORECASE)


def stated_bodies(page: Page) -> Iterator[str]:
    """Yields the stated texts as they are written. The JSON-LD is only parsed if it has the property."""
    if any(PROPERTY in script for script in page.hints.json_ld_scripts):
        for item in page.hints.json_ld:
            if isinstance(body := item.get(PROPERTY), str):
                yield body


def stated_text(page: Page) -> str | None:
    """Returns the stated text in paragraphs; None without one, and if the page states several, as a list of articles
    does."""
    bodies = set(stated_bodies(page))
    if len(bodies) != 1:
        return None
    body = decode_references(decode_references(bodies.pop()))  # many are escaped twice
    body = body.encode("utf-8", "replace").decode()  # JSON can contain half of a surrogate pair
    if _MARKUP.search(body):
        inner = parse(f"<!doctype html><meta charset=utf-8><body>{body}".encode())
        return render(inner, range(len(inner.runs))) or None
    lines = (" ".join(line.split()) for line in without_invisible(body).splitlines())
    return PARAGRAPH_GAP.join(filter(None, lines)) or None


def or_stated(page: Page, found: Extraction, limits: Limits) -> Extraction:
    """Returns the stated text in place of a text that is missing or too short; `found` if that is longer, or if the
    stated one is too short itself."""
    text = stated_text(page)
    if text is None or len(text) <= len(found.text):
        return found
    size = size_of_text(text, count_words(text))
    if size.shortness(limits) is not None:
        return found
    refused = tuple(replace(attempt, accepted=False) for attempt in found.trace)
    reason = "the page shows too little of the text that its JSON-LD states"
    return Extraction(text, (), STATED, (*refused, Attempt(STATED, size.words, size.characters, True, reason)))
