"""The pages of the recorded run: sites, stories, and pages as a crawl hands them to storage after extraction."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import cached_property
from typing import Any, Final

from recorded_texts import number, sentence, sentences, text_of, title

from newscrawl.extraction.article.make import fingerprint
from newscrawl.model import (
    Article,
    Attempt,
    Candidate,
    Capture,
    Discovery,
    Doubt,
    Failure,
    Image,
    LiveEntry,
    Metadata,
    ProcessedPage,
    PublishedDate,
    RawPage,
    RefusedDate,
    Spot,
    UsageRights,
)

SECOND: Final = timedelta(seconds=1)
MINUTE: Final = timedelta(minutes=1)
HOUR: Final = timedelta(hours=1)
DAY: Final = timedelta(days=1)
END: Final = datetime(2026, 11, 21, 12, tzinfo=UTC)
"""When the outputs are read."""
ROUNDS: Final = tuple(
    datetime(2026, month, day, hour, tzinfo=UTC)
    for month, day, hour in (
        *((10, 5, 7), (10, 6, 7), (10, 7, 7), (10, 12, 9), (10, 20, 6), (11, 2, 18)),
        *((11, 10, 7), (11, 20, 15), (11, 20, 22), (11, 21, 9)),
    )
)
"""When all sites are crawled. The last three are within a day of END."""
NEW: Final = 3
"""New articles of a site in a round."""


@dataclass(frozen=True, slots=True)
class Site:
    """A site. `offset` is that of its times from UTC, in minutes."""

    name: str
    language: str
    country: str
    author: str
    offset: int = 60

    @property
    def home(self) -> str:
        """The address of its front page."""
        return f"https://{self.name}.example/"

    @property
    def feed(self) -> str:
        """The address of its feed."""
        return f"{self.home}feed.xml"

    @property
    def sitemap(self) -> str:
        """The address of its sitemap of news."""
        return f"{self.home}news.xml"

    @property
    def words(self) -> str:
        """The language of its texts, without the region."""
        return self.language.partition("-")[0]


SITES: Final = (
    Site("harbour", "en-GB", "uk", "Ada Marsh", 0),
    Site("tarn", "en-US", "us", "Ben Cole", -300),
    Site("valley", "de-AT", "at", "Clara Auer"),
    Site("bergen", "de", "de", "Dirk Ohm"),
    Site("plaza", "es", "es", "Elena Ríos"),
    Site("rivage", "fr", "fr", "Fanny Roche"),
    Site("kanal", "nl", "nl", "Gijs Prins"),
    Site("sever", "ru", "kz", "Инна Лаптева", 300),
    Site("minato", "ja", "jp", "海野春", 540),
)
COPIES: Final = {"tarn": "harbour", "bergen": "valley"}
"""Sites that show others' articles, and whose."""


def site_named(name: str) -> Site:
    """Returns a site."""
    return next(site for site in SITES if site.name == name)


@dataclass(frozen=True)
class Story:
    """An article before any page shows it: its sentences, and what its page states."""

    site: Site
    slug: str
    parts: tuple[str, ...]
    headline: str
    published: datetime
    modified: datetime | None = None
    stated: tuple[tuple[str, Any], ...] = ()
    verdict: Any = "article"
    extractor: str = "classic"
    confidence: float | None = 0.9

    @property
    def url(self) -> str:
        """The address of its page."""
        return f"{self.site.home}story/{self.slug}"

    @cached_property
    def text(self) -> str:
        """Its text."""
        return text_of(self.parts)

    @property
    def metadata(self) -> Metadata:
        """What its page states."""
        published = PublishedDate(self.published, "jsonld", "minute", offset=self.site.offset)
        modified = self.modified and PublishedDate(self.modified, "meta", "second", offset=self.site.offset)
        values: dict[str, Any] = {
            "title": self.headline,
            "authors": (self.site.author,),
            "published": published,
            "modified": modified,
            "language": self.site.language,
        }
        if self.slug.endswith("1-a"):
            values |= {
                "section": "Sea",
                "tags": (self.site.words, "recorded"),
                "site_name": self.site.name.capitalize(),
            }
            values["description"] = self.parts[0]
        return Metadata(**values | dict(self.stated))


