"""The print version of a story: its text and nothing else, with a canonical link to the page it belongs to."""

from __future__ import annotations

from html import escape

from newscrawl.demo import noise
from newscrawl.demo.story import DemoStory
from newscrawl.demo.templates.parts import Around


def render(story: DemoStory, around: Around) -> bytes:
    """The print version as UTF-8."""
    text = "\n".join(f"<p>{escape(p.text)}</p>" for p in story.paragraphs)
    return f"""<!doctype html>
<html lang="{story.language}"><head><meta charset="utf-8">
<title>{escape(story.title)}</title><meta name="robots" content="noindex">
<link rel="canonical" href="{around.url(story.path)}"></head>
<body onload="window.print()">
<h1>{escape(story.title)}</h1>
<div class="page"><div class="text">
{text}
</div></div>
<hr><small>{escape(noise.SITE_NAMES[story.language])} - {around.url(story.path)}</small>
</body></html>
""".encode()
