"""The mark-up of stories: four article templates without a common structure, and a bare print version.

In here: `cards`, `modern`, `soup` and `tabular` are the four, `plain` is the print version, `parts` holds what they
share. Start with `modern`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from newscrawl.demo.story import DemoStory, Template
from newscrawl.demo.templates import cards, modern, soup, tabular
from newscrawl.demo.templates.parts import Around

__all__ = ["RENDERERS", "Around", "render"]

RENDERERS: Final[Mapping[Template, Callable[[DemoStory, Around], bytes]]] = {
    "modern": modern.render,
    "tabular": tabular.render,
    "soup": soup.render,
    "cards": cards.render,
}


def render(story: DemoStory, around: Around) -> bytes:
    """The page of `story` in its own template."""
    return RENDERERS[story.template](story, around)
