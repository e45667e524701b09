"""The pages and feeds of the demo site: the files of `site/`, filled with stories and with what stands around them.

The four templates of articles have nothing in common, so that an extractor cannot learn one: `modern` is semantic HTML5
with JSON-LD; `tabular` is nested tables in windows-1252, <br><br> between paragraphs and nothing but meta elements to
go by; `soup` is nothing but div and span, microdata, and teasers in the middle of the text; `cards` is a soup page with
every paragraph in a card of its own, nested differently deep, so that the tree filter keeps only one and jusText,
which reads only words and neighbours, keeps all.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from email.utils import format_datetime
from functools import cache
from html import escape
from typing import Any, Final

from newscrawl.demo.content import FOLDER, DemoParagraph, DemoStory, Paper

LEGACY_ENCODING: Final = "windows-1252"
"""Of template "tabular", which declares it in a meta element; other characters become references."""

FEED_LENGTH: Final = 24
"""Stories in a feed; older ones are found through section pages and the sitemap."""

Values = Mapping[str, Any]
"""What a template says: a name stands for text, a number, or the values of each repetition of a part."""

Link = tuple[str, str]
"""An address and its title."""

_DEEPEST: Final = 3
_PLACE: Final = re.compile(r"<!--each (\w+)-->|\$(\w+)")


class Markup(str):
    """Text that is mark-up already."""

    __slots__ = ()


def fill(template: str, values: Values) -> str:
    """The template with `$name` replaced by the escaped value of that name, and `<!--each name-->…<!--end name-->`
    repeated for each item of the value, whose own values come first.

    Raises KeyError for a name without a value, ValueError for a repetition without an end.
    """
    parts: list[str] = []
    at = 0
    while place := _PLACE.search(template, at):
        parts.append(template[at : place.start()])
        repeated, name = place.groups()
        at = place.end()
        if repeated:
            end = template.index(closing := f"<!--end {repeated}-->", at)
            parts += [fill(template[at:end], {**values, **item}) for item in values[repeated]]
            at = end + len(closing)
        else:
            value = values[name]
            parts.append(value if isinstance(value, Markup) else escape(str(value)))
    return "".join([*parts, template[at:]])


@cache
def template(name: str) -> str:
    """The file `name` of `site/`."""
    return (FOLDER / "site" / name).read_text(encoding="utf-8")


def article(
    story: DemoStory, paper: Paper, base: str, hit: int, related: Sequence[DemoStory], popular: Sequence[DemoStory]
) -> bytes:
    """The page of a story in its own template, among links to other stories of its paper."""
    paragraphs = [_of_paragraph(index, paragraph) for index, paragraph in enumerate(story.paragraphs)]
    page = fill(
        template("soup.html" if story.template == "cards" else f"{story.template}.html"),
        {
            **_around(paper, base, hit),
            **_of_story(story, paper),
            "json_ld": _json_ld(story, paper, base),
            "paragraphs": paragraphs,
            "first": paragraphs[:1],
            "first_two": paragraphs[:2],
            "second_and_third": paragraphs[1:3],
            "third": paragraphs[2:3],
            "third_and_later": paragraphs[2:],
            "later": paragraphs[3:],
            "soup": _if(story.template == "soup"),
            "cards": _if(story.template == "cards"),
            "reader_comments": paper.comments_on(story.number),
            "related_stories": [_of_story(other, paper) for other in related],
            "teasers": [_of_story(other, paper) for other in related[:2]],
            "popular_stories": [_of_story(other, paper) for other in popular],
        },
    )
    return page.encode(LEGACY_ENCODING, "xmlcharrefreplace") if story.template == "tabular" else page.encode()


def print_version(story: DemoStory, paper: Paper, base: str) -> bytes:
    """A story's text and nothing else, with a canonical link to the page it belongs to."""
    paragraphs = [_of_paragraph(index, paragraph) for index, paragraph in enumerate(story.paragraphs)]
    values = {**_of_story(story, paper), "base": base, "paragraphs": paragraphs}
    return fill(template("print.html"), values).encode()


def listing(
    paper: Paper, heading: str, stories: Iterable[DemoStory], base: str, hit: int, links: Iterable[Link]
) -> bytes:
    """A front or section page: headlines with teasers, further links, navigation and an advert."""
    values = {
        **_around(paper, base, hit),
        "heading": heading,
        "stories": [_of_story(story, paper) for story in newest_first(stories)],
        "links": _of_links(links),
    }
    return fill(template("listing.html"), values).encode()


