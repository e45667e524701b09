"""Takes pop-ups with links to other articles out of a paragraph's text.

They are inline elements inside the paragraph, so no run is theirs alone. Their names tell them, and that they consist
of links that are as long as headlines.
"""

from __future__ import annotations

import re
from typing import Final

from newscrawl.page import Page
from newscrawl.page.tags import TAG_NAMES

HEADLINE_WORDS: Final = 4
"""The least words of a link that leads to another article, on average. Links to explain a term have fewer."""
LINKED: Final = 2 / 3
"""Share of a pop-up's text that is linked. The rest is a label."""
MAX_INLINE: Final = 200
"""Elements of one paragraph that are looked at."""

_NAMES: Final = re.compile(
    r"tool-?tip|pop-?(?:up|over|in(?![a-z]))|(?<![\w-])invisible(?![\w-])|overlay|modal(?!it)|lightbox|dialog(?!ue)"
)
_ANCHOR: Final = TAG_NAMES.index("a")
_KEYS: Final = ("class", "role")


def run_text(page: Page, index: int) -> str:
    """Returns the text of a run without the pop-ups inside it."""
    run = page.runs[index]
    if run.linked_words < HEADLINE_WORDS:
        return run.text
    elements, text = page.elements, run.text
    last = page.runs[index + 1].element if index + 1 < len(page.runs) else len(elements)
    element = run.element + 1
    end = min(last if last > run.element else len(elements), element + MAX_INLINE)
    while element < end and elements.parent[element] >= run.element:
        values = elements.values(element, _KEYS)
        if elements.tag[element] != _ANCHOR and values and _NAMES.search(" ".join(filter(None, values)).lower()):
            after = elements.end_of(element, end)
            text = _without(text, _of_links(page, element, after))
            element = after
        else:
            element += 1
    return text or run.text


def _of_links(page: Page, element: int, end: int) -> str:
    """Returns the text of a pop-up if it consists of links to articles, else ""."""
    inside = page.text_of(element)
    links = [page.text_of(e) for e in range(element, end) if page.elements.tag[e] == _ANCHOR]
    words = sum(len(link.split()) for link in links)
    is_list = links and words >= HEADLINE_WORDS * len(links) and sum(map(len, links)) >= LINKED * len(inside)
    return inside if is_list else ""


def _without(text: str, part: str) -> str:
    before, found, after = text.partition(part) if part else (text, "", "")
    if not found:
        return text
    gap = " " if before[-1:].isspace() or after[:1].isspace() else ""
    gap = "" if after.lstrip()[:1] in {"", *",.;:!?)"} else gap
    return f"{before.rstrip()}{gap}{after.lstrip()}"
