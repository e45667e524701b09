"""Every address of the demo site and its answer. This module uses no sockets."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from email.utils import format_datetime, parsedate_to_datetime
from functools import partial
from hashlib import blake2b
from typing import Final
from urllib.parse import urlsplit

from newscrawl.demo import pages
from newscrawl.demo.content import DemoStory, Paper, load_papers, load_stories

ORIGIN: Final = "http://demo.localhost:8765"
"""The site's address in every link and in the database, whatever port its server could get."""

SITEMAP_PATH: Final = "/sitemap-news.xml"

HTML: Final = "text/html; charset=utf-8"
HTML_BARE: Final = "text/html"
"""Without a charset: the page's own declaration decides."""

# What follows are the addresses that are not ordinary pages of stories: errors, moved pages and duplicates.

REPRINT_OF: Final = 1004
REPRINT_PATH: Final = "/culture/1104/seagrass-from-our-archive"
REPRINT_TITLE: Final = "From our archive: how the seagrass came back"
REPRINT_TEMPLATE: Final = "tabular"
"""The same text as story 1004 under another title, address and template."""

TWICE: Final = 1016
SECOND_PATH: Final = "/culture/1016/comet-watch-on-lantern-point"
"""Story 1016 also appears, unchanged, in a second section."""

PRINTED: Final = 1013
"""The story whose print version the section page of its section links to."""

MOVED: Final = 1001
MOVED_PATH: Final = "/news/1001/bridge-open"
"""A former address of story 1001, which the feed still lists. It redirects permanently."""

WITHDRAWN_PATH: Final = "/city/1901/withdrawn-notice"
"""In the feed, and gone: 404."""

FAILING_PATH: Final = "/city/1902/press-office-bulletin"
"""In the feed, and always answered with 500."""

IMAGE_PATH: Final = "/harbour/1903/picture-of-the-day"
"""In the feed as an article and sent as text/html, but the bytes are a JPEG."""

MEMBERS_PATH: Final = "/members/1904/diary-of-a-councillor"
"""Linked from the feed and a section page; robots.txt forbids it."""

TRUNCATED: Final = 1038
"""The story whose page breaks off in the middle of a word of its third paragraph."""
TRUNCATED_PARAGRAPHS: Final = 2
"""The number of its paragraphs that arrive completely."""
TRUNCATED_CHARACTERS: Final = 37
"""The number of characters of the next paragraph that arrive."""

MISLABELLED: Final = 2018
"""The story whose page is in windows-1252, while header and meta element state UTF-8. Read as UTF-8, it would lose its
accents."""

ELSEWHERE: Final = "http://elsewhere.invalid/news/1905/not-our-story"
"""A link in the feed to another site, which is not to be followed."""

Make = Callable[[str, int], bytes]
"""Makes a body from what goes in front of every link and the number of the request."""

# Start and end of a JPEG file: enough for any program to see that this is no text.
_JPEG: Final = (
    b"\xff\xd8\xff\xe0\x00\x10JFIF\x00\x01\x01\x00\x00\x01\x00\x01\x00\x00" + bytes(range(256)) * 8 + b"\xff\xd9"
)
_APOLOGY: Final = b"<!doctype html><title>500</title><p>Our press has jammed. We are sorry.</p>"


@dataclass(frozen=True, slots=True)
class DemoAnswer:
    """An answer of the server: status, headers by their usual names, and the body (empty for HEAD and 304)."""

    status: int
    headers: Mapping[str, str]
    body: bytes = b""


@dataclass(frozen=True, slots=True)
class _Resource:
    """One address: a function that makes its body for a request, and its validators."""

    make: Make
    content_type: str = HTML
    digest: str | None = None
    modified: datetime | None = None
    status: int = 200
    location: str | None = None


