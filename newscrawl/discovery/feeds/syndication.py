"""Reads RSS, RDF and Atom: a parser first, and regular expressions for a feed that is too broken for it; and makes the
entries of a feed of any format into candidates: one for each address, with the data of its duplicates."""

from __future__ import annotations

import calendar
import html
import io
import re
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import islice, pairwise
from types import MappingProxyType
from typing import Any, Final

from newscrawl.discovery.feeds.text_repair import entities_of, well_formed
from newscrawl.discovery.links.article_urls import is_file, is_home
from newscrawl.discovery.links.resolve import key_of, resolve, unwrapped
from newscrawl.discovery.reading import CUT, ENTITIES, MAX_TITLE, NO_FEED, TOO_COSTLY, SourceContents, UpdateHints
from newscrawl.model import Candidate, Discovery
from newscrawl.model.identity import same_site
from newscrawl.model.written_dates.parse_date import EARLIEST, read_source_date

MAX_ENTRIES: Final = 1_000
"""Entries that are read of one feed. Feeds list the latest 10 to 200; more is an archive or an attack."""

MAX_BYTES: Final = 4_000_000
"""Bytes that are read of a feed. Those of the test data, with full texts in them, are below 2 MB."""

MAX_TAGS: Final = 200_000
"""The most tags, and the most references, of a feed. feedparser takes about 25 microseconds for each tag; the full
texts of 100 articles have some 30,000."""

MAX_TAG_BYTES: Final = 10_000
"""The greatest length of a tag. feedparser is quadratic in its attributes: 3,200 of them, 30 kB, took 0.1 s."""

MAX_UNCLOSED: Final = 1_000
"""The most tags that are opened and never closed. feedparser reads such a feed twice, strictly and then leniently, and
takes about 40 microseconds for each tag. Feeds with bare HTML in them have some hundred <br> and <img>. With more of
them the addresses are searched without feedparser (newscrawl.discovery.feeds.syndication)."""

MAX_PREFIXES: Final = 100
"""The most namespace prefixes of a feed. feedparser goes through all of them at each element. Real feeds declare some
twenty at most, however often."""

HEAD: Final = 50_000
"""Characters of a feed before its first entry that are searched for data on the feed itself."""

_DATE_KEYS: Final = ("published", "updated", "created", "date")
_MODIFIED_KEYS: Final = ("updated",)
"""feedparser's name for Atom's <updated> (also inside RSS), Atom 0.3's <modified>, dcterms:modified and dc:date."""

_PAGE_TYPES: Final = re.compile(r"$|text/html|application/xhtml", re.IGNORECASE)
_FIRST_ENTRY: Final = re.compile(r"<(?:\w{1,32}:)?(?:item|entry)[\s>]", re.IGNORECASE)
_ATOM: Final = re.compile(
    r"""(<(?:\w{1,32}:)?feed\b[^<>]*?\bxmlns=)(["'])http://www\.w3\.org/1999/xhtml\2""", re.IGNORECASE
)
_EMPTY_LINK: Final = re.compile(rb"<link\s{0,5}/>\s{0,20}(https?://[^<>\s]{1,2000})(?:</link>)?")
"""A link in a feed whose generator treated <link> as HTML's empty element."""

_PREFIX: Final = re.compile(r"\bxmlns:([^\s=<>\"']++)")
_UNREAD: Final = re.compile(
    r"(</?(?:[\w.-]{1,32}:)?)"
    r"(?=(?:author|managingeditor|webmaster|creator|contributor|publisher|owner|category|keywords|subject|tags)[\s/>])",
    re.IGNORECASE,
)
"""Tags of persons and subjects, which are not needed. feedparser compares each subject of an entry with all before it,
and searches for an e-mail address in a person's name in quadratic time."""

_ROOT: Final = re.compile(r"<((?:\w{1,32}:)?(?:rss|rdf|feed))[\s>]", re.IGNORECASE)
_ADDRESS: Final = re.compile(r"https?://", re.IGNORECASE)
_OPENED: Final = re.compile(r"<[A-Za-z_]")

