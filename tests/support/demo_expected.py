"""The expected result of a crawl for every address of the demo site."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Literal

from newscrawl.demo import site
from newscrawl.demo.content import DemoStory, load_papers, load_stories
from newscrawl.demo.site import ORIGIN

Kind = Literal["article", "duplicate", "moved", "missing", "failing", "not_text", "forbidden", "offsite"]


ADVERTISERS: Final = (
    "Zephyrol",
    "Zefirol",
    "Brackwater",
    "Aguabrava",
    "Moonrise",
    "Dunmore",
    "Polyglossa",
    "Poliglosa",
)
"""Each advert names one of them, and no story does."""


@dataclass(frozen=True, slots=True)
class Expected:
    """The expected outcome of one address that a source of the demo site names.

    `article`: stored with these paragraphs. `duplicate`: the text of `same_as`, so one more page of that article.
    `moved`: redirects to `same_as`. `missing` is a 404, `failing` a 500, `not_text` a JPEG sent as text/html.
    `forbidden` (by robots.txt) and `offsite` must never be requested.
    """

    url: str
    kind: Kind
    paragraphs: tuple[str, ...] = ()
    title: str | None = None
    authors: tuple[str, ...] = ()
    published: datetime | None = None
    modified: datetime | None = None
    language: str | None = None
    extractor: str | None = None
    same_as: str | None = None

    @property
    def text(self) -> str:
        """The text of the article as newscrawl renders it."""
        return "\n\n".join(self.paragraphs)


def expectations(stories: Sequence[DemoStory] | None = None, origin: str = ORIGIN) -> Mapping[str, Expected]:
    """Returns the outcome of every address that feeds, sitemap and section pages name, without tracking parameters."""
    found = load_stories() if stories is None else stories
    return {expected.url: expected for expected in (*_articles(found, origin), *_odd(found, origin))}


def _articles(stories: Sequence[DemoStory], origin: str) -> Iterator[Expected]:
    for story in stories:
        yield _of_story(story, origin + story.path, "article")


def _of_story(story: DemoStory, url: str, kind: Kind, title: str | None = None, same_as: str | None = None) -> Expected:
    return Expected(
        url=url,
        kind=kind,
        paragraphs=arriving(story),
        title=title or story.title,
        authors=story.authors,
        published=story.published,
        modified=story.modified,
        language=story.language,
        extractor="justext" if story.template == "cards" else None,
        same_as=same_as,
    )


def arriving(story: DemoStory) -> tuple[str, ...]:
    """Returns the paragraphs of the story's page; fewer if the page is cut off."""
    texts = tuple(paragraph.text for paragraph in story.paragraphs)
    if story.number == site.TRUNCATED:
        whole = site.TRUNCATED_PARAGRAPHS
        return (*texts[:whole], texts[whole][: site.TRUNCATED_CHARACTERS])
    return texts


def _odd(stories: Sequence[DemoStory], origin: str) -> Iterator[Expected]:
    by_number = {story.number: story for story in stories}
    reprinted, twice = by_number[site.REPRINT_OF], by_number[site.TWICE]
    printed, moved = by_number[site.PRINTED], by_number[site.MOVED]
    yield _of_story(reprinted, origin + site.REPRINT_PATH, "duplicate", site.REPRINT_TITLE, origin + reprinted.path)
    yield _of_story(twice, origin + site.SECOND_PATH, "duplicate", None, origin + twice.path)
    # The print version states nothing but its title.
    url, same_as = origin + printed.print_path, origin + printed.path
    yield Expected(url, "duplicate", arriving(printed), printed.title, language=printed.language, same_as=same_as)
    yield Expected(origin + site.MOVED_PATH, "moved", same_as=origin + moved.path)
    yield Expected(origin + site.WITHDRAWN_PATH, "missing")
    yield Expected(origin + site.FAILING_PATH, "failing")
    yield Expected(origin + site.IMAGE_PATH, "not_text")
    yield Expected(origin + site.MEMBERS_PATH, "forbidden")
    yield Expected(site.ELSEWHERE, "offsite")


def source_urls(origin: str = ORIGIN) -> tuple[str, ...]:
    """Returns the addresses of all sources: feeds, sitemap and section pages."""
    papers = load_papers().values()
    sections = [f"{paper.home}{name}/" for paper in papers for name in paper.sections]
    return tuple(origin + path for path in (*(paper.feed for paper in papers), site.SITEMAP_PATH, *sections))
