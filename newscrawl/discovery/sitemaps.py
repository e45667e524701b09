"""Reads sitemaps: news, plain, index, text (sitemaps.org protocol 0.9; Google's news extension 0.9); and decides which
of their links become candidates, which further sitemaps are read, and in which order. Pure.

Scrapy's reader loses the nested news tags, so it is not used. XML is read entry by entry, so that a large sitemap is
never in memory as a tree.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any, Final
from urllib.parse import urlsplit

from lxml import etree

from newscrawl.discovery.feeds.syndication import read_syndication
from newscrawl.discovery.feeds.text_repair import decoded, well_formed
from newscrawl.discovery.links.resolve import key_of, resolve, within
from newscrawl.discovery.reading import (
    CUT,
    EMPTY,
    ENTITIES,
    HTML_INSTEAD,
    MAX_TITLE,
    ChildSitemap,
    SourceContents,
    UnpackError,
    gunzip,
    starts_as_html,
)
from newscrawl.model import Candidate, Discovery
from newscrawl.model.identity.patterns import repeats_itself
from newscrawl.model.written_dates.parse_date import read_source_date

MAX_BYTES: Final = 52_428_800
"""The greatest uncompressed size that the protocol allows (sitemaps.org, "Sitemap file"): 50 MB."""

MAX_URLS: Final = 50_000
"""The most entries that the protocol allows in one file."""

MAX_FEED_BYTES: Final = 4_000_000
MAX_FEED_ENTRIES: Final = 1_000
"""The limits of a feed in place of a sitemap."""

MAX_MENDED: Final = 10_000_000
"""Bytes of broken XML that are repaired and read a second time, which takes about 0.1 s for each megabyte."""

NO_SITEMAP: Final = "no sitemap"
CUT_XML: Final = "broken XML, read as far as it goes"

_ENTITY: Final = re.compile(rb"<!ENTITY", re.IGNORECASE)
_ROOT: Final = re.compile(rb"<(?:\w{1,20}:)?(?:urlset|sitemapindex|rss|feed|rdf)[\s>]", re.IGNORECASE)
_XML_DECLARATION: Final = re.compile(rb"<\?xml(?:(?!<\?xml)[^>])*+>")
_FEED_ROOTS: Final = frozenset({"rss", "feed", "rdf"})
_MARKUP: Final = re.compile(rb"<[!?/a-zA-Z]")
_START: Final = 10_000

MAX_DEPTH: Final = 64
"""The greatest depth of nested elements. A sitemap has four; deeper ones are not read."""

MAX_KEYWORDS: Final = 20
_ENTRIES: Final = frozenset({"url", "sitemap"})
_ROOTS: Final = frozenset({"urlset", "sitemapindex"})

MAX_WRAPPERS: Final = 3
"""Elements around the root of a sitemap, which some servers add."""
_MEDIA: Final = ("image", "video")


def read_sitemap(body: bytes, url: str, *, max_urls: int = MAX_URLS, max_bytes: int = MAX_BYTES) -> SourceContents:
    """Returns the URLs of a sitemap as candidates, or the children of an index. `url` is its final address.

    Compressed bodies are recognised by their first bytes. Namespaces are ignored, because half of the sitemaps in use
    have a wrong one. A feed in place of a sitemap, which the protocol allows, is read as a feed. Never raises.
    """
    try:
        body = gunzip(body, max_bytes).lstrip(b" \t\r\n\x00")
    except UnpackError as error:
        return SourceContents(problems=(str(error),))
    if not body:
        return SourceContents(problems=(EMPTY,))
    if body.startswith((b"\xff\xfe", b"\xfe\xff")):
        body = _XML_DECLARATION.sub(b"", body.decode("utf-16", "replace").encode("utf-8"), count=1)
    if not _MARKUP.search(body[:1_000]):
        return _read_text(body, url, max_urls)
    root = _ROOT.search(body, 0, _START)
    if _ENTITY.search(body, 0, root.start() if root else len(body)):
        return SourceContents(problems=(ENTITIES,))
    if starts_as_html(body):
        return SourceContents(problems=(HTML_INSTEAD,))
    return _read_xml(body, url, max_urls)


def _read_xml(body: bytes, url: str, max_urls: int) -> SourceContents:
    found = read_entries(body, url, max_urls)
    if found.broken and not found.cut and len(body) <= MAX_MENDED:
        mended = read_entries(well_formed(decoded(body, ""), {}).lstrip().encode("utf-8", "replace"), url, max_urls)
        found = max(mended, found, key=len)
    if found.root in _FEED_ROOTS:
        return read_syndication(decoded(body[:MAX_FEED_BYTES], ""), url, MAX_FEED_ENTRIES)
    return SourceContents(tuple(found.candidates.values()), tuple(found.children.values()), _problems(found))


def _problems(found: SitemapEntries) -> tuple[str, ...]:
    if found.root not in ("urlset", "sitemapindex"):
        return (NO_SITEMAP,)
    return ((CUT_XML,) if found.broken else ()) + ((CUT,) if found.cut else ())


def _read_text(body: bytes, url: str, limit: int) -> SourceContents:
    """Reads the protocol's text form: one address on each line."""
    candidates: dict[str, Candidate] = {}
    for line in decoded(body, "").lstrip("\ufeff").splitlines():
        loc = resolve(url, line) if line.lstrip().lower().startswith(("http://", "https://")) else None
        if loc is None:
            continue
        if len(candidates) >= limit:
            return SourceContents(tuple(candidates.values()), problems=(CUT,))
        candidates.setdefault(loc, Candidate(loc, Discovery("sitemap", url)))
    return SourceContents(tuple(candidates.values()), problems=() if candidates else (NO_SITEMAP,))


