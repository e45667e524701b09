"""`newscrawl.extract`: one page's article for programs. Each part is computed when it is first read.

`PageRecord` has the values of a page, as a dataclass that can be pickled and as an object of JSON;
`extracted.schema.json` beside this module is the JSON schema of that object.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from functools import cached_property
from importlib.resources import files
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from newscrawl.errors import UnknownEncodingError
from newscrawl.extraction.article.make import KEPT_KINDS
from newscrawl.extraction.article.verdict_rules import NamedRule, Rules, load_rules
from newscrawl.extraction.chain import Chain, resolve, run_chain
from newscrawl.extraction.language import page_language
from newscrawl.extraction.limits import Limits
from newscrawl.extraction.markdown import StructuredText
from newscrawl.extraction.metadata.read import MetadataReader
from newscrawl.extraction.per_site import leave_out_repeated, run_hinted
from newscrawl.extraction.registry import NO_EXTRACTORS, OwnExtractors
from newscrawl.extraction.site_boilerplate import NO_BOILERPLATE, SiteBoilerplate
from newscrawl.extraction.site_hints import NO_HINTS, SiteHints
from newscrawl.model import (
    Attempt,
    Dated,
    Described,
    Extraction,
    Image,
    LiveEntry,
    Metadata,
    PublishedDate,
    RefusedDate,
    Structure,
)
from newscrawl.model.flat import flat
from newscrawl.model.identity import content_hash
from newscrawl.page import Page, parse
from newscrawl.page.decode import decode

if TYPE_CHECKING:  # loaded when their values are first read: many programs want the text and the title
    from newscrawl.extraction.article.signals import Signals
    from newscrawl.extraction.article.verdict import VerdictWithEvidence
    from newscrawl.extraction.metadata.media import Media
    from newscrawl.extraction.site_hints.apply import PageHints

NO_CHAINS: Mapping[str, Sequence[str]] = MappingProxyType({})
LIVE: Final = "live"
"""The verdict of live reports."""


@dataclass(frozen=True, repr=False)
class Extracted(Dated, StructuredText):
    """An article: its text and its metadata. A value that the page does not state is None or empty.

    Each value is computed when it is first read. `text`, `extractor` and `trace` come from one run of the chain;
    `title`, `authors`, `published` and the other statements come from the metadata; `verdict` and `problems` need both.
    """

    page: Page
    chain: Chain
    fetched_at: datetime
    rules: tuple[NamedRule, ...] = ()
    kinds: tuple[str, ...] = KEPT_KINDS
    """The verdicts of pages that are kept as articles."""
    is_listed: bool = False
    """Whether a feed or news sitemap lists the page as an article."""
    site_hints: SiteHints = NO_HINTS
    boilerplate: SiteBoilerplate = NO_BOILERPLATE
    """The lines that the site repeats on pages of other stories."""

    def __repr__(self) -> str:
        fields = f"title={self.title!r}, url={self.page.url!r}, extractor={self.extractor!r}"
        return f"<{type(self).__name__} {fields}, {len(self.text)} characters>"

    @cached_property
    def extraction(self) -> Extraction:
        """Text, kept runs and trace of the chain, with the hints of the site and without its boilerplate."""
        page, chain, hints = self.page, self.chain, self.hints
        found = run_chain(page, chain) if hints is None else run_hinted(page, chain, hints)
        if not self.boilerplate:
            return found
        if hints is None:
            return leave_out_repeated(page, chain, found, self.boilerplate)
        return leave_out_repeated(page, chain, found, self.boilerplate, kept=hints.kept, dropped=hints.dropped)

    @cached_property
    def hints(self) -> PageHints | None:
        """What the site's hints say about the page; None without hints for the time at which it was fetched."""
        if not self.site_hints:
            return None
        from newscrawl.extraction.site_hints.apply import hints_of_page  # few sites have hints

        return hints_of_page(self.page, self.site_hints, self.fetched_at)

    @cached_property
    def reader(self) -> MetadataReader:
        """Reads the page's statements, each on first use."""
        return MetadataReader(self.page, fetched_at=self.fetched_at, hints=self.hints)

    @property
    def metadata(self) -> Metadata:
        """Everything the page states, with sources and refused dates."""
        return self.reader.metadata

    @cached_property
    def media(self) -> Media:
        """The images, videos and sounds of the article. Nothing is loaded."""
        return self.reader.media(self.extraction.runs)

    @property
    def text(self) -> str:
        """The article: paragraphs separated by blank lines; "" if there is none."""
        return self.extraction.text

    @cached_property
    def structure(self) -> Structure | None:
        """What the paragraphs of the text are, and its links; None for a text that the page states in JSON-LD."""
        from newscrawl.extraction.structure import structure_of

        return structure_of(self.page, self.extraction)

    @property
    def extractor(self) -> str:
        """The step of the chain whose text is used."""
        return self.extraction.extractor

    @property
    def trace(self) -> tuple[Attempt, ...]:
        """Every step of the chain that was run, and why its text was used or not."""
        return self.extraction.trace

    @cached_property
    def problems(self) -> tuple[str, ...]:
        """Problems of the page, and doubts about the text, such as "partial: page 1 of 3"."""
        from newscrawl.extraction.article.partial import partial_page

        doubts = (f"{self.verdict}: {sign}" for sign in self.evidence)
        hinted = (self.hints.problem,) if self.hints is not None and self.hints.problem is not None else ()
        is_article = self.judgement.is_article
        partial = partial_page(self.signals) if is_article else ()
        return (*self.page.problems, *self.extraction.problems, *hinted, *partial, *doubts)

    @cached_property
    def confidence(self) -> float:
        """How right and whole the text probably is, from 0 to 1; 0 without a text (docs/explanation/confidence.md)."""
        from newscrawl.extraction.confidence import confidence_of

        return confidence_of(self.page, self.extraction)

    @cached_property
    def judgement(self) -> VerdictWithEvidence:
        """The verdict and its evidence."""
        from newscrawl.extraction.article.verdict import judge

        return judge(self.signals, self.rules, kinds=self.kinds, is_listed=self.is_listed)

    @cached_property
    def signals(self) -> Signals:
        """What the verdict is decided from."""
        from newscrawl.extraction.article.signals import Signals

        return Signals(self.page, self.extraction, self.reader)

    @property
    def is_kept(self) -> bool:
        """Whether the page's verdict is one of the `kinds` that are kept."""
        return self.judgement.is_kept(self.kinds)

    @property
    def verdict(self) -> str:
        """What the page is: article, live, paywalled or short. If it is no article: listing, video, consent and so on,
        or the name of a verdict rule."""
        return self.judgement.name

    @property
    def evidence(self) -> tuple[str, ...]:
        """The evidence for a verdict other than article, short and empty."""
        return self.judgement.evidence

    def to_dict(self) -> dict[str, Any]:
        """Returns text and metadata in the types of JSON; `newscrawl.json_schema()` describes the object."""
        return PageRecord.of(self).to_dict()

    @cached_property
    def content_hash(self) -> str:
        """Hash of the normalised text: equal for the same article with other HTML, adverts and addresses."""
        return content_hash(self.text)

    @cached_property
    def language(self) -> str | None:
        """The primary language tag ("en"), from the declarations and the text."""
        return page_language(self.page).partition("-")[0] or self.metadata.language

    @property
    def title(self) -> str | None:
        return self.reader.title

    @property
    def authors(self) -> tuple[str, ...]:
        return self.reader.authors

    @property
    def published(self) -> datetime | None:
        """Aware, UTC. `metadata.published` has the source and the precision."""
        published = self.reader.dates.published
        return published.when if published else None

    @property
    def published_offset(self) -> int | None:
        """The offset from UTC that the page states with the date, in minutes east. The date plus this is the time that
        readers saw. None if the page states none."""
        published = self.reader.dates.published
        return published.offset if published else None

    @property
    def modified(self) -> datetime | None:
        modified = self.reader.dates.modified
        return modified.when if modified else None

    @property
    def images(self) -> tuple[Image, ...]:
        """The pictures of the article with caption, credit and size as the page states them, the lead image first."""
        return self.media.images

    @property
    def videos(self) -> tuple[str, ...]:
        """The addresses of the article's videos: files, or players."""
        return self.media.videos

    @property
    def audio(self) -> tuple[str, ...]:
        """The addresses of the article's sounds: files, or players."""
        return self.media.audio

    @cached_property
    def live_entries(self) -> tuple[LiveEntry, ...]:
        """The entries of a live report with their own times, in the page's order; () for any other page."""
        return self.reader.live_entries(self.extraction.runs) if self.verdict == LIVE else ()


