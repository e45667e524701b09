"""The values `decide` works on: what came in, what the database knows of it, and what is to be done."""

from __future__ import annotations

from dataclasses import dataclass, field

from newscrawl.errors import InvalidUrl
from newscrawl.identity import url_key
from newscrawl.model import Article, ProcessedPage
from newscrawl.storage.records import Event, Label, OutcomeKind, PageRow, Shown


@dataclass(frozen=True, slots=True)
class Incoming:
    """A processed page with the keys of its addresses: where it was found, where it was asked for, what it claims."""

    page: ProcessedPage
    key: str
    asked_key: str
    canonical_key: str | None

    @classmethod
    def of(cls, page: ProcessedPage) -> Incoming:
        """Raises InvalidUrl when the fetched address is no URL; a canonical that is none has no key."""
        raw = page.raw
        canonical = page.article.metadata.canonical if page.article else None
        key = url_key(raw.final_url)
        asked_key = key if raw.url == raw.final_url else url_key(raw.url)
        return cls(page, key, asked_key, key if canonical == raw.final_url else _key_or_none(canonical))

    @property
    def keys(self) -> set[str]:
        """Every URL key to look up."""
        keys = {self.key, self.asked_key}
        return keys | {self.canonical_key} if self.canonical_key else keys


@dataclass(frozen=True, slots=True)
class Intent:
    """What to write for one item.

    `page` is the row of the page it belongs to, `others` are rows of other pages it changes, `merged` is the key of a
    page that turned out to be this one, `urls` are the (key, spelling) pairs that lead to this page. `stores` is the
    article to keep as a version of the page; None keeps what is there.
    """

    kind: OutcomeKind
    page: PageRow
    reason: str = ""
    others: tuple[PageRow, ...] = ()
    merged: str | None = None
    urls: tuple[tuple[str, str], ...] = ()
    stores: Article | None = None
    change_class: str = "first"
    late: bool = False
    """The capture is older than what the page shows, so that it may be of the page's first version."""
    events: tuple[Event, ...] = ()
    labels: tuple[Label, ...] = ()
    """The title and authors it had and has, where they changed over one text."""
    first: bool = False
    """Of a held page: whether it had never been fetched before."""


@dataclass(slots=True)
class Known:
    """The part of the database that a batch touches; `learn` keeps it true while the batch is being decided."""

    pages: dict[str, PageRow] = field(default_factory=dict)
    """Pages by their own URL key."""
    aliases: dict[str, str] = field(default_factory=dict)
    """URL key -> the key of the page it leads to."""
    articles: dict[str, int | None] = field(default_factory=dict)
    """Identity key -> the article's id, None when it is this batch that stores it."""
    shown: dict[int, Shown] = field(default_factory=dict)
    """A stored page's id -> the version it showed before the batch."""
    texts: dict[str, str] = field(default_factory=dict)
    """Identity key -> text, of articles that the batch may replace at their pages."""

    def page_of(self, key: str) -> PageRow | None:
        """The page a key leads to: its own, or the one it was found to redirect to."""
        return self.pages.get(key) or self.pages.get(self.aliases.get(key, ""))

    def learn(self, intent: Intent) -> None:
        """Makes true what the intent will make true in the database."""
        for page in (intent.page, *intent.others):
            self.pages[page.url_key] = page
            self.aliases[page.url_key] = page.url_key
        if intent.merged is not None:
            del self.pages[intent.merged]
            moved = [key for key, target in self.aliases.items() if target == intent.merged]
            self.aliases.update(dict.fromkeys(moved, intent.page.url_key))
        self.aliases.update(dict.fromkeys((key for key, _ in intent.urls), intent.page.url_key))
        if intent.stores is not None and intent.stores.identity_key is not None:
            self.articles.setdefault(intent.stores.identity_key, None)


def _key_or_none(url: str | None) -> str | None:
    if not url:
        return None
    try:
        return url_key(url)
    except InvalidUrl:
        return None