NOTHING: Final[Mapping[str, Any]] = MappingProxyType({"entries": (), "feed": {}})
"""A result of feedparser without entries."""

MAX_INTERVAL: Final = timedelta(days=7)
"""The longest interval that is honoured. A feed that states more is probably wrong."""
_PERIODS: Final = {
    "hourly": timedelta(hours=1),
    "daily": timedelta(days=1),
    "weekly": timedelta(days=7),
    "monthly": timedelta(days=30),
    "yearly": timedelta(days=365),
}
_DAYS: Final = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_NAMED_TAG: Final = r"<{0}\b[^<>]*+>"
_HOURS: Final = tuple(re.compile(_NAMED_TAG.format(name), re.IGNORECASE) for name in ("skiphours", "/skiphours"))
_SKIP_DAYS: Final = tuple(re.compile(_NAMED_TAG.format(name), re.IGNORECASE) for name in ("skipdays", "/skipdays"))
"""Opening and closing tags. One expression for the whole element would search for its end from each opening tag."""
_FIELD: Final = re.compile(
    r"<(ttl|(?:\w{1,32}:)?updateperiod|(?:\w{1,32}:)?updatefrequency)\s*>([^<]{1,40})<", re.IGNORECASE
)
_VALUE: Final = re.compile(r">\s*+(\w++)\s*+<")


def read_syndication(text: str, url: str) -> SourceContents:
    """Reads the entries of RSS in any version, RDF and Atom. Broken mark-up is read as far as feedparser gets."""
    entities = entities_of(text)
    if entities is None:
        return SourceContents(problems=(ENTITIES,))
    text, is_cut = _first_entries(well_formed(text, entities))
    if _too_costly(text):
        return SourceContents(problems=(TOO_COSTLY,))
    head = text[:HEAD]
    first = _FIRST_ENTRY.search(head)
    head = head[: first.start()] if first else head
    parsed = NOTHING
    if _unclosed(text) <= MAX_UNCLOSED:
        parsed = _parse(_ATOM.sub(r"\1\2http://www.w3.org/2005/Atom\2", head, count=1) + text[len(head) :])
    listed: Sequence[Any] = parsed["entries"]
    about = parsed["feed"]
    home = resolve(url, dict.get(about, "link") or "")
    entries = Entries(url)
    base = home if home and not same_site(home, url) else url  # a feed service has addresses outside the site
    for entry in listed[:MAX_ENTRIES]:
        modified = _date(entry, _MODIFIED_KEYS)
        entries.add(base, _links(entry), dict.get(entry, "title"), _date(entry, _DATE_KEYS), modified)
    if not listed or (parsed.get("bozo") and not entries.found):
        read_rough(text, entries, base)
    if not parsed.get("version") and not entries.found:
        return SourceContents(problems=(NO_FEED,))
    return SourceContents(
        entries.candidates(),
        problems=(CUT,) if is_cut else (),
        update_hints=read_update_hints(head),
        title=plain(dict.get(about, "title")),
        home=home,
        language=(dict.get(about, "language") or "")[:35] or None,
    )


def _first_entries(text: str) -> tuple[str, bool]:
    """Returns the feed with its first `MAX_ENTRIES` entries and closed again, and whether entries were left out.
    feedparser has no limit itself."""
    starts = islice(_FIRST_ENTRY.finditer(text), MAX_ENTRIES, MAX_ENTRIES + 1)
    over = next(starts, None)
    if over is None:
        return text, False
    kept = text[: over.start()]
    root = _ROOT.search(kept)
    channel = "</channel>" if kept.count("<channel") > kept.count("</channel>") else ""
    return f"{kept}{channel}</{root.group(1)}>" if root else kept, True


def _too_costly(text: str) -> bool:
    parts = text.split("<")
    if len(parts) > MAX_TAGS or text.count("&") > MAX_TAGS:
        return True
    if len(set(_PREFIX.findall(text))) > MAX_PREFIXES:
        return True
    return any(
        len(part) > MAX_TAG_BYTES and part[:1].isalpha() and part.find(">", 0, MAX_TAG_BYTES) < 0 for part in parts
    )


