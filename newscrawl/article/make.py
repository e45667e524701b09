"""Parses, extracts and judges one fetched page: the work of a worker process."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC
from functools import lru_cache
from typing import Final

from newscrawl.article.extracted import NO_CHAINS, Extracted
from newscrawl.article.interstitials import spoken_error
from newscrawl.article.usage_rights import read_use
from newscrawl.article.verdict import KEPT_KINDS, KINDS
from newscrawl.article.verdict_rules import NamedRule, Rules, VerdictRule, load_rules
from newscrawl.errors import ConfigurationError
from newscrawl.extraction import Chain, Limits, resolve
from newscrawl.extraction.registry import NO_EXTRACTORS, OwnExtractors, Selector
from newscrawl.identity import content_hash, identity_of, url_key
from newscrawl.model import Article, Discovery, Failure, Metadata, ProcessedPage, RawPage
from newscrawl.model.walls import wall_of
from newscrawl.page import Page, parse
from newscrawl.page.parse import NOT_TEXT
from newscrawl.page.words import count_words
from newscrawl.site_boilerplate import NO_BOILERPLATE, SiteBoilerplate
from newscrawl.site_hints import NO_HINTS, SiteHints

_HTML_TYPES = ("text/html", "application/xhtml+xml", "text/plain", "application/xml", "text/xml")
"""Content types that may contain a page. Servers send HTML with many types, but an image or a PDF is no page."""

KINDS_SETTING: Final = "NEWSCRAWL_KINDS"
EMPTY_ANSWER: Final = Failure("http/empty", "status 200 with an empty body")
"""The failure of a page without a body, compressed or not."""


@dataclass(frozen=True)
class ArticleOptions:
    """How pages become articles: the chain by name, chains and extractors that settings add, the chain's limits, the
    user's verdict rules, the kinds that are kept, and the hints and the boilerplate of the site. It goes to worker
    processes, which load extensions themselves."""

    chain: str = "classic"
    chains: Mapping[str, Sequence[str]] = field(default_factory=lambda: dict(NO_CHAINS))
    limits: Limits = field(default_factory=Limits)
    extractors: OwnExtractors = field(default_factory=lambda: dict(NO_EXTRACTORS))
    verdict_rules: Rules = ()
    kinds: tuple[str, ...] = KEPT_KINDS
    """The verdicts of pages that are stored as articles."""
    hints: SiteHints = NO_HINTS
    boilerplate: SiteBoilerplate = NO_BOILERPLATE
    """The current epoch of the site's boilerplate, whole, so that a worker needs no database."""
    leaves_out_boilerplate: bool = True
    """Whether the site's boilerplate is left out of its texts."""

    def with_boilerplate(self, epoch: SiteBoilerplate) -> ArticleOptions:
        """Returns the options with an epoch of the site; unchanged if its boilerplate is not left out."""
        return replace(self, boilerplate=epoch) if epoch and self.leaves_out_boilerplate else self

    def resolve(self) -> Chain:
        """Returns the chain itself; the rules are loaded, too. Raises UnknownChainError, ConfigurationError or
        ExtensionError."""
        load_rules(self.verdict_rules)
        if unknown := sorted(set(self.kinds).difference(KINDS)):
            raise ConfigurationError(KINDS_SETTING, f"there is no kind {unknown[0]!r}: kinds are {', '.join(KINDS)}")
        return resolve(self.chain, self.chains, self.limits, extractors=self.extractors)


def make_article(raw: RawPage, options: ArticleOptions) -> ProcessedPage:
    """Decodes, parses, extracts, reads metadata and judges. The result has no body. No page raises an error."""
    slim = replace(raw, body=None)
    page = _parsed(raw)
    if isinstance(page, Failure):
        return ProcessedPage(slim, failure=page)
    use = read_use(page, raw.headers)
    result = _article_or_failure(page, raw, options)
    if isinstance(result, Failure):
        return ProcessedPage(slim, failure=result, use=use)
    return ProcessedPage(slim, article=result, use=use)