class DemoSite:
    """The demo site with the given stories, or with those that come with newscrawl."""

    def __init__(self, stories: Sequence[DemoStory] | None = None) -> None:
        self.stories = tuple(load_stories() if stories is None else stories)
        self.papers = load_papers()
        self._by_number = {story.number: story for story in self.stories}
        self._resources = dict(self._build())

    def answer(
        self, method: str, target: str, headers: Mapping[str, str] | None = None, *, base: str = ORIGIN, hit: int = 0
    ) -> DemoAnswer:
        """Answer one request.

        `headers` have lower-case names; `base` goes in front of every link; `hit` counts requests and changes the
        adverts. The query of `target` is ignored, as trackers expect.
        """
        if method not in {"GET", "HEAD"}:
            return _message(405, "only GET and HEAD are answered here")
        resource = self._resources.get(urlsplit(target).path)
        if resource is None:
            return _message(404, "there is no such page")
        sent = {"Cache-Control": "no-cache"}
        if resource.digest:  # a weak tag: bodies with the same tag differ in their adverts only
            sent["ETag"] = f'W/"{resource.digest}"'
        if resource.modified:
            sent["Last-Modified"] = format_datetime(resource.modified.astimezone(UTC), usegmt=True)
        if resource.status == 200 and is_unchanged(headers or {}, sent.get("ETag"), resource.modified):
            return DemoAnswer(304, sent)
        sent["Content-Type"] = resource.content_type
        if resource.location:
            sent["Location"] = base + resource.location
        body = resource.make(base, hit)
        sent["Content-Length"] = str(len(body))
        return DemoAnswer(resource.status, sent, body if method == "GET" else b"")

    def _build(self) -> Iterator[tuple[str, _Resource]]:
        picture = pages.template("old-quay.svg").encode()
        yield "/images/old-quay.svg", _Resource(lambda _, __: picture, "image/svg+xml", "quay")
        yield (
            "/robots.txt",
            _Resource(
                lambda base, _: pages.fill(pages.template("robots.txt"), {"base": pages.Markup(base)}).encode(),
                "text/plain; charset=utf-8",
                "robots",
            ),
        )
        for paper in self.papers.values():
            yield from self._listings(paper)
        entries = [(story, self.papers[story.language], story.path) for story in self.stories]
        entries += [(story, paper, SECOND_PATH) for story, paper, _ in entries if story.number == TWICE]
        yield SITEMAP_PATH, _listing(lambda base, _: pages.sitemap(entries, base), self.stories, "application/xml")
        for story in self.stories:
            yield story.path, self._page(story)
            make_print = partial(_print_version, story, self.papers[story.language])
            yield story.print_path, _Resource(make_print, digest=f"p{story.digest}", modified=story.updated)
        yield from self._odd()

    def _listings(self, paper: Paper) -> Iterator[tuple[str, _Resource]]:
        stories = [story for story in self.stories if story.language == paper.language]
        kind = "rss" if paper.language == "en" else "atom"
        yield paper.feed, _listing(partial(_feed, paper, stories), stories, f"application/{kind}+xml")
        yield paper.home, _listing(partial(_listing_page, paper, paper.name, stories), stories, HTML)
        for name, label in paper.sections.items():
            shown = [story for story in stories if story.section == name]
            yield f"{paper.home}{name}/", _listing(partial(_listing_page, paper, label, shown), shown, HTML)

    def _page(self, story: DemoStory) -> _Resource:
        """Returns a story's page, with its errors."""
        make = partial(self._render, story)
        content_type = HTML_BARE if story.template == "tabular" else HTML
        if story.number == TRUNCATED:
            make = partial(_cut, make, story.paragraphs[TRUNCATED_PARAGRAPHS].text[:TRUNCATED_CHARACTERS])
        if story.number == MISLABELLED:
            make = partial(_mislabel, make)
        return _Resource(make, content_type, story.digest, story.updated)

    def _odd(self) -> Iterator[tuple[str, _Resource]]:
        find = self._by_number.get
        if original := find(REPRINT_OF):
            yield REPRINT_PATH, self._page(replace(original, title=REPRINT_TITLE, template=REPRINT_TEMPLATE))
        if twice := find(TWICE):
            yield SECOND_PATH, self._page(twice)
        if moved := find(MOVED):
            yield MOVED_PATH, _Resource(lambda _, __: b"", status=301, location=moved.path)
        yield FAILING_PATH, _Resource(lambda _, __: _APOLOGY, status=500)
        yield IMAGE_PATH, _Resource(lambda _, __: _JPEG, HTML_BARE, "jpeg")
        # Forbidden by robots.txt, which only a polite crawler notices: the page itself would be there.
        yield MEMBERS_PATH, _Resource(lambda _, __: b"<p>For members only.</p>")

    def _render(self, story: DemoStory, base: str, hit: int) -> bytes:
        same = [s for s in self.stories if s.language == story.language and s.number != story.number]
        related = [s for s in same if s.section == story.section and not s.in_sitemap_only]
        return pages.article(story, self.papers[story.language], base, hit, related[:4], same[:5])