def _unclosed(text: str) -> int:
    """Returns how many tags are opened and not closed, outside of CDATA."""
    first, *others = text.split("<![CDATA[")
    outside = "".join([first, *(part.partition("]]>")[2] for part in others)])
    return len(_OPENED.findall(outside)) - outside.count("</") - outside.count("/>")


def _parse(text: str) -> Any:
    import feedparser  # takes long to load, and callers that only judge addresses do not need it

    # BytesIO, because feedparser opens bytes or text that name a file or an address. It gets no base address, so that
    # relative links stay relative: the right base is chosen by read_syndication.
    body = b'<?xml version="1.0" encoding="utf-8"?>' + _without_unread(text).encode("utf-8", "replace")
    body = _EMPTY_LINK.sub(rb"<link>\1</link>", body)
    headers = {"content-type": "application/xml; charset=utf-8"}
    return feedparser.parse(
        io.BytesIO(body), response_headers=headers, sanitize_html=False, resolve_relative_uris=False
    )


def _without_unread(text: str) -> str:
    """Returns the feed with the tags that slow feedparser down renamed to a name that it does not know."""
    return _UNREAD.sub(r"\1unread-", text.lstrip("\ufeff \t\r\n"))


def _links(entry: Any) -> list[str]:
    """Returns where an entry may state its address, best first: a redirector's original, link, alternate links,
    guid."""
    get = dict.get
    links = [link for link in get(entry, "links") or () if isinstance(link, dict)]
    alternates = [link for link in links if get(link, "rel", "alternate").rpartition("/")[2] == "alternate"]
    pages = [link["href"] for link in alternates if get(link, "href") and _PAGE_TYPES.match(get(link, "type") or "")]
    link, guid = get(entry, "link"), get(entry, "id")
    if not pages and link and all(get(other, "href") != link for other in links):
        pages = [link]
    guids = [guid] if guid and _ADDRESS.match(guid) else []
    originals = [get(entry, "feedburner_origlink"), get(entry, "pheedo_origlink")]
    if pages and guids and is_home(pages[0]):  # some systems put the site's address into every link
        pages, guids = guids, pages
    return [address for address in (*originals, *pages, *guids) if address]


def _date(entry: Any, keys: Sequence[str]) -> datetime | None:
    """Returns the first of the entry's dates under `keys` that can be read."""
    # dict.get, because feedparser's own look-up warns and may return another date
    for key in keys:
        written = dict.get(entry, key)
        when = read_source_date(written)
        if when is None and isinstance(written, str) and ":" in written:  # a language only feedparser reads
            when = _from_struct(dict.get(entry, f"{key}_parsed"))
        if when is not None:
            return when
    return None


def _from_struct(value: time.struct_time | None) -> datetime | None:
    """Returns a UTC struct_time of feedparser as a datetime; None if it is missing or not credible."""
    if value is None:
        return None
    try:
        when = datetime.fromtimestamp(calendar.timegm(value), UTC)
    except (ValueError, OverflowError, OSError):
        return None
    return when if when >= EARLIEST else None


def read_update_hints(head: str) -> UpdateHints:
    """Returns the update hints in the head of a feed, the part before its first entry.

    They are read from the text, because feedparser does not read skipHours.
    """
    fields = {name.rpartition(":")[2].lower(): value.strip() for name, value in _FIELD.findall(head)}
    named_hours = _VALUE.findall(_element(head, *_HOURS))
    named_days = [day.lower() for day in _VALUE.findall(_element(head, *_SKIP_DAYS))]
    return UpdateHints(
        min(_interval(fields), MAX_INTERVAL),
        # RSS 0.92 counts the hours from 1 to 24, RSS 2.0 from 0 to 23: 24 is 0 in both.
        frozenset(int(hour) % 24 for hour in named_hours if hour.isascii() and hour.isdigit() and int(hour) <= 24),
        frozenset(_DAYS.index(day) for day in named_days if day in _DAYS),
    )


def _element(text: str, opening: re.Pattern[str], closing: re.Pattern[str]) -> str:
    """Returns the first element between these tags, with the tags; "" if there is none."""
    start = opening.search(text)
    end = closing.search(text, start.end()) if start else None
    return text[start.start() : end.end()] if start and end else ""