def stories(site: Site, round_number: int) -> list[Story]:
    """Returns the new articles of a site in a round."""
    return [story_of(site, round_number, place) for place in range(NEW)]


def story_of(site: Site, round_number: int, place: int) -> Story:
    """Returns an article of a round. Sites of COPIES show the first as the other site does, the second with edits or in
    part."""
    key, begin = (site.name, round_number, place), ROUNDS[round_number]
    if site.name in COPIES and place < NEW - 1:
        return copied(story_of(site_named(COPIES[site.name]), round_number, place), site, place, round_number)
    size = 13 + number(4, "size", *key)
    parts = tuple(sentences(site.words, "text", *key, size=size))
    headline = title(site.words, *key)
    published = begin - MINUTE * (10 + number(180, "published", *key))
    stated: dict[str, Any] = {}
    if place == 1:
        stated["image"] = f"{site.home}img/{round_number}.jpg"
        stated["images"] = (Image(stated["image"], headline, site.author, 1200, 800),)
    if place == 2 and round_number % 3 == 0:
        stated |= {"videos": (f"{site.home}v/{round_number}.mp4",), "audio": (f"{site.home}a/{round_number}.mp3",)}
    if place == 2 and round_number % 4 == 1:
        stated |= {"refused_dates": (RefusedDate("2099-01-01", "meta", "it is in the future"),), "published": None}
    extractor = "justext" if number(9, "extractor", *key) == 0 else "classic"
    confidence = round(0.5 + number(50, "confidence", *key) / 100, 2)
    slug = f"{site.words}-{round_number}{place}-a"
    return Story(site, slug, parts, headline, published, None, tuple(stated.items()), "article", extractor, confidence)


