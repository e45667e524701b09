"""The values of `decide`: the incoming page, why it is stored, the part of the database that concerns it, and the
resulting intent; and the items of a batch that are decided and written together."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Literal

from newscrawl.errors import InvalidUrl
from newscrawl.model import Article, Doubt, ProcessedPage
from newscrawl.model.identity import url_key
from newscrawl.storage.records import WHOLE, EntryName, Event, Label, NextDue, OutcomeType, PageRow, Shown

OccasionType = Literal["crawled", "ingested", "released", "reextracted"]
"""`crawled`: just fetched. `ingested`: read from an archive or a file, in any order. `released`: released from the
review queue by an operator. `reextracted`: another extraction of captures whose visits are stored already."""


@dataclass(frozen=True, slots=True)
class Occasion:
    """Why a batch of pages is stored. `next_due` plans the next visit of a page.

    No visit is planned before `now`: a capture of last year is planned as if it had been read today. None plans from
    the time of the fetch alone.
    """

    kind: OccasionType
    next_due: NextDue
    now: datetime | None = None

    @property
    def is_visit(self) -> bool:
        """Whether the pages were visited, so that their dates, counts and plans change."""
        return self.kind != "reextracted"

    def moment(self, fetched_at: datetime) -> datetime:
        """Returns when the batch is stored; `fetched_at` if the occasion has no time."""
        return self.now or fetched_at


@dataclass(frozen=True, slots=True)
class Incoming:
    """A processed page with its URL keys: `key` is of the address that answered, `asked_key` of the one requested,
    `canonical_key` of the claimed canonical."""

    page: ProcessedPage
    key: str
    asked_key: str
    canonical_key: str | None

    @classmethod
    def of(cls, page: ProcessedPage) -> Incoming:
        """Builds the keys. Raises InvalidUrl if a fetched address is not a URL; an invalid canonical has no key."""
        raw = page.raw
        canonical = page.article.metadata.canonical if page.article else None
        key = url_key(raw.final_url)
        asked_key = key if raw.url == raw.final_url else url_key(raw.url)
        return cls(page, key, asked_key, key if canonical == raw.final_url else _key_or_none(canonical))

    def in_review(self, doubts: tuple[str, ...]) -> Incoming:
        """Returns the item as one that waits for review because of these problems."""
        article = self.page.article
        if article is None:
            return self
        return replace(self, page=replace(self.page, doubt=Doubt(doubts, article, needs_review=True)))

    @property
    def keys(self) -> set[str]:
        """All URL keys to look up."""
        keys = {self.key, self.asked_key}
        return keys | {self.canonical_key} if self.canonical_key else keys

    def asked_event(self, kind: str, reason: str = "") -> Event:
        """Returns an event of the address that was requested, at the time of the fetch."""
        raw = self.page.raw
        return Event(self.asked_key, raw.url, raw.site, raw.fetched_at, kind, reason, raw.status)

    def answered_event(self, kind: str, reason: str = "") -> Event:
        """Returns an event of the address that answered, at the time of the fetch."""
        raw = self.page.raw
        return Event(self.key, raw.final_url, raw.site, raw.fetched_at, kind, reason, raw.status)


@dataclass(frozen=True, slots=True)
class PreviousReading:
    """The result of a capture so far: an article, as its page describes it, or a failure."""

    capture_id: int
    url_key: str
    article_id: int | None
    failure: str | None
    identity: str | None = None
    text: str | None = None
    content_hash: str | None = None
    extractor: str | None = None
    title: str | None = None
    authors: tuple[str, ...] = ()
    published: datetime | None = None
    verdict: str | None = None
    shown: bool = False
    """Whether the page shows the article now."""
    expired: bool = False
    """Whether the page's texts were removed because of their age; they are not stored again."""


def may_replace(page: ProcessedPage, previous: PreviousReading) -> bool:
    """Returns whether another extraction of the capture may replace its result so far.

    A page without an article replaces nothing. A part of a text does not replace a whole one.
    """
    article = page.article
    if article is None or article.verdict == "empty" or previous.expired:
        return False
    return article.verdict in WHOLE or previous.verdict not in WHOLE


def capture_id(page: ProcessedPage) -> int | None:
    """Returns the row id of the page's capture; None for a page that was not read from a stored capture."""
    return page.raw.capture.id if page.raw.capture is not None else None


