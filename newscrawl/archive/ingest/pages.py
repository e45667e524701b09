"""Turns records and files into raw pages as a spider yields them: filters them, and finds their sites."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final
from urllib.parse import quote, urljoin, urlsplit

from newscrawl.archive.ingest.inputs import HtmlFile
from newscrawl.archive.read import Archived, load, read_answer
from newscrawl.archive.warc import Record, UnreadableRecord
from newscrawl.errors import ArchiveError, BadAnswer, InvalidUrl, os_reason
from newscrawl.model import Failure, ProcessedPage, RawPage
from newscrawl.model.identity import clean_url, registrable_domain
from newscrawl.model.identity.domains import host_of
from newscrawl.model.times import is_credible

if TYPE_CHECKING:
    from newscrawl.page import Page

BROKEN: Final = "warc/broken"
TRUNCATED: Final = "warc/truncated"
REVISIT: Final = "warc/revisit"
NO_PAGE: Final = "warc/no_page"
UNWANTED: Final = "not_wanted"
UNREADABLE: Final = "file/unreadable"
LOST: Final = "archive/unreadable"
"""Pages that newscrawl's own archive should have and does not."""
MISMATCH: Final = "warc/digest_mismatch"
"""Records whose bytes do not match their digest. They are read anyway."""
UNDATED: Final = "time_unknown"
"""Pages whose time of fetching is unknown, because the record's or the file's time cannot be right."""
FILES_HOST: Final = "files.invalid"
"""The host of pages from files without a URL (RFC 2606: no such host exists)."""
_OK: Final = 200
_REDIRECTS: Final = range(300, 400)
_HEAD: Final = 1 << 17
"""Bytes of a file that are searched for its own URL."""


@dataclass(frozen=True, slots=True)
class Skipped:
    """A record or file that gives no page, the counter for it, and why it cannot be read ("" for other reasons)."""

    kind: str
    reason: str = field(default="", compare=False)


@dataclass(frozen=True)
class PageFilter:
    """Selects pages and gives the names of their sites.

    `since` (inclusive) and `until` (exclusive) limit the time of fetching. `pattern` is searched in the URL. `sites`
    are the declared sites by domain; the site of a page on another domain is its registrable domain. With `only`, pages
    of other sites than these are left out, as with `site`.
    """

    site: str | None = None
    since: datetime | None = None
    until: datetime | None = None
    pattern: str | None = None
    sites: Mapping[str, str] = field(default_factory=dict)
    only: frozenset[str] = frozenset()

    def site_of(self, url: str) -> str:
        """Returns the declared site whose domain is nearest to the page's host, else the registrable domain."""
        labels = host_of(url).split(".")
        for first in range(len(labels)):
            name = self.sites.get(".".join(labels[first:]))
            if name is not None:
                return name
        return registrable_domain(url)

    def bounds(self, fetched_at: datetime | None) -> bool:
        """Returns whether the time lies between `since` and `until`. An unknown time (None) is accepted only without
        these limits."""
        if fetched_at is None:
            return self.since is None and self.until is None
        after = self.since is None or fetched_at >= self.since
        return after and (self.until is None or fetched_at < self.until)

    def takes(self, url: str, site: str, fetched_at: datetime | None) -> bool:
        """Returns whether the page is selected."""
        if not self.bounds(fetched_at):
            return False
        if self.site is not None and self.site not in {site, registrable_domain(url)}:
            return False
        if self.only and self.only.isdisjoint((site, registrable_domain(url))):
            return False
        return self.pattern is None or re.search(self.pattern, url) is not None


def page_of_record(
    record: Record | UnreadableRecord, wanted: PageFilter, max_body: int, now: datetime
) -> RawPage | ProcessedPage | Skipped:
    """Returns the page of a record; a ProcessedPage for a failure that a crawl would have stored.

    `now` is the begin of the ingest. The age of a record dated later, or before the first web page, is unknown.
    """
    if isinstance(record, UnreadableRecord):
        return Skipped(BROKEN, record.reason)
    headers = record.headers
    kind = headers.get("warc-type", "").lower()
    if kind == "revisit":
        return Skipped(REVISIT)
    if kind != "response":
        return Skipped(NO_PAGE)
    url = headers.get("warc-target-uri", "").strip("<>")
    if not url.lower().startswith(("http://", "https://")) or urlsplit_path(url) == "/robots.txt":
        return Skipped(NO_PAGE)
    fetched_at = warc_date(headers.get("warc-date", ""))
    if fetched_at is None:
        return Skipped(BROKEN, "its WARC-Date is missing or no time")
    if not _is_address(url):
        return Skipped(BROKEN, "its WARC-Target-URI is no address")
    site = wanted.site_of(url)
    undated = not is_credible(fetched_at, now)
    if not wanted.takes(url, site, None if undated else fetched_at):
        return Skipped(UNWANTED)
    if "warc-truncated" in headers:
        return Skipped(TRUNCATED)
    raw = RawPage(url, url, _OK, {}, None, now if undated else fetched_at, site, undated=undated)
    if record.block is None:
        return ProcessedPage(raw, failure=Failure("download/too_large", f"more than {max_body} bytes"))
    return _answered(raw, record.block, max_body)