def fingerprint(page: ProcessedPage) -> ProcessedPage:
    """Returns the page with its article's content hash, identity key and near-duplicate signature.

    A page that already has the first two is returned unchanged.
    """
    article = page.article
    if article is None or (article.content_hash and article.identity_key):
        return page
    digest = content_hash(article.text)
    key = identity_of(digest, url_key(page.raw.final_url), count_words(article.text))
    from newscrawl.identity.signature import signature  # loads numpy, which extraction alone does not need

    signed = signature(article.text)
    return replace(page, article=replace(article, content_hash=digest, identity_key=key, signature=signed))


def _parsed(raw: RawPage) -> Page | Failure:
    content_type = raw.headers.get("content-type", "")
    kind = content_type.partition(";")[0].strip().lower()
    if kind and not kind.startswith(_HTML_TYPES):
        return Failure("content/not_html", f"the server calls it {kind[:80]}")
    if not raw.body or not raw.body.strip():
        return Failure("content/empty", "the body is empty")
    page = parse(raw.body, url=raw.final_url, content_type=content_type)
    if NOT_TEXT in page.problems:
        return Failure("content/not_html", f"called {kind or 'nothing'}, but {page.problems[-1]}")
    return page


def _article_or_failure(page: Page, raw: RawPage, options: ArticleOptions) -> Article | Failure:
    rules = _loaded(tuple(options.verdict_rules)) if options.verdict_rules else ()
    when = raw.fetched_at.astimezone(UTC)
    is_listed = _is_listed(raw.discovery)
    site = options.hints, options.boilerplate
    extracted = Extracted(page, _chain(options), when, rules, options.kinds, is_listed, *site)
    if not extracted.is_kept and extracted.verdict != "empty":
        wall = wall_of(raw.status, raw.headers, is_refusal=True) if extracted.verdict == "bot_wall" else None
        evidence = extracted.evidence if wall is None else (*extracted.evidence, wall.note)
        return Failure(f"verdict/{extracted.verdict}", "; ".join(evidence))
    if not extracted.text:
        tried = ", ".join(f"{attempt.extractor}: {attempt.reason}" for attempt in extracted.trace)
        return Failure("extraction/empty", f"no extractor found text ({tried})")
    error = spoken_error(extracted.metadata.title, extracted.text)
    return Article(
        url=raw.final_url,
        site=raw.site,
        metadata=_metadata(extracted),
        text=extracted.text,
        extractor=extracted.extractor,
        verdict=extracted.judgement.verdict,
        trace=extracted.trace,
        problems=extracted.problems if error is None else (*extracted.problems, error),
        hints=extracted.hints.matches if extracted.hints is not None else (),
        confidence=extracted.confidence,
        boilerplate_epoch=options.boilerplate.epoch,
        left_out=extracted.extraction.left_out,
    )


def _is_listed(discovery: Discovery | None) -> bool:
    """Whether a feed or a news sitemap lists the page. Only news sitemaps state titles."""
    return discovery is not None and (
        discovery.kind == "feed" or (discovery.kind == "sitemap" and discovery.title is not None)
    )


def _metadata(extracted: Extracted) -> Metadata:
    """Returns the metadata with what depends on the text: its language, its media and the entries of a live report."""
    media = extracted.media
    return replace(
        extracted.metadata,
        language=extracted.language,
        images=media.images,
        videos=media.videos,
        audio=media.audio,
        live_entries=extracted.live_entries,
    )


def _chain(options: ArticleOptions) -> Chain:
    key = tuple((name, tuple(steps)) for name, steps in options.chains.items())
    return _resolved(options.chain, key, options.limits, tuple(options.extractors.items()))


@lru_cache(maxsize=16)
def _resolved(
    name: str,
    chains: tuple[tuple[str, tuple[str, ...]], ...],
    limits: Limits,
    extractors: tuple[tuple[str, str | Selector], ...],
) -> Chain:
    """Resolved once per process, not for each page."""
    return resolve(name, dict(chains), limits, extractors=dict(extractors))


@lru_cache(maxsize=16)
def _loaded(rules: tuple[str | VerdictRule, ...]) -> tuple[NamedRule, ...]:
    """Loaded once per process, not for each page."""
    return load_rules(rules)