@dataclass(slots=True)
class SitemapEntries:
    """The entries that were read so far."""

    root: str = ""
    candidates: dict[str, Candidate] = field(default_factory=dict)
    children: dict[str, ChildSitemap] = field(default_factory=dict)
    cut: bool = False
    """Whether there are more entries than the limit."""
    broken: bool = False
    """Whether the XML is not well formed."""

    def __len__(self) -> int:
        return len(self.candidates) + len(self.children)


def read_entries(body: bytes, url: str, limit: int) -> SitemapEntries:
    """Returns the entries of a sitemap or an index. Broken XML is read as far as libxml2 recovers. Never raises."""
    found = SitemapEntries()
    context = etree.iterparse(
        io.BytesIO(body), events=("start", "end"), resolve_entities=False, no_network=True, load_dtd=False,
        recover=True, huge_tree=False, remove_comments=True, remove_pis=True, collect_ids=False,
    )  # fmt: skip
    try:
        for element in _entries(context, found):
            if len(found) >= limit:
                found.cut = True
                return found
            _take(found, element, url)
    except etree.XMLSyntaxError:
        found.broken = True
    found.broken = found.broken or len(context.error_log.filter_from_fatals()) > 0
    return found


def _entries(context: Any, found: SitemapEntries) -> Iterator[Any]:
    """Yields complete entries, at any depth below the root: a `urlset` may stand in a `urlset`. Each is cleared when
    the next one is requested. Ends at once if the document does not begin with a sitemap, in at most `MAX_WRAPPERS`
    other elements."""
    depth = entry_depth = 0
    for event, element in context:
        if event == "start":
            depth += 1
            name = local(element)
            if depth == 1 or (found.root not in _ROOTS and name in _ROOTS):
                found.root = name
            elif not entry_depth and name in _ENTRIES:
                entry_depth = depth
            if depth > (MAX_DEPTH if found.root in _ROOTS else MAX_WRAPPERS):
                return
            continue
        if found.root not in _ROOTS:
            return
        if entry_depth == depth:
            yield element
            entry_depth = 0
        depth -= 1
        if not entry_depth:
            element.clear()
            while element.getprevious() is not None:
                del element.getparent()[0]


def _take(found: SitemapEntries, entry: Any, url: str) -> None:
    fields: dict[str, Any] = {}
    for child in entry:
        if not _is_media(child):
            fields.setdefault(local(child), child)
    loc = resolve(url, text_of(fields.get("loc")))
    if loc is None:
        return
    changed = _date(fields.get("lastmod"))
    if local(entry) == "sitemap":
        found.children.setdefault(loc, ChildSitemap(loc, changed))
    else:
        found.candidates.setdefault(loc, Candidate(loc, _discovery(fields.get("news"), url, changed)))


def _discovery(news: Any, url: str, changed: datetime | None) -> Discovery:
    """Returns the data of an entry, with its <news:news> part (Google's news extension 0.9)."""
    if news is None:
        return Discovery("sitemap", url, None, changed, changed)
    fields = {local(child): child for child in news}
    publication = {local(child): child for child in fields.get("publication", ())}
    keywords = (" ".join(word.split()) for word in text_of(fields.get("keywords"))[:2_000].split(","))
    return Discovery(
        "sitemap",
        url,
        " ".join(text_of(fields.get("title")).split())[:MAX_TITLE].strip() or None,
        _date(fields.get("publication_date")) or changed,
        changed,
        text_of(publication.get("language"))[:35].lower() or None,
        tuple(dict.fromkeys(word for word in keywords if word))[:MAX_KEYWORDS],
    )


def local(element: Any) -> str:
    """Returns a tag without its namespace in lower case; "" for anything that is no element."""
    tag = getattr(element, "tag", None)
    return tag.rpartition("}")[2].rpartition(":")[2].lower() if isinstance(tag, str) else ""