def _interval(fields: dict[str, str]) -> timedelta:
    ttl = _number(fields.get("ttl"))
    if ttl:
        return timedelta(minutes=ttl)
    period = _PERIODS.get(fields.get("updateperiod", "").lower(), timedelta(0))
    return period / (_number(fields.get("updatefrequency")) or 1)


def _number(text: str | None) -> int:
    return int(text) if text and text.isascii() and text.isdigit() and len(text) < 8 else 0


_TAG: Final = re.compile(r"<[^<>]*>")
_CONTROLS: Final = re.compile(r"[\x00-\x1f\x7f-\x9f]+")

_ENTRY: Final = re.compile(r"<(?:\w+:)?(?:item|entry)[\s>]", re.IGNORECASE)
_LINK: Final = re.compile(
    r"""<(?:link|guid|id)\b[^<>]{0,300}?(?:\bhref\s*=\s*["']([^"'<>]+)["']|>\s*+(?:<!\[CDATA\[)?+\s*+(https?://[^<>\]\s]+))""",
    re.IGNORECASE,
)
_TITLE: Final = re.compile(r"<title\b[^<>]{0,300}>\s*(?:<!\[CDATA\[)?([^<]+)", re.IGNORECASE)
_DATE: Final = re.compile(r"<(?:pubdate|published|issued|updated|\w+:date)>\s*(?:<!\[CDATA\[)?([^<\]]+)", re.IGNORECASE)
_MODIFIED: Final = re.compile(r"<(?:\w+:)?(?:updated|modified)>\s*(?:<!\[CDATA\[)?([^<\]]+)", re.IGNORECASE)

MAX_ENTRY: Final = 20_000
"""Characters of an entry that are searched."""


class Entries:
    """The entries of one feed that were read so far, in the feed's order."""

    def __init__(self, feed_url: str) -> None:
        self.feed_url = feed_url
        self.found: dict[str, Candidate] = {}

    def add(
        self,
        base: str,
        links: Iterable[str],
        title: str | None,
        published: datetime | None,
        modified: datetime | None = None,
    ) -> None:
        """Adds an entry under the first of `links` that is the address of a page. An entry without one is left out.

        `modified` is the date of the last change, if the feed states one beside or instead of the publication date.
        """
        url = next((u for link in links if (u := resolve(base, link)) and not is_file(u)), None)
        url = unwrapped(url) if url else None
        key = key_of(url) if url else None
        if url is None or key is None:
            return
        entry = Discovery("feed", self.feed_url, plain(title), published, modified)
        known = self.found.get(key)
        if known is not None:
            was = known.discovery
            entry = replace(
                was,
                title=was.title or entry.title,
                published=was.published or entry.published,
                modified=was.modified or entry.modified,
            )
        self.found[key] = Candidate(known.url if known else url, entry)

    def candidates(self) -> tuple[Candidate, ...]:
        """Returns the entries as candidates."""
        return tuple(self.found.values())


def plain(title: str | None) -> str | None:
    """Returns a title without mark-up. Entities that were escaped twice are decoded, too."""
    if not title:
        return None
    text = html.unescape(_TAG.sub(" ", html.unescape(title[: 4 * MAX_TITLE])))
    return " ".join(_CONTROLS.sub(" ", text).split())[:MAX_TITLE].strip() or None


def read_rough(text: str, entries: Entries, base: str) -> None:
    """Adds an entry for each piece that begins like one, with its first address, title and date."""
    starts = [match.end() for match in islice(_ENTRY.finditer(text), MAX_ENTRIES)]
    for start, end in pairwise([*starts, len(text)]):
        piece = text[start : min(end, start + MAX_ENTRY)]
        title, date, modified = _TITLE.search(piece), _DATE.search(piece), _MODIFIED.search(piece)
        entries.add(
            base,
            [first or second for first, second in _LINK.findall(piece)[:3]],
            title.group(1) if title else None,
            read_source_date(date.group(1)) if date else None,
            read_source_date(modified.group(1)) if modified else None,
        )
