"""The result of one fetched page, the only value of a page that the watchdog uses. Pure.

Samples and baselines are msgspec's Structs, and are stored as the JSON that msgspec makes of them
(newscrawl.storage.monitoring.site_models, .samples). Only the fields that differ from a good article are written, so
most samples are as short as `{"chars":3120}`. Reading checks types, names and ranges: a document that does not fit is
damaged as a whole.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from hashlib import blake2b
from typing import Annotated, Final

from msgspec import Meta, Struct
from msgspec.structs import replace

from newscrawl.model import Article, Failure, ProcessedPage, Verdict

FAILURE_LIMIT: Final = 60
"""Characters of a failure's kind that are kept."""
SHORT_HASH: Final = 8
"""Hexadecimal digits. They distinguish the few hundred texts or pages of one site that are kept."""
MAX_HINTS: Final = 50
"""The most hints of a site (newscrawl.extraction.site_hints.declared)."""
EMPTY: Final = "extraction/empty"
"""The failure of a page that has neither an article nor a failure."""
_EXACT: Final = frozenset({"minute", "second"})

Count = Annotated[int, Meta(ge=0, le=10**12)]
"""A number of pages or characters. The bound keeps a damaged document from being computed with."""
YEARS: Final = range(2, 9950)
"""The years of a sample's times. In another zone, and as the number of an hour, such a time can still be written."""
Moment = Annotated[datetime, Meta(tz=True)]
Labels = Annotated[tuple[str, ...], Meta(max_length=MAX_HINTS)]

_KEYS: Final = {
    "fetched_at": "at",
    "is_new": "new",
    "characters": "chars",
    "has_title": "title",
    "has_authors": "authors",
    "has_date": "date",
    "used_fallback": "fallback",
    "page_hash": "page",
    "text_hash": "text",
    "repeats_text": "repeats",
    "is_suspect": "suspect",
    "hints_matched": "hints",
    "hints_idle": "idle",
}
"""The names of fields in stored JSON, where they are shorter."""


class PageSample(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True, rename=_KEYS):
    """The result of one fetch of a page. The defaults are those of a good article.

    A baseline keeps samples with fewer fields; see `remembered` and `as_usual`.
    """

    fetched_at: Moment | None = None
    """None in the usual samples, whose time is not kept."""
    is_new: bool = False
    """Whether the page showed its article for the first time."""
    published: Moment | None = None
    """None if the page does not state it to the minute, with a zone."""
    failure: str | None = None
    """The kind of failure, such as "extraction/empty"; None for an article. A failed page has no values below."""
    verdict: Verdict | None = "article"
    characters: Count = 0
    has_title: bool = True
    has_authors: bool = True
    has_date: bool = True
    used_fallback: bool = False
    """Whether the text is from another extractor than the first of the site's chain."""
    page_hash: str | None = None
    """A short hash of the address that answered."""
    text_hash: str | None = None
    """A short hash of the text; None without one."""
    repeats_text: bool | None = False
    """Whether one of the latest pages, at another address, has the same text. None if texts were not compared."""
    is_suspect: bool = False
    """Whether the page was held for review, or read by another extractor because the site's own looked broken."""

    hints_matched: Labels = ()
    """The hints of the site that matched an element of the page, and those that matched none. They are counted when the
    sample is added to a baseline, and not kept."""
    hints_idle: Labels = ()

    def __post_init__(self) -> None:
        if self.fetched_at is not None and self.fetched_at.year not in YEARS:
            raise ValueError(f"the time of a sample is in the year {self.fetched_at.year}")

    def remembered(self) -> PageSample:
        """Returns the sample as it is kept among the latest: its time to the minute, without the publication, and for a
        failed page the failure only."""
        at = self.fetched_at.replace(second=0, microsecond=0) if self.fetched_at is not None else None
        if self.failure is not None:
            return PageSample(at, failure=self.failure, is_suspect=self.is_suspect)
        is_compared = bool(self.text_hash and self.page_hash)
        return replace(
            self,
            fetched_at=at,
            is_new=False,
            published=None,
            page_hash=self.page_hash if is_compared else None,
            text_hash=self.text_hash if is_compared else None,
            repeats_text=False if is_compared else None,
            hints_matched=(),
            hints_idle=(),
        )

    def as_usual(self) -> PageSample:
        """Returns the sample as it is kept among the usual ones: without time and hashes."""
        return replace(self, fetched_at=None, page_hash=None, text_hash=None)


Samples = tuple[PageSample, ...]
"""Samples in the order in which the pages were read."""


def sample_of(page: ProcessedPage, *, is_new: bool = False, is_refused: bool = False) -> PageSample:
    """Returns the sample of a page. `is_refused` says that its article was not stored.

    If another extractor was tried because the site's own looks broken, the sample is the result of the site's own,
    because that one is watched.
    """
    made = page.doubt.first if page.doubt is not None else page.article or page.failure
    failure = made.code if isinstance(made, Failure) else None
    article = made if isinstance(made, Article) and not is_refused else None
    if article is None and failure is None:
        failure = EMPTY
    verdict = article.verdict if article else None
    return PageSample(
        fetched_at=page.raw.fetched_at,
        is_new=is_new,
        published=_published(article),
        failure=_plain(failure)[:FAILURE_LIMIT] if failure is not None else None,
        verdict="article" if verdict == "article" else verdict,  # msgspec leaves out a default if it is the same object
        characters=len(article.text) if article else 0,
        has_title=bool(article and article.metadata.title),
        has_authors=bool(article and article.metadata.authors),
        has_date=bool(article and article.metadata.published),
        used_fallback=bool(article and article.is_fallback),
        page_hash=blake2b(page.raw.final_url.encode(errors="replace"), digest_size=SHORT_HASH // 2).hexdigest(),
        text_hash=article.content_hash[:SHORT_HASH] if article and article.content_hash else None,
        is_suspect=page.doubt is not None,
        hints_matched=_labels(match.label for match in article.hints if match.number) if article else (),
        hints_idle=_labels(match.label for match in article.hints if not match.number) if article else (),
    )


def _published(article: Article | None) -> datetime | None:
    date = article.metadata.published if article is not None else None
    return date.when if date is not None and date.zone_stated and date.precision in _EXACT else None


def _labels(labels: Iterable[str]) -> tuple[str, ...]:
    return tuple(map(_plain, labels))


def _plain(text: str) -> str:
    """Returns the text without lone surrogates, which JSON in UTF-8 cannot hold."""
    return text.encode(errors="replace").decode()
