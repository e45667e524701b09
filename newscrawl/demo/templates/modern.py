"""Template "modern": semantic HTML5 with JSON-LD."""

from __future__ import annotations

import json
from html import escape
from typing import Any

from newscrawl.demo import noise
from newscrawl.demo.story import DemoStory
from newscrawl.demo.templates import parts
from newscrawl.demo.templates.parts import Around


def render(story: DemoStory, around: Around) -> bytes:
    """The story's page as UTF-8, which its meta element declares."""
    language, url = story.language, around.url(story.path)
    top, middle, side = parts.story_adverts(story, around, 3)
    site = escape(noise.SITE_NAMES[language])
    return f"""<!doctype html>
<html lang="{language}">
<head>
<meta charset="utf-8">
<title>{escape(story.title)} | {site}</title>
<meta name="viewport" content="width=device-width">
<meta name="description" content="{escape(story.description)}">
<link rel="canonical" href="{url}">
<link rel="alternate" type="application/{"rss" if language == "en" else "atom"}+xml" \
href="{around.url(parts.feed(language))}">
<script type="application/ld+json">{_json_ld(story, around)}</script>
<style>article p {{ max-width: 38em }}</style>
</head>
<body>
<div class="cookie-bar" role="dialog"><p>{parts.words(language, "cookies")}</p></div>
<header class="site"><a href="{around.url(parts.home(language))}">{site}</a>
<nav aria-label="main"><ul>{parts.navigation(language, around)}</ul></nav>
<p class="meta-links"><a href="/subscribe">{parts.words(language, "subscribe")}</a> \
<a href="/login">{parts.words(language, "login")}</a></p></header>
<div class="ad ad-top"><span>{parts.words(language, "advert")}</span><p>{top}</p></div>
<main>
<article>
<header>
<p class="kicker"><a href="{around.url(parts.section(language, story.section))}">\
{escape(noise.SECTIONS[language][story.section])}</a></p>
<div class="headline"><h1>{escape(story.title)}</h1></div>
{_byline(story)}
</header>
<figure><img src="{around.url(parts.IMAGE_PATH)}" alt="">\
<figcaption>{parts.words(language, "photo")}</figcaption></figure>
<div class="article-body">
{_body(story, middle)}
</div>
<footer class="article-tools"><a href="{around.url(f"/print/{story.number}/{story.slug}")}">\
{parts.words(language, "print")}</a> <button>{parts.words(language, "share")}</button></footer>
</article>
<section class="related"><h2>{parts.words(language, "related")}</h2><ul>\
{parts.story_links(around.related, around)}</ul></section>
<section id="comments"><h2>{parts.words(language, "comments")}</h2>
{_comments(story)}
</section>
</main>
<aside><div class="ad"><p>{side}</p></div><h2>{parts.words(language, "popular")}</h2>
<ol>{parts.story_links(around.popular, around)}</ol><p>{parts.words(language, "newsletter")}</p></aside>
<footer class="site"><p>{parts.words(language, "rights")}</p></footer>
<script>window.hit = {around.hit};</script>
</body>
</html>
""".encode()


def _byline(story: DemoStory) -> str:
    if not story.authors and not story.published:
        return ""
    author = f'{parts.words(story.language, "by")} <a rel="author" href="/authors">{parts.byline(story)}</a> '
    when = story.published.isoformat() if story.published else ""
    time = f'<time datetime="{when}">{parts.readable_date(story)}</time>'
    return f'<div class="meta"><p class="byline">{author if story.authors else ""}{time}</p></div>'


def _body(story: DemoStory, advert: str) -> str:
    lines = [f"<p{' class=quotation' if p.is_quote else ''}>{escape(p.text)}</p>" for p in story.paragraphs]
    label = parts.words(story.language, "advert")
    lines.insert(2, f'<div class="ad ad-inline"><div class="slot"><span>{label}</span><p>{advert}</p></div></div>')
    return "\n".join(lines)


def _comments(story: DemoStory) -> str:
    return "\n".join(
        f'<div class="comment"><p class="who">{escape(c.reader)}</p><p>{escape(c.text)}</p></div>'
        for c in parts.story_comments(story)
    )


def _json_ld(story: DemoStory, around: Around) -> str:
    data: dict[str, Any] = {
        "@context": "https://schema.org",
        "@type": "NewsArticle",
        "mainEntityOfPage": around.base + story.path,
        "headline": story.title,
        "description": story.description,
        "inLanguage": story.language,
        "articleSection": noise.SECTIONS[story.language][story.section],
        "keywords": list(story.tags),
        "image": [around.base + parts.IMAGE_PATH],
        "publisher": {"@type": "NewsMediaOrganization", "name": noise.SITE_NAMES[story.language]},
    }
    if story.authors:
        data["author"] = [{"@type": "Person", "name": name} for name in story.authors]
    if story.published:
        data["datePublished"] = story.published.isoformat()
    if story.modified:
        data["dateModified"] = story.modified.isoformat()
    return json.dumps(data, ensure_ascii=False).replace("</", "<\\/")