def extract(
    html: bytes | bytearray | memoryview | str,
    url: str | None = None,
    encoding: str | None = None,
    chain: str = "classic",
    *,
    chains: Mapping[str, Sequence[str]] = NO_CHAINS,
    limits: Limits | None = None,
    fetched_at: datetime | None = None,
    extractors: OwnExtractors = NO_EXTRACTORS,
    verdict_rules: Rules = (),
    hints: SiteHints | Mapping[str, Any] | Sequence[Mapping[str, Any]] | None = None,
    boilerplate: SiteBoilerplate = NO_BOILERPLATE,
) -> Extracted:
    """Returns the article of one page.

    `html` is the page as text or bytes. The encoding of bytes is detected as browsers do, unless `encoding` is given.
    `url` resolves relative addresses. `chain` names the chain of extractors (`classic`, `justext`,
    `boilerpipe-article+tree2` ...), `chains` defines further ones. Dates after `fetched_at` (aware; default: now) are
    refused. `extractors` are extractors
    of your own by name, and `verdict_rules` rules of your own: functions, or import paths (MODULE:NAME). `hints` are
    those of the page's site, as in its declaration: {"drop": ".advert"}. `boilerplate` is an epoch of the site, whose
    lines are left out of the text.

    Raises UnknownChainError for an unknown chain, ConfigurationError for a chain that cannot work, ExtensionError for
    an extractor or rule that cannot be loaded, UsageError for hints that cannot be used, UnknownEncodingError for an
    unknown encoding, and TypeError if `html` is no page (None, a file). No page raises an error. Reading the verdict
    raises ExtractionError if one of your rules raises.
    """
    page_bytes = _checked(html)
    _check_name("url", url, "an address such as 'https://example.org/story'")
    _check_name("encoding", encoding, "a name such as 'utf-8'")
    _check_name("chain", chain, "a name such as 'classic'; chains={'mine': [...]} defines further ones")
    check_encoding(encoding)
    resolved = resolve(chain, chains, limits or Limits(), extractors=extractors)
    rules = load_rules(verdict_rules)
    site_hints = SiteHints.of(hints)
    page = parse(page_bytes, url=url, encoding=encoding)
    fetched = fetched_at or datetime.now(UTC)
    return Extracted(page, resolved, fetched, rules, site_hints=site_hints, boilerplate=boilerplate)