def copied(story: Story, site: Site, place: int, round_number: int) -> Story:
    """Returns another site's article on a site: the same text, one with edits, or the first half of it."""
    parts = story.parts
    stated: dict[str, Any] = {"authors": (story.site.author, "Wire")}
    if place == 1 and round_number % 2:
        parts = parts[: len(parts) * 2 // 3]
    elif place == 1 or site.name == "bergen":
        parts = (
            *parts[:5],
            sentence(site.words, "edit", story.slug),
            *parts[6:],
            sentence(site.words, "end", story.slug),
        )
    if site.name == "bergen" and round_number % 2 == 0:
        stated["canonical"] = story.url
    if round_number % 3 == 2:
        stated["published"] = None
    slug = f"{story.slug}-by-{story.site.name}"
    published = story.published + 20 * MINUTE
    return replace(story, site=site, slug=slug, parts=parts, published=published, stated=tuple(stated.items()))


def another(story: Story, slug: str) -> Story:
    """Returns another article of the same site, with a text of its own."""
    return replace(story, slug=slug, parts=tuple(sentences(story.site.words, "another", story.slug, slug)))


def round_up(site: Site, round_number: int, of: Sequence[Story]) -> Story:
    """Returns an article that holds whole others."""
    parts = (sentence(site.words, "week", round_number), *(part for story in of for part in story.parts))
    published = ROUNDS[round_number] - 5 * MINUTE
    return Story(site, f"week-{round_number}", parts, f"The week {round_number}", published)


def revisit(story: Story, kind: str, at: datetime) -> Story:
    """Returns an article as its page shows it later: `correction`, `addition`, `headline`, `replaced` or `same`."""
    words, parts = story.site.words, story.parts
    if kind == "correction":
        changed = sentence(words, "corrected", story.slug)
        return replace(story, parts=(*parts[:3], changed, *parts[4:]), modified=at - 9 * MINUTE)
    if kind == "addition":
        added = sentences(words, "added", story.slug, size=3)
        return replace(story, parts=(*parts, *added), modified=at - 8 * MINUTE)
    if kind == "headline":
        return replace(story, headline=title(words, "again", story.slug))
    if kind == "replaced":
        return replace(story, parts=tuple(sentences(words, "replaced", story.slug)), modified=at - 7 * MINUTE)
    return story


def live_report(site: Site, size: int, begun: datetime) -> Story:
    """Returns a live report with this number of entries, the newest first."""
    texts = [sentences(site.words, "entry", site.name, place, size=2) for place in range(size)]
    entries = tuple(
        LiveEntry(
            begun + place * 40 * MINUTE,
            site.offset,
            title(site.words, "entry", place),
            text_of(texts[place]),
            f"e{place}",
        )
        for place in reversed(range(size))
    )
    parts = tuple(part for place in reversed(range(size)) for part in texts[place])
    stated = (("live_entries", entries),)
    headline, published = title(site.words, "live"), begun - 5 * MINUTE
    return Story(site, "live", parts, headline, published, None, stated, "live", "justext")


def page_of(story: Story, at: datetime, *, found: bool = True, asked: str | None = None, **raw: Any) -> ProcessedPage:
    """Returns the page of an article, fetched at a time. `asked` is the address that was requested, if another one."""
    url = raw.pop("url", story.url)
    trace = (Attempt("classic", len(story.text.split()), len(story.text), story.extractor == "classic", "recorded"),)
    if story.extractor != "classic":
        trace += (Attempt(story.extractor, len(story.text.split()), len(story.text), True, "recorded"),)
    article = Article(
        *(url, story.site.name, story.metadata, story.text, story.extractor, story.verdict, trace),
        confidence=story.confidence,
    )
    discovery = Discovery("feed", story.site.feed, story.headline, story.published) if found else None
    headers = {"etag": f'"{story.slug}-{len(story.text)}"', "last-modified": "Mon, 05 Oct 2026 07:00:00 GMT"}
    values: dict[str, Any] = {"site": story.site.name, "discovery": discovery} | raw
    fetched = RawPage(asked or url, url, 200, headers, None, at, **values)
    rights = UsageRights(noarchive=True, tdm_reservation=True) if story.slug.endswith("0-a") else None
    return fingerprint(ProcessedPage(fetched, article, use=rights))


def failed(url: str, site: str, at: datetime, status: int, code: str, reason: str, **raw: Any) -> ProcessedPage:
    """Returns a page without an article."""
    return ProcessedPage(RawPage(url, url, status, {}, None, at, site, **raw), failure=Failure(code, reason))


def not_modified(url: str, site: str, at: datetime) -> ProcessedPage:
    """Returns the answer 304."""
    return ProcessedPage(RawPage(url, url, 304, {}, None, at, site), failure=Failure("fetch/not_modified", "304"))


def shop(url: str, site: str, at: datetime) -> ProcessedPage:
    """Returns a page that is no article."""
    return failed(url, site, at, 200, "verdict/product", "9 prices")


def doubted(page: ProcessedPage, *reasons: str) -> ProcessedPage:
    """Returns the page as one that waits for review."""
    first = page.article or page.failure or Failure("extraction/empty", "no text")
    return replace(page, doubt=Doubt(reasons, first, needs_review=True))


def broken(url: str, site: str, at: datetime) -> ProcessedPage:
    """Returns a page that cannot be stored: it has neither an article nor a failure."""
    return ProcessedPage(RawPage(url, url, 200, {}, None, at, site))


def with_capture(page: ProcessedPage, spot: Spot) -> ProcessedPage:
    """Returns the page with its place in the archive."""
    is_revisit = page.raw.status == 304
    digest = None if is_revisit else f"sha256:{page.article.content_hash if page.article else page.raw.url}"
    capture = Capture("revisit" if is_revisit else "response", spot, None if is_revisit else spot, digest)
    return replace(page, raw=replace(page.raw, capture=capture))


def candidate(
    story: Story, kind: Any = "feed", *, headline: str | None = None, modified: datetime | None = None
) -> Candidate:
    """Returns an entry of a source for an article."""
    source = story.site.feed if kind == "feed" else story.site.sitemap
    stated = Discovery(kind, source, headline or story.headline, story.published, modified, story.site.words, ("sea",))
    return Candidate(story.url, stated)
