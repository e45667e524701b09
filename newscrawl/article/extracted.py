"""`newscrawl.extract`: one page's article for programs, each part worked out when it is first asked for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from types import MappingProxyType

from newscrawl.article.verdict import VerdictWithEvidence, judge
from newscrawl.article.verdict_rules import NamedRule, Rules, load_rules
from newscrawl.errors import UnknownEncodingError
from newscrawl.extraction import Chain, Limits, resolve, run_chain
from newscrawl.extraction.language import page_language
from newscrawl.extraction.registry import NO_EXTRACTORS, OwnExtractors
from newscrawl.identity import content_hash
from newscrawl.metadata import MetadataReader
from newscrawl.model import Attempt, Extraction, Metadata
from newscrawl.page import Page, parse
from newscrawl.page.decode import decode

NO_CHAINS: Mapping[str, Sequence[str]] = MappingProxyType({})


@dataclass(frozen=True, repr=False)
class Extracted:
    """What a page holds: the article's text and what the page says of it. None or empty where it says nothing.

    `text`, `extractor`, `trace` and `problems` come from one run of the chain; `title`, `authors`, `published` and the
    other statements from the metadata, each read when it is first asked for; `verdict` from both; `language` and
    `content_hash` are worked out by themselves.
    """

    page: Page
    chain: Chain
    fetched_at: datetime
    rules: tuple[NamedRule, ...] = ()

    def __repr__(self) -> str:
        told = f"title={self.title!r}, url={self.page.url!r}, extractor={self.extractor!r}"
        return f"<{type(self).__name__} {told}, {len(self.text)} characters>"

    @cached_property
    def extraction(self) -> Extraction:
        """Text, kept runs and trace of the chain."""
        return run_chain(self.page, self.chain)

    @cached_property
    def reader(self) -> MetadataReader:
        """What reads the page's statements, each when it is first asked for."""
        return MetadataReader(self.page, fetched_at=self.fetched_at)

    @property
    def metadata(self) -> Metadata:
        """Everything the page states, with sources and refused dates."""
        return self.reader.metadata

    @property
    def text(self) -> str:
        """The article: paragraphs separated by blank lines; "" if there is none."""
        return self.extraction.text

    @property
    def extractor(self) -> str:
        """The step of the chain whose text was taken."""
        return self.extraction.extractor

    @property
    def trace(self) -> tuple[Attempt, ...]:
        """Every step of the chain that was run, and why its text was taken or not."""
        return self.extraction.trace

    @property
    def problems(self) -> tuple[str, ...]:
        """What was wrong with the page or is doubtful about the text."""
        doubts = (f"{self.verdict}: {sign}" for sign in self.evidence)
        return (*self.page.problems, *self.extraction.problems, *doubts)

    @cached_property
    def judgement(self) -> VerdictWithEvidence:
        """What the page is, and what that rests on."""
        return judge(self.page, self.extraction, self.metadata, self.rules)

    @property
    def verdict(self) -> str:
        """What the page is: article, live, paywalled or short; listing, video, consent ... for what is none, and the
        name of a verdict rule that says so."""
        return self.judgement.name

    @property
    def evidence(self) -> tuple[str, ...]:
        """What speaks for any other verdict than article, short and empty."""
        return self.judgement.evidence

    @cached_property
    def content_hash(self) -> str:
        """Hash of the normalised text: equal for the same article under other mark-up, adverts and addresses."""
        return content_hash(self.text)

    @cached_property
    def language(self) -> str | None:
        """Primary language tag ("en"), by declaration and text."""
        return page_language(self.page).partition("-")[0] or self.metadata.language

    @property
    def title(self) -> str | None:
        return self.reader.title

    @property
    def authors(self) -> tuple[str, ...]:
        return self.reader.authors

    @property
    def published(self) -> datetime | None:
        """Aware, UTC; `metadata.published` says where it is stated and how exactly."""
        published = self.reader.dates.published
        return published.when if published else None

    @property
    def modified(self) -> datetime | None:
        modified = self.reader.dates.modified
        return modified.when if modified else None

    @property
    def section(self) -> str | None:
        return self.metadata.section

    @property
    def tags(self) -> tuple[str, ...]:
        return self.metadata.tags

    @property
    def image(self) -> str | None:
        return self.metadata.image

    @property
    def canonical(self) -> str | None:
        return self.metadata.canonical

    @property
    def site_name(self) -> str | None:
        return self.metadata.site_name

    @property
    def description(self) -> str | None:
        return self.metadata.description


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
) -> Extracted:
    """The article of one page.

    `html` is the page as bytes (the encoding is found as browsers do, unless given) or text. `url` resolves relative
    addresses. `chain` names the extractors (`classic`, `justext`, `boilerpipe-article+tree2` ...), `chains` defines
    further ones. `fetched_at` (aware; now if not given) bounds the dates that are believed. `extractors` are extractors
    of your own by name, and `verdict_rules` rules of your own: functions, or import paths (MODULE:NAME).

    Raises UnknownChainError for an unknown chain, ConfigurationError for one that cannot work, ExtensionError for an
    extractor or rule that cannot be loaded, UnknownEncodingError for an encoding that is none, TypeError for what is no
    page at all (None, a file); never for a page. The verdict raises ExtractionError where a rule of yours raises.
    """
    page_bytes = _checked(html)
    _check_name("url", url, "an address such as 'https://example.org/story'")
    _check_name("encoding", encoding, "a name such as 'utf-8'")
    _check_name("chain", chain, "a name such as 'classic'; chains={'mine': [...]} defines further ones")
    check_encoding(encoding)
    resolved = resolve(chain, chains, limits or Limits(), extractors=extractors)
    rules = load_rules(verdict_rules)
    page = parse(page_bytes, url=url, encoding=encoding)
    return Extracted(page, resolved, fetched_at or datetime.now(UTC), rules)


def check_encoding(encoding: str | None) -> None:
    """Raise UnknownEncodingError for a name that no character set of the web has."""
    if encoding is not None and decode(b"x", encoding=encoding).source != "caller":
        raise UnknownEncodingError(encoding)


def _checked(html: object) -> bytes | str:
    """The page as the parser takes it. Raises TypeError."""
    if isinstance(html, (bytearray, memoryview)):
        return bytes(html)
    if not isinstance(html, (bytes, str)):
        raise TypeError(f"html must be the page as bytes or str, not {type(html).__name__}")
    return html


def _check_name(name: str, value: object, wanted: str) -> None:
    if value is not None and not isinstance(value, str):
        raise TypeError(f"{name} must be {wanted}, not {type(value).__name__}")