def check_encoding(encoding: str | None) -> None:
    """Raises UnknownEncodingError for a name that is no character set of the web."""
    if encoding is not None and decode(b"x", encoding=encoding).source != "caller":
        raise UnknownEncodingError(encoding)


def _checked(html: object) -> bytes | str:
    """Returns the page in a type that the parser accepts. Raises TypeError."""
    if isinstance(html, (bytearray, memoryview)):
        return bytes(html)
    if not isinstance(html, (bytes, str)):
        raise TypeError(f"html must be the page as bytes or str, not {type(html).__name__}")
    return html


def _check_name(name: str, value: object, wanted: str) -> None:
    if value is not None and not isinstance(value, str):
        raise TypeError(f"{name} must be {wanted}, not {type(value).__name__}")


SCHEMA_FILE: Final = "extracted.schema.json"
RECORD_KEYS: Final = (
    *("url", "title", "authors"),
    *("published", "published_source", "published_precision", "published_offset"),
    *("modified", "modified_source", "modified_precision", "modified_offset"),
    *("refused_dates", "language", "section", "tags", "image", "images", "videos", "audio", "live_entries"),
    *("canonical", "site_name", "description"),
    *("verdict", "extractor", "trace", "problems", "confidence", "encoding", "content_hash", "text", "structure"),
)
"""The keys of `PageRecord.to_dict` in their order."""


@dataclass(frozen=True)
class PageRecord(Described, StructuredText):
    """The text and metadata of one page. A value that the page does not state is None or empty.

    Dates are aware, in UTC. `published` and `modified` have the source and precision of the date. `verdict` says what
    the page is; `text` may be empty, and may be the text of a page that is no article. `trace` has a step for each
    extractor that was run. `confidence` says how right and whole the text probably is, from 0 to 1.
    """

    url: str | None
    metadata: Metadata
    text: str
    verdict: str
    extractor: str
    trace: tuple[Attempt, ...]
    problems: tuple[str, ...]
    confidence: float
    encoding: str
    content_hash: str
    structure: Structure | None = None

    @classmethod
    def of(cls, extracted: Extracted) -> PageRecord:
        """Returns the record of a page; this computes every value."""
        return cls(
            url=extracted.page.url,
            metadata=metadata_of(extracted),
            text=extracted.text,
            verdict=extracted.verdict,
            extractor=extracted.extractor,
            trace=extracted.trace,
            problems=extracted.problems,
            confidence=extracted.confidence,
            encoding=extracted.page.encoding,
            content_hash=extracted.content_hash,
            structure=extracted.structure,
        )

    @property
    def published(self) -> PublishedDate | None:
        return self.metadata.published

    @property
    def modified(self) -> PublishedDate | None:
        return self.metadata.modified

    @property
    def refused_dates(self) -> tuple[RefusedDate, ...]:
        return self.metadata.refused_dates

    @property
    def images(self) -> tuple[Image, ...]:
        return self.metadata.images

    @property
    def live_entries(self) -> tuple[LiveEntry, ...]:
        return self.metadata.live_entries

    def to_dict(self) -> dict[str, Any]:
        """Returns the values in the types of JSON, always with the same keys in the same order.

        Dates are ISO 8601 in UTC. A date has three more keys, such as `published_source`, `published_precision` and
        `published_offset`.
        """
        stated = flat(self.metadata) | {"trace": [asdict(step) for step in self.trace]}
        return {name: _plain(stated[name] if name in stated else getattr(self, name)) for name in RECORD_KEYS}


def metadata_of(extracted: Extracted) -> Metadata:
    """Returns what a page states, with what depends on its text: its language, its media and the entries of a live
    report."""
    media = extracted.media
    return replace(
        extracted.metadata,
        language=extracted.language,
        images=media.images,
        videos=media.videos,
        audio=media.audio,
        live_entries=extracted.live_entries,
    )


def json_schema() -> dict[str, Any]:
    """Returns the JSON schema (draft 2020-12) of `PageRecord.to_dict` and `Extracted.to_dict`."""
    schema: dict[str, Any] = json.loads(files(__package__).joinpath(SCHEMA_FILE).read_text("utf-8"))
    return schema


def _plain(value: Any) -> Any:
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    value = asdict(value) if isinstance(value, Structure) else value
    return {name: _plain(one) for name, one in value.items()} if isinstance(value, Mapping) else value