def text_of(element: Any) -> str:
    """Returns all text inside the element, without comments."""
    return "".join(element.itertext()).strip() if element is not None else ""


def _is_media(element: Any) -> bool:
    """Returns whether the element is of an image or video extension: its address is not that of the page."""
    tag = element.tag if isinstance(element.tag, str) else ""
    space, _, name = tag.rpartition("}")
    return any(word in space.lower() or name.lower().startswith(f"{word}:") for word in _MEDIA)


def _date(element: Any) -> datetime | None:
    return read_source_date(text_of(element))


FUTURE: Final = timedelta(hours=24)
"""The widest difference of clocks and zones. A date further in the future is ignored, or it would always come first."""

_NO_ARTICLES: Final = re.compile(
    r"(?<![a-z])(?:post[_\-]?)?(?:tags?|authors?|autor(?:es|en)?|categor(?:y|ies|ias?)|taxonom(?:y|ies)|topics?|images?"
    r"|videos?|photos?|galler(?:y|ies)|static|sections?|pages?|users?|profiles?)(?![a-z])",
    re.IGNORECASE,
)
"""Words in the names of sitemaps that list no articles, as the usual content systems use them (but not "stage",
"tageblatt" or "vintage")."""

_DATED: Final = re.compile(
    r"(?<!\d)((?:19|20)\d\d)(?:[/_\-.]?(0[1-9]|1[0-2])(?:[/_\-.]?(0[1-9]|[12]\d|3[01]))?)?(?!\d)"
)
"""A day, month or year in a sitemap's name: the sitemap lists what was published then."""

_NEVER: Final = datetime.min.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Choice:
    """The chosen links of a source: the candidates, the newest first, and how many were left out for which reason."""

    candidates: tuple[Candidate, ...] = ()
    offsite: int = 0
    not_article: int = 0
    over_limit: int = 0


def choose(
    found: Iterable[Candidate],
    *,
    domains: Sequence[str],
    accepts: Callable[[Candidate], bool],
    now: datetime,
    limit: int,
) -> Choice:
    """Returns the candidates on `domains` for which `accepts` returns True: one for each URL key, the newest first, at
    most `limit`."""
    kept: dict[str, Candidate] = {}
    offsite = refused = 0
    for candidate in found:
        if not within(candidate.url, domains):
            offsite += 1
        elif repeats_itself(candidate.url) or not accepts(candidate) or (key := key_of(candidate.url)) is None:
            refused += 1
        else:
            kept.setdefault(key, candidate)
    ordered = sorted(kept.values(), key=lambda c: credible_date(c.discovery.published, now) or _NEVER, reverse=True)
    over = max(0, len(ordered) - limit)
    return Choice(tuple(ordered[:limit]), offsite, refused, over)


def credible_date(when: datetime | None, now: datetime) -> datetime | None:
    """Returns a source's date if it is credible; None if it is in the future."""
    return when if when is not None and when <= now + FUTURE else None


def is_older(candidate_date: datetime | None, since: datetime | None) -> bool:
    """Returns whether a candidate is known to be older than `since`; one without a date is not."""
    return since is not None and candidate_date is not None and candidate_date < since


def choose_children(
    children: Iterable[ChildSitemap], now: datetime, *, since: datetime | None = None
) -> list[ChildSitemap]:
    """Returns the children of a sitemap index that may list articles, the newest first; with `since` only those that
    may have changed after it.

    A child without a date changed at the latest when the period in its name ended. Without that the numbers in the
    names give the order, because archives are numbered.
    """
    children = list(children)
    # If all names are like that, the index may call its articles "pages" or "videos".
    useful = [child for child in children if not _NO_ARTICLES.search(child.url.rpartition("/")[2])] or children
    changed = {child.url: credible_date(child.lastmod, now) or period_end(child.url) for child in useful}
    if since is not None:
        useful = [child for child in useful if (when := changed[child.url]) is None or when >= since]
    return sorted(useful, key=lambda child: (_past(changed[child.url], now), _numbers(child.url)), reverse=True)


def period_end(url: str) -> datetime | None:
    """Returns the end of the last day, month or year that the address names; None if it names none."""
    parts = urlsplit(url)
    periods = _DATED.findall(f"{parts.path}?{parts.query}")
    if not periods:
        return None
    year, month, day = (int(part or 0) for part in max(periods, key=lambda period: [bool(part) for part in period]))
    try:
        start = datetime(year, month or 12, day or 1, tzinfo=UTC)
    except ValueError:
        return None
    # The last day of a month is computed from its first: 32 days later is always in the next month.
    return start + timedelta(days=2) if day else (start + timedelta(days=32)).replace(day=2)


def _past(when: datetime | None, now: datetime) -> datetime:
    return min(when, now) if when else _NEVER


def _numbers(url: str) -> list[int]:
    return [int(number) for number in re.findall(r"\d{1,8}", url)]
