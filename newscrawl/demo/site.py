"""Every address of the demo site and its answer. This module uses no sockets."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from hashlib import blake2b
from typing import Final
from urllib.parse import urlsplit

from newscrawl.demo import listings, noise, oddities
from newscrawl.demo.conditional import etag, http_date, is_unchanged
from newscrawl.demo.story import LANGUAGES, DemoStory, Language, load_stories
from newscrawl.demo.templates import Around, parts, plain, render

ORIGIN: Final = "http://demo.localhost:8765"
"""The site's address in every link and in the database, whatever port its server could get."""

HTML: Final = "text/html; charset=utf-8"
HTML_BARE: Final = "text/html"
"""Without a charset: the page's own declaration decides."""

Make = Callable[[Around], bytes]

# Start and end of a JPEG file: enough for any program to see that this is no text.
_JPEG: Final = (
    b"\xff\xd8\xff\xe0\x00\x10JFIF\x00\x01\x01\x00\x00\x01\x00\x01\x00\x00" + bytes(range(256)) * 8 + b"\xff\xd9"
)


_QUAY: Final = (
    b'<svg xmlns="http://www.w3.org/2000/svg" width="320" height="180"><path fill="#cde" d="M0 0h320v180H0z"/>'
    b'<path fill="#468" d="M0 120h320v60H0z"/><path fill="#843" d="M0 100h130v20H0zM60 60h8v40h-8z"/></svg>'
)


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
        return _answer(resource, Around(base, hit), headers or {}, with_body=method == "GET")

    def _build(self) -> Iterator[tuple[str, _Resource]]:
        yield parts.IMAGE_PATH, _Resource(lambda _: _QUAY, "image/svg+xml", digest="quay")
        yield "/robots.txt", _Resource(listings.robots, "text/plain; charset=utf-8", digest="robots")
        for language in LANGUAGES:
            yield from self._listings(language)
        yield (
            listings.SITEMAP_PATH,
            self._listing(partial(listings.sitemap, self.stories), self.stories, "application/xml"),
        )
        for story in self.stories:
            yield story.path, self._page(story)
        yield from self._odd()

    def _listings(self, language: Language) -> Iterator[tuple[str, _Resource]]:
        stories = [story for story in self.stories if story.language == language]
        feed, kind = (listings.rss, "rss") if language == "en" else (listings.atom, "atom")
        yield parts.feed(language), self._listing(partial(feed, stories), stories, f"application/{kind}+xml")
        pages = [(parts.home(language), noise.SITE_NAMES[language], stories)]
        for name, label in noise.SECTIONS[language].items():
            pages.append((parts.section(language, name), label, [s for s in stories if s.section == name]))
        for path, heading, shown in pages:
            make = partial(_listing_page, language, heading, shown)
            yield path, self._listing(make, shown, HTML)

    def _listing(self, make: Make, stories: Sequence[DemoStory], content_type: str) -> _Resource:
        digest = blake2b("".join(s.digest for s in stories).encode(), digest_size=8).hexdigest()
        modified = max((s.updated for s in stories if s.updated), default=None)
        return _Resource(make, content_type, digest, modified)

    def _page(self, story: DemoStory) -> _Resource:
        """Returns a story's page, with the errors that `oddities` defines."""
        make = partial(self._render, story)
        content_type = HTML_BARE if story.template == "tabular" else HTML
        if story.number == oddities.TRUNCATED:
            make = partial(
                _cut, make, story.paragraphs[oddities.TRUNCATED_PARAGRAPHS].text[: oddities.TRUNCATED_CHARACTERS]
            )
        if story.number == oddities.MISLABELLED:
            make = partial(_mislabel, make)
        return _Resource(make, content_type, story.digest, story.updated)

    def _odd(self) -> Iterator[tuple[str, _Resource]]:
        find = self._by_number.get
        if original := find(oddities.REPRINT_OF):
            reprint = replace(original, title=oddities.REPRINT_TITLE, template=oddities.REPRINT_TEMPLATE)
            yield oddities.REPRINT_PATH, self._page(reprint)
        if twice := find(oddities.TWICE):
            yield oddities.SECOND_PATH, self._page(twice)
        for story in self.stories:
            print_page = _Resource(partial(plain.render, story), digest=f"p{story.digest}", modified=story.updated)
            yield print_path(story), print_page
        if moved := find(oddities.MOVED):
            yield oddities.MOVED_PATH, _Resource(_nothing, status=301, location=moved.path)
        yield oddities.FAILING_PATH, _Resource(_apology, status=500)
        yield oddities.IMAGE_PATH, _Resource(lambda _: _JPEG, HTML_BARE, digest="jpeg")
        # Forbidden by robots.txt, which only a polite crawler notices: the page itself would be there.
        yield oddities.MEMBERS_PATH, _Resource(lambda _: b"<p>For members only.</p>")

    def _render(self, story: DemoStory, around: Around) -> bytes:
        same = [s for s in self.stories if s.language == story.language and s.number != story.number]
        related = [s for s in same if s.section == story.section and not s.in_sitemap_only]
        return render(story, replace(around, related=tuple(related[:4]), popular=tuple(same[:5])))


def print_path(story: DemoStory) -> str:
    """The path of the print version of a story."""
    return f"/print/{story.number}/{story.slug}"


def _answer(resource: _Resource, around: Around, headers: Mapping[str, str], *, with_body: bool) -> DemoAnswer:
    sent = {"Cache-Control": "no-cache"}
    if resource.digest:
        sent["ETag"] = etag(resource.digest)
    if resource.modified:
        sent["Last-Modified"] = http_date(resource.modified)
    if resource.status == 200 and is_unchanged(headers, sent.get("ETag"), resource.modified):
        return DemoAnswer(304, sent)
    sent["Content-Type"] = resource.content_type
    if resource.location:
        sent["Location"] = around.base + resource.location
    body = resource.make(around)
    sent["Content-Length"] = str(len(body))
    return DemoAnswer(resource.status, sent, body if with_body else b"")


def _message(status: int, text: str) -> DemoAnswer:
    body = f"<!doctype html><title>{status}</title><p>{text}</p>".encode()
    return DemoAnswer(status, {"Content-Type": HTML, "Content-Length": str(len(body))}, body)


def _listing_page(language: Language, heading: str, stories: Sequence[DemoStory], around: Around) -> bytes:
    extra: list[listings.Entry] = []
    for story in stories:
        if story.number == oddities.PRINTED:
            extra.append((around.base + print_path(story), f"{noise.WORDS[language]['print']}: {story.title}"))
        if story.number == oddities.MOVED:
            extra.append((around.base + oddities.MEMBERS_PATH, "Diary of a councillor"))
    return listings.listing(language, heading, stories, around, extra)


def _cut(make: Make, before: str, around: Around) -> bytes:
    """The page up to and including `before`, as when a connection to the backend breaks."""
    page = make(around)
    return page[: page.index(before.encode()) + len(before.encode())]


def _mislabel(make: Make, around: Around) -> bytes:
    return make(around).decode().encode("windows-1252", "xmlcharrefreplace")


def _nothing(_: Around) -> bytes:
    return b""


def _apology(_: Around) -> bytes:
    return b"<!doctype html><title>500</title><p>Our press has jammed. We are sorry.</p>"