def page_of_file(file: HtmlFile, wanted: PageFilter, max_body: int, now: datetime) -> RawPage | ProcessedPage | Skipped:
    """Returns the page of a file. Without a stated URL, the page's own statement of its URL is used, else an address
    that is made of the file's name. `now` is the begin of the ingest."""
    try:
        with Path(file.path).open("rb") as opened:
            body = opened.read(max_body + 1)
    except OSError as error:
        return Skipped(UNREADABLE, os_reason(error))
    url = file.url or own_address(body) or f"http://{FILES_HOST}/{quote(os.fsencode(file.name))}"
    if not _is_address(url):
        return Skipped(UNREADABLE, "its address cannot be used")
    site = wanted.site_of(url)
    fetched_at = file.fetched_at if is_credible(file.fetched_at, now) else None
    if not wanted.takes(url, site, fetched_at):
        return Skipped(UNWANTED)
    headers = {"content-type": "text/html"}
    raw = RawPage(url, url, _OK, headers, body, fetched_at or now, site, undated=fetched_at is None)
    if len(body) > max_body:
        failure = Failure("download/too_large", f"more than {max_body} bytes")
        return ProcessedPage(replace(raw, body=None), failure=failure)
    return raw


def page_of_archived(page: Archived, max_body: int) -> RawPage | ProcessedPage | Skipped:
    """Returns a page of newscrawl's own archive. A page whose body cannot be decompressed is a failure, as it was for
    the crawl."""
    try:
        return load(page, max_body)
    except BadAnswer as error:
        requested = page.asked or page.url
        raw = RawPage(requested, page.url, _OK, {}, None, page.fetched_at, page.site, capture=page.capture)
        return ProcessedPage(raw, failure=Failure(error.code, str(error)))
    except (ArchiveError, OSError):
        return Skipped(LOST)


def own_address(body: bytes) -> str | None:
    """Returns the URL that a page states as its own: rel=canonical, else og:url; None without a valid one."""
    from newscrawl.page import parse  # only workers parse pages

    page = parse(body[:_HEAD])
    for stated in (_canonical(page), page.head.first("og:url")):
        if stated and _is_address(stated.strip()):
            return stated.strip()
    return None


def _canonical(page: Page) -> str | None:
    base = page.head.base or ""
    href = next((link.href for link in page.head.links if "canonical" in link.rel.split()), None)
    try:
        return urljoin(base, href) if href else None
    except ValueError:
        return None


def _answered(raw: RawPage, block: bytes, max_body: int) -> RawPage | ProcessedPage | Skipped:
    try:
        status, headers, body = read_answer(block, max_body)
    except BadAnswer as error:
        return ProcessedPage(raw, failure=Failure(error.code, str(error)))
    if status in _REDIRECTS:
        return Skipped(f"http/{status}")
    raw = replace(raw, status=status, headers=headers)
    if status != _OK:
        return ProcessedPage(raw, failure=Failure(f"http/{status}", f"the server answered {status}"))
    return replace(raw, body=body)


def warc_date(text: str) -> datetime | None:
    """Returns the time of a WARC-Date (W3C-DTF in UTC); None for a malformed one."""
    try:
        date = datetime.fromisoformat(text)
        return date.replace(tzinfo=UTC) if date.tzinfo is None else date.astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def urlsplit_path(url: str) -> str:
    """Returns the URL's path; "" for a malformed URL."""
    try:
        return urlsplit(url).path
    except ValueError:
        return ""


def _is_address(url: str) -> bool:
    try:
        clean_url(url)
    except InvalidUrl:
        return False
    return True