def feed(paper: Paper, stories: Iterable[DemoStory], base: str, links: Iterable[Link]) -> bytes:
    """The feed of a paper: its newest stories; in RSS, some further links."""
    shown = newest_first(stories)[:FEED_LENGTH]
    values = {
        **_around(paper, base, 0),
        "latest": max((s.updated for s in shown if s.updated), default=datetime.min.replace(tzinfo=UTC)).isoformat(),
        "stories": [_of_story(story, paper) for story in shown],
        "links": _of_links(links),
    }
    return fill(template(paper.feed.rpartition("/")[2]), values).encode()


def sitemap(stories: Iterable[tuple[DemoStory, Paper, str]], base: str) -> bytes:
    """The news sitemap of stories, each with its paper and path."""
    entries = [{**_of_story(story, paper), "path": path} for story, paper, path in stories]
    return fill(template("sitemap-news.xml"), {"base": base, "stories": entries}).encode()


def newest_first(stories: Iterable[DemoStory]) -> list[DemoStory]:
    """The stories that feeds and section pages show, the latest first. A story without a date counts as the oldest."""
    shown = [story for story in stories if not story.in_sitemap_only]
    return sorted(shown, key=lambda s: s.published or datetime.min.replace(tzinfo=UTC), reverse=True)


def _around(paper: Paper, base: str, hit: int) -> Values:
    """What stands around stories: the site's address, the number of the request, labels, adverts."""
    sections = [{"path": f"{paper.home}{name}/", "label": label} for name, label in paper.sections.items()]
    first, second, third = paper.adverts_of(hit)
    return {
        **paper.words,
        "base": base,
        "hit": hit,
        "language": paper.language,
        "site": paper.name,
        "home": paper.home,
        "feed": paper.feed,
        "feed_kind": "rss" if paper.language == "en" else "atom",
        "navigation": [{"path": paper.home, "label": paper.words["front"]}, *sections],
        "advert_1": first,
        "advert_2": second,
        "advert_3": third,
    }


def _of_story(story: DemoStory, paper: Paper) -> Values:
    published, modified, updated = (
        when.isoformat() if when else "" for when in (story.published, story.modified, story.updated)
    )
    return {
        "number": story.number,
        "language": story.language,
        "site": paper.name,
        "title": story.title,
        "description": story.description,
        "path": story.path,
        "print_path": story.print_path,
        "section": paper.sections[story.section],
        "section_path": f"{paper.home}{story.section}/",
        "authors": [{"name": name} for name in story.authors],
        "byline": f" {paper.words['and']} ".join(story.authors),
        "tags": [{"tag": tag, "gap": " " if index else ""} for index, tag in enumerate(story.tags)],
        "published": published,
        "modified": modified,
        "updated": updated,
        "date": story.published.strftime("%d.%m.%Y, %H:%M") if story.published else "",
        "mail_date": format_datetime(story.published) if story.published else "",
        "signed": _if(story.authors),
        "dated": _if(published),
        "changed": _if(modified),
        "described": _if(story.authors or published),
    }


def _of_paragraph(index: int, paragraph: DemoParagraph) -> Values:
    return {
        "index": index,
        "text": paragraph.text,
        "quote": _if(paragraph.is_quote),
        "plain": _if(not paragraph.is_quote),
        "gap": "\n" if index else "",
        "wraps": [{}] * (index % _DEEPEST),
    }


def _of_links(links: Iterable[Link]) -> list[Values]:
    return [{"url": url, "title": title} for url, title in links]


def _if(condition: object) -> list[Values]:
    """One repetition of a part, or none."""
    return [{}] if condition else []


def _json_ld(story: DemoStory, paper: Paper, base: str) -> Markup:
    data: dict[str, Any] = {
        "@context": "https://schema.org",
        "@type": "NewsArticle",
        "mainEntityOfPage": base + story.path,
        "headline": story.title,
        "description": story.description,
        "inLanguage": story.language,
        "articleSection": paper.sections[story.section],
        "keywords": list(story.tags),
        "image": [f"{base}/images/old-quay.svg"],
        "publisher": {"@type": "NewsMediaOrganization", "name": paper.name},
    }
    if story.authors:
        data["author"] = [{"@type": "Person", "name": name} for name in story.authors]
    if story.published:
        data["datePublished"] = story.published.isoformat()
    if story.modified:
        data["dateModified"] = story.modified.isoformat()
    return Markup(json.dumps(data, ensure_ascii=False).replace("</", "<\\/"))