def is_unchanged(headers: Mapping[str, str], tag: str | None, modified: datetime | None) -> bool:
    """Whether a GET with these headers (lower-case names) is to be answered with 304 (RFC 9110, section 13).

    If-None-Match decides alone where it is given (section 13.1.3); a date that cannot be read counts as none.
    """
    if (known := headers.get("if-none-match")) is not None:
        return tag is not None and (known.strip() == "*" or _opaque(tag) in map(_opaque, known.split(",")))
    since = headers.get("if-modified-since")
    if since is None or modified is None:
        return False
    try:
        return modified.replace(microsecond=0) <= parsedate_to_datetime(since)
    except (ValueError, TypeError):  # TypeError: a date without a zone cannot be compared
        return False


def _opaque(tag: str) -> str:
    """Returns the part of a tag that the weak comparison of section 8.8.3.2 compares."""
    return tag.strip().removeprefix("W/")


def _message(status: int, text: str) -> DemoAnswer:
    body = f"<!doctype html><title>{status}</title><p>{text}</p>".encode()
    return DemoAnswer(status, {"Content-Type": HTML, "Content-Length": str(len(body))}, body)


def _listing(make: Make, stories: Sequence[DemoStory], content_type: str) -> _Resource:
    digest = blake2b("".join(s.digest for s in stories).encode(), digest_size=8).hexdigest()
    modified = max((s.updated for s in stories if s.updated), default=None)
    return _Resource(make, content_type, digest, modified)


def _feed(paper: Paper, stories: Sequence[DemoStory], base: str, _: int) -> bytes:
    """The feed of a paper. Some links of the English one end badly."""
    odd = (
        (base + MOVED_PATH, "Bridge open"),
        (base + WITHDRAWN_PATH, "Notice"),
        (base + FAILING_PATH, "Bulletin of the press office"),
        (base + IMAGE_PATH, "Picture of the day"),
        (base + MEMBERS_PATH, "Diary of a councillor"),
        (base + REPRINT_PATH, REPRINT_TITLE),
        (ELSEWHERE, "What others write"),
    )
    return pages.feed(paper, stories, base, odd)


def _listing_page(paper: Paper, heading: str, stories: Sequence[DemoStory], base: str, hit: int) -> bytes:
    links = []
    for story in stories:
        if story.number == PRINTED:
            links.append((base + story.print_path, f"{paper.words['print']}: {story.title}"))
        if story.number == MOVED:
            links.append((base + MEMBERS_PATH, "Diary of a councillor"))
    return pages.listing(paper, heading, stories, base, hit, links)


def _print_version(story: DemoStory, paper: Paper, base: str, _: int) -> bytes:
    return pages.print_version(story, paper, base)


def _cut(make: Make, before: str, base: str, hit: int) -> bytes:
    """The page up to and including `before`, as when a connection to the backend breaks."""
    page = make(base, hit)
    return page[: page.index(before.encode()) + len(before.encode())]


def _mislabel(make: Make, base: str, hit: int) -> bytes:
    return make(base, hit).decode().encode("windows-1252", "xmlcharrefreplace")