@dataclass(frozen=True, slots=True)
class Intent:
    """The rows to write for one item.

    `page` is the row of the page it belongs to, `others` are rows of other pages it changes, `merged` is the key of a
    page that turned out to be this one, `urls` are the (key, spelling) pairs that lead to this page. `stores` is the
    article to keep as a version of the page; None keeps what is there.
    """

    kind: OutcomeType
    page: PageRow
    reason: str = ""
    others: tuple[PageRow, ...] = ()
    merged: str | None = None
    urls: tuple[tuple[str, str], ...] = ()
    stores: Article | None = None
    change_class: str = "first"
    entries: Sequence[EntryName] = ()
    """The new entries of a live report."""
    late: bool = False
    """The capture is older than what the page shows, so that it may be of the page's first version."""
    events: tuple[Event, ...] = ()
    labels: tuple[Label, ...] = ()
    """The former and the new title and authors, if they changed while the text stayed the same."""
    first: bool = False
    """Of a page held for review: whether it had never been fetched before."""
    is_visit: bool = True
    """Whether the page was visited. A visit counts for the address's pattern."""
    seen_since: datetime | None = None
    """When the article was first seen, if that is earlier than the stored time."""
    instead_of: PreviousReading | None = None
    """The earlier result of the capture, which the article replaces in the page's history."""
    doubts: tuple[str, ...] = ()
    """Why the text that took the place of another one is held for review, or no longer shown (`withdraws_shown`)."""
    replacing: tuple[str, str] | None = None
    """The identity keys of a text that took the place of quite another one at the page, or waits for review, and of the
    former text, "" for none."""
    withdraws_shown: bool = False
    """Whether the page's newer text is not credible beside the former one that the item has."""
    replaces_shown: bool = False
    """Whether the article replaces the one that the page shows, which then counts as never shown."""


@dataclass(slots=True)
class Known:
    """The part of the database that a batch concerns. `learn` keeps it up to date while the batch is being decided."""

    pages: dict[str, PageRow] = field(default_factory=dict)
    """Pages by their own URL key."""
    aliases: dict[str, str] = field(default_factory=dict)
    """URL key -> the key of the page it leads to."""
    articles: dict[str, int | None] = field(default_factory=dict)
    """Identity key -> the article's id, None if this batch stores it."""
    shown: dict[int, Shown] = field(default_factory=dict)
    """A stored page's id -> the version it showed before the batch."""
    texts: dict[str, str] = field(default_factory=dict)
    """Identity key -> text, of articles that the batch may replace at their pages."""
    replacing: dict[str, dict[str, frozenset[str]]] = field(default_factory=dict)
    """Identity key of a text -> the pages at which it took the place of quite another text, or waits for review, by URL
    key, each with the identity keys of its former texts. Only of texts of the batch."""
    readings: dict[int, PreviousReading] = field(default_factory=dict)
    """A capture's id -> its result so far; loaded only for re-extractions."""
    barred: frozenset[str] = frozenset()
    """Entries of the blocklist, among those that would bar pages of the batch."""
    files: Collection[int] = ()
    """Files of the archive that still exist, among those with captures of the batch."""
    in_review: Collection[str] = ()
    """Keys of pages that wait for review, among those of the batch."""

    def page_of(self, key: str) -> PageRow | None:
        """Returns the page that a key leads to: its own page, or the target of its redirect; None if there is none."""
        return self.pages.get(key) or self.pages.get(self.aliases.get(key, ""))

    def learn(self, intent: Intent) -> None:
        """Applies the changes that the intent will make in the database."""
        for page in (intent.page, *intent.others):
            self.pages[page.url_key] = page
            self.aliases[page.url_key] = page.url_key
        if intent.merged is not None:
            del self.pages[intent.merged]
            moved = [key for key, target in self.aliases.items() if target == intent.merged]
            self.aliases.update(dict.fromkeys(moved, intent.page.url_key))
        self.aliases.update(dict.fromkeys((key for key, _ in intent.urls), intent.page.url_key))
        if intent.replacing is not None:
            identity, former = intent.replacing
            self.replacing.setdefault(identity, {})[intent.page.url_key] = frozenset({former})
        if intent.stores is not None and intent.stores.identity_key is not None:
            self.articles.setdefault(intent.stores.identity_key, None)


@dataclass(frozen=True, slots=True)
class ItemBatch:
    """The items with their decisions, in order.

    `known` is the state after the last item, `before` are the pages as they are stored. `page_ids` has the ids of the
    written pages by URL key, once the new ones are written.
    """

    occasion: Occasion
    known: Known
    before: Mapping[str, PageRow]
    decided: Sequence[tuple[Incoming, Intent]]
    page_ids: dict[str, int] = field(default_factory=dict)

    @property
    def latest(self) -> datetime:
        """When the latest of the items was fetched."""
        return max(item.page.raw.fetched_at for item, _ in self.decided)

    @property
    def stored_at(self) -> datetime:
        """When the changes of the part are stored: the time of the command, or in a crawl the time at which the latest
        page of the batch was fetched."""
        return self.occasion.moment(self.latest)

    def page_key(self, intent: Intent) -> str:
        """Returns the key of the intent's page after all merges of the part."""
        key = intent.page.url_key
        return key if key in self.known.pages else self.known.aliases[key]

    def page_id(self, intent: Intent) -> int:
        """Returns the id of the intent's page. Raises KeyError before the pages are written."""
        return self.page_ids[self.page_key(intent)]

    def article_id(self, intent: Intent) -> int | None:
        """Returns the id of the article that the item stores, or else of the one its page shows; None if there is
        none."""
        stored = intent.stores.identity_key if intent.stores is not None else None
        identity = stored or intent.page.identity
        return self.known.articles.get(identity) if identity is not None else None


def _key_or_none(url: str | None) -> str | None:
    if not url:
        return None
    try:
        return url_key(url)
    except InvalidUrl:
        return None
