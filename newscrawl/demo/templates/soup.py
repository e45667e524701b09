"""Template "soup": nothing but div and span, microdata, and teasers of other stories in the middle of the text."""

from __future__ import annotations

from html import escape

from newscrawl.demo import noise
from newscrawl.demo.story import DemoStory
from newscrawl.demo.templates import parts
from newscrawl.demo.templates.parts import Around


def render(story: DemoStory, around: Around) -> bytes:
    """The story's page as UTF-8."""
    return page(story, around, _body(story, around))


def page(story: DemoStory, around: Around, body: str) -> bytes:
    """A soup page around the mark-up of an article's body."""
    language = story.language
    top, side, _ = parts.story_adverts(story, around, 3)
    site = escape(noise.SITE_NAMES[language])
    return f"""<!DOCTYPE html>
<html lang="{language}"><head><meta charset="utf-8"><title>{escape(story.title)} - {site}</title>
<link rel="canonical" href="{around.url(story.path)}">
<script>window.dataLayer = [{{"page": "article", "hit": {around.hit}}}];</script></head>
<body data-app="reader"><div id="root"><div class="c-top" data-track="top">
<div class="c-logo"><a href="{around.url(parts.home(language))}">{site}</a></div>
<div class="c-menu"><ul>{parts.navigation(language, around)}</ul></div>
<div class="c-slot" data-slot="1"><div data-creative="{around.hit}"><a href="http://adverts.invalid/">{top}</a></div></div></div>
<div class="c-page" itemscope itemtype="https://schema.org/NewsArticle">
<div class="c-hero"><div class="c-head" data-k="h"><div class="c-cat" itemprop="articleSection">\
{escape(noise.SECTIONS[language][story.section])}</div>
<div class="c-title" itemprop="headline">{escape(story.title)}</div>
<div class="c-sig">{_signature(story)}</div></div></div>
{body}
<div class="c-tags">{_tags(story)}</div>
</div>
<div class="c-rail"><div class="c-slot" data-slot="2"><div><a href="http://adverts.invalid/">{side}</a></div></div>
<div class="c-box"><div class="c-box-title">{parts.words(language, "popular")}</div>
<ul>{parts.story_links(around.popular, around)}</ul></div></div>
<div class="c-thread" data-count="{noise.COMMENTS_A_PAGE}"><div class="c-box-title">\
{parts.words(language, "comments")}</div>
{_comments(story)}
</div>
<div class="c-bottom"><div>{parts.words(language, "rights")}</div></div>
</div></body></html>
""".encode()


def _signature(story: DemoStory) -> str:
    by = parts.words(story.language, "by")
    names = " ".join(
        f'<span itemprop="author" itemscope itemtype="https://schema.org/Person">'
        f'<span itemprop="name">{escape(name)}</span></span>'
        for name in story.authors
    )
    time = ""
    if story.published:
        when = story.published.isoformat()
        time = f'<time itemprop="datePublished" datetime="{when}">{parts.readable_date(story)}</time>'
    changed = f'<meta itemprop="dateModified" content="{story.modified.isoformat()}">' if story.modified else ""
    return f"{by + ' ' + names if names else ''} {time}{changed}"


def _tags(story: DemoStory) -> str:
    return " ".join(f'<a href="/tags" data-tag>{escape(tag)}</a>' for tag in story.tags)


def _body(story: DemoStory, around: Around) -> str:
    """The paragraphs are divs of one parent; figure, teasers and an advert stand between them, each in its own box."""
    language = story.language
    lines = [
        f'<blockquote class="c-q">{escape(p.text)}</blockquote>'
        if p.is_quote
        else f'<div class="c-p" data-idx="{i}"><span>{escape(p.text)}</span></div>'
        for i, p in enumerate(story.paragraphs)
    ]
    *_, advert = parts.story_adverts(story, around, 3)
    label = parts.words(language, "advert")
    slot = f'<div class="c-slot" data-slot="3"><div><div>{label}</div><div>{advert}</div></div></div>'
    figure = (
        f'<div class="c-media"><div><figure data-k="f"><img src="{around.url(parts.IMAGE_PATH)}" alt="">'
        f"<figcaption>{parts.words(language, 'photo')}</figcaption></figure></div></div>"
    )
    text = [figure, lines[0], slot, *lines[1:3], _teasers(story, around), *lines[3:]]
    return f'<div class="c-body" itemprop="articleBody" data-k="b">{"".join(text)}</div>'


def _teasers(story: DemoStory, around: Around) -> str:
    boxes = "".join(
        f'<div class="c-t"><a href="{around.url(other.path)}">{escape(other.title)}</a>'
        f'<div class="c-t-x">{escape(other.description)}</div></div>'
        for other in around.related[:2]
    )
    return f'<aside class="c-teasers"><div>{parts.words(story.language, "related")}</div>{boxes}</aside>'


def _comments(story: DemoStory) -> str:
    return "\n".join(
        f'<div class="c-c"><div class="c-n">{escape(c.reader)}</div><div class="c-x">{escape(c.text)}</div></div>'
        for c in parts.story_comments(story)
    )
