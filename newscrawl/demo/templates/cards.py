"""Template "cards": every paragraph in a card of its own, nested differently deep, with a class that a generator of
styles could have given it.

No two paragraphs share a parent or grandparent, and no two cards are alike, so the tree filter keeps only one of them.
jusText reads only words and neighbours of paragraphs, and keeps all.
"""

from __future__ import annotations

from html import escape

from newscrawl.demo.story import DemoStory
from newscrawl.demo.templates import soup
from newscrawl.demo.templates.parts import Around

_DEEPEST = 3


def render(story: DemoStory, around: Around) -> bytes:
    """The story's page as UTF-8, a soup page but for its body."""
    cards = "\n".join(_card(i, p.text) for i, p in enumerate(story.paragraphs))
    return soup.page(story, around, f'<div class="c-deck" itemprop="articleBody">{cards}</div>')


def _card(index: int, text: str) -> str:
    inner = f'<div class="c-inner"><p>{escape(text)}</p></div>'
    for _ in range(index % _DEEPEST):
        inner = f'<div class="c-wrap"><div>{inner}</div></div>'
    return f'<section class="c-card-{index}" data-card="{index}">{inner}</section>'
